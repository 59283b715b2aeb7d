// The window, driven as a user drives it: what is moved, what every view shows then.
#include "tests/ui/window_support.h"

#include "core/attention/masks.h"
#include "core/scaling/scale_method.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/message_bar.h"
#include "ui/job/pace.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/window/progress_line.h"
#include "ui/explore/difference_tile.h"
#include "ui/explore/empty_maps.h"
#include "ui/explore/statistics_view.h"
#include "ui/workbench/figure_sources.h"

#include <QTemporaryDir>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

using namespace attnscope;
using namespace attnscope::testing;

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void opensWithThreeMethodsInEveryView();
    void temperatureMovesAllThreeViews();
    void lengthMovesAllThreeViews();
    void picturesComeBeforeSlowTheory();
    void aTickedMethodIsOneMoreEverywhere();
    void aChartIsCalledByItsMeasure();
    void aMethodKeepsItsColour();
    void aClickOnAMapChoosesTheRow();
    void hoveringShowsTheRowAndLeavingGivesItBack();
    void markersCanBeDragged();
    void zoomIsLinked();
    void differenceFollowsItsButton();
    void aDifferenceSaysWhyItIsEmpty_data();
    void aDifferenceSaysWhyItIsEmpty();
    void aLengthOnACurveIsMarkedEverywhere();
    void aRowOfAMapIsALengthOnTheCurves();
    void aMethodPointedAtStandsOutEverywhere();
    void aKeyIsFoundAmongTheWeights();
    void withNothingTickedEveryViewSaysSo();
    void theoryAloneShowsItsApproximations();
    void aRowThatSeesNothingSaysSo();
    void statisticsCanBeCopied();
    void cancellingKeepsThePreview();
    void aChangeOfThemeHidesNoError();
    void aThemeReachesEveryView();
    void timeLeft_data();
    void timeLeft();
    void theTimeLeftIsOfTheLatestPace();

private:
    std::unique_ptr<MainWindow> m_window;
};

void WindowTest::initTestCase() { prepareApplication(); }

void WindowTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window);
}

void WindowTest::cleanup() { m_window.reset(); }

void WindowTest::opensWithThreeMethodsInEveryView()
{
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(3));
    QCOMPARE(m_window->explore().statistics().rowCount(), 3);
    QCOMPARE(m_window->explore().dispersion().chart()->spec().series.size(), size_t(3));
    int curves = 0;
    for (const ChartSeries& series : m_window->explore().entropy().chart()->spec().series)
        curves += series.style >= 0;
    QVERIFY(curves >= 3);
}

void WindowTest::temperatureMovesAllThreeViews()
{
    const Shown before = shown(*m_window);
    NumberControl* temperature = number(*m_window, QStringLiteral("Temperature \u03C4"));
    QVERIFY(temperature);
    temperature->slider()->setValue(temperature->slider()->maximum() * 3 / 4);
    QVERIFY(settle(*m_window));
    const Shown after = shown(*m_window);
    QVERIFY(before.map != after.map);
    QVERIFY(before.curve != after.curve);
    QVERIFY(before.dispersion != after.dispersion);
    QCOMPARE(m_window->analyser().current()->scenario.temperature, temperature->value());
}

void WindowTest::lengthMovesAllThreeViews()
{
    NumberControl* length = number(*m_window, "Length n");
    QVERIFY(length);
    length->field()->selectAll();
    QTest::keyClicks(length->field(), "100");
    QTest::keyClick(length->field(), Qt::Key_Return);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().tiles().front()->plot()->plottable().map()->region.columnEnd, 100);
    QCOMPARE(m_window->explore().entropy().chart()->spec().lines.front().at, 100.0);
    QCOMPARE(m_window->explore().dispersion().chart()->spec().series.front().points.size(), size_t(100));
}

