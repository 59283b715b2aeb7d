#pragma once
// What the document's look adds to a chart: its notes (note_pad.h), which point at the curve nearest to where they are
// written; and its zoom. All of it reaches sessions and exported figures.

#include "ui/plot/chart.h"

#include <QObject>

#include <functional>
#include <string>

class QLineEdit;

namespace attnscope {

class ChartView;
class Document;
class NotePad;

class ChartNotes : public QObject {
    Q_OBJECT
public:
    /// `name`: Annotation::chart of what the view shows now.
    ChartNotes(Document& document, ChartView* chart, std::function<std::string()> name);

    /// The chart as the view shows it, with what the look adds.
    void show(ChartSpec spec);
    QLineEdit* field() const;

private:
    QPointF valueAt(QPointF at) const;
    void keepZoom();

    Document& m_document;
    ChartView* m_chart;
    std::function<std::string()> m_name;
    NotePad* m_pad;
};

}  // namespace attnscope
