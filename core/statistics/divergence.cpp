#include "core/statistics/divergence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace attnscope {

double jensenShannon(std::span<const double> p, std::span<const double> q)
{
    assert(p.size() == q.size());
    const auto term = [](double share, double mean) { return share > 0 ? share * std::log(share / mean) : 0; };
    double sum = 0;
    for (std::size_t cell = 0; cell < p.size(); ++cell) {
        const double mean = (p[cell] + q[cell]) / 2;
        sum += term(p[cell], mean) + term(q[cell], mean);
    }
    return sum / 2;
}

double divergenceFromNormal(std::span<const float> values, int bins, double reach)
{
    const auto cells = static_cast<std::size_t>(bins) + 2;  // a tail, the bins, a tail
    const auto below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    std::vector<double> found(cells, 0.0), normal(cells);
    const double width = 2 * reach / bins;
    for (const float value : values) {
        if (!std::isfinite(value))
            return std::nan("");
        const double bin = std::clamp(std::floor((value + reach) / width), -1.0, static_cast<double>(bins));
        found[static_cast<std::size_t>(bin + 1)] += 1 / static_cast<double>(values.size());
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const double low = -reach + width * (static_cast<double>(cell) - 1);
        normal[cell] = (cell + 1 == cells ? 1 : below(low + width)) - (cell == 0 ? 0 : below(low));
    }
    return jensenShannon(found, normal);
}

}  // namespace attnscope