/// A needle among few dimensions at a low temperature: theory takes much longer than a picture of 64 keys.
void WindowTest::picturesComeBeforeSlowTheory()
{
    std::vector<AnalysisPtr> arrived;
    const auto listening = connect(&m_window->analyser(), &Analyser::arrived, this,
                                   [&](const AnalysisPtr& analysis) { arrived.push_back(analysis); });
    Scenario scenario = smallScenario();
    scenario.source = {"needle", {}, {}};
    scenario.d = 3;
    scenario.temperature = 0.2;
    m_window->document().replace(QStringLiteral("Scenario"), scenario);
    QVERIFY(QTest::qWaitFor([&] { return m_window->analyser().isSettled(); }, patience));
    disconnect(listening);
    QVERIFY(arrived.size() >= 2);
    QVERIFY(arrived.front()->theoryComes && !arrived.front()->methods[0].rows.empty() &&
            arrived.front()->methods[0].exact.empty());
    QVERIFY(!arrived.back()->theoryComes && !arrived.back()->methods[0].exact.empty());
    for (const AnalysisPtr& analysis : arrived)  // the temperature's own theory or none
        QVERIFY(analysis->theoryComes ||
                analysis->methods[0].exact.back().value == arrived.back()->methods[0].exact.back().value);
}

void WindowTest::aTickedMethodIsOneMoreEverywhere()
{
    MethodRow* logN = methodRow(*m_window, "Log n");
    QVERIFY(logN);
    logN->tick()->setChecked(true);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(4));
    QCOMPARE(m_window->explore().statistics().rowCount(), 4);
    QVERIFY(logN->worked().startsWith("m = ln 64 = 4.1"));
    for (const char* label : {"Vanilla", "Softmax Plus"})
        methodRow(*m_window, label)->tick()->setChecked(false);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(2));
}

/// Its card, its menu and the figure of it.
void WindowTest::aChartIsCalledByItsMeasure()
{
    QDockWidget* card = m_window->explore().dock(QStringLiteral("entropy"));
    QCOMPARE(card->windowTitle(), QStringLiteral("Entropy against n"));
    m_window->document().editOnce(QStringLiteral("Measure"), [](Scenario& scenario) {
        scenario.view.measure = {"max_weight", {}, {}};
    });
    const QString title = QStringLiteral("Largest weight against n");
    QCOMPARE(card->windowTitle(), title);
    QCOMPARE(card->toggleViewAction()->text(), title);
    const auto labels = card->titleBarWidget()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == title; }));
    const auto sources = figureSources(m_window->bench(), [] { return std::vector<std::string>(); });
    QVERIFY(std::ranges::any_of(sources, [&](const FigureSource& source) {
        const auto recipe = source.recipe();
        return recipe && recipe->title == title.toStdString();
    }));
}

void WindowTest::aMethodKeepsItsColour()
{
    const int before = methodRow(*m_window, "Softmax Plus")->swatch()->shownStyle();
    methodRow(*m_window, "Vanilla")->tick()->setChecked(false);
    QVERIFY(settle(*m_window));
    QCOMPARE(methodRow(*m_window, "Vanilla")->swatch()->shownStyle(), -1);
    QCOMPARE(methodRow(*m_window, "Softmax Plus")->swatch()->shownStyle(), before);
    QCOMPARE(m_window->explore().dispersion().chart()->spec().series.front().style, before);
}

void WindowTest::aClickOnAMapChoosesTheRow()
{
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles()[1]->plot();
    QTest::qWait(50);
    const QRect frame = plot->frame();
    QTest::mouseClick(plot, Qt::LeftButton, {}, {frame.left() + frame.width() / 8, frame.center().y()});
    QVERIFY(settle(*m_window));
    const auto row = m_window->document().scenario().view.row;
    QVERIFY2(std::abs(row - 32) <= 1, qPrintable(QString::number(row)));
    QTRY_COMPARE(m_window->explore().dispersion().chart()->spec().series.front().points.size(),
                 static_cast<size_t>(row + 1));
}

void WindowTest::hoveringShowsTheRowAndLeavingGivesItBack()
{
    m_window->pointer().point({20, 3});
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().dispersion().chart()->spec().series.front().points.size(), size_t(21));
    QVERIFY(m_window->explore().heatmaps().reading().contains("<b>20</b>"));
    QCOMPARE(m_window->document().scenario().view.row, -1);
    m_window->pointer().leave();
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().dispersion().chart()->spec().series.front().points.size(), size_t(64));
}

