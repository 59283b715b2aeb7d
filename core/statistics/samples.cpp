#include "core/statistics/samples.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <numeric>
#include <vector>

namespace attnscope {

SampleMean sampleMean(std::span<const double> values)
{
    const auto count = static_cast<double>(values.size());
    SampleMean sample{std::accumulate(values.begin(), values.end(), 0.0) / count, {}};
    double squares = 0;
    for (const double value : values)
        squares += (value - sample.mean) * (value - sample.mean);
    if (values.size() > 1)
        sample.standardError = std::sqrt(squares / (count - 1) / count);
    return sample;
}

double pairedTTest(std::span<const double> values, std::span<const double> others)
{
    std::vector<double> differences;
    for (std::size_t i = 0; i < values.size(); ++i)
        differences.push_back(values[i] - others[i]);
    const SampleMean difference = sampleMean(differences);
    if (!difference.standardError || (difference.mean == 0 && *difference.standardError == 0))
        return 1;
    if (*difference.standardError == 0)
        return 0;
    const boost::math::students_t law(static_cast<double>(values.size()) - 1);
    return 2 * boost::math::cdf(boost::math::complement(law, std::abs(difference.mean) / *difference.standardError));
}

}  // namespace attnscope
