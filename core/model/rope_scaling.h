#pragma once
// Rotary positions as config.json writes them: a base, and perhaps a `rope_scaling` (newer files: `rope_parameters`)
// that stretches them. What the registry of positions has is read; the rest is refused by name.

#include "core/base/choice.h"
#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace attnscope {

struct RopeScaling {
    double base = 10000;
    int dims = 0;                  ///< coordinates of a head that turn
    std::int64_t trainLength = 0;  ///< in: what the config promises; out: what came before the stretch
    bool whole = true;             ///< all coordinates of a head turn
    std::string scheme = "rope";   ///< id of the registry
    double s = 1, betaFast = 32, betaSlow = 1;
    bool byIndex = false;
    double logitFactor = 1;  ///< of YaRN: its factor on q and on k, squared

    Choice position() const;
};

/// `null`, {"rope_type": "default"}, "linear" (pi), "llama3" and "yarn" (yarn_rope). Errors: InvalidArgument, and
/// Unavailable for the others.
Result<void> readRopeScaling(const nlohmann::json& given, const std::string& path, RopeScaling& scaling);

}  // namespace attnscope
