// The maps are what the window is for: they fill their card by its shape, one of them is large when its title is
// pressed, and both ends of their axes say where they are.
#include "tests/ui/window_support.h"

#include "core/document/session.h"
#include "ui/plot/axis_numbers.h"
#include "core/scaling/scale_method.h"
#include "ui/workbench/document.h"
#include "ui/explore/difference_tile.h"
#include "ui/views/tile_places.h"
#include "ui/widgets/elided.h"
#include "ui/window/presentation.h"

#include <QAccessible>
#include <QDockWidget>

#include <QComboBox>
#include <QLabel>

#include <functional>
#include <map>

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
    void aDifferenceSaysWhatItIs();
    void theLargeMapIsKept();
    void theNameOfTheCardStays();
    void theFootSaysAllFacts_data();
    void theFootSaysAllFacts();
    void aDifferenceNamesItsSides();
    void whatIsReadStandsOffTheEdge();
    void aRangeOfMeansSaysSo();
    void headingsOfThreeColumnsAreWhole();
    void headingsSayTheirNumbersAllOrNone();
    void rowsOfAPixelAreABand();
    void onStageNamesStandASpaceApart();
    void aBarIsThereForMapsInSight();
    void labelsOfABarStandAGapAway_data();
    void labelsOfABarStandAGapAway();
    void headingsBeginAtOnePlace();
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

    // what they take from the charts comes back with them: the same methods, the same widths
    const auto* charts = m_window->findChild<QDockWidget*>(u"entropy"_s);
    std::map<std::size_t, int> widths;
    for (const std::size_t methods : {4, 3, 4, 2, 3, 4, 2}) {
        m_window->document().edit(QStringLiteral("Methods"), [&](Scenario& scenario) {
            scenario.methods = withMethods({"vanilla", "log_n", "softmax_plus", "infoscale"}).methods;
            scenario.methods.resize(methods);
        });
        QVERIFY(settle(*m_window));
        QTest::qWait(20);
        const int wide = widths.emplace(methods, charts->width()).first->second;
        QTRY_COMPARE(charts->width(), wide);
    }
    QVERIFY(widths[2] > widths[4]);
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

/// A ratio under logarithmic colours, else a difference: in words, not by one sign.
void MapRoomTest::aDifferenceSaysWhatItIs()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window && settle(*m_window));
    const auto says = [this] {
        const DifferenceTile* tile = m_window->explore().heatmaps().difference();
        return tile ? tile->between() : QString();
    };
    m_window->document().editLook([](Look& look) {
        look.maps.difference = true;
        look.maps.log = true;
    });
    QTRY_COMPARE(says(), QStringLiteral("over"));
    m_window->document().editLook([](Look& look) { look.maps.log = false; });
    QTRY_COMPARE(says(), QStringLiteral("minus"));
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

namespace {

void chooseMethods(MainWindow& window, const std::vector<const char*>& ids)
{
    window.document().editOnce(QStringLiteral("Methods"),
                               [&](Scenario& scenario) { scenario.methods = withMethods(ids).methods; });
}

}  // namespace

/// What a cell is gives way to it, and is never cut.
void MapRoomTest::theNameOfTheCardStays()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    for (const auto& methods : {std::vector{"vanilla", "log_n"}, {"vanilla", "softmax_plus", "infoscale"}}) {
        chooseMethods(*m_window, methods);
        QVERIFY(settle(*m_window));
        QTest::qWait(50);
        const ElidedLabel *name = nullptr, *cells = nullptr;
        for (const ElidedLabel* label : m_window->explore().heatmaps().findChildren<ElidedLabel*>()) {
            if (label->text() == QStringLiteral("Attention"))
                name = label;
            if (label->accessibleDescription() == QStringLiteral("What a cell of the maps shows"))
                cells = label;
        }
        QVERIFY(name && cells && name->isVisible() && !name->isElided());
        QVERIFY2(!cells->shown().contains(QChar(0x2026)), qPrintable(cells->shown()));
        QVERIFY2(name->toolTip().contains(cells->text()), qPrintable(name->toolTip()));
    }
}

void MapRoomTest::theFootSaysAllFacts_data()
{
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)})
        QTest::addRow("%d wide", size.width()) << size;
}

/// Of the cell under the pointer, however long its numbers are.
void MapRoomTest::theFootSaysAllFacts()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    m_window->document().editOnce(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 1290; });
    QVERIFY(settle(*m_window));
    m_window->pointer().point({.row = 983, .key = 898, .method = 1});
    QTRY_VERIFY(m_window->explore().heatmaps().reading().contains(QStringLiteral("984")));
    const auto* foot = m_window->explore().heatmaps().findChild<FactLine*>();
    QCOMPARE(foot->shown(), foot->text().count(QStringLiteral("&nbsp;&nbsp;&nbsp; ")) + 1);
}

