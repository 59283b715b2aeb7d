#include "core/analysis/stages.h"

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/theory/approximations.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int pointCount = 72;
constexpr double closeNats = 0.05;

/// A density and the factor that turns a multiplier into lambda, the factor on its q.k.
struct Law {
    LogitDensity density;  ///< with its needle, if there is one
    double lambdaOfMultiplier = 0;
    double needleFrom = 1;  ///< the fewest keys that have the needle among them

    bool hasNeedle(double n) const { return density.needle && n >= needleFrom; }
    /// Of a row over n keys.
    LogitDensity at(double n) const { return density.needle && !hasNeedle(n) ? density.withoutNeedle() : density; }
};

/// Theory covers rows of softmax over all n keys with nothing between the product and the normaliser: what of the
/// scenario it does not, "positions: RoPE"; empty where it covers all. In a file it is a comparison, positions or not.
std::string notCovered(const Scenario& scenario, const Source& source)
{
    const AttentionSpec& spec = scenario.attention;
    if (!isSoftmax(spec.normaliser))
        return "normaliser: " + describeChoice(normalisers(), spec.normaliser);
    if (spec.softCap > 0)
        return "soft-cap: " + formatNumber(spec.softCap);
    if (!seesAllOrCausal(spec.mask))
        return "mask: " + describeChoice(masks(), spec.mask);
    if (hasPositions(spec.position) && !scenario.ofFile())
        return "positions: " + describeChoice(positions(), spec.position);
    const bool knowsCosine =
        !(source.density && source.density->needle) && source.heads.kind == HeadSet::Kind::QueryKey;
    return isDotProduct(spec.kernel) || (isCosine(spec.kernel) && knowsCosine)
               ? std::string()
               : "kernel: " + describeChoice(kernels(), spec.kernel);
}

std::optional<Law> lawOf(const Scenario& scenario, const Source& source)
{
    const AttentionSpec& spec = scenario.attention;
    if (!source.density || !notCovered(scenario, source).empty())
        return {};
    if (scenario.view.rows == CountedRows::All && !scenario.ofTheory() && looksAtPositions(spec.mask))
        return {};  // of the rows that count most see fewer
    const double sqrtD = std::sqrt(scenario.d);
    if (isDotProduct(spec.kernel))
        return Law{*source.density, 1 / (scenario.temperature * sqrtD), static_cast<double>(source.needleKey + 1)};
    // alpha cos(theta) = (alpha / d) q.k for q and k of length sqrt d: only the directions matter, and they are uniform
    const Result<LogitDensity> sphere = logitDensity("sphere", scenario.d);
    const Result<const Kernel*> kernel = findRow(kernels(), spec.kernel.id, "kernel");
    if (!sphere || !kernel)
        return {};
    return Law{*sphere, Parameters(**kernel, spec.kernel)["alpha"] / (scenario.d * scenario.temperature)};
}

/// Where a method has a value: n and lambda.
struct Scales {
    std::vector<double> n, lambda;
};

Result<Scales> scalesOf(const Stage& stage, const Law& law, const Choice& method)
{
    const Scenario& scenario = stage.scenario;
    Scales scales;
    const auto scale = TRY(bindScale(method));
    const double first = std::log(static_cast<double>(scenario.view.curveFirst)),
                 last = std::log(static_cast<double>(scenario.view.curveLast));
    for (int p = 0; p < pointCount && !stage.stopped(); ++p) {
        const double n = p == 0
                             ? static_cast<double>(
                                   scenario.view.curveFirst)  // to the last bit: a needle at the last of them is seen
                         : p == pointCount - 1 ? static_cast<double>(scenario.view.curveLast)
                                               : std::exp(first + (last - first) * p / (pointCount - 1));
        const Result<double> m = scale(lastRowOf(n, scenario.nTrain, scenario.d));
        if (!m)
            continue;  // undefined at this n
        scales.n.push_back(n);
        scales.lambda.push_back(*m * law.lambdaOfMultiplier);
    }
    return scales;
}