void WindowTest::markersCanBeDragged()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTest::qWait(50);
    const ChartLayout layout = chart->chartLayout();
    const double middle = layout.frame.center().y();
    const QPoint from(static_cast<int>(layout.place(64, layout.yRange.first).x()), static_cast<int>(middle));
    const QPoint to(static_cast<int>(layout.place(128, layout.yRange.first).x()), static_cast<int>(middle));
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QTest::mouseMove(chart, (from + to) / 2);
    QTest::mouseMove(chart, to);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, to);
    QVERIFY(settle(*m_window));
    QVERIFY(std::abs(m_window->document().scenario().n - 128) <= 8);
    m_window->document().undo();
    QCOMPARE(m_window->document().scenario().n, 64);
}

/// Which part is looked at is no step of undo.
void WindowTest::zoomIsLinked()
{
    m_window->explore().heatmaps().zoom(2);
    QVERIFY(settle(*m_window));
    const Region region = m_window->document().scenario().view.region;
    QCOMPARE(region.rowEnd - region.rowBegin, 32);
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QVERIFY(tile->plot()->plottable().map()->region == region);
    QVERIFY(!m_window->document().canUndo());
    m_window->explore().heatmaps().fit();
    QVERIFY(m_window->document().scenario().view.region == Region{});
}

void WindowTest::differenceFollowsItsButton()
{
    QVERIFY(m_window->explore().heatmaps().difference());
    QToolButton* button = nullptr;
    for (QToolButton* one : m_window->explore().heatmaps().findChildren<QToolButton*>())
        if (one->accessibleName() == "Difference map")
            button = one;
    QVERIFY(button && button->isChecked());
    button->click();
    QVERIFY(!m_window->explore().heatmaps().difference());
    QVERIFY(!m_window->document().look().maps.difference);
    m_window->document().editLook([](Look& look) { look.maps.difference = true; });
    QVERIFY(m_window->explore().heatmaps().difference() && button->isChecked());
}

void WindowTest::aDifferenceSaysWhyItIsEmpty_data()
{
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("note");
    QTest::addRow("two maps") << "softmax_plus:B=16"
                              << "";
    QTest::addRow("equal ones") << "infoscale:eps=0"
                                << "the same weights";  // n is N: every multiplier of it is 1
    QTest::addRow("one") << "entropy_measured"
                         << "one has no map";  // of fewer keys than N it has no value
}
void WindowTest::aDifferenceSaysWhyItIsEmpty()
{
    QFETCH(QString, other);
    QFETCH(QString, note);
    m_window->document().edit("Methods", [&](Scenario& scenario) {
        scenario.source.id = "local";
        scenario.n = 64;
        scenario.nTrain = other == "entropy_measured" ? 500 : 64;
        scenario.methods = {{"vanilla", {}, {}}, *parseChoice(other.toStdString(), scaleMethods(), "method")};
    });
    m_window->document().editLook([id = parseChoice(other.toStdString(), scaleMethods(), "method")->id](Look& look) {
        look.maps.difference = true;
        look.maps.sides = MethodPair("vanilla", id == "vanilla" ? "vanilla#2" : id);
    });
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().difference()->note(), note);
    const auto& tiles = m_window->explore().heatmaps().tiles();
    for (std::size_t m = 0; m < tiles.size(); ++m)  // and a map that is none says why in its place
        QCOMPARE(tiles[m]->whyNone(), numbersIn(text(m_window->analyser().current()->methods[m].absent)));
}

void WindowTest::aLengthOnACurveIsMarkedEverywhere()
{
    m_window->document().editLook([](Look& look) { look.dispersion = "largest"; });
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    const ChartLayout layout = chart->chartLayout();
    QTest::mouseMove(chart, QPointF(layout.place(32, layout.yRange.first).x(), layout.frame.top() + 8).toPoint());
    const double length = m_window->pointer().at().length;
    QVERIFY2(std::abs(length - 32) <= 2, qPrintable(QString::number(length)));
    QCOMPARE(*chart->mark().x, length);
    QCOMPARE(*m_window->explore().dispersion().chart()->mark().x, length);
    QCOMPARE(m_window->explore().dispersion().chart()->mark().points.size(), size_t(3));
    m_window->pointer().leave();
    QVERIFY(!chart->mark().x && !m_window->explore().dispersion().chart()->mark().x);
}

