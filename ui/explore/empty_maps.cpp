#include "ui/explore/empty_maps.h"

#include "ui/figure/analysis_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/views/chart_view.h"

namespace attnscope {

EmptyMaps::EmptyMaps(QWidget* parent)
    : QWidget(parent), m_text(paragraph("caption")),
      m_chart(described(new ChartView, u"The papers' approximations beside the exact entropy"_s,
                        u"Strong where an approximation lies within 0.05 nats of the exact entropy"_s))
{
    inColumn(this, {m_text, {m_chart, 1}}, 10, {0, 6, 0, 0});
}

void EmptyMaps::show(const Analysis& analysis)
{
    const bool nothingTicked = analysis.methods.empty(), approximations = !analysis.approximations.empty();
    m_text->setAlignment(nothingTicked || !approximations ? Qt::AlignCenter : Qt::AlignLeft);
    m_text->setText(
        !analysis.failed.empty() ? QString::fromStdString(analysis.failed)
        : nothingTicked          ? u"No method is ticked.\nTick one in Methods to see what it does."_s
        : approximations
            ? u"Theory alone has no queries and keys to map: these curves are exact for %1, at any n. Beside them, "
              "what the "
              "papers' approximations say of %2; choose another source to see rows."_s.arg(
                  QString::fromStdString(analysis.theory), QString::fromStdString(analysis.methods.front().label))
            : (analysis.theoryLacks.empty()
                   ? u"Theory alone has no queries and keys to map."_s
                   : u"Theory knows no exact entropy here (%1)."_s.arg(QString::fromStdString(analysis.theoryLacks))) +
                  u"\nChoose another source to see rows."_s);
    m_chart->setVisible(!nothingTicked && approximations);
    if (m_chart->isVisibleTo(this))
        m_chart->show(entropyChart(analysis, true));
}

QString EmptyMaps::message() const { return m_text->text(); }

}  // namespace attnscope

#include "moc_empty_maps.cpp"
