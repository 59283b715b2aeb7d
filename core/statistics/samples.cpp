#include "core/statistics/samples.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/linear_regression.hpp>

#include <algorithm>
#include <cmath>
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

std::optional<double> pairedTTest(std::span<const double> values, std::span<const double> others)
{
    constexpr double rounding = 1e-14;  // of the largest value: some fifty units in the last place
    std::vector<double> differences;
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        differences.push_back(values[i] - others[i]);
        largest = std::max({largest, std::abs(values[i]), std::abs(others[i])});
    }
    const SampleMean difference = sampleMean(differences);
    if (!difference.standardError || *difference.standardError <= rounding * largest)
        return {};
    const boost::math::students_t law(static_cast<double>(values.size()) - 1);
    return 2 * boost::math::cdf(boost::math::complement(law, std::abs(difference.mean) / *difference.standardError));
}

}  // namespace attnscope