/// The measure of every method at the lengths that have the needle, or at those that do not: all in one call, which
/// shares what they have in common. Added to the curves. Errors: those of expectedCurve.
Result<void> addExact(std::vector<Curve>& curves, const Choice& measure, const Law& law, bool needle,
                      std::span<const Scales> methods, std::stop_token stop)
{
    Scales all;
    for (const Scales& method : methods)
        for (size_t p = 0; p < method.n.size(); ++p)
            if (law.hasNeedle(method.n[p]) == needle) {
                all.n.push_back(method.n[p]);
                all.lambda.push_back(method.lambda[p]);
            }
    if (all.n.empty())
        return {};
    const auto values = TRY(expectedCurve(measure, law.at(all.n.front()), all.n, all.lambda, std::move(stop)));
    for (size_t m = 0, next = 0; m < methods.size(); ++m)
        for (const double n : methods[m].n)
            if (law.hasNeedle(n) == needle) {
                if (std::isfinite(values[next]))
                    curves[m].push_back({n, values[next], 0});
                ++next;
            }
    return {};
}

/// Every method's curve. Empty curves where the measure has no exact expectation, and a note where it has one but not
/// for these parameters or scales. Errors: Cancelled.
Result<std::vector<Curve>> exactCurves(const Choice& measure, const Law& law, std::span<const Scales> methods,
                                       std::stop_token stop, std::string& note)
{
    std::vector<Curve> curves(methods.size());
    for (const bool needle : {false, true}) {  // rising: there is no needle before needleFrom
        if (!needle && isOfNeedle(measure))
            continue;
        const Result<void> added = addExact(curves, measure, law, needle, methods, stop);
        if (added)
            continue;
        if (added.error().kind == ErrorKind::Cancelled)
            return tl::unexpected<Error>(added.error());
        if (added.error().kind != ErrorKind::UnknownName)
            note = "there is no exact curve: " + added.error().message;
        return std::vector<Curve>(methods.size());
    }
    return curves;
}

std::vector<ApproximationCurve> approximate(const LogitDensity& density, const Scales& scales, const Curve& exact)
{
    std::vector<ApproximationCurve> curves;
    for (const Approximation& approximation : approximations()) {
        ApproximationCurve made{.id = approximation.id, .label = approximation.label, .curve = {}, .close = {}};
        for (size_t p = 0; p < exact.size(); ++p) {
            const std::optional<double> value = approximation.entropy(density, scales.n[p], scales.lambda[p]);
            if (!value || !std::isfinite(*value))
                continue;
            made.curve.push_back({scales.n[p], *value, 0});
            made.close.push_back(std::abs(*value - exact[p].value) <= closeNats);
        }
        if (!made.curve.empty())
            curves.push_back(std::move(made));
    }
    return curves;
}

Result<std::vector<TheoryCurves>> curvesOf(const Stage& stage, const Law& law, const std::vector<Choice>& methods)
{
    std::string note;
    const Choice& measure = stage.scenario.view.measure;
    std::vector<Scales> scales;
    for (const Choice& method : methods)
        scales.push_back(TRY(scalesOf(stage, law, method)));
    std::vector<Curve> exact = TRY(exactCurves(measure, law, scales, stage.stop, note));
    std::vector<TheoryCurves> curves(methods.size());
    for (size_t m = 0; m < methods.size(); ++m) {
        if (isShannon(measure) && !law.density.needle && !exact[m].empty())
            curves[m].approximations = approximate(law.density, scales[m], exact[m]);
        curves[m].measure = std::move(exact[m]);
        curves[m].note = note;
    }
    if (!law.density.needle)
        return curves;
    std::vector<Curve> needle = TRY(exactCurves({"needle", {}, {}}, law, scales, stage.stop, note));
    for (size_t m = 0; m < methods.size(); ++m)
        curves[m].needle = std::move(needle[m]);
    return curves;
}

