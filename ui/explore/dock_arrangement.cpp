#include "ui/explore/dock_arrangement.h"

#include "ui/explore/dock_shares.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/statistics_view.h"
#include "ui/explore/tensors_panel.h"
#include "ui/figure/explore_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/value_table.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QScrollArea>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int layoutVersion = 6, byHandVersion = 7;  // other versions are left alone
constexpr int leastMap = 200;                        // pixels of a side that maps have before charts are wide
constexpr int usualAround = 12;                      // pixels above and below a control that is brought in sight
constexpr int controlHigh = 132;                     // its title, and a control of it with the one before
constexpr int headsHigh = 190;
constexpr int tableAround = 8, tableAtRight = 5;  // what its own padding leaves of the title's
constexpr int sampleAir = 3;                      // of a line's sample
const QList usualHeights{3, 2};                   // shares of the scenario and the methods
constexpr int statisticsLeast = 170;              // of Compare below the charts, with its title
constexpr double mostOfStatistics = 0.3;          // of the window, however many rows it has

/// Of the docks at the left and at the right: what two rows of two maps leave, which are as high as the page.
std::pair<int, int> widthsBeside(QSize window)
{
    constexpr int around = 110, least = 268, most = 640;  // around the page, and of the charts
    constexpr int leastMiddle = 700;                      // the maps' tools and reading are whole
    const int left = window.width() < 1400 ? 288 : 322;
    const int maps = std::max(window.height() - around, leastMiddle);
    return {left, std::clamp(window.width() - left - maps, least, most)};
}

}  // namespace

DockArrangement::DockArrangement(QMainWindow* page, const HeatmapPanel& maps, const LearnView& lesson)
    : QObject(page), m_page(page), m_maps(maps), m_lesson(lesson), m_shares(new DockShares(page))
{
    connect(m_shares, &DockShares::dragged, this, [this] {
        m_laidOutByHand = true;
        m_isBehindLesson = false;  // what a hand has arranged stays
        m_beforeLesson.clear();
    });
    connect(&maps, &HeatmapPanel::counted, this, &DockArrangement::giveMapsRoom);
    connect(&maps, &HeatmapPanel::counted, this, &DockArrangement::mapsRoomLater);  // Compare has as many rows then
    connect(page, &QMainWindow::tabifiedDockWidgetActivated, this, &DockArrangement::giveRoom, Qt::QueuedConnection);
}

void DockArrangement::add(const QString& name, const QString& title, QWidget* content, bool scrolls, QWidget* caption)
{
    auto* dock = new QDockWidget(title, m_page);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    dock->setFeatures(QDockWidget::DockWidgetClosable |
                      QDockWidget::DockWidgetMovable);  // nothing floats over the other workspaces
    auto* heading = new QFrame;
    heading->setObjectName(u"dockTitle"_s);
    QToolButton* close = iconButton(u"close"_s, u"Hide %1"_s.arg(title),
                                    name == "learn"_L1 ? u"End the lesson: what was here before it comes back"_s
                                                       : u"Hide %1; the View menu shows it again"_s.arg(title),
                                    12);
    close->setProperty("quiet", true);
    connect(close, &QToolButton::clicked, dock->toggleViewAction(), &QAction::trigger);
    auto* words = new QLabel(title);
    words->setObjectName(u"dockWords"_s);
    inRow(heading, {{words, caption ? 0 : 1}, {caption, 1}, close}, usualSpacing, {14, 4, 8, 4});
    dock->setTitleBarWidget(heading);

    auto* body = new QFrame;
    body->setObjectName(u"dockBody"_s);
    QMargins around(1, 0, 1, 2);
    if (qobject_cast<ValueTable*>(content))  // its first words stand below the title, its last numbers below a caption
        around += QMargins(name == "statistics"_L1 ? tableAround - sampleAir : tableAround, 0, tableAtRight, 0);
    inColumn(body, {scrolls ? scrolled(content) : content}, usualSpacing, around);
    dock->setWidget(body);
    m_docks.push_back(dock);
}

