#pragma once
// In place of the maps where there are none: what theory alone has to say, that nothing is ticked, or why it failed.

#include "core/analysis/analysis.h"

#include <QWidget>

class QLabel;

namespace attnscope {

class ChartView;

class EmptyMaps : public QWidget {
    Q_OBJECT
public:
    explicit EmptyMaps(QWidget* parent = nullptr);
    void show(const Analysis& analysis);
    QString message() const;
    ChartView* chart() const { return m_chart; }

private:
    QLabel* m_text;
    ChartView* m_chart;
};

}  // namespace attnscope
