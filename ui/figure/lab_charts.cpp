#include "ui/figure/lab_charts.h"

#include "core/base/choice.h"
#include "core/labs/lab_columns.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"
#include "ui/figure/analysis_charts.h"
#include "ui/figure/extent.h"
#include "ui/figure/labels.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

using LineLook = LabLine::Look;
constexpr std::size_t mostInFront = 6;  // of a crowd of lines

/// A line with its points marked or not.
bool looksLike(const ChartSeries& a, const ChartSeries& b)
{
    using Shape = ChartSeries::Shape;
    const auto shapeOf = [](const ChartSeries& one) {
        return one.shape == Shape::LinePoints ? Shape::Line : one.shape;
    };
    return a.style == b.style && shapeOf(a) == shapeOf(b) && a.solid == b.solid && a.dashes == b.dashes &&
           a.open == b.open && a.colour == b.colour;
}

bool isReference(const LabLine& line)
{
    return line.look == LineLook::Reference || line.look == LineLook::ReferencePoints;
}

QString textOf(const LabValue& value)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return text(*word);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return QString::number(*whole);
    if (const auto* number = std::get_if<double>(&value))
        return text(formatNumber(*number, 4));
    return {};
}

/// The value of the group's column. Of trainings recorded before their networks had names, the seed.
const LabValue* groupOf(const LabRow& row, const std::string& group)
{
    const LabValue* own = row.find(group);
    return own || group != "network" ? own : row.find("seed");
}

/// Of the rows of a table that have this value in the group's column, in order; in the unit that tables show too.
std::vector<ChartPoint> pointsOf(const LabRecord& record, const LabLine& line, const std::string& group,
                                 const LabValue& value)
{
    const double times = labColumn(record.choice.id, line.table, line.y).times;
    std::vector<ChartPoint> points;
    for (const std::vector<LabRow>* rows : {&record.rows, &record.live})
        for (const LabRow& row : *rows) {
            if (row.table != line.table)
                continue;
            const LabValue* own = group.empty() ? nullptr : groupOf(row, group);
            if (group.empty() || (own && *own == value))
                points.push_back({row.number(line.x), times * row.number(line.y)});
        }
    return points;
}

/// Points at one abscissa, of several networks, become their mean with its standard error, from left to right. Returns
/// of how many at most.
std::size_t takeMeans(std::vector<ChartPoint>& points)
{
    std::map<double, std::vector<double>> at;
    for (const ChartPoint& point : points)
        if (std::isfinite(point.y))
            at[point.x].push_back(point.y);
    std::size_t most = 0;
    for (const auto& [x, values] : at)
        most = std::max(most, values.size());
    if (most < 2)
        return most;
    points.clear();
    for (const auto& [x, values] : at) {
        const SampleMean sample = sampleMean(values);
        points.push_back(pointWithError(x, sample.mean, sample.standardError.value_or(std::nan(""))));
    }
    return most;
}

/// The values of the group's column, in the order in which they come; one nameless value where there is no group.
std::vector<LabValue> groupsOf(const LabChart& chart, std::span<const ShownRun> runs)
{
    if (chart.group.empty())
        return {LabValue{}};
    std::vector<LabValue> values;
    for (const ShownRun& run : runs)
        for (const std::vector<LabRow>* rows : {&run.record->rows, &run.record->live})
            for (const LabRow& row : *rows)
                if (std::ranges::any_of(chart.lines, [&](const LabLine& line) { return line.table == row.table; }))
                    if (const LabValue* value = groupOf(row, chart.group);
                        value && std::ranges::find(values, *value) == values.end())
                        values.push_back(*value);
    return values;
}

