#pragma once
// What runs of a lab found: the lab's charts, of several runs if they are compared, under one legend, the heatmaps and
// tables of the first.

#include "ui/figure/lab_charts.h"

#include <QScrollArea>

#include <vector>

class QGridLayout;
class QLabel;

namespace attnscope {

class ChartView;
class LabPictures;
class LabTable;
class LabPackingView;
class LabTourView;
class NumberControl;
class SeriesLegend;
struct ChartSpec;

class LabCanvas : public QScrollArea {
    Q_OBJECT
public:
    explicit LabCanvas(QWidget* parent = nullptr);
    /// All runs are of this lab.
    void show(const Lab& lab, const std::vector<ShownRun>& runs);
    /// Before there are runs: an invitation to start one, and what the run found that was recorded with the program;
    /// null: there is none.
    void invite(const Lab& lab, const LabRecord* recorded);
    const std::vector<ChartView*>& charts() const { return m_charts; }
    /// Above the charts, where one is a training curve; remembered from one start to the next.
    NumberControl& smoothing() { return *m_smoothing; }
    SeriesLegend& legend() { return *m_legend; }
    LabPictures& pictures() { return *m_pictures; }
    LabTourView& tours() { return *m_tours; }
    LabPackingView& packings() { return *m_packings; }
    LabTable& table() { return *m_table; }

signals:
    void smoothed();  ///< what is shown is to be shown anew

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QSize sizeOfCharts() const;
    void nameLines();
    void giveChartsHeight();

    std::vector<ChartSpec> m_specs;  ///< with their own legends
    bool m_named = false, m_atEnds = false;
    QGridLayout* m_grid;
    NumberControl* m_smoothing;
    QLabel* m_nothing;
    SeriesLegend* m_legend;
    std::vector<ChartView*> m_charts;  ///< those past what is needed are hidden
    LabPictures* m_pictures;
    LabTourView* m_tours;
    LabPackingView* m_packings;
    LabTable* m_table;
};

}  // namespace attnscope
