#include "core/statistics/intervals.h"

#include <boost/math/distributions/students_t.hpp>

namespace attnscope {

std::optional<double> halfInterval(const SampleMean& mean, double probability)
{
    if (!mean.standardError)
        return {};
    const boost::math::students_t law(static_cast<double>(mean.count) - 1);
    return boost::math::quantile(boost::math::complement(law, (1 - probability) / 2)) * *mean.standardError;
}

}  // namespace attnscope