void DockArrangement::setTitle(const QString& name, const QString& title)
{
    QDockWidget* dock = named(name);
    if (dock->windowTitle() == title)
        return;
    dock->setWindowTitle(title);
    dock->setAccessibleName(title);
    dock->titleBarWidget()->findChild<QLabel*>(u"dockWords"_s)->setText(title);
}

QDockWidget* DockArrangement::named(const QString& name) const
{
    const auto found = std::ranges::find(m_docks, name, [](const QDockWidget* dock) { return dock->objectName(); });
    return found == m_docks.end() ? nullptr : *found;
}

/// Two below each other, and those that are tabs behind them.
std::vector<QDockWidget*> DockArrangement::charts() const
{
    std::vector<QDockWidget*> charts;
    for (const ExploreChart& chart : exploreCharts())
        charts.push_back(named(text(chart.id)));
    return charts;
}

bool DockArrangement::isInFront(const QDockWidget* dock) const
{
    // Behind others in tabs it lies beside the page.
    return !dock->isHidden() && dock->geometry().intersects(m_page->rect());
}

bool DockArrangement::isArrangedTall() const { return m_page->tabifiedDockWidgets(named(u"statistics"_s)).isEmpty(); }

bool DockArrangement::isWindowTall() const { return m_page->window()->height() >= lowWindow; }

bool DockArrangement::isLessonRead() const { return m_lesson.lesson() >= 0; }

void DockArrangement::show(const QString& name)
{
    QDockWidget* shown = named(name);
    const bool opens = shown->isHidden(),
               reads = name == "learn"_L1 &&
                       (opens || (m_beforeLesson.isEmpty() && !m_laidOutByHand));  // it may have been shown empty
    if (reads) {
        m_inFront.clear();
        std::ranges::copy_if(m_docks, std::back_inserter(m_inFront), [this](auto* one) { return isInFront(one); });
        m_beforeLesson =
            m_hasSize ? QList{named(u"scenario"_s)->height(), named(u"methods"_s)->height()} : usualHeights;
        if (m_hasSize)
            m_chartsBefore = std::pair(m_page->size(), charts().front()->width());
    }
    shown->show();
    shown->raise();
    giveRoom(shown);
    if (reads)
        layOutWithLesson();
    if (opens && name == "tensors"_L1) {  // as do tables to choose from, as far as their choices go
        constexpr int edges = 4;
        const int rows = shown->findChild<TensorsPanel*>()->heightOfRows() + edges;
        layOut({shown}, {std::min(m_page->window()->height() / 2, shown->titleBarWidget()->sizeHint().height() + rows)},
               Qt::Vertical);
    }
    shown->widget()->setFocus();
}

void DockArrangement::showHeads(bool several)
{
    named(u"all heads"_s)->setVisible(several);
    show(u"heads"_s);
    if (isArrangedTall())
        layOut({named(u"heads"_s)}, {m_page->window()->height() / 4}, Qt::Vertical);
}

void DockArrangement::layOut(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation along)
{
    m_shares->given();
    m_page->resizeDocks(docks, sizes, along);
}

/// A grid of heads and its table take more height than a line or two of numbers.
void DockArrangement::giveRoom(QDockWidget* raised)
{
    const int enough = m_page->window()->height() / 3;
    if (raised == named(u"all heads"_s) && raised->height() < enough)
        layOut({raised}, {enough}, Qt::Vertical);
    if (raised == named(u"statistics"_s))
        giveNumbersRoom();
    giveMapsRoom();
}

