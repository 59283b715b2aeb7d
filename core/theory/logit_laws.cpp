#include "core/theory/logit_density.h"

#include "core/theory/gauss_rules.h"
#include "core/theory/ln_gamma.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/beta.hpp>

namespace attnscope {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Fills a row with one value a key.
template <class Value>
auto drawEach(Value value)
{
    return [=](const Random& random, std::uint64_t row, std::span<double> out) {
        for (size_t key = 0; key < out.size(); ++key)
            out[key] = value(random, row, key);
    };
}

/// What of a law with atoms WideAverage asks for.
void addPieces(LogitLaw& law, std::vector<Node> atoms)
{
    std::sort(atoms.begin(), atoms.end(), [](const Node& a, const Node& b) { return a.x < b.x; });
    std::vector<double> above(atoms.size() + 1, 0.0);  // of the atoms from k on
    for (size_t k = atoms.size(); k-- > 0;)
        above[k] = above[k + 1] + atoms[k].weight;
    for (const Node& atom : atoms)
        law.atoms.push_back(atom.x);
    const auto after = [atoms](double x) {
        return std::upper_bound(atoms.begin(), atoms.end(), x,
                                [](double value, const Node& atom) { return value < atom.x; }) -
               atoms.begin();
    };
    law.above = [after, above](double x) { return above[static_cast<size_t>(after(x))]; };
    law.piece = [after, atoms](double from, double to, std::vector<Node>& out) {
        out.insert(out.end(), atoms.begin() + after(from), atoms.begin() + std::max(after(from), after(to)));
    };
}

/// Gamma(shape), shape >= 1, from columns `from` to `from` + 59 of a row (Marsaglia & Tsang 2000; each try succeeds
/// with 95% or more).
double drawGamma(double shape, const Random& random, std::uint64_t row, std::uint64_t from)
{
    const double a = shape - 1.0 / 3, c = 1 / std::sqrt(9 * a);
    double v = 1;
    for (std::uint64_t attempt = 0; attempt < 7; ++attempt) {
        const double x = random.normal(row, from + 8 * attempt);
        v = std::pow(std::max(1 + c * x, 1e-100), 3);
        if (std::log(random.uniform(row, from + 8 * attempt + 4)) < x * x / 2 + a - a * v + a * std::log(v))
            break;
    }
    return a * v;
}

/// One component of a uniform direction: g / sqrt(g^2 + chi^2 of the other d - 1 components).
double drawCosine(int d, const Random& random, std::uint64_t row, std::uint64_t key)
{
    const std::uint64_t from = 64 * key;
    if (d == 1)
        return random.uniform(row, from) < 0.5 ? -1 : 1;
    if (d == 2)
        return std::cos(std::numbers::pi * random.uniform(row, from));
    const double g = random.normal(row, from);
    return g / std::sqrt(g * g + 2 * drawGamma((d - 1) / 2.0, random, row, from + 4));
}

}  // namespace

LogitLaw normalLaw()
{
    const auto rules = rulesOfSizes({8, 12, 16, 24, 32, 48, 64}, gaussHermite);
    return {.rule = [=](double s, int refine) { return rules(refine * (8 + 48 * s)); },
            .density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); },
            .gridFrom = 0.5,
            .lower = -13,
            .upper = 13,
            .mean = 0,
            .variance = 1,
            .draw = [](const Random& random, std::uint64_t row, std::span<double> out) { random.normals(row, out); },
            .symmetric = true,
            .normal = true,
            .above = [](double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }};
}

