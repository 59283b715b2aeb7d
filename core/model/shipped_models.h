#pragma once
// The models that come with the program, each a small network that a lab of its own trained: resources/models/README.md
// has the commands that make them again. Wherever a model's folder can be named they go by their ids.

#include "core/base/embedded.h"
#include "core/model/probe_task.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

struct ShippedModel {
    const char* id;
    const char* about;        ///< what it is, as a phrase
    std::int64_t headTokens;  ///< tokens on which its heads are looked at (shipped_heads.h): 4 N, and where no angle
                              ///< beyond N is new 16 N
    Embedded (*config)() = nullptr;
    Embedded (*weights)() = nullptr;
    Embedded (*tokenizer)() = nullptr;
    std::optional<ProbeTask> asked = {};  ///< the only thing that it can be (Model::says); nothing: any text
};
std::span<const ShippedModel> shippedModels();

/// Null for any other name.
const ShippedModel* findShippedModel(std::string_view id);

/// The one that a path means: null too where a file or a folder has its name, which comes first.
const ShippedModel* shippedModelAt(const std::string& path);

/// The one that is taken where none is named: a Llama of generated stories, trained by the lab causal-lm.
constexpr const char* shippedModel = "stories";

}  // namespace attnscope
