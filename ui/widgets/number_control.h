#pragma once
// A number with a name: caption, slider, and a field to type it into. Dragging reports every step; finished() closes
// the gesture, so that a drag is one step of undo, and so is a key while it is held, or a turn of the wheel. A wrong
// number typed is marked, said, and never taken over. Return takes the number over and Escape takes it back, and both
// lead out of the field (takesNumbers() in building.h).

#include "ui/widgets/number_scale.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QKeyEvent;
class QLabel;
class QLineEdit;
class QMouseEvent;
class QSlider;
class QToolButton;

namespace attnscope {

class NumberControl : public QWidget {
    Q_OBJECT
public:
    NumberControl(const QString& caption, const NumberScale& scale, const QString& teaches, QWidget* parent = nullptr);

    double value() const { return m_value; }
    /// Shows the value; reports nothing.
    void setValue(double value);
    void setScale(const NumberScale& scale);
    const NumberScale& scale() const { return m_scale; }
    void setSliderVisible(bool visible);
    /// As if it had been typed.
    void enter(double value);
    /// The number may follow another one of this name: "= N" stands in the field then, until a number is typed. "N"
    /// typed, or the button beside the field, lets it follow again.
    void letFollow(const QString& name);
    /// Shows whether it follows; reports nothing.
    void setFollowing(bool following);
    QToolButton* followButton() const { return m_follow; }

    QSlider* slider() const { return m_slider; }
    QLineEdit* field() const { return m_field; }
    QWidget* captionLabel() const;
    /// As it stands in the field.
    QString valueText() const;

signals:
    void edited(double value);
    void followed();  ///< it is to follow from now on
    void finished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool stepByKey(QObject* watched, const QKeyEvent& key);
    void scrub(const QMouseEvent& move);
    void take(double value);
    void readField();
    void markField(bool wrong);
    /// What was refused is forgotten.
    void withdraw();
    void sayBelowField(const QString& what);
    void showValue();
    void follow();
    bool meansToFollow(const QString& typed) const;
    QString shownText() const;
    QString followingTip() const;

    NumberScale m_scale;
    QString m_teaches;
    double m_value = 0;
    QSlider* m_slider;
    QLineEdit* m_field;
    QLabel* m_caption;
    QTimer m_wheelRests;
    std::optional<double> m_scrubbedAt;  ///< where the pointer was last that drags the caption
    double m_scrubbed = 0;               ///< where that has brought the number, from 0 to 1 along the scale
    QString m_followedName;              ///< empty: it follows nothing
    bool m_following = false;
    bool m_refused = false;  ///< what the field says was typed, and is no such number
    QToolButton* m_follow = nullptr;
};

}  // namespace attnscope
