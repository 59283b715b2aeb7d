#include "core/analysis/stages.h"

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/length_list.h"
#include "core/rows/entropy_root.h"
#include "core/theory/approximations.h"
#include "core/theory/expected_row.h"
#include "core/theory/row_lengths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace attnscope {

namespace {

constexpr int pointCount = 72;

/// A density and the factor that turns a multiplier into lambda, the factor on its q.k.
struct Law {
    LogitDensity density;  ///< with its needle, if there is one
    double lambdaOfMultiplier = 0;
    double needleFrom = 1;             ///< the fewest keys that have the needle among them
    std::optional<RowSet::Kind> rows;  ///< that an expectation is the mean of; none: of one that sees all n keys

    bool hasNeedle(double keys) const { return density.needle && keys >= needleFrom; }
    /// Of a row over so many keys.
    LogitDensity at(double keys) const
    {
        return density.needle && !hasNeedle(keys) ? density.withoutNeedle() : density;
    }
    /// The keys that the rows of n tokens see, a whole number of them: N may be none.
    std::vector<RowLength> rowsOf(double n, const std::function<double(double keys)>& multiplier = {}) const
    {
        if (!rows)
            return {{n, 1}};
        const std::int64_t tokens = std::llround(n);
        return rowLengths(static_cast<double>(fewestKeys(*rows, tokens)), static_cast<double>(tokens), needleFrom,
                          multiplier);
    }
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
    const auto rows =
        scenario.ofTheory() || !looksAtPositions(spec.mask) ? std::nullopt : std::optional(scenario.view.rows);
    const double sqrtD = std::sqrt(scenario.d);
    if (isDotProduct(spec.kernel))
        return Law{*source.density, 1 / (scenario.temperature * sqrtD), static_cast<double>(source.needleKey + 1),
                   rows};
    // alpha cos(theta) = (alpha / d) q.k for q and k of length sqrt d: only the directions matter, and they are uniform
    const Result<LogitDensity> sphere = logitDensity("sphere", scenario.d);
    const Result<const Kernel*> kernel = findRow(kernels(), spec.kernel.id, "kernel");
    if (!sphere || !kernel)
        return {};
    return Law{*sphere, Parameters(**kernel, spec.kernel)["alpha"] / (scenario.d * scenario.temperature), 1, rows};
}

/// The rows of one length, and the lambda of each.
struct Point {
    double n = 0;
    std::vector<RowLength> rows;
    std::vector<double> lambda;

