// The maps are what the window is for: they fill their card by its shape, one of them is large when its title is
// pressed, and both ends of their axes say where they are.
#include "tests/ui/window_support.h"

#include "core/document/session.h"
#include "ui/plot/axis_numbers.h"
#include "ui/workbench/document.h"
#include "ui/explore/difference_tile.h"
#include "ui/views/tile_places.h"
#include "ui/widgets/elided.h"

#include <QAccessible>
#include <QDockWidget>

#include <functional>

using namespace attnscope;
using namespace attnscope::testing;

class MapRoomTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void tilesStandApartInTheirCard_data();
    void tilesStandApartInTheirCard();
    void cellsAreAsLargeAsTheyFit();
    void theLargeOneIsLargest();
    void mapsHaveAQuarterOfTheWindow();
    void fourMethodsOnASmallScreenHaveLargeMaps();
    void stripsStayWhereMapsAreSmall();
    void aTitleMakesItsMapLarge();
    void theLargeMapIsKept();
    void axesSayBothEnds();
    void asManyCellsAsPixels();

private:
    std::vector<HeatmapPlot*> plots() const;
    int smallest() const;
    std::unique_ptr<MainWindow> m_window;
};

namespace {

const TileRoom usual{.around = {36, 19}, .strip = 34, .heading = {24, 42}, .usualHeading = 300, .gap = 6};

int sideOf(const QRect& tile, int lines, const TileRoom& room)
{
    return std::min(tile.width() - room.around.width(), tile.height() - room.around.height() - room.heading[lines - 1]);
}

Scenario withMethods(const std::vector<const char*>& ids)
{
    Scenario scenario = smallScenario();
    scenario.methods.clear();
    for (const char* id : ids)
        scenario.methods.push_back({id, {}, {}});
    return scenario;
}

}  // namespace

/// All maps that are on the screen.
std::vector<HeatmapPlot*> MapRoomTest::plots() const
{
    std::vector<HeatmapPlot*> plots;
    HeatmapPanel& maps = m_window->explore().heatmaps();
    for (const HeatmapTile* tile : maps.tiles())
        plots.push_back(tile->plot());
    if (maps.difference())
        plots.push_back(maps.difference()->plot());
    return plots;
}

int MapRoomTest::smallest() const
{
    int side = INT_MAX;
    for (const HeatmapPlot* plot : plots())
        side = std::min(side, plot->frame().width());
    return side;
}

void MapRoomTest::tilesStandApartInTheirCard_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("large");
    for (const QSize size : {QSize(800, 780), QSize(1500, 300), QSize(260, 900), QSize(700, 500), QSize(300, 200)})
        for (const int count : {1, 2, 3, 4, 5, 7, 10})
            for (const int large : {-1, 0, count - 1})
                QTest::addRow("%d x %d, %d, %d", size.width(), size.height(), count, large) << size << count << large;
}

void MapRoomTest::tilesStandApartInTheirCard()
{
    QFETCH(QSize, size);
    QFETCH(int, count);
    QFETCH(int, large);
    const TilePlaces places = placeTiles(size, count, large, usual);
    QCOMPARE(places.tiles.size(), std::size_t(count));
    QCOMPARE(places.lines.size(), std::size_t(count));
    for (std::size_t i = 0; i < places.tiles.size(); ++i) {
        QVERIFY(QRect({}, size).contains(places.tiles[i]) || size.height() < 250);
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(!places.tiles[i].intersects(places.tiles[j]));
    }
}

/// One row, one column or a grid, whichever gives the largest.
void MapRoomTest::cellsAreAsLargeAsTheyFit()
{
    const auto columnsOf = [](QSize size, int count) {
        const TilePlaces places = placeTiles(size, count, -1, usual);
        return std::ranges::count_if(places.tiles,
                                     [&](const QRect& tile) { return tile.top() == places.tiles.front().top(); });
    };
    QCOMPARE(columnsOf({1500, 330}, 4), std::ptrdiff_t(4));
    QCOMPARE(columnsOf({300, 900}, 4), std::ptrdiff_t(1));
    QCOMPARE(columnsOf({800, 780}, 4), std::ptrdiff_t(2));
    QCOMPARE(columnsOf({712, 510}, 5), std::ptrdiff_t(3));
    const TilePlaces four = placeTiles({800, 780}, 4, -1, usual);
    QCOMPARE(sideOf(four.tiles[0], four.lines[0], usual), (780 - 6) / 2 - 19 - 24);
}

