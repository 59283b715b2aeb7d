#pragma once
// Entropy (or another measure) against n, of the ticked methods or of every head of a layer. The markers at n and N are dragged here and move the scenario.

#include "ui/window/analyser.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QToolButton;

namespace attnscope {

class ChartNotes;
class ChartView;
class ElidedLabel;
class Pins;
class Document;
class Pointer;
struct ChartHit;

class EntropyView : public QWidget {
    Q_OBJECT
public:
    EntropyView(Document& document, Analyser& analyser, Pointer& pointer, Pins& pins, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }
    ChartNotes* notes() const { return m_notes; }
    QToolButton* allHeads() const { return m_allHeads; }
    QToolButton* approximations() const { return m_approximations; }
    QComboBox* measure() const { return m_measure; }

private:
    void showLook();
    void show();
    void caption();
    void hover(QPointF value, const std::optional<ChartHit>& hit);
    void mark();
    bool showsHeads() const;
    bool waits() const { return m_curves != m_analysis; }

    Document& m_document;
    Pointer& m_pointer;
    Pins& m_pins;
    QComboBox* m_measure;
    QToolButton* m_approximations;
    QToolButton* m_allHeads;
    ElidedLabel* m_caption;
    AnalysisPtr m_analysis;
    AnalysisPtr m_curves;  ///< whose curves are shown: the last that had some
    ChartView* m_chart;
    ChartNotes* m_notes;
};

}  // namespace attnscope
