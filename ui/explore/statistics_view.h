#pragma once
// The ticked methods in numbers, side by side, with the multiplier that would keep the entropy of N beside each; below
// them those of every pin that is not the present scenario.

#include "ui/workbench/analyser.h"
#include "ui/widgets/throttle.h"
#include "ui/widgets/value_table.h"

#include <vector>

namespace attnscope {

class Document;
class Pins;
class Pointer;
struct Pointed;
struct Workbench;

class StatisticsView : public ValueTable {
    Q_OBJECT
public:
    explicit StatisticsView(Workbench& bench, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
    /// With it every row is in sight.
    int heightOfRows() const;
    /// For the title: which rows are counted, and how many columns have left, which come back when that is pressed.
    QWidget* caption() const { return m_caption; }

signals:
    void rowsCounted();  ///< there are more or fewer

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A method of the present scenario (0), or of a pin (from 1).
    struct Line {
        AnalysisPtr of;
        std::size_t method = 0;
        int pin = 0;
    };
    std::vector<Line> linesOf(const AnalysisPtr& present) const;
    void show(const AnalysisPtr& present);
    void showLine(int row, const Line& line, const Scenario& present);
    void fitRows();
    void mark(const Pointed& at);
    void buildCaption(Analyser& analyser);

    const Document& m_document;
    const Pins& m_pins;
    QWidget* m_caption;
    Throttle m_shows{this};
};

}  // namespace attnscope
