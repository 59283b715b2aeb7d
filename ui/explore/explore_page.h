#pragma once
// The Explore workspace: the maps in the middle, and docks around them with the scenario, the methods and what is
// measured.

#include "ui/explore/dock_arrangement.h"
#include "ui/widgets/message_bar.h"

#include <QImage>
#include <QMainWindow>
#include <QPixmap>

#include <string>
#include <vector>

class QDockWidget;

namespace attnscope {

class Analyser;
class AnswerLine;
class DispersionView;
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
struct NumberScale;
struct Workbench;

class ExplorePage : public QMainWindow {
    Q_OBJECT
public:
    explicit ExplorePage(Workbench& bench);

    /// In the order of the View menu.
    const std::vector<QDockWidget*>& docks() const { return m_arrangement->docks(); }
    DockArrangement& arrangement() const { return *m_arrangement; }
    /// By its name; null: there is none.
    QDockWidget* dock(const QString& name) const { return m_arrangement->named(name); }
    /// Open, in front and with the keyboard; the workspace is shown.
    void showDock(const QString& name);
    /// The heads of a file that has just been opened; `several`: it has some of other layers too.
    void showHeads(bool several);
    void resetLayout();
    /// Laid out for the stage, until it is off again.
    void setOnStage(bool on);

    /// What a figure of this page shows: "heatmaps", and the docks that are open of the charts and "heads".
    std::vector<std::string> shownViews() const;
    /// The maps with their tools, as they stand on the screen.
    QPixmap picture() const { return centralWidget()->grab(); }
    /// One of exploreViews(), without what is pressed.
    QImage viewPicture(const QString& view) const;
    /// Of the length n: what the file has, or there is memory for.
    const NumberScale& lengthScale() const;

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

    /// The same in every state: what is shown moves together in a page that is small. Docks that a hand has arranged
    /// have the room that they need.
    QSize minimumSizeHint() const override;

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
    void followFile();
    void followHeads();
    void keepContentsWhole();

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
    DockArrangement* m_arrangement = nullptr;
};

}  // namespace attnscope
