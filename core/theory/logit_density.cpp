#include "core/theory/logit_density.h"

#include "core/theory/gauss_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>

namespace attnscope {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int mostTerms = 4096;

/// Rules of the given sizes, made once: the smallest that has `count` nodes, or empty.
template <class Make>
auto rulesBySize(std::initializer_list<int> sizes, Make make)
{
    auto made = std::make_shared<std::vector<std::vector<Node>>>();
    for (const int size : sizes)
        made->push_back(make(size));
    return [ready = std::shared_ptr<const std::vector<std::vector<Node>>>(made)](double count) {
        for (const std::vector<Node>& rule : *ready)
            if (static_cast<double>(rule.size()) >= count)
                return rule;
        return std::vector<Node>{};
    };
}

/// 16-point Gauss-Legendre on equal panels of (lo, hi), with weight(x) dx.
template <class Weight>
std::vector<Node> panels(double lo, double hi, double count, Weight weight)
{
    static const std::vector<Node> legendre = gaussGegenbauer(16, 0);
    const int pieces = std::max(1, static_cast<int>(std::ceil(count)));
    const double half = (hi - lo) / (2 * pieces);
    std::vector<Node> nodes;
    for (int piece = 0; piece < pieces; ++piece)
        for (const Node& node : legendre) {
            const double x = lo + half * (2 * piece + 1 + node.x);
            nodes.push_back({x, 2 * half * node.weight * weight(x)});
        }
    return nodes;
}

LogitLaw normalLaw()
{
    const auto rules = rulesBySize({8, 12, 16, 24, 32, 48, 64}, gaussHermite);
    return {.rule = [=](double s, int refine) { return rules(refine * (8 + 48 * s)); },
            .density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); },
            .gridFrom = 0.5, .lower = -13, .upper = 13, .mean = 0, .variance = 1,
            .draw = [](const Random& random, std::uint64_t row, std::span<double> out) { random.normals(row, out); }, .symmetric = true, .normal = true};
}

/// Fills a row with one value a key.
template <class Value>
auto drawEach(Value value)
{
    return [=](const Random& random, std::uint64_t row, std::span<double> out) {
        for (size_t key = 0; key < out.size(); ++key)
            out[key] = value(random, row, key);
    };
}

/// Gamma(shape), shape >= 1, from columns `from` to `from` + 59 of a row (Marsaglia & Tsang 2000; each try succeeds with 95% or more).
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

/// x = cos theta for a uniform direction in R^d: density proportional to (1 - x^2)^((d-3)/2); d = 1: +1 or -1.
LogitLaw cosineLaw(int d)
{
    const double power = (d - 3) / 2.0;
    LogitLaw law{.rule = {}, .density = {}, .gridFrom = never, .lower = -1, .upper = 1, .mean = 0, .variance = 1.0 / d,
                 .draw = drawEach([d](const Random& random, std::uint64_t row, std::uint64_t key) { return drawCosine(d, random, row, key); }),
                 .symmetric = true};
    if (d == 1) {
        law.rule = [](double, int) { return std::vector<Node>{{-1, 0.5}, {1, 0.5}}; };
        return law;
    }
    const double logNorm = std::lgamma(d / 2.0) - std::lgamma((d - 1) / 2.0) - std::log(std::numbers::pi) / 2;
    const auto rules = rulesBySize({16, 32, 64, 128}, [=](int count) { return gaussGegenbauer(count, power); });
    law.rule = [=](double s, int refine) {
        std::vector<Node> nodes = rules(refine * (12 + 6 * s));
        if (nodes.empty()) {  // in theta, where the density is smooth to the ends
            nodes = panels(0, std::numbers::pi, refine * s * std::numbers::pi / 2,
                           [=](double theta) { return std::exp(logNorm + (d - 2) * std::log(std::sin(theta))); });
            for (Node& node : nodes)
                node.x = std::cos(node.x);
        }
        return nodes;
    };

    // The density's Fourier transform falls off as Gamma(d/2) (2 / k)^((d-1)/2); on the grid k = 2 pi s / gridStep.
    law.density = [=](double x) { return x * x < 1 ? std::exp(logNorm + power * std::log1p(-x * x)) : 0; };
    if (d > 8)
        law.gridFrom = std::max(std::exp((std::lgamma(d / 2.0) + 37) / ((d - 1) / 2.0)) * gridStep / std::numbers::pi, 0.5 * std::sqrt(d));
    return law;
}

