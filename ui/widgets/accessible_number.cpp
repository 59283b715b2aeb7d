#include "ui/widgets/accessible_number.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/widgets/number_control.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QSlider>

namespace attnscope {

namespace {

/// `Control` has a value, a scale, and takes another value as if it had been typed or dragged.
template <class Control>
class AccessibleNumber : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    AccessibleNumber(QWidget* handle, Control* control)
        : QAccessibleWidget(handle, QAccessible::Slider), m_control(control)
    {
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_control->valueText() : QAccessibleWidget::text(kind);
    }

    QVariant currentValue() const override { return m_control->value(); }
    void setCurrentValue(const QVariant& value) override { m_control->enter(value.toDouble()); }
    QVariant minimumValue() const override { return m_control->scale().minimum; }
    QVariant maximumValue() const override { return m_control->scale().maximum; }
    QVariant minimumStepSize() const override { return m_control->scale().whole ? 1.0 : 0.0; }

private:
    Control* m_control;
};

QAccessibleInterface* interfaceOf(const QString& className, QObject* object)
{
    if (auto* scrubber = qobject_cast<LengthScrubber*>(object))
        return new AccessibleNumber<LengthScrubber>(scrubber, scrubber);
    auto* slider = className == "QSlider"_L1 ? qobject_cast<QSlider*>(object) : nullptr;
    auto* control = slider ? qobject_cast<NumberControl*>(slider->parent()) : nullptr;
    return control ? new AccessibleNumber<NumberControl>(slider, control) : nullptr;
}

}  // namespace

void tellSliderValues() { QAccessible::installFactory(interfaceOf); }

}  // namespace attnscope
