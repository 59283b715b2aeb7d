// The loupe: beside the pointer over a map, the weights of the cells around it, as they are. It leaves neither the
// window nor the cell under the pointer out of sight.
#include "tests/model/small_gguf.h"
#include "tests/ui/window_support.h"

#include "core/attention/row_detail.h"
#include "core/base/choice.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/model/head_view.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/workbench/model_runner.h"
#include "ui/explore/difference_tile.h"
#include "ui/views/map_loupe.h"

#include <QAction>
#include <QTemporaryDir>

#include <cmath>
#include <map>

using namespace attnscope;
using namespace attnscope::testing;

class LoupeTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void cleanup() { m_window.reset(); }
    void itStandsBesideTheCell_data();
    void itStandsBesideTheCell();
    void thereIsNoRoomForIt();
    void itEndsWhereTheMatrixDoes();
    void factsOfACell();
    void itShowsTheWeightsThemselves_data();
    void itShowsTheWeightsThemselves();
    void itIsThereWhileItIsWanted();
    void itShowsAModelsHead();

private:
    HeatmapPanel& maps() { return m_window->explore().heatmaps(); }
    MapLoupe& loupe() { return *maps().loupe(); }
    void turnOn()
    {
        m_window->document().editLook([](Look& look) { look.maps.loupe = true; });
    }
    std::unique_ptr<MainWindow> m_window;
};

namespace {

QPointF middleOf(const HeatmapPlot& plot, std::int64_t row, std::int64_t key)
{
    return plot.chartLayout().place(double(key) + 0.5, double(row) + 0.5);
}

QString factOf(const LoupeReading& reading, const QString& name)
{
    for (const auto& [known, value] : reading.facts)
        if (known == name)
            return value;
    return {};
}

double weightOf(const LoupeReading& reading, std::int64_t row, std::int64_t key)
{
    const Region& region = reading.cells.region;
    return double(reading.cells.at(int(row - region.rowBegin), int(key - region.columnBegin)));
}

}  // namespace

void LoupeTest::itStandsBesideTheCell_data()
{
    QTest::addColumn<QPoint>("pointer");
    QTest::addColumn<QRect>("cell");
    for (int x = 0; x < 1280; x += 79)
        for (int y = 0; y < 720; y += 71)
            for (const int side : {1, 30, 200})
                QTest::addRow("%d, %d, %d", x, y, side)
                    << QPoint(x, y) << QRect(x - side / 2, y - side / 2, side, side);
}

void LoupeTest::itStandsBesideTheCell()
{
    QFETCH(QPoint, pointer);
    QFETCH(QRect, cell);
    const QRect room(0, 0, 1280, 720), place = loupePlace({254, 334}, pointer, cell, room, 16);
    QCOMPARE(place.size(), QSize(254, 334));
    QVERIFY(room.contains(place));
    QVERIFY(!place.intersects(cell));
    QVERIFY(!place.contains(pointer));
}

void LoupeTest::thereIsNoRoomForIt()
{
    QVERIFY(loupePlace({254, 334}, {150, 150}, {149, 149, 2, 2}, {0, 0, 300, 340}, 16).isEmpty());
}

void LoupeTest::itEndsWhereTheMatrixDoes()
{
    QCOMPARE(loupeRegion({.row = 10, .key = 20}, 64, 64), (Region{8, 13, 18, 23}));
    QCOMPARE(loupeRegion({.row = 0, .key = 63}, 64, 64), (Region{0, 3, 61, 64}));
    QCOMPARE(loupeRegion({.row = 10, .key = 20}, 64, 64, 2), (Region{6, 15, 16, 25}));
}

void LoupeTest::factsOfACell()
{
    const std::vector<std::string> tokens{"Once", " upon", "\n"};
    const RowDetail row{.keys = {0, 1}, .logits = {0.5, 2.25}, .weights = {0.25, 0.75}};
    using Facts = std::vector<std::pair<QString, QString>>;
    QCOMPARE(loupeFacts({.row = 1, .key = 1}, tokens, &row), (Facts{{"query", QStringLiteral("1 \u201Cupon\u201D")},
                                                                    {"key", QStringLiteral("1 \u201Cupon\u201D")},
                                                                    {"weight", "0.75"},
                                                                    {"logit", "2.25"}}));
    QCOMPARE(loupeFacts({.row = 1, .key = 2}, {}, &row),
             (Facts{{"query", "1"}, {"key", "2"}, {"weight", "masked"}, {"logit", QStringLiteral("\u2013")}}));
    QCOMPARE(loupeFacts({.row = 1, .key = 2}, {}, nullptr).size(), 2u);  // its row is being computed
}

void LoupeTest::itShowsTheWeightsThemselves_data()
{
    QTest::addColumn<std::int64_t>("n");
    QTest::addRow("a pixel a cell") << std::int64_t(64);
    QTest::addRow("pooled") << std::int64_t(900);
    QTest::addRow("with a preview") << std::int64_t(1500);
}