void MapRoomTest::theLargeOneIsLargest()
{
    for (const QSize size : {QSize(800, 780), QSize(1500, 420), QSize(420, 900)}) {
        const TilePlaces alike = placeTiles(size, 4, -1, usual), one = placeTiles(size, 4, 2, usual);
        const int before = sideOf(alike.tiles[2], alike.lines[2], usual), now = sideOf(one.tiles[2], 1, usual);
        QVERIFY2(now > before, qPrintable(QStringLiteral("%1 of %2").arg(now).arg(before)));
        for (const std::size_t other : {0, 1, 3})
            QVERIFY(sideOf(one.tiles[other], 1, usual) >= 60 && sideOf(one.tiles[other], 1, usual) < now);
    }
}

/// The first scenario in the first layout, at 1600 x 1000: pixels inside the maps' frames, of those of the window.
void MapRoomTest::mapsHaveAQuarterOfTheWindow()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    QCOMPARE(plots().size(), std::size_t(4));
    double pixels = 0;
    for (const HeatmapPlot* plot : plots())
        pixels += double(plot->frame().width()) * plot->frame().height();
    const double share = pixels / (double(m_window->width()) * m_window->height());
    qInfo("share of the window: %.3f; smallest map %d", share, smallest());
    QVERIFY2(share >= 0.25, qPrintable(QString::number(share)));
    for (const int high : {690, 664}) {  // in its frame on a screen of 720: maximised, and as it opens
        m_window->resize(high == 690 ? 1280 : 1264, high);
        m_window->resetLayout();
        QVERIFY(settle(*m_window));
        QTest::qWait(20);
        qInfo("%d high: smallest map %d", high, smallest());
        QVERIFY2(smallest() >= 200, qPrintable(QString::number(smallest())));
        for (const QComboBox* list : m_window->explore().heatmaps().findChildren<QComboBox*>())
            if (const auto* tool = qobject_cast<const ElidedList*>(list); tool && tool->isVisible())
                QVERIFY2(!tool->isElided(), qPrintable(tool->accessibleName()));
    }
}

/// With the difference map they are five.
void MapRoomTest::fourMethodsOnASmallScreenHaveLargeMaps()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods = withMethods({"vanilla", "log_n", "softmax_plus", "infoscale"}).methods;
    });
    QVERIFY(settle(*m_window));
    QTest::qWait(20);
    QCOMPARE(plots().size(), std::size_t(5));
    qInfo("four methods at 1280 x 720, smallest map %d", smallest());
    QVERIFY2(smallest() >= 200, qPrintable(QString::number(smallest())));
}

void MapRoomTest::stripsStayWhereMapsAreSmall()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods =
            withMethods({"vanilla", "log_n", "softmax_plus", "infoscale", "su_kappa", "row_log", "longrope", "ssmax"})
                .methods;
    });
    QVERIFY(settle(*m_window));
    QTest::qWait(20);
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles()) {
        HeatmapPlot* plot = tile->plot();
        QVERIFY(plot->frame().width() >= 90);
        hover(plot, QPointF(plot->frame().right() + 10, plot->frame().center().y()));  // on the strip
        QVERIFY2(m_window->pointer().at().row >= 0 && m_window->pointer().at().key < 0, qPrintable(tile->name()));
    }
}

void MapRoomTest::aTitleMakesItsMapLarge()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    HeatmapPanel& maps = m_window->explore().heatmaps();
    HeatmapTile* second = maps.tiles()[1];
    const int before = second->plot()->frame().width();
    QTest::mouseClick(second->heading(), Qt::LeftButton, {}, second->heading()->rect().center());
    QCOMPARE(m_window->document().look().maps.large, std::string("map:softmax_plus"));
    QVERIFY(!m_window->document().canUndo());  // where one looks is no step
    QVERIFY2(second->plot()->frame().width() > 1.5 * before, qPrintable(QString::number(before)));
    for (const HeatmapPlot* plot : plots())
        QVERIFY(plot->isVisible() && (plot == second->plot() || plot->frame().width() < before));
    QVERIFY(settle(*m_window));
    QVERIFY2(second->plot()->map().rows >= std::min(64, second->plot()->frame().width()), "cells for the large one");
    QTest::mouseClick(second->heading(), Qt::LeftButton, {}, second->heading()->rect().center());
    QCOMPARE(second->plot()->frame().width(), before);

    second->heading()->setFocus(Qt::TabFocusReason);  // and by keys
    QVERIFY(second->heading()->hasFocus());
    QTest::keyClick(second->heading(), Qt::Key_Return);
    QVERIFY(second->plot()->frame().width() > 1.5 * before);
    second->plot()->setFocus();
    QTest::keyClick(second->plot(), Qt::Key_Escape);
    QCOMPARE(second->plot()->frame().width(), before);
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(second->heading());
    QVERIFY(told && told->role() == QAccessible::Button && !told->text(QAccessible::Name).isEmpty());
}

