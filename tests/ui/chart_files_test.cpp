// What leaves a chart and comes back: every line is copied under a name of its own, an exported figure opens as the
// window that it shows, and a line that a kept zoom hides is told of.
#include "tests/ui/window_support.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/chart_readout.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/copy_data.h"
#include "ui/figures/export_panel.h"
#include "ui/figure/figure_content.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/views/save_chart.h"
#include "ui/views/save_map.h"
#include "ui/widgets/save_picture.h"
#include "ui/model/model_page.h"
#include "ui/model/model_results.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/figure_file.h"

#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSet>
#include <QTemporaryDir>
#include <QToolButton>

#include <map>
#include <set>

using namespace attnscope;
using namespace attnscope::testing;

class ChartFilesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }

    void everyLineIsCopiedUnderANameOfItsOwn_data();
    void everyLineIsCopiedUnderANameOfItsOwn();
    void anExportedFigureOpensAsTheWindowThatItShows_data();
    void anExportedFigureOpensAsTheWindowThatItShows();
    void aFigureWithoutARecipeSaysSo_data();
    void aFigureWithoutARecipeSaysSo();
    void linesOutOfSight_data();
    void linesOutOfSight();
    void aLineThatAZoomHidesIsToldOf();
    void whatATakenCornerShows_data();
    void whatATakenCornerShows();
    void escapeLeavesTheField();
    void aChartIsSavedAsItStands_data();
    void aChartIsSavedAsItStands();
    void everyChartCanBeSaved();
    void everyViewCanBeSaved();
    void aPictureIsSavedAsItIsSeen();
    void aMapIsSavedAsAFigure();
    void figuresWithoutMaps();

private:
    std::unique_ptr<MainWindow> m_window;
};

void ChartFilesTest::everyLineIsCopiedUnderANameOfItsOwn_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("approximations");
    QTest::addColumn<bool>("pinned");
    for (const char* source : {"gaussian", "local", "theory"})
        for (const bool approximations : {false, true})
            for (const bool pinned : {false, true})
                QTest::addRow("%s%s%s", source, approximations ? ", approximations" : "", pinned ? ", a pin" : "")
                    << QString::fromLatin1(source) << approximations << pinned;
}

void ChartFilesTest::everyLineIsCopiedUnderANameOfItsOwn()
{
    QFETCH(QString, source);
    QFETCH(bool, approximations);
    QFETCH(bool, pinned);
    m_window->document().edit("Source", [&](Scenario& scenario) { scenario.source = {source.toStdString(), {}, {}}; });
    QVERIFY(settle(*m_window));
    if (pinned) {
        m_window->pins().pin();
        m_window->document().edit("Temperature", [](Scenario& scenario) { scenario.temperature = 2; });
    }
    m_window->document().editLook([&](Look& look) { look.approximations = approximations; });
    QVERIFY(settle(*m_window));
    const ChartSpec& spec = m_window->explore().entropy().chart()->spec();
    std::map<QString, qsizetype> points;
    for (const QString& line : chartData(spec).split('\n', Qt::SkipEmptyParts).mid(1))
        ++points[line.section('\t', 0, 0)];
    qsizetype series = 0;
    for (const ChartSeries& one : spec.series)
        if (std::ranges::any_of(one.points, [](const ChartPoint& point) { return std::isfinite(point.y); })) {
            ++series;
            QVERIFY2(!one.known().isEmpty(), qPrintable(QStringLiteral("style %1").arg(one.style)));
        }
    QCOMPARE(std::ssize(points), series);  // no two of one name
    for (const auto& [name, count] : points)
        QVERIFY2(!name.startsWith("series"), qPrintable(name));
}

void ChartFilesTest::anExportedFigureOpensAsTheWindowThatItShows_data()
{
    QTest::addColumn<QString>("ending");
    for (const char* ending : {"pdf", "svg", "png"})
        QTest::addRow("%s", ending) << QString::fromLatin1(ending);
}