/// Against the row's own weights, which another function computes.
void LoupeTest::itShowsTheWeightsThemselves()
{
    QFETCH(std::int64_t, n);
    Scenario scenario = smallScenario();
    scenario.n = n;
    m_window = smallWindow();
    QVERIFY(m_window);
    m_window->document().replaceOnce(QStringLiteral("n"), scenario);
    QVERIFY(settle(*m_window));
    turnOn();
    const std::size_t tile = 1;
    HeatmapPlot* plot = maps().tiles()[tile]->plot();
    const QPointF at = middleOf(*plot, n - 20, n / 2);
    hover(plot, at);
    const Pointed pointed = loupe().reading().at;
    QVERIFY(pointed.row > n - 60 && pointed.row < n && std::abs(pointed.key - n / 2) < 40);
    QTRY_VERIFY(!factOf(loupe().reading(), "weight").isEmpty());
    QVERIFY(loupe().isVisible());
    QCOMPARE(loupe().reading().of, u"Softmax Plus"_s);
    QVERIFY(loupe().parentWidget()->rect().contains(loupe().geometry()));
    QVERIFY(!loupe().geometry().contains(plot->mapTo(m_window.get(), at.toPoint())));
    for (std::int64_t row = pointed.row - 2; row <= std::min(n - 1, pointed.row + 2); ++row) {
        scenario.view.row = row;
        scenario.view.curvePoints = 0;
        const auto analysis = analyse(scenario, {});
        QVERIFY(analysis);
        const RowDetail& exact = analysis->methods[tile].chosen;
        std::map<std::int64_t, double> weights;
        for (std::size_t k = 0; k < exact.keys.size(); ++k)
            weights[exact.keys[k]] = exact.weights[k];
        for (std::int64_t key = pointed.key - 2; key <= pointed.key + 2; ++key)
            QVERIFY(std::abs(weightOf(loupe().reading(), row, key) - weights[key]) <= 1e-5 * weights[key] + 1e-12);
        if (row == pointed.row)
            QCOMPARE(factOf(loupe().reading(), "weight"), printed(formatNumber(weights[pointed.key], 4)));
    }
}

void LoupeTest::itIsThereWhileItIsWanted()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    HeatmapPlot* plot = maps().tiles().front()->plot();
    hover(plot, middleOf(*plot, 40, 20));
    QVERIFY(!loupe().isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_L);
    QVERIFY(m_window->document().look().maps.loupe);
    QTRY_VERIFY(loupe().isVisible());
    QEvent away(QEvent::Leave);
    QApplication::sendEvent(plot, &away);
    QVERIFY(!loupe().isVisible());
    hover(plot, middleOf(*plot, 41, 20));
    QTRY_VERIFY(loupe().isVisible());
    m_window->setWorkspace(QStringLiteral("learn"));
    QVERIFY(!loupe().isVisible());
    m_window->setWorkspace(QStringLiteral("explore"));
    if (maps().difference()) {
        HeatmapPlot* difference = maps().difference()->plot();
        hover(difference, middleOf(*difference, 40, 20));
        QTRY_VERIFY(loupe().isVisible() && !loupe().reading().cells.values.empty());
        QCOMPARE(loupe().reading().of, u"Softmax Plus over Vanilla"_s);  // colours are logarithmic
    }
    QTest::keyClick(m_window.get(), Qt::Key_L);
    QVERIFY(!loupe().isVisible());
}

void LoupeTest::itShowsAModelsHead()
{
    QTemporaryDir folder;
    QCOMPARE(writeModel(smallModel("llama"), folder.path().toStdString()), std::string());
    m_window = smallWindow();
    QVERIFY(m_window);
    m_window->document().editLook([](Look& look) {
        look.model.text = ModelText::Repeated;
        look.model.windows = 2;
        look.model.last = 4;
        look.maps.loupe = true;
    });
    m_window->openFile(folder.path());
    m_window->document().editLook([](Look& look) { look.model.lengths = {16, 32}; });
    ModelRunner& runner = m_window->model().runner();
    QTRY_VERIFY(runner.picture().analysis && runner.picture().a.of == runner.shown());
    HeadView* head = m_window->model().heads()->head();
    hover(head->plot(), middleOf(*head->plot(), 10, 4));
    QVERIFY(head->loupe()->isVisible());
    const LoupeReading& reading = head->loupe()->reading();
    QCOMPARE(reading.at.row, std::int64_t(10));
    QCOMPARE(reading.at.key, std::int64_t(4));
    const PooledMap& map = runner.picture().analysis->methods.front().map;  // a cell a weight at this length
    QCOMPARE(map.rows, int(runner.picture().analysis->queryCount));
    for (std::int64_t row = 8; row <= 12; ++row)
        for (std::int64_t key = 2; key <= 6; ++key)
            QVERIFY(std::abs(weightOf(reading, row, key) - double(map.at(int(row), int(key)))) < 1e-5);
}

QTEST_MAIN(LoupeTest)
#include "loupe_test.moc"
