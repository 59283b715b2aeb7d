#pragma once
// Rotary positions as config.json writes them: a base, and perhaps a `rope_scaling` (newer files: `rope_parameters`)
// that stretches them. What the registry of positions has is read; the rest is refused by name.

#include "core/base/error.h"
#include "core/model/architecture.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace attnscope {

struct RopeScaling {
    double base = 10000;
    int headSize = 0;
    double part = 1;           ///< of a head's coordinates, the first ones, turns
    bool interleaved = false;  ///< neighbouring pairs; folders in Hugging Face's layout mostly have halves

    std::int64_t largestLength = 0;   ///< what the config promises
    std::int64_t originalLength = 0;  ///< what came before the stretch, where it is known; 0: it is not
    double mscaleAllDim = 0;          ///< out: DeepSeek's field of that name
    double stretch = 1;               ///< out: factor

    int dims() const { return static_cast<int>(headSize * part); }  ///< rounded down, as transformers does
    /// The part of a head that so many of its coordinates are: dims() gives them back.
    static double partOf(int turned, int headSize) { return headSize > turned ? (turned + 0.5) / headSize : 1; }
    std::int64_t trainLength() const { return originalLength > 0 ? originalLength : largestLength; }
};

/// The positions. `given` may be null or absent (nullptr), {"rope_type": "default"}, "linear" (pi), "dynamic" (ntk
/// beyond N), "llama3", "yarn" (both yarn_rope) and "longrope". `also` names further fields that the caller reads.
/// Errors: InvalidArgument, and Unavailable for the others and for fields that are not known.
Result<OwnPosition> readRope(const nlohmann::json* given, const std::string& path, RopeScaling& scaling,
                             const std::vector<std::string>& also = {});

}  // namespace attnscope