/// In a session, over new pictures, and where the method is not ticked now but will be again.
void MapRoomTest::theLargeMapIsKept()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    Document& document = m_window->document();
    document.editLook([](Look& look) { look.maps.large = "map:infoscale"; });
    const auto isLarge = [&](std::size_t tile) { return plots()[tile]->frame().width() > 400; };
    QVERIFY(isLarge(2) && !isLarge(0));
    Session session;
    session.scenario = document.scenario();
    session.look = document.look();
    const auto kept = readSession(writeSession(session));
    QVERIFY(kept);
    QCOMPARE(kept->look, document.look());
    methodRow(*m_window, QStringLiteral("InfoScale"))->tick()->click();
    QVERIFY(settle(*m_window));
    QVERIFY(!isLarge(0) && !isLarge(1));
    document.undo();
    QVERIFY(settle(*m_window));
    QVERIFY(isLarge(2) && !isLarge(0));
}

void MapRoomTest::axesSayBothEnds()
{
    const QFontMetricsF metrics(QApplication::font());
    for (const auto& [first, last] : {std::pair<std::int64_t, std::int64_t>{0, 16384}, {0, 64}, {100, 228}, {7, 8}})
        for (const double side : {80.0, 200.0, 400.0, 900.0}) {
            const std::vector<AxisNumber> numbers = axisNumbers(first, last, side, metrics);
            QVERIFY(numbers.size() >= 2);
            QCOMPARE(numbers.front().at, double(first));
            QCOMPARE(numbers.back().at, double(last));
            QVERIFY(numbers.front().from >= 0 && numbers.back().to <= side + 1e-9);
            for (std::size_t i = 1; i < numbers.size(); ++i)
                QVERIFY2(numbers[i].from > numbers[i - 1].to, "numbers stand apart");
        }
    QCOMPARE(axisNumbers(0, 16384, 300, metrics).back().text, QStringLiteral("16\u2009384"));
    QVERIFY(axisNumbers(0, 512, 400, metrics).size() > 3);
    QVERIFY(axisNumbers(3, 3, 300, metrics).empty());
}

/// Whatever gave a map its size: one cell more than there are pixels, and all of them would be smoothed.
void MapRoomTest::asManyCellsAsPixels()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->document().editOnce(u"Length n"_s, [](Scenario& scenario) { scenario.n = 1024; });
    const auto exact = [this] {
        int most = 0;
        for (const HeatmapPlot* plot : plots())
            most = std::max(most, plot->pixels());
        const AnalysisPtr& now = m_window->analyser().current();
        return now && now->scenario.n == 1024 && now->scenario.view.pixels == most &&
               std::ranges::all_of(plots(), [&](const HeatmapPlot* plot) {
                   return plot->map().columns == std::min(most, 1024) && plot->map().rows == plot->map().columns;
               });
    };
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"as it opens", [] {}},
        {"larger", [this] { m_window->resize(1733, 1101); }},
        {"smaller", [this] { m_window->resize(1280, 720); }},
        {"without a panel", [this] { m_window->findChild<QDockWidget*>(u"statistics"_s)->hide(); }},
        {"one large", [this] { m_window->explore().heatmaps().tiles().front()->heading()->click(); }},
        {"all alike", [this] { m_window->explore().heatmaps().tiles().front()->heading()->click(); }},
        {"one method", [this] {
             m_window->document().editOnce(u"Methods"_s, [](Scenario& scenario) { scenario.methods.resize(1); });
         }}};
    for (const auto& [what, change] : changes) {
        change();
        QVERIFY2(QTest::qWaitFor(exact, patience), what);
    }
}

QTEST_MAIN(MapRoomTest)
#include "map_room_test.moc"