void DockArrangement::giveMapsRoom()
{
    QDockWidget* charts = this->charts().front();
    if (m_laidOutByHand || m_shares->isAside() || !charts->isVisible() || !m_maps.isVisible() || m_maps.showsPin())
        return;
    constexpr int step = 2;
    const int least = std::max({238, widthOfTabs(), widthOfNumbers()});
    int wide = std::max(least, widthsBeside(m_page->window()->size()).second);
    const int most = m_maps.smallestWith(charts->width() - least);  // where height is short, no width helps
    const int wanted = std::min(leastMap, most);
    constexpr double worth = 1.05;  // for fewer pixels charts do not give theirs
    if (wanted > worth * m_maps.smallestWith(charts->width() - wide))
        while (wide - step >= least && m_maps.smallestWith(charts->width() - wide) < wanted)
            wide -= step;
    if (wide != charts->width())
        m_page->resizeDocks({charts}, {wide}, Qt::Horizontal);
}

/// Of those below the charts, with their whole titles.
int DockArrangement::widthOfTabs() const
{
    const QString title = charts().back()->windowTitle();
    for (const QTabBar* bar : m_page->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int tab = 0; tab < bar->count() && bar->isVisible(); ++tab)
            if (bar->tabText(tab) == title) {
                constexpr int around = 14;  // of the style, at both sides of a title
                int width = 0;
                for (int one = 0; one < bar->count(); ++one)
                    width += bar->fontMetrics().horizontalAdvance(bar->tabText(one)) + around;
                return width;
            }
    return 0;
}

/// Of Compare, where it stands in front of a chart: whole names, and the numbers that never leave.
int DockArrangement::widthOfNumbers() const
{
    const QDockWidget* statistics = named(u"statistics"_s);
    constexpr int edges = 2 + tableAround - sampleAir + tableAtRight;
    const auto* table = statistics->widget()->findChild<ValueTable*>();
    return isArrangedTall() || !isInFront(statistics) ? 0 : table->widthOfThoseThatStay() + edges;
}

/// Once all are laid out.
void DockArrangement::mapsRoomLater()
{
    QTimer::singleShot(0, this, [this] {
        if (!m_shares->isReturning())
            giveNumbersRoom();
        giveMapsRoom();
    });
}

void DockArrangement::reset(bool ofFile)
{
    m_beforeLesson.clear();
    std::vector<QDockWidget*> shown = charts();
    for (const char* name : {"scenario", "methods", "statistics"})
        shown.push_back(named(QLatin1StringView(name)));
    if (ofFile)
        shown.insert(shown.end(), {named(u"heads"_s), named(u"all heads"_s)});
    place(shown);
    charts()[1]->raise();
    m_laidOutByHand = false;
}

/// Each in its place, and these are shown. Where the window is high, Compare is below the charts and the heads are
/// below the maps; where it is low they are tabs behind a chart, and the height is the maps'.
void DockArrangement::place(const std::vector<QDockWidget*>& shown)
{
    m_shares->forget();
    m_isBehindLesson = false;
    for (QDockWidget* dock : m_docks) {
        m_page->removeDockWidget(dock);
        dock->setFloating(false);
    }
    QDockWidget *scenario = named(u"scenario"_s), *methods = named(u"methods"_s), *statistics = named(u"statistics"_s),
                *heads = named(u"heads"_s), *all = named(u"all heads"_s), *file = named(u"tensors"_s),
                *lesson = named(u"learn"_s);
    const std::vector<QDockWidget*> charts = this->charts();
    m_page->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_page->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_page->addDockWidget(Qt::LeftDockWidgetArea, scenario);
    m_page->splitDockWidget(scenario, methods, Qt::Vertical);
    m_page->tabifyDockWidget(methods, lesson);
    m_page->addDockWidget(Qt::RightDockWidgetArea, charts[0]);
    m_page->splitDockWidget(charts[0], charts[1], Qt::Vertical);
    for (std::size_t more = 2; more < charts.size(); ++more)
        m_page->tabifyDockWidget(charts[more - 1], charts[more]);
    const bool tall = isWindowTall();
    if (tall) {
        m_page->splitDockWidget(charts[1], statistics, Qt::Vertical);
        m_page->addDockWidget(Qt::BottomDockWidgetArea, heads);
    } else {
        m_page->tabifyDockWidget(charts[1], statistics);
        m_page->tabifyDockWidget(statistics, heads);
        m_page->addDockWidget(Qt::BottomDockWidgetArea, file);  // a table to choose from is as wide as it needs
    }
    m_page->tabifyDockWidget(heads, all);
    if (tall)
        m_page->tabifyDockWidget(all, file);
    for (QDockWidget* dock : m_docks)
        dock->setVisible(std::ranges::find(shown, dock) != shown.end());
    sizeByDefault();
    if (!tall && isLessonRead() && !lesson->isHidden())
        layOutWithLesson();
    if (tall)
        layOut({heads}, {headsHigh}, Qt::Vertical);
    mapsRoomLater();
}

