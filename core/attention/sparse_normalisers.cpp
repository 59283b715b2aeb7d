#include "core/attention/sparse_normalisers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace attnscope {

namespace {

/// (a - 1)(x - max) of the keys that can be in the support, falling from 0. The threshold lies between -1 and 0 on this
/// scale, because the largest weight is at most 1.
std::vector<double> candidates(std::span<const double> logits, double largest, double factor)
{
    std::vector<double> kept;
    for (const double x : logits)
        if (const double s = factor * (x - largest); s > -1)
            kept.push_back(s);
    std::ranges::sort(kept, std::greater());
    return kept;
}

double largestOf(std::span<const double> logits)
{
    double largest = -HUGE_VAL;
    for (const double x : logits)
        largest = x > largest ? x : largest;
    return largest;
}

}  // namespace

NormaliserState solveSparsemax(std::span<const double> logits)
{
    const double largest = largestOf(logits);
    double sum = 0, threshold = -1, count = 0;
    for (const double s :
         candidates(logits, largest, 1)) {  // key k is in the support while 1 + k s_k > s_1 + ... + s_k
        sum += s;
        count += 1;
        if (1 + count * s <= sum)
            break;
        threshold = (sum - 1) / count;
    }
    return {1, threshold, largest};
}

/// With support 1..k the threshold solves sum (s_j - t)^2 = 1: t = mean - sqrt((1 - k var) / k).
NormaliserState solveEntmax15(std::span<const double> logits)
{
    const double largest = largestOf(logits);
    double mean = 0, spread = 0, threshold = -1, count = 0;  // spread = sum (s_j - mean)^2, by Welford's update
    for (const double s : candidates(logits, largest, 0.5)) {
        count += 1;
        const double step = s - mean;
        mean += step / count;
        spread += step * (s - mean);
        const double t = mean - std::sqrt(std::max(0.0, (1 - spread) / count));
        if (t > s)
            break;
        threshold = t;
    }
    return {0.5, threshold, largest};
}

NormaliserState solveEntmax(std::span<const double> logits, double alpha)
{
    const double largest = largestOf(logits), factor = alpha - 1, power = 1 / factor;
    const std::vector<double> kept = candidates(logits, largest, factor);
    double low = -1, high = -std::pow(static_cast<double>(kept.size()), -factor);  // mass >= 1 at low, <= 1 at high
    for (int step = 0; step < 200; ++step) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        double mass = 0;
        for (const double s : kept) {
            if (s <= middle)
                break;
            mass += std::pow(s - middle, power);
        }
        (mass >= 1 ? low : high) = middle;
    }
    return {factor, low, largest};
}

double entmaxWeight(double logit, const NormaliserState& state)
{
    const double s = state.scale * (logit - state.origin) - state.shift;
    return s > 0 ? std::min(std::pow(s, 1 / state.scale), 1.0) : 0;  // the threshold is rounded
}

}  // namespace attnscope
