#pragma once
// A view of one chart against n. It keeps the last curves while new ones are computed, tells the other views what is
// pointed at and marks what is pointed at there, shows notes and pins, and moves the scenario when the strong lines at
// n and N are dragged.

#include "ui/workbench/analyser.h"
#include "ui/workbench/pointer.h"
#include "ui/views/chart_mark.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>

namespace attnscope {

class ChartNotes;
class ChartView;
class Document;
class Pins;
struct ChartHit;

/// The strong lines at n and N (analysis_charts.h) of this chart move the scenario.
void connectLengthLines(ChartView& chart, Document& document);

class LengthChart : public QWidget {
    Q_OBJECT
public:
    ChartView* chart() const { return m_chart; }
    ChartNotes* notes() const { return m_notes; }

protected:
    /// `name`: Annotation::chart of what is shown now.
    LengthChart(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, std::function<std::string()> name,
                QWidget* parent);

    /// After another analysis or another pin.
    virtual void show() = 0;
    virtual void showLook() = 0;
    virtual void hover(QPointF value, const std::optional<ChartHit>& hit);
    virtual Pointed pointedAt(QPointF value, const ChartSeries* series) const;
    virtual ChartMark markAt(const Pointed& at) const;
    /// Is a style of a series a method's?
    virtual bool showsMethods() const { return true; }
    void mark();
    bool waits() const { return m_curves != m_analysis; }
    /// A chart of the curves, with the lengths of the scenario that new ones are computed for.
    ChartSpec ofNow(ChartSpec curves) const;

    Document& m_document;
    Pins& m_pins;
    AnalysisPtr m_analysis;
    AnalysisPtr m_curves;  ///< whose curves are shown: the last that had some
    ChartView* m_chart;
    ChartNotes* m_notes;

private:
    Pointer& m_pointer;
};

}  // namespace attnscope
