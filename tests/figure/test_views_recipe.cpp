// What the window shows as a figure, and a figure as what the window shows: its look, pins, notes and zooms.

#include "core/analysis/analysis.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/tensor_writer.h"
#include "ui/figure/difference_map.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/map_pictures.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/chart_title.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;
using nlohmann::json;

namespace {

View smallView(int pixels, std::int64_t longest)
{
    View view;
    view.pixels = pixels;
    view.curveLast = longest;
    view.curvePoints = 3;
    view.curveRows = 4;
    return view;
}

}  // namespace

class TestViewsRecipe : public QObject {
    Q_OBJECT

private slots:
    void figuresThatHaveAScenarioGoLive_data()
    {
        QTest::addColumn<QString>("name");
        for (const GalleryRow& row : gallery())
            QTest::addRow("%s", row.name.c_str()) << QString::fromStdString(row.name);
    }
    void figuresThatHaveAScenarioGoLive()
    {
        QFETCH(QString, name);
        const Recipe recipe = *loadRecipe(name.toStdString());
        const auto live = liveFigure(recipe);
        if (recipe.kind.starts_with("published")) {
            QVERIFY(!live);
            return;
        }
        if (!live)
            return;
        Scenario small = live->scenario;
        QVERIFY(small.view.pixels >= View{}.pixels);
        QVERIFY(small.view.curveFirst < small.view.curveLast);
        QCOMPARE(small.d, recipe.scenario.d);
        small.n = std::min<std::int64_t>(small.n, 64);
        small.view = smallView(16, 64);
        const auto analysis = analyse(small, {});
        QVERIFY2(analysis.has_value(), analysis ? "" : analysis.error().message.c_str());
    }

    void viewsOfTheWindowAreFigures_data()
    {
        QTest::addColumn<QByteArray>("views");
        QTest::addColumn<int>("methods");
        QTest::addColumn<int>("panels");
        QTest::addRow("all") << QByteArray(R"(["heatmaps", "entropy", "dispersion"])") << 3 << 5;
        QTest::addRow("one map and charts") << QByteArray(R"(["heatmaps", "entropy", "dispersion"])") << 1 << 3;
        QTest::addRow("maps") << QByteArray(R"(["heatmaps"])") << 3 << 3;
        QTest::addRow("a chart") << QByteArray(R"(["entropy"])") << 3 << 1;
        QTest::addRow("nothing") << QByteArray("[]") << 3 << -1;
        QTest::addRow("unknown") << QByteArray(R"(["nosuch"])") << 3 << -1;
        QTest::addRow("heads without a file") << QByteArray(R"(["heads"])") << 3 << -1;
    }
    void viewsOfTheWindowAreFigures()
    {
        QFETCH(QByteArray, views);
        QFETCH(int, methods);
        QFETCH(int, panels);
        Recipe recipe;
        recipe.kind = "views";
        recipe.parameters = {{"views", json::parse(views.toStdString())}};
        recipe.scenario.n = 64;
        recipe.scenario.methods.resize(static_cast<size_t>(methods));
        recipe.scenario.view = smallView(64, 256);
        const auto content = buildFigure(recipe, {});
        QCOMPARE(content ? static_cast<int>(content->panels.size()) : -1, panels);
    }

