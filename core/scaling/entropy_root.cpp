#include "core/scaling/entropy_root.h"

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>

namespace attnscope {

namespace {

constexpr double largest = 1e6;

}  // namespace

Result<EntropyRoot> entropyRoot(double target, const std::function<Result<double>(double m)>& entropy, double tolerance)
{
    const auto excessAt = [&](double m) { return entropy(m).map([&](double value) { return value - target; }); };
    double low = 0, high = 1;
    Result<double> lowExcess = excessAt(low);
    if (!lowExcess)
        return tl::unexpected(lowExcess.error());
    if (*lowExcess < 0)
        return EntropyRoot{{}, *lowExcess + target};
    Result<double> highExcess = excessAt(high);
    for (; highExcess && *highExcess > 0; highExcess = excessAt(high)) {
        if (high > largest)
            return EntropyRoot{{}, *highExcess + target};
        low = high;
        lowExcess = highExcess;
        high *= 2;
    }
    if (!highExcess)
        return tl::unexpected(highExcess.error());
    if (*highExcess == 0)
        return EntropyRoot{high, target};
    if (*lowExcess == 0)
        return EntropyRoot{low, target};

    Result<double> stopped = 0.0;  // an error ends the search: a zero is what the solver stops at
    const auto excess = [&](double m) {
        const Result<double> at = excessAt(m);
        if (!at)
            stopped = at;
        return at.value_or(0);
    };
    std::uintmax_t steps = 60;
    const auto [a, b] = boost::math::tools::toms748_solve(
        excess, low, high, *lowExcess, *highExcess,
        [&](double x, double y) { return std::abs(x - y) <= tolerance * std::abs(x + y); }, steps);
    if (!stopped)
        return tl::unexpected(stopped.error());
    return EntropyRoot{0.5 * (a + b), target};
}

}  // namespace attnscope
