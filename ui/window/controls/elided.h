#pragma once
// Texts in little room: a label and a drop-down list that end in an ellipsis where they do not fit, and then say all of it in
// their tool tips. As wide as their text where there is room.

#include <QComboBox>
#include <QLabel>

namespace attnscope {

/// One line.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    bool isElided() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// As wide as the item that is chosen now, not as the widest of them.
class ElidedList : public QComboBox {
    Q_OBJECT
public:
    explicit ElidedList(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool isElided() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int textRoom() const;
    int around() const;  ///< frame, padding and arrow
};

}  // namespace attnscope
