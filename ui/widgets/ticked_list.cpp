#include "ui/widgets/ticked_list.h"

#include "core/base/text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int leastWidth = 300, most = 440;  // pixels of what drops down, its width and its height

}  // namespace

TickedList::TickedList(const std::vector<Entry>& rows, bool keepsOne, QWidget* parent)
    : QWidget(parent), m_registry(rows), m_keepsOne(keepsOne), m_layout(inColumn(this, {stretch()}, 2, {12, 8, 12, 8}))
{
    setEntries({});
}

/// What stands before the bar of "vanilla|adaptive:c0=2" is a part of the name.
std::pair<const Entry*, Choice> TickedList::read(const std::string& entry) const
{
    const Entry* found = nullptr;
    const auto choice = parseChoiceText(entry, [&](std::string_view id) -> Result<const Entry*> {
        const auto row = std::ranges::find(m_registry, id, &Entry::id);
        if (row == m_registry.end())
            return failure(ErrorKind::UnknownName, std::string(id));
        return found = &*row;
    });
    return choice ? std::pair(found, *choice) : std::pair(static_cast<const Entry*>(nullptr), Choice());
}

QString TickedList::labelOf(const std::string& entry) const
{
    const auto [row, choice] = read(entry);
    return text(row ? describeChoice(*row, choice) : entry);
}

/// As many lines of each row as it is ticked, and at least one; then what no row reads.
std::vector<TickedList::Line> TickedList::linesOfEntries() const
{
    std::vector<Line> lines;
    std::vector<const Entry*> rows;
    for (const std::string& entry : m_entries)
        rows.push_back(read(entry).first);
    const auto addThoseOf = [&](const Entry* row) {
        const std::size_t before = lines.size();
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i] == row)
                lines.push_back({row, static_cast<std::ptrdiff_t>(i)});
        return lines.size() > before;
    };
    for (const Entry& row : m_registry)
        if (!addThoseOf(&row))
            lines.push_back({&row, -1});
    addThoseOf(nullptr);
    return lines;
}

void TickedList::setEntries(const std::vector<std::string>& entries)
{
    m_entries = entries;
    m_lines = linesOfEntries();
    while (m_rows.size() > m_lines.size()) {
        m_rows.back().whole->hide();
        m_layout->removeWidget(m_rows.back().whole);
        m_rows.back().whole->deleteLater();  // it may be the one that was just unticked
        m_rows.pop_back();
    }
    while (m_rows.size() < m_lines.size())
        m_rows.push_back(addRow(m_rows.size()));
    refresh();
}

TickedList::Row TickedList::addRow(std::size_t at)
{
    Row row{new QWidget, new QCheckBox, iconButton(u"tune"_s, u"Parameters"_s, u"Its parameters"_s, 16),
            new ParameterFields,
            iconAndText(u"add"_s, u"Variant"_s, u"The same once more, with parameters of its own"_s)};
    row.tune->setCheckable(true);
    row.tune->setProperty("quiet", true);
    row.another->setIconSize({12, 12});
    row.tick->setMinimumHeight(row.tune->sizeHint().height());  // rows stay where they are whatever is ticked
    inColumn(row.whole, {inRow({{row.tick, 1}, row.tune}, 8), row.fields, inRow({row.another, stretch()})}, 2, {});
    m_layout->insertWidget(static_cast<int>(at), row.whole);
    connect(row.tick, &QCheckBox::toggled, this, [this, at](bool on) { setTicked(at, on); });
    connect(row.tune, &QToolButton::toggled, this, [this, whole = row.whole](bool open) {
        refresh();
        if (open)
            bringIntoSight(*whole);
    });
    row.fields->findFaultsBy(&faultOfScale);  // of other registries it knows none
    connect(row.fields, &ParameterFields::edited, this, [this, at](const Choice& choice) { setChoice(at, choice); });
    connect(row.fields, &ParameterFields::finished, this, &TickedList::finished);
    connect(row.another, &QToolButton::clicked, this, [this, at] {
        auto entries = m_entries;
        entries.push_back(entries[static_cast<std::size_t>(m_lines[at].place)]);
        change(std::move(entries));
        emit finished();
    });
    return row;
}

