#pragma once
// A view of one chart of Explore (explore_charts.h), most of them against n. It keeps the last curves while new ones
// are computed, tells the other views what is pointed at and marks what is pointed at there, shows notes and pins, and
// moves the scenario when the strong lines at n and N are dragged.

#include "ui/views/chart_mark.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/pointer.h"

#include <QString>
#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace attnscope {

class ChartNotes;
class ChartView;
class Document;
class Pins;
struct ChartHit;
struct ExploreChart;
struct Workbench;

/// The strong lines at n and N (analysis_charts.h) of this chart move the scenario.
void connectLengthLines(ChartView& chart, Document& document);

class LengthChart : public QWidget {
    Q_OBJECT
public:
    /// `chart`: of exploreCharts(). The chart alone; views with controls of their own are other classes.
    LengthChart(const ExploreChart& chart, Workbench& bench, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }
    ChartNotes* notes() const { return m_notes; }
    /// Why there is no chart; empty where there is one.
    QString nothing() const;

protected:
    /// After another analysis, another pin or another look.
    void show();
    /// What stands around the chart of the scenario, which comes without pins.
    virtual void showAround(const ChartSpec&) {}
    /// In place of the chart; empty: nothing is said, and the chart stays.
    virtual QString whyNothing() const;
    virtual void hover(QPointF value, const std::optional<ChartHit>& hit);
    virtual Pointed pointedAt(QPointF value, const ChartSeries* series) const;
    virtual ChartMark markAt(const Pointed& at) const;
    /// Not a chart of the chosen row, which is in every answer.
    virtual bool isAgainstLength() const { return true; }
    /// Above the chart, below what is there, and where the card's title begins.
    void addRow(QHBoxLayout* row);
    /// Is a style of a series a method's?
    bool showsMethods() const;
    void mark();
    bool waits() const { return m_curves != m_analysis; }
    /// Of the last curves, with the lengths of the scenario that new ones are computed for.
    ChartSpec ofScenario() const;

    const ExploreChart& m_of;
    QVBoxLayout* m_column;  ///< with the chart in it
    Document& m_document;
    Pins& m_pins;
    AnalysisPtr m_analysis;
    AnalysisPtr m_curves;  ///< whose curves are shown: the last that had some
    ChartView* m_chart;
    ChartNotes* m_notes;
    QLabel* m_nothing;

private:
    Pointer& m_pointer;
};

}  // namespace attnscope
