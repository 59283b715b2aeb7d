#pragma once
// The labs: choose one and its parameters, start it, watch it, pause, cancel, resume; runs are kept until they are
// removed, compared by ticking several, opened in the other views (a learned scale as a method, a trained head as
// tensors), and saved as figures. Nothing here blocks: training is LabRunner's thread; figures, copies and removals
// wait in a queue. The lab that is chosen and the page that is shown are the document's, so that sessions keep them.

#include "ui/job/latest_job.h"
#include "ui/workbench/lab_runner.h"
#include "ui/workbench/run_store.h"

#include <QWidget>

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QLayout;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace attnscope {

class ChoiceControl;
class Document;
class LabCanvas;
class LabSections;
class MessageBar;
class ScoreboardPage;
class SweepPage;
class SaveQueue;
class ToursPage;
struct Recipe;
struct Workbench;

class LabPage : public QWidget {
    Q_OBJECT
public:
    /// Runs are kept under `root`.
    LabPage(Workbench& bench, MessageBar& messages, const QString& root, QWidget* parent = nullptr);

    /// Of the document too.
    void setChoice(const Choice& choice);
    const Choice& choice() const;
    void start();
    void cancel() { m_runner.cancel(); }
    void resumeSelected();
    void removeSelected();
    LabRunner& runner() { return m_runner; }
    LabCanvas& canvas() { return *m_canvas; }
    QTreeWidget& list() { return *m_list; }
    LabSections& sections() { return *m_sections; }
    ScoreboardPage& scoreboard() { return *m_board; }
    ToursPage& tours() { return *m_toursPage; }
    void showTours();
    void showScoreboard();
    /// Its controls, with these settings.
    void showLab(const Choice& choice);
    /// A run that is kept, ticked and chosen.
    void openRun(const QString& folder);
    /// A sweep's folder, in a section of its own.
    SweepPage& openSweep(const QString& folder);
    QComboBox& presets() { return *m_presets; }
    /// Puts a result into the document. False where the run has none with that number.
    bool open(const StoredRun& run, std::size_t file);
    const StoredRun* selected() const;
    /// Of the ticked runs, to a file whose ending decides.
    void saveFigureAs(const QString& path);
    void copySelectedTo(const QString& folder);
    /// Of the board, of the tours, or of the runs that are ticked; nothing where there is none.
    std::optional<Recipe> shownFigure() const;

signals:
    void opened();  ///< a result is in the document now
    void figureAsked(const attnscope::Recipe& recipe);

protected:
    void showEvent(QShowEvent* event) override;

private:
    static constexpr int progressSteps = 1000;
    enum ListColumn { TickColumn, NameColumn, ParametersColumn, StateColumn };
    QWidget* buildSections();
    void connectSections();
    void followLook();
    void showChoice(const Choice& choice);
    void listRuns(std::vector<StoredRun> runs);
    QWidget* buildControls();
    QLayout* buildRunList();
    void begin(const LabRun& run);
    QString newestOf(const std::string& lab) const;
    void refreshList(const std::optional<QString>& tick = {});
    void refreshState();
    void refreshCanvas();
    void listPresets(const Lab& lab);
    void fillOpenMenu();
    void ended(const QString& problem);
    void file(const QString& what, std::function<Result<void>()> write, const QString& said);
    void runsChanged();
    void saveFigure();
    Recipe figureOfTicked() const;
    void saveRecipe(const Recipe& recipe, const QString& path);
    void saveCopy();
    void copyTo(const StoredRun& run, const QString& folder);
    bool isRunning(const StoredRun& run) const;
    /// What is known of it now.
    const LabRecord& recordOf(const StoredRun& run) const;
    const StoredRun* runOf(const QTreeWidgetItem* item) const;
    std::vector<const StoredRun*> ticked() const;

    Document& m_document;
    SaveQueue& m_saves;
    MessageBar& m_messages;
    RunStore m_store;
    LabRunner& m_runner;
    std::vector<StoredRun> m_runs;  ///< the newest first
    bool m_listed = false;
    std::string m_shown;  ///< the lab whose presets are listed
    std::string m_page;   ///< the document's
    ChoiceControl* m_lab;
    QComboBox* m_presets;
    QPushButton *m_start, *m_pause, *m_cancel;
    QProgressBar* m_bar;
    QLabel *m_stage, *m_left;
    QTreeWidget* m_list;
    QToolButton *m_resume, *m_open, *m_more;
    QMenu *m_openMenu, *m_moreMenu;
    LabSections* m_sections;
    LabCanvas* m_canvas;
    ScoreboardPage* m_board;
    ToursPage* m_toursPage;
    std::vector<SweepPage*> m_sweeps;
    LatestJob<std::vector<StoredRun>> m_reading;
};

}  // namespace attnscope