/// Of nine methods in a low window too: their names are whole, and so is the panel's.
void MapRoomTest::aDifferenceNamesItsSides()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->document().editOnce(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods.clear();
        for (const char* text : {"vanilla", "log_n", "su_kappa", "softmax_plus", "softmax_plus:B=100", "infoscale",
                                 "infoscale:eps=0.5", "ssmax", "custom:1"})
            scenario.methods.push_back(*parseChoice(text, scaleMethods(), "scale method"));
    });
    m_window->document().editLook([](Look& look) { look.maps.sides = MethodPair("softmax_plus", "vanilla"); });
    QVERIFY(settle(*m_window));
    const DifferenceTile* tile = m_window->explore().heatmaps().difference();
    QCOMPARE(tile->side(0)->currentText(), QStringLiteral("Softmax Plus"));
    for (const int side : {0, 1})
        QTRY_VERIFY2(!static_cast<const ElidedList*>(tile->side(side))->isElided(),
                     qPrintable(QStringLiteral("%1: %2 of %3 in %4")
                                    .arg(tile->side(side)->currentText())
                                    .arg(tile->side(side)->width())
                                    .arg(tile->side(side)->sizeHint().width())
                                    .arg(tile->width())));
    for (const ElidedLabel* label : m_window->explore().heatmaps().findChildren<ElidedLabel*>())
        if (label->text() == QStringLiteral("Attention") && label->isVisible())
            QVERIFY(!label->isElided());
}

/// A line of it or two.
void MapRoomTest::whatIsReadStandsOffTheEdge()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const HeatmapPanel& card = m_window->explore().heatmaps();
    const auto* foot = card.findChild<FactLine*>();
    QVERIFY2(card.height() - foot->geometry().bottom() - 1 >= 2, qPrintable(QString::number(foot->y())));
    const QWidget* grid = card.tiles().front()->parentWidget();
    QVERIFY2(foot->y() - grid->geometry().bottom() - 1 >= 2, qPrintable(QString::number(foot->y())));
}

/// Of 64 cells each has its pixels and the range is that of the weights, whatever the size of the window; of more the
/// bar says what it is of.
void MapRoomTest::aRangeOfMeansSaysSo()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const auto said = [&] {
        for (const auto* bar : m_window->explore().heatmaps().findChildren<ColourBar*>())
            if (bar->accessibleName().startsWith(QStringLiteral("Colours of the weights")))
                return bar->accessibleDescription();
        return QString();
    };
    const QString small = said();
    QVERIFY2(small.startsWith(QStringLiteral("weight, from")), qPrintable(small));
    m_window->resize(1600, 1000);
    QTest::qWait(50);
    QVERIFY(settle(*m_window));
    QCOMPARE(said(), small);
    m_window->document().editOnce(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 4096; });
    QVERIFY(settle(*m_window));
    QTRY_VERIFY2(said().startsWith(QStringLiteral("mean w, from")), qPrintable(said()));
    m_window->document().editOnce(QStringLiteral("Pooling"),
                                  [](Scenario& scenario) { scenario.view.pool = Pool::Max; });
    QVERIFY(settle(*m_window));
    QTRY_VERIFY2(said().startsWith(QStringLiteral("weight, from")), qPrintable(said()));
}

void MapRoomTest::headingsOfThreeColumnsAreWhole()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->document().editOnce(QStringLiteral("Length n"), [](Scenario& scenario) {
        scenario.n = 400;
        scenario.nTrain = 100;
        scenario.attention.mask = {"full", {}, {}};
    });
    chooseMethods(*m_window, {"vanilla", "softmax_plus", "infoscale", "log_n"});
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QVERIFY2(tile->caption().contains(QStringLiteral("m = ")) && !tile->isCaptionElided(),
                 qPrintable(tile->name() + QStringLiteral(": ") + tile->caption()));
}

