#include "ui/window/views/entropy_view.h"

#include "core/analysis/curve_sample.h"
#include "core/statistics/measures.h"
#include "ui/figure/analysis_charts.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/method_style.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/elided.h"
#include "ui/window/document.h"
#include "ui/window/pins.h"
#include "ui/window/pointer.h"
#include "ui/window/views/chart_notes.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/length_lines.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope {

EntropyView::EntropyView(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, QWidget* parent)
    : QWidget(parent), m_document(document), m_pointer(pointer), m_pins(pins), m_measure(new ElidedList), m_approximations(new QToolButton), m_allHeads(new QToolButton), m_caption(new ElidedLabel), m_chart(new ChartView), m_notes(new ChartNotes(document, m_chart, [&document] { return entropyChartName(document.scenario()); }))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 8);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_measure);
    line->addStretch(1);
    line->addWidget(m_allHeads);
    line->addWidget(m_approximations);
    m_allHeads->setText(tr("all heads"));
    m_allHeads->setCheckable(true);
    m_allHeads->setVisible(false);
    m_allHeads->setAccessibleName(tr("All heads"));
    m_allHeads->setToolTip(tr("Entropy of every head of the layer under the first ticked method; the strong line is the chosen head"));
    connect(m_allHeads, &QToolButton::clicked, this, [this](bool all) { m_document.editLook([all](Look& look) { look.allHeads = all; }); });
    m_approximations->setText(tr("\u2248"));
    m_approximations->setCheckable(true);
    m_approximations->setAccessibleName(tr("Approximations of the papers"));
    m_approximations->setToolTip(tr("What the papers' approximations say of the first method's entropy, for sources whose theory is known; "
                                    "strong where they are within 0.05 nats of the exact value"));
    connect(m_approximations, &QToolButton::clicked, this, [this](bool shown) { m_document.editLook([shown](Look& look) { look.approximations = shown; }); });
    layout->addLayout(line);
    m_caption->setProperty("role", "caption");
    m_caption->setAccessibleDescription(tr("What the curves show, or the point under the pointer"));
    m_caption->setContentsMargins(2, 0, 2, 0);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_caption);
    layout->addWidget(m_chart, 1);

    m_measure->setAccessibleName(tr("Measure"));
    m_measure->setToolTip(tr("What is measured of every row; the curve shows its mean over rows"));
    for (const Measure& measure : measures()) {
        m_measure->addItem(QString::fromStdString(measure.label), QString::fromStdString(measure.id));
        m_measure->setItemData(m_measure->count() - 1, teach(measure), Qt::ToolTipRole);
    }
    m_chart->setAccessibleName(tr("Entropy against n"));
    m_chart->setAccessibleDescription(tr("A curve a method; drag the markers at n and N, or use the arrow keys (with Alt for N), to move the scenario"));

    connect(m_measure, &QComboBox::activated, this, [this] {
        const std::string id = m_measure->currentData().toString().toStdString();
        m_document.edit(tr("Measure"), [&](Scenario& scenario) { scenario.view.measure = {id, {}, {}}; });
        m_document.endGesture();
    });
    connect(m_chart, &ChartView::lineDragged, this, [&document](int which, double value) { moveLengthLine(document, which, value); });
    connect(m_chart, &ChartView::hovered, this, &EntropyView::hover);
    connect(&pointer, &Pointer::moved, this, &EntropyView::mark);
    connect(m_chart, &ChartView::left, this, [this, &pointer] {
        caption();
        pointer.leave();
    });
    connect(m_chart, &ChartView::lineReleased, &document, &Document::endGesture);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        m_analysis = analysis;
        if (!analysis->curvesCome || !m_curves || m_curves->curvesCome)
            m_curves = analysis;
        show();
    });
    const auto showMeasure = [this] {
        m_measure->setCurrentIndex(m_measure->findData(QString::fromStdString(m_document.scenario().view.measure.id)));
    };
    connect(&document, &Document::changed, this, showMeasure);
    connect(&document, &Document::lookChanged, this, &EntropyView::showLook);
    connect(&pins, &Pins::changed, this, &EntropyView::show);
    showMeasure();
    showLook();
}

