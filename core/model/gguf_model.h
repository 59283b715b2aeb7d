#pragma once
// A .gguf file as the folder that it was made from: its values as a config.json, its tensors under the names that
// families ask for, its vocabulary. So a family is read in one way, whatever its weights came in.

#include "core/model/tokenizer.h"
#include "core/model/weight_files.h"

#include <nlohmann/json.hpp>

#include <string>

namespace attnscope {

struct GgufModel {
    nlohmann::json config;
    WeightFiles weights;
    Result<std::shared_ptr<const Tokenizer>> tokenizer;
};

/// One file, or any of those that a model was split into ("...-00002-of-00003.gguf"): the others lie beside it. Errors:
/// those of MappedTensors::open, DataError (a value), Unavailable (an architecture that is not run).
Result<GgufModel> openGguf(const std::string& path);

/// Does a file begin as GGUF does? Its name may be anything: Ollama's files are named by their checksum.
bool isGgufFile(const std::string& path);

}  // namespace attnscope