/// Maps beside each other without one of the numbers would be compared by the others.
void MapRoomTest::headingsSayTheirNumbersAllOrNone()
{
    int with = 0, without = 0;
    for (const QSize size : {QSize(1052, 521), QSize(1280, 720), QSize(1600, 1000)}) {
        m_window = smallWindow(size);
        QVERIFY(m_window);
        for (const std::size_t count : {3, 5, 9}) {
            std::vector<const char*> ids{"vanilla", "softmax_plus",       "infoscale", "log_n", "su_kappa",
                                         "row_log", "entropy_mean_field", "yarn",      "ssmax"};
            ids.resize(count);
            chooseMethods(*m_window, ids);
            QVERIFY(settle(*m_window));
            QTest::qWait(50);
            const auto& tiles = m_window->explore().heatmaps().tiles();
            const bool first = tiles.front()->captionShown().isEmpty();
            (first ? without : with) += 1;
            for (const HeatmapTile* tile : tiles)
                QVERIFY2(tile->captionShown().isEmpty() == first && !tile->captionShown().endsWith(QChar(0x2026)),
                         qPrintable(QStringLiteral("%1 of %2 at %3: %4")
                                        .arg(tile->name())
                                        .arg(count)
                                        .arg(size.width())
                                        .arg(tile->captionShown())));
        }
    }
    QVERIFY(with > 0 && without > 0);
}

/// From the lowest to the highest of them, with their mean; where each has its pixel there is a line alone.
void MapRoomTest::rowsOfAPixelAreABand()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const auto plot = [&]() -> const HeatmapPlot& { return *m_window->explore().heatmaps().tiles().front()->plot(); };
    QTRY_COMPARE(plot().entropies().line().data()->size(), 64);
    QCOMPARE(plot().entropies().lowest().data()->size(), 0);
    m_window->document().editOnce(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 2048; });
    QVERIFY(settle(*m_window));
    const auto& rows = m_window->analyser().current()->methods.front().rows;
    QCOMPARE(rows.size(), 2048U);
    const QCPGraph *low = &plot().entropies().lowest(), *high = &plot().entropies().highest();
    const int side = plot().frame().height();
    QVERIFY2(std::abs(low->data()->size() - side) <= 1, qPrintable(QString::number(low->data()->size())));
    QCOMPARE(high->data()->size(), low->data()->size());
    QCOMPARE(plot().entropies().line().data()->size(), low->data()->size());
    double least = INFINITY, most = -INFINITY, wantedLeast = INFINITY, wantedMost = -INFINITY;
    for (int i = 0; i < low->data()->size(); ++i) {
        const double bottom = low->data()->at(i)->value, middle = plot().entropies().line().data()->at(i)->value,
                     top = high->data()->at(i)->value;
        QVERIFY(bottom <= middle && middle <= top);
        least = std::min(least, bottom);
        most = std::max(most, top);
    }
    for (const RowSummary& row : rows) {
        wantedLeast = std::min<double>(wantedLeast, row.entropy);
        wantedMost = std::max<double>(wantedMost, row.entropy);
    }
    QCOMPARE(least, wantedLeast);
    QCOMPARE(most, wantedMost);
}

/// Without the room of the arrows, which are not there.
void MapRoomTest::onStageNamesStandASpaceApart()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window && settle(*m_window));
    m_window->document().editLook([](Look& look) { look.maps.difference = true; });
    m_window->presentation().setOn(true);
    QTRY_VERIFY(m_window->presentation().isOn());
    QVERIFY(settle(*m_window));
    const DifferenceTile& tile = *m_window->explore().heatmaps().difference();
    const auto textEnd = [&](int side) {
        const QComboBox* list = tile.side(side);
        return list->mapTo(&tile, QPoint(static_cast<const ElidedList*>(list)->textLeft(), 0)).x() +
               list->fontMetrics().horizontalAdvance(list->currentText());
    };
    const auto gap = [&] {
        return tile.side(1)->mapTo(&tile, QPoint(static_cast<const ElidedList*>(tile.side(1))->textLeft(), 0)).x() -
               textEnd(0) - tile.side(0)->fontMetrics().horizontalAdvance(QStringLiteral("over"));
    };
    const bool isReached = QTest::qWaitFor([&] { return gap() > 4 && gap() <= 20; });
    const int reached = gap();
    m_window->presentation().setOn(false);  // its type is larger
    QVERIFY2(isReached, qPrintable(QString::number(reached)));
}

/// One map alone has no bar of another kind beside its own, which has that room.
void MapRoomTest::aBarIsThereForMapsInSight()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    HeatmapPanel& maps = m_window->explore().heatmaps();
    const auto bar = [&](const char* name) {
        for (QWidget* one : maps.findChildren<QWidget*>())
            if (auto* found = dynamic_cast<ColourBar*>(one);
                found && found->accessibleName().contains(QLatin1String(name)))
                return found;
        return static_cast<ColourBar*>(nullptr);
    };
    ColourBar *weights = bar("weights"), *ratio = bar("difference");
    QVERIFY(weights && ratio && weights->isVisible() && ratio->isVisible());
    const double before = weights->ramp().width();
    const auto alone = [](MapTile* tile) {
        QTest::mouseDClick(tile->plot(), Qt::LeftButton, {}, tile->plot()->frame().center());
        QTest::qWait(50);
    };
    alone(maps.tiles().front());
    QVERIFY(weights->isVisible() && !ratio->isVisible());
    QVERIFY2(weights->ramp().width() > before + 10, qPrintable(QString::number(weights->ramp().width())));
    alone(maps.tiles().front());
    QVERIFY(weights->isVisible() && ratio->isVisible());
    alone(maps.difference());
    QVERIFY(!weights->isVisible() && ratio->isVisible());
}

