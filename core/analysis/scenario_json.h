#pragma once
// A Scenario as JSON, for sessions and for the recipes of figures. Choices are texts in the command line's grammar
// ("softmax_plus:B=64"). toJson writes every field but view.table, which is no part of a file; fromJson takes those
// that are there, so that a recipe names only what matters, and refuses what it does not know. fromJson(toJson(s)) == s
// for every scenario whose choices are valid.

#include "core/analysis/scenario.h"
#include "core/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

class ObjectReader;
class ObjectWriter;

/// In version 1 a parameter that follows N had its default where it was not given.
inline constexpr int scenarioVersion = 2;

nlohmann::json toJson(const Scenario& scenario);

/// `path` begins the names of fields in messages. Errors: InvalidArgument, UnknownName, UnknownFormat (a later
/// version).
Result<Scenario> scenarioFromJson(const nlohmann::json& json, const std::string& path = "scenario");

/// Its fields, as part of something else.
void scenarioFields(ObjectReader& reader, Scenario& scenario);
void scenarioFields(ObjectWriter& writer, const Scenario& scenario);

/// One line to pass on: the fields that differ from the defaults.
/// {"methods":["vanilla","infoscale"],"n":2048,"version":2}
std::string scenarioLine(const Scenario& scenario);
/// Errors: InvalidHeader (no JSON), and those of scenarioFromJson.
Result<Scenario> scenarioFromLine(std::string_view line);

}  // namespace attnscope
