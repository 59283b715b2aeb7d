#pragma once
// Puts the parts together: the workspaces, of which Explore is a window of docks in the window, the message bar above them and the
// status line. What the menus do is in window_actions.h, what the parts do in controls/, views/, labs/ and model/.

#include "ui/window/analyser.h"
#include "ui/window/document.h"
#include "ui/window/file_offers.h"
#include "ui/window/pins.h"
#include "ui/window/pointer.h"
#include "ui/window/session_file.h"
#include "ui/window/presentation.h"
#include "ui/window/theme.h"

#include <QMainWindow>
#include <QPixmap>
#include <QPointer>
#include <QSet>
#include <QVariantMap>

#include <functional>
#include <utility>

class QDockWidget;
class QMessageBox;
class QStackedWidget;
class QTabWidget;

namespace attnscope {

class DispersionView;
class ElidedLabel;
class EntropyView;
class ExportPanel;
class FileHeadsView;
class GalleryBrowser;
class HeadsView;
class HeatmapPanel;
class LabPage;
class LearnView;
class ManualView;
class MessageBar;
class MethodsPanel;
class ModelPage;
class PinStrip;
class ProgressLine;
class ReferenceView;
struct Recipe;
class ScenarioPanel;
class StatisticsView;
class TensorsPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Scenario scenario, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Tensors (.safetensors, .npy, .npz), a session (.attnscope), or the folder of a model or a sweep; what is wrong with them is said in the message bar.
    void openFile(const QString& path);
    /// The tensors that the scenario looks at are here now.
    void relocateTensors(const QString& path);
    Session session() const;
    /// With the file that it goes on being in.
    Session stateToKeep() const;
    /// As the last window was: no step of undo.
    void resume(const Session& kept);
    /// A step of undo; `path`: the session's file, if it has one.
    void restore(const Session& session, const QString& path = {});
    void newSession();
    /// Into its file, which is asked for where there is none.
    void saveSession();
    void saveSessionAs();
    /// By its id (workspaces.h).
    void setWorkspace(const QString& id);
    QString workspace() const { return QString::fromStdString(m_document.look().workspace); }
    /// A part by its name, in the workspace where it is: a dock of Explore, or labs, gallery, export, learn, manual, reference, model.
    void showDock(const QString& name);
    /// Its workspace is shown, and a dock of it is open.
    bool isPartShown(const QString& name) const;
    /// Through the parts of the workspace, and round; by: 1 or -1.
    void focusNextPart(int by);
    /// On the view that the pointer or the keyboard was on last.
    void writeNote();
    /// A note whose field is open is kept: the session is saved, or left.
    void finishNote();
    void chooseFile();
    /// Of a model that comes with the program.
    void openShippedHeads(const QString& id);
    /// A model's folder, for the Model workspace.
    void chooseModel();
    /// A folder, or the id of a model that comes with the program, in the Model workspace.
    void openModel(const QString& folder);
    /// A head of a model, kept in a file of tensors, in Explore.
    void lookAtHead(const QString& path, int layer, int head);
    /// Sets the window to the scenario of a figure and shows the view of it.
    void openFigure(const Recipe& recipe);
    void resetLayout();
    void setTheme(ThemeChoice choice);
    /// The docks of Explore, as QMainWindow::saveState() has it.
    QByteArray exploreState() const;
    void restoreExplore(const QByteArray& state);
    /// Of each workspace with panes: their sizes, by its id.
    QVariantMap paneSizes() const;
    void restorePanes(const QVariantMap& sizes);
    /// What is shown, without what stands around it.
    QPixmap picture() const;
    /// Of Explore: "maps", "entropy", "dispersion", or "all" of these.
    QImage viewPicture(const QString& view) const;

