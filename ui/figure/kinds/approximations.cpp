// The papers' approximations of the expected entropy beside the exact curve: against lambda at one n, against n at the
// usual scale, and how far each is there from the exact value of the law that it is of. Beyond the freezing line the
// mean field is wrong.

#include "core/theory/approximations.h"
#include "core/theory/expected_row.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <memory>

namespace attnscope {

namespace {

/// One law: its exact entropy at n and lambda, and the papers' forms that are of it.
struct Side {
    LogitDensity density;
    QString name;  ///< ", sphere" where two laws stand beside each other
    std::vector<const Approximation*> forms;
};

/// The density itself, and the sphere where forms are of that and the density is another: forms are held against the
/// exact values of the law that they are of. The mean field is of any.
std::vector<Side> sidesOf(const LogitDensity& density)
{
    constexpr double n = 1024, lambda = 1e-3;  // what a form says something about does not hang on them
    Side own{density, {}, {}}, sphere{sphereLike(density), {}, {}};
    bool ofSphere = false;
    for (const Approximation& form : approximations())
        if (form.entropy(density, n, lambda)) {
            ofSphere = ofSphere || form.ofSphere;
            if (isSphere(density) || !form.ofSphere)
                own.forms.push_back(&form);
            sphere.forms.push_back(&form);
        }
    if (isSphere(density) || !ofSphere)
        return {own};
    own.name = u", "_s + text((*findRow(logitDensities(), density.choice.id, "density"))->label);
    sphere.name = u", sphere"_s;
    return {own, sphere};
}

/// Of each law the exact curve first, then its approximations. `exact` makes a function of x for a density.
template <class Exact, class At>
std::vector<std::vector<ChartSeries>> curves(const std::vector<Side>& sides, const std::vector<double>& x, Exact exact,
                                             At at)
{
    std::vector<std::vector<ChartSeries>> all;
    int style = 0;
    for (const Side& side : sides) {
        std::vector<ChartSeries>& ofSide = all.emplace_back();
        ofSide.push_back(sampled({.label = u"Exact"_s + side.name, .style = style++, .solid = true, .emphasis = 1.5}, x,
                                 exact(side.density)));
        for (const Approximation* form : side.forms)
            ofSide.push_back(
                sampled({.label = symbolsIn(text(form->label)) + side.name, .style = style++}, x, [&](double value) {
                    const auto [n, lambda] = at(value);
                    return form->entropy(side.density, n, lambda).value_or(std::nan(""));
                }));
    }
    return all;
}

std::vector<ChartSeries> joined(const std::vector<std::vector<ChartSeries>>& sides)
{
    std::vector<ChartSeries> all;
    for (const auto& side : sides)
        all.insert(all.end(), side.begin(), side.end());
    return all;
}

/// How far each approximation is from the first series of its side, the exact one.
std::vector<ChartSeries> distances(const std::vector<std::vector<ChartSeries>>& sides)
{
    std::vector<ChartSeries> all;
    for (const auto& side : sides)
        for (size_t s = 1; s < side.size(); ++s) {
            all.push_back(side[s]);
            for (size_t i = 0; i < all.back().points.size(); ++i)
                all.back().points[i].y = std::abs(side[s].points[i].y - side.front().points[i].y);
        }
    return all;
}

}  // namespace

Result<FigureContent> buildApproximations(const Recipe& recipe, std::stop_token stop)
{
    double n = 1024, largestLambda = 0.7;
    std::vector<std::int64_t> known;
    std::string law = "gaussian";
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("n", n, 2, 1e12);
    reader.number("largest_lambda", largestLambda, 1e-6, 100);
    readLengths(reader, "lengths", known, "16:1e6:41");
    reader.text("density", law);
    TRY(reader.finish());
    const auto density = TRY(logitDensity(law, recipe.scenario.d));

    const std::vector<Side> sides = sidesOf(density);
    FigureContent content;
    Panel scales, lengths;
    std::vector<double> lambda;
    for (int i = 1; i <= 120; ++i)
        lambda.push_back(largestLambda * i / 120);
    scales.chart.title = u"$n$ = %1, $d$ = %2"_s.arg(countText(n)).arg(recipe.scenario.d);
    scales.chart.x.title = u"Scale $\\lambda$"_s;
    scales.chart.x.range = {0, largestLambda};
    scales.chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    scales.chart.y.range = {0, std::log(n) * 1.02};
    scales.chart.legend = Legend::None;
    scales.chart.series = joined(curves(
        sides, lambda,
        [&](const LogitDensity& of) {
            return [&](double value) { return stop.stop_requested() ? std::nan("") : expectedEntropy(of, n, value); };
        },
        [&](double value) { return std::pair(n, value); }));
    scales.chart.lines.push_back({Qt::Vertical, freezingScale(density, n), u"freezes"_s, false});

    const double usual = 1 / std::sqrt(static_cast<double>(recipe.scenario.d));
    const std::vector<double> all(known.begin(), known.end());
    lengths.chart.title = u"$\\lambda = 1/\\sqrt{d}$"_s;
    lengths.chart.x = lengthAxis();
    lengths.chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    lengths.chart.y.range = {0, std::log(all.back()) * 1.02};
    lengths.chart.legend = Legend::None;
    const auto ofLengths = curves(
        sides, all,
        [&](const LogitDensity& of) {
            return [row = std::make_shared<ExpectedRow>(of, usual, *std::min_element(all.begin(), all.end()),
                                                        *std::max_element(all.begin(), all.end()))](double length) {
                return row->entropy(length);
            };
        },
        [&](double length) { return std::pair(length, usual); });
    lengths.chart.series = joined(ofLengths);
    if (stop.stop_requested())
        return failure(ErrorKind::Cancelled, "cancelled");
    Panel errors;
    errors.chart.title = u"Error at $\\lambda = 1/\\sqrt{d}$"_s;
    errors.chart.x = lengthAxis();
    errors.chart.y.title = u"Distance from exact (nats)"_s;
    errors.chart.y.log = true;
    errors.chart.legend = Legend::None;
    errors.chart.series = distances(ofLengths);
    content.legend = scales.chart.series;
    for (ChartSeries& series : content.legend)
        series.points.clear();
    size_t column = 0;
    for (Panel* panel : {&scales, &lengths, &errors})
        addPanel(content, std::move(*panel), 0, column++);
    return content;
}

}  // namespace attnscope
