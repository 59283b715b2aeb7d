#include "core/theory/row_mean.h"

#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <boost/math/quadrature/gauss_kronrod.hpp>

namespace attnscope {

Result<CausalMean> meanOverCausalRows(double n, const std::function<Result<double>(double)>& f, double tolerance)
{
    constexpr double exact = 32;
    if (!(n >= 1 && n <= 1e12 && n == std::floor(n)))
        return failure(ErrorKind::InvalidArgument, "n must be a whole number from 1 to 1e12, not " + formatNumber(n));
    std::optional<Error> error;
    const auto value = [&](double i) {
        if (error)
            return 0.0;
        const Result<double> at = f(i);
        if (!at)
            error = at.error();
        return at.value_or(0);
    };

    double sum = 0, deviation = 0;
    for (double i = 1; i <= std::min(n, exact); ++i)
        sum += value(i);
    if (n > exact) {
        // midpoint Euler-Maclaurin: sum_{a+1..b} f = int_{a+1/2}^{b+1/2} f - (f'(b+1/2) - f'(a+1/2)) / 24 + 7/5760 (f''' ...)
        const double a = exact + 0.5, b = n + 0.5;
        const auto inLog = [&](double v) { return value(std::exp(v)) * std::exp(v); };
        sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(inLog, std::log(a), std::log(b), 12, tolerance, &deviation);
        const double slopeAtA = value(exact + 1) - value(exact), slopeAtB = 2 * (value(n) - value(n - 1)) - (value(n - 1) - value(n - 2));
        sum -= (slopeAtB - slopeAtA) / 24;
        deviation += 14.0 / 5760 * std::abs(slopeAtA) / (exact * exact);  // f''' of a multiple of the logarithm
    }
    if (error)
        return tl::unexpected<Error>(*error);
    return CausalMean{sum / n, deviation / n};
}

Result<CausalMean> meanCausalEntropy(const LogitDensity& density, double n, double lambda, double tolerance)
{
    const ExpectedRow row(density, lambda, 1, std::max(n, 1.0) + 1);
    return meanOverCausalRows(n, [&](double i) -> Result<double> { return row.entropy(i); }, tolerance);
}

Result<CausalMean> meanCausalEntropy(const LogitDensity& density, double n, const std::function<Result<double>(double)>& lambda, double tolerance)
{
    return meanOverCausalRows(n, [&](double i) -> Result<double> {
        return lambda(i).map([&](double scale) { return expectedEntropy(density, i, scale); });
    }, tolerance);
}

}  // namespace attnscope