LogitLaw uniformLaw(double lo, double hi)
{
    const double middle = (lo + hi) / 2, half = (hi - lo) / 2;
    return {.rule = [=](double s, int refine) { return panels(lo, hi, refine * std::abs(s) * half, [=](double) { return 1 / (hi - lo); }); },
            .density = {}, .gridFrom = never, .lower = lo, .upper = hi, .mean = middle, .variance = half * half / 3,
            .draw = drawEach([=](const Random& random, std::uint64_t row, std::uint64_t key) { return lo + (hi - lo) * random.uniform(row, key); })};
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
    law.draw = drawEach([atoms = std::move(atoms)](const Random& random, std::uint64_t row, std::uint64_t key) {
        double left = random.uniform(row, key);
        const auto drawn = std::find_if(atoms.begin(), atoms.end(), [&left](const Node& atom) { return (left -= atom.weight) < 0; });
        return drawn == atoms.end() ? atoms.back().x : drawn->x;
    });
    return law;
}

/// |q| over panels that resolve the chi density, and row statistics as functions of s: they change over Delta s of order 1
/// where a row freezes, and slowly beyond.
std::vector<Node> chiPanels(int freedom, double spreadPerLength, int refine, bool needle)
{
    const double logNorm = (freedom / 2.0 - 1) * std::log(2) + std::lgamma(freedom / 2.0);
    const auto density = [=](double length) { return std::exp((freedom - 1) * std::log(length) - length * length / 2 - logNorm); };
    const double middle = std::sqrt(freedom), end = middle + 9;
    std::vector<Node> nodes;
    for (double at = std::max(0.0, middle - 9); at < end;) {
        const double s = at * spreadPerLength;
        const double next = std::min({at + (needle ? 2.0 : std::max(2.0, s / 4)) / spreadPerLength, at + 2, end});
        std::vector<Node> piece = panels(at, next, refine, density);
        nodes.insert(nodes.end(), piece.begin(), piece.end());
        at = next;
    }
    return nodes;
}

/// Rows whose r is |q| / sqrt d with `freedom` normal components in q: |q|^2 / 2 ~ Gamma(freedom / 2).
LogitDensity gaussianRows(int freedom, int d)
{
    LogitDensity density;
    density.law = normalLaw();
    density.meanSquareR = static_cast<double>(freedom) / d;
    if (freedom == 0) {
        density.rows = [](double, int, bool) { return std::vector<Node>{{0, 1}}; };
        density.drawR = [](const Random&, std::uint64_t) { return 0.0; };
        return density;
    }
    density.drawR = [=](const Random& random, std::uint64_t row) {
        std::vector<double> q(static_cast<size_t>(freedom));
        random.normals(row, q);
        return std::sqrt(std::inner_product(q.begin(), q.end(), q.begin(), 0.0) / d);
    };
    const auto rules = rulesBySize({4, 6, 8, 12, 16, 24, 32, 48, 64}, [=](int count) { return gaussGamma(count, freedom / 2.0); });
    density.rows = [=](double multiplier, int refine, bool needle) {
        // measured to give entropies to 1e-9 for n to 1e12: rows differ by Delta s = multiplier / sqrt(2 d), and nothing
        // changes much beyond s = 10
        const bool sharp = needle && std::abs(multiplier) > 1.5;
        std::vector<Node> rule = sharp ? std::vector<Node>{} : rules(refine * (4 + std::min(112 * std::abs(multiplier), 1100.0) / freedom));
        for (Node& node : rule)
            node.x = std::sqrt(2 * node.x);
        if (rule.empty())
            rule = chiPanels(freedom, std::abs(multiplier) / std::sqrt(d), refine, needle);
        std::erase_if(rule, [](const Node& node) { return node.weight < 1e-17; });
        for (Node& node : rule)
            node.x /= std::sqrt(d);
        return rule;
    };
    return density;
}

