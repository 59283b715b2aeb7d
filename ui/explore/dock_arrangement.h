#pragma once
// The docks around the maps of Explore: where each stands, how wide and how high it is, and what a lesson, the stage, a
// low window and a file that comes or goes do to that. Of an arrangement that no hand has changed all of it is a
// function of the window's size.

#include <QList>
#include <QObject>
#include <QSize>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace attnscope {

class DockShares;
class HeatmapPanel;
class LearnView;

class DockArrangement : public QObject {
    Q_OBJECT
public:
    /// Those of this page, which stand around these maps.
    DockArrangement(QMainWindow* page, const HeatmapPanel& maps, const LearnView& lesson);

    /// `caption`: beside its title.
    void add(const QString& name, const QString& title, QWidget* content, bool scrolls = false,
             QWidget* caption = nullptr);
    void setTitle(const QString& name, const QString& title);
    /// In the order of the View menu.
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    /// By its name; null: there is none.
    QDockWidget* named(const QString& name) const;

    /// Open, in front and with the keyboard.
    void show(const QString& name);
    /// The heads of a file that has just been opened; `several`: it has some of other layers too.
    void showHeads(bool several);
    /// As the program comes; `ofFile`: with the heads of one.
    void reset(bool ofFile);
    /// The page has another size.
    void followSize();
    /// Maps first: where they would be small the charts are narrower, as long as nobody has said how wide they are to
    /// be. They stay so when there are fewer maps again, until the page has another size or is laid out anew. While a
    /// pin is shown nothing moves, however many methods it has.
    void giveMapsRoom();
    /// Compare has more rows, or fewer: it is as high as they are, as long as nobody has said how high it is to be.
    void giveNumbersRoom();

    /// What a step asks its reader to use: "scenario: Seed", a panel and a control of it. It stands in sight above the
    /// text, where both would be tabs; no control, as before.
    void showControls(const QStringList& controls);
    /// What was here before its text had the room comes back.
    void endLesson();
    /// Laid out for the stage, until it is off again.
    void setOnStage(bool on);
    bool isOnStage() const { return m_offStage.has_value(); }
    bool isByHand() const { return m_laidOutByHand; }
    /// The file of tensors that is looked at: its panels that were open are open again.
    void bringBack(const std::string& file);
    /// Panels that speak of what is not looked at any more.
    void putAway(const QStringList& names);

    /// Where the docks are; that of another version of the program leaves them where they are.
    /// On stage that of before and after.
    QByteArray state() const;
    void restore(const QByteArray& state);

private:
    bool isInFront(const QDockWidget* dock) const;
    bool isArrangedTall() const;
    bool isWindowTall() const;
    bool isLessonRead() const;
    std::vector<QDockWidget*> charts() const;
    void layOut(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation along);
    void giveRoom(QDockWidget* raised);
    int widthOfTabs() const;
    int widthOfNumbers() const;
    int heightOfNumbers() const;
    void mapsRoomLater();
    void place(const std::vector<QDockWidget*>& shown);
    void sizeByDefault();
    void followHeight();
    void layOutWithLesson();
    void layOutWithoutLesson();
    void standAlone(QDockWidget* control);

    QMainWindow* m_page;
    const HeatmapPanel& m_maps;
    const LearnView& m_lesson;
    DockShares* m_shares;
    std::vector<QDockWidget*> m_docks;
    bool m_laidOutByHand = false, m_hasSize = false;
    std::optional<QByteArray> m_offStage;  ///< the layout that comes back, while it is laid out for the stage
    bool m_isBehindLesson = false;         ///< the scenario, in a tab
    QList<int> m_beforeLesson;             ///< the heights of the scenario and the methods, while its text stands there
    std::optional<std::pair<QSize, int>> m_chartsBefore;  ///< before a lesson: of the page, and how wide charts were
    QDockWidget* m_above = nullptr;                       ///< the text of the lesson, since a step asks for it
    QList<QDockWidget*> m_inFront;                        ///< before a lesson, which brings others to the front
    std::string m_file;                                   ///< the last one of tensors that was looked at
    /// By the file: its panels that were open, and those in front, while it is not looked at.
    std::map<std::string, std::vector<std::pair<QDockWidget*, bool>>> m_openWith;
};

}  // namespace attnscope
