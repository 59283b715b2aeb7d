#pragma once
// The right of the Model workspace: quality against length, and below it, behind tabs, against the place in the window,
// as a table, and as the text that the model writes.

#include "ui/figure/model_charts.h"
#include "ui/workbench/model_runner.h"

#include <QWidget>

class QComboBox;
class QTabWidget;
class QTextEdit;

namespace attnscope {

class ChartView;
class ElidedLabel;
class ValueTable;

class ModelResults : public QWidget {
    Q_OBJECT
public:
    ModelResults(Document& document, ModelRunner& runner, QWidget* parent = nullptr);
    ChartView* quality() const { return m_quality; }
    ChartView* places() const { return m_places; }
    ValueTable* table() const { return m_table; }
    QTextEdit* written() const { return m_written; }
    QComboBox* measure() const { return m_measure; }
    QTabWidget* tabs() const { return m_tabs; }

protected:
    void changeEvent(QEvent* event) override;

private:
    std::vector<StudyLine> lines() const;
    void showQuality();
    void showPlaces();
    void showTable();
    void showWritten();

    Document& m_document;
    ModelRunner& m_runner;
    QComboBox* m_measure;
    ElidedLabel* m_windows;  ///< of which the quality is
    ChartView *m_quality, *m_places;
    QTabWidget* m_tabs;
    ValueTable* m_table;
    QTextEdit* m_written;
    QString m_page;  ///< that is shown there
};

}  // namespace attnscope
