#pragma once
// How weight disperses: the chosen row's weights by rank, or a few keys' share against n.

#include "ui/window/analyser.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace attnscope {

class ChartView;
class Pointer;

class DispersionView : public QWidget {
    Q_OBJECT
public:
    explicit DispersionView(Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);
    ChartView* chart() const { return m_chart; }
    QString kind() const;
    void setKind(const QString& id);

private:
    void show();

    AnalysisPtr m_analysis;
    QComboBox* m_kind;
    QLabel* m_row;
    QLabel* m_nothing;
    ChartView* m_chart;
};

}  // namespace attnscope