void ChartFilesTest::anExportedFigureOpensAsTheWindowThatItShows()
{
    QFETCH(QString, ending);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.") + ending);
    m_window->pins().pin();
    m_window->document().edit("Temperature", [](Scenario& scenario) {
        scenario.temperature = 1.5;
        scenario.n = 48;
    });
    m_window->document().editLook([](Look& look) {
        look.maps.colourMap = "magma";
        look.maps.log = false;
        look.zooms["entropy:shannon"] = {{8, 64}, {0.5, 3}};
        look.dispersion = "largest";
    });
    QVERIFY(settle(*m_window));
    m_window->exportPanel().saveViewAs("entropy", path);
    QTRY_VERIFY(!m_window->bench().saves.isBusy());
    QVERIFY2(QFile::exists(path), qPrintable(m_window->messages().message()));
    const auto other = smallWindow();
    QVERIFY(other);
    other->setWorkspace(QStringLiteral("learn"));
    other->openFile(path);
    QTRY_COMPARE(other->document().scenario().temperature, 1.5);
    Scenario expected = m_window->document().scenario(), got = other->document().scenario();
    expected.view.pixels = got.view.pixels;
    QCOMPARE(got, expected);
    const Look& was = m_window->document().look();
    const Look& is = other->document().look();
    QCOMPARE(is.maps, was.maps);
    QCOMPARE(is.pins, was.pins);
    QCOMPARE(is.zooms, was.zooms);
    QCOMPARE(is.dispersion, was.dispersion);
    QCOMPARE(other->workspace(), QStringLiteral("explore"));
    other->document().undo();
    QCOMPARE(other->document().scenario().temperature, 1.0);

    // one's own work is a step behind it, where the scenario is the same too
    const Session shown = m_window->session().current();
    m_window->document().editNotes(
        "Notes", [](std::vector<Annotation>& notes) { notes.push_back({.chart = "entropy", .text = "mine"}); });
    m_window->document().editPins("Pins", [](std::vector<Scenario>& pins) { pins.clear(); });
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().look().pins, shown.look.pins);
    QVERIFY(m_window->document().look().annotations.empty());
    m_window->document().undo();
    QVERIFY(m_window->document().look().pins.empty());
    QCOMPARE(m_window->document().look().annotations.size(), size_t(1));
}

void ChartFilesTest::aFigureWithoutARecipeSaysSo_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addRow("pdf") << "a.pdf" << QByteArray("%PDF-1.4\n%%EOF\n");
    QTest::addRow("svg") << "a.svg" << QByteArray("<svg xmlns='http://www.w3.org/2000/svg'/>");
    QTest::addRow("png") << "a.PNG" << QByteArray("\x89PNG\r\n\x1a\n, and no more");
    QTest::addRow("a recipe that is none") << "b.svg"
                                           << QByteArray("<svg><metadata id='attnscope-recipe'>{\"schema\": "
                                                         "1e999}</metadata></svg>");
    QTest::addRow("empty") << "c.pdf" << QByteArray();
}

void ChartFilesTest::aFigureWithoutARecipeSaysSo()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    const Scenario before = m_window->document().scenario();
    m_window->openFile(file.fileName());
    QTRY_VERIFY(m_window->messages().showsError());
    QVERIFY2(m_window->messages().message().contains(name), qPrintable(m_window->messages().message()));
    QCOMPARE(m_window->document().scenario(), before);
}

void ChartFilesTest::linesOutOfSight_data()
{
    QTest::addColumn<QList<QPointF>>("points");
    QTest::addColumn<bool>("joined");
    QTest::addColumn<int>("outside");
    QTest::addRow("above") << QList<QPointF>{{1, 5}, {2, 6}} << true << 1;
    QTest::addRow("left of it") << QList<QPointF>{{-3, 0.5}, {-2, 0.5}} << true << 1;
    QTest::addRow("a point within") << QList<QPointF>{{1, 5}, {0.5, 0.5}} << true << 0;
    QTest::addRow("between two points") << QList<QPointF>{{-1, -1}, {2, 2}} << true << 0;
    QTest::addRow("points alone") << QList<QPointF>{{-1, -1}, {2, 2}} << false << 1;
    QTest::addRow("past its corner") << QList<QPointF>{{-1, 1.5}, {2, 4}} << true << 1;
    QTest::addRow("a gap between") << QList<QPointF>{{-1, -1}, {0.5, std::nan("")}, {2, 2}} << true << 1;
    QTest::addRow("nothing at all") << QList<QPointF>{} << true << 0;
}

