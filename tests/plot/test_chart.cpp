// The layout of charts, what is drawn of their curves, and what they read.

#include "ui/plot/chart.h"
#include "ui/plot/chart_note.h"
#include "ui/plot/legend.h"
#include "ui/plot/typeset.h"
#include "ui/plot/chart_readout.h"
#include "ui/plot/method_style.h"
#include "ui/plot/polyline.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace attnscope;

namespace {

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

struct InkedLines {
    int lines = 0;
    bool reachesEnd = false;  ///< of the picture, in its last row of pixels
};

/// Rows of ink in the column of the last letters of names at the right: so many, with paper between them.
InkedLines linesOfNames(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout, QSizeF size)
{
    QImage image(size.toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintChart(painter, spec, style, layout);
    painter.end();
    InkedLines found;
    const double names = layout.frame.right() + legendSpace(spec, style, 0).width() - 12;
    for (int y = 0; y < image.height(); ++y) {
        bool ink = false;
        for (int x = static_cast<int>(names); x < image.width(); ++x)
            ink = ink || qGray(image.pixel(x, y)) < 180;
        found.lines += ink && !found.reachesEnd;
        found.reachesEnd = ink;
    }
    return found;
}

}  // namespace

class TestChart : public QObject {
    Q_OBJECT

private slots:
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

    /// However low the chart: the ordinate's title is drawn whole, between its upper and its lower edge.
    void theOrdinatesTitleStaysInside()
    {
        const PlotStyle style = windowStyle(false);
        for (const char* letter : {"", "a"})
            for (const double height : {60.0, 90.0, 120.0, 150.0, 200.0, 300.0}) {
                ChartSpec spec = twoLines();
                spec.letter = QString::fromLatin1(letter);
                spec.y.title = "Shannon entropy of rows with n keys (nats)";
                const QRectF outer(40, 200, 300, height);
                QImage image(400, 700, QImage::Format_RGB32);
                image.fill(Qt::white);
                QPainter painter(&image);
                paintChart(painter, spec, style, layoutChart(spec, style, outer));
                painter.end();
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < 70; ++x)
                        if (image.pixel(x, y) != qRgb(255, 255, 255))
                            QVERIFY2(
                                y >= outer.top() - 1 && y < outer.bottom() + 1,
                                qPrintable(
                                    QString("ink at %1, beyond %2 to %3").arg(y).arg(outer.top()).arg(outer.bottom())));
            }
    }

