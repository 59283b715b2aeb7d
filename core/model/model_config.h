#pragma once
// config.json as Hugging Face's folders have it, read into an Architecture. Fields that are absent take the defaults
// that the family's published configuration class gives them. What a config asks for and is not run here is an error
// that names it; fields that are not known at all are listed, so that a reader can judge.

#include "core/base/error.h"
#include "core/model/architecture.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct ModelConfig {
    Architecture architecture;
    std::vector<std::string> unknown;  ///< fields that nobody here knows
    std::vector<std::string> remarks;  ///< what cannot be meant as it is written, and what was done about it
};

/// Sizes are bounded: 1 024 layers, width 65 536, 1 024 heads of size 1 024, 4 million tokens.
/// Errors: InvalidHeader (no JSON), InvalidArgument (a field), Unavailable (an architecture or a variant that is not
/// run).
Result<ModelConfig> readModelConfig(std::string_view json, const std::string& path);

}  // namespace attnscope
