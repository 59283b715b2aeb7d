#pragma once
// A number with a name: caption, slider, and a field to type it into. Dragging reports every step; finished() closes the
// gesture, so that a drag is one step of undo. A wrong number typed is marked, said, and never taken over.

#include "ui/window/controls/number_scale.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSlider;

namespace attnscope {

/// Of the names at the left of a dock, so that sliders, lists and fields line up.
inline constexpr int captionWidth = 94;

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

    QSlider* slider() const { return m_slider; }
    QLineEdit* field() const { return m_field; }
    QWidget* captionLabel() const;

signals:
    void edited(double value);
    void finished();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(double value);
    void readField();
    void markField(bool wrong);
    void showValue();

    NumberScale m_scale;
    QString m_teaches;
    double m_value = 0;
    QLabel* m_caption;
    QSlider* m_slider;
    QLineEdit* m_field;
};

}  // namespace attnscope
