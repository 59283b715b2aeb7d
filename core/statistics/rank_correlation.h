#pragma once
// Spearman's rank correlation: Pearson's of the ranks, equal values sharing the mean of theirs. With several groups the
// ranks are taken within each, as (rank - (m + 1) / 2) / m of m values, and the correlation is of all of them together:
// what differs between the groups (another task, another length) has no part in it.
//
// Its p is two-sided: the share of the orders of y within the groups whose correlation is as large or larger, counted
// where there are 9! of them at most; else Student's t, with as many degrees of freedom as there are points, less one a
// group, less one, but no less than the share of two orders, which no p of that test falls below.

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attnscope {

using RankedPairs = std::vector<std::pair<double, double>>;  ///< x and y, finite

struct RankCorrelation {
    double rho = 0;
    double p = 1;  ///< above 0
    int points = 0;
};

/// Nothing where that leaves none, or one side does not vary.
std::optional<RankCorrelation> spearman(std::span<const RankedPairs> groups);
std::optional<RankCorrelation> spearman(const RankedPairs& pairs);

}  // namespace attnscope
