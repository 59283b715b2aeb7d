#pragma once
// A .gguf file as the folder that it was made from: its values as a config.json, its tensors under the names that
// families ask for, its vocabulary. So a family is read in one way, whatever its weights came in.

#include "core/model/tokenizer.h"
#include "core/model/weight_files.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct GgufModel {
    nlohmann::json config;
    WeightFiles weights;
    /// Made when it is asked for: of the vocabularies of today that takes longer than all the rest.
    std::function<Result<std::shared_ptr<const Tokenizer>>()> tokenizer;
};

/// One file, or any of those that a model was split into ("...-00002-of-00003.gguf"): the others lie beside it. Errors:
/// those of MappedTensors::open, DataError (a value), Unavailable (an architecture that is not run).
Result<GgufModel> openGguf(const std::string& path);

/// The files of a split model, its first first, by the name of any of them; of another file itself. Errors: DataError
/// (more than there can be).
Result<std::vector<std::string>> partsOfGguf(const std::string& path);

/// The values of general.architecture that are run.
std::vector<std::string_view> ggufArchitectures();

/// Does a file begin as GGUF does? Its name may be anything: Ollama's files are named by their checksum.
bool isGgufFile(const std::string& path);

}  // namespace attnscope
