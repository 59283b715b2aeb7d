#pragma once
// Tours of a run, those of one instance side by side: lines from place to place, the edges that differ in colour. The instance with
// most places is shown.

#include "core/labs/lab.h"

#include <QWidget>

namespace attnscope {

class LabTourView : public QWidget {
    Q_OBJECT
public:
    explicit LabTourView(QWidget* parent = nullptr);
    void show(const std::vector<LabTours>& tours);
    /// Of a panel, pixels.
    void setWidest(int widest) { m_widest = widest; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {500, heightForWidth(500)}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int side(int width) const;
    LabTours m_tours;
    int m_widest = 360;
};

}  // namespace attnscope
