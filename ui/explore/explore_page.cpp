#include "ui/explore/explore_page.h"

#include "ui/figure/explore_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/views/methods_panel.h"
#include "ui/explore/scenario_panel.h"
#include "ui/explore/dock_shares.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
#include "ui/explore/file_heads_view.h"
#include "ui/explore/tensors_panel.h"
#include "ui/widgets/theme.h"
#include "ui/views/answer_line.h"
#include "ui/views/chart_view.h"
#include "ui/views/counted_rows.h"
#include "ui/explore/dispersion_view.h"
#include "ui/explore/entropy_view.h"
#include "ui/workbench/explore_view.h"
#include "ui/explore/heads_view.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/pin_strip.h"
#include "ui/explore/statistics_view.h"
#include "ui/workbench/workbench.h"

#include <QAction>
#include <QDockWidget>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int layoutVersion = 6, byHandVersion = 7;  // other versions are left alone
constexpr int leastMap = 200;                        // pixels of a side that maps have before charts are wide
constexpr int lowest = 440;                          // pixels of a page with the sentence above its maps

/// One below the other, in the middle, on the surface that they stand on.
QImage stacked(const std::vector<QPixmap>& pictures, Qt::Orientation along)
{
    constexpr double air = 12;
    QSizeF size;
    double ratio = 1;
    for (const QPixmap& picture : pictures) {
        const QSizeF one = picture.deviceIndependentSize();
        size = along == Qt::Vertical ? QSizeF(std::max(size.width(), one.width()), size.height() + one.height() + air)
                                     : QSizeF(size.width() + one.width() + air, std::max(size.height(), one.height()));
        ratio = std::max(ratio, picture.devicePixelRatio());
    }
    QImage all((size * ratio).toSize(), QImage::Format_RGB32);
    all.setDevicePixelRatio(ratio);
    all.fill(currentTheme().surface);
    QPainter painter(&all);
    double at = 0;
    for (const QPixmap& picture : pictures) {
        const QSizeF one = picture.deviceIndependentSize();
        painter.drawPixmap(along == Qt::Vertical ? QPointF((size.width() - one.width()) / 2, at)
                                                 : QPointF(at, (size.height() - one.height()) / 2),
                           picture);
        at += (along == Qt::Vertical ? one.height() : one.width()) + air;
    }
    return all;
}

/// Of the docks at the left and at the right: what two rows of two maps leave, which are as high as the page.
std::pair<int, int> widthsBeside(QSize window)
{
    constexpr int around = 110, least = 268, most = 640;  // around the page, and of the charts
    constexpr int leastMiddle = 700;                      // the maps' tools and reading are whole
    const int left = window.width() < 1400 ? 288 : 322;
    const int maps = std::max(window.height() - around, leastMiddle);
    return {left, std::clamp(window.width() - left - maps, least, most)};
}

constexpr int statisticsHigh = 170, headsHigh = 190;

/// Of a chart: one with controls of its own, where it has any.
LengthChart* viewOf(const ExploreChart& chart, Workbench& bench)
{
    if (chart.id == "entropy")
        return new EntropyView(chart, bench);
    if (chart.id == "dispersion")
        return new DispersionView(chart, bench);
    return new LengthChart(chart, bench);
}

}  // namespace

ExplorePage::ExplorePage(Workbench& bench)
    : QMainWindow(nullptr, Qt::Widget), m_document(bench.document), m_analyser(bench.analyser)
{
    setObjectName(u"explore"_s);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildMaps(bench);
    buildDocks(bench);
    buildScrubber(bench);
    followLessons();
    m_shares = new DockShares(this);
    connect(m_shares, &DockShares::dragged, this, [this] {
        m_laidOutByHand = true;
        m_isBehindLesson = false;  // what a hand has arranged stays
        m_beforeLesson.clear();
    });
    connect(m_heatmaps, &HeatmapPanel::counted, this, &ExplorePage::giveMapsRoom);
    connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, &ExplorePage::giveRoom, Qt::QueuedConnection);
    connect(&m_document, &Document::changed, this, &ExplorePage::followFile);
    followFile();
    connect(&m_analyser, &Analyser::arrived, this, &ExplorePage::followHeads);
}

