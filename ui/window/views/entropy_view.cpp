#include "ui/window/views/entropy_view.h"

#include "core/statistics/measures.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/document.h"
#include "ui/window/views/analysis_charts.h"
#include "ui/window/views/chart_view.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnscope {

EntropyView::EntropyView(Document& document, Analyser& analyser, QWidget* parent)
    : QWidget(parent), m_document(document), m_measure(new QComboBox), m_chart(new ChartView)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 8);
    layout->setSpacing(4);
    layout->addWidget(m_measure, 0, Qt::AlignLeft);
    layout->addWidget(m_chart, 1);

    m_measure->setAccessibleName(tr("Measure"));
    m_measure->setToolTip(tr("What is measured of every row; the curve shows its mean over rows"));
    for (const Measure& measure : measures()) {
        m_measure->addItem(QString::fromStdString(measure.label), QString::fromStdString(measure.id));
        m_measure->setItemData(m_measure->count() - 1, teach(measure), Qt::ToolTipRole);
    }
    m_chart->setAccessibleName(tr("Entropy against n"));
    m_chart->setAccessibleDescription(tr("A curve a method; drag the markers at n and N to move the scenario"));

    connect(m_measure, &QComboBox::activated, this, [this] {
        const std::string id = m_measure->currentData().toString().toStdString();
        m_document.edit(tr("Measure"), [&](Scenario& scenario) { scenario.view.measure = {id, {}, {}}; });
        m_document.endGesture();
    });
    connect(m_chart, &ChartView::lineDragged, this, &EntropyView::moveLine);
    connect(m_chart, &ChartView::lineReleased, &document, &Document::endGesture);
    connect(&analyser, &Analyser::arrived, this, &EntropyView::show);
    const auto showMeasure = [this] {
        m_measure->setCurrentIndex(m_measure->findData(QString::fromStdString(m_document.scenario().view.measure.id)));
    };
    connect(&document, &Document::changed, this, showMeasure);
    showMeasure();
}

void EntropyView::show(const AnalysisPtr& analysis) { m_chart->show(entropyChart(*analysis)); }

void EntropyView::moveLine(int line, double value)
{
    if (line == lineAtN) {
        m_document.edit(tr("Length n"), [value](Scenario& scenario) {
            scenario.n = std::clamp<std::int64_t>(std::llround(value), 2, std::max<std::int64_t>(2, scenario.view.curveLast));
        });
    } else {
        m_document.edit(tr("Trained at N"), [value](Scenario& scenario) { scenario.nTrain = std::clamp(std::round(value), 2.0, double(1 << 20)); });
    }
}

}  // namespace attnscope
