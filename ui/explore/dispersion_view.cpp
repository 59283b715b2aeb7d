#include "ui/explore/dispersion_view.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
#include "ui/views/chart_notes.h"
#include "ui/views/chart_view.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

DispersionView::DispersionView(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, QWidget* parent)
    : LengthChart(
          document, analyser, pointer, pins, [&document] { return dispersionChartName(document.look().dispersion); },
          parent),
      m_kind(described(new ElidedList, u"What disperses"_s,
                       u"What to look at: one row's weights, or how much a few keys keep when there are ever more"_s)),
      m_row(elidedCaption()), m_nothing(paragraph("caption"))
{
    inColumn(this, {inRow({m_kind, {m_row, 1}}), {m_chart, 1}, {m_nothing, 1}}, 4, {10, 0, 10, 8});
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->hide();
    m_row->setAlignment(Qt::AlignRight);
    m_row->setToolTip(u"Click a row of a heatmap to choose it"_s);
    for (const DispersionKind& kind : dispersionKinds())
        addItem(*m_kind, kind.label, kind.id, kind.teaches);
    m_chart->setAccessibleName(u"Dispersion"_s);
    m_chart->setAccessibleDescription(
        u"A curve a method; drag the markers at n and N, or use the arrow keys, to move the scenario"_s);
    connect(m_kind, &QComboBox::activated, this, [this] {
        m_document.editLook([this](Look& look) { look.dispersion = m_kind->currentData().toString().toStdString(); });
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
    ChartSpec spec = isSorted()
                         ? dispersionChart(*m_analysis, kind())
                         : ofNow(dispersionChart(*m_curves, kind()));  // a row is in every answer, curves are not
    const bool nothing = std::all_of(spec.series.begin(), spec.series.end(),
                                     [](const ChartSeries& series) { return series.points.empty(); });
    m_chart->setVisible(!nothing);
    m_nothing->setVisible(nothing);
    m_row->setVisible(!nothing);
    m_row->setText(isSorted() ? u"row %1"_s.arg(m_analysis->scenario.view.row)
                   : waits()  ? u"computing"_s
                              : u"mean over rows"_s);
    m_nothing->setText(nothing ? whyNothing() : QString());
    addGhosts(spec, m_pins, [this](const Analysis& pin) { return dispersionChart(pin, kind()); });
    m_notes->show(std::move(spec));
    mark();
}

QString DispersionView::nothing() const { return m_nothing->text(); }

QString DispersionView::whyNothing() const
{
    if (m_analysis->methods.empty())
        return u"No method is ticked"_s;
    if (m_analysis->curvesCome && !isSorted() && (kind() != "needle"_L1 || m_analysis->needleKey >= 0))
        return u"Computing the curves"_s;
    if (kind() == "needle"_L1)
        return u"This source has no needle.\nThe source Needle has one key that matches."_s;
    if (m_analysis->queryCount == 0)
        return u"Theory alone has no rows.\nThe needle's weight against n is exact for a source with a needle."_s;
    if (isSorted())
        return u"Row %1 sees no key under this mask, so it has no weights."_s.arg(m_analysis->scenario.view.row);
    return u"No row has a value here"_s;
}

Pointed DispersionView::pointedAt(QPointF value, const ChartSeries* series) const
{
    Pointed at = LengthChart::pointedAt(value, series);
    if (!isSorted())
        return at;
    at.length = -1;
    if (at.method >= 0)
        at.key = keyAtRank(*m_analysis, static_cast<size_t>(at.method),
                           static_cast<int>(std::max(1.0, std::round(value.x()))) - 1);
    return at;
}

ChartMark DispersionView::markAt(const Pointed& at) const
{
    if (!isSorted())
        return LengthChart::markAt(at);
    return at.key >= 0 ? markAtKey(*m_analysis, at.key) : ChartMark{};
}

}  // namespace attnscope

#include "moc_dispersion_view.cpp"
