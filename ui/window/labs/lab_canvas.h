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
class SeriesLegend;

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
    SeriesLegend& legend() { return *m_legend; }
    LabPictures& pictures() { return *m_pictures; }
    LabTourView& tours() { return *m_tours; }
    LabPackingView& packings() { return *m_packings; }
    LabTable& table() { return *m_table; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void giveChartsHeight();

    QGridLayout* m_grid;
    QLabel* m_nothing;
    SeriesLegend* m_legend;
    std::vector<ChartView*> m_charts;  ///< those past what is needed are hidden
    LabPictures* m_pictures;
    LabTourView* m_tours;
    LabPackingView* m_packings;
    LabTable* m_table;
};

}  // namespace attnscope
