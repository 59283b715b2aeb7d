#include "core/analysis/curve_sample.h"

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

/// Rows of the whole head, evenly over the last quarter of the first `length` tokens.
void addLastQuarter(std::set<Index>& rows, const AttentionHead& whole, Index length, Index most)
{
    const Index offset = whole.keyCount - whole.queryCount();  // the position of row 0
    const Index begin = std::max<Index>(0, length - length / 4 - 1 - offset), end = std::min(whole.queryCount(), length - offset);
    const Index count = std::min(most, end - begin);
    for (Index k = 0; k < count; ++k)
        rows.insert(begin + (2 * k + 1) * (end - begin) / (2 * count));
}

}  // namespace

bool looksAtLastQuarter(const Scenario& scenario) { return !anyQuerySeesAll(scenario) && !seesAllKeys(scenario.attention.mask); }

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

    const bool full = seesAllKeys(sample.whole.mask);
    std::set<Index> looked;
    for (const Index length : lengths)
        if (!full)
            addLastQuarter(looked, sample.whole, length, rowsAt(length, scenario.view));
    for (Index row = 0; full && row < sample.whole.queryCount(); ++row)
        looked.insert(row);
    const std::vector<Index> rows(looked.begin(), looked.end());
    sample.head = sampleRows(sample.whole, rows);

    const auto rowOf = [&](Index position) {
        return std::lower_bound(rows.begin(), rows.end(), position - (sample.whole.keyCount - sample.whole.queryCount())) - rows.begin();
    };
    for (const Index length : lengths) {
        const Index all = sample.head.queryCount();
        if (full)
            sample.ranges.push_back({length, 0, scenario.ofFile() ? all : std::min(all, rowsAt(length, scenario.view))});
        else
            sample.ranges.push_back({length, rowOf(length - length / 4 - 1), rowOf(length)});
    }
    std::erase_if(sample.ranges, [](const RowRange& range) { return range.begin >= range.end; });
    return sample;
}

}  // namespace attnscope
