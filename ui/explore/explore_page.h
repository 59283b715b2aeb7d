#pragma once
// The Explore workspace: the maps in the middle, and docks around them with the scenario, the methods and what is
// measured.

#include "ui/widgets/message_bar.h"

#include <QImage>
#include <QMainWindow>
#include <QPixmap>
#include <QStringList>

#include <climits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QDockWidget;
class QLabel;

namespace attnscope {

class Analyser;
class AnswerLine;
class DispersionView;
class DockShares;
class Document;
class EntropyView;
class FileHeadsView;
class HeadsView;
class HeatmapPanel;
class LearnView;
class LengthChart;
class LengthScrubber;
class MethodsPanel;
class PinStrip;
class Pins;
class ScenarioPanel;
class StatisticsView;
class TensorsPanel;
struct Workbench;

class ExplorePage : public QMainWindow {
    Q_OBJECT
public:
    explicit ExplorePage(Workbench& bench);

    /// In the order of the View menu.
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    /// By its name; null: there is none.
    QDockWidget* dock(const QString& name) const;
    /// Open, in front and with the keyboard; the workspace is shown.
    void showDock(const QString& name);
    /// The heads of a file that has just been opened; `several`: it has some of other layers too.
    void showHeads(bool several);
    void resetLayout();
    /// Laid out for the stage, until it is off again.
    void setOnStage(bool on);
    /// Where the docks are; that of another version of the program leaves them where they are.
    /// On stage that of before and after.
    QByteArray layoutState() const;
    void restoreLayout(const QByteArray& state);

    /// What a figure of this page shows: "heatmaps", and the docks that are open of the charts and "heads".
    std::vector<std::string> shownViews() const;
    /// The maps with their tools, as they stand on the screen.
    QPixmap picture() const { return centralWidget()->grab(); }
    /// One of exploreViews(), without what is pressed.
    QImage viewPicture(const QString& view) const;

    /// Those that speak of a file of tensors, where none is looked at any more; they come back with it.
    void closeFilePanels();

    HeatmapPanel& heatmaps() { return *m_heatmaps; }
    PinStrip& pinStrip() { return *m_pinStrip; }
    /// In the order of exploreCharts().
    const std::vector<LengthChart*>& charts() const { return m_charts; }
    EntropyView& entropy() const;
    DispersionView& dispersion() const;
    StatisticsView& statistics() { return *m_statistics; }
    HeadsView& heads() { return *m_heads; }
    FileHeadsView& fileHeads() { return *m_fileHeads; }
    TensorsPanel& tensors() { return *m_tensors; }
    MethodsPanel& methods() { return *m_methods; }
    ScenarioPanel& scenario() { return *m_scenario; }
    LearnView& learn() { return *m_learn; }
    LengthScrubber& scrubber() { return *m_scrubber; }
    AnswerLine& answer() { return *m_answer; }

signals:
    void exampleAsked(const QString& id);     ///< a model whose heads come with the program
    void fileAsked();                         ///< some file of tensors
    void sourceAsked(const QString& method);  ///< where it comes from
    void lessonsAsked();                      ///< the list of them
    void saveAsked(const QString& view);      ///< a chart of shownViews(), to a file
    void said(const QString& message, attnscope::MessageBar::Kind kind);

protected:
    /// A low window gives its maps the room of the sentence above them.
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    /// Tabs of docks stay where they are: Qt loses itself where docks change while one is held.
    void childEvent(QChildEvent* event) override;

private:
    void buildMaps(Workbench& bench);
    void buildScrubber(Workbench& bench);
    void buildDocks(Workbench& bench);
    void followLessons();
    void layOutWithLesson();
    void layOutWithoutLesson();
    void followFile();
    void followHeads();
    void putAway(const QStringList& names);
    bool isInFront(const QDockWidget* dock) const;
    /// `caption`: beside its title.
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, bool scrolls = false,
                         QLabel* caption = nullptr);
    void layOut(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation along);
    void keepContentsWhole();
    void giveRoom(QDockWidget* raised);
    void giveMapsRoom();
    void place(const std::vector<QDockWidget*>& shown);
    void followHeight();
    bool isArrangedTall() const;
    void sizeByDefault();

    Document& m_document;
    Analyser& m_analyser;
    HeatmapPanel* m_heatmaps = nullptr;
    PinStrip* m_pinStrip = nullptr;
    std::vector<LengthChart*> m_charts;
    StatisticsView* m_statistics = nullptr;
    HeadsView* m_heads = nullptr;
    FileHeadsView* m_fileHeads = nullptr;
    TensorsPanel* m_tensors = nullptr;
    MethodsPanel* m_methods = nullptr;
    ScenarioPanel* m_scenario = nullptr;
    LearnView* m_learn = nullptr;
    LengthScrubber* m_scrubber = nullptr;
    AnswerLine* m_answer = nullptr;
    DockShares* m_shares = nullptr;
    std::optional<QByteArray> m_offStage;  ///< the layout that comes back, while it is laid out for the stage
    bool m_laidOutByHand = false;
    int m_widestCharts = INT_MAX;   ///< pixels, since the page had its size: they don't jump with every method
    bool m_isBehindLesson = false;  ///< the scenario, in a tab
    QList<int> m_beforeLesson;      ///< the heights of the scenario and the methods, while its text stands there
    QList<QDockWidget*> m_inFront;  ///< before a lesson, which brings others to the front
    std::string m_file;             ///< the last one of tensors that was looked at
    /// By the file: its panels that were open, and those in front, while it is not looked at.
    std::map<std::string, std::vector<std::pair<QDockWidget*, bool>>> m_openWith;
    std::vector<QDockWidget*> m_docks;
};

}  // namespace attnscope
