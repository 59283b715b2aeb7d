#pragma once
// What each stage of analyse() depends on, as a Scenario with every other field at its default. If a stage reads a field
// that its key drops, it will show stale pictures: change both together.

#include "core/analysis/scenario.h"

namespace attnscope {

/// Queries and keys: source, file, n, d, seed; the mask too, since it decides which queries belong to the first n tokens.
Scenario sourceKey(const Scenario& scenario);

/// ... and head, kernel, positions, soft-cap.
Scenario headKey(const Scenario& scenario);

/// ... and normaliser, N, temperature, engine, what rows are looked at, the order of the measure, and one method.
Scenario rowsKey(const Scenario& scenario, const Choice& method);

/// ... and the region of the heatmap and how it is pooled.
Scenario mapKey(const Scenario& scenario, const Choice& method);

/// The lengths of the curve in place of n, for the sample and for a method.
Scenario curveHeadKey(const Scenario& scenario);
Scenario curveKey(const Scenario& scenario, const Choice& method);

/// What theory depends on: as curveKey, the measure too, and not the seed.
Scenario theoryKey(const Scenario& scenario, const Choice& method);

}  // namespace attnscope
