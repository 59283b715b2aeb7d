#include "core/rows/rows.h"

#include "core/attention/masks.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnscope {

std::string labelOf(const RowSet& rows)
{
    if (rows.kind == RowSet::Kind::SeeingAboutN)
        return "rows that see about n keys";
    return rows.last == 0 ? "all rows" : rows.last == 1 ? "last row" : fmt::format("last {} rows", rows.last);
}

std::int64_t queriesWithin(std::int64_t queries, std::int64_t keys, const Choice& mask, std::int64_t n)
{
    const bool otherSequence = queries != keys && !looksAtPositions(mask);
    return otherSequence ? queries : std::clamp<std::int64_t>(n - (keys - queries), 0, queries);
}

std::int64_t queriesWithin(const AttentionHead& head, std::int64_t n)
{
    if (!head.positions.empty())
        return std::lower_bound(head.positions.begin(), head.positions.end(), n) - head.positions.begin();
    return queriesWithin(head.queryCount(), head.keyCount, head.mask, n);
}

RowSpan rowsOf(const AttentionHead& head, const RowSet& rows, std::int64_t n)
{
    const std::int64_t end = queriesWithin(head, n);
    if (rows.kind == RowSet::Kind::SeeingAboutN && looksAtPositions(head.mask))
        return {queriesWithin(head, fewestKeys(rows.kind, n) - 1), end};
    return {std::max<std::int64_t>(0, rows.last > 0 ? end - rows.last : 0), end};
}

Result<std::vector<RowSummary>> summariesOf(const AttentionHead& head, const Choice& normaliser, const Engine& engine,
                                            std::int64_t n, std::int64_t first, std::vector<double> scale,
                                            const std::stop_token& stop)
{
    SummaryRequest request{.normaliser = normaliser, .passes = {}};
    const std::int64_t end = first + std::ssize(scale);
    request.passes.push_back({.prefix = n, .firstRow = first, .lastRow = end, .scale = std::move(scale)});
    return engine.summarise(head, request, stop).map([](std::vector<std::vector<RowSummary>> passes) {
        return std::move(passes.front());
    });
}

namespace {

/// The value that so large a share of them is below, linear between neighbours.
double quantile(std::span<double> values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), below, values.end());
    const double part = place - std::floor(place);
    return part > 0 ? std::lerp(*below, *std::min_element(below + 1, values.end()), part) : *below;
}

}  // namespace

RowMean rowMean(std::vector<double> values)
{
    const SampleMean sample = sampleMean(values);
    RowMean found{.count = sample.count, .mean = sample.mean, .deviation = {}};
    if (values.size() > 1) {
        constexpr double outside = 0.1;  // below, and as much above
        found.deviation = *sample.standardError * std::sqrt(static_cast<double>(sample.count));
        found.low = quantile(values, outside);
        found.high = quantile(values, 1 - outside);
    }
    return found;
}

RowMean meanOverRows(std::span<const RowSummary> rows,
                     const std::function<std::optional<double>(const RowSummary&)>& value)
{
    std::vector<double> values;
    for (const RowSummary& row : rows)
        if (const std::optional<double> known = value(row))
            values.push_back(*known);
    return rowMean(std::move(values));
}

namespace {

template <class Counts>
RowMean meanOf(std::span<const RowSummary> rows, const BoundMeasure& measure, Counts counts)
{
    std::vector<double> values, logs;
    for (const RowSummary& row : rows)
        if (const std::optional<double> value = measure(row); value && counts(*value))
            values.push_back(*value);
    if (measure.measure->geometric)
        std::ranges::transform(values, std::back_inserter(logs), [](double value) { return std::log(value); });
    RowMean found = rowMean(std::move(values));
    if (measure.measure->geometric)
        found.mean = std::exp(sampleMean(logs).mean);
    return found;
}

}  // namespace

RowMean meanOverRows(std::span<const RowSummary> rows, const BoundMeasure& measure)
{
    return meanOf(rows, measure, [](double) { return true; });
}

RowMean finiteMean(std::span<const RowSummary> rows, const BoundMeasure& measure)
{
    return meanOf(rows, measure, [](double value) { return std::isfinite(value); });
}

RowMean entropyMean(std::span<const RowSummary> rows)
{
    static const BoundMeasure shannon = *bindMeasure({"shannon", {}, {}});
    return finiteMean(rows, shannon);
}

}  // namespace attnscope