void MapRoomTest::labelsOfABarStandAGapAway_data()
{
    QTest::addColumn<bool>("low");
    QTest::addColumn<bool>("high");
    for (const bool low : {false, true})
        for (const bool high : {false, true})
            QTest::addRow("%d %d", int(low), int(high)) << low << high;
}

/// From the ramp, or from the tip beyond it, and nothing dark is drawn around a light tip.
void MapRoomTest::labelsOfABarStandAGapAway()
{
    QFETCH(bool, low);
    QFETCH(bool, high);
    ColourBar bar(QStringLiteral("Colours"));
    bar.setScale({.low = 5e-5, .high = 0.5, .log = true}, QStringLiteral("weight"), {low, high});
    bar.resize(280, bar.height());
    const QImage image = bar.grab().toImage();
    const QColor ground = image.pixelColor(image.width() - 1, 0);
    const auto isBare = [&](int x) {
        for (int y = 0; y < image.height(); ++y)
            if (std::abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 24)
                return false;
        return true;
    };
    const auto gapFrom = [&](int x, int by) {  // bare columns between what ends at about x and what comes next
        while (!isBare(x))
            x += by;
        int gap = 0;
        for (; isBare(x) && gap < 60; x += by)
            ++gap;
        return gap;
    };
    const QRectF ramp = bar.ramp();
    const int left = gapFrom(static_cast<int>(ramp.left()), -1), right = gapFrom(static_cast<int>(ramp.right()) - 1, 1);
    QVERIFY2(left >= 4 && left <= 9 && right >= 4 && right <= 9,
             qPrintable(QStringLiteral("%1, %2").arg(left).arg(right)));
    QVERIFY2(std::abs(left - right) <= 3, qPrintable(QStringLiteral("%1, %2").arg(left).arg(right)));
    for (int x = static_cast<int>(ramp.right()) + 1; high && x < ramp.right() + 5; ++x)
        for (int y = 0; y < image.height(); ++y)
            QVERIFY2(image.pixelColor(x, y).lightness() > 90, "an outline");
}

/// The map's left edge, where there is room: a swatch and the names above a difference too, which with a line each have
/// what stands between them before the second.
void MapRoomTest::headingsBeginAtOnePlace()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    HeatmapPanel& maps = m_window->explore().heatmaps();
    const auto beginnings = [&] {
        std::vector<int> all;
        for (MapTile* tile : std::vector<MapTile*>{maps.tiles()[1], maps.difference()}) {
            const QImage image = tile->heading()->grab().toImage();
            const QColor ground = image.pixelColor(image.width() - 1, 0);
            int first = 0;
            const auto isBare = [&](int x) {
                for (int y = 0; y < std::min(image.height(), MapTile::headingHeight(1)); ++y)
                    if (std::abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 40)
                        return false;
                return true;
            };
            while (first + 1 < image.width() && isBare(first))
                ++first;
            all.push_back(tile->heading()->mapTo(&maps, QPoint(qRound(first / image.devicePixelRatio()), 0)).x() -
                          tile->plot()->mapTo(&maps, QPoint(tile->plot()->frame().left(), 0)).x());
        }
        return all;
    };
    const std::vector<int> wide = beginnings();
    for (const int from : wide)
        QVERIFY2(std::abs(from) <= 2, qPrintable(QString::number(from)));
    QWidget* between = nullptr;
    for (QLabel* label : maps.difference()->findChildren<QLabel*>())
        if (label->text() == maps.difference()->between())
            between = label;
    QVERIFY(between);
    maps.difference()->arrange(2, 160);
    QApplication::processEvents();
    const QWidget *first = maps.difference()->side(0), *second = maps.difference()->side(1);
    QVERIFY(between->geometry().center().y() > first->geometry().bottom());
    QVERIFY(between->geometry().right() <= second->geometry().left());
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
    QCOMPARE(axisNumbers(0, 16384, 300, metrics).back().text, QStringLiteral("16\u202F384"));
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
