#include "core/statistics/pairs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

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
