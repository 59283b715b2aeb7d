#pragma once
// Positions and a factor as fields of transformers' configs.

#include "core/tuning/exports/one_scale.h"

#include <nlohmann/json.hpp>

namespace attnscope {

struct HfPositions {
    double base = 10000;
    nlohmann::ordered_json stretch = nlohmann::ordered_json::object();  ///< rope_type and its fields; empty: none
    nlohmann::ordered_json beside = nlohmann::ordered_json::object();   ///< fields beside them
    std::vector<std::string> notes = {};                                ///< on what these fields cannot say
};

/// Errors: Unavailable where no field says them.
Result<HfPositions> hfPositions(const ExportSource& source, const OneScale& one);

/// What the file's own stretch says; null: nothing.
nlohmann::ordered_json ownStretch(const Architecture& architecture);

/// Fields of positions at the level of config.json where the model's own stand: of a model of texts and pictures in its
/// part for texts, which alone is asked for them.
nlohmann::ordered_json asInFile(nlohmann::ordered_json fields, const Architecture& architecture);

/// Of the file's own stretch what is none of it and no other takes away: a temperature that stands among the positions,
/// with the length that it counts from.
nlohmann::ordered_json keptFields(const Architecture& architecture);

/// Has the model its own temperature under these fields still? It counts from the length that YaRN takes for its own.
/// Errors: Unavailable.
Result<void> checkTemperature(const nlohmann::ordered_json& stretch, const Architecture& architecture);

}  // namespace attnscope
