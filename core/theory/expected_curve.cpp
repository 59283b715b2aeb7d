#include "core/base/parallel.h"
#include "core/theory/entropy_panels.h"
#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Result<const ExpectedMeasure*> usable(const Choice& measure, int d, std::span<const double> n,
                                      std::span<const double> lambda)
{
    const ExpectedMeasure* row = TRY(findRow(expectedMeasures(), measure.id, "measure with an exact expectation"));
    TRY(validate(*row, measure));
    if (n.size() != lambda.size())
        return failure(ErrorKind::InvalidArgument, "{} lengths but {} scales", n.size(), lambda.size());
    for (const double length : n)
        TRY(checkLengthInTheory(length));
    for (const double scale : lambda)
        if (!(std::abs(scale) * std::sqrt(d) <= largestMultiplier))
            return failure(ErrorKind::InvalidArgument, "the scale lambda must be at most {} at d = {}, not {}",
                           formatNumber(largestMultiplier / std::sqrt(d), 3), d, formatNumber(scale));
    return row;
}

/// The lengths of one lambda, from one set of tables.
void fillGroup(const ExpectedMeasure& measure, const Parameters& parameters, const LogitDensity& density, double lambda,
               const std::vector<size_t>& group, std::span<const double> n, std::vector<double>& out,
               const std::stop_token& stop)
{
    std::vector<double> lengths;
    for (const size_t k : group)
        lengths.push_back(n[k]);
    const auto [first, last] = std::minmax_element(lengths.begin(), lengths.end());
    const ExpectedRow row(density, lambda, *first, *last, {}, stop);
    if (stop.stop_requested())
        return;
    const std::vector<double> values =
        measure.values ? measure.values(row, lengths, parameters) : std::vector<double>{};
    for (size_t k = 0; k < group.size(); ++k)
        out[group[k]] = measure.values ? values[k] : measure.ofEntropy(row.entropy(lengths[k]), lengths[k]);
}

}  // namespace

Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                          std::span<const double> lambda, std::stop_token stop)
{
    const ExpectedMeasure* row = TRY(usable(measure, density.d, n, lambda));
    std::vector<double> out;
    if (row->ofEntropy && !density.needle) {
        out = expectedEntropies(density, n, lambda, stop);
        std::transform(out.begin(), out.end(), n.begin(), out.begin(), row->ofEntropy);
    } else {
        out.resize(n.size());
        const Parameters parameters(*row, measure);
        const std::vector<std::vector<size_t>> groups = indicesOfEqual(lambda);
        forEachInParallel(static_cast<std::int64_t>(groups.size()), 1, [&](std::int64_t k) {
            const std::vector<size_t>& group = groups[static_cast<size_t>(k)];
            if (!stop.stop_requested())
                fillGroup(*row, parameters, density, lambda[group.front()], group, n, out, stop);
        });
    }
    TRY(unlessStopped(stop));
    return out;
}

Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                          double lambda)
{
    return expectedCurve(measure, density, n, std::vector<double>(n.size(), lambda));
}

}  // namespace attnscope