void WindowTest::aRowOfAMapIsALengthOnTheCurves()
{
    m_window->document().editLook([](Look& look) { look.dispersion = "top4"; });
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles()[0]->plot();
    QTest::qWait(50);
    QTest::mouseMove(plot, {plot->frame().left() + 5, plot->frame().center().y()});
    const auto row = m_window->pointer().at().row;
    QVERIFY(row > 20 && row < 44);
    QVERIFY(settle(*m_window));
    QCOMPARE(*m_window->explore().entropy().chart()->mark().x, double(row + 1));  // causal: row i sees i + 1 keys
    QCOMPARE(*m_window->explore().dispersion().chart()->mark().x, double(row + 1));
}

void WindowTest::aMethodPointedAtStandsOutEverywhere()
{
    m_window->pointer().point({.method = 1});
    QCOMPARE(m_window->explore().entropy().chart()->emphasis(), 1);
    QCOMPARE(m_window->explore().dispersion().chart()->emphasis(), 1);
    QVERIFY(methodRow(*m_window, "Softmax Plus")->swatch()->isStrong());
    QVERIFY(!methodRow(*m_window, "Vanilla")->swatch()->isStrong());
    StatisticsView& table = m_window->explore().statistics();
    QVERIFY(table.item(1, 0)->background() != table.item(0, 0)->background());
    m_window->pointer().leave();
    QCOMPARE(m_window->explore().entropy().chart()->emphasis(), -1);
    QVERIFY(table.item(1, 0)->background() == table.item(0, 0)->background());
}

void WindowTest::aKeyIsFoundAmongTheWeights()
{
    m_window->pointer().point({.row = 40, .key = 40});
    QVERIFY(settle(*m_window));
    const auto& method = m_window->analyser().current()->methods[0];
    const ChartMark& mark = m_window->explore().dispersion().chart()->mark();
    QCOMPARE(mark.points.size(), size_t(3));
    QCOMPARE(mark.points[0].at.y(), method.chosen.weights[40]);
    const auto heavier = std::count_if(method.chosen.weights.begin(), method.chosen.weights.end(),
                                       [&](double w) { return w > method.chosen.weights[40]; });
    QCOMPARE(mark.points[0].at.x(), double(heavier + 1));
}

void WindowTest::withNothingTickedEveryViewSaysSo()
{
    for (const char* label : {"Vanilla", "Softmax Plus", "InfoScale"})
        methodRow(*m_window, label)->tick()->click();
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->explore().heatmaps().nothing()->isVisible());
    QVERIFY(m_window->explore().heatmaps().nothing()->message().contains("No method is ticked"));
    QVERIFY(m_window->explore().dispersion().nothing().contains("No method is ticked"));
    QCOMPARE(m_window->explore().statistics().rowCount(), 0);
    QVERIFY2(m_window->messages().message().isEmpty(), "an empty list is no error");
    methodRow(*m_window, "Vanilla")->tick()->click();
    QVERIFY(settle(*m_window));
    QVERIFY(!m_window->explore().heatmaps().nothing()->isVisible());
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(1));
}

void WindowTest::theoryAloneShowsItsApproximations()
{
    m_window->document().edit("Source", [](Scenario& scenario) { scenario.source = {"theory", {}, {}}; });
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->explore().heatmaps().nothing()->chart()->isVisible());
    QVERIFY(m_window->explore().heatmaps().nothing()->chart()->spec().series.size() > 4);
    QVERIFY(m_window->facts().contains("exact theory"));
    QVERIFY(m_window->explore().dispersion().nothing().contains("Theory alone"));
    // Gaussian q and k, d = 64, n = 64 and 16: means over 30 000 rows that NumPy drew
    const StatisticsView& table = m_window->explore().statistics();
    const QStringList lines = table.asText().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines[0], QStringLiteral("Method\tH\tH \u2212 H(N)\tm for H(N)\tKept to\tm/\u03C4\te^H\tH at N"));
    const QStringList vanilla = lines[1].split('\t');
    const double entropy = vanilla[1].toDouble(), trained = vanilla[7].toDouble();
    QVERIFY2(std::abs(entropy - 3.685) < 0.01, qPrintable(lines[1]));
    QVERIFY2(std::abs(vanilla[2].toDouble() - (entropy - trained)) < 0.01, qPrintable(lines[1]));
    QCOMPARE(vanilla[5], QStringLiteral("1"));
    const double keptTo = vanilla[4].toDouble();  // about as fast as ln n: 16 e^0.236, to two digits
    QVERIFY2(keptTo >= 20 && keptTo <= 21, qPrintable(lines[1]));
    QVERIFY2(vanilla[3].toDouble() > 1, "more keys than at N ask for a larger multiplier");
    QVERIFY(std::abs(vanilla[6].toDouble() / std::exp(entropy) - 1) < 1e-2);
    QVERIFY2(std::abs(trained - 2.358) < 0.01, qPrintable(lines[1]));
}

