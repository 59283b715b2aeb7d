#pragma once
// A scenario, and what changed between two, in a few words for a person: "n 512 → 2048", "+ InfoScale", "− Vanilla".
// What only says which part is looked at (row, region, measure) and the engine are left out.

#include "core/analysis/scenario.h"

#include <string>
#include <vector>

namespace attnscope {

/// Empty where both ask for the same weights.
std::vector<std::string> scenarioDifferences(const Scenario& from, const Scenario& to);

/// What it is about: the source and the length. "Local, n = 1024".
std::string scenarioSubject(const Scenario& scenario);

}  // namespace attnscope
