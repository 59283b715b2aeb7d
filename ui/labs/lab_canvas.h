#pragma once
// What runs of a lab found: the lab's charts, of several runs if they are compared, under one legend, the heatmaps and
// tables of the first. Of many lines some stand out and the others are thin behind them: a click on a name in the
// legend takes its line in or out, and what is pointed at, there or in a chart, stands out as well. All of it is one
// page, with the table at its end: where charts and some rows have room, the table has what is left, and scrolls; else
// the page does, and the table has all of its rows. While a run goes on what a reader has scrolled to stays in its
// place on the screen, whatever comes above it. Before there is anything to see it says what will be, with a button
// that starts it.

#include "ui/figure/lab_charts.h"

#include <QStringList>
#include <QWidget>

#include <initializer_list>
#include <optional>
#include <set>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace attnscope {

class ChartView;
class LabPictures;
class LabTable;
class LabPackingView;
class LabTourView;
class NumberControl;
class SeriesLegend;
struct ChartSpec;

class LabCanvas : public QWidget {
    Q_OBJECT
public:
    explicit LabCanvas(QWidget* parent = nullptr);
    /// All runs are of this lab.
    void show(const Lab& lab, const std::vector<ShownRun>& runs);
    /// Before there are runs: an invitation to start one, and what the run found that was recorded with the program;
    /// null: there is none.
    void invite(const Lab& lab, const LabRecord* recorded);
    const std::vector<ChartView*>& charts() const { return m_charts; }
    /// The first chart comes into view, at once or as soon as these runs have one; what is seen whole stays.
    void bringCharts();
    /// Above the charts, where one is a training curve; remembered from one start to the next.
    NumberControl& smoothing() { return *m_smoothing; }
    SeriesLegend& legend() { return *m_legend; }
    LabPictures& pictures() { return *m_pictures; }
    LabTourView& tours() { return *m_tours; }
    LabPackingView& packings() { return *m_packings; }
    LabTable& table() { return *m_table; }
    /// Of the lines that stand out from a crowd; empty: there are so few that all do.
    const std::set<int>& inFront() const { return m_inFront; }
    /// Hidden where there is something to see.
    QPushButton& startButton() { return *m_start; }

signals:
    void startAsked();
    void smoothed();  ///< what is shown is to be shown anew

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What is to stay where it is on the screen: a row of the table, or all of what is seen first.
    struct Held {
        QWidget* what;
        std::optional<int> row;
        int y;
    };
    std::optional<Held> heldInSight() const;
    int onScreen(const QWidget& what, std::optional<int> row) const;
    void hold(const Held& held);
    void await(const Lab& lab, const QString& before);
    void layOut();
    void takeCharts();
    int chartsAcross() const;
    QSize sizeOfCharts() const;
    void arrange();
    void placeCharts();
    void nameLines();
    void showLines();
    void chooseFront();
    void point(const QString& label);
    int heightsOf(std::initializer_list<QWidget*> shown) const;
    void giveHeights();
    void showTablePart();

    std::vector<ChartSpec> m_specs;       ///< with their own legends
    std::vector<ChartSpec> m_named;       ///< as they are shown, in all their colours
    std::vector<ChartSeries> m_legendOf;  ///< what the common legend names
    std::set<int> m_inFront;
    QStringList m_shown;           ///< the lab and the runs
    QString m_pointed;             ///< the label of a line
    std::pair<int, int> m_placed;  ///< how many charts a row, and of how many
    bool m_atEnds = false, m_follows = false, m_brings = false;
    int m_made = 0;  ///< charts, so far
    QScrollArea* m_scroll;
    QWidget* m_page;
    QGridLayout* m_grid;
    NumberControl* m_smoothing;
    QLabel* m_nothing;
    QWidget* m_empty;
    QLabel *m_emptyTitle, *m_emptyWords;
    QPushButton* m_start;
    SeriesLegend* m_legend;
    std::vector<ChartView*> m_charts;  ///< those past what is needed are hidden
    LabPictures* m_pictures;
    LabTourView* m_tours;
    LabPackingView* m_packings;
    LabTable* m_table;
};

}  // namespace attnscope
