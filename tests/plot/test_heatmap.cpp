// Heatmaps: cell edges, device pixels, what lies under the pointer, colour ranges.

#include "ui/plot/heatmap_plottable.h"

#include <QPainter>
#include <QTest>

#include <array>

using namespace attnscope;

namespace {

std::shared_ptr<PooledMap> checkerboard(int rows, int columns)
{
    auto map = std::make_shared<PooledMap>();
    map->region = {0, rows, 0, columns};
    map->rows = rows;
    map->columns = columns;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            map->values.push_back((row + column) % 2 ? 1.0F : 0.25F);
    return map;
}

constexpr ColourScale plainScale{0, 1, false, nullptr, true};

}  // namespace

class TestHeatmap : public QObject {
    Q_OBJECT

private slots:
    void cellEdgesAreExactAtWholeMagnification_data()
    {
        QTest::addColumn<int>("magnification");
        QTest::addColumn<double>("ratio");
        for (int factor : {1, 3, 8})
            for (double ratio : {1.0, 2.0})
                QTest::addRow("%d times, pixel ratio %g", factor, ratio) << factor << ratio;
    }
    void cellEdgesAreExactAtWholeMagnification()
    {
        QFETCH(int, magnification);
        QFETCH(double, ratio);
        const auto map = checkerboard(5, 7);
        const int pixels = static_cast<int>(magnification * ratio);
        QImage image(7 * pixels + 4, 5 * pixels + 4, QImage::Format_RGB32);
        image.fill(Qt::white);
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        const double offset = 2 / ratio;
        paintHeatmap(painter, QRectF(offset, offset, 7 * magnification, 5 * magnification), *map, plainScale);
        painter.end();
        for (int y = 0; y < 5 * pixels; ++y)
            for (int x = 0; x < 7 * pixels; ++x)
                QCOMPARE(image.pixel(x + 2, y + 2),
                         plainScale.colour(static_cast<double>(map->at(y / pixels, x / pixels))));
        QCOMPARE(image.pixel(1, 1), QRgb(0xffffffff));
        QCOMPARE(image.pixel(7 * pixels + 2, 2), QRgb(0xffffffff));
    }

    void everyPixelIsOneCellAtAnyMagnification()
    {
        const auto map = checkerboard(10, 10);
        QImage image(137, 101, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        paintHeatmap(painter, QRectF(3.3, 2.7, 127.4, 95.2), *map, plainScale);
        painter.end();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QRgb pixel = image.pixel(x, y);
                QVERIFY(pixel == 0xffffffff || pixel == plainScale.colour(1) || pixel == plainScale.colour(0.25));
            }
    }

    void maskedCellsAreNotPainted()
    {
        auto map = checkerboard(2, 2);
        map->values = {0.5F, 0.0F, 0.5F, 0.5F};
        const QImage image = heatmapImage(*map, plainScale);
        QCOMPARE(qAlpha(image.pixel(1, 0)), 0);
        QCOMPARE(qAlpha(image.pixel(0, 1)), 255);
    }

    void rowsWithoutAValueAreFound()
    {
        const auto rows = [](std::initializer_list<int> visible) {
            std::vector<RowSummary> out(visible.size());
            std::transform(visible.begin(), visible.end(), out.begin(), [](int keys) {
                RowSummary row;
                row.visible = keys;
                return row;
            });
            return out;
        };
        using Bands = std::vector<RowBand>;
        QCOMPARE(rowsWithoutValue(rows({1, 0, 0, 2, 0}), {}, 5), (Bands{{1, 3}, {4, 5}}));
        QCOMPARE(rowsWithoutValue(rows({3, 2, 1}), {}, 3), Bands{});
        // rows 0, 10 and 20 of 30: the first stands for 0 .. 4, the last for 15 .. 29
        const std::array<std::int64_t, 3> sampled{0, 10, 20};
        QCOMPARE(rowsWithoutValue(rows({0, 1, 0}), sampled, 30), (Bands{{0, 5}, {15, 30}}));
        QCOMPARE(joined({{1, 3}, {8, 9}}, Bands{{2, 5}, {6, 7}}), (Bands{{1, 5}, {6, 7}, {8, 9}}));
    }