void ExplorePage::buildMaps(Workbench& bench)
{
    auto* card = new QFrame;
    card->setObjectName(u"card"_s);
    m_heatmaps = new HeatmapPanel(bench.document, bench.analyser, bench.pointer);
    connect(m_heatmaps, &HeatmapPanel::saidAbout, this, [this](const QString& message, bool wrong) {
        emit said(message, wrong ? MessageBar::Kind::Error : MessageBar::Kind::Done);
    });
    m_pinStrip = new PinStrip(bench.document, bench.pins);
    inColumn(card, {{m_heatmaps, 1}, m_pinStrip}, 0);
    card->setFocusProxy(m_heatmaps);
    setCentralWidget(card);
    setFocusProxy(m_heatmaps);
}

void ExplorePage::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_widestCharts = INT_MAX;
    if (!m_laidOutByHand && !m_shares->isAside() && !m_docks.empty()) {
        sizeByDefault();
        QTimer::singleShot(0, this, &ExplorePage::followHeight);
    }
    m_answer->setVisible(height() >= withText(lowest));
    QTimer::singleShot(0, this, &ExplorePage::giveMapsRoom);  // once all are laid out
}

/// n in the hand, and what comes of it in words, above everything: on stage too. While a pin is shown in place of the
/// scenario it stands at the pin's.
void ExplorePage::buildScrubber(Workbench& bench)
{
    Document& document = bench.document;
    const Analyser& analyser = bench.analyser;
    m_scrubber = new LengthScrubber(u"Length n"_s, u"n"_s,
                                    u"How many keys there are: drag it. It stops at powers of two, at N and at the "
                                    "pins; with Shift it is finer, and stops nowhere."_s);
    auto* above = new QWidget;
    inColumn(above, {m_scrubber, m_answer = answerLineOf(bench.analyser, bench.document, bench.offers)}, 0);
    m_answer->hide();  // until it is known how high the page is
    setMenuWidget(above);
    connect(m_scrubber, &LengthScrubber::edited, &document, [&document](double n) {
        document.edit(u"Length n"_s, [n](Scenario& scenario) { scenario.n = static_cast<std::int64_t>(n); });
    });
    connect(m_scrubber, &LengthScrubber::finished, &document, &Document::endGesture);
    const auto refresh = [this, &document, &analyser] {
        const std::vector<Scenario>& pinned = document.look().pins;
        const Scenario& shown = analyser.lookedAt();
        std::vector<LengthScrubber::Mark> marks{{shown.nTrain, u"N = %1"_s.arg(lengthText(shown.nTrain))}};
        for (std::size_t i = 0; i < pinned.size(); ++i)
            marks.push_back({double(pinned[i].n), u"pin %1"_s.arg(i + 1)});
        m_scrubber->setScale(m_scenario->lengthScale());
        m_scrubber->setMarks(std::move(marks));
        m_scrubber->setValue(double(shown.n));
    };
    connect(&document, &Document::changed, m_scrubber, refresh);
    connect(&document, &Document::lookChanged, m_scrubber, refresh);
    connect(&analyser, &Analyser::lookedElsewhere, m_scrubber, refresh);
    connect(m_scenario, &ScenarioPanel::lengthScaleChanged, m_scrubber, refresh);
    refresh();
}