/// In a frame of [0, 1] by [0, 1].
void ChartFilesTest::linesOutOfSight()
{
    QFETCH(QList<QPointF>, points);
    QFETCH(bool, joined);
    QFETCH(int, outside);
    ChartSpec spec;
    spec.x.range = spec.y.range = {0.0, 1.0};
    ChartSeries series;
    series.label = "one";
    series.shape = joined ? ChartSeries::Shape::LinePoints : ChartSeries::Shape::Points;
    for (const QPointF& point : points)
        series.points.push_back({point.x(), point.y()});
    spec.series = {series};
    const auto count = [&] { return linesOutside(spec, layoutChart(spec, PlotStyle{}, {0, 0, 300, 200})); };
    QCOMPARE(count(), outside);
    spec.series.front().ghost = true;
    QCOMPARE(count(), 0);
}

void ChartFilesTest::aLineThatAZoomHidesIsToldOf()
{
    ChartView chart;
    chart.resize(400, 300);
    const auto specOf = [](int lines) {
        ChartSpec spec;
        for (int i = 0; i < lines; ++i) {
            ChartSeries series;
            series.label = QString::number(i);
            series.style = i;
            series.points = {{0, 10.0 * i}, {1, 10.0 * i + 1}};
            spec.series.push_back(series);
        }
        return spec;
    };
    chart.show(specOf(1));
    static_cast<QWidget&>(chart).show();
    QVERIFY(chart.outside()->isHidden());
    chart.showZoom(ChartZoom{{0, 1}, {0, 1}});
    QVERIFY(chart.outside()->isHidden());
    chart.show(specOf(3));
    QVERIFY(!chart.outside()->isHidden());
    QVERIFY2(chart.outside()->text().contains("2 lines"), qPrintable(chart.outside()->text()));
    QVERIFY(chart.rect().contains(chart.outside()->geometry()));
    QVERIFY(chart.outside()->property("framed").toBool());  // it looks like a button
    QTest::mouseClick(chart.outside(), Qt::LeftButton);
    QVERIFY(!chart.isZoomed() && chart.outside()->isHidden());
}

void ChartFilesTest::whatATakenCornerShows_data()
{
    QTest::addColumn<double>("line");
    QTest::addColumn<bool>("left");
    QTest::addRow("a line at the left") << 0.05 << true;
    QTest::addRow("a line at the right") << 0.95 << false;
}

/// The button that tells of lines out of sight lies on no line across the chart, and the sheet of values not under it.
void ChartFilesTest::whatATakenCornerShows()
{
    QFETCH(double, line);
    QFETCH(bool, left);
    ChartView chart;
    chart.resize(600, 400);
    ChartSpec spec;
    spec.legend = Legend::None;
    for (int i = 0; i < 2; ++i) {
        ChartSeries series;
        series.label = QString::number(i);
        series.style = i;
        series.points = {{0, 10.0 * i + 0.5}, {1, 10.0 * i + 0.5}};
        spec.series.push_back(series);
    }
    spec.lines.push_back({Qt::Vertical, line, "n", true});
    chart.show(spec);
    static_cast<QWidget&>(chart).show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    chart.showZoom(ChartZoom{{0, 1}, {0, 1}});
    QVERIFY(!chart.outside()->isHidden());
    const QRect button = chart.outside()->geometry();
    const ChartLayout layout = chart.chartLayout();
    QVERIFY(layout.frame.contains(button));
    QCOMPARE(button.center().x() > layout.frame.center().x(), left);
    const QImage free = chart.grab().toImage();
    bool read = false;
    for (double x = layout.frame.left() + 2; x < layout.frame.right(); x += 12) {
        if (x > button.left() - 3 && x < button.right() + 3)
            continue;  // its rule
        hover(&chart, {x, layout.frame.center().y()});
        const QImage now = chart.grab().toImage();
        read |= now != free;
        const int down = button.top() > layout.frame.center().y() ? button.top() - 2 : button.bottom() + 2;
        const QRect beside(button.left(), down, button.width(), 1);  // the line of pixels along it
        QVERIFY2(now.copy(beside) == free.copy(beside), qPrintable(QString::number(x)));
    }
    QVERIFY(read);
}

