#include "core/analysis/curve_sample.h"

#include "core/analysis/length_statistics.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/base/length_list.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>
#include <set>

namespace attnscope {

namespace {

using Index = std::int64_t;

/// The synthetic source of the scenario, or null.
const SyntheticSource* syntheticOf(const Scenario& scenario)
{
    return findRow(syntheticSources(), scenario.source.id, "source").value_or(nullptr);
}

/// Where order means nothing and the mask is at most causal, every query may look at all n keys.
bool anyQuerySeesAll(const Scenario& scenario)
{
    const SyntheticSource* source = syntheticOf(scenario);
    return source && !source->hasOrder && !hasPositions(scenario.attention.position) && seesAllOrCausal(scenario.attention.mask);
}

/// Fewer rows of long sequences: their entropies differ less, and the work at each length stays bounded.
Index rowsAt(Index length, const View& view)
{
    constexpr Index pairs = Index(1) << 18;
    return std::clamp<Index>(pairs / length, std::min(8, view.curveRows), view.curveRows);
}

Result<Source> sourceForCurve(const Scenario& scenario)
{
    const SyntheticSource* source = syntheticOf(scenario);
    const bool finished = source && source->finishedLogits;
    const Index keys = finished ? std::min<Index>(scenario.view.curveLast, 4096) : scenario.view.curveLast;
    return openSource(scenario, keys, finished || anyQuerySeesAll(scenario) ? scenario.view.curveRows : keys);
}

/// Rows [begin, end) of the whole head, and how many of them are looked at, evenly spread.
struct Wanted {
    Index begin = 0, end = 0, count = 0;
};

Wanted wantedRows(const Scenario& scenario, const AttentionHead& whole, Index length)
{
    const Index within = queriesWithin(whole, length), some = rowsAt(length, scenario.view);
    if (anyQuerySeesAll(scenario))
        return {0, std::min(within, some), std::min(within, some)};
    if (scenario.ofFile() && !looksAtPositions(whole.mask))
        return {0, within, within};
    const Index begin = std::max<Index>(0, within - length / 4 - 1);
    return {begin, within, std::min(some, within - begin)};
}

}  // namespace

bool rowsSeeAboutN(const Scenario& scenario) { return !anyQuerySeesAll(scenario) && looksAtPositions(scenario.attention.mask); }

Result<CurveSample> sampleForCurve(const Scenario& scenario)
{
    Source source = TRY(sourceForCurve(scenario));
    AttentionSpec spec = scenario.attention;
    if (anyQuerySeesAll(scenario))
        spec.mask = Choice{"full", {}, {}};
    const int index = std::clamp(scenario.tensors.head, 0, source.heads.headCount() - 1);
    AttentionHead whole = TRY(prepareHead(std::move(source.heads), index, spec));
    CurveSample sample{.whole = std::move(whole), .head = {}, .ranges = {}, .needleKey = source.needleKey};
    const Index last = std::min(scenario.view.curveLast, sample.whole.keyCount);
    const std::vector<Index> lengths = logSpacedLengths(std::min(scenario.view.curveFirst, last), last, std::max(2, scenario.view.curvePoints));

    std::set<Index> looked;
    for (const Index length : lengths) {
        const Wanted wanted = wantedRows(scenario, sample.whole, length);
        for (Index k = 0; k < wanted.count; ++k)
            looked.insert(wanted.begin + (2 * k + 1) * (wanted.end - wanted.begin) / (2 * wanted.count));
    }
    const std::vector<Index> rows(looked.begin(), looked.end());
    sample.head = sampleRows(sample.whole, rows);
    const auto placeOf = [&](Index row) { return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin(); };
    for (const Index length : lengths)
        if (const Wanted wanted = wantedRows(scenario, sample.whole, length); wanted.count > 0)
            sample.ranges.push_back({length, placeOf(wanted.begin), placeOf(wanted.end)});
    return sample;
}

}  // namespace attnscope
