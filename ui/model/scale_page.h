#pragma once
// Find the scale: the question with its button, the answer in words, below it what was tried as a chart that grows,
// what was compared, and at the right what one takes away.

#include "ui/workbench/scale_finder.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace attnscope {

class ChartView;
class ElidedLabel;
class TakeAway;
class ValueTable;

class ScalePage : public QWidget {
    Q_OBJECT
public:
    ScalePage(Document& document, ModelRunner& runner, ScaleFinder& finder, QWidget* parent = nullptr);
    ScaleFinder& finder() const { return m_finder; }
    /// The question, and how far the search is: they stand above the page, where other pages have theirs.
    QWidget* line() const { return m_line; }
    QWidget* stage() const;
    QPushButton* findButton() const { return m_find; }
    QPushButton* stopButton() const { return m_stop; }
    QComboBox* over() const { return m_over; }
    QLineEdit* length() const { return m_length; }
    /// The whole sentence, as core says it.
    QString verdict() const { return m_said; }
    /// As it is shown: what to use, and a line for each fact beside it.
    QStringList answerInShort() const;
    ChartView* chart() const { return m_chart; }
    ChartView* places() const { return m_places; }
    ValueTable* comparisons() const { return m_comparisons; }
    ValueTable* heads() const { return m_heads; }
    ValueTable* tried() const { return m_tried; }
    TakeAway* takeAway() const { return m_takeAway; }

signals:
    void refused(const QString& why);  ///< empty: what was refused last is right

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildFindings();
    QStackedWidget* afterTheSearch(QWidget* content);
    void show();
    void showQuestion();
    void showAnswer();
    void showVerdict(const TuneReport* report);
    /// False where what is typed is no length.
    bool takeLength();
    void begin();
    QString question() const;
    QString cost() const;

    Document& m_document;
    ModelRunner& m_runner;
    ScaleFinder& m_finder;
    QWidget* m_line;
    QPushButton *m_find, *m_stop;
    QComboBox *m_over, *m_against;
    QLineEdit* m_length;
    QProgressBar* m_bar;
    ElidedLabel* m_stage;
    QString m_said;
    QLabel* m_verdict;  ///< what to use, and what it gains
    QToolButton* m_copyAnswer;
    QLabel* m_facts;  ///< what it costs elsewhere, and what else was tried
    QStackedWidget* m_middle;
    std::vector<QStackedWidget*> m_atTheEnd;
    QLabel* m_question;
    ChartView *m_chart, *m_places;
    QTabWidget* m_tabs;
    ValueTable *m_comparisons, *m_heads, *m_tried;
    TakeAway* m_takeAway;
};

}  // namespace attnscope
