#pragma once
// Positions and a factor as fields of transformers' configs.

#include "core/tuning/exports/one_scale.h"

#include <nlohmann/json.hpp>

namespace attnscope {

struct HfPositions {
    double base = 10000;
    nlohmann::ordered_json stretch = nlohmann::ordered_json::object();  ///< rope_type and its fields; empty: none
    nlohmann::ordered_json beside = nlohmann::ordered_json::object();   ///< fields beside them
};

/// Errors: Unavailable where no field says them.
Result<HfPositions> hfPositions(const ExportSource& source, const OneScale& one);

/// Of the file's own stretch what is none of it and no other takes away: a temperature that stands among the positions,
/// with the length that it counts from.
nlohmann::ordered_json keptFields(const Architecture& architecture);

}  // namespace attnscope
