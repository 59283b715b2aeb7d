#pragma once
// What the document's look adds to a chart: its annotations, written where the pointer is (T), dragged by their text, opened again by
// a double click, removed with Delete or by an empty text; and its zoom. All of it reaches sessions and exported figures.

#include "core/document/look.h"
#include "ui/plot/chart.h"

#include <QObject>

#include <functional>
#include <optional>
#include <string>

class QAction;
class QLineEdit;

namespace attnscope {

class ChartView;
class Document;

class ChartNotes : public QObject {
    Q_OBJECT
public:
    /// `name`: Annotation::chart of what the view shows now.
    ChartNotes(Document& document, ChartView* chart, std::function<std::string()> name);

    /// The chart as the view shows it, with what the look adds.
    void show(ChartSpec spec);
    /// Opens the field for a note that points at the curve nearest to a place of the view, or at the place itself.
    void write(QPointF at);
    QLineEdit* field() const { return m_field; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// In Look::annotations; empty: no text is there.
    std::optional<std::size_t> noteAt(QPointF position) const;
    QRectF boxOf(const Annotation& note) const;
    bool press(QPointF at);
    void drag(QPointF to);
    void open(const Annotation& note);
    void finish(bool kept);
    void remove(std::size_t index);
    void keepZoom();

    Document& m_document;
    ChartView* m_chart;
    std::function<std::string()> m_name;
    QLineEdit* m_field;
    QAction* m_putBack;
    std::optional<Annotation> m_written;   ///< in the field: a new one, or m_opened
    std::optional<std::size_t> m_opened, m_dragged;
    std::optional<Annotation> m_removed;
    QPointF m_grip;                        ///< from the middle of the dragged text to the pointer
};

}  // namespace attnscope
