#include "ui/window/views/dispersion_view.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/method_style.h"
#include "ui/window/controls/elided.h"
#include "ui/window/document.h"
#include "ui/window/pins.h"
#include "ui/window/pointer.h"
#include "ui/window/views/chart_notes.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/length_lines.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope {

DispersionView::DispersionView(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, QWidget* parent)
    : QWidget(parent), m_document(document), m_pointer(pointer), m_pins(pins), m_kind(new ElidedList), m_row(new ElidedLabel), m_nothing(new QLabel), m_chart(new ChartView), m_notes(new ChartNotes(document, m_chart, [&document] { return dispersionChartName(document.look().dispersion); }))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 8);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->addWidget(m_kind);
    line->addWidget(m_row, 1);
    layout->addLayout(line);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_nothing, 1);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setProperty("role", "caption");
    m_nothing->hide();

    m_row->setProperty("role", "caption");
    m_row->setAlignment(Qt::AlignRight);
    m_row->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // it changes with n, and lays out nothing anew
    m_row->setToolTip(tr("Click a row of a heatmap to choose it"));
    m_kind->setAccessibleName(tr("What disperses"));
    m_kind->setToolTip(tr("What to look at: one row's weights, or how much a few keys keep when there are ever more"));
    for (const DispersionKind& kind : dispersionKinds()) {
        m_kind->addItem(kind.label, kind.id);
        m_kind->setItemData(m_kind->count() - 1, kind.teaches, Qt::ToolTipRole);
    }
    m_chart->setAccessibleName(tr("Dispersion"));
    connect(m_kind, &QComboBox::activated, this, [this] {
        m_document.editLook([this](Look& look) { look.dispersion = m_kind->currentData().toString().toStdString(); });
    });
    connect(&document, &Document::lookChanged, this, &DispersionView::showLook);
    connect(&pins, &Pins::changed, this, &DispersionView::show);
    m_chart->setAccessibleDescription(tr("A curve a method; drag the markers at n and N, or use the arrow keys, to move the scenario"));
    connect(m_chart, &ChartView::hovered, this, &DispersionView::hover);
    connect(m_chart, &ChartView::lineDragged, this, [&document](int which, double value) { moveLengthLine(document, which, value); });
    connect(m_chart, &ChartView::lineReleased, &document, &Document::endGesture);
    connect(&pointer, &Pointer::moved, this, &DispersionView::mark);
    connect(m_chart, &ChartView::left, &pointer, &Pointer::leave);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        m_analysis = analysis;
        if (!analysis->curvesCome || !m_curves || m_curves->curvesCome)
            m_curves = analysis;
        show();
    });
    showLook();
}

QString DispersionView::kind() const { return m_kind->currentData().toString(); }

void DispersionView::showLook()
{
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(QString::fromStdString(m_document.look().dispersion))));
    show();
}

void DispersionView::show()
{
    if (!m_analysis)
        return;
    const bool waits = !isSorted() && m_curves != m_analysis;  // a row is in every answer, curves are not
    ChartSpec spec = dispersionChart(waits ? *m_curves : *m_analysis, kind());
    if (waits)
        spec = chartFromBefore(std::move(spec), *m_curves, *m_analysis);
    const bool nothing = std::all_of(spec.series.begin(), spec.series.end(), [](const ChartSeries& series) { return series.points.empty(); });
    m_chart->setVisible(!nothing);
    m_nothing->setVisible(nothing);
    m_row->setVisible(!nothing);
    m_row->setText(isSorted() ? tr("row %1").arg(m_analysis->scenario.view.row) : waits ? tr("computing") : tr("mean over rows"));
    m_nothing->setText(nothing ? whyNothing() : QString());
    addGhosts(spec, m_pins, [this](const Analysis& pin) { return dispersionChart(pin, kind()); });
    m_notes->show(std::move(spec));
    mark();
}

QString DispersionView::nothing() const { return m_nothing->text(); }

QString DispersionView::whyNothing() const
{
    if (m_analysis->methods.empty())
        return tr("No method is ticked");
    if (m_analysis->curvesCome && !isSorted() && (kind() != QLatin1String("needle") || m_analysis->needleKey >= 0))
        return tr("Computing the curves");
    if (kind() == QLatin1String("needle"))
        return tr("This source has no needle.\nThe source Needle has one key that matches.");
    if (m_analysis->queryCount == 0)
        return tr("Theory alone has no rows.\nThe needle's weight against n is exact for a source with a needle.");
    if (isSorted())
        return tr("Row %1 sees no key under this mask, so it has no weights.").arg(m_analysis->scenario.view.row);
    return tr("No row has a value here");
}

void DispersionView::hover(QPointF value, const std::optional<ChartHit>& hit)
{
    if (!m_analysis)
        return;
    Pointed at;
    if (!isSorted())
        at.length = std::max(1.0, std::round(value.x()));
    if (hit) {
        const ChartSeries& series = m_chart->spec().series[static_cast<size_t>(hit->series)];
        at.method = placeOfStyle(m_analysis->scenario.methods, series.style);
        if (isSorted() && at.method >= 0)
            at.key = keyAtRank(*m_analysis, static_cast<size_t>(at.method), static_cast<int>(series.points[static_cast<size_t>(hit->point)].x) - 1);
        else if (!isSorted())
            at.length = std::max(1.0, std::round(series.points[static_cast<size_t>(hit->point)].x));
    }
    m_pointer.point(at);
}

void DispersionView::mark()
{
    if (!m_analysis)
        return;
    const Pointed& at = m_pointer.at();
    m_chart->setEmphasis(styleOf(*m_analysis, at.method));
    if (isSorted())
        return m_chart->setMark(at.key >= 0 ? markAtKey(*m_analysis, at.key) : ChartMark{});
    const auto length = pointedLength(*m_analysis, at);
    m_chart->setMark(length ? markAtLength(m_chart->spec(), *length) : ChartMark{});
}

}  // namespace attnscope

#include "moc_dispersion_view.cpp"