/// How wide the columns beside the maps are, and how they are divided.
void DockArrangement::sizeByDefault()
{
    const std::vector<QDockWidget*> charts = this->charts();
    QDockWidget* scenario = named(u"scenario"_s);
    const auto [left, right] = widthsBeside(m_page->window()->size());
    layOut({scenario, charts[0]}, {left, right}, Qt::Horizontal);
    if (named(u"learn"_s)->isHidden())
        layOut({scenario, named(u"methods"_s)}, usualHeights, Qt::Vertical);
    QList<QDockWidget*> column{charts[0], charts[1]};
    QList<int> heights(2, m_page->window()->height() / 3);
    if (isArrangedTall()) {
        column << named(u"statistics"_s);
        const int numbers = heightOfNumbers();
        heights << numbers;
    }
    layOut(column, heights, Qt::Vertical);
}

/// Of Compare with its title, so that all its rows are in sight, as far as that is a fair share of the window.
int DockArrangement::heightOfNumbers() const
{
    const QDockWidget* statistics = named(u"statistics"_s);
    const auto* table = statistics->widget()->findChild<StatisticsView*>();
    const int title = statistics->titleBarWidget()->sizeHint().height(), edges = 4;
    return std::clamp(table->heightOfRows() + title + edges, statisticsLeast,
                      std::max(statisticsLeast, static_cast<int>(mostOfStatistics * m_page->window()->height())));
}

/// It has another number of rows.
void DockArrangement::giveNumbersRoom()
{
    const std::vector<QDockWidget*> charts = this->charts();
    QDockWidget* statistics = named(u"statistics"_s);
    if (m_laidOutByHand || m_shares->isAside() || !isInFront(statistics) || m_maps.showsPin())
        return;
    const bool tall = isArrangedTall();
    QDockWidget* chart = tall ? charts[1] : nullptr;
    const int all = charts[0]->height() + statistics->height() + (chart ? chart->height() : 0),
              wanted = heightOfNumbers();
    constexpr int nothing = 4;  // what rounding makes of a share
    if (tall ? std::abs(wanted - statistics->height()) <= nothing : wanted <= statistics->height())
        return;
    const int rest = all - wanted;
    if (chart)
        layOut({charts[0], chart, statistics}, {rest / 2, rest - rest / 2, wanted}, Qt::Vertical);
    else
        layOut({charts[0], statistics}, {rest, wanted}, Qt::Vertical);
}

void DockArrangement::followSize()
{
    m_hasSize = true;
    if (!m_laidOutByHand && !m_shares->isAside() && !m_docks.empty()) {
        sizeByDefault();
        QTimer::singleShot(0, this, &DockArrangement::followHeight);
    }
    mapsRoomLater();
}

/// A window that became low, or high, is arranged as one that begins so; what was in front stays there.
void DockArrangement::followHeight()
{
    if (m_laidOutByHand || m_shares->isAside() || isWindowTall() == isArrangedTall())
        return;
    std::vector<QDockWidget*> shown, inFront;
    std::ranges::copy_if(m_docks, std::back_inserter(shown), [](auto* dock) { return !dock->isHidden(); });
    std::ranges::copy_if(m_docks, std::back_inserter(inFront), [this](auto* dock) { return isInFront(dock); });
    place(shown);
    charts()[1]->raise();
    std::ranges::reverse(inFront);  // of two that now share a place the first, a chart, is raised last
    for (QDockWidget* dock : inFront)
        dock->raise();
}