    void theLookOfTheWindowIsThatOfItsFigure_data()
    {
        QTest::addColumn<bool>("log");
        QTest::addRow("ratio") << true;
        QTest::addRow("difference") << false;
    }
    /// Cells of the difference by their definition, from the figure's own maps; the colours' range as it was pinned.
    void theLookOfTheWindowIsThatOfItsFigure()
    {
        QFETCH(bool, log);
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}, {"log_n", {}, {}}, {"infoscale", {}, {}}};
        scenario.view = smallView(48, 128);
        Look look;
        look.maps.log = log;
        look.maps.sides = MethodPair("infoscale", "vanilla");
        look.maps.pinned = {0.001, 0.125};
        const auto content = buildFigure(viewsRecipe({"heatmaps"}, scenario, look), {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        QCOMPARE(content->panels.size(), size_t(4));
        QCOMPARE(content->bars.size(), size_t(2));
        for (size_t i = 0; i < 3; ++i)
            QVERIFY(content->panels[i].scale.low == 0.001 && content->panels[i].scale.high == 0.125 &&
                    content->panels[i].scale.log == log);
        const std::vector<float>&one = content->panels[2].map->values, &other = content->panels[0].map->values,
              &shown = content->panels[3].map->values;
        int compared = 0;
        for (size_t cell = 0; cell < shown.size(); ++cell) {
            QCOMPARE(std::isnan(shown[cell]), std::isnan(one[cell]));
            if (std::isnan(shown[cell]) || one[cell] <= 1e-6F || other[cell] <= 1e-6F)
                continue;
            const double wanted =
                log ? std::log10(double(one[cell]) / double(other[cell])) : double(one[cell]) - double(other[cell]);
            QVERIFY(std::abs(double(shown[cell]) - wanted) < 1e-6);
            ++compared;
        }
        QVERIFY(compared > 500);
        look.maps.difference = false;
        QCOMPARE(buildFigure(viewsRecipe({"heatmaps"}, scenario, look), {})->panels.size(), size_t(3));
    }

    /// Of two that are drawn over each other in every chart the second says whose line it is.
    void legendsNameEquals()
    {
        Scenario scenario;
        scenario.n = 64;
        scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}, {"custom", {}, "1"}};
        const auto content = buildFigure(viewsRecipe({"entropy", "dispersion"}, scenario, {}), {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        QCOMPARE(content->legend.size(), size_t(3));
        QCOMPARE(content->legend[0].label, QStringLiteral("Vanilla"));
        QCOMPARE(content->legend[1].label, QStringLiteral("InfoScale"));
        QCOMPARE(content->legend[2].label, QStringLiteral("Custom (1) = Vanilla"));
    }

    void aDifferenceNeedsTwoMaps_data()
    {
        QTest::addColumn<int>("methods");
        QTest::addColumn<QByteArray>("last");
        QTest::addColumn<QByteArray>("sides");
        QTest::addColumn<int>("panels");
        QTest::addRow("two of three") << 3 << QByteArray("log_n") << QByteArray("[0, 1]") << 4;
        QTest::addRow("two by name") << 3 << QByteArray("log_n") << QByteArray(R"(["vanilla", "log_n"])") << 4;
        QTest::addRow("the last two of ten") << 10 << QByteArray("log_n") << QByteArray("[8, 9]") << 11;
        QTest::addRow("beyond the list: of the last") << 3 << QByteArray("log_n") << QByteArray("[0, 7]") << 4;
        QTest::addRow("one method") << 1 << QByteArray("log_n") << QByteArray("[0, 1]") << 1;
        QTest::addRow("without a map") << 3 << QByteArray("entropy_measured") << QByteArray("[0, 2]") << 2;
    }
    /// As the window has it, whatever the number of methods. Fewer keys than N leave no measured multiplier, so no map.
    void aDifferenceNeedsTwoMaps()
    {
        QFETCH(int, methods);
        QFETCH(QByteArray, last);
        QFETCH(QByteArray, sides);
        QFETCH(int, panels);
        Recipe recipe;
        recipe.kind = "views";
        recipe.parameters = {{"views", {"heatmaps"}}, {"difference", json::parse(sides.toStdString())}};
        recipe.scenario.source.id = "local";
        recipe.scenario.n = 64;
        recipe.scenario.nTrain = 500;
        recipe.scenario.methods.assign(static_cast<size_t>(methods), {"vanilla", {}, {}});
        recipe.scenario.methods.back().id = last.toStdString();
        recipe.scenario.view = smallView(64, 256);
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        QCOMPARE(static_cast<int>(content->panels.size()), panels);
    }

    /// Colours reach as many decades below the largest weight as are asked for, to the next power of ten, of every
    /// kind of maps.
    void coloursReachTheDecadesAskedFor()
    {
        for (const char* kind : {"views", "method_grid"})
            for (const double decades : {1.0, 2.0, 3.0}) {
                Recipe recipe;
                recipe.kind = kind;
                recipe.scenario.n = 64;
                recipe.scenario.view = smallView(64, 256);
                recipe.parameters = {{"decades", decades}};
                if (recipe.kind == "views")
                    recipe.parameters["views"] = {"heatmaps"};
                const auto content = buildFigure(recipe, {});
                QVERIFY2(content, content ? "" : content.error().message.c_str());
                const ColourScale& scale = content->panels.front().scale;
                QVERIFY2(std::abs(std::log10(scale.high / scale.low) - decades) <= 0.5, kind);
            }
    }

    /// Of a larger window, of a print, of a preview.
    void coloursDoNotDependOnPixels()
    {
        Scenario scenario;
        scenario.n = 600;
        scenario.view = smallView(600, 256);
        const auto endsOf = [](const Scenario& shown) {
            const ColourScale scale = weightScaleOf(analyse(shown, {}).value(), {});
            return std::pair(scale.low, scale.high);
        };
        for (const std::int64_t n : {600, 6000}) {  // 6000: cells of 11.7 keys have means of 0.09 at most
            scenario.n = n;
            scenario.view.table = scenario.view.preview = false;
            const std::pair<double, double> ends = n == 600 ? std::pair(1e-4, 1.0) : std::pair(1e-6, 0.1);
            for (const int pixels : {16, 77, 600}) {
                scenario.view.pixels = pixels;
                QCOMPARE(endsOf(scenario), ends);
            }
            scenario.view.preview = true;
            QCOMPARE(endsOf(scenario), ends);
        }
        scenario.view.preview = false;
        scenario.view.region = {5500, 6000, 5500, 6000};  // there is room for every weight
        QCOMPARE(endsOf(scenario), std::pair(1e-5, 1.0));
        scenario.source = {"gaussian", {}, {}};
        scenario.methods = {{"vanilla", {}, {}}};
        for (const Region& part : {Region{5500, 6000, 0, 500}, Region{}}) {  // the first row's weight of 1 is in one
            scenario.view.region = part;
            scenario.view.preview = false;
            const auto exact = endsOf(scenario);
            QCOMPARE(exact.second<0.5, part.rowEnd> 0 || scenario.n > 5120);
            scenario.view.preview = true;
            QCOMPARE(endsOf(scenario), exact);
        }
    }

    /// One weight in a thousand is beyond them, of one head and of a mean of several.
    void linearColoursLeaveOutTheOutermost()
    {
        Analysis analysis;
        analysis.methods.resize(1);
        analysis.methods[0].map = {
            .region = {0, 25, 0, 40}, .rows = 25, .columns = 40, .values = std::vector<float>(1000, 0.01F)};
        analysis.methods[0].map.values.back() = 1;
        MapLook look;
        look.log = false;
        for (const std::vector<int>& heads : {std::vector<int>{}, {0, 1}}) {
            analysis.scenario.tensors.mean = heads;
            QCOMPARE(weightScaleOf(analysis, look).high, 0.01);
        }
    }

    /// The pin's own curve, faint, behind the scenario's.
    void pinsStandBehindTheCurvesOfAFigure()
    {
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view = smallView(48, 128);
        Look look;
        look.pins.push_back(scenario);
        look.pins.front().temperature = 2;
        Recipe recipe = viewsRecipe({"entropy"}, scenario, look);
        const auto read = readRecipe(toJson(recipe));
        QVERIFY(read && *read == recipe);
        const auto content = buildFigure(recipe, {}),
                   alone = buildFigure(viewsRecipe({"entropy"}, look.pins.front(), Look()), {});
        QVERIFY(content && alone);
        const ChartSeries& ghost = content->panels.front().chart.series.front();
        const ChartSeries& own = alone->panels.front().chart.series.front();
        QVERIFY(ghost.opacity < 1 && ghost.label.isEmpty());
        QCOMPARE(ghost.style, own.style);
        QCOMPARE(ghost.points.size(), own.points.size());
        for (size_t i = 0; i < own.points.size(); ++i)
            QVERIFY(ghost.points[i].x == own.points[i].x && ghost.points[i].y == own.points[i].y);
    }

    /// As the window draws them: on the chart of their measure alone.
    void annotationsAndZoomsReachTheFigure()
    {
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view = smallView(48, 128);
        Look look;
        look.annotations = {{"entropy:shannon", 32, 2.5, 1.5, -2, "here $\\ln n$"},
                            {"entropy:max_weight", 1, 1, 1, 1, "not here"},
                            {"dispersion:sorted", 4, 0.1, 1, 1, "a weight"}};
        look.zooms = {{"entropy:shannon", {{16, 64}, {1, 3}}}};
        look.colours = {{"vanilla", "#8a3ffc"}};
        const Recipe recipe = viewsRecipe({"entropy", "dispersion"}, scenario, look);
        const auto read = readRecipe(toJson(recipe));
        QVERIFY(read && *read == recipe);
        const auto content = buildFigure(*read, {});
        QVERIFY(content);
        const auto annotated = [&](std::size_t panel) {
            QStringList texts;
            for (const ChartNote& note : content->panels[panel].chart.notes)
                if (note.away)
                    texts << note.text;
            return texts;
        };
        QCOMPARE(annotated(0), QStringList{"here $\\ln n$"});
        QCOMPARE(annotated(1), QStringList{"a weight"});
        QCOMPARE(*content->panels[0].chart.x.range, std::pair(16.0, 64.0));
        QVERIFY(!content->panels[1].chart.x.range);
        const auto svg = figureSvg(*content, *read);
        QVERIFY(svg && svg->contains("#8a3ffc"));
    }

    /// On the map of their method, at the middle of their cell.
    void notesOnMapsReachTheFigure()
    {
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
        scenario.view = smallView(48, 128);
        Look look;
        look.annotations = {{"map:infoscale", 7, 40, 2, 2, "far"},
                            {"map:difference", 1, 30, 2, 2, "between"},
                            {"map:log_n", 1, 1, 1, 1, "not here"}};
        const auto content = buildFigure(viewsRecipe({"heatmaps"}, scenario, look), {});
        QVERIFY(content);
        QCOMPARE(content->panels.size(), std::size_t(3));
        QVERIFY(content->panels[0].chart.notes.empty());
        QCOMPARE(content->panels[1].chart.notes.size(), std::size_t(1));
        const ChartNote& note = content->panels[1].chart.notes.front();
        QVERIFY(note.text == "far" && note.x == 7.5 && note.y == 40.5 && note.away == QPointF(2, -2));
        QCOMPARE(content->panels[2].chart.notes.front().text, "between");
        const FigureLayout layout = layoutFigure(*content, *printStyle("paper"), 183, 0);
        const QPointF middle = layout.charts[1].place(note.x, note.y);
        const QRectF& frame = layout.charts[1].frame;
        QVERIFY(std::abs((middle.x() - frame.left()) / frame.width() - 7.5 / 48) < 1e-9);
        QVERIFY(std::abs((middle.y() - frame.top()) / frame.height() - 40.5 / 48) < 1e-9);
    }

    /// Every title has its lines above the map, of whatever height the figure is; and maps have most of their columns,
    /// which the axes of the charts below take nothing of.
    void titlesStandAboveTheirMaps_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        for (const double width : {140.0, 160.0, 183.0, 210.0})
            for (const double height : {0.0, 90.0, 130.0})
                QTest::addRow("%g x %g", width, height) << width << height;
    }
    void titlesStandAboveTheirMaps()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        Scenario scenario;
        scenario.n = 512;
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
        scenario.view = smallView(64, 1024);
        const auto content = buildFigure(viewsRecipe({"heatmaps", "entropy", "dispersion"}, scenario, {}), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const PlotStyle style = *printStyle("paper");
        const FigureLayout layout = layoutFigure(*content, style, width, height);
        for (std::size_t i = 0; i < layout.charts.size(); ++i) {
            const ChartTitle title = chartTitle(layout.panels[i].chart, style, layout.charts[i]);
            QVERIFY2(layout.charts[i].outer.top() + title.height <= layout.charts[i].frame.top(),
                     qPrintable(layout.panels[i].chart.title));
        }
        if (layout.panels[1].map && layout.panels[1].row == 0 && height == 0 && width >= 160) {
            const QRectF &a = layout.charts[0].frame, &b = layout.charts[1].frame;
            QVERIFY2(a.width() > 0.8 * (b.left() - a.left()),
                     qPrintable(QString::number(a.width() / (b.left() - a.left()))));
        }
    }

    /// What is analysed already gives the figure that its recipe gives.
    void ofAnAnalysisAsOfItsRecipe()
    {
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
        scenario.view = smallView(48, 128);
        const Recipe recipe = viewsRecipe({"heatmaps", "entropy"}, scenario, {});
        const auto analysis = analyse(recipe.scenario, {});
        QVERIFY(analysis);
        const auto made = figureOfViews(recipe, *analysis, {}), built = buildFigure(recipe, {});
        QVERIFY(made && built);
        QCOMPARE(QByteArray::fromStdString(dataTable(*made)), QByteArray::fromStdString(dataTable(*built)));
    }

    /// Of four methods and their difference in one column of a journal: maps that can be read, on a page of A4 with
    /// margins of 20 mm; and of eight methods, whose maps must be smaller for that.
    void theWholeWindowFitsAPage_data()
    {
        QTest::addColumn<int>("methods");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("leastMap");
        QTest::addRow("three") << 3 << 89.0 << 25.0;
        QTest::addRow("four") << 4 << 89.0 << 25.0;
        QTest::addRow("four, two columns") << 4 << 183.0 << 25.0;
        QTest::addRow("eight") << 8 << 89.0 << 8.0;
    }
    void theWholeWindowFitsAPage()
    {
        QFETCH(int, methods);
        QFETCH(double, width);
        QFETCH(double, leastMap);
        Scenario scenario;
        scenario.n = 512;
        for (const char* id :
             {"vanilla", "softmax_plus", "infoscale", "log_n", "ssmax", "yarn", "row_log", "log_power"})
            if (std::ssize(scenario.methods) < methods)
                scenario.methods.push_back({id, {}, {}});
        if (std::ssize(scenario.methods) > methods)
            scenario.methods.erase(scenario.methods.begin());
        scenario.view = smallView(64, 1024);
        const auto content = buildFigure(viewsRecipe({"heatmaps", "entropy", "dispersion"}, scenario, {}), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const FigureLayout layout = layoutFigure(*content, *printStyle("paper"), width, 0);
        const double mm = layout.size.width() / width;
        QVERIFY2(layout.size.height() / mm <= 297 - 2 * 20, qPrintable(QString::number(layout.size.height() / mm)));
        std::vector<double> starts;
        for (std::size_t i = 0; i < layout.charts.size(); ++i)
            if (layout.panels[i].map) {
                QVERIFY2(layout.charts[i].frame.width() / mm >= leastMap,
                         qPrintable(QString::number(layout.charts[i].frame.width() / mm)));
                if (layout.panels[i].row == 0)
                    starts.push_back(layout.charts[i].frame.left());
            }
        const double end = layout.size.width() - printStyle("paper")->gap;  // where the bars end
        QVERIFY(!layout.panels.back().map);
        QVERIFY2(std::abs(layout.charts.back().outer.right() - end) < 0.5 * mm,
                 "the charts below have all of the width");
        for (std::size_t i = 0; i < layout.charts.size(); ++i)
            for (const QRectF& bar : layout.bars)
                QVERIFY(layout.panels[i].map || !layout.charts[i].outer.intersects(bar));
        for (std::size_t i = 2; i < starts.size(); ++i)  // as far from one another, once the first has its numbers
            QVERIFY(std::abs((starts[i] - starts[i - 1]) - (starts[1] - starts[0])) < 0.01 * starts[1]);
    }

    /// Numbers and titles of bars end before the page does, in every style: linear colours have the longest.
    void barsAreOnThePage()
    {
        Scenario scenario;
        scenario.n = 1024;
        scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
        scenario.view = smallView(64, 1024);
        Look look;
        look.maps.difference = true;
        look.maps.log = false;
        look.maps.pinnedDifference = {-0.002, 0.002};
        const auto content = buildFigure(viewsRecipe({"heatmaps"}, scenario, look), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QCOMPARE(content->bars.size(), size_t(2));
        for (const PrintStyle& style : printStyles())
            for (const double width : {85.0, 180.0}) {
                const FigureLayout layout = layoutFigure(*content, style.style, width, 0);
                QImage page(layout.size.toSize() + QSize(40, 0), QImage::Format_RGB32);  // and what would be cut
                page.fill(style.style.background);
                QPainter painter(&page);
                paintFigure(painter, *content, style.style, layout);
                painter.end();
                for (int y = 0; y < page.height(); ++y)
                    for (int x = static_cast<int>(layout.size.width()); x < page.width(); ++x)
                        QVERIFY2(page.pixelColor(x, y) == style.style.background,
                                 qPrintable(QStringLiteral("%1 %2: %3, %4")
                                                .arg(QString::fromUtf8(style.id.data()))
                                                .arg(width)
                                                .arg(x)
                                                .arg(y)));
            }
    }

    void panelsOfOneSizeWithBarsBesideThem_data()
    {
        QTest::addColumn<int>("methods");
        QTest::addColumn<std::vector<std::string>>("views");
        for (const int methods : {3, 4, 5}) {
            QTest::addRow("%d maps", methods) << methods << std::vector<std::string>{"heatmaps"};
            QTest::addRow("%d maps and charts", methods)
                << methods << std::vector<std::string>{"heatmaps", "entropy", "dispersion"};
        }
    }
    /// At any width and in any style: a bar begins and ends with frames of maps, where it is the first of its colours;
    /// maps alone are no strip, and charts of one row are as large as one another.
    void panelsOfOneSizeWithBarsBesideThem()
    {
        QFETCH(int, methods);
        QFETCH(std::vector<std::string>, views);
        Scenario scenario;
        scenario.n = 256;
        for (const char* id : {"vanilla", "softmax_plus", "infoscale", "log_n", "ssmax"})
            if (std::ssize(scenario.methods) < methods)
                scenario.methods.push_back({id, {}, {}});
        scenario.view = smallView(64, 1024);
        Look look;
        look.maps.difference = methods == 5;
        const auto content = buildFigure(viewsRecipe(views, scenario, look), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        for (const PrintStyle& style : printStyles())
            for (const double width : {85.0, 120.0, 180.0}) {
                const FigureLayout layout = layoutFigure(*content, style.style, width, 0);
                const QByteArray what = QByteArray(style.id.data()) + ' ' + QByteArray::number(width);
                std::vector<QRectF> maps, charts;
                for (std::size_t i = 0; i < layout.charts.size(); ++i)
                    (layout.panels[i].map ? maps : charts).push_back(layout.charts[i].frame);
                for (const QRectF& frame : maps)
                    QVERIFY2(std::abs(frame.width() / maps[0].width() - 1) < 0.01 &&
                                 std::abs(frame.height() / maps[0].height() - 1) < 0.01,
                             what.constData());
                if (maps.size() == 4)  // two by two, or all in a row or a column
                    QVERIFY2(layout.panels[2].row == layout.panels[3].row || maps[0].left() == maps[1].left(),
                             what.constData());
                if (charts.size() == 2 && layout.panels.back().row == layout.panels[maps.size()].row)
                    QCOMPARE(charts[0].bottom(), charts[1].bottom());
                else if (charts.size() == 2)
                    QCOMPARE(charts[0].width(), charts[1].width());
                for (std::size_t bar = 0; bar < layout.bars.size(); ++bar) {
                    std::size_t first = 0;
                    while (!(layout.panels[first].scale == content->bars[bar].scale))
                        ++first;
                    const bool shareARow = layout.bars.size() > 1 && layout.panels[first].row == 0 && bar > 0;
                    QVERIFY2(shareARow || std::abs(layout.bars[bar].top() - maps[first].top()) < 0.01,
                             what.constData());
                    QVERIFY2(layout.bars[bar].left() >= maps[first].right(), what.constData());
                    const auto ends = [&](const QRectF& frame) {
                        return std::abs(frame.bottom() - layout.bars[bar].bottom()) < 0.01;
                    };
                    QVERIFY2(std::ranges::any_of(maps, ends), what.constData());
                }
                if (charts.empty())
                    QVERIFY2(layout.size.height() <= 1.8 * layout.size.width(), what.constData());
            }
    }

    /// A reader of a figure does not know what was pinned.
    void aFigureSaysWhatItsPinsAre()
    {
        Scenario scenario;
        scenario.n = 256;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view = smallView(64, 512);
        Look look;
        look.pins = {scenario, scenario};
        look.pins[0].n = 128;
        look.pins[1].temperature = 2;
        const auto content = buildFigure(viewsRecipe({"dispersion"}, scenario, look), {});
        QVERIFY(content);
        QVERIFY2(content->footnote.contains(QStringLiteral("1: n 256 \u2192 128.")), qPrintable(content->footnote));
        QVERIFY2(content->footnote.contains(" 2: "), qPrintable(content->footnote));
        const auto alone = buildFigure(viewsRecipe({"heatmaps"}, scenario, look), {});
        QVERIFY(alone && alone->footnote.isEmpty());  // they are in charts alone
    }

    /// Ratios of 1 to 10^5 are beyond the 3 decades that are shown; of 1 to 10 they are not.
    void ratiosThatAreCutAreBeyondTheScale()
    {
        PooledMap one, other;
        one.rows = other.rows = 1;
        one.columns = other.columns = 2;
        one.values = {1e-5F, 0.5F};
        other.values = {1, 0.05F};
        const auto cut = differenceMap(one, other, Difference::LogRatio);
        Beyond beyond = differencesBeyond(*cut, {.low = -3, .high = 3, .zeroIsBlank = false});
        QVERIFY(beyond.low && !beyond.high);
        one.values[0] = 0.1F;
        const auto whole = differenceMap(one, other, Difference::LogRatio);
        beyond = differencesBeyond(*whole, {.low = -3, .high = 3, .zeroIsBlank = false});
        QVERIFY(!beyond.low && !beyond.high);
        beyond = differencesBeyond(*whole, {.low = -0.5, .high = 0.5, .zeroIsBlank = false});
        QVERIFY(beyond.low && beyond.high);
    }

    void aMapWithoutCellsLeavesItsPlace()
    {
        FigureContent content;
        PooledMap map, narrow;
        map.region = {0, 4, 0, 4};
        map.rows = map.columns = narrow.rows = 4;
        map.values.assign(16, 0.25f);
        for (const PooledMap& one : {map, PooledMap(), narrow}) {
            content.panels.push_back(mapPanel(std::make_shared<const PooledMap>(one), {}, "map"));
            content.panels.back().column = static_cast<int>(content.panels.size()) - 1;
        }
        for (const double height : {0.0, 60.0})
            for (const ChartLayout& chart : layoutFigure(content, *printStyle("paper"), 120, height).charts)
                QVERIFY(chart.frame.width() >= 1 && chart.frame.height() >= 1 && chart.frame.height() < 1e5 &&
                        std::isfinite(chart.frame.x() + chart.frame.y()));
    }

    void coloursAndNotesAreChecked_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addRow("no such method") << "method_colours"
                                        << R"({"vanila": "#123456"})";
        QTest::addRow("no colour") << "method_colours"
                                   << R"({"vanilla": "red"})";
        QTest::addRow("no text") << "parameters.annotations"
                                 << R"([{"chart": "entropy:shannon", "x": 1, "y": 1, "text": ""}])";
        QTest::addRow("no list") << "parameters.annotations"
                                 << R"({"chart": "entropy:shannon"})";
        QTest::addRow("backwards") << "parameters.zooms"
                                   << R"({"entropy:shannon": [64, 16, 1, 3]})";
    }
    void coloursAndNotesAreChecked()
    {
        QFETCH(QString, field);
        QFETCH(QString, value);
        Scenario scenario;
        scenario.n = 32;
        scenario.view = smallView(32, 64);
        nlohmann::json json = toJson(viewsRecipe({"entropy"}, scenario, Look()));
        QVERIFY(setField(json, (field + "=" + value).toStdString()));
        const auto recipe = readRecipe(json);
        const auto content = recipe.and_then([](const Recipe& sound) { return buildFigure(sound, {}); });
        QVERIFY(!content);
        QVERIFY2(QString::fromStdString(content.error().message).contains(field.section('.', -1)),
                 content.error().message.c_str());
    }

    /// A range moves an axis and no picture: maps and tables have none.
    void mapsAndTablesHaveNoRange()
    {
        Scenario scenario;
        scenario.n = 16;
        scenario.view = smallView(16, 32);
        for (Recipe recipe : {viewsRecipe({"heatmaps"}, scenario, Look()), *loadRecipe("eie_table6")}) {
            recipe.panels.resize(1);
            recipe.panels[0].title = "another";
            QVERIFY(buildFigure(recipe, {}));
            recipe.panels[0].xRange = {0, 32};
            const auto content = buildFigure(recipe, {});
            QVERIFY2(!content && content.error().message.find("recipe.panels[0]") != std::string::npos,
                     recipe.kind.c_str());
        }
    }

    void publishedScalesAreLambda()
    {
        Recipe recipe = *loadRecipe("eie_fig3");
        for (const char* quantity : {"multiplier", "ratio"}) {
            recipe.parameters["quantity"] = quantity;
            const auto content = buildFigure(recipe, {});
            QVERIFY2(!content && content.error().message.find("parameters.published") != std::string::npos, quantity);
        }
        recipe.parameters["quantity"] = "lambda";
        QVERIFY(buildFigure(recipe, {}));
    }

    /// Every number of a figure's table has the name of its line, exact curves, pins and sampled points too.
    void everyNumberHasItsName()
    {
        Scenario scenario;
        scenario.n = 32;
        scenario.view = smallView(16, 128);
        Look look;
        look.approximations = true;
        look.pins = {scenario};
        look.pins[0].temperature = 2;
        const auto content = buildFigure(viewsRecipe({"entropy", "dispersion"}, scenario, look), {});
        QVERIFY(content);
        const QStringList lines = QString::fromStdString(dataTable(*content)).split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 20);
        for (const QString& line : lines)
            QVERIFY2(!line.contains(",,x") && !line.section(',', 2, 2).isEmpty(), qPrintable(line));
    }

    void theLegendIsDrawnAsTheChart_data()
    {
        QTest::addColumn<QByteArray>("mask");
        QTest::addRow("what is exact, and points along it") << QByteArray("full");
        QTest::addRow("points that are joined") << QByteArray("window");
    }
    /// As the chart draws a method the legend does, with the marks of what is measured.
    void theLegendIsDrawnAsTheChart()
    {
        QFETCH(QByteArray, mask);
        Scenario scenario;
        scenario.n = 48;
        scenario.methods = {{"vanilla", {}, {}}, {"log_n", {}, {}}};
        scenario.attention.mask = {mask.toStdString(), {}, {}};
        scenario.view = smallView(48, 128);
        const auto content = buildFigure(viewsRecipe({"entropy"}, scenario, {}), {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        const auto shapesOf = [](const std::vector<ChartSeries>& all, int style) {
            std::set<ChartSeries::Shape> shapes;
            for (const ChartSeries& series : all)
                if (series.style == style)
                    shapes.insert(series.shape);
            return shapes;
        };
        QStringList names;
        for (const ChartSeries& series : content->legend) {
            if (!series.label.isEmpty())
                names << series.label;
            QVERIFY(series.points.empty());
            QCOMPARE(shapesOf(content->legend, series.style),
                     shapesOf(content->panels.front().chart.series, series.style));
        }
        QCOMPARE(names, QStringList({"Vanilla", "Log $n$"}));
        const auto shapes = shapesOf(content->legend, content->legend.front().style);
        QVERIFY(shapes.contains(ChartSeries::Shape::Points) || shapes.contains(ChartSeries::Shape::LinePoints));
    }

    /// Where every head is a line, methods have none, and the legend names none.
    void theLegendIsOfLinesThatAreThere()
    {
        QTemporaryDir folder;
        std::vector<float> values(2 * 32 * 4);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(0.37F * static_cast<float>(i * i % 4099));
        const std::string path = folder.filePath("two.safetensors").toStdString();
        QVERIFY(writeSafetensors(
            path, std::vector{tensorView("q", {2, 32, 4}, values), tensorView("k", {2, 32, 4}, values)}));
        Scenario scenario;
        scenario.source = {"tensors", {}, {}};
        scenario.tensors.path = path;
        scenario.tensors.query = "q";
        scenario.tensors.key = "k";
        scenario.n = 32;
        scenario.view = smallView(16, 64);
        Look look;
        QVERIFY(!buildFigure(viewsRecipe({"entropy"}, scenario, look), {})->legend.empty());
        look.allHeads = true;
        QVERIFY(buildFigure(viewsRecipe({"entropy"}, scenario, look), {})->legend.empty());
    }

    /// Of a session written by hand: a log axis cannot show what is not above 0.
    void aZoomThatAnAxisCannotShowIsNone()
    {
        Scenario scenario;
        scenario.n = 32;
        scenario.view = smallView(16, 64);
        Look look;
        look.zooms["entropy:shannon"] = {{-5, 64}, {0, 1}};
        const auto content = buildFigure(viewsRecipe({"entropy"}, scenario, look), {});
        QVERIFY(content && content->panels[0].chart.x.log);
        QVERIFY(!content->panels[0].chart.x.range || content->panels[0].chart.x.range->first > 0);
    }

    /// Titles may hold what XML has not, and so may tokens.
    void everySvgIsXml()
    {
        Scenario scenario;
        scenario.n = 16;
        scenario.view = smallView(16, 32);
        Recipe recipe = viewsRecipe({"heatmaps"}, scenario, Look());
        recipe.title = "a\x01 b\x1b";
        recipe.caption = "\x08";
        auto content = *buildFigure(recipe, {});
        content.panels[0].chart.title = QString::fromLatin1("c\x02 & <d>");
        const auto svg = figureSvg(content, recipe);
        QVERIFY(svg);
        QXmlStreamReader xml(*svg);
        int elements = 0;
        while (!xml.atEnd())
            elements += xml.readNext() == QXmlStreamReader::StartElement;
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(elements > 10);
        const auto again = embeddedRecipe(*svg, "a.svg");
        QVERIFY(again && recipeFromText(*again, "a.svg")->title == recipe.title);
    }

    void whatCannotBeShownIsRefused_data()
    {
        QTest::addColumn<QByteArray>("parameters");
        QTest::addRow("falling range") << QByteArray(R"({"pinned": [2, 1]})");
        QTest::addRow("no pair") << QByteArray(R"({"pinned": [1]})");
        QTest::addRow("half a place") << QByteArray(R"({"difference": [0.5, 1]})");
        QTest::addRow("a pin that is none") << QByteArray(R"({"pins": [{"n": "many"}]})");
        QTest::addRow("a method that is not compared") << QByteArray(R"({"difference": ["vanilla", "custom"]})");
        QTest::addRow("a method that nobody has") << QByteArray(R"({"difference": ["vanilla", "nosuch"]})");
        QTest::addRow("one name") << QByteArray(R"({"difference": ["vanilla"]})");
        QTest::addRow("a negative place") << QByteArray(R"({"difference": [-1, 1]})");
    }
    void whatCannotBeShownIsRefused()
    {
        QFETCH(QByteArray, parameters);
        Recipe recipe = viewsRecipe({"heatmaps"}, Scenario(), Look());
        recipe.parameters.update(json::parse(parameters.toStdString()));
        const auto content = buildFigure(recipe, {});
        QVERIFY(!content.has_value());
        QVERIFY2(QString::fromStdString(content.error().message).contains("parameters."),
                 content.error().message.c_str());
    }
};

QTEST_MAIN(TestViewsRecipe)
#include "test_views_recipe.moc"