void ExplorePage::buildDocks(Workbench& bench)
{
    m_scenario = new ScenarioPanel(bench.document, bench.analyser, bench.offers);
    connect(m_scenario, &ScenarioPanel::exampleRequested, this, &ExplorePage::exampleAsked);
    connect(m_scenario, &ScenarioPanel::openRequested, this, &ExplorePage::fileAsked);
    connect(m_scenario, &ScenarioPanel::tensorsRequested, this, [this] { showDock(u"tensors"_s); });
    m_methods = new MethodsPanel(bench.document, bench.analyser, bench.pointer);
    connect(m_methods, &MethodsPanel::sourceAsked, this, &ExplorePage::sourceAsked);
    connect(m_methods, &MethodsPanel::refused, this,
            [this](const QString& why) { emit said(why, MessageBar::Kind::Note); });
    for (const ExploreChart& chart : exploreCharts()) {
        LengthChart* view = m_charts.emplace_back(viewOf(chart, bench));
        auto* save = new QAction(u"Save as PDF, SVG, PNG or numbers\u2026"_s, view->chart());
        view->chart()->addAction(save);  // first in its menu
        connect(save, &QAction::triggered, this, [this, &chart] { emit saveAsked(text(chart.id)); });
    }
    m_statistics = new StatisticsView(bench.analyser, bench.pointer);
    m_heads = new HeadsView(bench.document, bench.analyser);
    m_fileHeads = new FileHeadsView(bench.document, bench.offers);
    m_tensors = new TensorsPanel(bench.document, bench.offers);
    m_learn = new LearnView(bench.document);
    addDock(u"scenario"_s, u"Scenario"_s, m_scenario, true);
    addDock(u"methods"_s, u"Methods"_s, m_methods, true);
    for (std::size_t i = 0; i < m_charts.size(); ++i)
        addDock(text(exploreCharts()[i].id), exploreCharts()[i].plainTitle(), m_charts[i]);
    auto* rows = elidedCaption(u"The rows that the table is of"_s);
    const auto sayRows = [this, rows, &analyser = bench.analyser] {
        const AnalysisPtr& analysis = analyser.current();
        const QString counted = analysis && analysis->queryCount > 0 ? pictureRows(analysis->scenario) : QString();
        const qsizetype more = m_statistics->columnsThatLeft().size();
        rows->setText(more > 0 ? u"%1 \u00B7 %2 more when wider"_s.arg(counted).arg(more) : counted);
        rows->setShortText(more > 0 ? u"%1 \u00B7 %2 more"_s.arg(counted).arg(more) : counted);
    };
    connect(&bench.analyser, &Analyser::arrived, rows, sayRows);
    connect(m_statistics, &ValueTable::columnsLeft, rows, sayRows);
    addDock(u"statistics"_s, u"Compare"_s, m_statistics, false, rows);
    auto* allRows = elidedCaption(u"The rows that the table is of"_s);
    allRows->setText(u"all rows"_s);
    addDock(u"heads"_s, u"Heads"_s, m_heads, false, allRows);
    addDock(u"all heads"_s, u"All heads"_s, m_fileHeads);
    addDock(u"tensors"_s, u"Tensors of the file"_s, m_tensors);
    addDock(u"learn"_s, u"Lesson"_s, m_learn);
}

/// What a lesson speaks of is in sight while one is read; to put its text away is to close it.
void ExplorePage::followLessons()
{
    connect(m_learn, &LearnView::partsNamed, this, [this](const QStringList& names) {
        for (const QString& name : names)
            if (QDockWidget* named = dock(name)) {
                named->show();
                named->raise();
            }
    });
    QDockWidget* text = dock(u"learn"_s);
    connect(text->toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
        if (!shown)  // by hand: neither with the page nor for the stage
            m_learn->close();
    });
    connect(m_learn, &LearnView::closed, this, [this, text] {
        text->hide();
        layOutWithoutLesson();
        for (QDockWidget* before : std::exchange(m_inFront, {}))
            if (before != text && !before->isHidden())
                before->raise();
    });
    connect(m_learn, &LearnView::listAsked, this, &ExplorePage::lessonsAsked);
}

