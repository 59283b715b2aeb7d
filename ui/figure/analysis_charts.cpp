#include "ui/figure/analysis_charts.h"

#include "core/attention/normaliser.h"
#include "core/statistics/measures.h"
#include "core/theory/bounds.h"
#include "ui/figure/extent.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace attnscope {

namespace {

constexpr double leastWeightShown = 1e-14;  // below it a weight is nothing to anybody; the rest needs the room

ChartSeries seriesOf(const Curve& curve, int style, ChartSeries::Shape shape)
{
    return {.style = style, .shape = shape, .points = pointsOf(curve)};
}

/// Lengths that any series of the chart reaches.
Extent lengthsOf(const ChartSpec& spec)
{
    Extent lengths;
    for (const ChartSeries& series : spec.series)
        for (const ChartPoint& point : series.points)
            lengths.take(point.x);
    return lengths;
}

/// The axis reaches to both lengths, and where there is no curve yet it is that of the curves to come.
void addLengthLines(ChartSpec& spec, const Analysis& analysis)
{
    const double n = double(analysis.scenario.n), trained = analysis.scenario.nTrain;
    const bool equal = n == trained;
    spec.lines.push_back({Qt::Vertical, n, equal ? u"$n = N$"_s : u"$n$"_s, true});
    spec.lines.push_back({Qt::Vertical, trained, equal ? QString() : u"$N$"_s, true});
    const View& view = analysis.scenario.view;
    auto [low, high] = lengthsOf(spec);
    const bool curves = low < high;
    if (!curves) {
        low = double(view.curveFirst);
        high = double(view.curveLast);
    }
    if (!curves ? low < high : n > high)
        spec.x.range = {low, std::max(high, n)};
}

/// Theory of a file's data: a comparison, thin and grey.
ChartSeries comparisonOf(const MethodAnalysis& method, const Curve& exact, const std::string& law)
{
    ChartSeries theory = seriesOf(exact, ChartSeries::reference, ChartSeries::Shape::Line);
    theory.name = u"%1, exact for %2"_s.arg(text(method.label), text(law));
    theory.emphasis = 0.6;
    theory.opacity = 0.8;
    return theory;
}

bool lieOnEachOther(const ChartSeries& one, const ChartSeries& other)
{
    const auto isSame = [](const ChartPoint& a, const ChartPoint& b) {
        constexpr double close = 1e-6;  // weights are floats
        return a.x == b.x &&
               (a.y == b.y || std::abs(a.y - b.y) <= close * std::abs(a.y) || (std::isnan(a.y) && std::isnan(b.y)));
    };
    return !other.points.empty() && one.shape == other.shape && std::ranges::equal(one.points, other.points, isSame);
}

/// Of lines that lie on each other each is seen: the first is whole, and dashes of those after it leave its colour in
/// sight; their markers are open.
void tellEqualsApart(ChartSpec& spec)
{
    for (auto later = spec.series.begin(); later != spec.series.end(); ++later) {
        const auto lies = [&](const ChartSeries& earlier) {
            return later->style >= 0 && earlier.style >= 0 && earlier.style != later->style &&
                   lieOnEachOther(earlier, *later);
        };
        int before = 0;
        for (auto earlier = spec.series.begin(); earlier != later; ++earlier)
            if (lies(*earlier) && before++ == 0)
                earlier->solid = true;
        if (before > 0) {
            later->dashes = before;
            later->open = true;
        }
    }
}

/// One value of every method against n. `comparisons`: of a file, exact curves too.
ChartSpec againstLength(const Analysis& analysis, const QString& title, Curve MethodAnalysis::*measured,
                        Curve MethodAnalysis::*exact, bool comparisons = true)
{
    ChartSpec spec;
    spec.x = lengthAxis();
    spec.y.title = title;
    spec.legend = Legend::None;
    const std::vector<int> styles = methodStyles(analysis.scenario.methods);
    for (std::size_t i = 0; i < analysis.methods.size(); ++i) {
        const MethodAnalysis& method = analysis.methods[i];
        const int style = styles[i];
        const bool compared = analysis.scenario.ofFile() && !(method.*measured).empty();
        if (compared && comparisons && exact && !(method.*exact).empty())
            spec.series.push_back(comparisonOf(method, method.*exact, analysis.theory));
        const bool theory = exact && !compared && (analysis.theoryComes || !(method.*exact).empty());
        if (theory && !analysis.theoryComes) {
            spec.series.push_back(seriesOf(method.*exact, style, ChartSeries::Shape::Line));
            spec.series.back().name = u"%1, exact"_s.arg(text(method.label));
        }
        if (!(method.*measured).empty()) {
            ChartSeries points =
                seriesOf(method.*measured, style, theory ? ChartSeries::Shape::Points : ChartSeries::Shape::LinePoints);
            points.band = true;
            points.open = theory;
            spec.series.push_back(std::move(points));
        }
        if (!spec.series.empty() && spec.series.back().style == style)
            spec.series.back().label = text(method.label);
    }
    tellEqualsApart(spec);
    addLengthLines(spec, analysis);
    return spec;
}

/// Places from the largest weight to the smallest; of equals the first comes first.
std::vector<std::size_t> byWeight(const std::vector<double>& weights)
{
    std::vector<std::size_t> places(weights.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
    return places;
}

/// ln n, which no row of n keys exceeds.
void addLargestEntropy(ChartSpec& spec)
{
    const auto [low, high] = lengthsOf(spec);
    if (!(low < high))
        return;
    spec.series.push_back({.label = u"$\\ln n$"_s,
                           .style = ChartSeries::reference,
                           .points = {{low, std::log(low)}, {high, std::log(high)}}});
    const double middle = std::pow(low, 0.3) * std::pow(high, 0.7);
    spec.notes.push_back(
        {middle, std::log(middle), u"$\\ln n$"_s, Qt::AlignRight | Qt::AlignBottom, ChartSeries::reference});
}

ChartSpec sortedWeights(const Analysis& analysis)
{
    ChartSpec spec;
    spec.x.title = u"Rank of the key"_s;
    spec.x.tickText = TickText::Whole;
    spec.y.title = u"Weight $p$"_s;
    spec.x.log = spec.y.log = true;
    spec.legend = Legend::None;
    double least = 1, most = 0;
    const std::vector<int> styles = methodStyles(analysis.scenario.methods);
    for (std::size_t i = 0; i < analysis.methods.size(); ++i) {
        const MethodAnalysis& method = analysis.methods[i];
        ChartSeries series{.label = text(method.label), .style = styles[i]};
        for (const RankedWeight& ranked : method.ranked) {
            series.points.push_back({static_cast<double>(ranked.rank), ranked.weight});
            most = std::max(most, ranked.weight);
        }
        for (auto point = series.points.rbegin(); point != series.points.rend(); ++point)
            if (point->y > 0) {
                least = std::min(least, point->y);
                break;
            }
        spec.series.push_back(std::move(series));
    }
    tellEqualsApart(spec);
    if (least < leastWeightShown)
        spec.y.range = {leastWeightShown, 2};
    const MethodAnalysis* first = firstPresent(analysis);
    if (!first || first->chosen.keys.empty())
        return spec;
    const double keys = double(first->chosen.keys.size());
    const RowSummary& row = first->chosenSummary;
    const double gap = row.logitMax - row.logitMin;
    const WeightBounds bounds = dispersionBounds(keys, gap == 0 ? 0 : gap * row.beta);
    const QString whose = analysis.methods.size() > 1 ? text(first->label) + u": "_s : QString();
    // the lemma bounds a softmax of one head
    const bool holds = hasSoftmaxForm(analysis.scenario.attention.normaliser) && analysis.scenario.tensors.mean.empty();
    if (holds && bounds.upper < 1)  // else it says nothing
        spec.lines.push_back({Qt::Horizontal, bounds.upper, whose + u"at most $e^{\\delta}/n$"_s});
    spec.lines.push_back({Qt::Horizontal, 1 / keys, u"even share $1/n$"_s});
    if (holds) {
        spec.lines.push_back({Qt::Horizontal, bounds.lower, whose + u"at least $e^{-\\delta}/n$"_s});
        constexpr double air = 2;  // room for their names
        if (bounds.upper < 1 && bounds.lower >= leastWeightShown)
            spec.y.range = {std::min(least, bounds.lower) / air, std::max(most, bounds.upper) * air};
    }
    return spec;
}

/// Thin dashes all along, and behind all lines a broad one where the approximation is close to the truth, which is its
/// own law's: that of the sphere stands beside them where the source's is another.
void addApproximations(ChartSpec& spec, const Analysis& analysis)
{
    constexpr double broadLine = 2, seenThrough = 0.55;
    int others = 0;
    std::vector<ChartSeries> broad;
    const bool twoLaws = !analysis.exactSphere.empty();
    if (twoLaws) {
        ChartSeries sphere = seriesOf(analysis.exactSphere, ChartSeries::reference, ChartSeries::Shape::Line);
        sphere.label = u"Exact, on the sphere"_s;
        spec.series.push_back(std::move(sphere));
    }
    for (const ApproximationCurve& approximation : analysis.approximations) {
        const QString label =
            text(approximation.label) + (twoLaws && approximation.ofSphere ? u", on the sphere"_s : QString());
        const int style = freeStyle(analysis.scenario.methods, others++);
        ChartSeries thin = seriesOf(approximation.curve, style, ChartSeries::Shape::Line);
        thin.label = label;
        thin.dashes = others;  // no two are told apart by their colours alone
        thin.emphasis = 0.6;
        ChartSeries close = seriesOf(approximation.curve, style, ChartSeries::Shape::Line);
        close.name = u"%1, where it is close"_s.arg(label);
        close.solid = true;
        close.emphasis = broadLine;
        close.opacity = seenThrough;
        for (std::size_t i = 0; i < close.points.size(); ++i)
            if (!approximation.close[i])
                close.points[i].y = std::numeric_limits<double>::quiet_NaN();
        spec.series.push_back(std::move(thin));
        broad.push_back(std::move(close));
    }
    if (broad.empty())
        return;
    spec.series.insert(spec.series.begin(), std::make_move_iterator(broad.begin()),
                       std::make_move_iterator(broad.end()));
    spec.series.push_back({.label = u"broad: within %1 nats"_s.arg(closeNats),
                           .style = ChartSeries::reference,
                           .solid = true,
                           .emphasis = broadLine,
                           .opacity = seenThrough});
}

}  // namespace

bool sameLines(const ChartSpec& chart, int style, int other)
{
    const auto linesOf = [&chart](int of) {
        std::vector<const ChartSeries*> lines;
        for (const ChartSeries& series : chart.series)
            if (series.style == of && !series.ghost)
                lines.push_back(&series);
        return lines;
    };
    const std::vector<const ChartSeries*> ones = linesOf(style), others = linesOf(other);
    return !ones.empty() && std::ranges::equal(ones, others, [](const ChartSeries* one, const ChartSeries* second) {
        return lieOnEachOther(*one, *second);
    });
}

ChartPoint pointWithError(double x, double y, double error) { return {x, y, y - error, y + error}; }

std::vector<ChartPoint> pointsOf(const Curve& curve)
{
    std::vector<ChartPoint> points;
    for (const CurvePoint& p : curve)
        points.push_back({p.n, p.value, p.low, p.high});
    return points;
}

void numberMeasuredLengths(ChartSpec& chart)
{
    constexpr std::size_t few = 7;
    constexpr double apart = 1.4;  // times the one before
    std::set<double> lengths;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            lengths.insert(point.x);
    const auto isPower = [](double n) { return std::log2(n) == std::round(std::log2(n)); };
    const bool close = std::ranges::adjacent_find(
                           lengths, [](double one, double next) { return next < apart * one; }) != lengths.end();
    if (lengths.size() < 2 || lengths.size() > few || close || std::ranges::all_of(lengths, isPower))
        return;
    for (const double n : lengths)
        chart.x.ticks.push_back({n, lengthText(n)});
}

ChartAxis lengthAxis() { return {.title = u"Sequence length $n$"_s, .log = true, .tickText = TickText::Lengths}; }

std::optional<TheoryFit> theoryOfFile(const Analysis& analysis)
{
    const MethodAnalysis* first = analysis.scenario.ofFile() ? firstPresent(analysis) : nullptr;
    return first ? theoryFit(first->measured, first->exact) : std::nullopt;
}

ChartSpec entropyChart(const Analysis& analysis, bool approximations, bool theory)
{
    const std::optional<TheoryFit> fit = theoryOfFile(analysis);
    const bool comparisons = theory || !fit || !fit->misses();
    const auto measure = bindMeasure(analysis.scenario.view.measure);
    QString title = measure ? text(measure->measure->label) : QString();
    if (measure && !measure->measure->unit.empty())
        title += u" (%1)"_s.arg(text(measure->measure->unit));
    ChartSpec spec = againstLength(analysis, title, &MethodAnalysis::measured, &MethodAnalysis::exact, comparisons);
    if (isShannon(analysis.scenario.view.measure)) {
        spec.y.shortTitle = u"Entropy (nats)"_s;
        addLargestEntropy(spec);
    }
    if (approximations && !analysis.approximations.empty()) {
        for (ChartSeries& series : spec.series) {
            series.name = series.known();
            series.label.clear();
        }
        addApproximations(spec, analysis);
        spec.legend = Legend::BottomRight;
    }
    return spec;
}

ChartSpec headsChart(const Analysis& analysis)
{
    ChartSpec spec;
    spec.x = lengthAxis();
    spec.y.title = u"Entropy (nats)"_s;
    spec.legend = Legend::None;
    const TensorSelection& tensors = analysis.scenario.tensors;
    const auto isChosen = [&](const HeadAnalysis& head) {
        return tensors.mean.empty()
                   ? head.head == tensors.head
                   : std::find(tensors.mean.begin(), tensors.mean.end(), head.head) != tensors.mean.end();
    };
    const int style = analysis.methods.empty() ? 0 : methodStyles(analysis.scenario.methods).front();
    const auto add = [&](const HeadAnalysis& head) {
        ChartSeries series = seriesOf(head.numbers.curve, style, ChartSeries::Shape::Line);
        series.label = u"Head %1"_s.arg(head.head);
        series.solid = true;
        series.emphasis = isChosen(head) ? 1.6 : 0.7;
        series.opacity = isChosen(head) ? 1 : 0.35;
        for (ChartPoint& point : series.points)
            point.low = point.high = std::numeric_limits<double>::quiet_NaN();
        spec.series.push_back(std::move(series));
    };
    for (const HeadAnalysis& head : analysis.heads)
        if (!isChosen(head))
            add(head);
    for (const HeadAnalysis& head : analysis.heads)  // last, above the others
        if (isChosen(head))
            add(head);
    if (const MethodAnalysis* first = firstPresent(analysis); first && !first->exact.empty()) {
        ChartSeries theory = seriesOf(first->exact, ChartSeries::reference, ChartSeries::Shape::Line);
        theory.label = u"theory"_s;
        theory.dashes = 1;
        spec.series.push_back(std::move(theory));
    }
    addLargestEntropy(spec);
    addLengthLines(spec, analysis);
    return spec;
}

int styleOf(const Analysis& analysis, int place)
{
    return place >= 0 && place < std::ssize(analysis.scenario.methods)
               ? methodStyles(analysis.scenario.methods)[static_cast<std::size_t>(place)]
               : -1;
}

ChartSpec chartFromBefore(ChartSpec chart, const Analysis& then, const Analysis& now)
{
    constexpr double dimmed = 0.35;
    const std::vector<int> styles = methodStyles(now.scenario.methods);
    const auto styleNow = [&](int place) {
        const auto found =
            std::ranges::find(now.scenario.methods, then.scenario.methods[static_cast<std::size_t>(place)]);
        return found == now.scenario.methods.end()
                   ? -1
                   : styles[static_cast<std::size_t>(found - now.scenario.methods.begin())];
    };
    std::erase_if(chart.series, [&](ChartSeries& series) {
        series.opacity *= dimmed;
        const int place = placeOfStyle(then.scenario.methods, series.style);
        if (place < 0)
            return false;
        series.style = styleNow(place);
        return series.style < 0;
    });
    chart.lines.clear();
    chart.x.range.reset();
    addLengthLines(chart, now);
    return chart;
}

ChartSpec besideCurvesOf(const ChartSpec& chart, ChartSpec then)
{
    const Extent lengths = lengthsOf(chart);
    const auto isBeside = [&](double n) { return n >= lengths.low && n <= lengths.high; };
    for (ChartSeries& series : then.series)
        std::erase_if(series.points, [&](const ChartPoint& point) { return !isBeside(point.x); });
    for (ReferenceLine& line : then.lines)
        line.strong = line.strong && isBeside(line.at);
    return then;
}

void addGhost(ChartSpec& chart, const ChartSpec& then, int number)
{
    constexpr double faint = 0.5, thin = 0.6;
    const QString mark = QString::number(number);
    std::vector<ChartSeries> ghosts;
    for (const ChartSeries& series : then.series) {
        if (series.style < 0 || series.shape == ChartSeries::Shape::Points)
            continue;
        ChartSeries ghost = series;
        ghost.name = u"%1, pin %2"_s.arg(series.known()).arg(number);
        ghost.label.clear();
        ghost.shape = ChartSeries::Shape::Line;
        ghost.band = false;
        ghost.ghost = true;
        ghost.opacity = faint;
        ghost.emphasis = thin;
        for (ChartPoint& point : ghost.points)
            point.low = point.high = std::numeric_limits<double>::quiet_NaN();
        const bool hidden = std::ranges::any_of(
            chart.series, [&](const ChartSeries& shown) {  // behind the present one, or another pin's
                return shown.style == ghost.style &&
                       std::ranges::equal(shown.points, ghost.points, [](const ChartPoint& a, const ChartPoint& b) {
                           return a.x == b.x && a.y == b.y;
                       });
            });
        if (hidden || ghost.points.empty())
            continue;
        const auto end = std::ranges::find_if(ghost.points.rbegin(), ghost.points.rend(),
                                              [](const ChartPoint& point) { return std::isfinite(point.y); });
        if (end != ghost.points.rend())
            chart.notes.push_back({end->x, end->y, mark, Qt::AlignCenter, ghost.style});
        ghosts.push_back(std::move(ghost));
    }
    chart.series.insert(chart.series.begin(), std::make_move_iterator(ghosts.begin()),
                        std::make_move_iterator(ghosts.end()));
    const auto at = [](const ChartSpec& spec) {
        return spec.lines.size() > lineAtN && spec.lines[lineAtN].strong ? spec.lines[lineAtN].at : 0;
    };
    if (at(then) > 0 && at(then) != at(chart))
        chart.lines.push_back({Qt::Vertical, at(then), mark});
}

std::int64_t keyAtRank(const Analysis& analysis, std::size_t method, int rank)
{
    if (method >= analysis.methods.size())
        return -1;
    const RowDetail& chosen = analysis.methods[method].chosen;
    if (rank < 0 || rank >= std::ssize(chosen.weights))
        return -1;
    return chosen.keys[byWeight(chosen.weights)[static_cast<std::size_t>(rank)]];
}

std::span<const DispersionKind> dispersionKinds()
{
    static const DispersionKind kinds[] = {
        {u"sorted"_s, u"Weights by rank"_s,
         u"Every weight of the chosen row, from the largest to the smallest. A flat line is a row that looks "
         "nowhere."_s},
        {u"largest"_s, u"Largest weight against n"_s,
         u"What the most attended key still gets when there are ever more keys."_s},
        {u"top4"_s, u"Top 4 against n"_s, u"The weight of the four most attended keys together."_s},
        {u"top16"_s, u"Top 16 against n"_s, u"The weight of the sixteen most attended keys together."_s},
        {u"needle"_s, u"Needle against n"_s, u"The weight of the one key that matches, for sources that have one."_s}};
    return kinds;
}

ChartSpec dispersionChart(const Analysis& analysis, const QString& kind)
{
    ChartSpec spec;
    if (kind == "largest"_L1)
        spec = againstLength(analysis, u"Largest weight"_s, &MethodAnalysis::largest, nullptr);
    else if (kind == "top4"_L1)
        spec = againstLength(analysis, u"Weight of the top 4"_s, &MethodAnalysis::top4, nullptr);
    else if (kind == "top16"_L1)
        spec = againstLength(analysis, u"Weight of the top 16"_s, &MethodAnalysis::top16, nullptr);
    else if (kind == "needle"_L1)
        spec =
            againstLength(analysis, u"Weight of the needle"_s, &MethodAnalysis::needle, &MethodAnalysis::exactNeedle);
    else
        return sortedWeights(analysis);
    spec.y.log = true;
    return spec;
}

}  // namespace attnscope