/// E H over n keys under the multiplier m, nats. Errors: those of expectedCurve.
Result<double> entropyAt(const Stage& stage, const Law& law, double n, double m)
{
    const double lambda = m * law.lambdaOfMultiplier;
    return expectedCurve({"shannon", {}, {}}, law.at(n), std::span(&n, 1), std::span(&lambda, 1), stage.stop)
        .map([](const std::vector<double>& entropy) { return entropy.front(); });
}

/// A method at n, beside m = 1 at N; none where it or an expectation has no value. Errors: Cancelled.
Result<std::optional<ExpectedAtLength>> expectedAt(const Stage& stage, const Law& law, const Choice& method)
{
    const Scenario& scenario = stage.scenario;
    const double n = static_cast<double>(scenario.n);
    const Result<double> m = TRY(bindScale(method))(lastRowOf(n, scenario.nTrain, scenario.d));
    if (!m)
        return std::nullopt;
    const auto made = entropyAt(stage, law, n, *m).and_then([&](double entropy) {
        return entropyAt(stage, law, scenario.nTrain, 1).map([&](double atTrained) {
            return ExpectedAtLength{*m, entropy, atTrained};
        });
    });
    if (!made && made.error().kind == ErrorKind::Cancelled)
        return tl::unexpected<Error>(made.error());
    return made ? std::optional(*made) : std::nullopt;
}

/// The multiplier of lambda*(n), or none.
Result<Shared<std::optional<double>>> scaleThatKeepsEntropy(const Stage& stage, const Law& law)
{
    const Scenario& scenario = stage.scenario;
    return stage.cache.theoryScales.get(theoryScaleKey(scenario), [&]() -> Result<std::optional<double>> {
        const double n = static_cast<double>(scenario.n);
        const Result<double> lambda = entropyAt(stage, law, scenario.nTrain, 1).and_then([&](double entropy) {
            return scaleOfEntropy(law.at(n), n, entropy);
        });
        if (!lambda && lambda.error().kind == ErrorKind::Cancelled)
            return tl::unexpected<Error>(lambda.error());
        return lambda ? std::optional(*lambda / law.lambdaOfMultiplier) : std::nullopt;
    });
}

}  // namespace

Result<Theory> theoryStage(const Stage& stage, const Source& source)
{
    const bool wanted = stage.scenario.view.curvePoints > 0 || source.heads.headCount() == 0;
    const std::optional<Law> law = wanted ? lawOf(stage.scenario, source) : std::nullopt;
    if (!law) {
        Theory none;
        if (source.heads.headCount() == 0)
            none.lacks = notCovered(stage.scenario, source);
        return none;
    }
    Theory theory{
        .law = law->density.label, .methods = {}, .expected = {}, .keepsEntropy = {}, .note = {}, .lacks = {}};
    std::vector<Choice> missing;
    for (const Choice& method : stage.scenario.methods) {
        theory.methods.push_back(stage.cache.theory.find(theoryKey(stage.scenario, method)));
        if (!theory.methods.back())
            missing.push_back(method);
    }
    std::vector<TheoryCurves> made =
        TRY(missing.empty() ? std::vector<TheoryCurves>{} : curvesOf(stage, *law, missing));
    for (size_t m = 0, next = 0; m < theory.methods.size(); ++m)
        if (!theory.methods[m])
            theory.methods[m] =
                stage.cache.theory.keep(theoryKey(stage.scenario, stage.scenario.methods[m]), std::move(made[next++]));

    for (const Choice& method : source.heads.headCount() == 0 ? stage.scenario.methods : std::vector<Choice>{})
        theory.expected.push_back(TRY(expectedAt(stage, *law, method)));
    const auto scale = TRY(scaleThatKeepsEntropy(stage, *law));
    theory.keepsEntropy = *scale;
    theory.note = theory.methods.empty() ? "" : theory.methods.front()->note;
    return theory;
}

}  // namespace attnscope