QString labelOf(const LabLine& line, const LabChart& chart, const LabValue& group, bool severalGroups,
                const QString& run)
{
    QStringList parts;
    if (severalGroups && line.ofEveryGroup)
        parts << (std::holds_alternative<std::string>(group)
                      ? policyLabel(textOf(group))
                      : (chart.group.size() == 1 ? u"$%1 = %2$"_s : u"%1 %2"_s)  // a symbol has a value
                            .arg(chart.group == "network" ? u"seed"_s : text(chart.group), textOf(group)));
    if (!line.label.empty())
        parts << text(line.label);
    if (!run.isEmpty() && !isReference(line))
        parts << run;
    return parts.join(u", "_s);
}

const std::string trainingTable = "training";

bool isTraining(const LabChart& chart)
{
    return std::ranges::all_of(chart.lines, [](const LabLine& line) { return line.table == trainingTable; });
}

/// Steps and epochs are whole, from 0 on; the first of a curve is a point, of which there is no line yet.
void asOfSteps(ChartSpec& spec)
{
    double last = 0;
    for (ChartSeries& series : spec.series) {
        if (series.points.size() == 1 && series.shape == ChartSeries::Shape::Line)
            series.shape = ChartSeries::Shape::LinePoints;
        for (const ChartPoint& point : series.points)
            if (std::isfinite(point.x))
                last = std::max(last, point.x);
    }
    if (!(last > 0) || spec.x.log)
        return;
    spec.x.range = std::pair(0.0, last);
    constexpr int few = 5;  // steps, between which an axis would have halves
    if (last > few)
        return;
    for (int step = 0; step <= static_cast<int>(last); ++step)
        spec.x.ticks.push_back({static_cast<double>(step), QString::number(step)});
}

/// What was measured at a few abscissae is marked there: where two methods share a dash, their markers differ.
void markFew(ChartSpec& spec)
{
    constexpr std::size_t few = 20;
    for (ChartSeries& series : spec.series)
        if (series.shape == ChartSeries::Shape::Line && series.style >= 0 && series.dashes == 0 &&
            series.points.size() <= few)
            series.shape = ChartSeries::Shape::LinePoints;
}

/// Each curve as its moving average, which its name says, and before all of them, beneath, what it averages.
void smooth(ChartSpec& spec, double smoothing)
{
    constexpr double pale = 0.28;
    std::vector<ChartSeries> all;
    for (const ChartSeries& series : spec.series) {
        all.push_back(series);
        all.back().name = series.known();
        all.back().label.clear();
        all.back().ghost = true;
        all.back().opacity = pale;
    }
    for (ChartSeries& series : spec.series) {
        series.name = u"%1, smoothed %2"_s.arg(series.known(), number(smoothing));
        series.points = movingAverage(std::move(series.points), smoothing);
        all.push_back(std::move(series));
    }
    spec.series = std::move(all);
}

/// The numbers of the axis are then among what was measured.
bool atPowersOfTwo(const ChartSpec& spec)
{
    return std::ranges::all_of(spec.series, [](const ChartSeries& series) {
        return std::ranges::all_of(series.points, [](const ChartPoint& point) {
            return std::exp2(std::round(std::log2(point.x))) == point.x;
        });
    });
}

