#pragma once
// The parts of a look that sessions and recipes of figures both hold, as JSON:
//
//   "annotations": [{"chart": "entropy:shannon", "x": 512, "y": 4.2, "right": 2, "up": 1.5,
//                    "text": "here it $\\ln n$ grows"}]
//   "zooms": {"entropy:shannon": [x low, x high, y low, y high]}
//   "method_colours": {"infoscale": "#8a3ffc"}

#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/document/look.h"

#include <nlohmann/json.hpp>

namespace attnscope {

/// The field "annotations".
void annotationsField(ObjectReader& reader, std::vector<Annotation>& annotations);
void annotationsField(ObjectWriter& writer, const std::vector<Annotation>& annotations);

/// The field "zooms".
void zoomsField(ObjectReader& reader, std::map<std::string, ChartZoom>& zooms);
void zoomsField(ObjectWriter& writer, const std::map<std::string, ChartZoom>& zooms);

/// The field "method_colours".
void methodColoursField(ObjectReader& reader, MethodColours& colours);
void methodColoursField(ObjectWriter& writer, const MethodColours& colours);

/// Two of these methods by their names, or, as it was written once, by their places.
void sidesField(ObjectReader& reader, std::string_view key, std::optional<MethodPair>& sides,
                const std::vector<Choice>& methods);
void sidesField(ObjectWriter& writer, std::string_view key, const std::optional<MethodPair>& sides,
                const std::vector<Choice>& methods);

}  // namespace attnscope