    /// An axis of more than 100 pixels, however its range lies: with and without a logarithm.
    void anOrdinateSaysThreeNumbers()
    {
        for (const bool stage : {false, true}) {
            PlotStyle style = windowStyle(false);
            if (stage)
                style.text *= 1.5, style.small *= 1.5;
            for (const std::pair<double, double>& range :
                 {std::pair{2.1, 8.9}, {0.0, 9.9}, {1.6, 9.2}, {0.011, 0.019}, {-4.9, 4.9}, {0.4, 3.9}, {99, 201}}) {
                ChartSpec spec = twoLines();
                spec.y.log = false;
                spec.y.range = range;
                const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 300, stage ? 190 : 160));
                QVERIFY(layout.frame.height() > 100);
                QVERIFY2(layout.yTicks.major.size() >= 3,
                         qPrintable(QString("%1 to %2").arg(range.first).arg(range.second)));
            }
            for (const std::pair<double, double>& range :
                 {std::pair{1.2e-3, 0.5}, {1.1, 190.0}, {2e-7, 5e-5}, {3.0, 20.0}}) {
                ChartSpec spec = twoLines();
                spec.y.log = true;
                spec.y.range = range;
                const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 300, stage ? 190 : 160));
                QVERIFY2(layout.yTicks.major.size() >= 3,
                         qPrintable(QString("%1 to %2").arg(range.first).arg(range.second)));
                for (std::size_t i = 1; i < layout.yTicks.major.size(); ++i)
                    QVERIFY(layout.yTicks.major[i].at > layout.yTicks.major[i - 1].at);
            }
        }
    }

    /// What lines have come since another abscissa stands in one column, with a sign and the same decimals.
    void changesHaveTheSameDecimals()
    {
        ChartReadout readout;
        const double changes[] = {2.53, -0.4937, 0.7871, 4.689};
        for (const double change : changes)
            readout.lines.push_back({.named = 0, .curve = {}, .points = {}, .change = change});
        QStringList said;
        for (const double change : changes)
            said << changeText(readout, change);
        QCOMPARE(said, QStringList({QStringLiteral("+2.530"), QStringLiteral("\u22120.494"), QStringLiteral("+0.787"),
                                    QStringLiteral("+4.689")}));
    }

    /// However low the chart and however many decades it has: no number is printed on another.
    void numbersOfAnOrdinateStandApart()
    {
        const PlotStyle style = windowStyle(false);
        for (const std::pair<double, double>& range :
             {std::pair{2e-9, 0.6}, {1e-8, 1.0}, {3e-4, 2.0}, {0.02, 0.9}, {2.1, 25.0}, {11.5, 95.0}, {1e-14, 1.0}})
            for (int height = 84; height <= 240; height += 6) {
                ChartSpec spec = twoLines();
                spec.y.log = true;
                spec.y.range = range;
                const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 200, height));
                double end = std::numeric_limits<double>::infinity();  // upwards
                for (const Tick& tick : layout.yTicks.major) {
                    const double half = Typeset(tick.text, style.font(style.small)).height() / 2,
                                 centre = layout.place(1, tick.at).y();
                    QVERIFY2(
                        centre + half <= end + 1e-6,
                        qPrintable(QStringLiteral("%1 at %2, %3 high").arg(tick.text).arg(range.first).arg(height)));
                    end = centre - half;
                }
            }
    }

    /// A title that is longer than its axis gives way to a shorter one.
    void anOrdinatesTitleIsShortenedToItsAxis()
    {
        const PlotStyle style = windowStyle(false);
        const auto drawn = [&](const QString& title, const QString& shorter, int height) {
            ChartSpec spec = twoLines();
            spec.y.title = title;
            spec.y.shortTitle = shorter;
            QImage image(300, height, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintChart(painter, spec, style, layoutChart(spec, style, QRectF(QPointF(), QSizeF(image.size()))));
            return image;
        };
        const QString whole = QStringLiteral("Shannon entropy (nats)"), shorter = QStringLiteral("Entropy (nats)");
        QCOMPARE(drawn(whole, shorter, 150), drawn(shorter, {}, 150));
        QCOMPARE(drawn(whole, shorter, 400), drawn(whole, {}, 400));
        QVERIFY(drawn(whole, {}, 400) != drawn(shorter, {}, 400));
    }

    /// Wherever the lines end, their names stand apart, inside the chart and beside the frame.
    void namesAtTheEndsOfLinesStandApart()
    {
        const PlotStyle style = windowStyle(false);
        const QSizeF size(560, 360);
        for (const int count : {2, 9, 17}) {
            ChartSpec spec;
            spec.legend = Legend::AtLineEnds;
            for (int k = 0; k < count; ++k) {
                ChartSeries series;
                series.label = QStringLiteral("name");
                series.points = {{0, 0}, {1, 1 + 1e-3 * k}};  // nearly the same
                spec.series.push_back(series);
            }
            QVERIFY(endsHaveRoom(spec, style, size));
            const ChartLayout layout = layoutChart(spec, style, QRectF({}, size));
            QVERIFY(layout.frame.width() > 0.6 * size.width());
            QCOMPARE(linesOfNames(spec, style, layout, size).lines, count);
        }
        ChartSpec many = twoLines();
        for (int k = 0; k < 40; ++k)
            many.series.push_back(many.series.front());
        QVERIFY(!endsHaveRoom(many, style, size));  // one above the other
        ChartSpec wordy = twoLines();
        wordy.series.front().label = QString(60, QLatin1Char('m'));
        QVERIFY(!endsHaveRoom(wordy, style, size));
    }

    /// As many names as have room, and how many there are besides, on whole lines.
    void aLegendAtTheRightIsNotCut()
    {
        const PlotStyle style = windowStyle(false);
        const QSizeF size(360, 170);
        for (const int count : {3, 30}) {
            ChartSpec spec;
            spec.legend = Legend::Right;
            for (int k = 0; k < count; ++k) {
                ChartSeries series;
                series.label = QStringLiteral("name");
                series.points = {{0, 0}, {1, 1}};
                spec.series.push_back(series);
            }
            const ChartLayout layout = layoutChart(spec, style, QRectF({}, size));
            const auto [lines, reachesEnd] = linesOfNames(spec, style, layout, size);
            QVERIFY(!reachesEnd);  // below the last one is paper
            QVERIFY2(count == 3 ? lines == 3 : lines > 5 && lines < 30, std::to_string(lines).c_str());
        }
    }

    /// Wherever a marker is dragged to, what a line is called is not struck through by it.
    void aNotesTextStandsOnNoMarker()
    {
        const PlotStyle style = windowStyle(false);
        for (double at = 1.3; at < 1000; at *= 1.2) {
            ChartSpec spec = twoLines();
            for (ChartSeries& series : spec.series)
                series.label.clear();
            ChartSeries line;
            line.style = ChartSeries::reference;
            line.points = {{1, 0.5}, {1000, 4.5}};
            spec.series = {line};
            spec.notes = {{63, 0.5 + 4 * std::log(63) / std::log(1000), QStringLiteral("words"),
                           Qt::AlignRight | Qt::AlignBottom, ChartSeries::reference}};
            const auto inked = [&] {
                const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 260, 200));
                QImage image(260, 200, QImage::Format_RGB32);
                image.fill(Qt::white);
                QPainter painter(&image);
                paintChart(painter, spec, style, layout);
                painter.end();
                return image;
            };
            const QImage without = inked();
            spec.lines = {{Qt::Vertical, at, {}, true}};
            const QImage with = inked();
            spec.notes.clear();
            const QImage bare = inked();
            // The marker's column is as it is without any note: the text stands beside it.
            const double x = layoutChart(spec, style, QRectF(0, 0, 260, 200)).place(at, 1).x();
            bool apart = true;
            for (int y = 0; y < 200; ++y)
                for (int column = static_cast<int>(x) - 1; column <= static_cast<int>(x) + 1; ++column)
                    apart = apart && with.pixel(column, y) == bare.pixel(column, y);
            QVERIFY2(apart, qPrintable(QString::number(at)));
            QVERIFY(with != bare && without != bare);
        }
    }

    void wordsStandWhereEachHasALine_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("words");
        QTest::addRow("room") << 400 << true;
        QTest::addRow("none") << 120 << false;
    }
    void wordsStandWhereEachHasALine()
    {
        QFETCH(int, size);
        QFETCH(bool, words);
        ChartSpec spec;
        for (ChartAxis* axis : {&spec.x, &spec.y}) {
            axis->range = {0, 12};
            axis->ticks = {{0, "0"}, {12, "12"}};
            for (int i = 0; i < 12; ++i)
                axis->words.push_back(
                    {i + 0.5, i == 3 ? QStringLiteral("costs $5, not $6") : QStringLiteral("a word")});
        }
        const PlotStyle style = windowStyle(false);
        const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, size, size));
        QCOMPARE(layout.xTicks.upright, words);
        QCOMPARE(layout.xTicks.major.size(), std::size_t(words ? 12 : 2));
        QCOMPARE(layout.yTicks.major.size(), std::size_t(words ? 12 : 2));
        if (!words)
            return;
        QVERIFY(plainText(layout.yTicks.major[3].text).startsWith("costs $5"));
        const double line = layout.frame.height() / 12, letters = style.font(style.small).pixelSize();
        QVERIFY2(line >= letters, "a word has its own line");
        const double room = size - layout.frame.bottom();
        QVERIFY2(room > Typeset(layout.xTicks.major[3].text, style.font(style.small)).width(),
                 "upright ones fit below");
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

    /// Values that are all the same lie within their axis, which has nothing below 0 unless they are.
    void whatIsAllTheSameHasASensibleRange()
    {
        ChartSpec spec = twoLines();
        spec.series.resize(1);
        spec.y.log = false;
        for (const double value : {0.0, 0.25, 98.0, -0.25}) {
            spec.series[0].points = {{16, value}, {512, value}};
            const auto [low, high] = layoutChart(spec, windowStyle(false), QRectF(0, 0, 400, 300)).yRange;
            QVERIFY2(low <= value && value < high && high - low < 25, qPrintable(QString::number(value)));
            QCOMPARE(low < 0, value < 0);
            QCOMPARE(low == 0, value == 0 || value == 0.25);
        }
    }

    /// Points and the line through them that share a style are one line of the legend, with both.
    void aLegendDrawsLineAndPoints()
    {
        const PlotStyle style = windowStyle(false);
        const auto ink = [&](std::vector<ChartSeries> series) {
            QImage image(200, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            const double height = flowLegend(&painter, series, style, {0, 0}, 200);
            painter.end();
            std::set<int> left, middle;  // rows of ink where a line begins, and where a marker is
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixel(2, y) != qRgb(255, 255, 255))
                    left.insert(y);
                if (image.pixel(static_cast<int>(1.9 * style.text / 2), y) != qRgb(255, 255, 255))
                    middle.insert(y);
            }
            const bool marked = !middle.empty() && *middle.rbegin() - *middle.begin() > style.marker / 2;
            return std::tuple(!left.empty(), marked, height < 2 * style.text);
        };
        const ChartSeries line{.style = 0, .solid = true},
            points{.label = "Vanilla", .style = 0, .shape = ChartSeries::Shape::Points, .open = true},
            named{.label = "Vanilla", .style = 0, .solid = true},
            other{.style = 1, .shape = ChartSeries::Shape::Points};
        QCOMPARE(ink({line, points}), std::tuple(true, true, true));
        QCOMPARE(ink({named, other}), std::tuple(true, false, true));
        QCOMPARE(ink({points}), std::tuple(false, true, true));
    }

    /// About their abscissa, in their order, at least three pixels apart; who has no bar that is seen, or is alone,
    /// stands on it.
    void errorBarsStandSideBySide()
    {
        const PlotStyle style = windowStyle(false);
        ChartSpec spec = twoLines();
        const auto besides = [&] {
            const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 400, 300));
            std::vector<double> all;
            for (const ChartSeries& series : spec.series)
                all.push_back(besideAbscissa(spec, series, style, layout));
            return all;
        };
        for (ChartSeries& series : spec.series)
            series.shape = ChartSeries::Shape::LinePoints;
        QCOMPARE(besides(), (std::vector<double>{0, 0}));
        for (ChartSeries& series : spec.series)
            for (ChartPoint& point : series.points) {
                point.low = point.y - 0.5;
                point.high = point.y + 0.5;
            }
        spec.series.push_back(spec.series.back());
        const std::vector<double> three = besides();
        QVERIFY(three[0] <= -3 && three[1] == 0 && three[2] == -three[0] && three[2] <= 6);
        for (ChartSeries& series : spec.series)
            for (ChartPoint& point : series.points)  // bars that their markers hide
                std::tie(point.low, point.high) = std::pair(point.y - 1e-6, point.y + 1e-6);
        QCOMPARE(besides(), (std::vector<double>{0, 0, 0}));
        for (ChartSeries& series : spec.series)
            for (ChartPoint& point : series.points)
                std::tie(point.low, point.high) = std::pair(point.y - 0.5, point.y + 0.5);
        spec.series[1].band = true;
        const std::vector<double> two = besides();
        QVERIFY(two[0] <= -1.5 && two[1] == 0 && two[2] == -two[0]);
        spec.series.pop_back();
        QCOMPARE(besides(), (std::vector<double>{0, 0}));
    }

    /// Of two lines that fall from the top left to the bottom right, the corner that they leave; none, where points are
    /// everywhere.
    void aLegendInsideHidesNoPoint()
    {
        const PlotStyle style = windowStyle(false);
        const QRectF outer(0, 0, 400, 300);
        ChartSpec spec = twoLines();
        const auto corner = [&](double first, double last) {
            for (ChartSeries& series : spec.series) {
                series.label = QStringLiteral("a name");
                series.points = {{0, first}, {1, last}};
            }
            return freeCorner(spec, style, outer);
        };
        spec.x = spec.y = {};
        QCOMPARE(corner(1, 0), std::optional(Legend::TopRight));
        QCOMPARE(corner(0, 1), std::optional(Legend::TopLeft));
        spec.series.front().shape = ChartSeries::Shape::Points;
        for (int i = 0; i <= 100; ++i)
            spec.series.front().points.push_back({i % 10 / 10.0, i / 100.0});
        QCOMPARE(freeCorner(spec, style, outer), std::optional<Legend>());
    }

    /// A cap at each end of a bar: ink beside the bar, there and not between.
    void errorBarsHaveCaps()
    {
        PlotStyle style = windowStyle(false);
        style.marker = 20;
        ChartSpec spec;
        spec.x.range = {0, 2};
        spec.y.range = {0, 10};
        spec.legend = Legend::None;
        spec.series = {{.style = 0, .shape = ChartSeries::Shape::Points, .points = {{1, 5, 2, 8}}}};
        QImage image(300, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 300, 300));
        paintChart(painter, spec, style, layout);
        painter.end();
        const auto inked = [&](double y) {
            const QPoint at = (layout.place(1, y) + QPointF(4, 0)).toPoint();
            int least = 255;
            for (int up = -1; up <= 1; ++up)
                least = std::min(least, qGray(image.pixel(at.x(), at.y() + up)));
            return least < 200;
        };
        QVERIFY(inked(2) && inked(8) && !inked(3.5) && !inked(6.5));
    }

    /// WCAG 1.4.11: 3:1 for what is to be seen, however quiet; quieter than the words beside it.
    void linesBehindAreSeen()
    {
        std::vector<PlotStyle> styles{windowStyle(false), windowStyle(true)};
        for (const PrintStyle& print : printStyles())
            styles.push_back(print.style);
        for (const PlotStyle& style : styles) {
            const SeriesLook look = lookOf({.style = 3, .behind = true}, style);
            QCOMPARE(look.colour.alphaF(), 1.0F);
            QVERIFY2(contrast(look.colour, style.background) >= 3, qPrintable(look.colour.name()));
            QVERIFY(contrast(look.colour, style.background) < contrast(style.quiet, style.background));
        }
    }

    /// Where it was meant to be if nothing is there; else on the side where no line and no curve passes.
    void aNoteFindsAFreePlace()
    {
        const PlotStyle style = windowStyle(false);
        ChartSpec spec;
        spec.x.range = {0, 10};
        spec.y.range = {0, 10};
        spec.legend = Legend::None;
        spec.series = {{.style = 0, .points = {{0, 1}, {10, 1}}}};
        const ChartLayout layout = layoutChart(spec, style, QRectF(0, 0, 400, 300));
        const ChartNote note{5, 5, "Vanilla spreads", {}, ChartSeries::reference, QPointF(3, -2.5)};
        QCOMPARE(freePlace(note, spec, style, layout), QPointF(3, -2.5));
        spec.lines = {{Qt::Vertical, 5.5, "$n$", true}};
        spec.series.push_back({.style = ChartSeries::reference, .points = {{0, 4}, {10, 8}}});
        ChartNote moved = note;
        moved.away = freePlace(note, spec, style, layout);
        const QRectF box = boxOfNote(moved, style, layout);
        QVERIFY(layout.frame.contains(box));
        QVERIFY(box.right() < layout.place(5.5, 5).x() || box.left() > layout.place(5.5, 5).x());
        const auto height = [&](double x) { return layout.place(x, 4 + 0.4 * x).y(); };
        const double left = layout.value(box.topLeft()).x(), right = layout.value(box.topRight()).x();
        QVERIFY(box.bottom() < std::min(height(left), height(right)) ||
                box.top() > std::max(height(left), height(right)));
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

    void bandsOutsideTheRangeAreCutAtTheFrame_data()
    {
        QTest::addColumn<bool>("several");
        QTest::addRow("one band") << false;
        QTest::addRow("several, with edges") << true;
    }

    /// What of a band lies beyond the frame leaves no trace along the frame's sides.
    void bandsOutsideTheRangeAreCutAtTheFrame()
    {
        QFETCH(bool, several);
        ChartSpec spec;
        spec.x.range = {0.0, 1.0};
        spec.y.range = {0.0, 1.0};
        spec.x.hidden = spec.y.hidden = true;
        ChartSeries band;
        band.style = 0;
        band.band = true;
        band.shape = ChartSeries::Shape::Points;
        // rises steeply right of the frame, and lies below it at the left half
        band.points = {{-1, -5, -6, -4}, {0.5, -5, -6, -4}, {0.75, 0.5, 0.4, 0.6}, {1, 0.5, 0.4, 0.6}, {1.2, 9, 8, 10}};
        spec.series.assign(several ? 2 : 1, band);
        const PlotStyle style = windowStyle(false);
        ChartLayout layout;
        const QImage image = paintedOnScreen(spec, layout);
        const QRectF& frame = layout.frame;
        const auto inked = [&](double x, double y) {
            const QPoint at = layout.place(x, y).toPoint();
            return image.pixelColor(at) != style.background;
        };
        QVERIFY(inked(0.8, 0.5));
        for (double x = 0.01; x < 0.5; x += 0.01)
            for (double y : {0.0, 0.004, 0.5, 1.0})
                QVERIFY2(!inked(x, y), qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
        const auto column = static_cast<int>(std::floor(frame.right()));
        for (double y = 0.65; y < 1; y += 0.01)
            for (const int x : {column - 1, column, column + 1})
                QVERIFY2(image.pixelColor(x, layout.place(1, y).toPoint().y()) == style.background,
                         qPrintable(QString::number(y)));
    }

    /// The area that is left, of shapes whose area is known; a notched one may hang together along the box.
    void aPolygonIsCutAtABox()
    {
        const auto area = [](const QPolygonF& polygon) {
            double twice = 0;
            for (qsizetype i = 0; i < polygon.size(); ++i) {
                const QPointF a = polygon[i], b = polygon[(i + 1) % polygon.size()];
                twice += a.x() * b.y() - a.y() * b.x();
            }
            return std::abs(twice) / 2;
        };
        const QRectF box(0, 0, 2, 1);
        QCOMPARE(area(cut(QPolygonF(QRectF(-5, -5, 20, 20)), box)), 2.0);
        QCOMPARE(area(cut(QPolygonF(QRectF(1, 0.5, 5, 5)), box)), 0.5);
        QCOMPARE(area(cut(QPolygonF(QList<QPointF>{{0, 0}, {4, 0}, {0, 2}}), box)),
                 2.0);  // its hypotenuse at the corner
        QCOMPARE(area(cut(QPolygonF(QList<QPointF>{{0, 0}, {2, 0}, {0, 2}}), box)), 1.5);  // a corner of it is cut off
        QCOMPARE(area(cut(QPolygonF(QRectF(3, 3, 1, 1)), box)), 0.0);
        const QPolygonF notched(QList<QPointF>{{0, 0}, {2, 0}, {2, 3}, {1, 0.5}, {0, 3}});
        QCOMPARE(area(cut(notched, box)), 2 - 0.5 * 0.4 * 0.5);  // the notch up to y = 1: 0.4 wide, 0.5 high
    }

    /// A chart of one curve, painted as the window does.
    static QImage paintedOnScreen(const ChartSpec& spec, ChartLayout& layout, QSize size = {400, 300})
    {
        const PlotStyle style = windowStyle(false);
        QImage image(size, QImage::Format_RGB32);
        image.fill(style.background);
        layout = layoutChart(spec, style, QRectF(QPointF(), size));
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
            for (const QPointF off :
                 {QPointF(0, 0), QPointF(0.7, 0), QPointF(-0.7, 0), QPointF(0, 0.7), QPointF(0, -0.7)})
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

    /// Of a marker at the right end, where curves pass everywhere below the top: its label is looked for there.
    void theLabelOfAMarkerStaysAtTheTop()
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
        QVERIFY2(label.bottom() < layout.frame.top() + 3 * 1.15 * windowStyle(false).text + 12,
                 qPrintable(QString::number(label.bottom())));
    }

    /// Wherever n is dragged its name is in the upper part, a line or two below the top at most where a curve passes
    /// there, and at the right of its rule but at the right edge; no name of a curve lies on it.
    void markersHaveTheirNamesAtTheTop()
    {
        for (const QSizeF size : {QSizeF(420, 300), QSizeF(240, 110)})
            for (double n = 20; n <= 4000; n *= 1.3) {
                ChartSpec spec;
                spec.x = {.title = "Sequence length $n$", .log = true, .tickText = TickText::Lengths};
                ChartSeries rising{.style = 0, .points = {}};
                for (double x = 16; x <= 4096; x *= 2)
                    rising.points.push_back({x, std::log(x)});
                spec.series = {rising};
                spec.notes = {{n, std::log(n), "ln $n$", Qt::AlignLeft | Qt::AlignBottom, ChartSeries::reference}};
                spec.lines = {{Qt::Vertical, 64, "$N$", true}, {Qt::Vertical, n, "$n$", true}};
                const PlotStyle style = windowStyle(false);
                const ChartLayout layout = layoutChart(spec, style, QRectF({}, size));
                const std::vector<QRectF> labels = labelsOfMarkers(spec, style, layout);
                QCOMPARE(labels.size(), std::size_t(2));
                QVERIFY(!labels[0].intersects(labels[1]));
                for (std::size_t i = 0; i < 2; ++i) {
                    const double at = layout.place(spec.lines[i].at, 1).x();
                    QVERIFY(layout.frame.contains(labels[i]));
                    QVERIFY2(labels[i].top() < layout.frame.top() + 3 * labels[i].height(),
                             qPrintable(QString::number(n)));
                    const double other = layout.place(spec.lines[1 - i].at, 1).x();
                    const bool atTop = labels[i].top() < layout.frame.top() + labels[i].height() / 2;
                    if (at < layout.frame.center().x() && std::abs(other - at) > 40)  // the curve is below
                        QVERIFY2(atTop && labels[i].left() > at, qPrintable(QString::number(n)));
                }
            }
    }

    /// Of many rules that lie close together those have names that find a place: none lies on another's.
    void aNameWithoutAPlaceIsLeftOut()
    {
        constexpr int rules = 12;
        constexpr QSize size(230, 110);
        ChartSpec spec;
        spec.series = {{.style = 0, .points = {{0, 0}, {10, 10}}}};
        spec.y.range = {0, 10};
        for (int i = 0; i < rules; ++i)
            spec.lines.push_back({Qt::Horizontal, 4 + 0.2 * i, {}});
        ChartLayout layout;
        QImage before = paintedOnScreen(spec, layout, size);
        QList<QRect> names;
        for (int i = 0; i < rules; ++i) {
            spec.lines[std::size_t(i)].label = QStringLiteral("at least this share");
            const QImage after = paintedOnScreen(spec, layout, size);
            if (const QRect name = changed(before, after); !name.isEmpty()) {
                for (const QRect& other : names)
                    QVERIFY2(!other.intersects(name), qPrintable(QString::number(i)));
                names << name;
            }
            before = after;
        }
        QVERIFY2(names.size() >= 2 && names.size() < rules, qPrintable(QString::number(names.size())));
    }

    /// Charts where both ends of a line are in the way of something: the label stands elsewhere along it, or a little
    /// farther from it, but on no curve, marker or bar.
    void theLabelOfALineStandsOnNothing_data()
    {
        QTest::addColumn<int>("which");
        QTest::addRow("curves through the line, of many points at one end") << 0;
        QTest::addRow("markers at the left, lines at the right") << 1;
        QTest::addRow("an error bar at the right") << 2;
    }
    void theLabelOfALineStandsOnNothing()
    {
        QFETCH(int, which);
        ChartSpec spec;
        spec.legend = Legend::None;
        ChartSeries curve;
        if (which == 0) {  // ranks from 1 to 1000, as powers that pass the line at 10 and at 60
            spec.x.log = spec.y.log = true;
            spec.y.range = {{1e-9, 1}};
            for (const double power : {3.0, 1.7}) {
                curve.points.clear();
                for (int rank = 1; rank <= 1000; ++rank)
                    curve.points.push_back({double(rank), std::pow(rank, -power)});
                spec.series.push_back(curve);
            }
            spec.lines.push_back({Qt::Horizontal, 1e-3, {}});
        } else if (which == 1) {
            curve.shape = ChartSeries::Shape::Points;
            spec.x.range = {{0, 10}};
            spec.y.range = {{-1, 5}};
            curve.points = {{0.5, 0.2}, {1, -0.2}, {2.5, 0.15}, {3, 4}};
            spec.series.push_back(curve);
            spec.lines = {{Qt::Horizontal, 0, {}}, {Qt::Vertical, 9, {}}};
        } else {
            curve.shape = ChartSeries::Shape::LinePoints;
            curve.points = {{0, 0.1, -0.2, 0.3}, {1, -0.1, -0.3, 0.2}, {8, -2, -3, -1}, {10, 0.2, -0.5, 1}};
            spec.y.range = {{-3, 1}};
            spec.series.push_back(curve);
            spec.lines.push_back({Qt::Horizontal, 0, {}});
        }
        ChartLayout layout;
        const QImage without = paintedOnScreen(spec, layout);
        spec.lines.front().label = QStringLiteral("the model as it is");
        const QImage with = paintedOnScreen(spec, layout);
        const QRect label = changed(without, with);
        QVERIFY(label.width() > 60 && layout.frame.toAlignedRect().contains(label));
        for (int y = label.top(); y <= label.bottom(); ++y)
            for (int x = label.left(); x <= label.right(); ++x)
                QVERIFY2(without.pixel(x, y) == windowStyle(false).background.rgb(),
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
    }

    /// Two lines that stand a name apart, and a third: the name of the first would end at the second, as if it were
    /// its.
    void theLabelOfALineIsNearestToIt()
    {
        ChartSpec spec;
        spec.legend = Legend::None;
        spec.x.range = spec.y.range = {{0, 1}};
        const QString name = QStringLiteral("heads' own");
        const PlotStyle style = windowStyle(false);
        ChartLayout layout;
        paintedOnScreen(spec, layout);
        const double apart =
            (QFontMetricsF(style.font(style.small)).horizontalAdvance(name) + 1.5 * style.gap) / layout.frame.width();
        spec.lines = {{Qt::Vertical, 0.6, {}}, {Qt::Vertical, 0.6 + apart, {}}};
        const QImage without = paintedOnScreen(spec, layout);
        spec.lines.front().label = name;
        const QRect label = changed(without, paintedOnScreen(spec, layout));
        const double own = layout.place(0.6, 0).x(), other = layout.place(0.6 + apart, 0).x();
        QVERIFY(label.isValid());
        const double toOwn = std::min(std::abs(label.left() - own), std::abs(label.right() - own)),
                     toOther = std::min(std::abs(label.left() - other), std::abs(label.right() - other));
        QVERIFY2(2 * toOwn < toOther, qPrintable(QStringLiteral("%1, %2").arg(toOwn).arg(toOther)));
    }

    /// y = x at 1, 10, 100 on a line without a name beside named points at 1 and 100 of the same style, and a curve y =
    /// 2 that ends at 10.
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

    /// Of values with errors: the smallest error keeps two digits, and all have as many decimals.
    void numbersOfAReadoutHaveOneNumberOfDecimals()
    {
        ChartSpec spec;
        for (const auto& [value, error] : {std::pair(2.67891, 0.0412), {0.29812, 0.0731}}) {
            ChartSeries& one = spec.series.emplace_back();
            one.style = static_cast<int>(spec.series.size());
            one.label = "a";
            one.points = {{1, value, value - 2 * error, value + 2 * error}, {2, 3}};
        }
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 500, 300));
        const ChartReadout at = readoutOf(spec, layout, 1);
        QCOMPARE(readoutNumber(spec, at, at.lines[0].value()), QStringLiteral("2.679"));
        QCOMPARE(readoutNumber(spec, at, at.lines[1].value()), QStringLiteral("0.298"));
    }

    void aReadoutHasAValueALine()
    {
        const ChartSpec spec = readable();
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 500, 300));
        const auto at = [&](double x) { return readoutAt(spec, layout, layout.place(x, 30), 5); };
        const ChartReadout near = at(101);  // of points and a curve of one style, both
        QCOMPARE(near.x, 100.0);
        QCOMPARE(near.lines.size(), size_t(1));
        QCOMPARE(near.lines[0].points->y, 90.0);
        QCOMPARE(near.lines[0].curve->y, 100.0);
        QVERIFY(near.hasBoth() && !near.lines[0].points->between && !near.lines[0].curve->between);
        const ChartReadout middle = at(5);  // between points: along the line through them, straight on log axes
        QCOMPARE(middle.x, 5.0);
        QCOMPARE(middle.lines.size(), size_t(2));
        QVERIFY(std::abs(middle.lines[0].curve->y - 5) < 1e-9);
        QVERIFY(std::abs(middle.lines[1].value().y - 2) < 1e-9);
        QVERIFY(middle.lines[0].curve->between && middle.lines[1].curve->between && !middle.lines[1].points);
        QVERIFY(at(500).lines.empty());
        ChartSpec fractional = spec;  // where a smooth curve was computed is nothing to read off
        fractional.series[1].points = {{1, 1}, {30.3, 30.3}, {100, 100}};
        const ChartReadout between = readoutAt(fractional, layout, layout.place(25, 30), 5);
        QCOMPARE(between.x, 25.0);
        QVERIFY(between.lines[0].curve->between && std::abs(between.lines[0].curve->y - 25) < 1e-9);
        ChartSpec tried = spec;  // the nearest, in both directions, and nothing between two of them
        tried.trials = true;
        for (const auto& [x, y, nearest, value] :
             {std::tuple(5.0, 30.0, 10.0, 10.0), std::tuple(500.0, 500.0, 100.0, 100.0)}) {
            const ChartReadout trial = readoutAt(tried, layout, layout.place(x, y), 5);
            QCOMPARE(trial.x, nearest);
            for (const ChartReadout::Line& line : trial.lines)
                QVERIFY(!line.value().between);
            QCOMPARE(trial.lines.back().value().y, value);
        }
        tried.series.back().points = {{10, 2}, {10, 60}, {100, 90}};  // two at one place along
        for (const double value : {2.0, 60.0}) {
            const ChartReadout trial = readoutAt(tried, layout, layout.place(12, value), 5);
            QCOMPARE(trial.lines.size(), std::size_t(1));
            QCOMPARE(trial.lines[0].value().y, value);
        }
        QCOMPARE(readoutText(spec, near), QString("measured, line\t100\t100\nmeasured, points\t100\t90\n"));
        ChartSpec haunted = spec;  // what was is seen, not read
        haunted.series.insert(haunted.series.begin(), spec.series[1]);
        haunted.series[0].ghost = true;
        haunted.series[0].points = {{1, 7}, {100, 7}};
        const ChartLayout seen = layoutChart(haunted, windowStyle(false), QRectF(0, 0, 500, 300));
        QCOMPARE(readoutOf(haunted, seen, 100).lines[0].curve->y, 100.0);
        QVERIFY(!nearestPoint(haunted, seen, seen.place(100, 7), 3));
        ChartSpec bare = spec;  // a hand that aims at a number of the axis, or at a marked length, means that
        bare.series.resize(1);
        bare.series[0].points = {{1, 1}, {100, 90}};
        bare.lines = {{Qt::Vertical, 40, {}}};
        const ChartLayout numbered = layoutChart(bare, windowStyle(false), QRectF(0, 0, 500, 300));
        const auto tick =
            std::ranges::find_if(numbered.xTicks.major, [](const Tick& one) { return one.at > 1 && one.at < 30; });
        QVERIFY(tick != numbered.xTicks.major.end());
        QCOMPARE(readoutAt(bare, numbered, numbered.place(tick->at, 30) + QPointF(3, 0), 5).x, tick->at);
        QCOMPARE(readoutAt(bare, numbered, numbered.place(40, 30) - QPointF(3, 0), 5).x, 40.0);
    }

    /// Wherever lines stand, the name of one is on no other's.
    void namesOfLinesStandApart()
    {
        for (double second = 82; second < 100; second += 0.9) {
            ChartSpec spec;
            spec.x.range = {{1, 100}};
            spec.y.range = {{0, 1}};
            const auto painted = [&](const QString& one, const QString& other) {
                spec.lines = {{Qt::Vertical, 80, one}, {Qt::Vertical, second, other}};
                ChartLayout layout;
                return paintedOnScreen(spec, layout);
            };
            const QImage bare = painted({}, {}), first = painted("heads' own", {}),
                         both = painted("heads' own", "the other's name");
            const QRect one = changed(bare, first), other = changed(first, both);
            QVERIFY2(one.isValid() && other.isValid() && !one.intersects(other), qPrintable(QString::number(second)));
        }
    }

    void ofManyLinesTheNearestAreRead()
    {
        ChartSpec spec = readable();
        spec.series.clear();
        for (int i = 0; i < 10; ++i) {  // at 512, 256 ... 1
            ChartSeries line;
            line.label = QString::number(i);
            line.style = i;
            line.points = {{1, std::exp2(9 - i)}, {100, std::exp2(9 - i)}};
            spec.series.push_back(line);
        }
        const ChartLayout layout = layoutChart(spec, windowStyle(false), QRectF(0, 0, 500, 300));
        const ChartReadout whole = readoutAt(spec, layout, layout.place(100, 8), 5);
        QCOMPARE(whole.lines.size(), size_t(10));
        const ChartReadout near = nearestLines(whole, layout, 3);
        QCOMPARE(near.lines.size(), size_t(3));
        for (std::size_t i = 0; i < 3; ++i)  // in the legend's order
            QCOMPARE(near.lines[i].value().y, std::exp2(4.0 - static_cast<double>(i)));
        QCOMPARE(nearestLines(whole, layout, 10).lines.size(), size_t(10));
        QCOMPARE(linesFurther(spec, whole, near), 7);
        spec.series.front().style = ChartSeries::reference;  // the farthest, and no method
        QCOMPARE(linesFurther(spec, whole, near), 6);
    }
};

QTEST_MAIN(TestChart)
#include "test_chart.moc"
