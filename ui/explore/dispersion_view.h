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

private:
    QString kind() const;
    void showAround(const ChartSpec& chart) override;
    Pointed pointedAt(QPointF value, const ChartSeries* series) const override;
    ChartMark markAt(const Pointed& at) const override;
    QString whyNothing() const override;
    bool isAgainstLength() const override { return kind() != "sorted"_L1; }

    QComboBox* m_kind;
    ElidedLabel* m_row;
};

}  // namespace attnscope