/// x = cos theta for a uniform direction in R^d: density proportional to (1 - x^2)^((d-3)/2); d = 1: +1 or -1.
LogitLaw cosineLaw(int d)
{
    const double power = (d - 3) / 2.0;
    LogitLaw law{.rule = {},
                 .gridFrom = never,
                 .lower = -1,
                 .upper = 1,
                 .mean = 0,
                 .variance = 1.0 / d,
                 .draw = drawEach([d](const Random& random, std::uint64_t row, std::uint64_t key) {
                     return drawCosine(d, random, row, key);
                 }),
                 .symmetric = true};
    if (d == 1) {
        law.rule = [](double, int) { return std::vector<Node>{{-1, 0.5}, {1, 0.5}}; };
        addPieces(law, {{-1, 0.5}, {1, 0.5}});
        return law;
    }
    const double logNorm = lnGamma(d / 2.0) - lnGamma((d - 1) / 2.0) - std::log(std::numbers::pi) / 2;
    const auto inAngles = [=](double from, double to, int pieces) {  // where the density is smooth to the ends
        std::vector<Node> nodes = gaussPanels(
            from, to, pieces, [=](double theta) { return std::exp(logNorm + (d - 2) * std::log(std::sin(theta))); });
        for (Node& node : nodes)
            node.x = std::cos(node.x);
        return nodes;
    };
    law.piece = [inAngles](double from, double to, std::vector<Node>& out) {
        const std::vector<Node> nodes =
            inAngles(std::acos(std::clamp(to, -1.0, 1.0)), std::acos(std::clamp(from, -1.0, 1.0)), 1);
        out.insert(out.end(), nodes.begin(), nodes.end());
    };
    law.above = [d](double x) {  // sin^2 of the angle has a beta law
        const double beyond = x * x < 1 ? boost::math::ibeta((d - 1) / 2.0, 0.5, (1 - x) * (1 + x)) / 2 : 0;
        return x > 0 ? beyond : 1 - beyond;
    };
    const auto rules = rulesOfSizes({16, 32, 64, 128}, [=](int count) { return gaussGegenbauer(count, power); });
    law.rule = [=](double s, int refine) {
        const std::vector<Node> nodes = rules(refine * (12 + 6 * s));
        return nodes.empty() ? inAngles(0, std::numbers::pi, static_cast<int>(refine * s * std::numbers::pi / 2) + 1)
                             : nodes;
    };

    // The density's Fourier transform falls off as Gamma(d/2) (2 / k)^((d-1)/2); on the grid k = 2 pi s / gridStep.
    law.density = [=](double x) { return x * x < 1 ? std::exp(logNorm + power * std::log1p(-x * x)) : 0; };
    if (d > 8)
        law.gridFrom = std::max(std::exp((lnGamma(d / 2.0) + 37) / ((d - 1) / 2.0)) * gridStep / std::numbers::pi,
                                0.5 * std::sqrt(d));
    return law;
}

LogitLaw uniformLaw(double lo, double hi)
{
    const double middle = (lo + hi) / 2, half = (hi - lo) / 2;
    return {.rule =
                [=](double s, int refine) {
                    return gaussPanels(lo, hi, static_cast<int>(refine * std::abs(s) * half) + 1,
                                       [=](double) { return 1 / (hi - lo); });
                },
            .gridFrom = never,
            .lower = lo,
            .upper = hi,
            .mean = middle,
            .variance = half * half / 3,
            .draw = drawEach([=](const Random& random, std::uint64_t row, std::uint64_t key) {
                return lo + (hi - lo) * random.uniform(row, key);
            }),
            .uniform = true};
}

LogitLaw finiteLaw(std::vector<Node> atoms)
{
    double total = 0, mean = 0, square = 0;
    for (const Node& atom : atoms)
        total += atom.weight;
    LogitLaw law{.rule = {}, .density = {}, .gridFrom = never, .lower = never, .upper = -never, .draw = {}};
    for (Node& atom : atoms) {
        atom.weight /= total;
        mean += atom.weight * atom.x;
        law.lower = std::min(law.lower, atom.x);
        law.upper = std::max(law.upper, atom.x);
    }
    for (const Node& atom : atoms)
        square += atom.weight * (atom.x - mean) * (atom.x - mean);
    law.mean = mean;
    law.variance = square;
    law.rule = [atoms](double, int) { return atoms; };
    addPieces(law, atoms);
    law.draw = drawEach([atoms = std::move(atoms)](const Random& random, std::uint64_t row, std::uint64_t key) {
        double left = random.uniform(row, key);
        const auto drawn =
            std::find_if(atoms.begin(), atoms.end(), [&left](const Node& atom) { return (left -= atom.weight) < 0; });
        return drawn == atoms.end() ? atoms.back().x : drawn->x;
    });
    return law;
}

}  // namespace attnscope
