// The window, driven as a user drives it: what is moved, what every view shows then.
#include "ui/plot/heatmap_plottable.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/methods_panel.h"
#include "ui/window/controls/number_control.h"
#include "ui/window/controls/progress_line.h"
#include "ui/window/controls/scenario_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/heatmap_plot.h"
#include "ui/window/views/heatmap_tile.h"
#include "ui/window/views/statistics_view.h"
#include "ui/window/window_app.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPointer>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <random>

using namespace attnscope;

namespace {

Scenario smallScenario()
{
    Scenario scenario = firstScenario();
    scenario.n = 64;
    scenario.nTrain = 16;
    scenario.view.curveLast = 256;
    scenario.view.curvePoints = 5;
    return scenario;
}

NumberControl* number(MainWindow& window, const QString& caption)
{
    for (auto* control : window.scenarioPanel().findChildren<NumberControl*>())
        if (control->slider()->accessibleName() == caption)
            return control;
    return nullptr;
}

MethodRow* methodRow(MainWindow& window, const QString& label)
{
    for (MethodRow* row : window.methods().rows())
        if (row->tick()->text() == label)
            return row;
    return nullptr;
}

/// What the three views show.
struct Shown {
    std::vector<float> map;
    std::vector<ChartPoint> curve, dispersion;
};

Shown shown(MainWindow& window)
{
    Shown out;
    out.map = window.heatmaps().tiles().front()->plot()->plottable().map()->values;
    for (const ChartSeries& series : window.entropy().chart()->spec().series)
        if (series.style == 0 && series.shape != ChartSeries::Shape::Line)  // measured, not theory
            out.curve = series.points;
    out.dispersion = window.dispersion().chart()->spec().series.front().points;
    return out;
}

bool settle(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.analyser().current() && window.analyser().isSettled(); }, 60000);
}

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void opensWithThreeMethodsInEveryView();
    void temperatureMovesAllThreeViews();
    void lengthMovesAllThreeViews();
    void aTickedMethodIsOneMoreEverywhere();
    void coloursFollowThePlaceInTheList();
    void aClickOnAMapChoosesTheRow();
    void hoveringShowsTheRowAndLeavingGivesItBack();
    void markersCanBeDragged();
    void zoomIsLinkedAndUndone();
    void differenceFollowsItsButton();
    void tensorsShowTheirHeads();
    void aBrokenFileIsAnErrorInTheBar();
    void everyControlHasANameAndTeaches();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void statisticsCanBeCopied();
    void cancellingKeepsThePreview();
    void timeLeft_data();
    void timeLeft();
    void randomActionsLeaveAWorkingWindow();

private:
    std::unique_ptr<MainWindow> m_window;
};

void WindowTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("attnscope-test");
    applyTheme(*qApp, ThemeChoice::Light);
}

void WindowTest::init()
{
    m_window = std::make_unique<MainWindow>(smallScenario());
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(settle(*m_window));
}

void WindowTest::cleanup() { m_window.reset(); }

void WindowTest::opensWithThreeMethodsInEveryView()
{
    QCOMPARE(m_window->heatmaps().tiles().size(), size_t(3));
    QCOMPARE(m_window->statistics().rowCount(), 3);
    QCOMPARE(m_window->dispersion().chart()->spec().series.size(), size_t(3));
    int curves = 0;
    for (const ChartSeries& series : m_window->entropy().chart()->spec().series)
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
    QCOMPARE(m_window->heatmaps().tiles().front()->plot()->plottable().map()->region.columnEnd, 100);
    QCOMPARE(m_window->entropy().chart()->spec().lines.front().at, 100.0);
    QCOMPARE(m_window->dispersion().chart()->spec().series.front().points.size(), size_t(100));
}

void WindowTest::aTickedMethodIsOneMoreEverywhere()
{
    MethodRow* logN = methodRow(*m_window, "Log n");
    QVERIFY(logN);
    logN->tick()->setChecked(true);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->heatmaps().tiles().size(), size_t(4));
    QCOMPARE(m_window->statistics().rowCount(), 4);
    QVERIFY(logN->worked().startsWith("m = ln 64 = 4.1"));
    for (const char* label : {"Vanilla", "Softmax Plus"})
        methodRow(*m_window, label)->tick()->setChecked(false);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->heatmaps().tiles().size(), size_t(2));
}

void WindowTest::coloursFollowThePlaceInTheList()
{
    methodRow(*m_window, "Vanilla")->tick()->setChecked(false);
    QVERIFY(settle(*m_window));
    QCOMPARE(methodRow(*m_window, "Vanilla")->swatch()->position(), -1);
    QCOMPARE(methodRow(*m_window, "Softmax Plus")->swatch()->position(), 0);
    QCOMPARE(m_window->dispersion().chart()->spec().series.front().style, 0);
}

