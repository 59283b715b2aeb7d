#include "ui/explore/explore_page.h"

#include "ui/figure/explore_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/widgets/save_picture.h"
#include "ui/views/methods_panel.h"
#include "ui/explore/scenario_panel.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
#include "ui/explore/file_heads_view.h"
#include "ui/explore/tensors_panel.h"
#include "ui/widgets/theme.h"
#include "ui/views/answer_line.h"
#include "ui/views/chart_view.h"
#include "ui/figure/counted_rows.h"
#include "ui/explore/dispersion_view.h"
#include "ui/explore/dock_arrangement.h"
#include "ui/explore/empty_maps.h"
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

constexpr int lowest = 440;                       // pixels of a page with the sentence above its maps
constexpr int leastWide = 1036, leastHigh = 443;  // of a page whose docks are arranged for a low window

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
    connect(m_heatmaps->nothing(), &EmptyMaps::openAsked, this, &ExplorePage::fileAsked);
    m_pinStrip = new PinStrip(bench.document, bench.pins);
    inColumn(card, {{m_heatmaps, 1}, m_pinStrip}, 0);
    card->setFocusProxy(m_heatmaps);
    setCentralWidget(card);
    setFocusProxy(m_heatmaps);
}

void ExplorePage::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_arrangement->followSize();
    m_answer->setVisible(height() >= withText(lowest));
}

QSize ExplorePage::minimumSizeHint() const
{
    const QSize least(withText(leastWide), withText(leastHigh));
    return m_arrangement->isByHand() ? least.expandedTo(QMainWindow::minimumSizeHint()) : least;
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
    m_learn = new LearnView(bench.document);
    m_arrangement = new DockArrangement(this, *m_heatmaps, *m_learn);
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
        auto* save = new QAction(savingWords(true), view->chart());
        view->chart()->addAction(save);  // first in its menu
        connect(save, &QAction::triggered, this, [this, &chart] { emit saveAsked(text(chart.id)); });
    }
    m_statistics = new StatisticsView(bench);
    connect(m_statistics, &StatisticsView::rowsCounted, m_arrangement, &DockArrangement::giveNumbersRoom,
            Qt::QueuedConnection);
    m_heads = new HeadsView(bench.document, bench.analyser);
    m_fileHeads = new FileHeadsView(bench.document, bench.offers);
    m_tensors = new TensorsPanel(bench.document, bench.offers);
    m_arrangement->add(u"scenario"_s, u"Scenario"_s, m_scenario, true);
    m_arrangement->add(u"methods"_s, u"Methods"_s, m_methods, true);
    for (std::size_t i = 0; i < m_charts.size(); ++i)
        m_arrangement->add(text(exploreCharts()[i].id), exploreCharts()[i].titleOf(bench.document.scenario()),
                           m_charts[i]);
    connect(&bench.document, &Document::changed, this, [this, &bench] {
        for (const ExploreChart& chart : exploreCharts())
            m_arrangement->setTitle(text(chart.id), chart.titleOf(bench.document.scenario()));
    });
    m_arrangement->add(u"statistics"_s, u"Compare"_s, m_statistics, false, m_statistics->caption());
    auto* rows = elidedCaption(u"The rows that the table is of"_s);
    connect(&bench.analyser, &Analyser::arrived, rows, [rows](const AnalysisPtr& analysis) {
        rows->setText(analysis->failed.empty() ? rowSetWords(analysis->scenario) : u"nothing was computed"_s);
    });
    m_arrangement->add(u"heads"_s, u"Heads"_s, m_heads, false, rows);
    m_arrangement->add(u"all heads"_s, u"All heads"_s, m_fileHeads, false, m_fileHeads->caption());
    m_arrangement->add(u"tensors"_s, u"Tensors of the file"_s, m_tensors);
    m_arrangement->add(u"learn"_s, u"Lesson"_s, m_learn);
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
    connect(m_learn, &LearnView::controlsNamed, m_arrangement, &DockArrangement::showControls);
    QDockWidget* text = dock(u"learn"_s);
    connect(text->toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
        if (!shown)  // by hand: neither with the page nor for the stage
            m_learn->close();
    });
    connect(m_learn, &LearnView::closed, m_arrangement, &DockArrangement::endLesson);
    connect(m_learn, &LearnView::listAsked, this, &ExplorePage::lessonsAsked);
}

EntropyView& ExplorePage::entropy() const { return *findChild<EntropyView*>(); }
DispersionView& ExplorePage::dispersion() const { return *findChild<DispersionView*>(); }

void ExplorePage::showDock(const QString& name)
{
    setWorkspace(m_document, exploreWorkspace);
    m_arrangement->show(name);
}

void ExplorePage::resetLayout()
{
    m_learn->close();
    m_arrangement->reset(m_document.scenario().ofFile());
}

void ExplorePage::setOnStage(bool on)
{
    m_arrangement->setOnStage(on);
    followFile();
    followHeads();
}

void ExplorePage::closeFilePanels()
{
    if (!m_arrangement->isOnStage() && !m_document.scenario().ofFile())
        m_arrangement->putAway({u"all heads"_s, u"heads"_s, u"tensors"_s});
}

void ExplorePage::showHeads(bool several)
{
    setWorkspace(m_document, exploreWorkspace);
    m_arrangement->showHeads(several);
}

/// The panels that were put away with a file come back with it.
void ExplorePage::followFile()
{
    if (!m_arrangement->isOnStage() && m_document.scenario().ofFile())
        m_arrangement->bringBack(m_document.scenario().tensors.path);
}

/// Of made-up queries and keys there are no heads to show.
void ExplorePage::followHeads()
{
    if (m_analyser.current() && m_analyser.current()->heads.empty() && !m_arrangement->isOnStage() &&
        !m_document.scenario().ofFile())
        m_arrangement->putAway({u"all heads"_s, u"heads"_s});
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
    for (const QDockWidget* dock : m_arrangement->docks())
        if (auto* area = dock->widget()->findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly))
            area->setMinimumWidth(
                (area->widget() == m_methods ? m_methods->widthWhenOpen() : area->widget()->minimumSizeHint().width()) +
                area->verticalScrollBar()->sizeHint().width());
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

const NumberScale& ExplorePage::lengthScale() const { return m_scenario->lengthScale(); }

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
