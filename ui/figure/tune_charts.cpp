#include "ui/figure/tune_charts.h"

#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/analysis_charts.h"
#include "ui/figure/labels.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace attnscope {

namespace {

/// Styles of published methods are their own; what was searched for is what a user would write as an expression.
std::vector<Choice> everyMethod()
{
    std::vector<Choice> all;
    for (const ScaleMethod& method : scaleMethods())
        all.push_back({method.id, {}, {}});
    return all;
}

int styleOf(const std::string& method)
{
    const std::vector<Choice> one{{method, {}, {}}};
    return methodStyles(one).front();
}

/// One that was searched for, not published: of its positions, and whether a row has its own multiplier.
QString searchedAs(const Setting& setting)
{
    QString name = setting.policy.factors.empty() ? u"searched"_s : u"a factor a head"_s;
    if (setting.rule.starts_with("row"))
        name += u", by row"_s;
    if (setting.policy.position)
        if (const auto row = findRow(positions(), setting.policy.position->id, "position"))
            name += u", "_s + text((*row)->label);
    return name;
}

/// Points that share a line, in the order of their abscissa.
struct Group {
    QString label;
    int style = ChartSeries::reference;
    std::vector<ChartPoint> exact = {}, few = {};
    bool joined = true;
    std::size_t windows = 0;  ///< of those on few, where all have as many
};

QString windowsInWords(std::size_t count) { return count == 1 ? u"1 window"_s : u"%1 windows"_s.arg(count); }

void addPoint(Group& group, double x, const TriedSetting& tried, std::size_t all)
{
    const bool few = tried.windows != all;
    if (few)
        group.windows = group.few.empty() || group.windows == tried.windows ? tried.windows : 0;
    (few ? group.few : group.exact).push_back({x, tried.change});
}

void addGroup(ChartSpec& chart, Group group, std::size_t all)
{
    const auto series = [&](std::vector<ChartPoint> points, bool exact) {
        return ChartSeries{.name = exact ? group.label : u"%1, on few windows"_s.arg(group.label),
                           .style = group.style,
                           .shape = exact && group.joined ? ChartSeries::Shape::LinePoints : ChartSeries::Shape::Points,
                           .solid = true,
                           .open = !exact,
                           .points = std::move(points)};
    };
    std::ranges::sort(group.few, {}, &ChartPoint::x);
    std::ranges::sort(group.exact, {}, &ChartPoint::x);
    const auto add = [&](std::vector<ChartPoint> points, bool exact, const QString& label) {
        if (points.empty())
            return;
        chart.series.push_back(series(std::move(points), exact));
        chart.series.back().label = label;
    };
    const bool both = !group.few.empty() && !group.exact.empty();  // of published ones the marker alone says it
    const QString fewer = group.windows > 0 ? windowsInWords(group.windows) : u"fewer windows"_s;
    add(std::move(group.few), false,
        !both          ? group.label
        : group.joined ? u"%1, %2"_s.arg(group.label, fewer)
                       : QString());
    add(std::move(group.exact), true,
        both && group.joined ? u"%1, all %2"_s.arg(group.label, windowsInWords(all)) : group.label);
}

std::size_t mostWindows(const std::vector<TriedSetting>& tried)
{
    std::size_t most = 0;
    for (const TriedSetting& one : tried)
        most = std::max(most, one.windows);
    return most;
}

/// A search looks far away too, where losses are many times what it is about: what is shown is what lies below the
/// model as it is and about as much above it, and half of the points at least.
std::pair<double, double> rangeOf(const ChartSpec& chart)
{
    std::vector<double> all{0};
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            if (std::isfinite(point.y))
                all.push_back(point.y);
    std::ranges::sort(all);
    const double low = all.front(), high = all.back(), middle = all[all.size() / 2];
    constexpr double least = 1e-3;  // nats: less is nothing to look at, and its numbers have no room
    double top = std::min(high, std::max({-1.5 * low, 1.5 * middle, least}));
    double bottom = low;
    if (top - bottom < least) {
        const double centre = (top + bottom) / 2;
        bottom = centre - least / 2;
        top = centre + least / 2;
    }
    const double margin = 0.06 * (top - bottom);
    return {bottom - margin, top + margin};
}

ChartSpec emptyChart()
{
    ChartSpec chart;
    chart.x.log = true;
    chart.y.title = u"Change of the loss (nats)"_s;
    chart.legend = Legend::Right;
    chart.trials = true;
    chart.lines.push_back({Qt::Horizontal, 0, u"the model as it is"_s, false});
    return chart;
}

/// Once it is known what is shown.
void sayWhichWindows(ChartSpec& chart, const TuneCurve& curve)
{
    const std::size_t all = mostWindows(curve.tried);
    const QString windows = all == 1 ? u"1 search window"_s : u"%1 search windows"_s.arg(all);
    chart.title = u"Loss minus the model's own, on %1%2"_s.arg(curve.searching ? QString() : u"the "_s, windows);
    if (std::ranges::any_of(chart.series, &ChartSeries::open))
        chart.title += u" (hollow: on fewer windows)"_s;
}

/// What theory asks for has its name at its line; of others, which stand close to each other, the points have theirs.
QString nameOfMark(const std::string& method)
{
    static const std::map<std::string, const char*> names{{"entropy_exact", "$H$ kept"}, {"infoscale", "InfoScale"}};
    if (method.find(',') != std::string::npos)  // not of a method but over the model's heads
        return u"heads' own"_s;
    const auto found = names.find(method);
    return found == names.end() ? QString() : text(found->second);
}

/// What is shown of the abscissa: all that was searched for and what theory asks for; of published methods those that
/// are not far above the model as it is.
std::pair<double, double> multipliersOf(const ChartSpec& chart, const std::vector<TheoryMark>& marks)
{
    double least = 1, most = 1;
    const auto take = [&](double m) {
        least = std::min(least, m);
        most = std::max(most, m);
    };
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            if (point.y <= chart.y.range->second)
                take(point.x);
    for (const TheoryMark& mark : marks)
        if (mark.multiplier > 0 && !nameOfMark(mark.method).isEmpty())
            take(mark.multiplier);
    constexpr double margin = 1.1;
    return {least / margin, most * margin};
}

/// Of what theory asks for: published methods have a point.
void addMarks(ChartSpec& chart, const std::vector<TheoryMark>& marks)
{
    for (const TheoryMark& mark : marks)
        if (const QString name = nameOfMark(mark.method); mark.multiplier > 0 && !name.isEmpty())
            chart.lines.push_back({Qt::Vertical, mark.multiplier, name, false});
}

/// Those that were searched for, in the order in which they came.
void addSearched(ChartSpec& chart, const TuneCurve& curve,
                 const std::function<std::optional<double>(const Setting&)>& abscissa)
{
    const std::size_t all = mostWindows(curve.tried);
    const std::vector<Choice> methods = everyMethod();
    std::vector<Group> groups;
    for (const TriedSetting& tried : curve.tried) {
        const std::optional<double> x = tried.published.empty() ? abscissa(tried.setting) : std::nullopt;
        if (!x || !std::isfinite(tried.change))
            continue;
        const QString label = searchedAs(tried.setting);
        auto group = std::ranges::find(groups, label, &Group::label);
        if (group == groups.end()) {
            const int style =
                groups.empty() ? styleOf("custom") : freeStyle(methods, static_cast<int>(groups.size()) - 1);
            group = groups.insert(groups.end(), Group{.label = label, .style = style});
            group->joined = tried.setting.policy.factors.empty();
        }
        addPoint(*group, *x, tried, all);
    }
    for (Group& group : groups)
        addGroup(chart, std::move(group), all);
}

/// At the point of what the verdict recommends, what it is; where it has an abscissa.
void markUse(ChartSpec& chart, const TuneCurve& curve,
             const std::function<std::optional<double>(const Setting&)>& abscissa,
             const std::function<QString(const TriedSetting&)>& name)
{
    const TriedSetting* used = nullptr;
    for (const TriedSetting& tried : curve.tried)
        if (curve.use && tried.setting == *curve.use && (!used || tried.windows > used->windows))
            used = &tried;
    const auto x = used ? abscissa(used->setting) : std::nullopt;
    if (!x || !std::isfinite(used->change))
        return;
    constexpr QPointF above{0, -3.5};  // where it is least, the chart is empty above it
    chart.notes.push_back({.x = *x,
                           .y = used->change,
                           .text = symbolsIn(used->published.empty() ? name(*used) : text(used->published)),
                           .away = above});
}

}  // namespace