void EntropyView::showLook()
{
    m_approximations->setChecked(m_document.look().approximations);
    m_allHeads->setChecked(m_document.look().allHeads);
    show();
}

void EntropyView::show()
{
    if (!m_analysis)
        return;
    m_allHeads->setVisible(m_curves->heads.size() > 1);
    ChartSpec chart = showsHeads() ? headsChart(*m_curves) : entropyChart(*m_curves, m_document.look().approximations);
    if (waits())
        chart = chartFromBefore(std::move(chart), *m_curves, *m_analysis);
    if (!showsHeads())
        addGhosts(chart, m_pins, [](const Analysis& pin) { return entropyChart(pin, false); });
    m_notes->show(std::move(chart));
    m_approximations->setEnabled(!m_curves->approximations.empty());
    mark();
    caption();
}

/// The number under the pointer in words; the length, and the method whose curve it is, for all views.
void EntropyView::hover(QPointF value, const std::optional<ChartHit>& hit)
{
    Pointed at{.length = std::max(1.0, std::round(value.x()))};
    if (!hit) {
        caption();
        return m_pointer.point(at);
    }
    const ChartSeries& series = m_chart->spec().series[static_cast<size_t>(hit->series)];
    const ChartPoint& point = series.points[static_cast<size_t>(hit->point)];
    const QString name = series.label.isEmpty() || series.style < 0 ? QString() : series.label + QStringLiteral(", ");
    m_caption->setText(tr("%1n = %2: %3").arg(name, QString::fromStdString(formatNumber(point.x, 4)), QString::fromStdString(formatNumber(point.y, 4))));
    at.length = std::max(1.0, std::round(point.x));
    at.method = showsHeads() ? -1 : placeOfStyle(m_analysis->scenario.methods, series.style);
    m_pointer.point(at);
}

void EntropyView::mark()
{
    if (!m_analysis)
        return;
    const Pointed& at = m_pointer.at();
    const auto length = pointedLength(*m_analysis, at);
    m_chart->setEmphasis(showsHeads() ? -1 : styleOf(*m_analysis, at.method));
    m_chart->setMark(length ? markAtLength(m_chart->spec(), *length) : ChartMark{});
}

bool EntropyView::showsHeads() const { return m_document.look().allHeads && m_curves && m_curves->heads.size() > 1; }

void EntropyView::caption()
{
    if (!m_analysis)
        return;
    if (m_analysis->curvesCome) {
        m_caption->setText(waits() ? tr("computing; the curves are those from before") : tr("computing the curves"));
        m_caption->setToolTip({});
        return;
    }
    const TensorSelection& tensors = m_analysis->scenario.tensors;
    const QString heads = tensors.mean.empty() || showsHeads() ? QString() : QString::fromStdString(describeHeads(tensors)) + QStringLiteral(", ");
    const QString law = QString::fromStdString(m_analysis->theory);
    m_caption->setText(showsHeads()                ? tr("every head, measured; the chosen one strong")
                       : law.isEmpty()             ? heads + (looksAtLastQuarter(m_analysis->scenario) ? tr("measured, of rows that see about n keys") : tr("measured, mean over rows"))
                       : m_analysis->queryCount == 0 ? tr("exact for %1").arg(law)
                                                   : heads + tr("lines: exact for %1").arg(law));
    m_caption->setToolTip(m_analysis->theory.empty() && looksAtLastQuarter(m_analysis->scenario)
                              ? tr("At each length n the mean over rows of the last quarter of its first n tokens, with its standard error. The table and the maps are of all rows, most of which see fewer keys.")
                          : m_analysis->theory.empty() ? tr("Mean over rows at each length, with its standard error")
                                                   : tr("Points are measured, lines are exact for %1").arg(QString::fromStdString(m_analysis->theory)));
}

}  // namespace attnscope

#include "moc_entropy_view.cpp"