void WindowTest::aClickOnAMapChoosesTheRow()
{
    HeatmapPlot* plot = m_window->heatmaps().tiles()[1]->plot();
    QTest::qWait(50);
    const QRect frame = plot->frame();
    QTest::mouseClick(plot, Qt::LeftButton, {}, {frame.left() + frame.width() / 8, frame.center().y()});
    QVERIFY(settle(*m_window));
    const auto row = m_window->document().scenario().view.row;
    QVERIFY2(std::abs(row - 32) <= 1, qPrintable(QString::number(row)));
    QTRY_COMPARE(m_window->dispersion().chart()->spec().series.front().points.size(), static_cast<size_t>(row + 1));
}

void WindowTest::hoveringShowsTheRowAndLeavingGivesItBack()
{
    m_window->pointer().point({20, 3});
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->dispersion().chart()->spec().series.front().points.size(), size_t(21));
    QVERIFY(m_window->heatmaps().reading().contains("<b>20</b>"));
    QCOMPARE(m_window->document().scenario().view.row, -1);
    m_window->pointer().leave();
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->dispersion().chart()->spec().series.front().points.size(), size_t(64));
}

void WindowTest::markersCanBeDragged()
{
    ChartView* chart = m_window->entropy().chart();
    QTest::qWait(50);
    const ChartLayout layout = shownLayout(*chart);
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

void WindowTest::zoomIsLinkedAndUndone()
{
    m_window->heatmaps().zoom(2);
    QVERIFY(settle(*m_window));
    const Region region = m_window->document().scenario().view.region;
    QCOMPARE(region.rowEnd - region.rowBegin, 32);
    for (const HeatmapTile* tile : m_window->heatmaps().tiles())
        QVERIFY(tile->plot()->plottable().map()->region == region);
    m_window->document().undo();
    QVERIFY(m_window->document().scenario().view.region == Region{});
}

void WindowTest::differenceFollowsItsButton()
{
    HeatmapPanel::Look look = m_window->heatmaps().look();
    look.difference = true;
    m_window->heatmaps().setLook(look);
    QVERIFY(m_window->heatmaps().difference());
    look.difference = false;
    m_window->heatmaps().setLook(look);
    QVERIFY(!m_window->heatmaps().difference());
}

void WindowTest::tensorsShowTheirHeads()
{
    const QString path = QStringLiteral(SHARED "/data/stories260K_qk.safetensors");
    if (!QFile::exists(path))
        QSKIP("the folder of real tensors is not beside this checkout");
    m_window->openFile(path);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    QCOMPARE(m_window->heads().rowCount(), 8);
    const Shown first = shown(*m_window);
    for (int row = 0; row < 8; ++row)
        if (m_window->heads().headAt(row) == 5)
            m_window->heads().setCurrentCell(row, 0);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().tensors.head, 5);
    const Shown sixth = shown(*m_window);
    QVERIFY(first.map != sixth.map);
    QVERIFY(first.curve != sixth.curve);
    QVERIFY(first.dispersion != sixth.dispersion);
}

void WindowTest::aBrokenFileIsAnErrorInTheBar()
{
    const Scenario before = m_window->document().scenario();
    m_window->openFile(QStringLiteral(TEST_DATA "/CMakeLists.txt"));
    QVERIFY(m_window->messages().isVisible());
    QVERIFY(m_window->messages().message().contains("CMakeLists.txt"));
    QVERIFY(m_window->document().scenario() == before);
}

void WindowTest::everyControlHasANameAndTeaches()
{
    QStringList nameless, silent;
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
        const bool control = qobject_cast<QSlider*>(widget) || qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                             qobject_cast<QAbstractButton*>(widget) || qobject_cast<QAbstractSpinBox*>(widget);
        const bool ours = !widget->objectName().startsWith("qt_") && !qobject_cast<QMainWindow*>(widget->parentWidget());
        if (!control || !ours || qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) || qobject_cast<QComboBox*>(widget->parentWidget()) ||
            qobject_cast<QTabBar*>(widget->parentWidget()) ||
            widget->metaObject()->className() == QByteArray("QTableCornerButton"))
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
            nameless << widget->metaObject()->className() + QStringLiteral(" in ") + widget->parentWidget()->metaObject()->className();
        if (widget->toolTip().isEmpty() && widget->parentWidget()->toolTip().isEmpty())
            silent << widget->metaObject()->className() + QStringLiteral(" ") + widget->accessibleName();
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(", ")));
}

void WindowTest::nothingOverlaps_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addRow("1280 x 720") << QSize(1280, 720);
    QTest::addRow("1600 x 1000") << QSize(1600, 1000);
    QTest::addRow("1920 x 1080") << QSize(1920, 1080);
}

