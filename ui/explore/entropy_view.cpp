#include "ui/explore/entropy_view.h"

#include "core/analysis/curve_sample.h"
#include "core/statistics/measures.h"
#include "ui/figure/analysis_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/views/chart_view.h"
#include "ui/figure/counted_rows.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int gap = 2, besideMeasure = 8;

QString missInWords(const Analysis& analysis, const TheoryFit& fit)
{
    return printed(formatNumber(fit.miss, 2)) + (isShannon(analysis.scenario.view.measure) ? u" nats"_s : QString());
}

}  // namespace

EntropyView::EntropyView(const ExploreChart& chart, Workbench& bench, QWidget* parent)
    : LengthChart(chart, bench, parent),
      m_measure(described(new ElidedList, u"Measure"_s,
                          u"What is measured of every row; the curve shows its mean over rows"_s)),
      m_approximations(toolButton(
          u"Approx."_s,
          u"What the papers' approximations say of the first method's entropy, for sources whose theory is known; "
          "broad where they are within %1 nats of the exact value of the law that each is of"_s.arg(closeNats),
          u"Approximations of the papers"_s)),
      m_allHeads(toolButton(
          u"Heads"_s,
          u"Entropy of every head of the layer under the first ticked method; the strong line is the chosen head"_s,
          u"All heads"_s)),
      m_theory(toolButton(u"Theory"_s,
                          u"What theory expects, thin and grey beside the data of the file; where it is outside of "
                          "what the middle four fifths of their rows have, at most lengths, it is off until it is "
                          "asked for"_s,
                          u"Theory beside the data"_s)),
      m_caption(elidedCaption(u"What the curves show, or the point under the pointer"_s))
{
    addRow(m_first = inRow({m_measure, stretch(0), m_allHeads}, gap));
    addRow(m_second = inRow({{m_caption, 1}, m_theory, m_approximations}, gap));
    m_allHeads->setVisible(false);
    m_theory->setVisible(false);
    for (const auto& [button, shown] : {std::pair(m_allHeads, &Look::allHeads),
                                        {m_theory, &Look::theory},
                                        {m_approximations, &Look::approximations}}) {
        button->setProperty("quiet", true);  // the measure's name has the room
        button->setProperty("framed", true);
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, this,
                [this, shown = shown](bool on) { m_document.editLook([&](Look& look) { look.*shown = on; }); });
        const auto showLook = [this, button = button, shown = shown] { button->setChecked(m_document.look().*shown); };
        connect(&m_document, &Document::lookChanged, this, showLook);
        showLook();
    }
    for (const Measure& measure : measures())
        addItem(*m_measure, text(measure.label), text(measure.id), teach(measure));
    connect(m_measure, &QComboBox::activated, this, [this] {
        const std::string id = m_measure->currentData().toString().toStdString();
        m_document.editOnce(u"Measure"_s, [&](Scenario& scenario) { scenario.view.measure = {id, {}, {}}; });
    });
    connect(m_chart, &ChartView::left, this, &EntropyView::caption);
    const auto showMeasure = [this] {
        m_measure->setCurrentIndex(m_measure->findData(text(m_document.scenario().view.measure.id)));
    };
    connect(&m_document, &Document::changed, this, showMeasure);
    showMeasure();
}

void EntropyView::showAround(const ChartSpec&)
{
    m_allHeads->setVisible(m_curves->heads.size() > 1);
    const auto fit = theoryOfFile(*m_curves);
    m_theory->setVisible(showsMethods() && fit && fit->misses());
    m_approximations->setVisible(!m_curves->approximations.empty());
    caption();
    arrange();
}

static int taken(const QWidget* button) { return button->isHidden() ? 0 : button->sizeHint().width() + gap; }

QSize EntropyView::minimumSizeHint() const
{
    const QMargins around = m_column->contentsMargins(), inside = m_first->contentsMargins();
    const int rows =
        std::max(m_measure->minimumSizeHint().width() + taken(m_allHeads), taken(m_theory) + taken(m_approximations)) +
        inside.left() + inside.right();
    return {std::max(rows, m_chart->minimumSizeHint().width()) + around.left() + around.right(),
            LengthChart::minimumSizeHint().height()};
}