void WindowTest::aRowThatSeesNothingSaysSo()
{
    m_window->document().edit("Mask", [](Scenario& scenario) {
        scenario.attention.mask = {"padding", {}, {}};
        for (const Parameter& parameter : (*findRow(masks(), "padding", "mask"))->parameters)
            scenario.attention.mask.values[parameter.id] = parameter.minimum;
        scenario.view.row = 63;
    });
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().attention.mask.values.at("length"), 0.0);
    QVERIFY(m_window->analyser().current()->methods[0].chosen.weights.empty());
    for (const HeatmapPlot* plot :
         {m_window->explore().heatmaps().tiles()[0]->plot(), m_window->explore().heatmaps().difference()->plot()})
        QCOMPARE(plot->plottable().absentRows(),
                 (std::vector<RowBand>{{0, 64}}));  // hatched, not drawn as weights of 0
    QVERIFY2(m_window->explore().heatmaps().reading().contains("sees no key"),
             qPrintable(m_window->explore().heatmaps().reading()));
    QVERIFY(m_window->explore().dispersion().nothing().contains("sees no key"));
}

void WindowTest::statisticsCanBeCopied()
{
    const QStringList lines = m_window->explore().statistics().asText().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith(QStringLiteral("Method\tH\tH \u2212 H(N)\tm for H(N)\tKept to\tsd\tm/\u03C4")));
    const double entropy = lines[1].section('\t', 1, 1).toDouble();
    QVERIFY(entropy > 0 && entropy < std::log(64.0));
}

void WindowTest::cancellingKeepsThePreview()
{
    connect(&m_window->analyser(), &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        if (!analysis->sampledRows.empty())
            m_window->progress().cancelButton()->click();
    });
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 16384; });
    QVERIFY(QTest::qWaitFor([this] { return m_window->analyser().isSettled(); }, patience));
    QVERIFY2(!m_window->analyser().current()->sampledRows.empty(), "the preview should still be shown");
    QVERIFY2(m_window->facts().contains(QStringLiteral("cancelled")), qPrintable(m_window->facts()));
    QVERIFY(m_window->progress().isHidden());

    disconnect(&m_window->analyser(), nullptr, this, nullptr);
    m_window->analyser().probeRow(3);  // the pointer passes by
    QVERIFY(settle(*m_window));
    QVERIFY2(!m_window->analyser().current()->sampledRows.empty(),
             "what was cancelled should not start again by itself");
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 128; });
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->analyser().current()->sampledRows.empty());
}