void TickedList::refresh()
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Line& line = m_lines[i];
        const Row& row = m_rows[i];
        const bool ticked = line.place >= 0,
                   tuned = ticked && line.entry && (!line.entry->parameters.empty() || !line.entry->textLabel.empty());
        const std::string entry = ticked ? m_entries[static_cast<std::size_t>(line.place)] : line.entry->id;
        const QSignalBlocker blocker(row.tick);
        row.tick->setText(line.entry ? text(line.entry->label) : text(entry));
        row.tick->setChecked(ticked);
        row.tick->setAccessibleName(labelOf(entry));
        row.whole->setToolTip(line.entry ? teach(*line.entry) : u"Typed by hand"_s);
        row.tune->setVisible(tuned);
        row.tune->setAccessibleName(u"Parameters of %1"_s.arg(row.tick->text()));
        const bool open = tuned && row.tune->isChecked();
        if (open) {
            row.fields->setTrainLength(m_nTrain);
            row.fields->show(*line.entry, read(entry).second);
        }
        row.fields->setVisible(open && !row.fields->isEmpty());
        row.another->setVisible(open);
        row.another->setAccessibleName(u"Another variant of %1"_s.arg(row.tick->text()));
    }
}

/// At the end of the list, so that no other changes its colour.
void TickedList::setTicked(std::size_t at, bool ticked)
{
    auto entries = m_entries;
    if (ticked)
        entries.push_back(m_lines[at].entry->id);
    else if (m_keepsOne && entries.size() == 1)
        return refresh();
    else
        entries.erase(entries.begin() + m_lines[at].place);
    change(std::move(entries));
    emit finished();
}

void TickedList::setChoice(std::size_t at, const Choice& choice)
{
    auto entries = m_entries;
    entries[static_cast<std::size_t>(m_lines[at].place)] = formatChoice(choice);
    change(std::move(entries));
}

void TickedList::change(std::vector<std::string> entries)
{
    setEntries(entries);
    emit edited();
}

const TickedList::Row* TickedList::rowOf(const std::string& id) const
{
    const auto line = std::ranges::find_if(m_lines, [&](const Line& each) {
        return each.entry ? each.entry->id == id : m_entries[static_cast<std::size_t>(each.place)] == id;
    });
    return line == m_lines.end() ? nullptr : &m_rows[static_cast<std::size_t>(line - m_lines.begin())];
}

QCheckBox* TickedList::tickOf(const std::string& id) const
{
    const Row* row = rowOf(id);
    return row ? row->tick : nullptr;
}

QToolButton* TickedList::tuneOf(const std::string& id) const
{
    const Row* row = rowOf(id);
    return row ? row->tune : nullptr;
}

TickedField::TickedField(const std::vector<Entry>& rows, bool keepsOne, QWidget* parent)
    : ElidedList(parent), m_list(new TickedList(rows, keepsOne)),
      m_popup(new QWidget(this, Qt::Popup))  // a frame of a list is none that style sheets speak to
{
    m_popup->setObjectName(u"ticks"_s);
    m_popup->setAttribute(Qt::WA_StyledBackground);
    m_popup->setAttribute(Qt::WA_NoMouseReplay);  // the click that closes it does not open it again
    inColumn(m_popup, {scrolled(m_list)}, 0, {1, 1, 1, 1});
    addItem(QString());
    connect(m_list, &TickedList::edited, this, [this] {
        say();
        emit ticksChanged();
    });
    connect(m_list, &TickedList::finished, this, &TickedField::finished);
}

QWidget* TickedField::popup() const { return m_popup; }

void TickedField::setEntries(const std::vector<std::string>& entries)
{
    if (entries != m_list->entries() || itemText(0).isEmpty())
        m_list->setEntries(entries);
    say();
}

void TickedField::say()
{
    const QString all = text(joined(m_list->entries(), "; ",
                                    [this](const std::string& entry) { return m_list->labelOf(entry).toStdString(); }));
    setItemText(0, all.isEmpty() ? u"none"_s : all);
    updateGeometry();
}

/// Below the field, or above it where there is more room.
void TickedField::showPopup()
{
    m_list->layout()->activate();
    const QRect here(mapToGlobal(QPoint()), size()), room = screen()->availableGeometry();
    const int below = room.bottom() - here.bottom(), above = here.top() - room.top();
    const int height = std::min({m_list->sizeHint().height() + 2, most, std::max(below, above)});
    const int width = std::max({here.width(), leastWidth, m_list->sizeHint().width() + 2});
    const int top = height <= below ? here.bottom() + 1 : here.top() - height;
    m_popup->setGeometry(std::min(here.left(), room.right() - width), top, width, height);
    m_popup->show();
    if (QWidget* first = m_list->nextInFocusChain())
        first->setFocus(Qt::PopupFocusReason);
}

/// Letters and arrows choose nothing in a list of one line.
void TickedField::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Space || event->key() == Qt::Key_Down || event->key() == Qt::Key_F4 ||
                       event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    opens ? showPopup() : event->ignore();
}

void TickedField::wheelEvent(QWheelEvent* event) { event->ignore(); }

}  // namespace attnscope

#include "moc_ticked_list.cpp"
