#pragma once
// A trained Llama as a folder in Hugging Face's layout, which core/model, and other programs, open: config.json,
// model.safetensors, and tokenizer.json where there is one.

#include "core/base/error.h"
#include "core/learn/checkpoint.h"
#include "core/networks/llama.h"

#include <optional>

namespace attnscope::learn {

struct LlamaFolder {
    Index trainLength = 0;               ///< max_position_embeddings
    std::optional<int> beginToken = {};  ///< bos_token_id
    std::optional<int> maskToken = {};   ///< mask_token_id: it was trained to find what stood in such places
    std::string tokenizer;               ///< tokenizer.json's text; empty: none
    Metadata facts;                      ///< to stand in the metadata of the weights: how they were made
    bool bfloat16 = true;                ///< the weights are rounded to it, else float32
};

/// config.json of this shape.
std::string llamaConfig(const LlamaShape& shape, const LlamaFolder& about);

/// Writes the files into the folder, which is made if need be. Errors: NotWritable.
Result<void> saveLlama(const std::string& folder, Llama& model, const LlamaFolder& about);

}  // namespace attnscope::learn