ChartSpec tuneChart(const TuneCurve& curve)
{
    ChartSpec chart = emptyChart();
    chart.x.title = (curve.at.mostKeys() < curve.at.n ? u"Multiplier $m$ of the row that sees most, %1 keys"_s
                                                      : u"Multiplier $m$ of a row that sees $n$ = %1 keys"_s)
                        .arg(lengthText(static_cast<double>(curve.at.mostKeys())));
    const auto multiplier = [&](const Setting& setting) {
        Setting common = setting;
        common.policy.factors.clear();  // which heads have beside it
        return multiplierAt(common, curve.at, curve.headSize);
    };
    addSearched(chart, curve, multiplier);
    const std::size_t all = mostWindows(curve.tried);
    std::vector<Group> published;
    for (const TriedSetting& tried : curve.tried) {
        const auto m = tried.published.empty() ? std::nullopt : multiplier(tried.setting);
        if (!m || !(*m > 0) || !std::isfinite(tried.change))
            continue;
        const Choice& method = tried.setting.policy.method;
        const QString label = isVanilla(method) ? symbolsIn(text(tried.published)) : methodLabel(method);
        auto group = std::ranges::find(published, label, &Group::label);
        if (group == published.end()) {
            group = published.insert(published.end(), Group{.label = label, .style = styleOf(method.id)});
            group->joined = false;
        }
        addPoint(*group, *m, tried, all);
    }
    const auto searched = std::ssize(chart.series);
    for (Group& group : published)
        addGroup(chart, std::move(group), all);
    chart.y.range = rangeOf(chart);
    chart.x.range = multipliersOf(chart, curve.theory);
    const auto isOutside = [&](const ChartSeries& series) {
        return std::ranges::none_of(series.points, [&](const ChartPoint& point) {
            return point.x >= chart.x.range->first && point.x <= chart.x.range->second &&
                   point.y >= chart.y.range->first && point.y <= chart.y.range->second;
        });
    };
    chart.series.erase(std::remove_if(chart.series.begin() + searched, chart.series.end(), isOutside),
                       chart.series.end());  // the table has them
    sayWhichWindows(chart, curve);
    addMarks(chart, curve.theory);
    markUse(chart, curve, multiplier, [&](const TriedSetting& used) {
        return u"m = %1"_s.arg(text(formatNumber(multiplier(used.setting).value_or(1), 4)));
    });
    return chart;
}

