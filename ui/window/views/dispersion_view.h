#pragma once
// How weight disperses: the chosen row's weights by rank, or a few keys' share against n.

#include "ui/window/analyser.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;

namespace attnscope {

class ChartNotes;
class ChartView;
class ElidedLabel;
class Document;
class Pins;
class Pointer;
struct ChartHit;

class DispersionView : public QWidget {
    Q_OBJECT
public:
    DispersionView(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }
    ChartNotes* notes() const { return m_notes; }
    QComboBox* kinds() const { return m_kind; }
    /// What stands in place of the chart; empty while it is shown.
    QString nothing() const;

private:
    QString kind() const;
    void showLook();
    void show();
    void hover(QPointF value, const std::optional<ChartHit>& hit);
    void mark();
    QString whyNothing() const;
    bool isSorted() const { return kind() == QLatin1String("sorted"); }

    Document& m_document;
    Pointer& m_pointer;
    Pins& m_pins;
    AnalysisPtr m_analysis;
    AnalysisPtr m_curves;  ///< whose curves are shown: the last that had some
    QComboBox* m_kind;
    ElidedLabel* m_row;
    QLabel* m_nothing;
    ChartView* m_chart;
    ChartNotes* m_notes;
};

}  // namespace attnscope
