#include "ui/window/views/chart_notes.h"

#include "ui/figure/chart_look.h"
#include "ui/plot/chart_note.h"
#include "ui/window/document.h"
#include "ui/window/theme.h"
#include "ui/window/views/chart_view.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr double snapReach = 14;     // device-independent pixels
constexpr int fieldWidth = 240;

ChartNote noteOf(const Annotation& note)
{
    return {note.x, note.y, QString::fromStdString(note.text), {}, ChartSeries::reference, QPointF(note.right, -note.up)};
}

}  // namespace

ChartNotes::ChartNotes(Document& document, ChartView* chart, std::function<std::string()> name)
    : QObject(chart), m_document(document), m_chart(chart), m_name(std::move(name)), m_field(new QLineEdit(chart)), m_putBack(new QAction(tr("Put the removed note back"), chart))
{
    m_field->hide();
    m_field->setMaxLength(200);
    m_field->setPlaceholderText(tr("Note; $\\ln n$ for mathematics"));
    m_field->setAccessibleName(tr("Text of the note"));
    m_field->setToolTip(tr("Return keeps the note, Escape leaves things as they were, no text removes it. What stands between two $ is set as mathematics"));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::returnPressed, this, [this] { finish(true); });

    auto* write = new QAction(tr("Write a note here"), chart);
    write->setShortcut(Qt::Key_T);
    write->setShortcutContext(Qt::WidgetShortcut);
    connect(write, &QAction::triggered, this, [this] { this->write(m_chart->lastPointed()); });
    auto* remove = new QAction(tr("Remove the note"), chart);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, [this] {
        if (const auto index = noteAt(m_chart->lastPointed()))
            this->remove(*index);
    });
    m_putBack->setVisible(false);
    connect(m_putBack, &QAction::triggered, this, [this] {
        m_putBack->setVisible(false);
        m_document.editLook([this](Look& look) { look.annotations.push_back(*std::exchange(m_removed, {})); });
    });
    chart->addActions({write, remove, m_putBack});
    chart->installEventFilter(this);
    connect(chart, &ChartView::zoomChanged, this, &ChartNotes::keepZoom);
}

void ChartNotes::show(ChartSpec spec)
{
    const Look& look = m_document.look();
    m_chart->show(withAnnotations(std::move(spec), look, m_name()));
    const auto zoom = look.zooms.find(m_name());
    m_chart->showZoom(zoom == look.zooms.end() ? std::nullopt : std::optional(zoom->second));
}

void ChartNotes::keepZoom()
{
    m_document.editLook([this](Look& look) {
        if (const auto zoom = m_chart->shownZoom())
            look.zooms[m_name()] = *zoom;
        else
            look.zooms.erase(m_name());
    });
}

QRectF ChartNotes::boxOf(const Annotation& note) const { return boxOfNote(noteOf(note), chartStyle(), m_chart->chartLayout()); }

std::optional<std::size_t> ChartNotes::noteAt(QPointF position) const
{
    const std::vector<Annotation>& notes = m_document.look().annotations;
    for (std::size_t i = notes.size(); i-- > 0;)  // the last one is on top
        if (notes[i].chart == m_name() && boxOf(notes[i]).contains(position))
            return i;
    return {};
}

void ChartNotes::write(QPointF at)
{
    const ChartLayout& place = m_chart->chartLayout();
    if (!place.frame.contains(at))
        at = place.frame.center();
    if (m_document.look().annotations.size() >= Look::mostAnnotations)
        return;
    QPointF value = place.value(at);
    if (const auto hit = nearestPoint(m_chart->spec(), place, at, snapReach)) {
        const ChartPoint& point = m_chart->spec().series[static_cast<std::size_t>(hit->series)].points[static_cast<std::size_t>(hit->point)];
        value = {point.x, point.y};
    }
    m_opened.reset();
    Annotation note{m_name(), value.x(), value.y(), 3, 2.5, {}};
    if (at.x() > place.frame.center().x())
        note.right = -note.right;  // towards where there is more room
    if (at.y() < place.frame.top() + place.frame.height() / 3)
        note.up = -note.up;
    open(note);
}

void ChartNotes::open(const Annotation& note)
{
    m_written = note;
    const QRectF box = boxOf(note);
    const int width = std::min(withText(fieldWidth), m_chart->width() - 8);
    m_field->setText(QString::fromStdString(note.text));
    m_field->resize(width, m_field->sizeHint().height());
    m_field->move(std::clamp(qRound(box.center().x()) - width / 2, 4, std::max(4, m_chart->width() - width - 4)),
                  std::clamp(qRound(box.center().y()) - m_field->height() / 2, 4, std::max(4, m_chart->height() - m_field->height() - 4)));
    m_field->show();
    m_field->setFocus(Qt::OtherFocusReason);
    m_field->selectAll();
}

void ChartNotes::finish(bool kept)
{
    if (!m_written)
        return;
    Annotation note = *std::exchange(m_written, {});
    const std::optional<std::size_t> opened = std::exchange(m_opened, {});
    const bool focused = m_field->hasFocus();
    m_field->hide();
    if (focused)
        m_chart->setFocus(Qt::OtherFocusReason);
    note.text = m_field->text().trimmed().toStdString();
    if (!kept || (note.text.empty() && !opened))
        return;
    if (note.text.empty())
        return remove(*opened);
    m_document.editLook([&](Look& look) {
        if (opened && *opened < look.annotations.size())
            look.annotations[*opened] = note;
        else
            look.annotations.push_back(note);
    });
}

void ChartNotes::remove(std::size_t index)
{
    m_removed = m_document.look().annotations[index];
    m_putBack->setVisible(true);
    m_document.editLook([index](Look& look) { look.annotations.erase(look.annotations.begin() + static_cast<std::ptrdiff_t>(index)); });
}

bool ChartNotes::press(QPointF at)
{
    m_dragged = noteAt(at);
    if (m_dragged)
        m_grip = at - boxOf(m_document.look().annotations[*m_dragged]).center();
    return m_dragged.has_value();
}

void ChartNotes::drag(QPointF to)
{
    m_document.editLook([&](Look& look) {
        if (*m_dragged >= look.annotations.size())
            return;
        Annotation& note = look.annotations[*m_dragged];
        const QPointF away = (to - m_grip - m_chart->chartLayout().place(note.x, note.y)) / chartStyle().text;
        note.right = std::clamp(away.x(), -100.0, 100.0);
        note.up = std::clamp(-away.y(), -100.0, 100.0);
    });
}

bool ChartNotes::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field) {
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
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: return mouse->button() == Qt::LeftButton && press(mouse->position());
    case QEvent::MouseMove:
        if (m_dragged)
            drag(mouse->position());
        else if (mouse->buttons() == Qt::NoButton && noteAt(mouse->position())) {
            m_chart->setCursor(Qt::OpenHandCursor);
            m_chart->point(mouse->position());
            return true;
        }
        return m_dragged.has_value();
    case QEvent::MouseButtonRelease: return std::exchange(m_dragged, {}).has_value();
    case QEvent::MouseButtonDblClick:
        m_opened = noteAt(mouse->position());
        m_dragged.reset();
        if (m_opened)
            open(m_document.look().annotations[*m_opened]);
        return m_opened.has_value();
    default: return false;
    }
}

}  // namespace attnscope

#include "moc_chart_notes.cpp"