QDockWidget* ExplorePage::addDock(const QString& name, const QString& title, QWidget* content, bool scrolls,
                                  QLabel* caption)
{
    auto* dock = new QDockWidget(title, this);
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
    inRow(heading, {{new QLabel(title), caption ? 0 : 1}, {caption, 1}, close}, usualSpacing, {14, 4, 8, 4});
    dock->setTitleBarWidget(heading);

    auto* body = new QFrame;
    body->setObjectName(u"dockBody"_s);
    inColumn(body, {scrolls ? scrolled(content) : content}, usualSpacing, {1, 0, 1, 2});
    dock->setWidget(body);
    m_docks.push_back(dock);
    return dock;
}

EntropyView& ExplorePage::entropy() const { return *findChild<EntropyView*>(); }
DispersionView& ExplorePage::dispersion() const { return *findChild<DispersionView*>(); }

void ExplorePage::layOut(const QList<QDockWidget*>& docks, const QList<int>& sizes, Qt::Orientation along)
{
    m_shares->given();
    resizeDocks(docks, sizes, along);
}

/// A grid of heads and its table take more height than a line or two of numbers.
void ExplorePage::giveRoom(QDockWidget* raised)
{
    if (const int enough = window()->height() / 3; raised == dock(u"all heads"_s) && raised->height() < enough)
        layOut({raised}, {enough}, Qt::Vertical);
}

/// Maps first: where they would be small the charts are narrower, as long as nobody has said how wide they are to be.
/// They stay so when there are fewer maps again, until the page has another size or is laid out anew.
void ExplorePage::giveMapsRoom()
{
    const QDockWidget* charts = dock(text(exploreCharts().front().id));
    if (m_laidOutByHand || m_shares->isAside() || !charts->isVisible() || !m_heatmaps->isVisible())
        return;
    constexpr int least = 238, step = 2;
    int wide = std::min(widthsBeside(window()->size()).second, m_widestCharts);
    while (wide - step >= least && m_heatmaps->smallestWith(charts->width() - wide) < leastMap)
        wide -= step;
    m_widestCharts = wide;
    if (wide != charts->width())
        resizeDocks({dock(charts->objectName())}, {wide}, Qt::Horizontal);
}

QDockWidget* ExplorePage::dock(const QString& name) const
{
    const auto found = std::ranges::find(m_docks, name, [](const QDockWidget* dock) { return dock->objectName(); });
    return found == m_docks.end() ? nullptr : *found;
}

void ExplorePage::showDock(const QString& name)
{
    setWorkspace(m_document, exploreWorkspace);
    QDockWidget* shown = dock(name);
    const bool opens = shown->isHidden(),
               reads = name == "learn"_L1 &&
                       (opens || (m_beforeLesson.isEmpty() && !m_laidOutByHand));  // it may have been shown empty
    if (reads) {
        m_inFront.clear();
        std::ranges::copy_if(m_docks, std::back_inserter(m_inFront), [this](auto* one) { return isInFront(one); });
        m_beforeLesson = {dock(u"scenario"_s)->height(), dock(u"methods"_s)->height()};
    }
    shown->show();
    shown->raise();
    giveRoom(shown);
    if (reads)
        layOutWithLesson();
    if (opens && name == "tensors"_L1)  // as do tables to choose from
        layOut({shown}, {window()->height() / 2}, Qt::Vertical);
    shown->widget()->setFocus();
}

bool ExplorePage::isInFront(const QDockWidget* dock) const
{
    return !dock->isHidden() && dock->geometry().intersects(rect());  // behind others in tabs it lies beside the page
}

/// Those that were open are open again when the file is looked at again: by undo, or after a lesson.
void ExplorePage::putAway(const QStringList& names)
{
    if (m_offStage || m_document.scenario().ofFile())
        return;
    std::vector<std::pair<QDockWidget*, bool>> open;
    for (const QString& name : names)
        if (QDockWidget* panel = dock(name); !panel->isHidden())
            open.emplace_back(panel, isInFront(panel));  // while all of them are there
    for (const auto& [panel, inFront] : open) {
        m_openWith[m_file].emplace_back(panel, inFront);
        panel->hide();
    }
    if (!open.empty())
        QTimer::singleShot(0, this, &ExplorePage::giveMapsRoom);
}

