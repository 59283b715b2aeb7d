#include "core/theory/entropy_scale.h"
#include "core/base/parallel.h"

#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <boost/math/tools/toms748_solve.hpp>

namespace attnscope {

namespace {

Result<double> targetEntropy(const LogitDensity& density, double nTrain, double tau)
{
    TRY(checkLengthInTheory(nTrain, "N"));
    if (!(tau >= 1 / largestMultiplier))
        return failure(ErrorKind::InvalidArgument, "the temperature must be {} or more, not {}",
                       formatNumber(1 / largestMultiplier), formatNumber(tau));
    return expectedEntropy(density, nTrain, 1 / (tau * std::sqrt(density.d)));
}

/// The root at N, whether another lies beside it or not: of one key there is no other entropy.
Result<double> usualScale(const LogitDensity& density, double tau) { return 1 / (tau * std::sqrt(density.d)); }

Error unreachable(double n, double entropy)
{
    return {ErrorKind::Undefined, "no scale reaches that entropy: " + formatNumber(entropy, 6) +
                                      " nats are more than ln " + formatNumber(n, 6) + " = " +
                                      formatNumber(std::log(n), 6)};
}

}  // namespace

Result<double> scaleOfEntropy(const LogitDensity& density, double n, double entropy)
{
    TRY(checkLengthInTheory(n));
    const double excess = std::log(n) - entropy;
    if (!(excess > 1e-12))
        return tl::unexpected<Error>(unreachable(n, entropy));

    const auto above = [&](double lambda) { return expectedEntropy(density, n, lambda) - entropy; };
    // The mean field, ln n - variance lambda^2 / 2, is close below the freezing line, and its slope says how far to
    // step so that the root lies between.
    const double needle = density.needle.value_or(0);
    const double ofKeys = density.variance() > 0 ? density.variance() : needle * needle * (n - 1) / (n * n);
    const double variance = ofKeys * density.d;
    const double largest = largestMultiplier / std::sqrt(density.d);
    if (!(entropy > 0 && variance > 0))
        return failure(ErrorKind::Undefined,
                       "no scale reaches that entropy: {} nats are less than a row over {} keys can have",
                       formatNumber(entropy, 6), formatNumber(n, 6));
    double low = 0, aboveLow = excess, high = std::min(std::sqrt(2 * excess / variance), largest),
           aboveHigh = above(high);
    double step = 2 * std::abs(aboveHigh) / (variance * high) + 1e-9 * high;
    if (aboveHigh <= 0 && step < high) {
        const double below = high - step, aboveBelow = above(below);
        (aboveBelow > 0 ? low : high) = below;
        (aboveBelow > 0 ? aboveLow : aboveHigh) = aboveBelow;
    }
    for (; aboveHigh > 0; step *= 2) {
        if (high >= largest)
            return failure(ErrorKind::Undefined,
                           "no scale up to the largest worked out, lambda = {}, reaches that entropy: {} nats are less "
                           "than the {} that a row over {} keys has there",
                           formatNumber(largest, 4), formatNumber(entropy, 6), formatNumber(entropy + aboveHigh, 6),
                           formatNumber(n, 6));
        low = high;
        aboveLow = aboveHigh;
        high = std::min(high + std::min(step, high), largest);
        aboveHigh = above(high);
    }
    const auto close = [](double a, double b) { return std::abs(b - a) <= 1e-10 * std::abs(b); };
    std::uintmax_t iterations = 60;
    const auto [left, right] =
        boost::math::tools::toms748_solve(above, low, high, aboveLow, aboveHigh, close, iterations);
    return (left + right) / 2;
}

Result<double> entropyInvariantScale(const LogitDensity& density, double n, double nTrain, double tau)
{
    return targetEntropy(density, nTrain, tau).and_then([&](double target) {
        return n == nTrain ? usualScale(density, tau) : scaleOfEntropy(density, n, target);
    });
}

std::vector<Result<double>> entropyInvariantScales(const LogitDensity& density, std::span<const double> n,
                                                   double nTrain, double tau)
{
    const Result<double> target = targetEntropy(density, nTrain, tau);
    std::vector<Result<double>> scales(n.size(), Result<double>(0));
    forEachInParallel(static_cast<std::int64_t>(n.size()), 1, [&](std::int64_t k) {
        const double length = n[static_cast<size_t>(k)];
        scales[static_cast<size_t>(k)] = target.and_then([&](double entropy) {
            return length == nTrain ? usualScale(density, tau) : scaleOfEntropy(density, length, entropy);
        });
    });
    return scales;
}

namespace {

/// The scale where a measure is `value`, which falls as the scale grows (direction -1) or rises (1).
Result<double> scaleWhere(const std::function<double(double lambda)>& measure, int direction, double value,
                          double usual, double largest)
{
    const auto outside = [&](double lambda, bool most) {
        const std::string upTo =
            lambda < usual ? std::string() : " up to the largest worked out, lambda = " + formatNumber(lambda, 4) + ",";
        return failure(ErrorKind::Undefined, "no scale{} reaches {}: of so many keys it is {} {}", upTo,
                       formatNumber(value, 6), most ? "at most" : "at least", formatNumber(measure(lambda), 6));
    };
    const auto above = [&](double lambda) { return -direction * (measure(lambda) - value); };
    double low = usual, high = usual, aboveLow = above(low), aboveHigh = aboveLow;
    if (aboveLow == 0)
        return usual;
    while (aboveLow <= 0) {
        if (low < 1e-9 * usual)
            return outside(low, direction < 0);
        low /= 4;
        aboveLow = above(low);
    }
    while (aboveHigh > 0) {
        if (high >= largest)
            return outside(high, direction > 0);
        high = std::min(2 * high, largest);
        aboveHigh = above(high);
    }
    const auto close = [](double a, double b) { return std::abs(b - a) <= 1e-10 * std::abs(b); };
    std::uintmax_t iterations = 100;
    const auto [left, right] =
        boost::math::tools::toms748_solve(above, low, high, aboveLow, aboveHigh, close, iterations);
    return (left + right) / 2;
}

}  // namespace

Result<KeptMeasure> scalesKeeping(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                  double nTrain, double tau)
{
    const ExpectedMeasure* row = TRY(findRow(expectedMeasures(), measure.id, "measure with an exact expectation"));
    if (row->direction == 0) {
        std::vector<std::string> kept;
        for (const ExpectedMeasure& one : expectedMeasures())
            if (one.direction != 0)
                kept.push_back(one.id);
        return failure(ErrorKind::InvalidArgument,
                       "{} is not sure to have one value at one scale alone; keep one that a sharper row always lowers "
                       "or always raises: {}",
                       measure.id, joined(kept, ", "));
    }
    TRY(targetEntropy(density, nTrain, tau));  // N and tau are good
    const double usual = 1 / (tau * std::sqrt(density.d)), lengths[] = {nTrain};
    const auto valueAt = [&](double length, double lambda) {
        return expectedCurve(measure, density, std::span(&length, 1), lambda)
            .map([](const std::vector<double>& values) { return values.front(); });
    };
    KeptMeasure kept{.target = TRY(valueAt(lengths[0], usual)),
                     .scales = std::vector<Result<double>>(n.size(), Result<double>(0)),
                     .values = std::vector<std::optional<double>>(n.size())};
    std::vector<Result<double>> firsts;  // of a length that cannot be its error
    for (const double length : n)
        firsts.push_back(valueAt(length, usual));
    forEachInParallel(std::ssize(n), 1, [&](std::int64_t k) {
        const auto i = static_cast<size_t>(k);
        const auto there = [&](double lambda) { return valueAt(n[i], lambda).value_or(std::nan("")); };
        kept.scales[i] = firsts[i].and_then([&](double) {
            return scaleWhere(there, row->direction, kept.target, usual,
                              (1 - 1e-12) * largestMultiplier / std::sqrt(density.d));
        });
        if (kept.scales[i])
            kept.values[i] = there(*kept.scales[i]);
    });
    return kept;
}

Result<EntropyScale> EntropyScale::make(const LogitDensity& density, double nTrain, double nMax, double tau)
{
    const double target = TRY(targetEntropy(density, nTrain, tau));
    TRY(checkLengthInTheory(nMax));
    if (!(std::log(nMax) - target > 1e-12))
        return tl::unexpected<Error>(unreachable(nMax, target));

    EntropyScale scale;
    scale.m_target = target;
    scale.m_nMax = nMax;
    scale.m_xiMax = std::sqrt(std::log(nMax) - target);

    // lambda / xi is smooth on [0, xiMax]; its Chebyshev coefficients from the values at the first-kind points
    constexpr int count = 32;
    std::vector<double> values(count);
    for (int k = 0; k < count; ++k) {
        const double xi = scale.m_xiMax * (1 + std::cos(std::numbers::pi * (k + 0.5) / count)) / 2;
        const double lambda = TRY(scaleOfEntropy(density, std::exp(target + xi * xi), target));
        values[static_cast<size_t>(k)] = lambda / xi;
    }
    for (int order = 0; order < count; ++order) {
        double sum = 0;
        for (int k = 0; k < count; ++k)
            sum += values[static_cast<size_t>(k)] * std::cos(std::numbers::pi * order * (k + 0.5) / count);
        scale.m_series.push_back((order == 0 ? 1.0 : 2.0) / count * sum);
    }
    const double size = std::abs(scale.m_series.front());
    for (int order = count - 4; order < count; ++order)
        scale.m_error = std::max(scale.m_error, 4 * std::abs(scale.m_series[static_cast<size_t>(order)]) / size);
    return scale;
}

Result<double> EntropyScale::operator()(double n) const
{
    if (!(n >= 1 && n <= m_nMax * (1 + 1e-12)))
        return failure(ErrorKind::InvalidArgument, "n must be from 1 to {}, not {}", formatNumber(m_nMax),
                       formatNumber(n));
    const double excess = std::log(n) - m_target;
    if (!(excess > 0))
        return tl::unexpected<Error>(unreachable(n, m_target));
    const double xi = std::sqrt(excess), t = 2 * xi / m_xiMax - 1;
    double b1 = 0, b2 = 0;  // Clenshaw
    for (size_t k = m_series.size() - 1; k > 0; --k) {
        const double b = 2 * t * b1 - b2 + m_series[k];
        b2 = b1;
        b1 = b;
    }
    return xi * (t * b1 - b2 + m_series[0]);
}

}  // namespace attnscope
