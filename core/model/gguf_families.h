#pragma once
// What .gguf files of each architecture hold, as folders in Hugging Face's layout have it: values as a config.json, and
// tensors by name. An architecture is a part of its family's row (families/families.h).

#include "core/model/gguf_names.h"
#include "core/model/weight_files.h"
#include "core/tensor/gguf.h"
#include "core/tensor/tensor_file.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace attnscope {

class GgufConfigMaker;

struct GgufFamily {
    std::string_view id = {};  ///< general.architecture; empty: the family has no such files
    /// Null: the family's files are among those of another, whose function says this model_type.
    void (*config)(GgufConfigMaker&) = nullptr;
    GgufPairs first = {};  ///< in place of those of `names` that folders call the same
    GgufNames names = ggufNames::llama;
    bool normsFromOne = false;          ///< norms are stored as 1 + w
    bool inputsFirstInFolders = false;  ///< and last here
    std::string_view modelType = {};    ///< config.json's, the family's, unless `config` says another
};
/// Those with a `config`, in the order of families().
std::span<const GgufFamily> ggufFamilies();
/// general.architecture of files with models of this model_type; empty where none is known.
std::string_view ggufNameOf(std::string_view modelType);

/// A file's values as a config.json; `files` are those that the model was split into. Errors: DataError (a value that
/// is missing or wrong).
Result<nlohmann::json> configOf(const GgufFamily& family, const GgufHeader& header,
                                std::span<const MappedTensors> files, const std::string& path);

/// "model.layers.3.self_attn.q_proj.weight" is "blk.3.attn_q.weight", and what every expert has is a part of what all
/// have together; what is not known keeps its name.
InFile placeInGguf(const GgufFamily& family, std::string_view name);

}  // namespace attnscope
