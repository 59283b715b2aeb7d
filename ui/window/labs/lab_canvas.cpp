#include "ui/window/labs/lab_canvas.h"

#include "ui/window/controls/building.h"
#include "ui/window/labs/lab_pictures.h"
#include "ui/window/labs/run_store.h"
#include "ui/window/labs/lab_table.h"
#include "ui/window/labs/lab_packings.h"
#include "ui/window/labs/lab_tours.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/save_chart.h"
#include "ui/window/views/series_legend.h"

#include <QGridLayout>

#include <algorithm>

namespace attnscope {

namespace {
constexpr int chartColumns = 2, lowest = 250, highest = 420;  // pixels of a chart, which is 3:2 between them
constexpr int usualLegend = 3, legendLine = 18;
}

LabCanvas::LabCanvas(QWidget* parent)
    : QScrollArea(parent), m_grid(new QGridLayout), m_nothing(paragraph("caption")), m_legend(new SeriesLegend),
      m_pictures(new LabPictures), m_tours(new LabTourView), m_packings(new LabPackingView), m_table(new LabTable)
{
    auto* page = new QWidget;
    inColumn(page, {m_nothing, m_legend, m_grid, m_pictures, m_tours, m_packings, {m_table, 1}, stretch(0)}, 12,
             {4, 4, 12, 8});  // what is left is the table's
    letScroll(*this, page);
    setAccessibleName(tr("Results"));
    connect(m_legend, &SeriesLegend::pointed, this, [this](const QString& label) {
        for (ChartView* chart : m_charts) {
            const auto& lines = chart->spec().series;
            const auto meant = std::ranges::find(lines, label, &ChartSeries::label);
            chart->setEmphasis(label.isEmpty() || meant == lines.end() ? -1 : meant->style);
        }
    });
}

void LabCanvas::show(const Lab& lab, const std::vector<ShownRun>& runs)
{
    std::vector<ChartSpec> specs = labCharts(lab, runs);
    m_legend->show(takeCommonLegend(specs));
    for (std::size_t i = 0; i < std::max(specs.size(), m_charts.size()); ++i) {
        if (i == m_charts.size()) {
            m_charts.push_back(new ChartView);
            offerSaving(*m_charts.back(), QStringLiteral("lab_%1").arg(i + 1));
            m_charts.back()->setZoomsWithControl(true);
            m_grid->addWidget(m_charts.back(), static_cast<int>(i) / chartColumns, static_cast<int>(i) % chartColumns);
        }
        m_charts[i]->setVisible(i < specs.size());
        if (i < specs.size()) {
            m_charts[i]->setAccessibleName(specs[i].title);
            m_charts[i]->show(specs[i]);
        }
    }
    giveChartsHeight();
    m_nothing->setVisible(specs.empty());
    m_nothing->setText(tr("Nothing to see yet."));
    m_pictures->show(runs.empty() ? std::vector<LabPicture>{} : runs.front().record->pictures);
    m_tours->show(runs.empty() ? std::vector<LabTours>{} : runs.front().record->tours);
    m_packings->show(runs.empty() ? std::vector<LabPackings>{} : runs.front().record->packings);
    m_table->show(runs.empty() ? std::vector<LabRow>{} : runs.front().record->rows, lab.main);
}

/// 3:2, and what its own legend takes.
void LabCanvas::giveChartsHeight()
{
    const auto shown = std::ranges::count_if(m_charts, [](const ChartView* chart) { return !chart->isHidden(); });
    const auto side = static_cast<int>(std::clamp<std::ptrdiff_t>(shown, 1, chartColumns));
    const int height = std::clamp(viewport()->width() / side * 2 / 3, lowest, highest);
    for (ChartView* chart : m_charts) {
        const ChartSpec& spec = chart->spec();
        const int lines = spec.legend == Legend::None ? 0 : static_cast<int>(spec.series.size()) / 2;  // two a line
        chart->setFixedHeight(height + std::max(0, lines - usualLegend) * legendLine);
    }
}

void LabCanvas::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    giveChartsHeight();
}

void LabCanvas::invite(const Lab& lab, const LabRecord* recorded)
{
    show(lab, recorded ? std::vector<ShownRun>{{tr("recorded"), recorded}} : std::vector<ShownRun>());
    m_nothing->setText(
        tr("%1\n\nPress Start, or tick a run that was kept.").arg(QString::fromStdString(lab.about)) +
        (recorded
             ? tr(" Below is what the run found that comes with the program:\n%1").arg(parametersOf(recorded->choice))
             : QString()));
    m_nothing->show();
}

}  // namespace attnscope

#include "moc_lab_canvas.cpp"
