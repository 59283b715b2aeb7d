#pragma once
// What .gguf files of each architecture hold, as folders in Hugging Face's layout have it: values as a config.json, and
// tensors by name. An architecture is a row in gguf_families.cpp.

#include "core/model/weight_files.h"
#include "core/tensor/gguf.h"
#include "core/tensor/tensor_file.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

class GgufConfigMaker;

struct GgufFamily {
    /// What folders and files call the same tensors, without ".weight" and ".bias".
    using Names = std::span<const std::pair<std::string_view, std::string_view>>;

    std::string_view id;         ///< general.architecture
    std::string_view modelType;  ///< config.json's, unless `config` says another
    void (*config)(GgufConfigMaker&, const TensorFile&);
    std::string_view layers;  ///< what the names of a layer's tensors begin with
    Names around, within;
    Names first = {};                   ///< in place of those of `within` that have the same names
    bool normsFromOne = false;          ///< norms are stored as 1 + w
    bool inputsFirstInFolders = false;  ///< and last here
};
std::span<const GgufFamily> ggufFamilies();
/// general.architecture of files with models of this model_type; empty where none is known.
std::string_view ggufNameOf(std::string_view modelType);

/// A file's values as a config.json; `file` is the first of those that the model was split into, `tensors` are of all
/// of them. Errors: DataError (a value that is missing or wrong).
Result<nlohmann::json> configOf(const GgufFamily& family, const GgufHeader& header,
                                const std::vector<TensorInfo>& tensors, const TensorFile& file,
                                const std::string& path);

/// "model.layers.3.self_attn.q_proj.weight" is "blk.3.attn_q.weight", and what every expert has is a part of what all
/// have together; what is not known keeps its name.
InFile placeInGguf(const GgufFamily& family, std::string_view name);

}  // namespace attnscope
