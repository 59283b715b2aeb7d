#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

template <class Value>
std::vector<double> each(std::span<const double> n, Value value)
{
    std::vector<double> out(n.size());
    std::transform(n.begin(), n.end(), out.begin(), value);
    return out;
}

}  // namespace

std::span<const ExpectedMeasure> expectedMeasures()
{
    using Lengths = std::span<const double>;
    constexpr auto Real = Parameter::Kind::Real;
    static const std::vector<ExpectedMeasure> rows{
        {{.id = "shannon",
          .label = "Expected entropy",
          .formula = "E H = F − s dF/ds",
          .source = "expected_row.h, eq. 2",
          .about = "Mean Shannon entropy of a row, nats."},
         nullptr,
         -1,
         [](double entropy, double) { return entropy; }},
        {{.id = "normalised_entropy",
          .label = "Expected entropy over ln n",
          .formula = "E H / ln n",
          .source = "expected_row.h, eq. 2",
          .about = "1: uniform. One key has none."},
         nullptr,
         -1,
         [](double entropy, double n) { return n > 1 ? entropy / std::log(n) : std::nan(""); }},
        {{.id = "kl_uniform",
          .label = "Expected divergence from uniform",
          .formula = "ln n − E H",
          .source = "expected_row.h, eq. 2",
          .about = "Mean Kullback-Leibler divergence of a row from the uniform row, nats."},
         nullptr,
         1,
         [](double entropy, double n) { return std::log(n) - entropy; }},
        {{.id = "renyi",
          .label = "Expected Rényi entropy",
          .formula = "E H_a = (F(a s) − a F(s)) / (1 − a), a = {a}",
          .source = "expected_row.h",
          .about = "Mean Rényi entropy of a row, nats; order 1 is Shannon's, order 2 the collision entropy.",
          .parameters = {{"a", "a", 2, 0, 64, Real, "Large orders look at the largest weight only."}}},
         [](const ExpectedRow& row, Lengths n, const Parameters& p) { return row.renyi(n, p["a"]); },
         -1},
        {{.id = "tsallis",
          .label = "Expected Tsallis entropy",
          .formula = "(1 − E Σ p^q) / (q − 1), q = {q}",
          .source = "expected_row.h, eq. 4",
          .about = "Mean Tsallis entropy of a row.",
          .parameters = {{"q", "q", 2, 0.25, 64, Real, "Order 1 is Shannon's entropy."}}},
         [](const ExpectedRow& row, Lengths n, const Parameters& p) {
             const double q = p["q"];
             if (std::abs(q - 1) < 1e-7)
                 return each(n, [&](double k) { return row.entropy(k); });
             std::vector<double> values = row.powerSum(n, q);
             for (double& value : values)
                 value = (1 - value) / (q - 1);
             return values;
         },
         -1},
        {{.id = "collision",
          .label = "Expected collision",
          .formula = "E Σ p²",
          .source = "expected_row.h, eq. 4",
          .about = "Mean probability that two keys drawn from a row are the same."},
         [](const ExpectedRow& row, Lengths n, const Parameters&) { return row.powerSum(n, 2); },
         1},
        {{.id = "gradient",
          .label = "Expected gradient",
          .formula = "1 − E Σ p²",
          .source = "expected_row.h, eq. 4",
          .about = "Mean trace of the softmax's derivative, ∂p_i/∂z_j = p_i (δ_ij − p_j): how much of a gradient goes "
                   "through a row."},
         [](const ExpectedRow& row, Lengths n, const Parameters&) {
             std::vector<double> values = row.powerSum(n, 2);
             for (double& value : values)
                 value = 1 - value;
             return values;
         },
         -1},
        {{.id = "free_energy",
          .label = "Free energy",
          .formula = "F = E ln Z",
          .source = "expected_row.h, eq. 1",
          .about = "Mean logarithm of the softmax denominator."},
         [](const ExpectedRow& row, Lengths n, const Parameters&) {
             return each(n, [&](double k) { return row.freeEnergy(k); });
         },
         0},
        {{.id = "mean_logit",
          .label = "Expected mean logit",
          .formula = "s dF/ds = E Σ p y",
          .source = "expected_row.h, eq. 2",
          .about = "Mean over rows of the logit that a row attends to."},
         [](const ExpectedRow& row, Lengths n, const Parameters&) {
             return each(n, [&](double k) { return row.meanLogit(k); });
         },
         0},
        {{.id = "needle",
          .label = "Expected weight of the needle",
          .formula = "E p of the matching key",
          .source = "expected_row.h, eq. 5",
          .about = "Mean weight of the one key whose logit is fixed; 0 where the density has none."},
         [](const ExpectedRow& row, Lengths n, const Parameters&) {
             return each(n, [&](double k) { return row.needleWeight(k); });
         },
         0},
    };
    return rows;
}

bool isOfNeedle(const Choice& measure) { return measure.id == "needle"; }

}  // namespace attnscope
