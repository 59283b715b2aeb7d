#pragma once
// A lab's text in fields: ticks for each part that has rows to tick, a line for the others, and the whole of it, which
// is what is kept and can be typed.

#include "core/labs/lab.h"
#include "ui/widgets/choice_control.h"

class QLineEdit;

namespace attnscope {

class TickedField;

class LabTextFields : public TextEditor {
    Q_OBJECT
public:
    explicit LabTextFields(const Lab& lab, QWidget* parent = nullptr);
    /// Whether the text has parts with ticks; without them a line does.
    static bool isFor(const Lab& lab);
    void show(const Choice& choice) override;
    /// Of a part with rows; null of others.
    TickedField* ticks(const std::string& part) const;
    QLineEdit* whole() const { return m_whole; }

private:
    struct Field {
        TickedField* ticks = nullptr;
        QLineEdit* line = nullptr;
    };
    Field addPart(std::size_t part);
    void take(std::size_t part, const std::string& value);
    void takeText(const std::string& text);

    const Lab& m_lab;
    Choice m_choice;
    std::vector<Field> m_fields;  ///< one a part
    QLineEdit* m_whole;
};

}  // namespace attnscope