void EntropyView::resizeEvent(QResizeEvent* event)
{
    LengthChart::resizeEvent(event);
    arrange();
}

/// Beside the measure where all of it has its room there; what is pointed at moves nothing.
void EntropyView::arrange()
{
    if (!m_analysis)
        return;
    const QMargins around = m_column->contentsMargins(), inside = m_first->contentsMargins();
    const int room = width() - around.left() - around.right() - inside.left() - inside.right();
    const int buttons = m_measure->sizeHint().width() + taken(m_allHeads) + taken(m_theory) + taken(m_approximations);
    const QString words = said();
    const bool buttonsFit = buttons <= room,
               wordsFit = buttonsFit &&
                          buttons + besideMeasure + m_caption->fontMetrics().horizontalAdvance(words) + gap <= room;
    const auto place = [](QHBoxLayout* row, int at, QWidget* part, int factor) {
        if (row->indexOf(part) < 0)
            row->insertWidget(at < 0 ? row->count() : at, part, factor);
    };
    place(wordsFit ? m_first : m_second, wordsFit ? 1 : 0, m_caption, 1);
    m_caption->setContentsMargins(wordsFit ? besideMeasure - gap : 0, 0, 0, 0);
    m_first->setStretch(wordsFit ? 2 : 1, wordsFit ? 0 : 1);
    for (QToolButton* button : {m_theory, m_approximations})
        place(buttonsFit ? m_first : m_second, -1, button, 0);
}

/// The number under the pointer in words.
void EntropyView::hover(QPointF value, const std::optional<ChartHit>& hit)
{
    if (hit) {
        QString rows;
        if (showsMethods() && m_analysis && m_analysis->queryCount > 0) {
            const bool exact =
                m_chart->spec().series[static_cast<size_t>(hit->series)].shape == ChartSeries::Shape::Line;
            const bool some = !exact && isOfSomeRows(m_analysis->scenario, m_chart->readout().x);
            rows = u" \u00B7 "_s + (some ? u"some of "_s : QString()) + rowSetWords(m_analysis->scenario);
        }
        const QString all = reading(*hit);
        m_caption->setShortTexts({all, all.mid(std::max<qsizetype>(0, all.lastIndexOf(u"n = "_s)))});
        m_caption->setText(all + rows);
    } else {
        caption();
    }
    LengthChart::hover(value, hit);
}

/// What the readout says of the line that is pointed at, with its rows; of a line without a name, its point.
QString EntropyView::reading(const ChartHit& hit) const
{
    const ChartSpec& chart = m_chart->spec();
    const ChartSeries& series = chart.series[static_cast<size_t>(hit.series)];
    const ChartReadout readout = m_chart->readout();
    const double x = readout.x;
    const QString n = x == std::round(x) ? countText(x) : number(x);
    for (const ChartReadout::Line& line : readout.lines)
        if (const ChartSeries& named = chart.series[static_cast<size_t>(line.named)];
            series.style >= 0 && named.style == series.style) {
            const auto& value = series.shape == ChartSeries::Shape::Points && line.points
                                    ? *line.points
                                    : line.curve.value_or(line.value());
            const ChartSeries& shown = chart.series[static_cast<size_t>(value.series)];
            const auto point = std::ranges::find(shown.points, x, &ChartPoint::x);
            const auto rows = [&] {
                return point == shown.points.end() || !std::isfinite(point->low)
                           ? QString()
                           : u"; middle 80 % of rows: %1 to %2"_s.arg(printed(formatNumber(point->low, 3)),
                                                                      printed(formatNumber(point->high, 3)));
            };
            return u"%1, n = %2: %3%4%5"_s.arg(named.label, n, value.between ? u"\u2248 "_s : QString(),
                                               readoutNumber(chart, readout, value),
                                               shown.shape == ChartSeries::Shape::Line ? u", exact"_s : rows());
        }
    const ChartPoint& point = series.points[static_cast<size_t>(hit.point)];
    return u"n = %1: %2"_s.arg(number(point.x), number(point.y));
}