/// No sibling lies over another, and nothing reaches out of the widget that it stands in (scroll areas aside).
void WindowTest::nothingOverlaps()
{
    QFETCH(QSize, size);
    m_window->resize(size);
    m_window->resetLayout();
    QTest::qWait(100);
    QCOMPARE(m_window->size(), size);
    QStringList faults;
    for (QWidget* parent : m_window->findChildren<QWidget*>()) {
        if (!parent->isVisible() || !parent->layout())
            continue;
        const auto children = parent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
        for (QWidget* child : children) {
            if (!child->isVisible() || child->isWindow())
                continue;
            const QString name = QStringLiteral("%1 '%2' in %3").arg(child->metaObject()->className(), child->accessibleName(), parent->metaObject()->className());
            if (!parent->rect().contains(child->geometry()))
                faults << name + " reaches out";
            for (QWidget* other : children)
                if (other != child && other->isVisible() && other->geometry().intersects(child->geometry()))
                    faults << name + " overlaps";
        }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
}

void WindowTest::statisticsCanBeCopied()
{
    const QStringList lines = m_window->statistics().asText().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith(QStringLiteral("Method\tm/\u03C4\tEntropy H")));
    const double entropy = lines[1].section('\t', 2, 2).toDouble();
    QVERIFY(entropy > 0 && entropy < std::log(64.0));
}

/// Nothing that can be done in any order breaks the window.
void WindowTest::cancellingKeepsThePreview()
{
    connect(&m_window->analyser(), &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        if (!analysis->sampledRows.empty())
            m_window->progress().cancelButton()->click();
    });
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 16384; });
    QVERIFY(QTest::qWaitFor([this] { return m_window->analyser().isSettled(); }, 60000));
    QVERIFY2(!m_window->analyser().current()->sampledRows.empty(), "the preview should still be shown");
    QVERIFY2(m_window->facts().contains(QStringLiteral("cancelled")), qPrintable(m_window->facts()));
    QVERIFY(m_window->progress().isHidden());

    disconnect(&m_window->analyser(), nullptr, this, nullptr);
    m_window->analyser().probeRow(3);  // the pointer passes by
    QVERIFY(settle(*m_window));
    QVERIFY2(!m_window->analyser().current()->sampledRows.empty(), "what was cancelled should not start again by itself");
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 128; });
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->analyser().current()->sampledRows.empty());
}

void WindowTest::timeLeft_data()
{
    QTest::addColumn<double>("done");
    QTest::addColumn<int>("milliseconds");
    QTest::addColumn<QString>("said");
    QTest::addRow("a quarter after two seconds") << 0.25 << 2000 << QStringLiteral("6 s left");
    QTest::addRow("a tenth after a minute") << 0.1 << 60000 << QStringLiteral("9 min left");
    QTest::addRow("too early to say") << 0.001 << 700 << QString();
    QTest::addRow("done") << 1.0 << 5000 << QStringLiteral("0 s left");
}

void WindowTest::timeLeft()
{
    QFETCH(double, done);
    QFETCH(int, milliseconds);
    QTEST(ProgressLine::timeLeft(done, milliseconds), "said");
}

void WindowTest::randomActionsLeaveAWorkingWindow()
{
    std::mt19937 random(11);
    const auto sliders = m_window->scenarioPanel().findChildren<QSlider*>();
    QList<QPointer<QComboBox>> lists;  // those of the difference map come and go
    for (QComboBox* list : m_window->findChildren<QComboBox*>())
        lists << list;
    for (int step = 0; step < 200; ++step) {
        switch (random() % 8) {
        case 0:
        case 1: {
            QSlider* slider = sliders[static_cast<qsizetype>(random() % static_cast<unsigned>(sliders.size()))];
            if (slider->accessibleName() != "Length n" && slider->accessibleName() != "Trained at N")
                slider->setValue(static_cast<int>(random() % static_cast<unsigned>(slider->maximum() + 1)));
            break;
        }
        case 2: {
            QComboBox* list = lists[static_cast<qsizetype>(random() % static_cast<unsigned>(lists.size()))];
            if (list && list->count() > 0 && list->isVisible()) {
                list->setCurrentIndex(static_cast<int>(random() % static_cast<unsigned>(list->count())));
                emit list->activated(list->currentIndex());
            }
            break;
        }
        case 3: methodRow(*m_window, m_window->methods().rows()[random() % m_window->methods().rows().size()]->tick()->text())->tick()->toggle(); break;
        case 4: m_window->heatmaps().zoom(random() % 2 ? 2.0 : 0.5); break;
        case 5: m_window->document().undo(); break;
        case 6: m_window->document().redo(); break;
        case 7: m_window->pointer().point({static_cast<std::int64_t>(random() % 70), static_cast<std::int64_t>(random() % 70)}); break;
        }
        if (m_window->document().scenario().n > 256)
            m_window->document().edit("Length n", [](Scenario& s) { s.n = 64; });
        QCoreApplication::processEvents();
    }
    m_window->pointer().leave();
    m_window->document().reset(smallScenario());
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->heatmaps().tiles().size(), size_t(3));
}

QTEST_MAIN(WindowTest)
#include "window_test.moc"
