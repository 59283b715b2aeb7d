#include "core/theory/logit_density.h"

#include "core/theory/gauss_rules.h"
#include "core/theory/ln_gamma.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

constexpr int mostTerms = 4096;
constexpr const char* sphereId = "sphere";

/// |q| over panels that resolve the chi density and row statistics as functions of s. These change over Delta s of
/// order 1 where a row freezes, and beyond, where only x matters, over fixed shares of s: a needle takes over from n
/// keys within s / (2 ln n), narrower than anything else.
std::vector<Node> chiPanels(int freedom, double spreadPerLength, int refine, bool needle)
{
    const double logNorm = (freedom / 2.0 - 1) * std::log(2) + lnGamma(freedom / 2.0);
    const auto density = [=](double length) {
        return std::exp((freedom - 1) * std::log(length) - length * length / 2 - logNorm);
    };
    const double middle = std::sqrt(freedom), end = middle + 9;
    std::vector<Node> nodes;
    for (double at = std::max(0.0, middle - 9); at < end;) {
        const double s = at * spreadPerLength;
        const double next = std::min({at + std::max(2.0, s / (needle ? 8 : 4)) / spreadPerLength, at + 2, end});
        const std::vector<Node> piece = gaussPanels(at, next, refine, density);
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
    const auto rules =
        rulesOfSizes({4, 6, 8, 12, 16, 24, 32, 48, 64}, [=](int count) { return gaussGamma(count, freedom / 2.0); });
    density.rows = [=](double multiplier, int refine, bool needle) {
        // measured to give entropies to 1e-9 for n to 1e12: rows differ by Delta s = multiplier / sqrt(2 d), and
        // nothing changes much beyond s = 10
        const bool sharp = needle && std::abs(multiplier) > 1.5;
        std::vector<Node> rule =
            sharp ? std::vector<Node>{} : rules(refine * (4 + std::min(112 * std::abs(multiplier), 1100.0) / freedom));
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
            return failure(
                ErrorKind::InvalidArgument,
                "finite, column {}: expected a logit, or logit*weight with a weight above 0, like 0,1.5*0.3,3", at + 1);
        atoms.push_back(atom);
        if (atoms.size() > mostTerms)
            return failure(ErrorKind::InvalidArgument, "finite: more than {} logits", mostTerms);
        at = end + 1;
    }
    return atoms;
}

constexpr auto Real = Parameter::Kind::Real;
constexpr auto Integer = Parameter::Kind::Integer;

}  // namespace

LogitDensity LogitDensity::withNeedle(double gap) const
{
    LogitDensity with = *this;
    with.needle = gap;
    return with;
}

LogitDensity LogitDensity::withoutNeedle() const
{
    LogitDensity without = *this;
    without.needle.reset();
    return without;
}

LogitDensity sphereLike(const LogitDensity& density)
{
    LogitDensity sphere = oneRow(cosineLaw(density.d), std::sqrt(density.d * density.variance()));
    sphere.choice = {sphereId, {}, {}};
    sphere.d = density.d;
    sphere.label = fmt::format("{}, d = {}", describeChoice(logitDensities(), sphere.choice), density.d);
    return sphere;
}

bool isSphere(const LogitDensity& density) { return density.choice.id == sphereId; }

