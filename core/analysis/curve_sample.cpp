#include "core/analysis/curve_sample.h"

#include "core/analysis/length_statistics.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/base/length_list.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>
#include <bit>
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
    if (scenario.view.rows == CountedRows::All && looksAtPositions(scenario.attention.mask))
        return false;
    const SyntheticSource* source = syntheticOf(scenario);
    return source && !source->hasOrder && !hasPositions(scenario.attention.position) &&
           seesAllOrCausal(scenario.attention.mask);
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

/// In rows of the whole head. Where the rows of other lengths are no more of a kind with these than any, as those of
/// shorter ones among all rows, which see less, those that are wanted are the range's.
RowRange wantedRows(const Scenario& scenario, const AttentionHead& whole, Index length)
{
    const Index within = queriesWithin(whole, length), some = rowsAt(length, scenario.view);
    RowRange wanted{length, 0, within};
    const auto spreadOver = [&](Index begin, Index end) {
        const Index count = std::min(some, end - begin);
        for (Index k = 0; k < count; ++k)
            wanted.rows.push_back(begin + (2 * k + 1) * (end - begin) / (2 * count));
    };
    if (anyQuerySeesAll(scenario)) {
        wanted.end = std::min(within, some);
    } else if (looksAtPositions(whole.mask)) {
        if (scenario.view.rows != CountedRows::All)
            wanted.begin = std::max<Index>(0, within - length / 4 - 1);
        spreadOver(wanted.begin, within);
    } else if (!scenario.ofFile()) {
        const auto stride = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>((within + some - 1) / some)));
        for (Index row = stride - 1; row < within; row += stride)
            wanted.rows.push_back(row);
        if (wanted.rows.empty())
            wanted.end = 0;
    }
    return wanted;
}

}  // namespace

bool rowsSeeAboutN(const Scenario& scenario)
{
    return scenario.view.rows != CountedRows::All && !anyQuerySeesAll(scenario) &&
           looksAtPositions(scenario.attention.mask);
}

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
    const std::vector<Index> lengths =
        logSpacedLengths(std::min(scenario.view.curveFirst, last), last, std::max(2, scenario.view.curvePoints));

    std::set<Index> looked;
    for (const Index length : lengths) {
        RowRange wanted = wantedRows(scenario, sample.whole, length);
        if (wanted.rows.empty())
            for (Index row = wanted.begin; row < wanted.end; ++row)
                looked.insert(row);
        looked.insert(wanted.rows.begin(), wanted.rows.end());
        if (wanted.begin < wanted.end)
            sample.ranges.push_back(std::move(wanted));
    }
    const std::vector<Index> rows(looked.begin(), looked.end());
    sample.head = sampleRows(sample.whole, rows);
    const auto placeOf = [&](Index row) { return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin(); };
    for (RowRange& range : sample.ranges) {
        range.begin = placeOf(range.begin);
        range.end = placeOf(range.end);
        if (rowsSeeAboutN(scenario))
            range.rows.clear();  // what other lengths look at among them sees about as much
        for (Index& row : range.rows)
            row = placeOf(row);
    }
    return sample;
}

}  // namespace attnscope
