// Typeset text, ticks, colour maps, method styles, the layout of charts and what they read.

#include "core/scaling/scale_method.h"
#include "ui/plot/chart.h"
#include "ui/plot/chart_readout.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/legend.h"
#include "ui/plot/method_style.h"
#include "ui/plot/typeset.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

QFont font()
{
    return windowStyle(false).font(20);
}

/// Relative luminance of sRGB (WCAG 2).
double luminance(QRgb colour)
{
    const auto linear = [](int channel) {
        const double c = channel / 255.0;
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

double contrast(QRgb a, QRgb b)
{
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

/// CIE L*, 0 to 100.
double lightness(QRgb colour)
{
    const double y = luminance(colour);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

ChartSpec twoLines()
{
    ChartSpec spec;
    spec.x.log = true;
    spec.x.title = "n";
    spec.y.title = "H";
    for (int k = 0; k < 2; ++k) {
        ChartSeries series;
        series.label = k ? "second" : "first";
        series.style = k;
        series.points = {{1, 1.0 + k}, {10, 2.0 + k}, {1000, 4.0 + k}};
        spec.series.push_back(series);
    }
    return spec;
}

}  // namespace

class TestPlot : public QObject {
    Q_OBJECT

private slots:
    void plainTextReadsWell_data()
    {
        QTest::addColumn<QString>("markup");
        QTest::addColumn<QString>("plain");
        QTest::addRow("words") << "Sequence length" << "Sequence length";
        QTest::addRow("variable") << "Sequence length $n$" << "Sequence length n";
        QTest::addRow("greek") << "$\\lambda$" << "λ";
        QTest::addRow("minus") << "$a - 1$" << "a − 1";
        QTest::addRow("sign") << "$-1$" << "−1";
        QTest::addRow("function") << "$\\ln n$" << "ln n";
        QTest::addRow("text in mathematics") << "$\\text{mean }H$" << "mean H";
        QTest::addRow("unknown word stays") << "$\\nosuch$" << "\\nosuch";
    }
    void plainTextReadsWell()
    {
        QFETCH(QString, markup);
        QFETCH(QString, plain);
        QCOMPARE(plainText(markup), plain);
    }

    void scriptsAreSmallerAndOffTheBaseline()
    {
        const Typeset base("$x$", font()), upper("$x^2$", font()), lower("$x_2$", font()), both("$x_2^2$", font());
        QVERIFY(upper.width() > base.width());
        QVERIFY(upper.ascent() > base.ascent());
        QCOMPARE(upper.descent(), base.descent());
        QVERIFY(lower.descent() > base.descent());
        QVERIFY(both.width() < upper.width() + lower.width() - base.width());  // one above the other
    }

    void fractionsAndRootsContainTheirParts()
    {
        const Typeset part("$n$", font()), fraction("$\\frac{n}{d}$", font()), root("$\\sqrt{n}$", font());
        QVERIFY(fraction.height() > 1.5 * part.height());
        QVERIFY(fraction.width() < 2 * part.width());
        QVERIFY(root.width() > part.width());
        QVERIFY(root.ascent() >= part.ascent());
    }

    void brokenMarkupIsDrawnAsItStands_data()
    {
        QTest::addColumn<QString>("markup");
        for (const char* text : {"$", "$x", "$x_$", "$x^{", "$\\", "$\\frac{a}", "$\\sqrt", "$}$", "$_{}^{}$", "$\\text{", "$$$"})
            QTest::addRow("%s", text) << text;
    }
    void brokenMarkupIsDrawnAsItStands()
    {
        QFETCH(QString, markup);
        const Typeset text(markup, font());
        QVERIFY(std::isfinite(text.width()) && text.width() >= 0);
    }

    void ticksAreRoundNumbersInsideTheRange_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("log");
        QTest::addColumn<bool>("lengths");
        QTest::addColumn<int>("room");
        QTest::addColumn<QStringList>("texts");
        QTest::addRow("unit interval") << 0.0 << 1.0 << false << false << 6 << QStringList{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"};
        QTest::addRow("negative") << -2.0 << 2.0 << false << false << 5 << QStringList{"−2", "−1", "0", "1", "2"};
        QTest::addRow("decades") << 1e-3 << 1e3 << true << false << 8 << QStringList{"10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²", "10³"};
        QTest::addRow("every other decade") << 1.0 << 1e8 << true << false << 5 << QStringList{"1", "10²", "10⁴", "10⁶", "10⁸"};
        QTest::addRow("less than a decade") << 1.0 << 5.0 << true << false << 9 << QStringList{"1", "2", "3", "4", "5"};
        QTest::addRow("lengths") << 16.0 << 65536.0 << true << true << 7 << QStringList{"16", "64", "256", QString::fromUtf8("1 024"), QString::fromUtf8("4 096"), QString::fromUtf8("16 384"), QString::fromUtf8("65 536")};
        QTest::addRow("lengths to 1e9") << 10.0 << 1e9 << true << true << 9 << QStringList{"10", "10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"};
    }
    void ticksAreRoundNumbersInsideTheRange()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, log);
        QFETCH(bool, lengths);
        QFETCH(int, room);
        QFETCH(QStringList, texts);
        QStringList found;
        for (const Tick& tick : chooseTicks(low, high, log, lengths ? TickText::Lengths : TickText::Automatic, room).major)
            found << tick.text;
        QCOMPARE(found, texts);
    }

    /// Points without a band are equal; points with another band are not.
    void pointsAreEqualWithTheirBands()
    {
        const ChartPoint bare{1, 2}, banded{1, 2, 1.5, 2.5};
        QVERIFY(bare == (ChartPoint{1, 2}));
        QVERIFY(banded == (ChartPoint{1, 2, 1.5, 2.5}));
        QVERIFY(bare != banded);
        QVERIFY(banded != (ChartPoint{1, 2, 1.25, 2.5}));
        QVERIFY(banded != (ChartPoint{1, 2, 1.5, 2.75}));
        QVERIFY(bare != (ChartPoint{1, 3}));
    }

    /// The least and the largest ranges that there are, and the least beside them: each must come to an end.
    void noTicksForNoRange()
    {
        constexpr double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
        for (const auto& [low, high] : {std::pair{1.0, std::nextafter(1.0, 2.0)}, {-1e300, std::nextafter(-1e300, 0.0)}, {0.0, least}, {1e15, 1e15 + 1}, {-most, most}, {1.0, most},
                                        {0.0, infinity}, {-infinity, infinity}, {2.0, 1.0}})
            for (const bool log : {false, true})
                for (const TickText text : {TickText::Automatic, TickText::Lengths})
                    QVERIFY2(chooseTicks(low, high, log, text, 8).major.empty(), qPrintable(QString("%1 to %2").arg(low).arg(high)));
        QVERIFY(chooseTicks(1, 1 + 1e-6, false, TickText::Automatic, 5).major.size() >= 2);
        QVERIFY(chooseTicks(1e-290, 1e290, true, TickText::Automatic, 5).major.size() >= 2);
        QVERIFY(chooseTicks(-1e299, 1e299, false, TickText::Automatic, 5).major.size() >= 2);
        QVERIFY(chooseTicks(1, 1, false, TickText::Automatic, 5).major.empty());
        QVERIFY(chooseTicks(-1, 1, true, TickText::Automatic, 5).major.empty());
        QVERIFY(chooseTicks(0, std::nan(""), false, TickText::Automatic, 5).major.empty());
    }

    void colourMapsAreCompleteAndEven_data()
    {
        QTest::addColumn<QString>("id");
        for (const ColourMap& map : colourMaps())
            QTest::addRow("%s", map.id.c_str()) << QString::fromStdString(map.id);
    }
    void colourMapsAreCompleteAndEven()
    {
        QFETCH(QString, id);
        const auto map = findColourMap(id.toStdString());
        QVERIFY(map.has_value());
        const auto& colours = (*map)->colours;
        QVERIFY(colours.front() != colours.back());
        for (size_t i = 0; i + 1 < 256; ++i) {
            const double step = lightness(colours[i + 1]) - lightness(colours[i]);
            const bool rising = !(*map)->diverging || i < 127;
            if ((*map)->diverging && (i == 127))
                continue;
            QVERIFY2(rising ? step > -0.35 : step < 0.35, qPrintable(QString("colour %1 of %2").arg(i).arg(id)));  // 8-bit rounding
        }
        if ((*map)->diverging) {
            QVERIFY(lightness(colours[127]) > 90);
            for (size_t i = 0; i < 128; ++i)
                QVERIFY(std::abs(lightness(colours[i]) - lightness(colours[255 - i])) < 4);
        }
    }

    void viridisIsTheOneThatIsPublished()
    {
        const auto map = findColourMap("viridis");
        QCOMPARE((*map)->colours[0], 0xff440154u);
        QCOMPARE((*map)->colours[255], 0xfffde725u);
        QVERIFY(!findColourMap("jet"));
    }

    void colourScalesPlaceValues()
    {
        const ColourScale log{1e-4, 1, true};
        QCOMPARE(log.place(1e-2), 0.5);
        QCOMPARE(log.place(1e-9), 0.0);
        QCOMPARE(log.place(7), 1.0);
        const ColourScale linear{0, 2, false};
        QCOMPARE(linear.place(0.5), 0.25);
        QCOMPARE(qAlpha(linear.colour(0)), 0);
    }

    void methodsStandOutFromTheBackgroundAndFromOneAnother_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addRow("light") << false;
        QTest::addRow("dark") << true;
    }
    void methodsStandOutFromTheBackgroundAndFromOneAnother()
    {
        QFETCH(bool, dark);
        const QRgb background = windowStyle(dark).background.rgb();
        std::set<std::pair<QRgb, QString>> looks;
        for (int k = 0; k < 3 * scaleStyles; ++k) {  // every method, and two variants of each
            const MethodStyle style = methodStyle(k, dark);
            QVERIFY2(contrast(style.colour.rgb(), background) >= 3, qPrintable(QString("position %1: %2").arg(k).arg(contrast(style.colour.rgb(), background))));
            QString dash;
            for (qreal length : style.dash)
                dash += QString::number(length) + ' ';
            looks.insert({style.colour.rgb(), dash});
            if (k < 7)
                for (int j = 0; j < k; ++j)
                    QVERIFY(methodStyle(j, dark).dash != style.dash);
        }
        QCOMPARE(looks.size(), size_t(3 * scaleStyles));
    }

    void aMethodHasItsStyleForEver()
    {
        std::vector<Choice> all;
        for (const ScaleMethod& row : scaleMethods())
            all.push_back({row.id, {}, {}});
        const std::vector<int> styles = methodStyles(all);
        QCOMPARE(std::set<int>(styles.begin(), styles.end()).size(), scaleMethods().size());
        QVERIFY(std::ranges::all_of(styles, [](int style) { return style >= 0 && style < scaleStyles; }));
        const std::vector<Choice> alone{{"infoscale", {}, {}}}, after{{"log_n", {}, {}}, {"infoscale", {}, {}}, {"infoscale", {{"eps", 1}}, {}}};
        QCOMPARE(methodStyles(alone).front(), methodStyles(after)[1]);
        QCOMPARE(methodStyles(after)[2], methodStyles(after)[1] + scaleStyles);
        QCOMPARE(placeOfStyle(after, methodStyles(after)[2]), 2);
        QCOMPARE(placeOfStyle(alone, methodStyles(after)[0]), -1);
        for (int k = 0; k < 4; ++k)
            QCOMPARE(placeOfStyle(after, freeStyle(after, k)), -1);
        QVERIFY(freeStyle(after, 0) != freeStyle(after, 1));
    }

    void labelsThatWouldOverlapMoveApart()
    {
        const std::vector<double> placed = spreadApart({10, 10.5, 11, 50}, 5, 0, 100);
        QCOMPARE(placed[3], 50.0);
        QCOMPARE(placed[1] - placed[0], 5.0);
        QCOMPARE(placed[2] - placed[1], 5.0);
        QCOMPARE((placed[0] + placed[1] + placed[2]) / 3, 10.5);
        const std::vector<double> edge = spreadApart({99, 100, 98}, 5, 0, 100);
        QCOMPARE(edge[1], 100.0);
        QCOMPARE(edge[0], 95.0);
        QCOMPARE(edge[2], 90.0);
    }

    void placesAndValuesAreInverse()
    {
        const ChartLayout layout = layoutChart(twoLines(), windowStyle(false), QRectF(0, 0, 400, 300));
        const QPointF there = layout.place(31.6, 2.5), back = layout.value(there);
        QVERIFY(std::abs(back.x() - 31.6) < 1e-9);
        QVERIFY(std::abs(back.y() - 2.5) < 1e-9);
        QCOMPARE(layout.place(1, 2).x(), layout.frame.left());
        QVERIFY(std::abs(layout.place(1000, 2).x() - layout.frame.right()) < 1e-9);
        QVERIFY(QRectF(0, 0, 400, 300).contains(layout.frame));
    }

    void theLastPointCountsForTheRange()
    {
        ChartSpec spec = twoLines();
        spec.series[0].points = {{16, 1}, {512, 100}};
        spec.series.resize(1);
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 400, 300));
        QCOMPARE(layout.xRange, std::pair(16.0, 512.0));
        QVERIFY(layout.yRange.second > 100);
    }

    void aGapIsNoPoint()
    {
        ChartSpec spec = twoLines();
        spec.series[0].points[1].y = std::nan("");
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 400, 300));
        const auto hit = nearestPoint(spec, layout, layout.place(10, 3), 5);
        QVERIFY(hit.has_value());
        QCOMPARE(hit->series, 1);
        QCOMPARE(hit->point, 1);
        QVERIFY(!nearestPoint(spec, layout, layout.frame.topLeft(), 5));
    }

    void linesOutsideTheRangeAreCutAtTheFrame()
    {
        ChartSpec spec = twoLines();
        spec.series.resize(1);
        spec.series[0].label.clear();
        spec.series[0].points = {{1, -100}, {1000, 100}};
        spec.y.range = {0, 1};
        const PlotStyle style = windowStyle(false);
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(style.background);
        const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 400, 300));
        QPainter painter(&image);
        paintChart(painter, spec, style, layout);
        painter.end();
        const QRgb line = methodStyle(0, false).colour.rgb();
        bool inside = false;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) == line) {
                    inside = true;
                    QVERIFY(layout.frame.adjusted(-2, -2, 2, 2).contains(x, y));
                }
        QVERIFY(inside);
    }

    /// A chart of one curve, painted as the window does.
    static QImage paintedOnScreen(const ChartSpec& spec, ChartLayout& layout)
    {
        const PlotStyle style = windowStyle(false);
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(style.background);
        layout = layoutChart(spec, style, QRectF(0, 0, 400, 300));
        QPainter painter(&image);
        paintChart(painter, spec, style, layout);
        return image;
    }

    /// Points that no screen can show are left out; the curve is where its formula says, everywhere, and nowhere else.
    void aCurveOfManyPointsKeepsItsShape_data()
    {
        QTest::addColumn<double>("turns");
        QTest::addRow("straight") << 0.0;
        QTest::addRow("a wave") << 2.0;
        QTest::addRow("steep waves") << 12.0;
    }
    void aCurveOfManyPointsKeepsItsShape()
    {
        QFETCH(double, turns);
        const auto f = [&](double x) { return turns == 0 ? x : std::sin(2 * M_PI * turns * x); };
        ChartSpec spec;
        ChartSeries curve;
        for (int i = 0; i <= 5000; ++i)
            curve.points.push_back({i / 5000.0, f(i / 5000.0)});
        spec.series.push_back(curve);
        spec.legend = Legend::None;
        ChartLayout layout;
        const QImage image = paintedOnScreen(spec, layout);
        const QRgb line = methodStyle(0, false).colour.rgb();
        const auto nearCurve = [&](QPointF at) {
            double nearest = 1e9;
            for (const ChartPoint& point : curve.points)
                nearest = std::min(nearest, QLineF(at, layout.place(point.x, point.y)).length());
            return nearest;
        };
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixel(x, y) == line) {
                    ++drawn;
                    QVERIFY(nearCurve(QPointF(x + 0.5, y + 0.5)) < 1.2);
                }
        QVERIFY(drawn > 100);
        for (int i = 0; i <= 400; ++i) {  // some pixel about every place of the curve is no paper
            const QPointF at = layout.place(i / 400.0, f(i / 400.0));
            bool inked = false;
            for (const QPointF off : {QPointF(0, 0), QPointF(0.7, 0), QPointF(-0.7, 0), QPointF(0, 0.7), QPointF(0, -0.7)})
                inked = inked || image.pixelColor((at + off).toPoint()) != windowStyle(false).background;
            QVERIFY2(inked, qPrintable(QString("at x = %1").arg(i / 400.0)));
        }
    }

    static QRect changed(const QImage& before, const QImage& after)
    {
        QRect differing;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                if (after.pixel(x, y) != before.pixel(x, y))
                    differing |= QRect(x, y, 1, 1);
        return differing;
    }

    /// A curve that falls through the right end of the line, and one that does not.
    void theLabelOfALineAvoidsTheCurves()
    {
        for (const bool right : {true, false}) {
            ChartSpec spec;
            ChartSeries curve;
            for (int i = 0; i <= 200; ++i) {
                const double x = i / 200.0, fall = std::pow(right ? x : 1 - x, 40);
                curve.points.push_back({x, 1 - 2 * fall});
            }
            spec.series.push_back(curve);
            spec.legend = Legend::None;
            spec.lines.push_back({Qt::Horizontal, 0, {}});
            ChartLayout layout;
            const QImage without = paintedOnScreen(spec, layout);
            spec.lines.back().label = QStringLiteral("label");
            const QRect label = changed(without, paintedOnScreen(spec, layout));
            QVERIFY(!label.isEmpty());
            for (const ChartPoint& point : curve.points)
                QVERIFY(!label.contains(layout.place(point.x, point.y).toPoint()));
            QCOMPARE(label.center().x() < layout.frame.center().x(), right);
        }
    }

    /// Of a marker at the right end, where curves reach the top of the frame.
    void theLabelOfAMarkerAvoidsTheCurves()
    {
        ChartSpec spec;
        spec.legend = Legend::None;
        spec.x.range = spec.y.range = {0, 1};
        for (const double low : {0.0, 0.08, 0.16, 0.24}) {
            ChartSeries curve;
            for (int i = 0; i <= 50; ++i)
                curve.points.push_back({i / 50.0, i / 50.0 - low});
            spec.series.push_back(curve);
        }
        spec.lines.push_back({Qt::Vertical, 0.97, {}, true});
        ChartLayout layout;
        const QImage without = paintedOnScreen(spec, layout);
        spec.lines.back().label = QStringLiteral("$n$");
        const QRect label = changed(without, paintedOnScreen(spec, layout));
        QVERIFY(!label.isEmpty());
        for (const ChartSeries& curve : spec.series)
            for (const ChartPoint& point : curve.points)
                QVERIFY(!label.contains(layout.place(point.x, point.y).toPoint()));
    }

    /// y = x at 1, 10, 100 on a line without a name beside named points at 1 and 100 of the same style, and a curve y = 2 that ends at 10.
    static ChartSpec readable()
    {
        ChartSpec spec;
        spec.x.title = "$n$";
        spec.x.tickText = TickText::Lengths;
        for (ChartAxis* axis : {&spec.x, &spec.y}) {
            axis->log = true;
            axis->range = {1, 1000};
        }
        spec.series.resize(3);
        spec.series[0].label = "measured";
        spec.series[0].shape = ChartSeries::Shape::Points;
        spec.series[0].points = {{1, 1.5}, {100, 90}};
        spec.series[1].points = {{1, 1}, {10, 10}, {100, 100}};
        spec.series[2].label = "short";
        spec.series[2].style = 1;
        spec.series[2].points = {{1, 2}, {10, 2}};
        return spec;
    }

    void aReadoutHasAValueALine()
    {
        const ChartSpec spec = readable();
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 500, 300));
        const auto at = [&](double x) { return readoutAt(spec, layout, layout.place(x, 30), 5); };
        const ChartReadout near = at(101);  // its own point comes before the curve's
        QCOMPARE(near.x, 100.0);
        QCOMPARE(near.lines.size(), size_t(1));
        QCOMPARE(near.lines[0].y, 90.0);
        QVERIFY(!near.lines[0].between);
        const ChartReadout middle = at(5);  // between points: along the line through them, straight on log axes
        QCOMPARE(middle.x, 5.0);
        QCOMPARE(middle.lines.size(), size_t(2));
        QVERIFY(std::abs(middle.lines[0].y - 5) < 1e-9);
        QVERIFY(std::abs(middle.lines[1].y - 2) < 1e-9);
        QVERIFY(middle.lines[0].between && middle.lines[1].between);
        QVERIFY(at(500).lines.empty());
        ChartSpec fractional = spec;  // where a smooth curve was computed is nothing to read off
        fractional.series[1].points = {{1, 1}, {30.3, 30.3}, {100, 100}};
        const ChartReadout between = readoutAt(fractional, layout, layout.place(25, 30), 5);
        QCOMPARE(between.x, 25.0);
        QVERIFY(between.lines[0].between && std::abs(between.lines[0].y - 25) < 1e-9);
        QCOMPARE(readoutText(spec, near), QString("measured\t100\t90\n"));
        ChartSpec bare = spec;  // a hand that aims at a number of the axis, or at a marked length, means that
        bare.series.resize(1);
        bare.series[0].points = {{1, 1}, {100, 90}};
        bare.lines = {{Qt::Vertical, 40, {}}};
        const ChartLayout numbered = layoutChart(bare, windowStyle(false), QRectF(0, 0, 500, 300));
        const auto tick = std::ranges::find_if(numbered.xTicks.major, [](const Tick& one) { return one.at > 1 && one.at < 30; });
        QVERIFY(tick != numbered.xTicks.major.end());
        QCOMPARE(readoutAt(bare, numbered, numbered.place(tick->at, 30) + QPointF(3, 0), 5).x, tick->at);
        QCOMPARE(readoutAt(bare, numbered, numbered.place(40, 30) - QPointF(3, 0), 5).x, 40.0);
    }
};

QTEST_MAIN(TestPlot)
#include "test_plot.moc"
