#pragma once
// Notes on a view: a text with an arrow to a place of it. Written where the pointer is (T), dragged by their text,
// opened again by a double click, removed with Delete or by an empty text; each of these is a step that undo goes back
// over.

#include "core/document/look.h"
#include "ui/plot/chart.h"

#include <QObject>
#include <QPointF>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

class QAction;
class QLineEdit;
class QWidget;

namespace attnscope {

class Document;

/// What notes are written on: a widget whose places have two numbers.
struct NotePaper {
    QWidget* widget = nullptr;
    std::function<std::string()> name;  ///< Annotation::chart of what it shows now
    std::function<ChartLayout()> layout;
    std::function<QPointF()> lastPointed;     ///< of the widget
    std::function<QPointF(QPointF)> valueAt;  ///< what a note at this place of the widget points at
    std::function<void(QPointF)> point;       ///< the pointer is over a note there
    QPointF middle = {0, 0};                  ///< from a note's numbers to the point that its arrow shows
    std::function<ChartSpec()> chart = {};    ///< what a new note's text must not cover; empty: a map
};

class NotePad : public QObject {
    Q_OBJECT
public:
    NotePad(Document& document, NotePaper paper);

    /// Opens the field for a note that points there.
    void write(QPointF at);
    void writeAtPointer() { write(m_paper.lastPointed()); }
    /// What is in the field becomes the note's text, or is forgotten.
    void finish(bool kept);
    QLineEdit* field() const { return m_field; }
    /// When the pointer or the keyboard came to this view last.
    std::chrono::steady_clock::time_point visited() const { return m_visited; }
    bool isOnScreen() const;
    bool isUnderPointer() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool takesField(QEvent* event);
    /// In Look::annotations; empty: no text is there.
    std::optional<std::size_t> noteAt(QPointF position) const;
    QRectF boxOf(const Annotation& note) const;
    QPointF placeOf(const Annotation& note) const;
    bool press(QPointF at);
    void offerRemoval(QPointF at);
    bool hoverOrDrag(QPointF at, bool pressed);
    void drag(QPointF to);
    bool release();
    void open(const Annotation& note);
    void remove(const Annotation& note);

    Document& m_document;
    NotePaper m_paper;
    QAction* m_remove = nullptr;
    QLineEdit* m_field;
    std::optional<Annotation> m_written;  ///< its text is in the field
    std::optional<Annotation> m_opened;   ///< what it is to replace; empty: it is a new one
    std::optional<Annotation> m_dragged;  ///< as it is now
    QPointF m_grip;                       ///< from the middle of the dragged text to the pointer
    std::chrono::steady_clock::time_point m_visited{};
};

/// Notes of the window whose fields are open are kept: the session is saved, or left.
void finishNotes(const QWidget& window);

}  // namespace attnscope
