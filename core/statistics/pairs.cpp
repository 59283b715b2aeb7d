#include "core/statistics/pairs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace attnscope {

namespace {

/// Sum of term(p_j, q_j) over the renormalised rows.
template <class Term>
std::optional<double> sumOverKeys(std::span<const double> p, std::span<const double> q, Term term)
{
    const double massP = std::accumulate(p.begin(), p.end(), 0.0), massQ = std::accumulate(q.begin(), q.end(), 0.0);
    if (p.size() != q.size() || !(massP > 0) || !(massQ > 0))
        return std::nullopt;
    double sum = 0;
    for (size_t j = 0; j < p.size(); ++j)
        sum += term(p[j] / massP, q[j] / massQ);
    return sum;
}

}  // namespace

std::optional<double> klDivergence(std::span<const double> weightsP, std::span<const double> weightsQ)
{
    const auto sum = sumOverKeys(weightsP, weightsQ, [](double p, double q) {
        if (p == 0)
            return 0.0;
        return q == 0 ? std::numeric_limits<double>::infinity() : p * std::log(p / q);
    });
    return sum ? std::optional(std::max(*sum, 0.0)) : sum;
}

std::optional<double> totalVariation(std::span<const double> weightsP, std::span<const double> weightsQ)
{
    return sumOverKeys(weightsP, weightsQ, [](double p, double q) { return 0.5 * std::abs(p - q); });
}

std::optional<RowDistance> rowDistance(const RowDetail& p, const RowDetail& q)
{
    const auto measure = [](std::span<const double> a, std::span<const double> b) -> std::optional<RowDistance> {
        const std::optional<double> kl = klDivergence(a, b);
        return kl ? std::optional(RowDistance{*kl, *totalVariation(a, b)}) : std::nullopt;
    };
    if (p.keys == q.keys)
        return measure(p.weights, q.weights);
    std::vector<std::int64_t> keys;
    std::ranges::set_union(p.keys, q.keys, std::back_inserter(keys));
    const auto over = [&keys](const RowDetail& row) {
        std::vector<double> weights(keys.size(), 0.0);
        for (size_t at = 0, k = 0; k < row.keys.size(); ++at)
            if (keys[at] == row.keys[k])
                weights[at] = row.weights[k++];
        return weights;
    };
    return measure(over(p), over(q));
}

}  // namespace attnscope
