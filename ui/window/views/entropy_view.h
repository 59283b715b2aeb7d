#pragma once
// Entropy (or another measure) against n. The markers at n and N are dragged here and move the scenario.

#include "ui/window/analyser.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace attnscope {

class ChartView;
class Document;

class EntropyView : public QWidget {
    Q_OBJECT
public:
    EntropyView(Document& document, Analyser& analyser, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }

private:
    void show();
    void moveLine(int line, double value);

    Document& m_document;
    QComboBox* m_measure;
    QToolButton* m_approximations;
    QLabel* m_caption;
    AnalysisPtr m_analysis;
    ChartView* m_chart;
};

}  // namespace attnscope
