#include "core/statistics/rank_correlation.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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

using Ranks = std::pair<std::vector<double>, std::vector<double>>;  ///< centred, of a group's x and y

constexpr double mostOrders = 362880;  // 9!

/// The product of the groups' m!, infinite beyond the doubles.
double ordersOf(const std::vector<Ranks>& groups)
{
    double orders = 1;
    for (const auto& [x, y] : groups)
        for (std::size_t m = 2; m <= x.size(); ++m)
            orders *= static_cast<double>(m);
    return orders;
}

/// The share of all orders of y within the groups for which |sum of x y| is no less than `size`.
double shareOfOrders(const std::vector<Ranks>& groups, double size)
{
    std::vector<double> sums{0};
    for (const auto& [x, y] : groups) {
        std::vector<std::size_t> order(x.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<double> longer;
        do {
            double own = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                own += x[i] * y[order[i]];
            for (const double sum : sums)
                longer.push_back(sum + own);
        } while (std::ranges::next_permutation(order).found);
        sums = std::move(longer);
    }
    constexpr double rounding = 1e-10;  // two sums of such ranks are the same, or differ by more than 1e-3
    const auto asLarge = std::ranges::count_if(sums, [&](double sum) { return std::abs(sum) >= size - rounding; });
    return static_cast<double>(asLarge) / static_cast<double>(sums.size());
}

double studentsP(double rho, int freedom)
{
    const double rest = 1 - rho * rho;
    if (rest < 1e-14)
        return 0;
    const boost::math::students_t law(freedom);
    return 2 * boost::math::cdf(boost::math::complement(law, std::abs(rho) * std::sqrt(freedom / rest)));
}

}  // namespace

std::optional<RankCorrelation> spearman(std::span<const RankedPairs> groups)
{
    double xx = 0, yy = 0, xy = 0;
    RankCorrelation found;
    std::vector<Ranks> ranked;
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
        ranked.emplace_back(std::move(x), std::move(y));
    }
    const int freedom = found.points - static_cast<int>(ranked.size()) - 1;
    if (freedom < 1 || xx == 0 || yy == 0)
        return {};
    found.rho = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
    const double orders = ordersOf(ranked);
    found.p = orders < mostOrders + 0.5
                  ? shareOfOrders(ranked, std::abs(xy))
                  : std::max({studentsP(found.rho, freedom), 2 / orders, std::numeric_limits<double>::min()});
    return found;
}

std::optional<RankCorrelation> spearman(const RankedPairs& pairs) { return spearman(std::span(&pairs, 1)); }

}  // namespace attnscope
