#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace attnscope {

namespace {

/// p^order, from ln p: p itself may underflow.
double powerTerm(double p, double logP, double order)
{
    if (std::isinf(order))
        return 0;
    if (order == 0)
        return 1;
    return order == 1 ? p : order == 2 ? p * p : std::exp(order * logP);
}

using Top = std::array<float, RowSummary::topCount>;

void insertInto(Top& top, double p)
{
    const float value = static_cast<float>(p);
    if (value <= top.back())
        return;
    auto at = top.end() - 1;
    for (; at != top.begin() && *(at - 1) < value; --at)
        *at = *(at - 1);
    *at = value;
}

std::int64_t keyAt(const VisibleKeys& visible, std::int64_t index)
{
    return index < visible.sinkEnd ? index : index - visible.sinkEnd + visible.begin;
}

}  // namespace

RowSummary summariseRow(std::span<const double> logits, const VisibleKeys& visible, std::int64_t position,
                        const Normaliser& normaliser, const Parameters& parameters, const SummaryExtras& extras)
{
    RowSummary row;
    const auto masked = [](double x) { return !(x > -HUGE_VAL); };
    row.logitMax = -HUGE_VAL;
    row.logitMin = HUGE_VAL;
    for (const double x : logits) {
        if (masked(x))
            continue;
        ++row.visible;
        row.logitMax = std::max(row.logitMax, x);
        row.logitMin = std::min(row.logitMin, x);
    }
    if (row.visible == 0)
        return {};

    row.state = normaliser.solve(logits, parameters);
    if (normaliser.softmaxForm && normaliser.softmaxForm->beta)
        row.beta = row.state.scale;
    double largest = 0;
    for (size_t index = 0; index < logits.size(); ++index) {
        const double w = masked(logits[index]) ? 0 : normaliser.weight(logits[index], row.state, parameters);
        row.mass += w;
        if (w > largest) {
            largest = w;
            row.argmax = keyAt(visible, static_cast<std::int64_t>(index));
        }
    }
    if (!(row.mass >= RowSummary::leastMass)) {
        row.mass = 0;
        row.argmax = -1;
        return row;
    }

    const double order = extras.order, logMass = std::log(row.mass);
    Top near{};
    for (size_t index = 0; index < logits.size(); ++index) {
        if (masked(logits[index]))
            continue;
        const double p = normaliser.weight(logits[index], row.state, parameters) / row.mass;
        const double logP =
            normaliser.logWeight ? normaliser.logWeight(logits[index], row.state, parameters) - logMass : std::log(p);
        if (!(logP > -HUGE_VAL))
            continue;
        const std::int64_t key = keyAt(visible, static_cast<std::int64_t>(index));
        ++row.support;
        row.sumPower += powerTerm(p, logP, order);
        if (!(p > 0))
            continue;
        row.entropy -= p * logP;
        row.sumSquares += p * p;
        row.sumRoots += std::sqrt(p);
        row.sinkMass += key < RowSummary::sinkCount ? p : 0;
        row.meanDistance += p * static_cast<double>(std::abs(position - key));
        insertInto(row.top, p);
        if (std::abs(position - key) < extras.window)
            insertInto(near, p);
    }
    row.windowMass = std::accumulate(near.begin(), near.begin() + extras.windowTop, 0.0);
    if (std::isinf(order))
        row.sumPower = largest / row.mass;
    keepWithinBounds(row, order);
    return row;
}

void keepWithinBounds(RowSummary& row, double order)
{
    const double n = static_cast<double>(row.visible);
    const auto between = [](double low, double value, double high) { return std::min(std::max(low, value), high); };
    row.entropy = between(0, row.entropy, std::log(n));
    row.sumSquares = between(1 / n, row.sumSquares, 1);
    row.sumRoots = between(1, row.sumRoots, std::sqrt(n));
    row.sinkMass = between(0, row.sinkMass, 1);
    row.windowMass = between(0, row.windowMass, 1);
    for (float& p : row.top)
        p = std::min(p, 1.0f);
    const double uniform =
        std::isinf(order) ? 1 / n : std::pow(n, 1 - order);  // sum p^order of equal p; of one key it is 1
    row.sumPower = order == 0 ? row.sumPower : between(std::min(uniform, 1.0), row.sumPower, std::max(uniform, 1.0));
}

}  // namespace attnscope