LogitDensity oneRow(LogitLaw law, double r)
{
    LogitDensity density;
    density.rows = [=](double, int, bool) { return std::vector<Node>{{r, 1}}; };
    density.drawR = [=](const Random&, std::uint64_t) { return r; };
    density.meanSquareR = r * r;
    density.law = std::move(law);
    return density;
}

/// "0, 1.5*0.3, 3": logits, each with a weight where it is not 1.
Result<std::vector<Node>> readAtoms(std::string_view text)
{
    std::vector<Node> atoms;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(',', at), text.size());
        std::string_view item = text.substr(at, end - at);
        const auto number = [&item](double& value) {
            item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
            const auto [rest, status] = std::from_chars(item.data(), item.data() + item.size(), value);
            item.remove_prefix(static_cast<size_t>(rest - item.data()));
            item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
            return status == std::errc{} && std::isfinite(value) && std::abs(value) <= 1e6;
        };
        Node atom{0, 1};
        bool valid = number(atom.x);
        if (valid && item.starts_with('*')) {
            item.remove_prefix(1);
            valid = number(atom.weight) && atom.weight > 0;
        }
        if (!valid || !item.empty())
            return failure(ErrorKind::InvalidArgument, "vocabulary, column " + std::to_string(at + 1) +
                                                           ": expected a logit, or logit*weight with a weight above 0, like 0,1.5*0.3,3");
        atoms.push_back(atom);
        if (atoms.size() > mostTerms)
            return failure(ErrorKind::InvalidArgument, "vocabulary: more than " + std::to_string(mostTerms) + " logits");
        at = end + 1;
    }
    return atoms;
}

constexpr auto Real = Parameter::Kind::Real;
constexpr auto Integer = Parameter::Kind::Integer;

