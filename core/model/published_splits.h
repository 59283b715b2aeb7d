#pragma once
// How published byte-level vocabularies cut texts, by the names that GGUF files give them (tokenizer.ggml.pre), as the
// pre_tokenizer of a tokenizer.json. The expressions are those of the models' own tokenizer.json.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <string>

namespace attnscope {

struct PublishedSplit {
    nlohmann::json preTokeniser;
    bool wholeWords = false;  ///< a word that is a token is that token, whatever the merges say
};

/// Errors: Unavailable, with the names there are. `path` is for the message.
Result<PublishedSplit> publishedSplit(const std::string& name, const std::string& path);

}  // namespace attnscope
