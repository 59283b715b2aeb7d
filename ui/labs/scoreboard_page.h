#pragma once
// The scoreboard in the Labs workspace: every scale method on every task at a length, from the runs that come with the
// program and the finished ones of this window; beside it quality over the change of entropy. What is pointed at is
// said in words, and a click leads to the run behind it. Reading and counting are a thread's of their own.

#include "core/document/recipe.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/scoreboard_table.h"
#include "ui/job/latest_job.h"
#include "ui/workbench/run_store.h"

#include <QWidget>

#include <memory>
#include <set>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QTreeWidget;

namespace attnscope {

class BoardView;
class ChartView;
class WrappedLabel;

class ScoreboardPage : public QWidget {
    Q_OBJECT
public:
    /// Runs of the user's own are kept.
    explicit ScoreboardPage(RunStore store, QWidget* parent = nullptr);

    /// What stands at the left; made with the page, and to be put somewhere.
    QWidget* controls() const { return m_side; }
    /// Reads the runs again: at once where the page is visible, else when it is.
    void refresh();
    /// The run is gone, and nothing that takes its place is ticked by that.
    void forget(const QString& folder);
    bool isSettled() const { return m_settled; }
    const Scoreboard* board() const { return m_made ? &m_made->board : nullptr; }
    QToolButton& how() { return *m_how; }
    /// What colours and dots are, or how all of it is computed.
    QLabel& counts() { return *m_counts; }
    BoardView& table() { return *m_table; }
    ChartView& chart() { return *m_chart; }
    QComboBox& lengths() { return *m_lengths; }
    QComboBox& against() { return *m_against; }
    QTreeWidget& runList() { return *m_runList; }
    /// What is said of the cell that is pointed at, and the command of its first run.
    QString said() const;
    QString command() const;
    QPushButton& copyButton() { return *m_copy; }
    QPushButton& openButton() { return *m_open; }
    /// Of the ticked runs: "scoreboard" or "scoreboard_entropy".
    Recipe figure(const std::string& name) const;

signals:
    void runAsked(const QString& folder);                        ///< a run of the user's
    void labAsked(const attnscope::Choice& choice, bool shown);  ///< its settings; shown: and the lab itself
    void figureAsked(const attnscope::Recipe& recipe);
    void settled();
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Made {
        std::vector<BoardRun> runs;     ///< all that are known
        std::vector<std::size_t> used;  ///< of those, what the board is made of
        Scoreboard board;
        Scoreboard against;  ///< the same over another method; no cells: over none
        std::vector<EntropyRelation> relations;
        std::string error;
    };
    void buildSide();
    void sayHow();
    void buildReading(QWidget* into);
    void startJob(bool readAgain);
    void take(std::shared_ptr<const Made> made);
    void listRuns();
    void listLengths();
    void listMethods();
    void showBoard();
    std::string bestOf(const BoardTable::Place& place) const;
    void showChart();
    void showCell();
    void chooseCell();
    void openRun(bool shown);
    std::vector<double> shownRatios() const;
    const BoardCell* cell() const;
    const BoardRun* runBehind() const;

    RunStore m_store;
    bool m_stale = true, m_settled = false, m_readsAgain = false;
    std::set<std::string> m_ticked;  ///< origins; a run of the user's own counts once it is ticked
    std::shared_ptr<const Made> m_made;
    std::string m_chartTask;  ///< what the chart shows
    std::vector<double> m_chartRatios;
    std::vector<std::vector<std::size_t>> m_chartCells;
    QWidget* m_side;
    QComboBox *m_lengths, *m_against;
    QTreeWidget* m_runList;
    QLabel* m_counts;
    QToolButton* m_how;
    BoardView* m_table;
    ChartView* m_chart;
    QScrollArea* m_reading;
    QLabel *m_title, *m_task, *m_found, *m_relation;
    WrappedLabel* m_command;
    QPushButton *m_copy, *m_open;
    LatestJob<std::shared_ptr<const Made>> m_job;
};

}  // namespace attnscope