    void rowsWithoutAValueAreHatched()
    {
        auto map = checkerboard(4, 4);
        std::fill(map->values.begin(), map->values.end(), 1.0F);
        QImage image(40, 40, QImage::Format_RGB32);
        QPainter painter(&image);
        paintHeatmap(painter, QRectF(0, 0, 40, 40), *map, plainScale);
        const std::array<RowBand, 1> bands{{{1, 3}}};
        paintRowBands(painter, QRectF(0, 0, 40, 40), map->region, bands, Qt::white, Qt::black);
        painter.end();
        int paper = 0, ink = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x) {
                const QRgb pixel = image.pixel(x, y);
                if (y < 10 || y >= 30) {
                    QCOMPARE(pixel, plainScale.colour(1));
                    continue;
                }
                paper += pixel == 0xffffffff;
                ink += pixel == 0xff000000;
            }
        QCOMPARE(paper + ink, 20 * 40);
        QVERIFY(ink > 40 && paper > ink);
    }

    void theImageHasTheScalesColours()
    {
        auto map = checkerboard(1, 4);
        map->values = {1e-5F, 1e-3F, 2e-2F, 1.0F};
        const ColourScale log{1e-4, 1, true, nullptr, true};
        const QImage image = heatmapImage(*map, log);
        for (int column = 0; column < 4; ++column)
            QCOMPARE(image.pixel(column, 0), log.colour(static_cast<double>(map->values[static_cast<size_t>(column)])));
    }

    /// A tip in the end's colour stands at an end that values lie beyond, and at no other.
    void valuesBeyondTheScaleAreMarked_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<bool>("blank");
        QTest::addColumn<bool>("low");
        QTest::addColumn<bool>("high");
        QTest::addRow("inside") << 0.5F << true << false << false;
        QTest::addRow("at an end") << 1.0F << true << false << false;
        QTest::addRow("below") << -1.0F << true << true << false;
        QTest::addRow("above") << 1.5F << true << false << true;
        QTest::addRow("masked") << 0.0F << true << false << false;
        QTest::addRow("0, not masked") << 0.0F << false << true << false;
        QTest::addRow("no value") << NAN << true << false << false;
    }
    void valuesBeyondTheScaleAreMarked()
    {
        QFETCH(float, value);
        QFETCH(bool, blank);
        PooledMap map;
        map.rows = 1;
        map.columns = 2;
        map.values = {0.75F, value};
        const ColourScale scale{.low = 0.25, .high = 1, .zeroIsBlank = blank};
        const Beyond beyond = valuesBeyond(std::array<const PooledMap*, 1>{&map}, scale);
        QTEST(beyond.low, "low");
        QTEST(beyond.high, "high");
        QImage image(120, 40, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintColourBar(painter, {20, 10, 80, 8}, scale, {}, PlotStyle(), beyond);
        painter.end();
        const auto marked = [&](int x) { return image.pixelColor(x, 14) != QColor(Qt::white); };
        QCOMPARE(marked(18), beyond.low);
        QCOMPARE(marked(101), beyond.high);
    }

    /// On both grounds, and its ramp rises from worse at the left to better at the right.
    void betterIsBlue()
    {
        const ColourScale scale = gainScale(2);
        const auto blueLess = [](QRgb colour) { return qBlue(colour) - qRed(colour); };
        for (const bool dark : {false, true}) {
            const ColourScale shown = onGround(scale, dark);
            QVERIFY(blueLess(shown.colour(2)) > 60 && blueLess(shown.colour(-2)) < -60);
            QVERIFY(std::abs(blueLess(shown.colour(0))) < 10);
        }
        QImage image(120, 40, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintColourBar(painter, {20, 10, 80, 8}, scale, {}, PlotStyle(), {});
        painter.end();
        QVERIFY(blueLess(image.pixel(22, 14)) < -60 && blueLess(image.pixel(98, 14)) > 60);
        QCOMPARE(endText(100), QStringLiteral("100"));
    }

    /// Whatever the decades between: a short ramp too says what its first and last colours are.
    void bothEndsOfAShortRampAreSaid()
    {
        const PlotStyle style;
        for (const double low : {1e-3, 1e-4, 1e-5, 1e-6}) {
            const ColourScale scale{.low = low, .high = 1, .log = true};
            const QRectF ramp(20, 10, std::round(2.5 * 3.5 * style.small), 8);
            QImage image(160, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintColourBar(painter, ramp, scale, {}, style, {});
            painter.end();
            for (const double end : {ramp.left(), ramp.right()}) {  // its stroke below the ramp
                int ink = 0;
                for (const int x : {-1, 0})
                    ink += image.pixelColor(static_cast<int>(end) + x, 18).lightness() < 200;
                QVERIFY2(ink > 0, qPrintable(QStringLiteral("%1 at %2").arg(low).arg(end)));
            }
        }
    }

    void thePointerFindsTheCellThatCoversItsKey()
    {
        // 7 keys in 3 cells: floor(c 7 / 3) = 0, 2, 4.
        auto map = checkerboard(3, 3);
        map->region = {100, 107, 200, 207};
        QCustomPlot plot;
        plot.resize(300, 300);
        auto* heatmap = new HeatmapPlottable(plot.xAxis, plot.yAxis);
        heatmap->setMap(map, {});
        plot.xAxis->setRange(200, 207);
        plot.yAxis->setRange(100, 107);
        plot.replot();
        const std::array<int, 7> expected{0, 0, 1, 1, 2, 2, 2};
        for (int key = 0; key < 7; ++key) {
            const auto cell = heatmap->cellAt({plot.xAxis->coordToPixel(200.5 + key), plot.yAxis->coordToPixel(100.5)});
            QVERIFY(cell.has_value());
            QCOMPARE(cell->key, std::int64_t(200 + key));
            QCOMPARE(cell->query, std::int64_t(100));
            QCOMPARE(cell->column, expected[static_cast<size_t>(key)]);
        }
        QVERIFY(!heatmap->cellAt({plot.xAxis->coordToPixel(207.5), plot.yAxis->coordToPixel(100.5)}));
        QVERIFY(plot.yAxis->coordToPixel(100) < plot.yAxis->coordToPixel(107));  // the first query is on top
    }

    void severalMapsShareOneRange()
    {
        auto a = checkerboard(2, 2), b = checkerboard(2, 2);
        b->values = {0.0F, 1e-7F, 0.5F, 0.1F};
        const std::array<const PooledMap*, 2> maps{a.get(), b.get()};
        QCOMPARE(largestOf(maps), 1.0);
        QCOMPARE(largestOf({}), 1.0);
    }

    /// Log: whole decades that hold the largest weight and a tenth of the even share; linear: 0 to 1, 2 or 5.
    void endsOfAScaleAreRound()
    {
        QCOMPARE(weightScale(1, true).low, 1e-4);
        for (const double largest : {0.02, 0.05, 0.1F + 0.0}) {
            QCOMPARE(weightScale(largest, true).high, 0.1);
            QCOMPARE(weightScale(largest, true, nullptr, 2.3).low, 1e-4);
        }
        QCOMPARE(weightScale(0.07, false).high, 0.1);
        QCOMPARE(weightScale(0.03, false).high, 0.05);
        QCOMPARE(weightScale(0.2, false).high, 0.2);
        QCOMPARE(weightScale(0.2, false).low, 0.0);
        QCOMPARE(decadesFor(512), 4.0);  // 1/5120 is above 1e-4
        QCOMPARE(weightScale(1, true, nullptr, decadesFor(16384)).low, 1e-6);
    }
};

QTEST_MAIN(TestHeatmap)
#include "test_heatmap.moc"