    /// The mean over the rows of a value of each.
    template <class Value>
    double mean(Value value) const
    {
        double sum = 0;
        for (size_t r = 0; r < rows.size(); ++r)
            sum += rows[r].share * value(r);
        return sum;
    }
};

/// A method as theory asks it.
struct Method {
    std::function<Result<double>(const ScaleContext&)> scale;
    bool countsRows = false;  ///< each its own keys
};

/// A method at n, or why it has no value for some of the rows.
Result<Point> pointAt(const Law& law, const Scenario& scenario, const Method& method, double n)
{
    const auto multiplier = [&](double keys) {
        ScaleContext context = lastRowOf(n, scenario.nTrain, scenario.d, scenario.temperature);
        context.rowKeys = keys;
        context.position = keys - 1;
        return method.scale(context);
    };
    const auto orNone = [&](double keys) { return multiplier(keys).value_or(std::nan("")); };
    Point point{n, method.countsRows ? law.rowsOf(n, orNone) : law.rowsOf(n), {}};
    for (const RowLength& row : point.rows)
        point.lambda.push_back(TRY(multiplier(row.keys)) * law.lambdaOfMultiplier);
    return point;
}

Result<Method> bound(const Choice& method)
{
    auto scale = TRY(bindScale(method));
    return Method{std::move(scale), TRY(countsOf(method)) == Counts::Row};
}

/// Evenly in ln n, and those that are read off: of the measured curve, and N. So many rows are a whole number.
std::vector<double> lengthsOf(const Law& law, const Scenario& scenario)
{
    const View& view = scenario.view;
    const double from = static_cast<double>(view.curveFirst), to = static_cast<double>(view.curveLast);
    std::set<double> lengths{from, to};  // to the last bit: a needle at the last of them is seen
    for (int p = 1; p + 1 < pointCount; ++p) {
        const double between = std::exp(std::log(from) + std::log(to / from) * p / (pointCount - 1));
        lengths.insert(law.rows ? std::round(between) : between);
    }
    for (const std::int64_t n : logSpacedLengths(view.curveFirst, view.curveLast, std::max(2, view.curvePoints)))
        lengths.insert(static_cast<double>(n));
    if (scenario.nTrain > from && scenario.nTrain < to)
        lengths.insert(scenario.nTrain);
    return {lengths.begin(), lengths.end()};
}

/// A method wherever it has a value.
Result<std::vector<Point>> pointsOf(const Stage& stage, const Law& law, const Choice& method)
{
    std::vector<Point> points;
    const Method scale = TRY(bound(method));
    for (const double n : lengthsOf(law, stage.scenario))
        if (stage.stopped())
            break;
        else if (Result<Point> point = pointAt(law, stage.scenario, scale, n))  // else undefined at this n
            points.push_back(std::move(*point));
    return points;
}

/// An exact expectation at every point of the methods, the mean over its rows, all in one call, which shares what they
/// have in common. The weight of a needle is 0 in rows without it. Errors: those of expectedCurve.
Result<std::vector<std::vector<double>>> expectations(const Choice& measure, const Law& law,
                                                      std::span<const std::vector<Point>> methods, std::stop_token stop)
{
    struct Mean {
        double sum = 0, share = 0;
    };
    std::vector<std::vector<Mean>> sums;
    for (const std::vector<Point>& points : methods)
        sums.emplace_back(points.size());
    for (const bool needle : {false, true}) {
        std::vector<double> keys, lambda;
        std::vector<std::pair<Mean*, double>> shares;
        for (size_t m = 0; m < methods.size(); ++m)
            for (size_t p = 0; p < methods[m].size(); ++p)
                for (size_t r = 0; r < methods[m][p].rows.size(); ++r) {
                    const Point& point = methods[m][p];
                    if (law.hasNeedle(point.rows[r].keys) != needle)
                        continue;
                    if (!needle && isOfNeedle(measure)) {
                        sums[m][p].share += point.rows[r].share;
                        continue;
                    }
                    keys.push_back(point.rows[r].keys);
                    lambda.push_back(point.lambda[r]);
                    shares.emplace_back(&sums[m][p], point.rows[r].share);
                }
        if (keys.empty())
            continue;
        const auto values = TRY(expectedCurve(measure, law.at(keys.front()), keys, lambda, stop));
        for (size_t k = 0; k < values.size(); ++k)
            if (std::isfinite(values[k])) {  // a row of one key has no value of some measures
                shares[k].first->sum += shares[k].second * values[k];
                shares[k].first->share += shares[k].second;
            }
    }
    std::vector<std::vector<double>> means;
    for (const std::vector<Mean>& ofMethod : sums) {
        means.emplace_back();
        for (const Mean& mean : ofMethod)
            means.back().push_back(mean.sum / mean.share);
    }
    return means;
}

/// Every method's curve; of the needle, from the first row on that has it. Empty curves where the measure has no exact
/// expectation, and a note where it has one but not for these parameters or scales. Errors: Cancelled.
Result<std::vector<Curve>> exactCurves(const Choice& measure, const Law& law,
                                       std::span<const std::vector<Point>> methods, std::stop_token stop,
                                       std::string& note)
{
    std::vector<Curve> curves(methods.size());
    const auto means = expectations(measure, law, methods, std::move(stop));
    if (!means && means.error().kind == ErrorKind::Cancelled)
        return tl::unexpected<Error>(means.error());
    if (!means && means.error().kind != ErrorKind::UnknownName)
        note = "there is no exact curve: " + means.error().message;
    for (size_t m = 0; means && m < methods.size(); ++m)
        for (size_t p = 0; p < methods[m].size(); ++p)
            if (const double n = methods[m][p].n;
                std::isfinite((*means)[m][p]) && (!isOfNeedle(measure) || law.hasNeedle(n)))
                curves[m].push_back({n, (*means)[m][p]});
    return curves;
}

/// The papers' forms at the points of their own law's exact curve: the density's, or the sphere's.
std::vector<ApproximationCurve> approximate(const LogitDensity& density, const std::vector<Point>& points,
                                            const Curve& exact, const Curve& sphere)
{
    std::vector<ApproximationCurve> curves;
    for (const Approximation& approximation : approximations()) {
        ApproximationCurve made{.id = approximation.id,
                                .label = approximation.label,
                                .curve = {},
                                .ofSphere = approximation.ofSphere,
                                .close = {}};
        for (const CurvePoint& at : approximation.ofSphere ? sphere : exact) {
            const Point& point = *std::ranges::lower_bound(points, at.n, {}, &Point::n);
            const double mean = point.mean([&](size_t r) {
                return approximation.entropy(density, point.rows[r].keys, point.lambda[r]).value_or(std::nan(""));
            });
            if (!std::isfinite(mean))
                continue;
            made.curve.push_back({at.n, mean});
            made.close.push_back(std::abs(mean - at.value) <= closeNats);
        }
        if (!made.curve.empty())
            curves.push_back(std::move(made));
    }
    return curves;
}

/// What approximations of the sphere are held against, for every method: `exact`, where that is the law. Errors:
/// Cancelled.
Result<std::vector<Curve>> exactOnSphere(const Stage& stage, const Law& law,
                                         std::span<const std::vector<Point>> methods, const std::vector<Curve>& exact)
{
    if (isSphere(law.density))
        return exact;
    Law sphere = law;
    sphere.density = sphereLike(law.density);
    std::string ofOthers;
    return exactCurves({"shannon", {}, {}}, sphere, methods, stage.stop, ofOthers);
}

Result<std::vector<TheoryCurves>> curvesOf(const Stage& stage, const Law& law, const std::vector<Choice>& methods)
{
    std::string note;
    const Choice& measure = stage.scenario.view.measure;
    std::vector<std::vector<Point>> points;
    for (const Choice& method : methods)
        points.push_back(TRY(pointsOf(stage, law, method)));
    std::vector<Curve> exact = TRY(exactCurves(measure, law, points, stage.stop, note));
    std::vector<TheoryCurves> curves(methods.size());
    const bool approximated = isShannon(measure) && !law.density.needle;
    std::vector<Curve> sphere =
        approximated ? TRY(exactOnSphere(stage, law, points, exact)) : std::vector<Curve>(methods.size());
    for (size_t m = 0; m < methods.size(); ++m) {
        if (approximated && !exact[m].empty())
            curves[m].approximations = approximate(law.density, points[m], exact[m], sphere[m]);
        if (!isSphere(law.density) && std::ranges::any_of(curves[m].approximations, &ApproximationCurve::ofSphere))
            curves[m].sphere = std::move(sphere[m]);
        curves[m].measure = std::move(exact[m]);
        curves[m].note = note;
    }
    std::string ofOthers;  // entropy and needle: what the chart shows is said above
    std::vector<Curve> entropy = isShannon(measure)
                                     ? std::vector<Curve>()
                                     : TRY(exactCurves({"shannon", {}, {}}, law, points, stage.stop, ofOthers));
    for (size_t m = 0; m < methods.size(); ++m)
        curves[m].entropy = isShannon(measure) ? curves[m].measure : std::move(entropy[m]);
    if (!law.density.needle)
        return curves;
    std::vector<Curve> needle = TRY(exactCurves({"needle", {}, {}}, law, points, stage.stop, ofOthers));
    for (size_t m = 0; m < methods.size(); ++m)
        curves[m].needle = std::move(needle[m]);
    return curves;
}

/// The mean E H of the rows of a point, nats. Errors: those of expectedCurve.
Result<double> entropyAt(const Stage& stage, const Law& law, Point point)
{
    const std::vector<Point> points{std::move(point)};
    return expectations({"shannon", {}, {}}, law, std::span(&points, 1), stage.stop)
        .map([](const std::vector<std::vector<double>>& means) { return means.front().front(); });
}

/// Of the rows of n tokens, all under the multiplier m. Errors: those of expectedCurve.
Result<double> entropyAt(const Stage& stage, const Law& law, double n, double m)
{
    Point point{n, law.rowsOf(n), {}};
    point.lambda.assign(point.rows.size(), m * law.lambdaOfMultiplier);
    return entropyAt(stage, law, std::move(point));
}

/// Nothing in place of any error but Cancelled.
template <class Value>
Result<std::optional<Value>> unlessUnknown(const Result<Value>& value)
{
    if (!value && value.error().kind == ErrorKind::Cancelled)
        return tl::unexpected<Error>(value.error());
    return value ? std::optional<Value>(*value) : std::nullopt;
}

/// A method at n, beside m = 1 at N; none where it or an expectation has no value. Errors: Cancelled.
Result<std::optional<ExpectedAtLength>> expectedAt(const Stage& stage, const Law& law, const Choice& method)
{
    const Scenario& scenario = stage.scenario;
    const double n = static_cast<double>(scenario.n);
    const Method scale = TRY(bound(method));
    const Result<double> m = scale.scale(lastRowOf(n, scenario.nTrain, scenario.d, scenario.temperature));
    if (!m)
        return std::nullopt;
    return unlessUnknown(pointAt(law, scenario, scale, n).and_then([&](const Point& point) {
        return entropyAt(stage, law, point).and_then([&](double entropy) {
            return entropyAt(stage, law, scenario.nTrain, 1).map([&](double atTrained) {
                return ExpectedAtLength{*m, entropy, atTrained};
            });
        });
    }));
}

/// The multiplier that keeps the entropy of N, or none.
Result<Shared<std::optional<double>>> multiplierThatKeepsEntropy(const Stage& stage, const Law& law)
{
    const Scenario& scenario = stage.scenario;
    return stage.cache.theoryScales.get(theoryScaleKey(scenario), [&]() -> Result<std::optional<double>> {
        const auto root = entropyAt(stage, law, scenario.nTrain, 1).and_then([&](double entropy) {
            return entropyRoot(entropy,
                               [&](double m) { return entropyAt(stage, law, static_cast<double>(scenario.n), m); });
        });
        const auto found = TRY(unlessUnknown(root));
        return found ? found->multiplier : std::nullopt;
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
    Theory theory{.law = law->density.label,
                  .methods = {},
                  .expected = {},
                  .entropyAtTrained = {},
                  .keepsEntropy = {},
                  .note = {},
                  .lacks = {}};
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
    theory.entropyAtTrained = TRY(unlessUnknown(entropyAt(stage, *law, stage.scenario.nTrain, 1)));
    const auto multiplier = TRY(multiplierThatKeepsEntropy(stage, *law));
    theory.keepsEntropy = *multiplier;
    theory.note = theory.methods.empty() ? "" : theory.methods.front()->note;
    return theory;
}

}  // namespace attnscope