/// What is wrong is still wrong in other colours.
void WindowTest::aChangeOfThemeHidesNoError()
{
    QTemporaryDir folder;
    QFile broken(folder.filePath("broken.npy"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no tensors") > 0);
    broken.close();
    m_window->document().edit("Source", [&](Scenario& scenario) {
        scenario.source = {"tensors", {}, {}};
        scenario.tensors = {};
        scenario.tensors.path = broken.fileName().toStdString();
    });
    QTRY_VERIFY(m_window->messages().showsError());
    const QString said = m_window->messages().message();
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        m_window->setTheme(choice);
        QCoreApplication::processEvents();
        QVERIFY(m_window->messages().showsError());
        QCOMPARE(m_window->messages().message(), said);
    }
}

/// A window that was light is, dark, as one that never was.
void WindowTest::aThemeReachesEveryView()
{
    constexpr QSize all{1600, 1000};  // in a low window Compare lies behind another panel, and has no place yet
    m_window = smallWindow(all);
    QVERIFY(m_window);
    m_window->setTheme(ThemeChoice::Dark);
    const auto dark = smallWindow(all);
    QVERIFY(dark);
    const auto partsOf = [](MainWindow& window) {
        return std::vector<std::pair<const char*, QWidget*>>{
            {"map", window.explore().heatmaps().tiles()[1]->plot()},
            {"difference", window.explore().heatmaps().difference()->plot()},
            {"entropy", window.explore().entropy().chart()},
            {"dispersion", window.explore().dispersion().chart()},
            {"statistics", window.explore().statistics().viewport()},
            {"method", window.explore().methods().rows().front()->swatch()}};
    };
    QTest::qWait(100);  // charts are drawn from the event loop
    const auto changed = partsOf(*m_window), fresh = partsOf(*dark);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        QVERIFY2(changed[i].second->isVisible() && fresh[i].second->isVisible(), changed[i].first);
        QTRY_VERIFY2(changed[i].second->grab().toImage() == fresh[i].second->grab().toImage(), changed[i].first);
    }
    m_window->setTheme(ThemeChoice::Light);
}

void WindowTest::timeLeft_data()
{
    QTest::addColumn<double>("done");
    QTest::addColumn<int>("milliseconds");
    QTest::addColumn<QString>("said");
    QTest::addRow("a quarter after two seconds") << 0.25 << 2000 << QStringLiteral("6 s left");
    QTest::addRow("a tenth after a minute") << 0.1 << 60000 << QStringLiteral("9 min left");
    QTest::addRow("too early to say") << 0.001 << 1700 << QStringLiteral("1 s so far");
    QTest::addRow("a fiftieth of long work is still to come") << 0.01 << 60000 << QStringLiteral("99 min left");
    QTest::addRow("nothing of long work") << 0.0 << 60000 << QStringLiteral("60 s so far");
    QTest::addRow("done") << 1.0 << 5000 << QStringLiteral("0 s left");
}

void WindowTest::timeLeft()
{
    QFETCH(double, done);
    QFETCH(int, milliseconds);
    QTEST(attnscope::timeLeft(done, milliseconds), "said");
}

/// A quick stage to two thirds, a tenth a second, then one of a hundredth a second: soon the quick one is forgotten. A
/// stage that stands still says so by a time that grows.
void WindowTest::theTimeLeftIsOfTheLatestPace()
{
    Pace pace;
    QCOMPARE(pace.left(5000), QString());
    for (int tenth = 0; tenth <= 60; ++tenth)
        pace.add(tenth / 99.0, 100 * tenth);
    QCOMPARE(pace.left(6000), QStringLiteral("4 s left at this pace"));
    for (int second = 1; second <= 15; ++second)
        pace.add((60 + 1.01 * second) / 99, 6000 + 1000 * second);
    QCOMPARE(pace.left(21000), QStringLiteral("24 s left at this pace"));
    QCOMPARE(pace.left(31000), QStringLiteral("48 s left at this pace"));  // nothing new in as long again
    pace.begin();
    pace.add(0.5, 200);  // resumed
    QCOMPARE(pace.left(3200), QStringLiteral("3 s so far"));
    pace.add(0.75, 10200);
    QCOMPARE(pace.left(10200), QStringLiteral("10 s left at this pace"));
    pace.add(1, 20200);
    QCOMPARE(pace.left(20200), QString());
    QCOMPARE(durationText(7.2), QStringLiteral("8 s"));
    QCOMPARE(durationText(101), QStringLiteral("2 min"));
    QCOMPARE(durationText(7201), QStringLiteral("3 h"));
    Pace training;  // it ends at 0.6, and what follows goes at another pace
    training.add(0, 0);
    training.add(0.3, 3000);
    QCOMPARE(training.left(3000, 0.6), QStringLiteral("3 s left at this pace"));
    training.add(0.6, 6000);
    QCOMPARE(training.left(6000, 0.6), QString());
    RunningPace now;
    QCOMPARE(now.left(0.5), QString());  // of what is over in a second nothing is said
}

QTEST_MAIN(WindowTest)
#include "window_test.moc"
