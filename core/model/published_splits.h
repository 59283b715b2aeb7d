#pragma once
// How published byte-level vocabularies cut texts, by the names that GGUF files give them (tokenizer.ggml.pre), as the
// pre_tokenizer of a tokenizer.json. The expressions are those of the models' own tokenizer.json.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attnscope {

struct PublishedSplit {
    nlohmann::json preTokeniser;
    bool wholeWords = false;  ///< a word that is a token is that token, whatever the merges say
};

/// Errors: Unavailable, with the names there are. `path` is for the message.
Result<PublishedSplit> publishedSplit(const std::string& name, const std::string& path);

/// Does llama.cpp begin texts with the begin token, where a file with this tokenizer.ggml.pre does not say?
bool beginsTexts(std::string_view name);

}  // namespace attnscope
