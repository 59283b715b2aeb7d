#pragma once
// What a language model of a lab is trained and tested on: a text of the user's, its last tenth kept for tests, or one
// that the program makes (core/model/generated_text.h), with a byte pair encoding learned from the part trained on.

#include "core/base/error.h"
#include "core/model/generated_text.h"
#include "core/model/tokenizer.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct LanguageCorpus {
    /// An answer of a generated text: the token that begins it, and the one that began it where it was told.
    struct Recall {
        std::int64_t token = 0, told = 0;
    };
    std::string tokenizerJson;
    std::shared_ptr<const Tokenizer> tokenizer;
    int vocabulary = 0;  ///< tokens that the encoding has: as many as were asked for, or fewer where a text has no more
    std::vector<int> train, test;  ///< ids
    std::vector<Recall> recalls;   ///< of `test`; none of a user's text
    std::string origin;            ///< what it is, for the facts of a checkpoint
};

struct CorpusOptions {
    std::string file;            ///< empty: generated
    std::int64_t bytes = 0;      ///< of the generated text to train on
    std::int64_t testBytes = 0;  ///< and to test on
    int vocabulary = 1024;
    std::uint64_t seed = 1;
};

/// Errors: those of reading the file, InvalidArgument (no UTF-8), Cancelled.
Result<LanguageCorpus> makeCorpus(const CorpusOptions& options, const std::stop_token& stop = {});

/// -sum p ln p over the shares of the ids, nats: the loss of a prediction that knows their frequencies and no more.
double lossOfFrequencies(const std::vector<int>& ids);

/// Ids of a text, line by line, which is what a byte-level encoding makes of the whole. Errors: those of encode,
/// Cancelled.
Result<std::vector<int>> encodeLines(const Tokenizer& tokenizer, std::string_view text,
                                     const std::stop_token& stop = {});

/// Where the answers stand among the tokens of the text.
std::vector<LanguageCorpus::Recall> recallsAmong(const Tokenizer& tokenizer, const std::vector<int>& ids,
                                                 const GeneratedText& text);

}  // namespace attnscope
