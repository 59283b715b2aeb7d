#include "ui/views/length_chart.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
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

LengthChart::LengthChart(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins,
                         std::function<std::string()> name, QWidget* parent)
    : QWidget(parent), m_document(document), m_pins(pins), m_chart(new ChartView),
      m_notes(new ChartNotes(document, m_chart, std::move(name))), m_pointer(pointer)
{
    connectLengthLines(*m_chart, document);
    connect(m_chart, &ChartView::hovered, this, &LengthChart::hover);
    connect(m_chart, &ChartView::left, &pointer, &Pointer::leave);
    connect(&pointer, &Pointer::moved, this, &LengthChart::mark);
    connect(&document, &Document::lookChanged, this, &LengthChart::showLook);
    connect(&pins, &Pins::changed, this, &LengthChart::show);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        m_analysis = analysis;
        if (!analysis->curvesCome || !m_curves || m_curves->curvesCome)
            m_curves = analysis;
        show();
    });
}

ChartSpec LengthChart::ofNow(ChartSpec curves) const
{
    return waits() ? chartFromBefore(std::move(curves), *m_curves, *m_analysis) : curves;
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
