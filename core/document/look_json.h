#pragma once
// The parts of a look that sessions and recipes of figures both hold, as JSON:
//
//   "annotations": [{"chart": "entropy:shannon", "x": 512, "y": 4.2, "right": 2, "up": 1.5, "text": "here it $\\ln n$ grows"}]
//   "zooms": {"entropy:shannon": [x low, x high, y low, y high]}
//   "method_colours": {"infoscale": "#8a3ffc"}

#include "core/base/json_reader.h"
#include "core/document/look.h"

#include <nlohmann/json.hpp>

namespace attnscope {

nlohmann::json toJson(const std::vector<Annotation>& annotations);
nlohmann::json toJson(const std::map<std::string, ChartZoom>& zooms);

/// Each reads the field of this name, if it is there; what is wrong is the reader's failure.
void readAnnotations(ObjectReader& reader, const char* name, std::vector<Annotation>& target);
void readZooms(ObjectReader& reader, const char* name, std::map<std::string, ChartZoom>& target);
void readMethodColours(ObjectReader& reader, const char* name, MethodColours& target);

}  // namespace attnscope
