#include "ui/figure/model_figures.h"

#include "core/attention/positions.h"
#include "ui/figure/extent.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/labels.h"
#include "ui/figure/model_charts.h"
#include "ui/figure/probe_charts.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attnscope {

namespace {

/// All panels have the same ordinate, so that they can be compared.
void shareOrdinate(std::vector<Panel>& panels)
{
    Extent seen;
    for (const Panel& panel : panels)
        takeOrdinates(seen, panel.chart.series);
    if (!seen.any())
        return;
    const auto [low, high] = seen;
    for (Panel& panel : panels) {
        const double room = panel.chart.y.log ? std::pow(high / low, 0.06) : 0.06 * (high - low);
        panel.chart.y.range = panel.chart.y.log ? std::pair(low / std::max(room, 1.02), high * std::max(room, 1.02))
                                                : std::pair(low - room, high + room);
    }
}

/// Those under one position scheme, by the place of their method.
template <class Cell>
std::vector<Cell> cellsUnder(std::span<const Cell> cells, const FiguredPolicies& of, std::size_t position)
{
    std::vector<Cell> under;
    for (const Cell& cell : cells)
        if (cell.policy / of.methods.size() == position) {
            under.push_back(cell);
            under.back().policy %= of.methods.size();
        }
    return under;
}

std::optional<Choice> positionAt(const FiguredPolicies& of, std::size_t place)
{
    return parsePositions(of.positions[place]).value_or(std::nullopt);
}

/// A model's own are said as the window says them: frequencies that are divided are not LongRoPE for that.
QString positionTitle(const std::optional<Choice>& position, const Architecture& architecture)
{
    return position ? symbolsIn(text(describeChoice(positions(), *position)))
                    : u"Its own: %1"_s.arg(text(positionInWords(architecture)));
}

QString positionTitle(const std::optional<Choice>& position)
{
    return position ? symbolsIn(text(describeChoice(positions(), *position)))
                    : u"Positions as the models learned them"_s;
}

QString ofModels(const ProbesRun& run) { return run.models > 1 ? u", mean of %1 models"_s.arg(run.models) : QString(); }

/// ", 4 of each length, of the last 128 predictions"; of what differs from one length to another, none.
QString countedIn(const StudyResult& study)
{
    std::set<std::size_t> windows;
    std::set<std::int64_t> counted;
    for (const StudyCell& cell : study.cells)
        if (!cell.windows.empty()) {
            windows.insert(cell.windows.size());
            counted.insert(cell.windows.front()->counted < cell.n ? cell.windows.front()->counted : 0);
        }
    QString words;
    if (windows.size() == 1)
        words += u", %1 of each length"_s.arg(*windows.begin());
    if (counted.size() == 1 && *counted.begin() > 0)
        words += u", of the last %1 predictions"_s.arg(countText(double(*counted.begin())));
    return words;
}

/// Two digits of a probability, whole per cent or points; of a difference with its sign.
QString needleText(double value, const ProbesRun& run)
{
    if (std::isnan(value))
        return u"–"_s;
    QString text =
        run.probability ? QString::number(value, run.difference ? 'g' : 'f', 2) : QString::number(value, 'f', 0);
    if (run.difference && text.toDouble() == 0)
        text = u"0"_s;
    else if (run.difference && value > 0)
        text.prepend(QLatin1Char('+'));
    return printed(text.toStdString());
}

/// Of the policies from `first` on, a group of columns each.
std::shared_ptr<TableContent> needleField(std::span<const ProbeCell> cells, const FiguredPolicies& of,
                                          std::size_t first, const ProbesRun& run)
{
    auto table = std::make_shared<TableContent>();
    table->columns.push_back(u"Depth"_s);
    for (const Choice& method : of.methods) {
        table->groups.push_back({methodLabel(method), static_cast<int>(run.lengths.size())});
        for (const std::int64_t n : run.lengths)
            table->columns.push_back(lengthText(static_cast<double>(n)));
    }
    for (const double depth : run.depths) {
        table->rows.push_back({QString::number(depth, 'g', 3)});
        table->marks.emplace_back(1);
        for (std::size_t method = 0; method < of.methods.size(); ++method)
            for (const std::int64_t n : run.lengths) {
                const ProbeCell* cell = cellOf(cells, n, depth, first + method);
                const double value = cell && !cell->scores.empty()
                                         ? needleValue(*cell, referenceOf(*cell, cells, of.methods.size()),
                                                       run.probability, run.difference)
                                         : NAN;
                table->rows.back().push_back(needleText(value, run));
                table->marks.back().push_back({.shade = value});
            }
    }
    return table;
}

/// What a number of the field is.
QString needleQuantity(const ProbesRun& run)
{
    const QString of = run.difference ? run.probability ? u"Difference of ln $p$ of the answer, over %1 needles a cell "
                                                          "and model%2"_s
                                                        : u"Difference, in points, of the share of %1 needles a cell "
                                                          "and model that are found exactly%2"_s
                       : run.probability ? u"Probability of the answer, e to the mean of ln $p$ over %1 needles a "
                                           "cell and model%2"_s
                                         : u"Per cent of %1 needles a cell and model that are found exactly%2"_s;
    return of.arg(run.samples).arg(ofModels(run)) +
           (run.difference ? u", from the first method with the same positions, and of the first method from itself "
                             "under the first positions (blue: better)"_s
                           : QString());
}

}  // namespace

