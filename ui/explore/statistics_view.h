#pragma once
// The ticked methods in numbers, side by side, with the multiplier that would keep the entropy of N beside each.

#include "ui/workbench/analyser.h"
#include "ui/widgets/throttle.h"
#include "ui/widgets/value_table.h"

namespace attnscope {

class Pointer;
struct Pointed;

class StatisticsView : public ValueTable {
    Q_OBJECT
public:
    StatisticsView(Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
    /// For the title: which rows are counted, and how many columns have left, which come back when that is pressed.
    QWidget* caption() const { return m_caption; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show(const AnalysisPtr& analysis);
    void fitRows();
    void mark(const Pointed& at);
    void buildCaption(Analyser& analyser);

    QWidget* m_caption;
    Throttle m_shows{this};
};

}  // namespace attnscope