void DockArrangement::endLesson()
{
    QDockWidget* text = named(u"learn"_s);
    text->hide();
    layOutWithoutLesson();
    if (const auto before = std::exchange(m_chartsBefore, std::nullopt);
        before && before->first == m_page->size() && !m_laidOutByHand && !m_offStage)
        layOut({charts().front()}, {before->second}, Qt::Horizontal);  // maps of the lesson may have taken some
    for (QDockWidget* before : std::exchange(m_inFront, {}))
        if (before != text && !before->isHidden())
            before->raise();
}

/// A page to read takes more room than a list: in a low window all of the column's, with the scenario in a tab beside
/// the methods, unless somebody has arranged the docks.
void DockArrangement::layOutWithLesson()
{
    QDockWidget *scenario = named(u"scenario"_s), *methods = named(u"methods"_s), *text = named(u"learn"_s);
    if (isWindowTall() || m_laidOutByHand)
        return layOut({scenario, text}, {2, 3}, Qt::Vertical);
    const bool areMethodsShown = !methods->isHidden();
    for (QDockWidget* one : {methods, text})  // else the bar of their own tabs stays, across the scenario
        m_page->removeDockWidget(one);
    m_page->tabifyDockWidget(scenario, methods);
    m_page->tabifyDockWidget(methods, text);
    methods->setVisible(areMethodsShown);
    text->show();
    text->raise();
    m_isBehindLesson = true;
}

void DockArrangement::showControls(const QStringList& controls)
{
    QDockWidget *scenario = named(u"scenario"_s), *methods = named(u"methods"_s), *text = named(u"learn"_s);
    if (m_laidOutByHand || m_offStage || text->isHidden())
        return;
    QDockWidget* wanted = nullptr;
    for (const QString& control : controls)
        if (QDockWidget* one = named(control.section(u':', 0, 0)); one == scenario || one == methods)
            wanted = one;
    const bool covered = wanted && m_page->tabifiedDockWidgets(text).contains(wanted);
    if (wanted && wanted->isHidden())
        wanted->show();
    if (covered)
        standAlone(wanted);
    else if (!wanted && m_above && std::exchange(m_above, nullptr) && !isWindowTall())
        layOutWithLesson();
    for (const QString& control : controls) {
        const QString name = control.section(u':', 1).trimmed();
        QDockWidget* dock = named(control.section(u':', 0, 0));
        auto* area = dock ? dock->findChild<QScrollArea*>() : nullptr;
        if (!area || name.isEmpty())
            continue;
        QTimer::singleShot(0, area, [area, name] {  // once it has its room
            for (QWidget* one : area->widget()->findChildren<QWidget*>())
                if (one->isVisible() && one->accessibleName().startsWith(name))
                    return area->ensureWidgetVisible(one, 0, one->height() + 2 * usualAround);
        });
    }
}

/// Above the text of the lesson, with the other as a tab of that.
void DockArrangement::standAlone(QDockWidget* control)
{
    QDockWidget *scenario = named(u"scenario"_s), *methods = named(u"methods"_s), *text = named(u"learn"_s);
    QDockWidget* other = control == scenario ? methods : scenario;
    const int width = text->width();
    const bool isOtherShown = !other->isHidden();
    for (QDockWidget* one : {scenario, methods, text})
        m_page->removeDockWidget(one);
    m_page->addDockWidget(Qt::LeftDockWidgetArea, control);
    m_page->splitDockWidget(control, text, Qt::Vertical);
    m_page->tabifyDockWidget(text, other);
    control->show();
    other->setVisible(isOtherShown);
    text->show();
    text->raise();
    layOut({control}, {width}, Qt::Horizontal);
    const int high = std::max(withText(controlHigh), isWindowTall() ? 2 * (control->height() + text->height()) / 5 : 0);
    layOut({control, text}, {high, std::max(1, control->height() + text->height() - high)}, Qt::Vertical);
    m_isBehindLesson = true;  // what comes back after it is laid out anew
    m_above = control;
}

