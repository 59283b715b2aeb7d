#include "core/statistics/samples.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/linear_regression.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace attnscope {

SampleMean sampleMean(std::span<const double> values)
{
    const auto count = static_cast<double>(values.size());
    SampleMean sample{std::ssize(values), std::accumulate(values.begin(), values.end(), 0.0) / count, {}};
    double squares = 0;
    for (const double value : values)
        squares += (value - sample.mean) * (value - sample.mean);
    if (values.size() > 1)
        sample.standardError = std::sqrt(squares / (count - 1) / count);
    return sample;
}

double slopeOf(const std::vector<double>& x, const std::vector<double>& y)
{
    return std::get<1>(boost::math::statistics::simple_ordinary_least_squares(x, y));
}

namespace {

/// `largest` is the size of what the values were worked out of. Nor is there a test of what is not finite.
std::optional<double> tTestOf(std::span<const double> values, double largest)
{
    constexpr double rounding = 1e-14;  // of it: some fifty units in the last place
    const SampleMean found = sampleMean(values);
    if (!std::isfinite(found.mean) || !found.standardError || !std::isfinite(*found.standardError) ||
        *found.standardError <= rounding * largest)
        return {};
    const boost::math::students_t law(static_cast<double>(values.size()) - 1);
    return 2 * boost::math::cdf(boost::math::complement(law, std::abs(found.mean) / *found.standardError));
}

double largestOf(std::span<const double> values)
{
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

std::optional<double> tTest(std::span<const double> values) { return tTestOf(values, largestOf(values)); }

std::optional<double> pairedTTest(std::span<const double> values, std::span<const double> others)
{
    std::vector<double> differences(values.size());
    std::ranges::transform(values, others, differences.begin(), std::minus());
    return tTestOf(differences, std::max(largestOf(values), largestOf(others)));
}

std::optional<double> halfInterval(const SampleMean& mean, double probability)
{
    if (!mean.standardError)
        return {};
    const boost::math::students_t law(static_cast<double>(mean.count) - 1);
    return boost::math::quantile(boost::math::complement(law, (1 - probability) / 2)) * *mean.standardError;
}

std::optional<double> halfIntervalOfOthers(const SampleMean& mean, std::int64_t others, double probability)
{
    const auto half = halfInterval(mean, probability);
    if (!half || others < 1)
        return {};
    return *half * std::sqrt(1 + static_cast<double>(mean.count) / static_cast<double>(others));
}

namespace {

std::vector<std::size_t> ascending(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
    return order;
}

}  // namespace

std::vector<double> benjaminiHochberg(std::span<const double> p)
{
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    double least = 1;
    for (std::size_t place = order.size(); place-- > 0;) {
        const double factor = static_cast<double>(p.size()) / static_cast<double>(place + 1);  // of the largest 1
        least = std::min(least, p[order[place]] * factor);
        adjusted[order[place]] = least;
    }
    return adjusted;
}

std::vector<double> holm(std::span<const double> p)
{
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    double most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        most = std::min(1.0, std::max(most, p[order[place]] * static_cast<double>(p.size() - place)));
        adjusted[order[place]] = most;
    }
    return adjusted;
}

std::string holmInWords(std::size_t tests) { return "Holm-corrected for " + std::to_string(tests) + " comparisons"; }

}  // namespace attnscope
