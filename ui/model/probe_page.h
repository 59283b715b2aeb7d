#pragma once
// Probes: what the model finds again that stands far back. The question with its button, the answer in words, below it
// the maps of needles or the curves of repeated tokens, and every number in a table.

#include "ui/workbench/probe_runner.h"
#include "ui/model/probe_tables.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace attnscope {

class ChartView;
class ColourBar;
class ElidedLabel;
class ValueTable;
struct ShortAnswer;

class ProbePage : public QWidget {
    Q_OBJECT
public:
    ProbePage(Document& document, ModelRunner& runner, ProbeRunner& probes, QWidget* parent = nullptr);
    ProbeRunner& probes() const { return m_probes; }
    /// What is asked, and how far it is: they stand above the page, where other pages have theirs.
    QWidget* line() const { return m_line; }
    QWidget* stage() const;
    QPushButton* runButton() const { return m_run; }
    QPushButton* stopButton() const { return m_stop; }
    QPushButton* otherButton() const { return m_other; }
    QComboBox* task() const { return m_task; }
    QComboBox* colouredBy() const { return m_colouredBy; }
    QLineEdit* samples() const { return m_samples; }
    QLineEdit* keys() const { return m_keys; }
    QLineEdit* depths() const { return m_depths; }
    /// The answer, whole; empty while there is none.
    QString verdict() const;
    /// As it stands on the page: what it comes to, and the lines below.
    QStringList answerInShort() const;
    /// What stands in place of the picture; empty: the picture does.
    QString question() const;
    ChartView* recall() const { return m_recall; }
    ChartView* loss() const { return m_loss; }
    NeedleMaps* maps() const { return m_maps; }
    /// Of the task.
    ValueTable* table() const;

signals:
    void refused(const QString& why);    ///< empty: what was refused last is right
    void modelAsked(const QString& id);  ///< one that comes with the program

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildLine();
    QWidget* buildBefore();
    QWidget* buildFindings();
    QWidget* buildCharts();
    QWidget* buildMaps();
    void show();
    void showQuestion();
    void showAnswer();
    void showCharts(const ProbeNews& news);
    void showMaps(const ProbeNews& news);
    void takeNumber(QLineEdit* field, int least, int most, int ProbeLook::*into);
    void takeDepths();
    void edit(const std::function<void(ModelLook&)>& change);
    bool needle() const { return m_document.look().model.probe.task == ProbeTask::Needle; }
    QString asking() const;
    QString cost(const ProbeRequest& request) const;
    void showVerdict(const ProbeNews* news);
    ShortAnswer answerOf(const ProbeNews& news);
    std::vector<ProbePolicy> policies() const;

    Document& m_document;
    ModelRunner& m_runner;
    ProbeRunner& m_probes;
    QWidget* m_line;
    QPushButton *m_run, *m_stop, *m_other;
    QComboBox *m_task, *m_colouredBy;
    QLineEdit *m_samples, *m_keys, *m_depths;
    QWidget* m_needleFields;
    QProgressBar* m_bar;
    ElidedLabel *m_stage, *m_reading;
    QString m_said;
    QLabel *m_verdict, *m_facts, *m_question;
    QStackedWidget *m_middle, *m_pictures, *m_tables;
    ChartView *m_recall, *m_loss;
    NeedleMaps* m_maps;
    ColourBar* m_colours;
    ValueTable *m_repeatTable, *m_needleTable;
};

}  // namespace attnscope