std::span<const LogitDensityRow> logitDensities()
{
    static const std::vector<LogitDensityRow> rows{
        {{.id = "gaussian",
          .label = "Gaussian q and k",
          .formula = "q, k ~ N(0, I)",
          .source = "InfoScale, Assumption 3.1; EIE, Section 3",
          .about = "Queries and keys with independent standard normal components. Given |q| the logits "
                   "are normal, and |q| varies from row to row."},
         [](const Parameters&, int d) -> Result<LogitDensity> { return gaussianRows(d, d); }},
        {{.id = "normal",
          .label = "Normal logits",
          .formula = "z ~ N(0, {norm}²)",
          .source = "",
          .about = "Gaussian keys and one query length for all rows.",
          .parameters =
              {{"norm", "|q|/√d", 1, 0, 1e3, Real,
                "Length of the query in units of √d: the standard deviation of the logits at multiplier 1."}}},
         [](const Parameters& p, int) -> Result<LogitDensity> { return oneRow(normalLaw(), p["norm"]); }},
        {{.id = sphereId,
          .label = "Unit directions",
          .formula = "|q| = |k| = √d, z = √d cos θ",
          .source = "Su 2021, eq. 9; InfoScale, Assumption 3.2",
          .about = "Queries and keys point in uniformly random directions and all have length √d."},
         [](const Parameters&, int d) -> Result<LogitDensity> { return oneRow(cosineLaw(d), std::sqrt(d)); }},
        {{.id = "uniform",
          .label = "Bounded logits",
          .formula = "z uniform on [{lo}, {hi}]",
          .source = "Veličković et al. 2024, Lemma 2.1",
          .about = "Independent logits within an interval: Lemma 2.1's bounds hold with the interval's width.",
          .parameters = {{"lo", "lowest", -2, -100, 100, Real, "Smallest logit at multiplier 1."},
                         {"hi", "highest", 2, -100, 100, Real, "Largest logit at multiplier 1."}}},
         [](const Parameters& p, int) -> Result<LogitDensity> {
             if (!(p["lo"] < p["hi"]))
                 return failure(ErrorKind::InvalidArgument, "uniform: lo must be less than hi, not {} and {}",
                                formatNumber(p["lo"]), formatNumber(p["hi"]));
             return oneRow(uniformLaw(p["lo"], p["hi"]), 1);
         }},
        {{.id = "finite",
          .label = "Listed logits",
          .formula = "z from a list",
          .source = "Veličković et al. 2024, Theorem 2.2",
          .about = "Every key is one of finitely many tokens, drawn at random, and a token's logit is fixed.",
          .textLabel = "logits, each with its frequency: 0,1.5*0.3,3",
          .textByDefault = "-1,0,1"},
         [](const Parameters& p, int) -> Result<LogitDensity> {
             return readAtoms(p.text()).map(
                 [](std::vector<Node> atoms) { return oneRow(finiteLaw(std::move(atoms)), 1); });
         }},
        {{.id = "power_series",
          .label = "Power series",
          .formula = "z = {amplitude} · {ratio}^k, k = 1 … {terms}",
          .source = "Veličković et al. 2024, fig. 4",
          .about = "Every key's logit is one of the first terms of a power series, drawn at random: how fast they "
                   "fall decides how temperature acts on entropy. With ratio 0 or 1 all are the same.",
          .parameters = {{"ratio", "ratio", 0.8, 0, 1, Real, "Ratio of neighbouring terms."},
                         {"amplitude", "amplitude", 10, -100, 100, Real,
                          "What every term is multiplied by: an inverse temperature."},
                         {"terms", "terms", 10, 1, mostTerms, Integer, "Number of terms."}}},
         [](const Parameters& p, int) -> Result<LogitDensity> {
             std::vector<Node> atoms;
             for (int k = 1; k <= static_cast<int>(p["terms"]); ++k)
                 atoms.push_back({p["amplitude"] * std::pow(p["ratio"], k), 1});
             return oneRow(finiteLaw(std::move(atoms)), 1);
         }},
        {{.id = "needle",
          .label = "Needle",
          .formula = "one key at z = {gap}, the others Gaussian",
          .source = "",
          .about =
              "One dimension carries a match between every query and one key; in the d − 1 others all are Gaussian.",
          .parameters = {{"gap", "gap", 6, -50, 50, Real, "Logit of the matching key at multiplier 1."}}},
         [](const Parameters& p, int d) -> Result<LogitDensity> {
             return gaussianRows(d - 1, d).withNeedle(p["gap"]);
         }},
    };
    return rows;
}

Result<LogitDensity> logitDensity(const Choice& choice, int d)
{
    const LogitDensityRow* row = TRY(findRow(logitDensities(), choice.id, "logit density"));
    TRY(validate(*row, choice));
    if (d < 1)
        return failure(ErrorKind::InvalidArgument, "the head size d must be at least 1, not {}", d);
    Result<LogitDensity> density = row->make(Parameters(*row, choice), d);
    if (density) {
        density->choice = choice;
        density->d = d;
        density->label = fmt::format("{}, d = {}", describeChoice(*row, choice), d);
    }
    return density;
}

Result<LogitDensity> logitDensity(std::string_view text, int d)
{
    return parseChoice(text, logitDensities(), "logit density").and_then([d](const Choice& choice) {
        return logitDensity(choice, d);
    });
}

}  // namespace attnscope
