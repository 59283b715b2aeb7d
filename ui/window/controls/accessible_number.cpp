#include "ui/window/controls/accessible_number.h"

#include "ui/window/controls/number_control.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QLineEdit>
#include <QSlider>

namespace attnscope {

namespace {

class AccessibleNumber : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    AccessibleNumber(QSlider* slider, NumberControl* control)
        : QAccessibleWidget(slider, QAccessible::Slider), m_control(control)
    {
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_control->field()->text() : QAccessibleWidget::text(kind);
    }

    QVariant currentValue() const override { return m_control->value(); }
    void setCurrentValue(const QVariant& value) override { m_control->enter(value.toDouble()); }
    QVariant minimumValue() const override { return m_control->scale().minimum; }
    QVariant maximumValue() const override { return m_control->scale().maximum; }
    QVariant minimumStepSize() const override { return m_control->scale().whole ? 1.0 : 0.0; }

private:
    NumberControl* m_control;
};

QAccessibleInterface* interfaceOf(const QString& className, QObject* object)
{
    auto* slider = className == QLatin1String("QSlider") ? qobject_cast<QSlider*>(object) : nullptr;
    auto* control = slider ? qobject_cast<NumberControl*>(slider->parent()) : nullptr;
    return control ? new AccessibleNumber(slider, control) : nullptr;
}

}  // namespace

void tellSliderValues() { QAccessible::installFactory(interfaceOf); }

}  // namespace attnscope
