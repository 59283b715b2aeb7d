#include "ui/window/views/dispersion_view.h"

#include "ui/window/pointer.h"
#include "ui/window/views/analysis_charts.h"
#include "ui/window/views/chart_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope {

DispersionView::DispersionView(Analyser& analyser, Pointer& pointer, QWidget* parent)
    : QWidget(parent), m_kind(new QComboBox), m_row(new QLabel), m_nothing(new QLabel(tr("Nothing of this kind in this source"))), m_chart(new ChartView)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 8);
    layout->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->addWidget(m_kind);
    line->addStretch(1);
    line->addWidget(m_row);
    layout->addLayout(line);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_nothing, 1);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setProperty("role", "caption");
    m_nothing->hide();

    m_row->setProperty("role", "caption");
    m_row->setToolTip(tr("Click a row of a heatmap to choose it"));
    m_kind->setAccessibleName(tr("What disperses"));
    m_kind->setToolTip(tr("What to look at: one row's weights, or how much a few keys keep when there are ever more"));
    for (const DispersionKind& kind : dispersionKinds()) {
        m_kind->addItem(kind.label, kind.id);
        m_kind->setItemData(m_kind->count() - 1, kind.teaches, Qt::ToolTipRole);
    }
    m_chart->setAccessibleName(tr("Dispersion"));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &DispersionView::show);
    connect(m_chart, &ChartView::hovered, this, [this, &pointer](QPointF, std::optional<ChartHit> hit) {
        if (!hit || !m_analysis)
            return pointer.leave();
        const int method = m_chart->spec().series[static_cast<size_t>(hit->series)].style;
        const bool sorted = kind() == QLatin1String("sorted") && method >= 0;
        pointer.point({-1, sorted ? keyAtRank(*m_analysis, static_cast<size_t>(method), hit->point) : -1, method});
    });
    connect(m_chart, &ChartView::left, &pointer, &Pointer::leave);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        m_analysis = analysis;
        show();
    });
}

QString DispersionView::kind() const { return m_kind->currentData().toString(); }

void DispersionView::setKind(const QString& id) { m_kind->setCurrentIndex(std::max(0, m_kind->findData(id))); }

void DispersionView::show()
{
    if (!m_analysis)
        return;
    ChartSpec spec = dispersionChart(*m_analysis, kind());
    const bool nothing = std::all_of(spec.series.begin(), spec.series.end(), [](const ChartSeries& series) { return series.points.empty(); });
    m_chart->setVisible(!nothing);
    m_nothing->setVisible(nothing);
    m_row->setVisible(!nothing);
    m_row->setText(kind() == QLatin1String("sorted") ? tr("row %1").arg(m_analysis->scenario.view.row) : tr("mean over rows"));
    m_chart->show(std::move(spec));
}

}  // namespace attnscope
