#include "core/analysis/curve_sample.h"

#include "core/attention/masks.h"
#include "core/base/length_list.h"
#include "core/rows/rows.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>
#include <bit>
#include <set>

namespace attnscope {

namespace {

using Index = std::int64_t;

/// All rows of short sequences; fewer of long ones: their entropies differ less, and the work at each length stays
/// bounded.
Index rowsAt(Index length, const View& view)
{
    if (length <= curveCountsAllRowsUpTo)
        return length;
    constexpr Index pairs = Index(1) << 18;
    return std::clamp<Index>(pairs / length, std::min(8, view.curveRows), view.curveRows);
}

Result<Source> sourceForCurve(const Scenario& scenario)
{
    const Result<const SyntheticSource*> source = findRow(syntheticSources(), scenario.source.id, "source");
    const bool finished = source && (*source)->finishedLogits;  // of which there are 2^24 at most
    const Index keys = finished ? std::min<Index>(scenario.view.curveLast, 4096) : scenario.view.curveLast;
    return openSource(scenario, keys, keys);
}

/// In rows of the whole head.
RowRange wantedRows(const Scenario& scenario, const AttentionHead& whole, Index length)
{
    const RowSpan span = rowsOf(whole, {scenario.view.rows}, length);
    const Index some = rowsAt(length, scenario.view);
    RowRange wanted{length, span.first, span.end};
    if (looksAtPositions(whole.mask)) {
        const Index count = std::min(some, span.count());
        for (Index k = 0; k < count; ++k)
            wanted.rows.push_back(span.first + (2 * k + 1) * span.count() / (2 * count));
    } else if (!scenario.ofFile()) {
        const auto stride = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>((span.end + some - 1) / some)));
        for (Index row = stride - 1; row < span.end; row += stride)
            wanted.rows.push_back(row);
        if (wanted.rows.empty())
            wanted.end = 0;
    }
    return wanted;
}

}  // namespace

bool looksAtSomeRows(const Scenario& scenario, double length)
{
    const bool differ = looksAtPositions(scenario.attention.mask) || !scenario.ofFile();
    return differ && length > static_cast<double>(curveCountsAllRowsUpTo);
}

bool isOfSomeRows(const Scenario& scenario, double length)
{
    return looksAtSomeRows(scenario, length) && (length != static_cast<double>(scenario.n) || scenario.view.preview);
}

Result<CurveSample> sampleForCurve(const Scenario& scenario)
{
    Source source = TRY(sourceForCurve(scenario));
    const int index = std::clamp(scenario.tensors.head, 0, source.heads.headCount() - 1);
    AttentionHead whole = TRY(prepareHead(std::move(source.heads), index, scenario.attention));
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
        for (Index& row : range.rows)
            row = placeOf(row);
    }
    return sample;
}

}  // namespace attnscope