Result<std::vector<Policy>> policiesOf(const FiguredPolicies& of)
{
    std::vector<Policy> all;
    for (const std::string& word : of.positions) {
        const auto position = parsePositions(word);
        if (!position)
            return failure(position.error().kind, "parameters.positions: " + position.error().message);
        for (const Choice& method : of.methods)
            all.push_back({.method = method, .position = *position, .mask = {}, .layers = {}});
    }
    return all;
}

Result<FigureContent> qualityFigure(const StudyResult& study, const Architecture& architecture,
                                    const FiguredPolicies& of, bool perplexity, const QString& asked)
{
    FigureContent content;
    const std::vector<int> styles = methodStyles(of.methods);
    std::vector<StudyLine> lines;
    for (std::size_t m = 0; m < of.methods.size(); ++m)
        lines.push_back({methodLabel(of.methods[m]), styles[m], false});
    for (std::size_t p = 0; p < of.positions.size(); ++p) {
        const std::vector<StudyCell> cells = cellsUnder<StudyCell>(study.cells, of, p);
        Panel panel{.chart = qualityChart(cells, lines, perplexity, static_cast<double>(architecture.trainLength)),
                    .sharesAxes = true};
        if (panel.chart.series.empty())
            for (const StudyCell& cell : cells)
                if (!cell.absent.empty())
                    return failure(ErrorKind::Undefined, cell.absent);
        panel.chart.legend = Legend::None;
        panel.chart.title = positionTitle(positionAt(of, p), architecture);
        addPanel(content, std::move(panel), 0, p, of.positions.size() > 1);
    }
    shareOrdinate(content.panels);
    content.legend = content.panels.front().chart.series;
    const bool haveErrors =
        std::ranges::any_of(study.cells, [](const StudyCell& cell) { return cell.windows.size() > 1; });
    content.footnote = u"%1. Means over windows of $n$ tokens%2%3."_s.arg(
        asked, countedIn(study), haveErrors ? u", with one standard error"_s : QString());
    return content;
}

FigureContent needleFigure(std::span<const ProbeCell> cells, const FiguredPolicies& of, const ProbesRun& run)
{
    FigureContent content;
    std::vector<std::shared_ptr<TableContent>> tables;
    std::vector<double> values;
    for (std::size_t p = 0; p < of.positions.size(); ++p) {
        tables.push_back(needleField(cells, of, p * of.methods.size(), run));
        for (const auto& row : tables.back()->marks)
            std::ranges::transform(row, std::back_inserter(values), &TableContent::Mark::shade);
        addPanel(content, tablePanel(tables.back(), positionTitle(positionAt(of, p))), p, 0, false);
    }
    for (const auto& table : tables)
        table->scale = needleScale(values, run.probability, run.difference, nullptr);
    content.footnote = run.asked + u". "_s + needleQuantity(run) +
                       u", at $n$ tokens (columns) and at a depth of the text (rows; 0: its "
                       "beginning, 1: just before the question)."_s;
    return content;
}

FigureContent recallFigure(std::span<const ProbeCell> cells, const FiguredPolicies& of, const ProbesRun& run)
{
    const std::vector<int> styles = methodStyles(of.methods);
    std::vector<ProbeLine> lines;
    for (std::size_t m = 0; m < of.methods.size(); ++m)
        lines.push_back({methodLabel(of.methods[m]), styles[m]});
    FigureContent content;
    for (std::size_t p = 0; p < of.positions.size(); ++p) {
        Panel panel{.chart = recallChart(cellsUnder(cells, of, p), lines, run.trainLength, run.vocabulary)};
        panel.chart.title = positionTitle(positionAt(of, p));
        panel.chart.y.range = {0, 100};  // chance, of any vocabulary, is in it
        addPanel(content, std::move(panel), 0, p, false);
    }
    content.footnote =
        u"%1. Per cent of the second copy's tokens that are the likeliest where they stand, of %2 "
        "sequences of $n$ tokens a model%3, with one standard error over the %4."_s.arg(
            run.asked, QString::number(run.samples), ofModels(run), run.models > 1 ? u"models"_s : u"sequences"_s);
    return content;
}

FigureContent scaleFigure(TuneCurve curve, TuneOver over, const TuneReport* report, const QString& asked)
{
    curve.searching = !report;
    if (report && report->helps)
        curve.use = report->use();
    std::vector<ChartSpec> charts;
    if (over != TuneOver::Positions)
        charts.push_back(tuneChart(curve));
    if (over == TuneOver::Positions || over == TuneOver::Both)
        charts.push_back(schemeChart(curve));
    if (report)
        charts.push_back(gainByPlaceChart(*report));
    FigureContent content;
    for (std::size_t i = 0; i < charts.size(); ++i) {
        charts[i].legend = Legend::Below;
        addPanel(content, {.chart = std::move(charts[i])}, 0, i, charts.size() > 1);
    }
    content.footnote = asked + u"."_s;
    if (report)
        content.footnote += u" %1."_s.arg(symbolsIn(text(report->answer)));
    return content;
}

}  // namespace attnscope