void EntropyView::caption()
{
    if (!m_analysis)
        return;
    m_caption->setShortTexts(inShort());
    if (m_analysis->curvesCome) {
        m_caption->setText(waits() ? u"computing; the curves are those from before"_s : u"computing the curves"_s);
        m_caption->setToolTip({});
        return;
    }
    m_caption->setText(said());
    m_caption->setToolTip(
        !showsMethods() ? QString()
        : m_analysis->queryCount == 0
            ? u"Lines are exact for %1, of a row that sees n keys"_s.arg(text(m_analysis->theory))
            : u"The mean over %1 of n tokens. The band behind it is what the middle four fifths of these rows "
              "have: how much rows differ, and not how far the mean of another sequence would lie. Over all of "
              "them up to 1 024 tokens, at this n and where all see the same keys of a file; elsewhere over some, "
              "spread evenly. Exact lines are the mean over the same rows. The list above the maps says which rows "
              "count."_s.arg(rowSetWords(m_analysis->scenario)));
}

/// Not every measure has one.
bool EntropyView::hasExactLines() const
{
    return !m_analysis->theory.empty() &&
           (m_analysis->theoryComes ||
            std::ranges::any_of(m_analysis->methods, [](const MethodAnalysis& of) { return !of.exact.empty(); }));
}

/// Where a narrow column has no room for all: first whether theory is of use here.
QStringList EntropyView::inShort() const
{
    const auto fit = theoryOfFile(*m_analysis);
    if (!showsMethods() || m_analysis->queryCount == 0 || m_analysis->curvesCome)
        return {};
    if (!hasExactLines())
        return {u"measured"_s, {}};
    if (!fit)
        return {u"points: %1; lines: exact"_s.arg(rowSetWords(m_analysis->scenario)), u"lines: exact"_s, {}};
    if (!fit->misses())
        return {u"measured; grey: theory"_s, u"grey: theory"_s, {}};
    const QString by = missInWords(*m_analysis, *fit);
    return {u"measured; theory off by %1"_s.arg(by),
            u"theory off by %1"_s.arg(by),
            u"theory off by %1"_s.arg(by.section(u' ', 0, 0)),
            u"off by %1"_s.arg(by),
            {}};
}

/// What the curves are of: whose rows, and what theory has to do with them.
QString EntropyView::said() const
{
    if (!m_analysis->failed.empty())
        return {};
    const TensorSelection& tensors = m_analysis->scenario.tensors;
    const QString law = hasExactLines() ? text(m_analysis->theory) : QString(),
                  rows = rowSetWords(m_analysis->scenario);
    if (!showsMethods())
        return u"every head, %1; the chosen one strong"_s.arg(rows);
    const QString heads = tensors.mean.empty() ? QString() : text(describeHeads(tensors)) + u", "_s;
    if (law.isEmpty() && m_analysis->queryCount == 0)
        return m_analysis->theoryLacks.empty() ? QString()
                                               : u"no exact theory (%1)"_s.arg(text(m_analysis->theoryLacks));
    if (law.isEmpty())
        return heads + u"measured, %1"_s.arg(rows);
    if (m_analysis->queryCount == 0)
        return u"exact for %1"_s.arg(law);
    const auto fit = theoryOfFile(*m_analysis);
    if (fit && fit->misses())
        return heads + u"measured, %1; theory for %2 is off by %3"_s.arg(rows, law, missInWords(*m_analysis, *fit));
    if (m_analysis->scenario.ofFile())
        return heads +
               (fit ? u"measured, %1; grey: theory for %2, off by %3"_s.arg(rows, law, missInWords(*m_analysis, *fit))
                    : u"measured, %1; grey: theory for %2"_s.arg(rows, law));
    return heads + u"points: %1; lines: exact for %2"_s.arg(rows, law);
}

}  // namespace attnscope

#include "moc_entropy_view.cpp"