    Document& document() { return m_document; }
    Analyser& analyser() { return m_analyser; }
    Pointer& pointer() { return m_pointer; }
    Pins& pins() { return m_pins; }
    Presentation& presentation() { return m_presentation; }
    /// Its docks around the maps.
    QMainWindow& explore() { return *m_explore; }
    PinStrip& pinStrip() { return *m_pinStrip; }
    MessageBar& messages() { return *m_messages; }
    HeatmapPanel& heatmaps() { return *m_heatmaps; }
    EntropyView& entropy() { return *m_entropy; }
    DispersionView& dispersion() { return *m_dispersion; }
    StatisticsView& statistics() { return *m_statistics; }
    HeadsView& heads() { return *m_heads; }
    FileHeadsView& fileHeads() { return *m_fileHeads; }
    TensorsPanel& tensors() { return *m_tensors; }
    FileOffers& offers() { return m_offers; }
    MethodsPanel& methods() { return *m_methods; }
    LearnView& learn() { return *m_learn; }
    ProgressLine& progress() { return *m_progress; }
    /// Parts of other workspaces than Explore, which are made when they are first asked for.
    ModelPage& model();
    LabPage& labs();
    GalleryBrowser& gallery();
    ExportPanel& exportPanel();
    ManualView& manual();
    QString facts() const;
    ScenarioPanel& scenarioPanel() { return *m_scenario; }
    /// Of Explore.
    const std::vector<QDockWidget*>& docks() const { return m_docks; }

    void play() { emit playAsked(); }

signals:
    void workspaceShown(const QString& id);
    void fileOpened(const QString& path);
    void playAsked();
    void closing();  ///< while everything is still on the screen

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void giveRoom(QDockWidget* raised);
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, bool scrolls = false);
    void buildExplore();
    void buildDocks();
    void buildPages();
    /// Of a workspace, by its id; made when it is first asked for.
    QWidget* page(const QString& workspace);
    /// What is in it, by the member that holds it once the page is made.
    template <class Content>
    Content& made(const QString& workspace, Content* const& content);
    QWidget* makeModel();
    QWidget* makeLabs();
    QWidget* makeFigures();
    int galleryWidth() const;
    QWidget* makeLearn();
    void showWorkspace();
    bool takesKey(const QKeyEvent& key);
    void showSource(const QString& method);
    std::vector<QWidget*> parts() const;
    bool openFolder(const QString& path);
    void buildStatusLine();
    void showAnalysis(const AnalysisPtr& analysis);
    void showFacts(bool cancelled);
    QDockWidget* dock(const QString& name) const;
    std::vector<std::string> shownViews() const;
    void lookAt(const OfferedFilePtr& file);
    void takeLocated(const OfferedFilePtr& file);
    bool isSaving() const;
    void closeWhenSaved();
    void showSession(const Session& session);
    void showTitle();
    void openSession(const QString& path);
    bool saveSessionTo(const QString& path);
    void whenSaved(std::function<void()> then);

    Document m_document;
    Pointer m_pointer;
    Analyser m_analyser;
    Pins m_pins;
    FileOffers m_offers;
    Presentation m_presentation{*this};
    bool m_closesWhenSaved = false;
    QPointer<QMessageBox> m_asking;  ///< what is to become of changes
    QString m_openedNotice;  ///< what was said of the file that is looked at
    Scenario m_openedAs;     ///< and of this
    bool m_analysisFailed = false;  ///< the last one, and the message bar says why
    MessageBar* m_messages = nullptr;
    HeatmapPanel* m_heatmaps = nullptr;
    PinStrip* m_pinStrip = nullptr;
    EntropyView* m_entropy = nullptr;
    DispersionView* m_dispersion = nullptr;
    StatisticsView* m_statistics = nullptr;
    HeadsView* m_heads = nullptr;
    FileHeadsView* m_fileHeads = nullptr;
    TensorsPanel* m_tensors = nullptr;
    MethodsPanel* m_methods = nullptr;
    ScenarioPanel* m_scenario = nullptr;
    LearnView* m_learn = nullptr;
    std::vector<QDockWidget*> m_docks;
    QMainWindow* m_explore = nullptr;     ///< in the window's centre, with the docks
    QStackedWidget* m_pages = nullptr;    ///< in the order of workspaces()
    QSet<QString> m_made;                 ///< workspaces whose pages are; parts of others are null
    QVariantMap m_paneSizes;              ///< as they were restored
    ModelPage* m_model = nullptr;
    LabPage* m_labs = nullptr;
    GalleryBrowser* m_gallery = nullptr;
    ExportPanel* m_export = nullptr;
    ManualView* m_manual = nullptr;
    ReferenceView* m_reference = nullptr;
    QTabWidget* m_reading = nullptr;      ///< the manual and the reference
    QString m_shownWorkspace;
    std::pair<int, int> m_askedHead{-1, -1};  ///< layer and head of the file that is being opened
    ElidedLabel* m_facts = nullptr;
    ElidedLabel* m_notes = nullptr;
    ProgressLine* m_progress = nullptr;
};

}  // namespace attnscope
