#include "ui/labs/lab_canvas.h"

#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/number_control.h"
#include "ui/labs/lab_pictures.h"
#include "ui/workbench/run_store.h"
#include "ui/labs/lab_table.h"
#include "ui/labs/lab_packings.h"
#include "ui/labs/lab_tours.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/series_legend.h"
#include "ui/widgets/theme.h"

#include <QGridLayout>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {
constexpr int chartColumns = 2, lowest = 250, highest = 420;  // pixels of a chart, which is 3:2 between them
constexpr int usualLegend = 3, legendLine = 18, smoothingWidth = 320;
constexpr double mostSmoothing = 0.99;
const QString smoothingKey = u"smoothing"_s;
}

LabCanvas::LabCanvas(QWidget* parent)
    : QScrollArea(parent), m_grid(new QGridLayout),
      m_smoothing(new NumberControl(u"Smoothing"_s, {0, mostSmoothing, false, false, 2},
                                    u"Of training curves: the weight of what came before in an exponential moving "
                                    "average; the curve itself stays pale beneath it. 0: none"_s)),
      m_nothing(paragraph("caption")), m_legend(new SeriesLegend), m_pictures(new LabPictures),
      m_tours(new LabTourView), m_packings(new LabPackingView), m_table(new LabTable)
{
    auto* page = new QWidget;
    m_smoothing->setMaximumWidth(smoothingWidth);
    m_smoothing->setValue(std::clamp(QSettings().value(smoothingKey).toDouble(), 0.0, mostSmoothing));
    connect(m_smoothing, &NumberControl::edited, this, [this](double weight) {
        QSettings().setValue(smoothingKey, weight);
        emit smoothed();
    });
    inColumn(page,
             {m_nothing, m_smoothing, m_legend, m_grid, m_pictures, m_tours, m_packings, {m_table, 1}, stretch(0)}, 12,
             {4, 4, 6, 8});  // what is left is the table's
    letScroll(*this, page);
    setAccessibleName(u"Results"_s);
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
    m_specs = labCharts(lab, runs, m_smoothing->value());
    m_smoothing->setVisible(haveTrainingCurves(lab, runs));
    for (std::size_t i = 0; i < std::max(m_specs.size(), m_charts.size()); ++i) {
        if (i == m_charts.size()) {
            m_charts.push_back(new ChartView);
            m_charts.back()->setNamesAtEnds(true);
            offerSaving(*m_charts.back(), u"lab_%1"_s.arg(i + 1));
            m_charts.back()->setZoomsWithControl(true);
            m_grid->addWidget(m_charts.back(), static_cast<int>(i) / chartColumns, static_cast<int>(i) % chartColumns);
        }
        m_charts[i]->setVisible(i < m_specs.size());
        if (i < m_specs.size())
            m_charts[i]->setAccessibleName(m_specs[i].title);
    }
    m_named = false;
    nameLines();
    giveChartsHeight();
    m_nothing->setVisible(m_specs.empty());
    m_nothing->setText(u"Nothing to see yet."_s);
    m_pictures->show(runs.empty() ? std::vector<LabPicture>{} : runs.front().record->pictures);
    m_tours->show(runs.empty() ? std::vector<LabTours>{} : runs.front().record->tours);
    m_packings->show(runs.empty() ? std::vector<LabPackings>{} : runs.front().record->packings);
    m_table->show(runs.empty() ? std::vector<LabRow>{} : runs.front().record->rows, lab.main);
}

/// 3:2.
QSize LabCanvas::sizeOfCharts() const
{
    const auto side = static_cast<int>(std::clamp<std::ptrdiff_t>(std::ssize(m_specs), 1, chartColumns));
    const int width = viewport()->width() / side;
    return {width, std::clamp(width * 2 / 3, lowest, highest)};
}

/// Where they end, if there is room in every chart; else one legend for all charts that name the same.
void LabCanvas::nameLines()
{
    const QSize size = sizeOfCharts();
    const bool atEnds = std::ranges::all_of(m_specs, [&](const ChartSpec& spec) {
        return spec.legend != Legend::Below || endsHaveRoom(spec, chartStyle(), size);
    });
    if (std::exchange(m_named, true) && atEnds == m_atEnds)
        return;
    m_atEnds = atEnds;
    std::vector<ChartSpec> specs = m_specs;
    m_legend->show(atEnds ? std::vector<ChartSeries>() : takeCommonLegend(specs));
    for (std::size_t i = 0; i < specs.size(); ++i)
        m_charts[i]->show(std::move(specs[i]));
}

/// With what its own legend takes.
void LabCanvas::giveChartsHeight()
{
    const int height = sizeOfCharts().height();
    for (ChartView* chart : m_charts) {
        const Legend legend = chart->onScreen().legend;
        const int lines =
            legend == Legend::Below ? static_cast<int>(chart->spec().series.size()) / 2 : 0;  // two a line
        chart->setFixedHeight(height + std::max(0, lines - usualLegend) * legendLine);
    }
}

void LabCanvas::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    nameLines();
    giveChartsHeight();
}

void LabCanvas::invite(const Lab& lab, const LabRecord* recorded)
{
    show(lab, recorded ? std::vector<ShownRun>{{u"recorded"_s, recorded}} : std::vector<ShownRun>());
    m_nothing->setText(u"%1\n\nPress Start, or tick a run that was kept."_s.arg(QString::fromStdString(lab.about)) +
                       (recorded ? u" Below is what the run found that comes with the program:\n%1"_s.arg(
                                       parametersOf(recorded->choice))
                                 : QString()));
    m_nothing->show();
}

}  // namespace attnscope

#include "moc_lab_canvas.cpp"