/// The scenario has the room again that its text took.
void DockArrangement::layOutWithoutLesson()
{
    if (m_offStage)
        return;
    QDockWidget *scenario = named(u"scenario"_s), *methods = named(u"methods"_s), *text = named(u"learn"_s);
    m_above = nullptr;
    const bool behind = std::exchange(m_isBehindLesson, false) ||
                        (!m_laidOutByHand && m_page->tabifiedDockWidgets(scenario).contains(methods));
    if (m_beforeLesson.isEmpty() && !behind)
        return;
    text->hide();
    m_shares->forget();
    if (behind) {  // out of the tabs is out of the page, and in again
        const int width = scenario->width();
        const bool isScenarioShown = !scenario->isHidden(), areMethodsShown = !methods->isHidden();
        for (QDockWidget* one : {scenario, methods, text})
            m_page->removeDockWidget(one);
        m_page->addDockWidget(Qt::LeftDockWidgetArea, scenario);
        m_page->splitDockWidget(scenario, methods, Qt::Vertical);
        m_page->tabifyDockWidget(methods, text);
        scenario->setVisible(isScenarioShown);
        methods->setVisible(areMethodsShown);
        layOut({scenario}, {width}, Qt::Horizontal);
    }
    const QList<int> before = std::exchange(m_beforeLesson, {});
    layOut({scenario, methods}, before.isEmpty() ? usualHeights : before, Qt::Vertical);
}

void DockArrangement::bringBack(const std::string& file)
{
    m_file = file;
    const auto open = std::exchange(m_openWith[m_file], {});
    for (const auto& [panel, inFront] : open)
        panel->show();
    for (const auto& [panel, inFront] : open)
        if (inFront)
            panel->raise();
    if (!open.empty())
        mapsRoomLater();
}

void DockArrangement::putAway(const QStringList& names)
{
    std::vector<std::pair<QDockWidget*, bool>> open;
    for (const QString& name : names)
        if (QDockWidget* panel = named(name); !panel->isHidden())
            open.emplace_back(panel, isInFront(panel));  // while all of them are there
    for (const auto& [panel, inFront] : open) {
        m_openWith[m_file].emplace_back(panel, inFront);
        panel->hide();
    }
    if (!open.empty())
        mapsRoomLater();
}

void DockArrangement::setOnStage(bool on)
{
    if (on == isOnStage())
        return;
    if (on) {
        m_offStage = state();
        m_shares->setAside(true);
    } else {
        restore(*std::exchange(m_offStage, std::nullopt));
        if (!isLessonRead())
            layOutWithoutLesson();
        QTimer::singleShot(0, this, [this] { m_shares->setAside(isOnStage()); });
    }
}

QByteArray DockArrangement::state() const
{
    return m_offStage ? *m_offStage : m_page->saveState(m_laidOutByHand ? byHandVersion : layoutVersion);
}

/// Qt's layout shows its tab bars while it goes through the set of them, and each that comes has the window laid out
/// again, which puts another set in its place (seen in Qt 6.4): nothing is laid out until all are there.
void DockArrangement::restore(const QByteArray& state)
{
    if (m_offStage) {
        m_offStage = state;
        return;
    }
    m_shares->given();
    m_page->layout()->setEnabled(false);
    if (m_page->restoreState(state, layoutVersion))
        m_laidOutByHand = false;
    else if (m_page->restoreState(state, byHandVersion))
        m_laidOutByHand = true;
    m_page->layout()->setEnabled(true);
    m_page->layout()->activate();
    if (isLessonRead())
        return;
    m_isBehindLesson = m_isBehindLesson || (!m_laidOutByHand && !named(u"learn"_s)->isHidden());
    named(u"learn"_s)->hide();  // of a window that was left in a lesson: it is over
    layOutWithoutLesson();
}

}  // namespace attnscope

#include "moc_dock_arrangement.cpp"