ChartSpec chartOf(const LabChart& chart, std::span<const ShownRun> runs, double smoothing)
{
    ChartSpec spec;
    spec.title = text(chart.title);
    spec.x.title = text(chart.xTitle);
    spec.y.title = text(chart.yTitle);
    spec.x.log = chart.logX;
    spec.y.log = chart.logY;
    const std::vector<LabValue> groups = groupsOf(chart, runs);
    const std::size_t lines = static_cast<std::size_t>(
        std::ranges::count_if(chart.lines, [](const LabLine& line) { return !isReference(line); }));
    std::vector<QString> drawn;  // a style for each run, group and line
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const LabValue& group : groups)
            drawn.insert(drawn.end(), std::max<std::size_t>(1, lines), textOf(group));
    const std::vector<int> styles = variantStyles(drawn);
    std::size_t networks = 1;  // behind a point, at most
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (std::size_t group = 0; group < groups.size(); ++group) {
            std::size_t place = (run * groups.size() + group) * std::max<std::size_t>(1, lines);
            int references = 0;
            for (const LabLine& line : chart.lines) {
                ChartSeries series;
                series.points = pointsOf(*runs[run].record, line, chart.group, groups[group]);
                if (line.look == LineLook::Line || line.look == LineLook::Reference)
                    networks = std::max(networks, takeMeans(series.points));
                series.style = !line.ofEveryGroup ? ChartSeries::reference
                                                  : styles[isReference(line) && lines > 0 ? group * lines : place++];
                const bool seen = std::ranges::any_of(
                    series.points, [](const ChartPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); });
                if (!seen || (isReference(line) && run > 0) || (!line.ofEveryGroup && group > 0))
                    continue;
                series.label = labelOf(line, chart, groups[group], groups.size() > 1,
                                       runs.size() > 1 ? runs[run].name : QString());
                series.dashes = line.look == LineLook::Reference ? ++references : 0;
                if (line.look == LineLook::Points || line.look == LineLook::ReferencePoints) {
                    series.shape = ChartSeries::Shape::Points;
                    series.open = line.look == LineLook::ReferencePoints;
                    series.opacity = line.look == LineLook::Points && series.points.size() > 200 ? 0.35 : 1;
                }
                spec.series.push_back(std::move(series));
            }
        }
    if (groups.size() == 1 && std::holds_alternative<std::string>(groups.front()))  // beside others that are named
        for (ChartSeries& series : spec.series)
            if (series.label.isEmpty() && spec.series.size() > 1)
                series.label = policyLabel(textOf(groups.front()));
    if (spec.x.log && atPowersOfTwo(spec))
        spec.x.tickText = TickText::Lengths;
    if (networks > 1)
        spec.title += u", means of %1 networks"_s.arg(networks);
    if (!isTraining(chart))
        markFew(spec);
    if (spec.series.size() > mostInFront)  // error bars of so many lines hide them
        for (ChartSeries& series : spec.series)
            for (ChartPoint& point : series.points)
                point.low = point.high = std::nan("");
    const auto named =
        std::ranges::count_if(spec.series, [](const ChartSeries& series) { return !series.label.isEmpty(); });
    spec.legend = named > 1 ? Legend::Below : Legend::None;
    if (isTraining(chart))
        asOfSteps(spec);
    if (smoothing > 0 && isTraining(chart))
        smooth(spec, smoothing);
    return spec;
}

}  // namespace

std::vector<ChartPoint> movingAverage(std::vector<ChartPoint> points, double w)
{
    double sum = 0, weights = 0;
    for (ChartPoint& point : points) {
        if (!std::isfinite(point.y))
            continue;
        sum = w * sum + point.y;
        weights = w * weights + 1;
        point = {point.x, sum / weights};
    }
    return points;
}

bool haveTrainingCurves(const Lab& lab, std::span<const ShownRun> runs)
{
    return std::ranges::any_of(lab.charts, isTraining) && std::ranges::any_of(runs, [](const ShownRun& run) {
               const auto isOfIt = [](const LabRow& row) { return row.table == trainingTable; };
               return std::ranges::any_of(run.record->rows, isOfIt) || std::ranges::any_of(run.record->live, isOfIt);
           });
}

std::vector<ChartSpec> labCharts(const Lab& lab, std::span<const ShownRun> runs, double smoothing)
{
    std::vector<ChartSpec> specs;
    for (const LabChart& chart : lab.charts)
        if (ChartSpec spec = chartOf(chart, runs, smoothing); !spec.series.empty())
            specs.push_back(std::move(spec));
    return specs;
}

std::set<int> firstInFront(std::span<const ChartSpec> charts)
{
    std::vector<int> styles;  // in the order of the legend
    for (const ChartSpec& chart : charts)
        for (const ChartSeries& series : chart.series)
            if (series.style >= 0 && !series.label.isEmpty() && std::ranges::find(styles, series.style) == styles.end())
                styles.push_back(series.style);
    if (styles.size() <= mostInFront)
        return {};
    return {styles.begin(), styles.begin() + static_cast<std::ptrdiff_t>(mostInFront)};
}

