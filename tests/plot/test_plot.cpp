// Typeset text, ticks, colour maps, method styles and labels that move apart.

#include "core/scaling/scale_method.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/legend.h"
#include "ui/plot/method_style.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <QSet>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

QFont font() { return windowStyle(false).font(20); }

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

}  // namespace

class TestPlot : public QObject {
    Q_OBJECT

private slots:
    void plainTextReadsWell_data()
    {
        QTest::addColumn<QString>("markup");
        QTest::addColumn<QString>("plain");
        QTest::addRow("words") << "Sequence length"
                               << "Sequence length";
        QTest::addRow("variable") << "Sequence length $n$"
                                  << "Sequence length n";
        QTest::addRow("greek") << "$\\lambda$"
                               << "λ";
        QTest::addRow("minus") << "$a - 1$"
                               << "a − 1";
        QTest::addRow("sign") << "$-1$"
                              << "−1";
        QTest::addRow("function") << "$\\ln n$"
                                  << "ln n";
        QTest::addRow("text in mathematics") << "$\\text{mean }H$"
                                             << "mean H";
        QTest::addRow("raised") << "at most $e^{-\\delta}/n$"
                                << "at most e^(−δ)/n";
        QTest::addRow("raised letter") << "$10^3 e^H x_i^2$"
                                       << "10^3e^Hxi^2";
        QTest::addRow("mark") << "$\\lambda^\\star$"
                              << "λ*";
        QTest::addRow("fraction") << "$\\frac{a + 1}{b}$"
                                  << "(a + 1)/b";
        QTest::addRow("root") << "$\\sqrt{2d}, \\sqrt{d}$"
                              << "√(2d), √d";
        QTest::addRow("dollars") << "5 \\$ and $n$"
                                 << "5 $ and n";
        QTest::addRow("unknown word stays") << "$\\nosuch$"
                                            << "\\nosuch";
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

    void numbersInASentenceAreWrittenAsOnAxes()
    {
        QCOMPARE(printedIn("lowers it by 0.0576 nats (p = 2.3e-08, -1e-5 to 4e+10); eie, 1e6x, x1e6"),
                 QString::fromUtf8("lowers it by 0.0576 nats (p = 2.3×10⁻⁸, −1×10⁻⁵ to 4×10¹⁰); eie, 1e6x, x1e6"));
        QCOMPARE(printedIn(QString()), QString());
        QCOMPARE(countsIn("width 4096, trained at 131072. gpt-4096, 2.12345, 12345.5, x1024"),
                 QString("width 4\u202F096, trained at 131\u202F072. gpt-4096, 2.12345, 12345.5, x1024"));
        for (const auto& [value, said] : std::initializer_list<std::pair<double, const char*>>{
                 {999, "999"}, {1000, "1\u202F000"}, {-4096, "-4\u202F096"}, {12345.5, "12\u202F345.5"}, {0, "0"}})
            QCOMPARE(countText(value), QString::fromUtf8(said));
    }
    void brokenMarkupIsDrawnAsItStands_data()
    {
        QTest::addColumn<QString>("markup");
        for (const char* text :
             {"$", "$x", "$x_$", "$x^{", "$\\", "$\\frac{a}", "$\\sqrt", "$}$", "$_{}^{}$", "$\\text{", "$$$"})
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
        QTest::addRow("unit interval") << 0.0 << 1.0 << false << false << 6
                                       << QStringList{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"};
        QTest::addRow("negative") << -2.0 << 2.0 << false << false << 5 << QStringList{"−2", "−1", "0", "1", "2"};
        QTest::addRow("decades") << 1e-3 << 1e3 << true << false << 8
                                 << QStringList{"10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²", "10³"};
        QTest::addRow("every other decade")
            << 1.0 << 1e8 << true << false << 5 << QStringList{"1", "10²", "10⁴", "10⁶", "10⁸"};
        QTest::addRow("less than a decade") << 1.0 << 5.0 << true << false << 9 << QStringList{"1", "2", "3", "4", "5"};
        QTest::addRow("little more than an octave")
            << 1.17 << 4.1 << true << false << 6 << QStringList{"1.2", "1.5", "2", "2.5", "3", "4"};
        QTest::addRow("the same with little room")
            << 1.17 << 4.1 << true << false << 5 << QStringList{"1.2", "2", "3", "4"};
        QTest::addRow("lines near the lower end")
            << 2.1 << 25.0 << true << false << 8 << QStringList{"2.5", "5", "10", "20"};
        QTest::addRow("below the first ten")
            << 11.5 << 95.0 << true << false << 8 << QStringList{"12", "20", "50", "80"};
        QTest::addRow("thousands") << 0.0 << 200000.0 << false << false << 4
                                   << QStringList{"0", "50\u202F000", "100\u202F000", "150\u202F000", "200\u202F000"};
        QTest::addRow("thousands below 0")
            << -2000.0 << 2000.0 << false << false << 4
            << QStringList{"\u22122\u202F000", "\u22121\u202F000", "0", "1\u202F000", "2\u202F000"};
        QTest::addRow("lengths") << 16.0 << 65536.0 << true << true << 7
                                 << QStringList{"16",
                                                "64",
                                                "256",
                                                QString::fromUtf8("1 024"),
                                                QString::fromUtf8("4 096"),
                                                QString::fromUtf8("16 384"),
                                                QString::fromUtf8("65 536")};
        QTest::addRow("lengths to 1e9") << 10.0 << 1e9 << true << true << 9
                                        << QStringList{"10", "10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"};
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
        for (const Tick& tick :
             chooseTicks(low, high, log, lengths ? TickText::Lengths : TickText::Automatic, room).major)
            found << tick.text;
        QCOMPARE(found, texts);
    }

    /// Wherever a log range of up to four decades begins and ends: a label in its lower two fifths and one in its
    /// upper.
    void bothEndsOfLogRangesAreLabelled()
    {
        for (double low = 1e-6; low < 10; low *= 1.37)
            for (double ratio = 2.3; ratio < 1e4; ratio *= 1.21)
                for (const int room : {4, 6, 8, 10}) {
                    const Ticks ticks = chooseTicks(low, low * ratio, true, TickText::Automatic, room);
                    const auto at = [&](const Tick& tick) { return std::log(tick.at / low) / std::log(ratio); };
                    const QString what = QStringLiteral("%1 to %2, %3").arg(low).arg(low * ratio).arg(room);
                    QVERIFY2(ticks.major.size() >= 2, qPrintable(what));
                    QVERIFY2(at(ticks.major.front()) < 0.42, qPrintable(what));
                    QVERIFY2(at(ticks.major.back()) > 0.58, qPrintable(what));
                }
    }

    /// However narrow the range, and however far from 0: no two ticks read the same.
    void ticksReadApart()
    {
        for (const double at : {0.0, 1.0, -4.345, 1e5, 123456.0, -1e6, 3e-5, 1e9})
            for (double span = std::max(1.0, std::abs(at)); span > 1e-9 * std::max(1.0, std::abs(at)); span /= 3)
                for (const int room : {3, 8}) {
                    QSet<QString> texts;
                    const Ticks ticks = chooseTicks(at, at + span, false, TickText::Automatic, room);
                    for (const Tick& tick : ticks.major) {
                        QVERIFY2(!tick.text.contains(QLatin1Char('e')), qPrintable(tick.text));
                        texts.insert(tick.text);
                    }
                    QVERIFY2(texts.size() == std::ssize(ticks.major),
                             qPrintable(QStringLiteral("%1 + %2").arg(at, 0, 'g', 12).arg(span)));
                }
    }

    /// There is no row 0.5: of what is counted no tick lies between two whole numbers, on whatever axis.
    void ticksOfCountsAreWhole()
    {
        for (const auto text : {TickText::Whole, TickText::Lengths})
            for (const bool log : {false, true})
                for (double high = 2; high <= 1e7; high = std::floor(1.5 * high))
                    for (const double low : {log ? 1.0 : 0.0, std::floor(high / 3) + 1})
                        for (const int room : {2, 3, 5, 8}) {
                            if (!(low < high))
                                continue;
                            const Ticks ticks = chooseTicks(low, high, log, text, room);
                            QVERIFY(!ticks.major.empty());
                            for (const Tick& tick : ticks.major)
                                QVERIFY2(std::abs(tick.at - std::round(tick.at)) < 1e-9, qPrintable(tick.text));
                            for (const double tick : ticks.minor)
                                QVERIFY2(std::abs(tick - std::round(tick)) < 1e-9, qPrintable(QString::number(tick)));
                        }
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
        constexpr double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max(),
                         least = std::numeric_limits<double>::denorm_min();
        for (const auto& [low, high] : {std::pair{1.0, std::nextafter(1.0, 2.0)},
                                        {-1e300, std::nextafter(-1e300, 0.0)},
                                        {0.0, least},
                                        {1e15, 1e15 + 1},
                                        {-most, most},
                                        {1.0, most},
                                        {0.0, infinity},
                                        {-infinity, infinity},
                                        {2.0, 1.0}})
            for (const bool log : {false, true})
                for (const TickText text : {TickText::Automatic, TickText::Lengths})
                    QVERIFY2(chooseTicks(low, high, log, text, 8).major.empty(),
                             qPrintable(QString("%1 to %2").arg(low).arg(high)));
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
            const bool dark = id == QLatin1String("diverging_dark");  // its centre is
            const bool rising = !(*map)->diverging || (i < 127) != dark;
            if ((*map)->diverging && (i == 127))
                continue;
            QVERIFY2(rising ? step > -0.35 : step < 0.35,
                     qPrintable(QString("colour %1 of %2").arg(i).arg(id)));  // 8-bit rounding
        }
        if ((*map)->diverging) {
            QVERIFY(id == QLatin1String("diverging_dark") ? lightness(colours[127]) < 30
                                                          : lightness(colours[127]) > 90);
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
            QVERIFY2(contrast(style.colour.rgb(), background) >= 3,
                     qPrintable(QString("position %1: %2").arg(k).arg(contrast(style.colour.rgb(), background))));
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

    void baselinesAreGreyAndHaveShapesOfTheirOwn()
    {
        for (const bool dark : {false, true})
            for (int k = 0; k < 4; ++k) {
                const MethodStyle baseline = methodStyle(baselineStyle(k), dark);
                QCOMPARE(baseline.colour.hsvSaturation(), 0);
                QVERIFY(contrast(baseline.colour.rgb(), windowStyle(dark).background.rgb()) >= 3);
                for (int style = 0; style < 3 * scaleStyles; ++style)
                    QVERIFY(methodStyle(style, dark).marker != baseline.marker);
                for (int other = 0; other < k; ++other)
                    QVERIFY(methodStyle(baselineStyle(other), dark).marker != baseline.marker);
            }
        PlotStyle chosen = windowStyle(false);
        chosen.methodColours[0] = Qt::red;
        QCOMPARE(methodStyle(baselineStyle(0), chosen).colour, methodStyle(baselineStyle(0), false).colour);
    }

    /// By the WCAG ratio, of which black or white has at least 4.58 on any field.
    void inkIsWhatStandsOutMore()
    {
        for (int hue = 0; hue < 360; hue += 30)
            for (int value = 0; value < 256; value += 15) {
                const QColor field = QColor::fromHsv(hue, 180, value);
                const double ratio = attnscope::contrast(inkOn(field), field);
                QVERIFY2(ratio >= 4.58, qPrintable(QString("%1: %2").arg(field.name()).arg(ratio)));
            }
    }

    /// Names that one row does not have stand in columns of equal width; one much longer than the others takes two.
    void aLegendOfManyNamesHasColumns()
    {
        std::vector<ChartSeries> lines(18);
        for (size_t i = 0; i < lines.size(); ++i)
            lines[i].label = QString("Name ") + QString(static_cast<qsizetype>(i * 5 % 7), 'x');
        const PlotStyle style = windowStyle(false);
        const auto columns = [&](double width) {
            std::set<double> lefts;
            for (const QRectF& place : legendPlaces(lines, style, width, LegendFlow::Columns)) {
                lefts.insert(place.left());
                if (place.right() > width)
                    lefts.insert(-1);
            }
            return std::vector<double>(lefts.begin(), lefts.end());
        };
        for (const double width : {300.0, 500.0, 820.0}) {
            const std::vector<double> lefts = columns(width);
            QVERIFY(lefts.size() > 1 && lefts.size() < lines.size() / 2 && lefts.front() == 0);
            for (size_t i = 1; i < lefts.size(); ++i)
                QVERIFY(std::abs(lefts[i] - static_cast<double>(i) * lefts[1]) < 1e-6);
        }
        const size_t before = columns(820).size();
        lines[3].label = QString(40, 'x');
        QCOMPARE(columns(820).size(), before);
        lines.resize(2);
        for (const QRectF& place : legendPlaces(lines, style, 820, LegendFlow::Columns))
            QCOMPARE(place.top(), 0.0);
    }

    void aMethodHasItsStyleForEver()
    {
        std::vector<Choice> all;
        for (const ScaleMethod& row : scaleMethods())
            all.push_back({row.id, {}, {}});
        const std::vector<int> styles = methodStyles(all);
        QCOMPARE(std::set<int>(styles.begin(), styles.end()).size(), scaleMethods().size());
        QVERIFY(std::ranges::all_of(styles, [](int style) { return style >= 0 && style < scaleStyles; }));
        const std::vector<Choice> alone{{"infoscale", {}, {}}},
            after{{"log_n", {}, {}}, {"infoscale", {}, {}}, {"infoscale", {{"eps", 1}}, {}}};
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
};

QTEST_MAIN(TestPlot)
#include "test_plot.moc"