ChartSpec schemeChart(const TuneCurve& curve)
{
    ChartSpec chart = emptyChart();
    chart.x.title = u"The scheme's parameter: $s$, base or $w$"_s;
    const auto parameter = [&](const Setting& setting) -> std::optional<double> {
        const auto of = schemeParameter(setting, curve.at);
        return of ? std::optional(of->value) : std::nullopt;
    };
    addSearched(chart, curve, parameter);
    chart.y.range = rangeOf(chart);
    sayWhichWindows(chart, curve);
    markUse(chart, curve, parameter, [&](const TriedSetting& used) { return text(describe(used.setting, curve.at)); });
    return chart;
}

ChartSpec gainByPlaceChart(const TuneReport& report)
{
    ChartSpec chart;
    chart.x = lengthAxis();
    chart.x.title = u"Place in the window"_s;
    chart.y.title = u"Change of the loss (nats)"_s;
    chart.legend = Legend::None;
    chart.title = u"Loss minus the model's own, on the %1; bars: one standard error"_s.arg(
        report.verdict == 1 ? u"1 judged window"_s : u"%1 judged windows"_s.arg(report.verdict));
    chart.lines.push_back({Qt::Horizontal, 0, u"the model as it is"_s, false});
    if (report.at.trainLength < static_cast<double>(report.at.n))
        chart.lines.push_back({Qt::Vertical, report.at.trainLength, u"$N$"_s, true});
    ChartSeries series{.name = u"tuned minus as it is"_s,
                       .style = styleOf("custom"),
                       .shape = ChartSeries::Shape::LinePoints,
                       .solid = true};
    for (const PlaceGain& place : report.places)  // at the middle of its range, places counted from 1
        series.points.push_back(pointWithError(static_cast<double>(place.first + place.last) / 2 + 1,
                                               place.difference.mean,
                                               place.difference.standardError.value_or(std::nan(""))));
    if (!series.points.empty())
        chart.series.push_back(std::move(series));
    return chart;
}

}  // namespace attnscope
