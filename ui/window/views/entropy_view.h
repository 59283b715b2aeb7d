#pragma once
// Entropy (or another measure) against n, of the ticked methods or of every head of a layer. The markers at n and N are dragged here and move the scenario.

#include "ui/window/analyser.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace attnscope {

class ChartView;
class Document;
class Pointer;

class EntropyView : public QWidget {
    Q_OBJECT
public:
    EntropyView(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }
    QToolButton* allHeads() const { return m_allHeads; }

private:
    void show();
    void caption();
    bool showsHeads() const;
    void moveLine(int line, double value);

    Document& m_document;
    QComboBox* m_measure;
    QToolButton* m_approximations;
    QToolButton* m_allHeads;
    QLabel* m_caption;
    AnalysisPtr m_analysis;
    ChartView* m_chart;
};

}  // namespace attnscope
