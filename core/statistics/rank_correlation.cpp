#include "core/statistics/rank_correlation.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

/// (rank - (m + 1) / 2) / m, equal values sharing the mean of their ranks.
std::vector<double> centredRanks(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    const auto count = static_cast<double>(values.size());
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        while (last < order.size() && values[order[last]] == values[order[first]])
            ++last;
        for (std::size_t i = first; i < last; ++i)
            ranks[order[i]] = (static_cast<double>(first + last - 1) / 2 + 1 - (count + 1) / 2) / count;
    }
    return ranks;
}

}  // namespace

std::optional<RankCorrelation> spearman(std::span<const RankedPairs> groups)
{
    double xx = 0, yy = 0, xy = 0;
    RankCorrelation found;
    int used = 0;
    for (const RankedPairs& group : groups) {
        if (group.size() < 2)
            continue;
        std::vector<double> x, y;
        for (const auto& [one, other] : group) {
            x.push_back(one);
            y.push_back(other);
        }
        x = centredRanks(x);
        y = centredRanks(y);
        xx += std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
        yy += std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
        xy += std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
        found.points += static_cast<int>(group.size());
        ++used;
    }
    const int freedom = found.points - used - 1;
    if (freedom < 1 || xx == 0 || yy == 0)
        return {};
    found.rho = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
    const double rest = 1 - found.rho * found.rho;
    if (rest < 1e-14) {
        found.p = 0;
        return found;
    }
    const boost::math::students_t law(freedom);
    found.p = 2 * boost::math::cdf(boost::math::complement(law, std::abs(found.rho) * std::sqrt(freedom / rest)));
    return found;
}

std::optional<RankCorrelation> spearman(const RankedPairs& pairs) { return spearman(std::span(&pairs, 1)); }

}  // namespace attnscope