std::vector<LogitDensityRow> makeRows()
{
    const auto row = [](Entry entry, Result<LogitDensity> (*make)(const Parameters&, int)) {
        LogitDensityRow made;
        static_cast<Entry&>(made) = std::move(entry);
        made.make = make;
        return made;
    };
    std::vector<LogitDensityRow> rows;
    rows.push_back(row({.id = "gaussian", .label = "Gaussian q and k", .formula = "q, k ~ N(0, I)", .source = "InfoScale, Assumption 3.1; EIE, Section 3",
                        .about = "Queries and keys with independent standard normal components. Given |q| the logits are normal, and |q| varies from row to row.",
                        .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters&, int d) -> Result<LogitDensity> { return gaussianRows(d, d); }));
    rows.push_back(row({.id = "normal", .label = "Normal logits", .formula = "z ~ N(0, {norm}²)", .source = "",
                        .about = "Gaussian keys and one query length for all rows.",
                        .parameters = {{"norm", "|q|/√d", 1, 0, 1e3, Real, "Length of the query in units of √d: the standard deviation of the logits at multiplier 1."}},
                        .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters& p, int) -> Result<LogitDensity> { return oneRow(normalLaw(), p["norm"]); }));
    rows.push_back(row({.id = "sphere", .label = "Unit directions", .formula = "|q| = |k| = √d, z = √d cos θ", .source = "Su 2021, eq. 9; InfoScale, Assumption 3.2",
                        .about = "Queries and keys point in uniformly random directions and all have length √d.",
                        .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters&, int d) -> Result<LogitDensity> { return oneRow(cosineLaw(d), std::sqrt(d)); }));
    rows.push_back(row({.id = "uniform", .label = "Uniform logits", .formula = "z ~ U({lo}, {hi})", .source = "",
                        .about = "Bounded logits without a preferred value, as Lemma 2.1 of softmax is not enough assumes.",
                        .parameters = {{"lo", "lo", -2, -1e3, 1e3, Real, "Smallest logit at multiplier 1."},
                                       {"hi", "hi", 2, -1e3, 1e3, Real, "Largest logit at multiplier 1."}},
                        .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters& p, int) -> Result<LogitDensity> {
                           if (!(p["lo"] < p["hi"]))
                               return failure(ErrorKind::InvalidArgument, "uniform: lo must be less than hi, not " + formatNumber(p["lo"]) + " and " + formatNumber(p["hi"]));
                           return oneRow(uniformLaw(p["lo"], p["hi"]), 1);
                       }));
    rows.push_back(row({.id = "vocabulary", .label = "Finite vocabulary", .formula = "z from a list", .source = "Softmax is not enough, Theorem 2.2",
                        .about = "Every key is one of finitely many tokens, and a token's logit is fixed.",
                        .parameters = {}, .presets = {}, .textLabel = "logits, each with its frequency: 0,1.5*0.3,3", .textByDefault = "-1,0,1"},
                       [](const Parameters& p, int) -> Result<LogitDensity> {
                           return readAtoms(p.text()).map([](std::vector<Node> atoms) { return oneRow(finiteLaw(std::move(atoms)), 1); });
                       }));
    rows.push_back(row({.id = "power_series", .label = "Power series", .formula = "z = {scale} {ratio}^k, k < {terms}", .source = "Softmax is not enough, fig. 4",
                        .about = "Every key's logit is one of the first terms of a power series, all equally likely.",
                        .parameters = {{"ratio", "ratio", 0.5, 0, 1, Real, "Ratio of neighbouring terms."},
                                       {"terms", "terms", 10, 1, mostTerms, Integer, "Number of terms."},
                                       {"scale", "scale", 1, -1e3, 1e3, Real, "The first term."}},
                        .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters& p, int) -> Result<LogitDensity> {
                           std::vector<Node> atoms;
                           for (int k = 0; k < static_cast<int>(p["terms"]); ++k)
                               atoms.push_back({p["scale"] * std::pow(p["ratio"], k), 1});
                           return oneRow(finiteLaw(std::move(atoms)), 1);
                       }));
    rows.push_back(row({.id = "needle", .label = "Needle", .formula = "one key at z = {gap}, the others Gaussian", .source = "",
                        .about = "One dimension carries a match between every query and one key; in the d − 1 others all are Gaussian.",
                        .parameters = {{"gap", "gap", 6, -50, 50, Real, "Logit of the matching key at multiplier 1."}},
                        .presets = {}, .textLabel = {}, .textByDefault = {}},
                       [](const Parameters& p, int d) -> Result<LogitDensity> { return gaussianRows(d - 1, d).withNeedle(p["gap"]); }));
    return rows;
}

}  // namespace

LogitDensity LogitDensity::withNeedle(double gap) const
{
    LogitDensity with = *this;
    with.needle = gap;
    return with;
}

std::span<const LogitDensityRow> logitDensities()
{
    static const std::vector<LogitDensityRow> rows = makeRows();
    return rows;
}

Result<LogitDensity> logitDensity(const Choice& choice, int d)
{
    const Result<const LogitDensityRow*> row = findRow(logitDensities(), choice.id, "logit density");
    if (!row)
        return tl::unexpected<Error>(row.error());
    if (const Result<void> valid = validate(**row, choice); !valid)
        return tl::unexpected<Error>(valid.error());
    if (d < 1)
        return failure(ErrorKind::InvalidArgument, "the head size d must be at least 1, not " + std::to_string(d));
    Result<LogitDensity> density = (*row)->make(Parameters(**row, choice), d);
    if (density) {
        density->choice = choice;
        density->d = d;
        density->label = describeChoice(**row, choice) + ", d = " + std::to_string(d);
    }
    return density;
}

Result<LogitDensity> logitDensity(std::string_view text, int d)
{
    return parseChoice(text, logitDensities(), "logit density").and_then([d](const Choice& choice) { return logitDensity(choice, d); });
}

}  // namespace attnscope
