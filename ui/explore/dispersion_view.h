#pragma once
// How weight disperses: the chosen row's weights by rank, or a few keys' share against n.

#include "ui/plot/qt_text.h"
#include "ui/views/length_chart.h"

class QComboBox;
class QLabel;

namespace attnscope {

class ElidedLabel;

class DispersionView : public LengthChart {
    Q_OBJECT
public:
    DispersionView(const ExploreChart& chart, Workbench& bench, QWidget* parent = nullptr);
    QComboBox* kinds() const { return m_kind; }
    /// What stands in place of the chart; empty while it is shown.
    QString nothing() const;

private:
    QString kind() const;
    void showAround(const ChartSpec& chart) override;
    Pointed pointedAt(QPointF value, const ChartSeries* series) const override;
    ChartMark markAt(const Pointed& at) const override;
    QString whyNothing() const;
    bool isAgainstLength() const override { return kind() != "sorted"_L1; }

    QComboBox* m_kind;
    ElidedLabel* m_row;
    QLabel* m_nothing;
};

}  // namespace attnscope
