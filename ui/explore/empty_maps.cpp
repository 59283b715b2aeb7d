#include "ui/explore/empty_maps.h"

#include "ui/figure/analysis_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/views/chart_view.h"
#include "ui/workbench/open_tensors.h"

namespace attnscope {

std::pair<QString, QString> locatingWords()
{
    return {u"Locate\u2026"_s, u"Choose the file where it is now; layer, head and everything else stay"_s};
}

std::pair<QString, QString> doingWithoutWords()
{
    return {u"Use without"_s, u"Go on with made-up queries and keys of local structure; undo goes back"_s};
}

EmptyMaps::EmptyMaps(QWidget* parent)
    : QWidget(parent), m_text(paragraph("caption")),
      m_locate(pushButton(locatingWords().first, locatingWords().second)),
      m_without(pushButton(doingWithoutWords().first, doingWithoutWords().second)),
      m_open(pushButton(u"Open\u2026"_s, u"A file with queries and keys, or a model"_s)),
      m_chart(described(
          new ChartView, u"The papers' approximations beside the exact entropy"_s,
          u"Broad where an approximation lies within %1 nats of the exact entropy of the law that it is of"_s.arg(
              closeNats)))
{
    auto* texts = new QWidget;
    inColumn(texts, {stretch(), m_text, inRow({stretch(), m_locate, m_without, m_open, stretch()}, 8), stretch()}, 12);
    inColumn(this, {{texts, 1}, {m_chart, 1000}}, 10,
             {6, 6, 6, 0});  // below the title; a chart leaves the text its lines
    connect(m_locate, &QPushButton::clicked, this, &EmptyMaps::locationAsked);
    connect(m_without, &QPushButton::clicked, this, &EmptyMaps::withoutAsked);
    connect(m_open, &QPushButton::clicked, this, &EmptyMaps::openAsked);
}

void EmptyMaps::show(const Analysis& analysis)
{
    const bool nothingTicked = analysis.methods.empty(), approximations = !analysis.approximations.empty();
    m_text->setAlignment(nothingTicked || !approximations ? Qt::AlignCenter : Qt::AlignLeft);
    const Scenario& scenario = analysis.scenario;
    const bool missed = !analysis.failed.empty() && isFileMissing(scenario),
               none = !analysis.failed.empty() && scenario.ofFile() && scenario.tensors.path.empty();
    for (QPushButton* button : {m_locate, m_without})
        button->setVisible(missed);
    m_open->setVisible(none);
    m_text->setText(
        missed                     ? u"%1 is not there any more."_s.arg(text(scenario.tensors.path))
        : none                     ? u"Opened tensors are those of a file, and none is open."_s
        : !analysis.failed.empty() ? QString::fromStdString(analysis.failed)
        : nothingTicked            ? u"No method is ticked.\nTick one in Methods to see what it does."_s
        : approximations
            ? u"Theory alone has no queries and keys to map: these curves are exact for %1, at any n. Beside them, "
              "what the papers' approximations say of %2%3; choose another source to see rows."_s.arg(
                  QString::fromStdString(analysis.theory), QString::fromStdString(analysis.methods.front().label),
                  analysis.exactSphere.empty() ? QString()
                                               : u", most of them of directions on a sphere, whose exact curve is the "
                                                 "grey one"_s)
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
