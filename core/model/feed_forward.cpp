#include "core/model/feed_forward.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attnscope {

namespace {

/// One feed-forward, of the layer or of an expert.
bool feedOnce(const LayerSpec& spec, Index inner, const FeedWeights& weights, const MatrixView& x, MutableView y,
              const std::stop_token& stop)
{
    const Index count = x.rows();
    if (!spec.gated) {
        Matrix hidden(count, inner);
        if (!apply(weights.up, x, hidden, false, stop))
            return false;
        activate(hidden, spec.activation);
        return apply(weights.down, hidden, y, false, stop);
    }
    Matrix gate(count, weights.layout == GateLayout::Apart ? inner : 2 * inner);
    if (!apply(weights.gate, x, gate, false, stop))
        return false;
    Matrix up;
    if (weights.layout == GateLayout::Apart) {
        up.resize(count, inner);
        if (!apply(weights.up, x, up, false, stop))
            return false;
    } else if (weights.layout == GateLayout::Halves) {
        up = gate.rightCols(inner);
        gate = gate.leftCols(inner).eval();
    } else {
        up = gate(Eigen::all, Eigen::seqN(1, inner, 2));
        gate = gate(Eigen::all, Eigen::seqN(0, inner, 2)).eval();
    }
    activateGated(gate, up, spec.activation);
    return apply(weights.down, gate, y, false, stop);
}

/// The best `count` of the numbers; of equal ones the first.
std::vector<int> largest(std::span<const double> numbers, int count)
{
    std::vector<int> order(numbers.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return numbers[static_cast<size_t>(a)] > numbers[static_cast<size_t>(b)]; });
    order.resize(std::min(order.size(), static_cast<size_t>(count)));
    return order;
}

/// Those outside of the best groups, by the sum of a group's best, are out of reach.
void keepBestGroups(const Experts& experts, std::vector<double>& ranks)
{
    const auto size = ranks.size() / static_cast<size_t>(experts.groups);
    std::vector<double> ofGroup;
    for (size_t g = 0; g < static_cast<size_t>(experts.groups); ++g) {
        const std::span<const double> group(ranks.data() + g * size, size);
        double sum = 0;
        for (const int best : largest(group, experts.bestOfGroup))
            sum += group[static_cast<size_t>(best)];
        ofGroup.push_back(sum);
    }
    std::vector<int> kept = largest(ofGroup, experts.chosenGroups);
    for (size_t e = 0; e < ranks.size(); ++e)
        if (std::find(kept.begin(), kept.end(), static_cast<int>(e / size)) == kept.end())
            ranks[e] = -std::numeric_limits<double>::infinity();
}

bool feedExperts(const LayerSpec& spec, const ExpertWeights& weights, const MatrixView& x, MutableView y,
                 const std::stop_token& stop)
{
    const Experts& experts = *spec.experts;
    y.setZero();
    if (experts.sharedInner > 0 && !feedOnce(spec, experts.sharedInner, weights.shared, x, y, stop))
        return false;
    if (experts.sharedGate) {
        Matrix gate(x.rows(), 1);
        if (!apply(weights.sharedGate, x, gate, false, stop))
            return false;
        y.array().colwise() *= 1 / (1 + (-gate.col(0).array()).exp());
    }
    Matrix routed(x.rows(), experts.count);
    if (!apply(weights.router, x, routed, false, stop))
        return false;
    std::vector<std::vector<std::pair<Index, float>>> tokensOf(static_cast<size_t>(experts.count));
    for (Index t = 0; t < x.rows(); ++t)
        for (const auto& [expert, weight] :
             chosenExperts(experts, {routed.row(t).data(), static_cast<size_t>(experts.count)}, weights.correction))
            tokensOf[static_cast<size_t>(expert)].emplace_back(t, weight);
    for (size_t e = 0; e < tokensOf.size(); ++e) {
        const auto& tokens = tokensOf[e];
        if (tokens.empty())
            continue;
        Matrix taken(std::ssize(tokens), x.cols()), made(std::ssize(tokens), y.cols());
        for (Index row = 0; row < taken.rows(); ++row) {
            const auto [token, weight] = tokens[static_cast<size_t>(row)];
            taken.row(row) = x.row(token) * (experts.weighsInput ? weight : 1.0f);
        }
        if (!feedOnce(spec, experts.inner, weights.experts[e], taken, made, stop))
            return false;
        for (Index row = 0; row < made.rows(); ++row) {
            const auto [token, weight] = tokens[static_cast<size_t>(row)];
            y.row(token) += made.row(row) * (experts.weighsInput ? 1.0f : weight);
        }
    }
    return true;
}

}  // namespace

std::vector<std::pair<int, float>> chosenExperts(const Experts& experts, std::span<const float> routed,
                                                 std::span<const float> correction)
{
    std::vector<double> scores(routed.begin(), routed.end());
    if (experts.score == Experts::Score::Sigmoid)
        for (double& score : scores)
            score = 1 / (1 + std::exp(-score));
    std::vector<double> ranks = scores;
    for (size_t e = 0; e < correction.size(); ++e)
        ranks[e] += static_cast<double>(correction[e]);
    if (experts.groups > 1)
        keepBestGroups(experts, ranks);
    std::vector<int> chosen = largest(ranks, experts.chosen);
    std::sort(chosen.begin(), chosen.end());
    if (experts.score != Experts::Score::Sigmoid) {
        const double top = *std::max_element(scores.begin(), scores.end());
        double all = 0, ofChosen = 0;
        for (double& score : scores)
            all += score = std::exp(score - top);
        for (const int e : chosen)
            ofChosen += scores[static_cast<size_t>(e)];
        for (double& score : scores)
            score /= experts.score == Experts::Score::ChooseThenSoftmax ? ofChosen : all;
    }
    double sum = 0;
    for (const int e : chosen)
        sum += scores[static_cast<size_t>(e)];
    std::vector<std::pair<int, float>> weights;
    for (const int e : chosen)
        weights.emplace_back(
            e, static_cast<float>(scores[static_cast<size_t>(e)] * experts.factor / (experts.renormalised ? sum : 1)));
    return weights;
}

bool feedForward(const LayerSpec& spec, const LayerWeights& weights, const MatrixView& x, MutableView y,
                 const std::stop_token& stop)
{
    return spec.experts ? feedExperts(spec, weights.experts, x, y, stop)
                        : feedOnce(spec, spec.inner, weights.feed, x, y, stop);
}

}  // namespace attnscope
