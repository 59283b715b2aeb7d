#pragma once
// Entropy (or another measure) against n, of the ticked methods or of every head of a layer. The markers at n and N are
// dragged here and move the scenario.

#include "ui/views/length_chart.h"

class QComboBox;
class QToolButton;

namespace attnscope {

class ElidedLabel;

class EntropyView : public LengthChart {
    Q_OBJECT
public:
    EntropyView(const ExploreChart& chart, Workbench& bench, QWidget* parent = nullptr);
    QToolButton* allHeads() const { return m_allHeads; }
    QToolButton* approximations() const { return m_approximations; }
    QToolButton* theory() const { return m_theory; }
    QString said() const;
    bool hasExactLines() const;
    QStringList inShort() const;
    QComboBox* measure() const { return m_measure; }
    /// With its buttons in two rows, however they stand now: else a panel that was wide could not be narrow again.
    QSize minimumSizeHint() const override;

private:
    void showAround(const ChartSpec&) override;
    void resizeEvent(QResizeEvent* event) override;
    void arrange();
    void caption();
    QString reading(const ChartHit& hit) const;
    void hover(QPointF value, const std::optional<ChartHit>& hit) override;

    QComboBox* m_measure;
    QToolButton* m_approximations;
    QToolButton* m_allHeads;
    QToolButton* m_theory;
    ElidedLabel* m_caption;
    QHBoxLayout* m_first = nullptr;   ///< the measure, and what stands beside it
    QHBoxLayout* m_second = nullptr;  ///< what has no room there
};

}  // namespace attnscope