/// A page to read takes more room than a list: in a low window all of the column's, with the scenario in a tab beside
/// the methods, unless somebody has arranged the docks.
void ExplorePage::layOutWithLesson()
{
    QDockWidget *scenario = dock(u"scenario"_s), *methods = dock(u"methods"_s), *text = dock(u"learn"_s);
    if (window()->height() >= lowWindow || m_laidOutByHand)
        return layOut({scenario, text}, {2, 3}, Qt::Vertical);
    const bool areMethodsShown = !methods->isHidden();
    for (QDockWidget* one : {methods, text})  // else the bar of their own tabs stays, across the scenario
        removeDockWidget(one);
    tabifyDockWidget(scenario, methods);
    tabifyDockWidget(methods, text);
    methods->setVisible(areMethodsShown);
    text->show();
    text->raise();
    m_isBehindLesson = true;
}

/// The scenario has the room again that its text took.
void ExplorePage::layOutWithoutLesson()
{
    if (m_offStage)
        return;
    QDockWidget *scenario = dock(u"scenario"_s), *methods = dock(u"methods"_s), *text = dock(u"learn"_s);
    const bool behind =
        std::exchange(m_isBehindLesson, false) || (!m_laidOutByHand && tabifiedDockWidgets(scenario).contains(methods));
    if (m_beforeLesson.isEmpty() && !behind)
        return;
    text->hide();
    m_shares->forget();
    if (behind) {  // out of the tabs is out of the page, and in again
        const int width = scenario->width();
        const bool isScenarioShown = !scenario->isHidden(), areMethodsShown = !methods->isHidden();
        for (QDockWidget* one : {scenario, methods, text})
            removeDockWidget(one);
        addDockWidget(Qt::LeftDockWidgetArea, scenario);
        splitDockWidget(scenario, methods, Qt::Vertical);
        tabifyDockWidget(methods, text);
        scenario->setVisible(isScenarioShown);
        methods->setVisible(areMethodsShown);
        layOut({scenario}, {width}, Qt::Horizontal);
    }
    const QList<int> before = std::exchange(m_beforeLesson, {});
    layOut({scenario, methods}, before.isEmpty() ? QList{3, 2} : before, Qt::Vertical);
}

void ExplorePage::closeFilePanels() { putAway({u"all heads"_s, u"heads"_s, u"tensors"_s}); }

/// The panels that were put away with a file come back with it.
void ExplorePage::followFile()
{
    if (m_offStage || !m_document.scenario().ofFile())
        return;
    m_file = m_document.scenario().tensors.path;
    const auto open = std::exchange(m_openWith[m_file], {});
    for (const auto& [panel, inFront] : open)
        panel->show();
    for (const auto& [panel, inFront] : open)
        if (inFront)
            panel->raise();
    if (!open.empty())
        QTimer::singleShot(0, this, &ExplorePage::giveMapsRoom);
}

/// Of made-up queries and keys there are no heads to show.
void ExplorePage::followHeads()
{
    if (m_analyser.current() && m_analyser.current()->heads.empty())
        putAway({u"all heads"_s, u"heads"_s});
}

void ExplorePage::showHeads(bool several)
{
    dock(u"all heads"_s)->setVisible(several);
    showDock(u"heads"_s);
    if (isArrangedTall())
        layOut({dock(u"heads"_s)}, {window()->height() / 4}, Qt::Vertical);
}

/// Once the style sheet has been there.
void ExplorePage::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    keepContentsWhole();
}

void ExplorePage::childEvent(QChildEvent* event)
{
    QMainWindow::childEvent(event);
    if (auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr)
        tabs->setMovable(false);
}

