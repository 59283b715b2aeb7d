#include "core/labs/trained_rows.h"

#include "core/attention/normaliser.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Values = Eigen::Map<const Eigen::ArrayXd>;
using Growing = Eigen::Map<Eigen::ArrayXd>;

Values valuesOf(std::span<const double> x) { return {x.data(), std::ssize(x)}; }

/// A normaliser and what was picked of it, which outlives Parameters.
struct RowRule {
    const Normaliser* row;
    Choice choice;

    void operator()(std::span<const double> z, std::span<double> y) const
    {
        const Parameters parameters(*row, choice);
        const NormaliserState state = row->solve(z, parameters);
        for (std::size_t j = 0; j < z.size(); ++j)
            y[j] = row->weight(z[j], state, parameters);
    }
};

/// g becomes J g.
void alongItself(const RowRule& rule, std::span<const double> z, std::span<double> g)
{
    constexpr double step = 1e-4;  // its square, against third derivatives below 1
    const double length = Growing(g.data(), std::ssize(g)).matrix().norm();
    if (!(length > 0))
        return;
    const Eigen::ArrayXd shift = step / length * valuesOf(g);
    const Eigen::ArrayXd up = valuesOf(z) + shift, down = valuesOf(z) - shift;
    Eigen::ArrayXd after(up.size()), before(up.size());
    rule({up.data(), z.size()}, {after.data(), z.size()});
    rule({down.data(), z.size()}, {before.data(), z.size()});
    Growing(g.data(), std::ssize(g)) = (after - before) * (length / (2 * step));
}

/// y = softmax(beta(H) z), H the entropy of P = softmax(z): dz = beta dz' - beta'(H) (dz'.z) P (ln P + H), dz' = y (g - y.g).
void throughTheEntropy(const RowRule& rule, std::span<const double> z, std::span<const double> y, std::span<double> g)
{
    const Parameters parameters(*rule.row, rule.choice);
    const auto beta = [&](double entropy) { return rule.row->softmaxForm->beta(entropy, parameters); };
    constexpr double step = 1e-5;
    const Eigen::ArrayXd logits = valuesOf(z), shifted = logits - logits.maxCoeff(), logP = shifted - std::log(shifted.exp().sum()), p = logP.exp();
    const double entropy = -(p * logP).sum(), slope = (beta(entropy + step) - beta(entropy - step)) / (2 * step);
    Growing out(g.data(), std::ssize(g));
    const Eigen::ArrayXd sharpened = valuesOf(y) * (out - (valuesOf(y) * out).sum());
    out = beta(entropy) * sharpened - slope * (sharpened * logits).sum() * p * (logP + entropy);
}

}  // namespace

Result<learn::RowFunction> trainedRows(const Choice& normaliser)
{
    const auto row = findRow(normalisers(), normaliser.id, "normaliser");
    if (!row)
        return tl::unexpected(row.error());
    if (const Result<void> valid = validate(**row, normaliser); !valid)
        return tl::unexpected(valid.error());
    const RowRule rule{*row, normaliser};
    if ((*row)->softmaxForm && (*row)->softmaxForm->beta)
        return learn::RowFunction{rule, [rule](std::span<const double> z, std::span<const double> y, std::span<double> g) { throughTheEntropy(rule, z, y, g); }};
    if ((*row)->ofPotential)
        return learn::RowFunction{rule, [rule](std::span<const double> z, std::span<const double>, std::span<double> g) { alongItself(rule, z, g); }};
    return failure(ErrorKind::InvalidArgument, "heads do not learn with " + normaliser.id + " here: the way back through it is not known; test with it, and train with another");
}

}  // namespace attnscope
