#include "ui/views/note_pad.h"

#include "ui/figure/chart_look.h"
#include "ui/plot/chart_note.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/workbench/document.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {
constexpr int fieldWidth = 240;
}

NotePad::NotePad(Document& document, NotePaper paper)
    : QObject(paper.widget), m_document(document), m_paper(std::move(paper)), m_field(new QLineEdit(m_paper.widget))
{
    m_field->hide();
    m_field->setMaxLength(Annotation::mostLetters);
    m_field->setPlaceholderText(u"Note; $\\ln n$ for mathematics"_s);
    described(m_field, u"Text of the note"_s,
              u"Return keeps the note, Escape leaves things as they were, no text removes it. What stands between "
              "two $ is set as mathematics"_s);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::returnPressed, this, [this] { finish(true); });

    auto* write = new QAction(u"Write a note here"_s, m_paper.widget);
    write->setShortcut(Qt::Key_T);
    write->setShortcutContext(Qt::WidgetShortcut);
    connect(write, &QAction::triggered, this, [this] {
        for (NotePad* pad : m_paper.widget->window()->findChildren<NotePad*>())
            if (pad->isOnScreen() && pad->isUnderPointer())  // the keyboard may be on another view
                return pad->writeAtPointer();
    });
    m_remove = new QAction(u"Remove the note"_s, m_paper.widget);
    m_remove->setShortcut(QKeySequence::Delete);
    m_remove->setShortcutContext(Qt::WidgetShortcut);
    connect(m_remove, &QAction::triggered, this, [this] {
        if (const auto index = noteAt(m_paper.lastPointed()))
            this->remove(m_document.look().annotations[*index]);
    });
    m_paper.widget->addActions({write, m_remove});
    m_paper.widget->installEventFilter(this);
    connect(&document, &Document::lookChanged, this, [this] { offerRemoval(m_paper.lastPointed()); });
    offerRemoval({-1, -1});
}

bool NotePad::isOnScreen() const { return m_paper.widget->isVisible() && m_paper.layout().frame.isValid(); }

QRectF NotePad::boxOf(const Annotation& note) const
{
    return boxOfNote(chartNote(note, m_paper.middle), chartStyle(), m_paper.layout());
}

QPointF NotePad::placeOf(const Annotation& note) const
{
    return m_paper.layout().place(note.x + m_paper.middle.x(), note.y + m_paper.middle.y());
}

std::optional<std::size_t> NotePad::noteAt(QPointF position) const
{
    const std::vector<Annotation>& notes = m_document.look().annotations;
    if (notes.empty())
        return {};
    const std::string name = m_paper.name();
    const QRectF frame = m_paper.layout().frame.adjusted(-1, -1, 1, 1);
    for (std::size_t i = notes.size(); i-- > 0;)  // the last one is on top
        if (notes[i].chart == name && frame.contains(placeOf(notes[i])) && boxOf(notes[i]).contains(position))
            return i;
    return {};
}

void NotePad::write(QPointF at)
{
    finish(true);
    const ChartLayout place = m_paper.layout();
    if (!place.frame.contains(at))
        at = place.frame.center();
    if (m_document.look().annotations.size() >= Look::mostAnnotations)
        return;
    const QPointF value = m_paper.valueAt(at);
    Annotation note{m_paper.name(), value.x(), value.y(), 3, 2.5, {}};
    if (at.x() > place.frame.center().x())
        note.right = -note.right;  // towards where there is more room
    if (at.y() < place.frame.top() + place.frame.height() / 3)
        note.up = -note.up;
    open(note);
}

void NotePad::open(const Annotation& note)
{
    m_written = note;
    const QRectF box = boxOf(note);
    QWidget& view = *m_paper.widget;
    const int width = std::min(withText(fieldWidth), view.width() - 8);
    m_field->setText(text(note.text));
    m_field->resize(width, m_field->sizeHint().height());
    m_field->move(std::clamp(qRound(box.center().x()) - width / 2, 4, std::max(4, view.width() - width - 4)),
                  std::clamp(qRound(box.center().y()) - m_field->height() / 2, 4,
                             std::max(4, view.height() - m_field->height() - 4)));
    m_field->show();
    m_field->raise();
    m_field->setFocus(Qt::OtherFocusReason);
    m_field->selectAll();
}

