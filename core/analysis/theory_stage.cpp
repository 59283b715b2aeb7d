#include "core/analysis/stage_keys.h"
#include "core/analysis/stages.h"

#include "core/attention/kernels.h"
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
    LogitDensity density;
    double lambdaOfMultiplier = 0;
};

/// Theory covers rows of softmax over all keys with nothing between the product and the normaliser.
std::optional<Law> lawOf(const Scenario& scenario, const Source& source)
{
    const AttentionSpec& spec = scenario.attention;
    const bool file = scenario.source.id == "tensors";  // there theory is a comparison, positions or not
    const bool plainMask = spec.mask.id == "full" || spec.mask.id == "causal";
    if (!source.density || spec.normaliser.id != "softmax" || spec.softCap > 0 || !plainMask || (spec.position.id != "none" && !file))
        return {};
    const double sqrtD = std::sqrt(scenario.d);
    if (spec.kernel.id == "dot")
        return Law{*source.density, 1 / (scenario.temperature * sqrtD)};
    if (spec.kernel.id != "cosine" || source.density->needle || source.heads.kind != HeadSet::Kind::QueryKey)
        return {};
    // alpha cos(theta) = (alpha / d) q.k for q and k of length sqrt d: only the directions matter, and they are uniform
    const Result<LogitDensity> sphere = logitDensity("sphere", scenario.d);
    const Result<const Kernel*> kernel = findRow(kernels(), spec.kernel.id, "kernel");
    if (!sphere || !kernel)
        return {};
    return Law{*sphere, Parameters(**kernel, spec.kernel)["alpha"] / (scenario.d * scenario.temperature)};
}

/// Where the method has a value: n and lambda.
struct Scales {
    std::vector<double> n, lambda;
};

Result<Scales> scalesOf(const Stage& stage, const Law& law, const Choice& method)
{
    const Scenario& scenario = stage.scenario;
    Scales scales;
    const auto scale = bindScale(method);
    if (!scale)
        return tl::unexpected<Error>(scale.error());
    const double first = std::log(static_cast<double>(scenario.view.curveFirst)), last = std::log(static_cast<double>(scenario.view.curveLast));
    for (int p = 0; p < pointCount && !stage.stopped(); ++p) {
        const double n = std::exp(first + (last - first) * p / (pointCount - 1));
        const Result<double> m = (*scale)({.keys = n, .rowKeys = n, .position = n - 1, .nTrain = scenario.nTrain, .d = scenario.d, .measured = {}});
        if (!m)
            continue;  // undefined at this n
        scales.n.push_back(n);
        scales.lambda.push_back(*m * law.lambdaOfMultiplier);
    }
    return scales;
}

Curve exactCurve(const Choice& measure, const LogitDensity& density, const Scales& scales)
{
    Curve curve;
    const auto values = expectedCurve(measure, density, scales.n, scales.lambda);
    for (size_t p = 0; values && p < values->size(); ++p)
        curve.push_back({scales.n[p], (*values)[p], 0});
    return curve;
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

Result<TheoryCurves> theoryOf(const Stage& stage, const Law& law, const Choice& method)
{
    const Choice& measure = stage.scenario.view.measure;
    const Result<Scales> scales = scalesOf(stage, law, method);
    if (!scales)
        return tl::unexpected<Error>(scales.error());
    TheoryCurves curves;
    curves.measure = exactCurve(measure, law.density, *scales);
    if (law.density.needle)
        curves.needle = exactCurve({"needle", {}, {}}, law.density, *scales);
    if (measure.id == "shannon" && !law.density.needle)
        curves.approximations = approximate(law.density, *scales, curves.measure);
    if (stage.stopped())
        return failure(ErrorKind::Cancelled, "stopped");
    return curves;
}

}  // namespace

Result<void> addTheory(Stage& stage, Analysis& analysis, const Source& source)
{
    const std::optional<Law> law = lawOf(stage.scenario, source);
    if (!law) {
        analysis.theory.clear();
        return {};
    }
    analysis.theory = law->density.label;
    for (MethodAnalysis& method : analysis.methods) {
        const auto curves = stage.cache.theory.get(theoryKey(stage.scenario, method.method), [&] { return theoryOf(stage, *law, method.method); });
        if (!curves)
            return tl::unexpected<Error>(curves.error());
        method.exact = (*curves)->measure;
        method.exactNeedle = (*curves)->needle;
        if (&method == &analysis.methods.front())
            analysis.approximations = (*curves)->approximations;
    }
    const double usual = law->lambdaOfMultiplier;
    const Result<double> lambda = entropyInvariantScale(law->density, static_cast<double>(stage.scenario.n), stage.scenario.nTrain, 1 / (usual * std::sqrt(law->density.d)));
    if (lambda)
        analysis.theoryKeepsEntropy = *lambda / usual;
    return {};
}

}  // namespace attnscope
