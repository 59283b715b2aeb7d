#include "ui/widgets/choice_control.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/number_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int fewParameters = 2;

NumberScale scaleOf(const Parameter& parameter)
{
    NumberScale scale{parameter.minimum, parameter.maximum};
    scale.whole = parameter.kind == Parameter::Kind::Integer;
    scale.logarithmic = parameter.minimum > 0 && parameter.maximum / parameter.minimum >= 1000;
    return scale;
}

void clear(QGridLayout* grid)
{
    while (QLayoutItem* item = grid->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

}  // namespace

QString faultOfScale(const Choice& method)
{
    const auto bound = bindScale(method);
    return bound || bound.error().kind == ErrorKind::UnknownName ? QString() : text(bound.error().message);
}

QString teach(const Entry& entry)
{
    QString out = u"<b>%1</b>"_s.arg(text(entry.label).toHtmlEscaped());
    if (!entry.about.empty())
        out += u"<br>%1"_s.arg(text(entry.about).toHtmlEscaped());
    if (!entry.formula.empty())
        out += u"<br><i>%1</i>"_s.arg(text(symbolicFormula(entry)).toHtmlEscaped());
    if (!entry.source.empty())
        out += u"<br><small>%1</small>"_s.arg(text(entry.source).toHtmlEscaped());
    return u"<div style='max-width:320px'>%1</div>"_s.arg(out);
}

ParameterFields::ParameterFields(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(formSpacing);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
}

void ParameterFields::show(const Entry& entry, const Choice& choice, const std::vector<std::string>& hidden)
{
    const bool another = m_entry != &entry;
    m_entry = &entry;
    m_choice = choice;
    if (another)
        build(hidden);
    else
        for (const auto& refresh : m_refresh)
            refresh();
}

void ParameterFields::build(const std::vector<std::string>& hidden)
{
    clear(m_grid);
    m_refresh.clear();
    m_wholes = 0;
    m_halves.clear();
    m_presets = nullptr;
    if (m_listsPresets && !m_entry->presets.empty())
        addPresets();
    if (!m_entry->textLabel.empty())
        addText();
    for (const Parameter& parameter : m_entry->parameters)
        if (std::find(hidden.begin(), hidden.end(), parameter.id) == hidden.end())
            addParameter(parameter);
    m_columns = 0;
    arrange();
    setVisible(!isEmpty());
}

/// A line of its own, above the parameters.
void ParameterFields::addWhole(QWidget* line) { m_grid->addWidget(line, m_wholes++, 0, 1, 2); }

/// Parameters side by side where there is room for the widest twice.
void ParameterFields::arrange()
{
    int widest = 0;
    for (const QWidget* half : m_halves)
        widest = std::max(widest, half->minimumSizeHint().width());
    const int columns = width() < 2 * widest + m_grid->horizontalSpacing() ? 1 : 2;
    if (columns == m_columns)
        return;
    m_columns = columns;
    int at = 0;
    for (QWidget* half : m_halves) {
        m_grid->addWidget(half, m_wholes + at / columns, at % columns, 1, 3 - columns);
        ++at;
    }
}

void ParameterFields::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

QSize ParameterFields::minimumSizeHint() const
{
    int widest = 0;
    for (int i = 0; i < m_grid->count(); ++i)
        widest = std::max(widest, m_grid->itemAt(i)->minimumSize().width());
    return {widest, QWidget::minimumSizeHint().height()};
}

void ParameterFields::addParameter(const Parameter& parameter)
{
    m_halves.push_back(parameter.kind == Parameter::Kind::Switch ? switchOf(parameter) : numberOf(parameter));
}

double ParameterFields::valueOf(const Parameter& parameter) const
{
    const auto found = m_choice.values.find(parameter.id);
    return found != m_choice.values.end() ? found->second : parameter.followsN ? m_nTrain : parameter.byDefault;
}

QWidget* ParameterFields::switchOf(const Parameter& parameter)
{
    auto* box = described(new QCheckBox(sentence(text(parameter.label))), text(m_entry->label + ": " + parameter.label),
                          text(parameter.help));
    box->setChecked(valueOf(parameter) != 0);
    connect(box, &QCheckBox::toggled, this, [this, parameter](bool on) {
        set(parameter, on ? 1 : 0);
        emit finished();
    });
    m_refresh.push_back([this, box, parameter] {
        const QSignalBlocker blocker(box);
        box->setChecked(valueOf(parameter) != 0);
    });
    return box;
}

QWidget* ParameterFields::numberOf(const Parameter& parameter)
{
    auto* number = new NumberControl(sentence(text(parameter.label)), scaleOf(parameter), text(parameter.help));
    number->captionLabel()->setMinimumWidth(0);
    number->captionLabel()->setMaximumWidth(QWIDGETSIZE_MAX);
    number->setSliderVisible(false);
    number->field()->setFixedWidth(62);
    number->field()->setAccessibleName(text(m_entry->label + ": " + parameter.label));
    number->slider()->setAccessibleName(text(m_entry->label + ": " + parameter.label));
    if (parameter.followsN)
        number->letFollow(u"N"_s);
    const auto refresh = [this, number, parameter] {
        number->setFollowing(parameter.followsN && !m_choice.values.contains(parameter.id));
        number->setValue(valueOf(parameter));
    };
    refresh();
    connect(number, &NumberControl::edited, this, [this, parameter](double value) { set(parameter, value); });
    connect(number, &NumberControl::followed, this, [this, parameter] {
        m_choice.values.erase(parameter.id);
        changed();
    });
    connect(number, &NumberControl::finished, this, &ParameterFields::finished);
    m_refresh.push_back(refresh);
    return number;
}

void ParameterFields::addText()
{
    if (TextEditor* editor = m_makeTextEditor ? m_makeTextEditor(*m_entry) : nullptr)
        return addTextEditor(editor);
    const QString teaches = text(m_entry->textLabel), name = teaches.section(u": "_s, 0, 0);
    auto* field = new QLineEdit(text(m_choice.text.empty() ? m_entry->textByDefault : m_choice.text));
    QLabel* caption = captionFor(field, name.left(1).toUpper() + name.mid(1).toLower(), teaches);
    described(field, text(m_entry->label) + u": "_s + teaches, teaches);
    field->setPlaceholderText(text(m_entry->textByDefault));
    field->setCursorPosition(0);  // a long one shows its beginning
    connect(field, &QLineEdit::editingFinished, this, [this, field] {
        if (field->text().toStdString() == m_choice.text)
            return;
        m_choice.text = field->text().toStdString();
        const int caret = field->cursorPosition();
        field->setText(field->text());  // taken over: from here on undo is the document's
        field->setCursorPosition(caret);
        emit edited(m_choice);
        emit finished();
    });
    const auto refresh = [this, field] {
        const QString now = text(m_choice.text.empty() ? m_entry->textByDefault : m_choice.text);
        if (!field->isModified() && field->text() != now) {
            field->setText(now);
            field->setCursorPosition(0);
        }
        showFault(*field, m_faultOf ? m_faultOf(m_choice) : QString());
    };
    refresh();
    m_refresh.push_back(refresh);
    auto* line = new QWidget;
    if (constexpr qsizetype shortName = 16; name.size() > shortName)
        inColumn(line, {caption, field}, 2);
    else
        inRow(line, {caption, {field, 1}}, 8);
    addWhole(line);
}

void ParameterFields::addTextEditor(TextEditor* editor)
{
    editor->show(m_choice);
    connect(editor, &TextEditor::edited, this, [this](const std::string& now) {
        m_choice.text = now;
        changed();
    });
    connect(editor, &TextEditor::finished, this, &ParameterFields::finished);
    m_refresh.push_back([this, editor] { editor->show(m_choice); });
    addWhole(editor);
}

/// What papers and public code disagree on, by name. Parameters that are no preset's are the user's own.
void ParameterFields::addPresets()
{
    m_presets = new ElidedList;
    m_presets->setAccessibleName(text(m_entry->label) + u": preset"_s);
    m_presets->setPlaceholderText(u"own values"_s);
    std::vector<Choice> choices;
    for (const Preset& preset : m_entry->presets) {
        const auto choice =
            parseChoiceText(preset.text, [this](std::string_view) -> Result<const Entry*> { return m_entry; });
        if (!choice || choice->id != m_entry->id)
            continue;
        choices.push_back(*choice);
        addItem(*m_presets, sentence(text(preset.label)), {}, text(preset.source));
    }
    const auto refresh = [this, list = m_presets, choices] {
        const auto found = std::find(choices.begin(), choices.end(), m_choice);
        const int index = found == choices.end() ? -1 : static_cast<int>(found - choices.begin());
        list->setCurrentIndex(index);
        list->setToolTip(index < 0 ? u"Parameters as a paper or a public implementation has them"_s
                                   : u"Parameters as a paper or a public implementation has them; this one: %1"_s.arg(
                                         list->itemData(index, Qt::ToolTipRole).toString()));
    };
    connect(m_presets, &QComboBox::activated, this, [this, choices](int index) {
        m_choice = choices[static_cast<size_t>(index)];
        for (const auto& show : m_refresh)
            show();
        emit edited(m_choice);
        emit finished();
    });
    m_refresh.push_back(refresh);
    refresh();
    addWhole(m_presets);
}

void ParameterFields::set(const Parameter& parameter, double value)
{
    if (value == parameter.byDefault && !parameter.followsN)
        m_choice.values.erase(parameter.id);
    else
        m_choice.values[parameter.id] = value;
    changed();
}

void ParameterFields::changed()
{
    if (m_presets)
        m_refresh.front()();
    emit edited(m_choice);
}

ChoiceControl::ChoiceControl(const QString& caption, std::vector<const Entry*> rows, const QString& teaches,
                             QWidget* parent)
    : QWidget(parent), m_rows(std::move(rows)), m_teaches(teaches), m_list(new ElidedList),
      m_tune(iconButton(u"tune"_s, u"Parameters: %1"_s.arg(caption), u"Show or hide the parameters"_s, 16)),
      m_fields(new ParameterFields)
{
    QLabel* label = captionFor(m_list, caption, {});
    label->setToolTip(teaches);
    auto* before = new QWidget;  // the list is as wide as those above and below, with the button and without
    inRow(before, {{label, 1}, m_tune}, 0);
    before->setFixedWidth(captionWidth);
    m_tune->setMaximumHeight(m_list->sizeHint().height());
    inColumn(this, {inRow({before, {m_list, 1}}, 8), m_fields}, formSpacing);
    setTabOrder(m_list, m_tune);
    m_tune->setCheckable(true);
    m_tune->setProperty("quiet", true);
    connect(m_tune, &QToolButton::toggled, this, &ChoiceControl::showFields);
    // By a hand only: a scenario that is shown opens fields too, and then nothing moves.
    connect(m_tune, &QToolButton::clicked, this, [this](bool open) {
        if (open)
            bringIntoSight(*this);
    });
    m_list->setAccessibleDescription(teaches);
    for (const Entry* row : m_rows)
        addItem(*m_list, text(row->label), text(row->id), teach(*row));
    setFocusProxy(m_list);
    connect(m_list, &QComboBox::activated, this, [this](int index) {
        if (m_choice.id == m_rows[static_cast<size_t>(index)]->id)
            return;
        setChoice({m_rows[static_cast<size_t>(index)]->id, {}, {}});
        if (m_fields->isVisibleTo(this))
            bringIntoSight(*this);
        emit edited(m_choice);
        emit finished();
    });
    connect(m_fields, &ParameterFields::edited, this, [this](const Choice& choice) {
        m_choice = choice;
        emit edited(m_choice);
    });
    connect(m_fields, &ParameterFields::finished, this, &ChoiceControl::finished);
}

void ChoiceControl::setChoice(const Choice& choice)
{
    if (choice == m_choice && m_list->currentIndex() >= 0 &&
        m_list->currentData().toString().toStdString() == choice.id && m_tune->property("row").isValid())
        return;
    m_choice = choice;
    const int index = m_list->findData(text(choice.id));
    m_list->setCurrentIndex(index);
    if (index < 0)
        return m_fields->hide();
    const Entry& entry = *m_rows[static_cast<size_t>(index)];
    m_list->setToolTip(u"%1<hr>%2"_s.arg(m_teaches.toHtmlEscaped(), teach(entry)));
    const bool another = m_tune->property("row").toInt() != index + 1;
    m_fields->show(entry, choice);
    if (another)
        m_tune->setChecked(m_fields->count() - (m_fields->presets() ? 2 : 0) <= fewParameters);
    m_tune->setProperty("row", index + 1);
    showFields();
}

void ChoiceControl::takePresets(QLayout* line)
{
    m_fields->leaveOutPresets();
    static_cast<QBoxLayout*>(layout())->insertLayout(1, line);
}

void ChoiceControl::setTrainLength(double nTrain)
{
    m_fields->setTrainLength(nTrain);
    if (const int index = m_list->currentIndex(); index >= 0 && m_choice.id == m_rows[static_cast<size_t>(index)]->id)
        m_fields->show(*m_rows[static_cast<size_t>(index)], m_choice);
}

/// A row with many parameters keeps them behind its button until they are asked for.
void ChoiceControl::showFields()
{
    m_tune->setVisible(!m_fields->isEmpty());
    m_fields->setVisible(m_tune->isChecked() && !m_fields->isEmpty());
}

}  // namespace attnscope

#include "moc_choice_control.cpp"