void ChartFilesTest::escapeLeavesTheField()
{
    m_window->setWorkspace(QStringLiteral("figures"));
    m_window->activateWindow();
    for (auto* field : m_window->exportPanel().findChildren<QLineEdit*>())
        if (field->isVisible() && field->isEnabled()) {
            field->setFocus();
            if (!field->hasFocus())
                continue;
            QTest::keyClick(field, Qt::Key_Escape);
            QCOMPARE(m_window->workspace(), QStringLiteral("figures"));
            QVERIFY(!field->hasFocus());
        }
    QTest::keyClick(m_window.get(), Qt::Key_Escape);
    QCOMPARE(m_window->workspace(), QStringLiteral("figures"));
}

void ChartFilesTest::aChartIsSavedAsItStands_data()
{
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("begins");
    QTest::addRow("pdf") << "pdf" << QByteArray("%PDF-");
    QTest::addRow("svg") << "svg" << QByteArray("<?xml");
    QTest::addRow("png") << "png" << QByteArray("\x89PNG");
    QTest::addRow("csv") << "csv" << QByteArray("panel,title,series,");
}

/// With a name for its line, without a recipe that would not make it again; its numbers are those of the line.
void ChartFilesTest::aChartIsSavedAsItStands()
{
    QFETCH(QString, ending);
    QFETCH(QByteArray, begins);
    QTemporaryDir folder;
    ChartSpec chart;
    chart.x.title = QStringLiteral("n");
    chart.series.resize(1);
    chart.series[0].label = QStringLiteral("Perplexity");
    chart.series[0].points = {{64, 12.5}, {128, 17.25}};
    chart.legend = Legend::None;
    const QString path = folder.filePath("chart." + ending);
    const auto saved = saveChart(chart, {400, 240}, path);
    QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith(begins));
    QVERIFY(!embeddedRecipe(bytes, "chart"));
    if (ending == "svg") {
        QVERIFY(bytes.contains("Perplexity"));
        QVERIFY(bytes.contains("width=\"120.0000mm\"") && bytes.contains("height=\"72.0000mm\""));
    }
    if (ending == "csv")
        QVERIFY(bytes.contains("Perplexity,n,128,") && bytes.contains("17.25"));
    QVERIFY(!saveChart(chart, {400, 240}, folder.filePath("chart.bmp")));
}