void putBehind(std::vector<ChartSeries>& lines, const std::set<int>& inFront, int pointed)
{
    for (ChartSeries& series : lines)
        series.behind =
            !inFront.empty() && series.style >= 0 && series.style != pointed && !inFront.contains(series.style);
}

int coincidingLines(const ChartSpec& chart)
{
    constexpr double told = 0.02;  // of the span of the ordinates: a few pixels
    const auto height = [&](const ChartPoint& point) { return chart.y.log ? std::log(point.y) : point.y; };
    Extent seen;
    std::vector<const ChartSeries*> lines;
    for (const ChartSeries& series : chart.series) {
        if (series.style < 0 || series.ghost || series.points.size() < 2 || series.shape == ChartSeries::Shape::Points)
            continue;
        lines.push_back(&series);
        for (const ChartPoint& point : series.points)
            seen.take(height(point));
    }
    const auto coincide = [&](const ChartSeries& a, const ChartSeries& b) {
        bool both = false;
        for (const ChartPoint& point : a.points) {
            const auto other = std::ranges::find(b.points, point.x, &ChartPoint::x);
            if (other == b.points.end())
                continue;
            both = true;
            if (!(std::abs(height(point) - height(*other)) <= told * (seen.high - seen.low)))
                return false;
        }
        return both;
    };
    std::ptrdiff_t most = 0;
    for (const ChartSeries* one : lines)
        most = std::max(most, std::ranges::count_if(lines, [&](const ChartSeries* other) {
                            return other == one || coincide(*one, *other);
                        }));
    return static_cast<int>(most);
}

std::vector<ChartSeries> takeCommonLegend(std::vector<ChartSpec>& charts)
{
    const auto find = [](auto& in, const QString& label) { return std::ranges::find(in, label, &ChartSeries::label); };
    std::vector<ChartSpec*> alike;
    for (ChartSpec& chart : charts) {
        std::ptrdiff_t named = 0, shared = 0;
        for (const ChartSeries& series : chart.series) {
            named += !series.label.isEmpty();
            shared += !series.label.isEmpty() && std::ranges::any_of(charts, [&](const ChartSpec& other) {
                return &other != &chart && other.legend == Legend::Below &&
                       find(other.series, series.label) != other.series.end();
            });
        }
        if (chart.legend == Legend::Below && 2 * shared >= named)
            alike.push_back(&chart);
    }
    std::vector<ChartSeries> legend;
    for (const ChartSpec* chart : alike)
        for (const ChartSeries& series : chart->series) {
            if (series.label.isEmpty())
                continue;
            const auto there = find(legend, series.label);
            if (there == legend.end())
                legend.push_back(series);
            else if (!looksLike(*there, series))
                return {};
            else if (series.shape == ChartSeries::Shape::LinePoints)
                there->shape = series.shape;
        }
    if (alike.size() < 2)
        return {};
    for (ChartSpec* chart : alike)
        chart->legend = Legend::None;
    for (ChartSeries& series : legend)
        series.points.clear();
    return legend;
}

std::shared_ptr<const PooledMap> pictureMap(const LabPicture& picture)
{
    auto map = std::make_shared<PooledMap>();
    map->rows = static_cast<int>(picture.values.rows());
    map->columns = static_cast<int>(picture.values.cols());
    map->region = {0, picture.values.rows(), 0, picture.values.cols()};
    map->values.reserve(static_cast<size_t>(picture.values.size()));
    for (Eigen::Index row = 0; row < picture.values.rows(); ++row)
        for (Eigen::Index column = 0; column < picture.values.cols(); ++column)
            map->values.push_back(picture.values(row, column));
    return map;
}

}  // namespace attnscope
