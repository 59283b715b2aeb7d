#include "core/analysis/monte_carlo.h"

#include "core/attention/normaliser.h"
#include "core/attention/summarise_row.h"
#include "core/base/parallel.h"
#include "core/statistics/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attnscope {

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

Result<void> check(const MonteCarloRequest& request)
{
    if (request.rows < 1)
        return failure(ErrorKind::InvalidArgument, "rows must be at least 1, not {}", request.rows);
    for (const std::int64_t n : request.n)
        if (n < 1 || n > longestSampled)
            return failure(
                ErrorKind::InvalidArgument,
                "Monte Carlo draws every key: n must be from 1 to {}, not {}; the exact estimator takes any n",
                longestSampled, n);
    for (const std::vector<double>& scales : request.lambda) {
        if (scales.size() != request.n.size())
            return failure(ErrorKind::InvalidArgument, "{} lengths but {} scales", request.n.size(), scales.size());
        if (!std::all_of(scales.begin(), scales.end(), [](double scale) { return std::isfinite(scale); }))
            return failure(ErrorKind::InvalidArgument, "a scale is not a finite number");
    }
    return {};
}

/// A request made ready, and what is shared by all rows.
struct Sampler {
    const MonteCarloRequest& request;
    const Normaliser& normaliser;
    Parameters parameters;
    std::optional<BoundMeasure> measure;  ///< empty: the needle's share
    std::int64_t keys;                    ///< of the longestSampled row

    /// The measure of row `row` under every method at every length, into out[method * lengths + length].
    void sample(std::int64_t row, std::span<double> out) const
    {
        const LogitDensity& density = request.density;
        const auto index = static_cast<std::uint64_t>(row);
        std::vector<double> z(static_cast<size_t>(keys)), logits;
        density.law.draw(Random(request.seed, Stream::Logits), index, z);
        const double r = density.drawR(Random(request.seed, Stream::Queries), index);
        for (double& x : z)
            x *= r;
        if (density.needle)
            z.front() = *density.needle;
        for (size_t method = 0; method < request.lambda.size(); ++method)
            for (size_t length = 0; length < request.n.size(); ++length) {
                const double multiplier = request.lambda[method][length] * std::sqrt(density.d);
                logits.assign(z.begin(), z.begin() + request.n[length]);
                for (double& x : logits)
                    x *= multiplier;
                out[method * request.n.size() + length] = measureOf(logits);
            }
    }

    double measureOf(std::span<const double> logits) const
    {
        const auto n = static_cast<std::int64_t>(logits.size());
        const RowSummary summary =
            summariseRow(logits, {0, 0, n}, n - 1, normaliser, parameters, measure ? measure->extras : SummaryExtras{});
        if (measure)
            return (*measure)(summary).value_or(absent);
        return summary.mass > 0 ? normaliser.weight(logits.front(), summary.state, parameters) / summary.mass : absent;
    }
};

/// `geometric`: of values above 0.
DrawnMean meanOf(const std::vector<double>& values, size_t from, size_t stride, bool geometric)
{
    std::vector<double> there;
    for (size_t at = from; at < values.size(); at += stride)
        if (!std::isnan(values[at]))
            there.push_back(geometric ? std::log(values[at]) : values[at]);
    double sum = 0, squares = 0, largest = 0;  // in parts of the largest: squares of tiny values are 0
    for (const double value : there)
        largest = std::max(largest, std::abs(value));
    for (const double value : there) {
        const double part = largest > 0 ? std::abs(value) / largest : 0;
        sum += part;
        squares += part * part;
    }
    SampleMean mean = sampleMean(there);
    if (geometric) {
        mean.mean = std::exp(mean.mean);
        if (mean.standardError)
            *mean.standardError *= mean.mean;  // to first order
    }
    return {mean, squares > 0 ? sum * sum / squares : 0};
}

}  // namespace

Result<std::vector<std::vector<DrawnMean>>> monteCarlo(const MonteCarloRequest& request, std::stop_token stop)
{
    TRY(check(request));
    const Normaliser* normaliser = TRY(findRow(normalisers(), request.normaliser.id, "normaliser"));
    TRY(validate(*normaliser, request.normaliser));
    std::optional<BoundMeasure> measure;
    if (!isOfNeedle(request.measure)) {
        measure = TRY(bindMeasure(request.measure));
    } else if (!request.density.needle) {
        return failure(ErrorKind::InvalidArgument, "the measure 'needle' needs a source with a needle");
    }

    const size_t cells = request.lambda.size() * request.n.size();
    std::vector<std::vector<DrawnMean>> means(request.lambda.size());
    if (cells == 0)
        return means;
    const Sampler sampler{request, *normaliser, Parameters(*normaliser, request.normaliser), measure,
                          *std::max_element(request.n.begin(), request.n.end())};
    std::vector<double> values(cells * static_cast<size_t>(request.rows));  // [row][method][length]
    const auto draw = [&](std::int64_t row) {
        if (!stop.stop_requested())
            sampler.sample(static_cast<int>(row), std::span(values).subspan(static_cast<size_t>(row) * cells, cells));
    };
    if (request.parallel)
        forEachInParallel(request.rows, 8, draw);
    else
        for (int row = 0; row < request.rows; ++row)
            draw(row);
    TRY(unlessStopped(stop));

    for (size_t method = 0; method < request.lambda.size(); ++method)
        for (size_t length = 0; length < request.n.size(); ++length)
            means[method].push_back(
                meanOf(values, method * request.n.size() + length, cells, measure && measure->measure->geometric));
    return means;
}

}  // namespace attnscope