/// Docks are at least as wide as what scrolls in them.
void ExplorePage::keepContentsWhole()
{
    for (const QDockWidget* dock : m_docks)
        if (auto* area = dock->widget()->findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly))
            area->setMinimumWidth(
                (area->widget() == m_methods ? m_methods->widthWhenOpen() : area->widget()->minimumSizeHint().width()) +
                area->verticalScrollBar()->sizeHint().width());
}

/// Each in its place, and these are shown. Where the window is high, Compare is below the charts and the heads are
/// below the maps; where it is low they are tabs behind a chart, and the height is the maps'.
void ExplorePage::place(const std::vector<QDockWidget*>& shown)
{
    m_shares->forget();
    m_isBehindLesson = false;
    m_widestCharts = INT_MAX;
    for (QDockWidget* dock : m_docks) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    QDockWidget *scenario = dock(u"scenario"_s), *methods = dock(u"methods"_s), *statistics = dock(u"statistics"_s),
                *heads = dock(u"heads"_s), *all = dock(u"all heads"_s), *file = dock(u"tensors"_s);
    std::vector<QDockWidget*> charts;
    for (const ExploreChart& chart : exploreCharts())
        charts.push_back(dock(text(chart.id)));
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, scenario);
    splitDockWidget(scenario, methods, Qt::Vertical);
    tabifyDockWidget(methods, dock(u"learn"_s));
    addDockWidget(Qt::RightDockWidgetArea, charts[0]);
    splitDockWidget(charts[0], charts[1], Qt::Vertical);
    for (std::size_t more = 2; more < charts.size(); ++more)
        tabifyDockWidget(charts[more - 1], charts[more]);
    const bool tall = window()->height() >= lowWindow;
    if (tall) {
        splitDockWidget(charts[1], statistics, Qt::Vertical);
        addDockWidget(Qt::BottomDockWidgetArea, heads);
    } else {
        tabifyDockWidget(charts[1], statistics);
        tabifyDockWidget(statistics, heads);
        addDockWidget(Qt::BottomDockWidgetArea, file);  // a table to choose from is as wide as it needs
    }
    tabifyDockWidget(heads, all);
    if (tall)
        tabifyDockWidget(all, file);
    for (QDockWidget* dock : m_docks)
        dock->setVisible(std::ranges::find(shown, dock) != shown.end());
    sizeByDefault();
    if (!tall && m_learn->lesson() >= 0 && !dock(u"learn"_s)->isHidden())
        layOutWithLesson();
    if (tall)
        layOut({heads}, {headsHigh}, Qt::Vertical);
    QTimer::singleShot(0, this, &ExplorePage::giveMapsRoom);  // once all are laid out
}

/// A window that became low, or high, is arranged as one that begins so; what was in front stays there.
void ExplorePage::followHeight()
{
    if (m_laidOutByHand || m_shares->isAside() || (window()->height() >= lowWindow) == isArrangedTall())
        return;
    std::vector<QDockWidget*> shown, inFront;
    for (QDockWidget* dock : m_docks) {
        if (!dock->isHidden())
            shown.push_back(dock);
        if (isInFront(dock))
            inFront.push_back(dock);
    }
    place(shown);
    dock(text(exploreCharts()[1].id))->raise();
    std::ranges::reverse(inFront);  // of two that now share a place the first, a chart, is raised last
    for (QDockWidget* dock : inFront)
        dock->raise();
}

bool ExplorePage::isArrangedTall() const { return tabifiedDockWidgets(dock(u"statistics"_s)).isEmpty(); }

