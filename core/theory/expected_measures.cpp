#include "core/theory/expected_row.h"
#include "core/base/parallel.h"

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

std::vector<ExpectedMeasure> makeMeasures()
{
    using Lengths = std::span<const double>;
    constexpr auto Real = Parameter::Kind::Real;
    std::vector<ExpectedMeasure> rows;
    const auto add = [&rows](Entry entry, std::vector<double> (*values)(const ExpectedRow&, Lengths, const Parameters&)) {
        ExpectedMeasure row;
        static_cast<Entry&>(row) = std::move(entry);
        row.values = values;
        rows.push_back(std::move(row));
    };
    add({.id = "shannon", .label = "Expected entropy", .formula = "E H = F − s dF/ds", .source = "expected_row.h, eq. 2",
         .about = "Mean Shannon entropy of a row, nats.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return each(n, [&](double k) { return row.entropy(k); }); });
    add({.id = "normalised_entropy", .label = "Expected entropy over ln n", .formula = "E H / ln n", .source = "expected_row.h, eq. 2",
         .about = "1: uniform; 0 for one key.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) {
            return each(n, [&](double k) { return k > 1 ? row.entropy(k) / std::log(k) : 0; });
        });
    add({.id = "kl_uniform", .label = "Expected divergence from uniform", .formula = "ln n − E H", .source = "expected_row.h, eq. 2",
         .about = "Mean Kullback-Leibler divergence of a row from the uniform row, nats.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return each(n, [&](double k) { return std::log(k) - row.entropy(k); }); });
    add({.id = "renyi", .label = "Expected Rényi entropy", .formula = "E H_a = (F(a s) − a F(s)) / (1 − a), a = {a}", .source = "expected_row.h",
         .about = "Mean Rényi entropy of a row, nats; order 1 is Shannon's, order 2 the collision entropy.",
         .parameters = {{"a", "a", 2, 0, 64, Real, "Large orders look at the largest weight only."}}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters& p) { return row.renyi(n, p["a"]); });
    add({.id = "tsallis", .label = "Expected Tsallis entropy", .formula = "(1 − E Σ p^q) / (q − 1), q = {q}", .source = "expected_row.h, eq. 4",
         .about = "Mean Tsallis entropy of a row.", .parameters = {{"q", "q", 2, 0.25, 64, Real, "Order 1 is Shannon's entropy."}},
         .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters& p) {
            const double q = p["q"];
            if (std::abs(q - 1) < 1e-7)
                return each(n, [&](double k) { return row.entropy(k); });
            std::vector<double> values = row.powerSum(n, q);
            for (double& value : values)
                value = (1 - value) / (q - 1);
            return values;
        });
    add({.id = "collision", .label = "Expected collision", .formula = "E Σ p²", .source = "expected_row.h, eq. 4",
         .about = "Mean probability that two keys drawn from a row are the same.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return row.powerSum(n, 2); });
    add({.id = "free_energy", .label = "Free energy", .formula = "F = E ln Z", .source = "expected_row.h, eq. 1",
         .about = "Mean logarithm of the softmax denominator.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return each(n, [&](double k) { return row.freeEnergy(k); }); });
    add({.id = "mean_logit", .label = "Expected mean logit", .formula = "s dF/ds = E Σ p y", .source = "expected_row.h, eq. 2",
         .about = "Mean over rows of the logit that a row attends to.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return each(n, [&](double k) { return row.meanLogit(k); }); });
    add({.id = "needle", .label = "Expected weight of the needle", .formula = "E p of the matching key", .source = "expected_row.h, eq. 5",
         .about = "Mean weight of the one key whose logit is fixed; 0 where the density has none.", .parameters = {}, .presets = {}, .textLabel = {}, .textByDefault = {}},
        [](const ExpectedRow& row, Lengths n, const Parameters&) { return each(n, [&](double k) { return row.needleWeight(k); }); });
    return rows;
}

Result<const ExpectedMeasure*> usable(const Choice& measure, int d, std::span<const double> n, std::span<const double> lambda)
{
    const Result<const ExpectedMeasure*> row = findRow(expectedMeasures(), measure.id, "measure with an exact expectation");
    if (!row)
        return row;
    if (const Result<void> valid = validate(**row, measure); !valid)
        return tl::unexpected<Error>(valid.error());
    for (const double length : n)
        if (!(length >= 1 && length <= 1e12))
            return failure(ErrorKind::InvalidArgument, "n must be from 1 to 1e12, not " + formatNumber(length));
    for (const double scale : lambda)
        if (!(std::abs(scale) * std::sqrt(d) <= largestMultiplier))
            return failure(ErrorKind::InvalidArgument, "the scale lambda must be at most " + formatNumber(largestMultiplier / std::sqrt(d), 3) +
                                                           " at d = " + std::to_string(d) + ", not " + formatNumber(scale));
    return row;
}

}  // namespace

std::span<const ExpectedMeasure> expectedMeasures()
{
    static const std::vector<ExpectedMeasure> rows = makeMeasures();
    return rows;
}

Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n, double lambda)
{
    const Result<const ExpectedMeasure*> row = usable(measure, density.d, n, {&lambda, 1});
    if (!row)
        return tl::unexpected<Error>(row.error());
    if (n.empty())
        return std::vector<double>{};
    const auto [first, last] = std::minmax_element(n.begin(), n.end());
    return (*row)->values(ExpectedRow(density, lambda, *first, *last), n, Parameters(**row, measure));
}

Result<std::vector<double>> expectedCurve(const Choice& measure, const LogitDensity& density, std::span<const double> n, std::span<const double> lambda)
{
    if (n.size() != lambda.size())
        return failure(ErrorKind::InvalidArgument, std::to_string(n.size()) + " lengths but " + std::to_string(lambda.size()) + " scales");
    const Result<const ExpectedMeasure*> row = usable(measure, density.d, n, lambda);
    if (!row)
        return tl::unexpected<Error>(row.error());
    std::vector<double> out(n.size());
    forEachInParallel(static_cast<std::int64_t>(n.size()), 1, [&](std::int64_t index) {
        const auto k = static_cast<size_t>(index);
        out[k] = (*row)->values(ExpectedRow(density, lambda[k], n[k], n[k]), n.subspan(k, 1), Parameters(**row, measure)).front();
    });
    return out;
}

}  // namespace attnscope