void NotePad::finish(bool kept)
{
    if (!m_written)
        return;
    Annotation note = *std::exchange(m_written, {});
    const std::optional<Annotation> opened = std::exchange(m_opened, {});
    const bool focused = m_field->hasFocus();
    m_field->hide();
    if (focused)
        m_paper.widget->setFocus(Qt::OtherFocusReason);
    note.text = m_field->text().trimmed().toStdString();
    if (!kept || (opened ? note == *opened : note.text.empty()))
        return;
    if (note.text.empty())
        return remove(*opened);
    if (!opened && m_paper.chart) {
        const QPointF away =
            freePlace(chartNote(note, m_paper.middle), m_paper.chart(), chartStyle(), m_paper.layout());
        note.right = away.x();
        note.up = -away.y();
    }
    m_document.endGesture();
    m_document.editNotes(u"Note"_s, [&](std::vector<Annotation>& notes) {
        const auto place =
            opened ? std::ranges::find(notes, *opened) : notes.end();  // undo may have taken it away meanwhile
        if (place != notes.end())
            *place = note;
        else if (notes.size() < Look::mostAnnotations)
            notes.push_back(note);
    });
    m_document.endGesture();
}

void NotePad::remove(const Annotation& note)
{
    m_document.endGesture();
    m_document.editNotes(u"Remove note"_s, [&note](std::vector<Annotation>& notes) {
        if (const auto place = std::ranges::find(notes, note); place != notes.end())
            notes.erase(place);
    });
    m_document.endGesture();
}

bool NotePad::press(QPointF at)
{
    m_dragged.reset();
    if (const auto index = noteAt(at)) {
        m_document.endGesture();
        m_dragged = m_document.look().annotations[*index];
        m_grip = at - boxOf(*m_dragged).center();
    }
    return m_dragged.has_value();
}

void NotePad::drag(QPointF to)
{
    m_document.editNotes(u"Move note"_s, [&](std::vector<Annotation>& notes) {
        const auto place = std::ranges::find(notes, *m_dragged);  // undo may have taken it away meanwhile
        if (place == notes.end())
            return;
        Annotation& note = *place;
        const QPointF away = (to - m_grip - placeOf(note)) / chartStyle().text;
        note.right = std::clamp(away.x(), -Annotation::farthest, Annotation::farthest);
        note.up = std::clamp(-away.y(), -Annotation::farthest, Annotation::farthest);
        m_dragged = note;
    });
}

void NotePad::offerRemoval(QPointF at) { m_remove->setEnabled(noteAt(at).has_value()); }

bool NotePad::hoverOrDrag(QPointF at, bool pressed)
{
    if (m_dragged) {
        drag(at);
        return true;
    }
    if (pressed || !noteAt(at))
        return false;
    m_paper.widget->setCursor(Qt::OpenHandCursor);
    m_paper.point(at);
    return true;
}

bool NotePad::release()
{
    if (!std::exchange(m_dragged, {}))
        return false;
    m_document.endGesture();
    return true;
}

bool NotePad::takesField(QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        finish(false);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {  // letters are text here, not the window's keys
        event->accept();
        return true;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        finish(true);
    return false;
}

bool NotePad::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field)
        return takesField(event);
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::FocusIn:
        m_visited = std::chrono::steady_clock::now();
        return false;
    case QEvent::Hide:
        release();
        return false;
    case QEvent::MouseButtonPress:
        return mouse->button() == Qt::LeftButton && press(mouse->position());
    case QEvent::MouseMove:
        offerRemoval(mouse->position());
        return hoverOrDrag(mouse->position(), mouse->buttons() != Qt::NoButton);
    case QEvent::MouseButtonRelease:
        return release();
    case QEvent::MouseButtonDblClick:
        finish(true);
        m_dragged.reset();
        if (const auto index = noteAt(mouse->position())) {
            m_opened = m_document.look().annotations[*index];
            open(*m_opened);
        }
        return m_opened.has_value();
    default:
        return false;
    }
}

bool NotePad::isUnderPointer() const { return m_paper.widget->underMouse(); }

void finishNotes(const QWidget& window)
{
    for (NotePad* pad : window.findChildren<NotePad*>())
        pad->finish(true);
}

}  // namespace attnscope

#include "moc_note_pad.cpp"