/// What is no chart is saved as it stands on the screen, its numbers too where it has some.
void ChartFilesTest::aPictureIsSavedAsItIsSeen()
{
    QTemporaryDir folder;
    QLabel label(QStringLiteral("Vanilla"));
    label.resize(120, 40);
    const SeenPicture seen = seenPicture(label, QStringLiteral("method\tn\nVanilla, as it is\t128\n"));
    const auto bytesOf = [&](const char* ending) {
        const QString path = folder.filePath(QStringLiteral("picture.") + QLatin1String(ending));
        const auto saved = savePicture(seen, path);
        QFile file(path);
        return saved && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(bytesOf("pdf").startsWith("%PDF"));
    QVERIFY(bytesOf("svg").contains("Vanilla"));
    QCOMPARE(QImage::fromData(bytesOf("png")).size(), QSize(360, 120));
    QCOMPARE(bytesOf("csv"), QByteArray("method,n\n\"Vanilla, as it is\",128\n"));
    QVERIFY(!savePicture(seen, folder.filePath(QStringLiteral("picture.bmp"))));
    QVERIFY(!savePicture(seenPicture(label, {}), folder.filePath(QStringLiteral("none.csv"))));
}

/// Maps, tables, heads and tours, as charts: one line of the menu, once.
void ChartFilesTest::everyViewCanBeSaved()
{
    for (const char* workspace : {"explore", "model", "labs"})
        m_window->setWorkspace(QLatin1String(workspace));
    std::set<QString> kinds;
    for (QWidget* view : m_window->findChildren<QWidget*>())
        for (const char* kind : {"HeatmapPlot", "ValueTable", "HeadOverview", "LabTourView", "ChartView"})
            if (view->inherits(("attnscope::" + std::string(kind)).c_str()) &&
                view->contextMenuPolicy() == Qt::CustomContextMenu) {
                emit view->customContextMenuRequested({4, 4});
                QMenu* menu = view->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
                QVERIFY2(menu, kind);
                QCOMPARE(std::ranges::count_if(
                             menu->actions(),
                             [](const QAction* one) { return one->text().startsWith(QStringLiteral("Save as PDF")); }),
                         1);
                delete menu;
                kinds.insert(QLatin1String(kind));
            }
    const auto linesOf = [](QWidget* view) {
        emit view->customContextMenuRequested({4, 4});
        QMenu* menu = view->findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
        QStringList lines;
        for (const QAction* one : menu->actions())
            lines << (one->isSeparator() ? QStringLiteral("-") : one->text().section(QLatin1Char(' '), 0, 0));
        delete menu;
        return lines.join(QLatin1Char(' '));
    };
    QCOMPARE(linesOf(m_window->explore().entropy().chart()),
             QStringLiteral("Write Remove - Show Differences - Copy Copy Copy - Save"));
    QCOMPARE(linesOf(m_window->explore().heatmaps().tiles().front()->plot()),
             QStringLiteral("Write Remove - Whole - Copy Copy Copy - Save Save"));
    QVERIFY2(kinds.size() == 5, qPrintable(QStringList(kinds.begin(), kinds.end()).join(QLatin1Char(' '))));
}

/// In print: of whom it is, what its axes and colours are of, every cell; not what is on the screen for its pointer.
void ChartFilesTest::aMapIsSavedAsAFigure()
{
    QTemporaryDir folder;
    const HeatmapTile* tile = m_window->explore().heatmaps().tiles().front();
    const PooledMap& map = tile->plot()->map();
    const FigureContent made = mapFigure(*tile->plot(), {QStringLiteral("Of this method"), QStringLiteral("Weight")});
    const auto bytesOf = [&](const char* ending) {
        const QString path = folder.filePath(QStringLiteral("map.") + QLatin1String(ending));
        const auto saved = saveMap(made, path);
        QFile file(path);
        return saved && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray svg = bytesOf("svg");
    for (const char* words : {"Of this method", "Key", "Query", "Weight"})
        QVERIFY2(svg.contains(words), words);
    QVERIFY(svg.contains("width=\"89.0000mm\""));
    QVERIFY(bytesOf("pdf").startsWith("%PDF"));
    QVERIFY(!QImage::fromData(bytesOf("png")).isNull());
    double sum = 0;
    int cells = 0;
    for (const QByteArray& line : bytesOf("csv").split('\n'))
        if (const QList<QByteArray> fields = line.trimmed().split(','); fields.size() > 1) {
            bool number = false;
            const double value = fields.back().toDouble(&number);
            if (number && !std::isnan(value)) {
                sum += value;
                ++cells;
            }
        }
    QVERIFY(cells > map.rows);
    const double keysPerCell = double(map.region.columnEnd - map.region.columnBegin) / map.columns;
    QVERIFY(std::abs(sum * keysPerCell - map.rows) < 1e-3 * map.rows);  // every row of weights sums to 1
    QVERIFY(!saveMap(made, folder.filePath(QStringLiteral("map.bmp"))));
}

/// Exact theory has no maps: the window's figure is of its charts, and the maps alone say why there are none.
void ChartFilesTest::figuresWithoutMaps()
{
    Scenario scenario = m_window->document().scenario();
    scenario.source = {"theory", {}, {}};
    const Look look;
    const auto made = [&](const std::vector<std::string>& views) {
        return buildFigure(viewsRecipe(views, scenario, look), {});
    };
    const auto both = made({"heatmaps", "entropy", "dispersion"});
    QVERIFY(both);
    QCOMPARE(both->panels.size(), std::size_t{1});  // nor rows, whose weights could be ranked
    QVERIFY(!made({"dispersion"}));
    const auto alone = made({"heatmaps"});
    QVERIFY(!alone && alone.error().message.find("no maps") != std::string::npos);
}

void ChartFilesTest::everyChartCanBeSaved()
{
    m_window->setWorkspace(QStringLiteral("model"));
    m_window->setWorkspace(QStringLiteral("labs"));
    int charts = 0;
    for (const ChartView* chart : m_window->findChildren<ChartView*>()) {
        if (chart->parentWidget()->inherits("attnscope::EmptyMaps"))
            continue;  // it shows formulas of papers
        ++charts;
        QVERIFY2(std::ranges::any_of(chart->actions(),
                                     [](const QAction* one) { return one->text().startsWith("Save as PDF"); }),
                 qPrintable(chart->accessibleName()));
    }
    QVERIFY(charts >= 6);
}

QTEST_MAIN(ChartFilesTest)
#include "chart_files_test.moc"
