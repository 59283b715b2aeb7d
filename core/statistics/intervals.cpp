#include "core/statistics/intervals.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace attnscope {

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

}  // namespace attnscope
