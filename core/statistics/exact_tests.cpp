#include "core/statistics/exact_tests.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace attnscope {

double binomialTail(std::int64_t found, std::int64_t tries, double chance)
{
    if (found <= 0 || tries <= 0)
        return 1;
    if (found > tries)
        return 0;
    const boost::math::binomial law(static_cast<double>(tries), std::clamp(chance, 0.0, 1.0));
    return boost::math::cdf(boost::math::complement(law, static_cast<double>(found - 1)));
}

double signTestOfEqual(std::int64_t count) { return std::min(1.0, std::exp2(1 - static_cast<double>(count))); }

std::optional<double> errorOfShare(const SampleMean& share)
{
    return share.mean > 0 && share.mean < 1 ? share.standardError : std::nullopt;
}

}  // namespace attnscope
