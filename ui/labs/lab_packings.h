#pragma once
// Packings of a run, those of one instance side by side, drawn in isometry; a slider puts the boxes one by one. Of the
// instances shown the one with most boxes, but no more than can be told apart.

#include "core/labs/lab.h"

#include <QWidget>

class QSlider;

namespace attnscope {

class LabPackingView : public QWidget {
    Q_OBJECT
public:
    explicit LabPackingView(QWidget* parent = nullptr);
    void show(const std::vector<LabPackings>& packings);
    /// How many boxes are drawn; all at first.
    QSlider& boxes() { return *m_boxes; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {500, heightForWidth(500)}; }

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    int across(int width) const;
    int picture(int width) const;
    LabPackings m_packings;
    QSlider* m_boxes;
};

}  // namespace attnscope
