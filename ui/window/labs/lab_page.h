#pragma once
// The labs: choose one and its parameters, start it, watch it, pause, cancel, resume; runs are kept until they are removed,
// compared by ticking several, opened in the other views (a learned scale as a method, a trained head as tensors), and
// saved as figures. Nothing here blocks: training is LabRunner's thread, figures are a job.

#include "ui/job/latest_job.h"
#include "ui/window/labs/lab_runner.h"
#include "ui/window/labs/lab_shelf.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace attnscope {

class ChoiceControl;
class Document;
class LabCanvas;
class MessageBar;

class LabPage : public QWidget {
    Q_OBJECT
public:
    /// Runs are kept under `root`.
    LabPage(Document& document, MessageBar& messages, const QString& root, QWidget* parent = nullptr);

    void setChoice(const Choice& choice);
    void start();
    void cancel() { m_runner.cancel(); }
    void resumeSelected();
    void removeSelected();
    LabRunner& runner() { return m_runner; }
    LabCanvas& canvas() { return *m_canvas; }
    QTreeWidget& list() { return *m_list; }
    QComboBox& presets() { return *m_presets; }
    /// Puts a result into the document. False where the run has none with that number.
    bool open(const ShelvedRun& run, std::size_t file);
    const ShelvedRun* selected() const;

signals:
    void opened();   ///< a result is in the document now

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildControls();
    void buildRunList(QVBoxLayout* layout);
    void begin(const LabRun& run);
    void refreshList(const QString& tick = {});
    void refreshState();
    void refreshCanvas();
    void listPresets(const Lab& lab);
    void fillOpenMenu();
    void ended(const QString& problem);
    void saveFigure();
    void saveCopy();
    bool isRunning(const ShelvedRun& run) const;
    std::vector<const ShelvedRun*> ticked() const;

    Document& m_document;
    MessageBar& m_messages;
    LabShelf m_shelf;
    LabRunner m_runner;
    std::vector<ShelvedRun> m_runs;   ///< the newest first
    bool m_listed = false;
    std::string m_shown;              ///< the lab whose presets are listed
    ChoiceControl* m_lab;
    QComboBox* m_presets;
    QPushButton *m_start, *m_pause, *m_cancel;
    QProgressBar* m_bar;
    QLabel *m_stage, *m_left;
    QTreeWidget* m_list;
    QToolButton *m_resume, *m_open, *m_more;
    QMenu *m_openMenu, *m_moreMenu;
    LabCanvas* m_canvas;
    LatestJob<Result<QString>> m_figure;
};

}  // namespace attnscope
