#pragma once
// Puts the parts together: the workspaces as pages, the message bar above them and the status line. What the menus do
// is in window_actions.h; what is kept, in window_session.h; how files of tensors are opened, in tensor_opener.h.

#include "core/document/recipe.h"
#include "ui/explore/explore_page.h"
#include "ui/window/presentation.h"
#include "ui/window/tensor_opener.h"
#include "ui/widgets/theme.h"
#include "ui/window/window_session.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>
#include <QPixmap>
#include <QTimer>
#include <QVariantMap>

class QStackedWidget;

namespace attnscope {

struct FoundFile;
class ElidedLabel;
class ExportPanel;
class FileFollower;
class FileOpener;
class GalleryBrowser;
class LabPage;
class ManualView;
class MessageBar;
class ModelPage;
class ProgressLine;
class ReferenceView;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `bench` outlives the window.
    explicit MainWindow(Workbench& bench, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Tensors (.safetensors, .npy, .npz), a session (.attnscope), a figure that the program wrote (.pdf, .svg, .png),
    /// or the folder of a model or a sweep; what is wrong with them is said in the message bar.
    void openFile(const QString& path);
    void chooseFile();
    /// Of a model that comes with the program.
    void openShippedHeads(const QString& id);
    /// A .gguf file, a folder, or the id of a model that comes with the program, in the Model workspace.
    /// Looked at beside the window: what is open stays until it is known to be readable, which `opened` hears of; where
    /// it is not, the message bar says why.
    void openModel(const QString& folder, const std::function<void()>& opened = {});
    void chooseModelFolder();
    void chooseModelFile();
    /// Sets the window to the scenario of a figure and shows the view of it.
    void openFigure(const Recipe& recipe);
    /// By its id (workspaces.h).
    void setWorkspace(const QString& id);
    QString workspace() const { return QString::fromStdString(document().look().workspace); }
    /// A part by its name, in the workspace where it is: a dock of Explore, or labs, gallery, export, manual,
    /// reference, model.
    void showDock(const QString& name);
    /// A figure of what the workspace shows.
    void exportFigure();
    /// Where a method comes from.
    void showSource(const QString& method);
    /// Its workspace is shown, and a dock of it is open.
    bool isPartShown(const QString& name) const;
    /// Through the parts of the workspace, and round; by: 1 or -1.
    void focusNextPart(int by);
    /// On the view under the pointer, or the one that the pointer or the keyboard was on last.
    void writeNote();
    void resetLayout();
    void setTheme(ThemeChoice choice);
    /// The desktop is dark now, or light: so is the window, unless somebody chose otherwise.
    void followDesktop(bool dark);
    /// Of each workspace with panes: their sizes, by its id.
    QVariantMap paneSizes() const;
    void restorePanes(const QVariantMap& sizes);
    /// What is shown, without what stands around it.
    QPixmap picture() const;
    /// The title has the file of a figure that is in front, else that of the session.
    void nameWhatIsInFront();
    /// What was computed, as the status line says it.
    QString facts() const;

    Workbench& bench() { return m_bench; }
    Document& document() const { return m_bench.document; }
    Analyser& analyser() { return m_bench.analyser; }
    Pointer& pointer() { return m_bench.pointer; }
    Pins& pins() { return m_bench.pins; }
    FileOffers& offers() { return m_bench.offers; }
    Presentation& presentation() { return m_presentation; }
    WindowSession& session() { return m_session; }
    TensorOpener& tensors() { return m_tensors; }
    FileOpener& opener() { return m_opener; }
    FileFollower& follower() { return m_follower; }
    MessageBar& messages() { return m_messages; }
    ProgressLine& progress() { return *m_progress; }
    ExplorePage& explore() { return m_explore; }
    /// Of a workspace, by its id; made when it is first asked for.
    WorkspacePage& page(const QString& workspace);
    /// Parts of other workspaces, which are made when they are first asked for.
    ModelPage& model();
    LabPage& labs();
    GalleryBrowser& gallery();
    ExportPanel& exportPanel();
    ManualView& manual();
    ReferenceView& reference();

    void play() { emit playAsked(); }
    /// What the next start would bring back cannot be written: a window that is about to close stays.
    void sayNotKept(const QString& why);

signals:
    void workspaceShown(const QString& id);
    void fileOpened(const QString& path);
    void playAsked();
    void staysOpen();  ///< after closing(): "Keep it open" was pressed, or something cannot be saved
    void closing();    ///< while everything is still on the screen: what is to be kept is asked for now; may come again

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void buildPages();
    /// By its name, made with its page; null: it is a dock of Explore.
    QWidget* part(const QString& name);
    void showWorkspace();
    void giveFoot(int covered);
    bool takesKey(const QKeyEvent& key);
    void leave(QWidget& field);
    std::vector<QWidget*> parts() const;
    void openFound(const FoundFile& found);
    void openExported(const Recipe& recipe, const QString& path);
    void buildStatusLine();
    void showAnalysis(const AnalysisPtr& analysis);
    void showFacts(bool cancelled);
    void sayFailure();
    bool isWorking() const;
    void sayWhyItIsOpen();
    void closeWhenSaved();

    Workbench& m_bench;
    Document& m_document;
    Presentation m_presentation{*this};
    QTimer m_letGo;  ///< of the pin that is held: a key that repeats is let go and pressed again, at once
    MessageBar& m_messages;
    ExplorePage& m_explore;
    WindowSession& m_session;
    TensorOpener& m_tensors;
    FileOpener& m_opener;
    FileFollower& m_follower;
    bool m_closesWhenSaved = false, m_closesAnyway = false;
    bool m_analysisFailed = false;      ///< the last one
    bool m_failureStands = false;       ///< and the message bar says why in Explore, until that is closed
    QString m_failure, m_saidFailure;   ///< why, and as the message bar says it
    AnalysisPtr m_answerBefore;         ///< the last answer before that
    QStackedWidget* m_pages = nullptr;  ///< in the order of workspaces()
    std::vector<WorkspacePage> m_made;  ///< likewise; null: not yet
    QVariantMap m_paneSizes;            ///< as they were restored
    QString m_shownWorkspace;
    QWidget* m_computed = nullptr;  ///< what the status line says, of Explore
    ElidedLabel* m_facts = nullptr;
    ElidedLabel* m_notes = nullptr;
    ProgressLine* m_progress = nullptr;
};

}  // namespace attnscope
