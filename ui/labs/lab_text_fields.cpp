#include "ui/labs/lab_text_fields.h"

#include "ui/widgets/file_to_save.h"
#include "core/labs/lab_text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/ticked_list.h"

#include <QLineEdit>
#include <QToolTip>

#include <algorithm>

namespace attnscope {

namespace {

/// "methods" -> "Methods"; "train" is what the parameter help calls methods to train with.
QString captionOf(const std::string& part)
{
    if (part == "train")
        return u"Train with"_s;
    const QString name = text(part);
    return name.left(1).toUpper() + name.mid(1);
}

/// The N of what is trained; 0 where the lab's parameters do not say.
double trainLengthOf(const Lab& lab, const Choice& choice)
{
    for (const char* id : {"length", "items_max", "largest"})
        if (parameterOf(lab, id))
            return Parameters(lab, choice)[id];
    return 0;
}

}  // namespace

bool LabTextFields::isFor(const Lab& lab)
{
    return std::ranges::any_of(lab.textParts, [](const LabPart& part) { return !part.rows.empty(); });
}

LabTextFields::LabTextFields(const Lab& lab, QWidget* parent) : TextEditor(parent), m_lab(lab), m_whole(new QLineEdit)
{
    inColumn(this, {}, formSpacing);
    for (std::size_t part = 0; part < lab.textParts.size(); ++part)
        m_fields.push_back(addPart(part));
    static_cast<QBoxLayout*>(layout())->addLayout(
        captionedLine(u"As text"_s, m_whole,
                      u"All of it as it is kept, and as the command line takes it. %1"_s.arg(text(lab.textLabel))));
    m_whole->setPlaceholderText(text(lab.textByDefault));
    connect(m_whole, &QLineEdit::editingFinished, this, [this] {
        if (m_whole->isModified())
            takeText(m_whole->text().toStdString());
    });
}

LabTextFields::Field LabTextFields::addPart(std::size_t part)
{
    const LabPart& of = m_lab.textParts[part];
    Field field;
    auto* column = static_cast<QBoxLayout*>(layout());
    if (!of.rows.empty()) {
        field.ticks = new TickedField(of.rows, part == 0);
        column->addLayout(captionedLine(captionOf(of.name), field.ticks, u"Tick those that are to be compared"_s));
        connect(field.ticks, &TickedField::ticksChanged, this,
                [this, part] { take(part, joinedEntries(m_fields[part].ticks->list().entries())); });
        connect(field.ticks, &TickedField::finished, this, &LabTextFields::finished);
        return field;
    }
    field.line = new QLineEdit;
    field.line->setPlaceholderText(u"none: the program's own"_s);
    QToolButton* choose = toolButton(u"\u2026"_s, u"Choose a file"_s, u"%1: choose a file"_s.arg(captionOf(of.name)));
    QHBoxLayout* line = captionedLine(captionOf(of.name), field.line, u"A file in place of what the program makes"_s);
    line->addWidget(choose);
    column->addLayout(line);
    connect(field.line, &QLineEdit::editingFinished, this, [this, part] {
        if (QLineEdit* edited = m_fields[part].line; edited->isModified()) {
            take(part, edited->text().trimmed().toStdString());
            emit finished();
        }
    });
    connect(choose, &QToolButton::clicked, this, [this, part] {
        const QString path = fileToOpen(*this, captionOf(m_lab.textParts[part].name), m_fields[part].line->text(), {});
        if (!path.isEmpty()) {
            take(part, path.toStdString());
            emit finished();
        }
    });
    return field;
}

/// One with a separator would be two: it is not taken, and the fields show what is.
void LabTextFields::take(std::size_t part, const std::string& value)
{
    if (const auto good = checkPart(m_lab, m_lab.textParts[part], value); !good) {
        show(m_choice);
        QToolTip::showText(mapToGlobal(QPoint(0, height())), text(good.error().message), this);
        return;
    }
    auto parts = textPartsOf(m_lab, m_choice.text.empty() ? m_lab.textByDefault : m_choice.text);
    parts[part] = value;
    const std::string now = joinedParts(m_lab, parts);
    m_choice.text = now == m_lab.textByDefault ? std::string() : now;
    show(m_choice);
    emit edited(m_choice.text);
}

void LabTextFields::takeText(const std::string& typed)
{
    m_whole->setModified(false);  // taken over: from here on undo is the document's
    m_choice.text = typed == m_lab.textByDefault ? std::string() : typed;
    show(m_choice);
    emit edited(m_choice.text);
    emit finished();
}

void LabTextFields::show(const Choice& choice)
{
    m_choice = choice;
    const std::string now = choice.text.empty() ? m_lab.textByDefault : choice.text;
    const auto parts = textPartsOf(m_lab, now);
    const double nTrain = trainLengthOf(m_lab, choice);
    for (std::size_t part = 0; part < m_fields.size(); ++part) {
        const Field& field = m_fields[part];
        if (field.ticks) {
            field.ticks->list().setTrainLength(nTrain);
            field.ticks->setEntries(entriesOfPart(parts[part]));
        } else if (field.line->text() != text(parts[part]))
            field.line->setText(text(parts[part]));
    }
    if (!m_whole->isModified() && m_whole->text() != text(now)) {
        m_whole->setText(text(now));
        m_whole->setCursorPosition(0);  // a long one shows its beginning
    }
}

TickedField* LabTextFields::ticks(const std::string& part) const
{
    const auto found = std::ranges::find(m_lab.textParts, part, &LabPart::name);
    return found == m_lab.textParts.end() ? nullptr
                                          : m_fields[static_cast<std::size_t>(found - m_lab.textParts.begin())].ticks;
}

}  // namespace attnscope

#include "moc_lab_text_fields.cpp"
