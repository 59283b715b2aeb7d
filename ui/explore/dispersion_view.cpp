#include "ui/explore/dispersion_view.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/counted_rows.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/views/chart_view.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope {

DispersionView::DispersionView(const ExploreChart& chart, Workbench& bench, QWidget* parent)
    : LengthChart(chart, bench, parent),
      m_kind(described(new ElidedList, u"What disperses"_s,
                       u"What to look at: one row's weights, or how much a few keys keep when there are ever more"_s)),
      m_row(elidedCaption())
{
    addRow(inRow({m_kind, {m_row, 1}}));
    keepPlace(*m_row);  // else the list takes its room
    m_row->setAlignment(Qt::AlignRight);
    m_row->setToolTip(u"Click a row of a heatmap to choose it"_s);
    for (const DispersionKind& kind : dispersionKinds())
        addItem(*m_kind, kind.label, kind.id, kind.teaches);
    connect(m_kind, &QComboBox::activated, this, [this] {
        m_document.editLook([this](Look& look) { look.dispersion = m_kind->currentData().toString().toStdString(); });
    });
    const auto showKind = [this] { m_kind->setCurrentIndex(std::max(0, m_kind->findData(kind()))); };
    connect(&m_document, &Document::lookChanged, this, showKind);
    showKind();
}

QString DispersionView::kind() const { return text(m_document.look().dispersion); }

void DispersionView::showAround(const ChartSpec&)
{
    m_row->setVisible(nothing().isEmpty());
    m_row->setText(!isAgainstLength()            ? u"row %1"_s.arg(countText(double(m_analysis->scenario.view.row)))
                   : waits()                     ? u"computing"_s
                   : m_analysis->queryCount == 0 ? u"of a row of n keys"_s
                                                 : u"mean over %1"_s.arg(rowSetWords(m_analysis->scenario)));
}

QString DispersionView::whyNothing() const
{
    if (const QString why = LengthChart::whyNothing(); !why.isEmpty())
        return why;
    if (m_analysis->curvesCome && isAgainstLength() && (kind() != "needle"_L1 || m_analysis->needleKey >= 0))
        return u"Computing the curves"_s;
    if (kind() == "needle"_L1)
        return u"This source has no needle.\nThe source Needle has one key that matches."_s;
    if (m_analysis->queryCount == 0)
        return u"Theory alone has no rows.\nThe needle's weight against n is exact for a source with a needle."_s;
    if (!isAgainstLength())
        return u"Row %1 sees no key under this mask, so it has no weights."_s.arg(m_analysis->scenario.view.row);
    return u"No row has a value here"_s;
}

Pointed DispersionView::pointedAt(QPointF value, const ChartSeries* series) const
{
    Pointed at = LengthChart::pointedAt(value, series);
    if (isAgainstLength())
        return at;
    at.length = -1;
    if (at.method >= 0)
        at.key = keyAtRank(*m_analysis, static_cast<size_t>(at.method),
                           static_cast<int>(std::max(1.0, std::round(value.x()))) - 1);
    return at;
}

ChartMark DispersionView::markAt(const Pointed& at) const
{
    if (isAgainstLength())
        return LengthChart::markAt(at);
    return at.key >= 0 ? markAtKey(*m_analysis, at.key) : ChartMark{};
}

}  // namespace attnscope

#include "moc_dispersion_view.cpp"
