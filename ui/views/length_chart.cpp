#include "ui/views/length_chart.h"

#include "ui/figure/explore_charts.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
#include "ui/workbench/workbench.h"
#include "ui/views/chart_notes.h"
#include "ui/views/chart_view.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

void connectLengthLines(ChartView& chart, Document& document)
{
    QObject::connect(&chart, &ChartView::lineDragged, &document, [&document](int line, double value) {
        if (line == lineAtN)
            document.edit(u"Length n"_s, [value](Scenario& scenario) {
                scenario.n = std::clamp<std::int64_t>(std::llround(value), 2,
                                                      std::max<std::int64_t>(1 << 20, scenario.view.curveLast));
            });
        else
            document.edit(u"Trained at N"_s, [value](Scenario& scenario) {
                scenario.nTrain = std::clamp(std::round(value), 2.0, double(1 << 20));
            });
    });
    QObject::connect(&chart, &ChartView::lineReleased, &document, &Document::endGesture);
}

LengthChart::LengthChart(const ExploreChart& chart, Workbench& bench, QWidget* parent)
    : QWidget(parent), m_of(chart), m_document(bench.document), m_pins(bench.pins), m_chart(new ChartView),
      m_notes(new ChartNotes(bench.document, m_chart,
                             [this] { return m_of.name(m_document.scenario(), m_document.look()); })),
      m_nothing(paragraph("caption")), m_pointer(bench.pointer)
{
    m_column = inColumn(this, {{m_chart, 1}, {m_nothing, 1}}, 4, {10, 0, 10, 8});
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->hide();
    const auto nameChart = [this] { m_chart->setAccessibleName(m_of.titleOf(m_document.scenario())); };
    connect(&m_document, &Document::changed, this, nameChart);
    nameChart();
    m_chart->setAccessibleDescription(text(chart.help));
    connectLengthLines(*m_chart, m_document);
    connect(m_chart, &ChartView::hovered, this, &LengthChart::hover);
    connect(m_chart, &ChartView::left, &m_pointer, &Pointer::leave);
    connect(&m_pointer, &Pointer::moved, this, &LengthChart::mark);
    connect(&m_document, &Document::lookChanged, this, &LengthChart::show);
    connect(&m_pins, &Pins::changed, this, &LengthChart::show);
    const auto forgetCursor = [this] { m_chart->setSince({}); };  // it is of another session, or of other curves
    connect(&m_document, &Document::leaving, this, forgetCursor);
    connect(&bench.analyser, &Analyser::arrived, this, [this, forgetCursor](const AnalysisPtr& analysis) {
        if (m_analysis && (analysis->scenario.source != m_analysis->scenario.source ||
                           analysis->scenario.tensors.path != m_analysis->scenario.tensors.path))
            forgetCursor();
        m_analysis = analysis;
        if (!analysis->curvesCome || !m_curves || m_curves->curvesCome)
            m_curves = analysis;
        show();
    });
}

void LengthChart::addRow(QHBoxLayout* row)
{
    row->setContentsMargins(3, 0, 3, 0);
    m_column->insertLayout(m_column->indexOf(m_chart), row);
}

bool LengthChart::showsMethods() const { return m_curves && m_of.showsMethods(*m_curves, m_document.look()); }

ChartSpec LengthChart::ofScenario() const
{
    ChartSpec chart = m_of.chart(isAgainstLength() ? *m_curves : *m_analysis, m_document.look());
    return isAgainstLength() && waits() ? chartFromBefore(std::move(chart), *m_curves, *m_analysis) : chart;
}

void LengthChart::show()
{
    if (!m_analysis)
        return;
    ChartSpec chart = ofScenario();
    const bool empty =
        std::ranges::all_of(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
    const QString why = empty || !m_analysis->failed.empty() ? whyNothing() : QString();
    m_nothing->setText(why);
    m_nothing->setVisible(!why.isEmpty());
    m_chart->setVisible(why.isEmpty());
    showAround(chart);
    if (showsMethods())
        addGhosts(chart, m_pins, [&, own = chart](const Analysis& pin) {
            const Scenario &then = pin.scenario, &now = m_analysis->scenario;
            ChartSpec of = m_of.ofPin(pin, m_document.look());
            return then.source == now.source && then.tensors.path == now.tensors.path
                       ? of
                       : besideCurvesOf(own, std::move(of));
        });
    m_notes->show(std::move(chart));
    mark();
}

QString LengthChart::nothing() const { return m_nothing->text(); }

QString LengthChart::whyNothing() const
{
    return !m_analysis->failed.empty()   ? u"Nothing was computed; the maps say why"_s
           : m_analysis->methods.empty() ? u"No method is ticked"_s
                                         : QString();
}

void LengthChart::hover(QPointF value, const std::optional<ChartHit>& hit)
{
    if (!m_analysis)
        return;
    const ChartSeries* series = hit ? &m_chart->spec().series[static_cast<size_t>(hit->series)] : nullptr;
    m_pointer.point(pointedAt(value, series));
}

/// The length, and the method whose curve it is.
Pointed LengthChart::pointedAt(QPointF value, const ChartSeries* series) const
{
    Pointed at{.length = std::max(1.0, std::round(value.x()))};
    if (series && showsMethods())
        at.method = placeOfStyle(m_analysis->scenario.methods, series->style);
    return at;
}

ChartMark LengthChart::markAt(const Pointed& at) const
{
    const auto length = pointedLength(*m_analysis, at);
    return length ? markAtLength(m_chart->spec(), m_chart->chartLayout(), *length) : ChartMark{};
}

void LengthChart::mark()
{
    if (!m_analysis)
        return;
    m_chart->setEmphasis(showsMethods() ? styleOf(*m_analysis, m_pointer.at().method) : -1);
    m_chart->setMark(markAt(m_pointer.at()));
}

}  // namespace attnscope

#include "moc_length_chart.cpp"
