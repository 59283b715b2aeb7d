#pragma once
// Tours of one instance side by side: lines from place to place, the edges that differ in colour; whole, or each at a
// step on the way. The place under the pointer has its number in all of them.

#include "core/labs/routing/tour_step.h"
#include "ui/figure/tour_paint.h"

#include <QWidget>

namespace attnscope {

class LabTourView : public QWidget {
    Q_OBJECT
public:
    static constexpr int gap = 10;  ///< between the panels, pixels
    explicit LabTourView(QWidget* parent = nullptr);
    /// The tours of most places, whole.
    void show(const std::vector<LabTours>& tours);
    /// Of each panel; none: whole.
    void showSteps(std::vector<TourStep> steps);
    /// Panels as large as leave all of it no higher, with its words; pixels.
    void setHighest(int highest);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Under the pointer; -1: none is.
    int namedPlace() const { return m_named; }
    QSize sizeHint() const override { return {500, heightForWidth(500)}; }

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int side(int width) const;
    QRectF squareOf(std::size_t panel) const;
    void name(int place);
    LabTours m_tours;
    std::vector<TourStep> m_steps;
    TourNumbers m_numbers;
    int m_widest = 360, m_named = -1;
};

}  // namespace attnscope
