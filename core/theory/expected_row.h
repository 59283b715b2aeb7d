#pragma once
// Expected statistics of a row of softmax attention over n keys, exactly, at any n, without sampling.
//
// THE QUESTION. The logits of a row are y_j = s x_j, independent, j = 1 .. n; Z = sum_j exp(y_j), p_j = exp(y_j) / Z.
// What is E ln Z, the expected entropy E H, the expected collision E sum_j p_j^2? Averages of logarithms and of ratios
// of n random terms: it looks as if one had to draw them.
//
// THE TRICK. Let e be exponentially distributed, independent of Z, and w = ln e - ln Z. Given Z, w > u means e > Z e^u,
// of probability exp(-Z e^u), a product over the keys. So averaging over independent keys gives a power:
//
//     P(w > u) = E exp(-Z e^u) = phi(u)^n,      phi(u) = E exp(-e^(u + s x)).                                       (1)
//
// n is only an exponent: 10^12 keys cost what ten do. phi falls from 1 to 0 as u grows, and phi^n falls like a step
// where n (1 - phi) = 1: there lies w, that is -ln Z. The density of w is n phi^(n-1) (-phi'), and since the mean of ln
// e is -gamma (Euler's constant), F = E ln Z = -gamma - E w. That is the free energy of physics.
//
// The weights come out of the same trick, for 1/Z is an integral too: 1/Z = int exp(u - Z e^u) du, so with y = u + s x
// and g(y) = exp(y - e^y), the density of ln e,
//
//     p_j = int g(u + y_j) exp(-e^u sum over the other keys of e^y_k) du,
//     E sum p_j f(y_j) = n int phi^(n-1) E[f(s x) g(y)] du.
//
// For f(y) = y it is the mean logit E sum p_j y_j = s dF/ds, and since H = ln Z - sum p_j y_j for every single row,
//
//     E H = F - s dF/ds.                                                                                            (2)
//
// Put F and the mean logit under one integral: u and s x add up to y, and the two large numbers never appear:
//
//     E H           = -gamma - n int phi^(n-1) E[y g(y)] du,                                                        (3)
//     F             = -gamma - n int phi^(n-1) E[u g(y)] du,
//     E sum p_j^a   = n / Gamma(a) int phi^(n-1) E[exp(a y - e^y)] du,                                              (4)
//                     from Z^-a = int t^(a-1) e^(-tZ) dt / Gamma(a),
//     E H_a         = (F(a s) - a F(s)) / (1 - a)   (Renyi), since sum p_j^a = Z(a s) / Z(s)^a,
//     E p_needle    = int phi^(n-1) g(u + y0) du                        for a key with the fixed logit y0.          (5)
//
// With a needle among the n keys, phi^n becomes phi^(n-1) exp(-e^(u + y0)): one more factor and one more term.
// Two laws to check numbers by: F'' = E Var_p(x) >= 0, so F is convex in s; dH/ds = -s F'' <= 0, so E H falls.
//
// THE NUMBERS. Along u everything is smooth and dies off at both ends, so the trapezoid rule converges exponentially:
// the Fourier transform of w's density at frequency k is bounded by |Gamma(1 + ik)| whatever n and the density, so step
// h errs by about |Gamma(1 + 2 pi i / h)|: 6e-14 at h = 0.3, the step used. If s is not small, E over a smooth density
// of x uses the grid u + s x = h j too: phi is a convolution of fixed tables of exp(-e^y), g, ... with the density, and
// costs no exponential. A plateau phi^n = 1 or 0 costs nothing: only nodes where w has mass are visited. Write 1 - phi
// by expm1 and phi^n by log1p, or large n loses every digit. When w is broad (large s) the step widens with it. E H is
// smooth in s, so many scales at once are interpolated (entropy_panels.h). Where logits are spread over hundreds of
// nats, nodes stand densely only where a logit of the law begins or ends (phi_table.h), and an average looks only at
// the logits near by (wide_average.h). For Gaussian queries s = lambda |q| is random too: Gauss-Laguerre over |q|^2 /
// 2, which is Gamma(d/2), or panels of |q| where rows freeze within its spread. Doubling every rule changes entropies
// by less than 1e-8 for |m| to 50 and n to 1e12.

#include "core/base/choice.h"
#include "core/theory/logit_density.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

/// 1 as used; 2 halves every step and doubles every rule, for checks.
struct Resolution {
    int refine = 1;
};

/// |m / tau| = |lambda| sqrt d may be as large as this.
inline constexpr double largestMultiplier = 1e4;

/// Numbers of keys, here n and N, are from 1 to 1e12. Errors: InvalidArgument, with the name.
Result<void> checkLengthInTheory(double n, const char* name = "n");

/// The expectations at one scale. phi is tabulated when it is made, for lengths from `first` to `last`; each length
/// then costs microseconds. n may be any real number in that range, 1 <= first <= last <= 1e12. Immutable: any number
/// of threads.
class ExpectedRow {
public:
    /// After a stop request it holds nothing that means anything.
    ExpectedRow(const LogitDensity& density, double lambda, double first, double last, Resolution resolution = {},
                std::stop_token stop = {});
    ~ExpectedRow();
    ExpectedRow(ExpectedRow&&) noexcept;
    ExpectedRow& operator=(ExpectedRow&&) noexcept;

    double freeEnergy(double n) const;    ///< E ln Z
    double meanLogit(double n) const;     ///< E sum p_j y_j = s dF/ds
    double entropy(double n) const;       ///< E H, Shannon, nats
    double needleWeight(double n) const;  ///< E p_needle; 0 without a needle

    /// At many n: E sum p_j^order (collision: order 2), order from 0.25 to 64; and E H_order in nats, order >= 0.
    std::vector<double> powerSum(std::span<const double> n, double order) const;
    std::vector<double> renyi(std::span<const double> n, double order) const;

private:
    struct Tables;
    std::unique_ptr<const Tables> m_tables;
};

/// E H of one row.
double expectedEntropy(const LogitDensity& density, double n, double lambda, Resolution resolution = {});

/// A measure of core/statistics whose expectation is exact, under the same id: shannon, renyi, tsallis, collision; and
/// free_energy, mean_logit, needle.
struct ExpectedMeasure : Entry {
    std::vector<double> (*values)(const ExpectedRow&, std::span<const double> n,
                                  const Parameters&) = nullptr;  ///< null where ofEntropy is there
    /// As the scale grows it falls (-1) or rises (1), of any law and at any n, as a sharper row majorises a duller one;
    /// 0: neither is sure.
    int direction = 0;
    double (*ofEntropy)(double entropy, double n) = nullptr;  ///< of E H; null: see values
};
std::span<const ExpectedMeasure> expectedMeasures();

/// The needle's weight: no measure of a row, and 0 where the density has no needle.
bool isOfNeedle(const Choice& measure);

/// The measure at every n, one scale for all; NaN where a row of one key has none. Errors: UnknownName (no exact
/// expectation is known), InvalidArgument (n outside 1 .. 1e12, lambda beyond largestMultiplier).
Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                          double lambda);

/// With lambda[i] at n[i]: many pairs, of several methods too, cost less together than one by one (entropy_panels.h).
/// All cores. Errors: Cancelled too.
Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                          std::span<const double> lambda, std::stop_token stop = {});

}  // namespace attnscope