/// How wide the columns beside the maps are, and how they are divided: of an arrangement that nobody has
/// changed, a function of the window's size, whatever it was before.
void ExplorePage::sizeByDefault()
{
    const std::size_t charts = std::min<std::size_t>(2, exploreCharts().size());
    QDockWidget *scenario = dock(u"scenario"_s), *statistics = dock(u"statistics"_s);
    const auto [left, right] = widthsBeside(window()->size());
    QList<QDockWidget*> column;
    QList<int> heights;
    for (std::size_t i = 0; i < charts; ++i) {
        column << dock(text(exploreCharts()[i].id));
        heights << window()->height() / 3;
    }
    layOut({scenario, column[0]}, {left, right}, Qt::Horizontal);
    if (dock(u"learn"_s)->isHidden())
        layOut({scenario, dock(u"methods"_s)}, {3, 2}, Qt::Vertical);
    if (isArrangedTall()) {
        column << statistics;
        heights << statisticsHigh;
    }
    layOut(column, heights, Qt::Vertical);
}

void ExplorePage::resetLayout()
{
    m_learn->close();
    m_beforeLesson.clear();
    const bool tensors = m_document.scenario().ofFile();
    std::vector<QDockWidget*> shown{dock(u"scenario"_s), dock(u"methods"_s), dock(u"statistics"_s)};
    for (const ExploreChart& chart : exploreCharts())
        shown.push_back(dock(text(chart.id)));
    if (tensors)
        shown.insert(shown.end(), {dock(u"heads"_s), dock(u"all heads"_s)});
    place(shown);
    dock(text(exploreCharts()[1].id))->raise();
    m_laidOutByHand = false;
}

void ExplorePage::setOnStage(bool on)
{
    if (on == m_offStage.has_value())
        return;
    if (on) {
        m_offStage = layoutState();
        m_shares->setAside(true);
    } else {
        restoreLayout(*std::exchange(m_offStage, std::nullopt));
        followFile();
        followHeads();
        if (m_learn->lesson() < 0)
            layOutWithoutLesson();
        QTimer::singleShot(0, this, [this] { m_shares->setAside(m_offStage.has_value()); });
    }
}

QByteArray ExplorePage::layoutState() const
{
    return m_offStage ? *m_offStage : saveState(m_laidOutByHand ? byHandVersion : layoutVersion);
}

/// Qt's layout shows its tab bars while it goes through the set of them, and each that comes has the window laid out
/// again, which puts another set in its place (seen in Qt 6.4): nothing is laid out until all are there.
void ExplorePage::restoreLayout(const QByteArray& state)
{
    if (m_offStage) {
        m_offStage = state;
        return;
    }
    m_shares->given();
    layout()->setEnabled(false);
    if (restoreState(state, layoutVersion))
        m_laidOutByHand = false;
    else if (restoreState(state, byHandVersion))
        m_laidOutByHand = true;
    layout()->setEnabled(true);
    layout()->activate();
    if (m_learn->lesson() >= 0)
        return;
    dock(u"learn"_s)->hide();  // of a window that was left in a lesson: it is over
    layOutWithoutLesson();
}

std::vector<std::string> ExplorePage::shownViews() const
{
    std::vector<std::string> views{mapsView.toStdString()};
    for (const ExploreChart& chart : exploreCharts())
        if (!dock(text(chart.id))->isHidden())
            views.push_back(chart.id);
    if (m_analyser.current() && !m_analyser.current()->heads.empty() && !dock(u"heads"_s)->isHidden())
        views.push_back("heads");
    return views;
}

QImage ExplorePage::viewPicture(const QString& view) const
{
    std::vector<QPixmap> charts;
    for (std::size_t i = 0; i < m_charts.size(); ++i)
        if (view == everyView || view == text(exploreCharts()[i].id))
            charts.push_back(pictureOf(*m_charts[i]->chart()));
    if (view != everyView && view != mapsView)
        return charts.front().toImage();
    const QImage maps = stacked(m_heatmaps->pictures(), Qt::Vertical);
    return charts.empty()
               ? maps
               : stacked({QPixmap::fromImage(maps), QPixmap::fromImage(stacked(charts, Qt::Vertical))}, Qt::Horizontal);
}

}  // namespace attnscope

#include "moc_explore_page.cpp"
