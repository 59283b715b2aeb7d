#pragma once
// The compute shaders of resources/shaders, compiled.

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace attnscope::gpu {

struct Programs {
    unsigned products = 0, statistics = 0, pixels = 0;  ///< live as long as their context
    /// Errors: Unavailable, with the first line of the driver's complaint.
    static Result<Programs> compile();
};

/// One compute shader with the sizes and rows.glsl before it.
Result<unsigned> compileShader(std::string_view name, std::string_view source);

}  // namespace attnscope::gpu
