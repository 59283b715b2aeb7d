// Everything has a name, a place of its own, and room for its text, at the sizes of window that people use. The same
// program runs a second time with a pixel ratio of 2, which is what a 4K screen has.
#include "tests/ui/window_support.h"

#include "core/model/shipped_models.h"

#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/message_bar.h"
#include "ui/labs/lab_page.h"
#include "ui/model/model_page.h"
#include "ui/workbench/model_runner.h"
#include "ui/explore/difference_tile.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/statistics_view.h"
#include "ui/explore/tensors_panel.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/lesson.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>

#include <cmath>
#include <map>

using namespace attnscope;
using namespace attnscope::testing;

class WindowGeometryTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void everyControlHasANameAndTeaches();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void nothingIsClipped_data() { nothingOverlaps_data(); }
    void nothingIsClipped();
    void nineMethodsFit_data() { nothingOverlaps_data(); }
    void nineMethodsFit();
    void headsOfAModelFitASmallScreen();
    void numbersStayInSightOnASmallScreen();
    void labelsOfTheStripStandAlone();
    void chartsOfAColumnHaveTheirOrdinatesInOneLine();
    void everyWorkspaceFitsASmallScreen_data();
    void everyWorkspaceFitsASmallScreen();
    void theSmallestWindowIsTheSameInEveryState_data();
    void theSmallestWindowIsTheSameInEveryState();
    void aWindowMadeSmallerKeepsTheWorkspacesInSight();
    void whatALessonAsksIsInSight();
    void theControlThatAStepAsksForIsInSight_data();
    void theControlThatAStepAsksForIsInSight();
    void aLessonHasItsRoomInAPanelThatWasEmpty();
    void aLessonBeforeEverythingLeavesTheUsualLayout();
    void noTabIsElided();
    void aMessageOfOneLineCoversNothing();
    void theWelcomeCoversNothing();
    void namesOfNineMethodsAreWhole();
    void menusHaveOneColumn();
    void wordsTakeRoomWhereTheyCanBeRead();
    void mapsSideBySideAreAlike();
    void headersOfTheCardsAreOnOneLine();
    void rowsOfFormsAreAsFarApartEverywhere();
    void contentsBeginBelowTheirTitles();
    void aReadingIsWholeBesideTwoBars();
    void sheetsOfTensorsAreAsHighAsTheirRows();

private:
    std::unique_ptr<MainWindow> m_window;
};

/// 1280 x 720 less what a window manager and a panel take. A message, the heads' table and the maps have their places
/// in it.
void WindowGeometryTest::headsOfAModelFitASmallScreen()
{
    m_window = smallWindow({1264, 664});
    QVERIFY(m_window);
    m_window->openShippedHeads(QString::fromLatin1(shippedModel));
    QTRY_VERIFY(m_window->document().scenario().source.id == "tensors");
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->isPartShown("heads") && m_window->messages().isVisible());
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QVERIFY2(tile->plot()->frame().width() >= 100, qPrintable(QString::number(tile->plot()->frame().width())));
    for (const QScrollArea* area : m_window->findChildren<QScrollArea*>())  // none is cut at the right
        if (area->isVisible() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
            QVERIFY2(area->widget()->width() <= area->viewport()->width(),
                     qPrintable(QStringLiteral("%1: %2 in %3")
                                    .arg(area->widget()->metaObject()->className())
                                    .arg(area->widget()->width())
                                    .arg(area->viewport()->width())));
    QVERIFY2(m_window->height() <= 664 && m_window->minimumSizeHint().height() <= 664,
             qPrintable(
                 QStringLiteral("%1, at least %2").arg(m_window->height()).arg(m_window->minimumSizeHint().height())));
}

/// Of three methods, one with a long name, in a window that was made for a large screen.
void WindowGeometryTest::numbersStayInSightOnASmallScreen()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->document().editOnce("Methods", [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}},
                            {"infoscale", {}, {}},
                            {"custom", {}, "1 + 0.1*sqrt(log(n/N))*log(n)/log(N)*sqrt(log(n))"}};
    });
    QVERIFY(settle(*m_window));
    m_window->resize(1280, 720);
    QTest::qWait(50);
    auto* table = m_window->findChild<StatisticsView*>();
    QVERIFY(table && table->isVisible());
    const QRect seen = table->viewport()->rect();
    for (int row = 0; row < 3; ++row)
        for (const int column : {1, 2}) {
            const QRect cell = table->visualItemRect(table->item(row, column));
            QVERIFY2(seen.contains(cell),
                     qPrintable(QStringLiteral("row %1, column %2: %3 to %4 across, %5 to %6 down in %7 x %8")
                                    .arg(row)
                                    .arg(column)
                                    .arg(cell.left())
                                    .arg(cell.right())
                                    .arg(cell.top())
                                    .arg(cell.bottom())
                                    .arg(seen.width())
                                    .arg(seen.height())));
        }
    QVERIFY(table->item(2, 0)->toolTip().contains("0.1*sqrt"));
}

/// Whatever their numbers: those of a column of panels, and again after one of them has longer ones.
void WindowGeometryTest::chartsOfAColumnHaveTheirOrdinatesInOneLine()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    const auto ordinates = [&] {
        std::vector<double> all;
        for (const ChartView* chart : m_window->findChildren<ChartView*>())
            if (chart->isVisible())
                all.push_back(chart->mapTo(m_window.get(), QPoint()).x() + chart->chartLayout().frame.left());
        return all;
    };
    const auto inLine = [&] {
        const std::vector<double> all = ordinates();
        return all.size() >= 2 && std::ranges::all_of(all, [&](double x) { return std::abs(x - all[0]) < 0.01; });
    };
    QTRY_VERIFY(inLine());
    m_window->document().editOnce("Methods", [](Scenario& scenario) { scenario.methods = {{"log_n", {}, {}}}; });
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(inLine());
}

/// H, and what the strip goes from and to, are below it where they are clear of the map's last number, which ends where
/// the map does, and else left out.
void WindowGeometryTest::labelsOfTheStripStandAlone()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    const double keys = double(m_window->document().scenario().n);
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles()) {
        const auto labels = tile->plot()->stripLabels();
        QVERIFY(!labels.empty() && labels.front().first > tile->plot()->frame().right() + 3);
        QVERIFY(std::ranges::find(labels, QStringLiteral("H"), &std::pair<double, QString>::second) != labels.end());
        QVERIFY(labels.size() > 1);  // large maps leave it room for its ends
        QCOMPARE(labels.back().second, QString::number(std::log(keys), 'f', 1));
    }
    m_window->document().editOnce("Methods", [](Scenario& scenario) {
        scenario.methods.push_back({"log_n", {}, {}});
        scenario.methods.push_back({"su_kappa", {}, {}});
    });
    QVERIFY(settle(*m_window));
    for (const QSize size : {QSize(1280, 720), QSize(1100, 700)}) {
        m_window->resize(size);
        QTest::qWait(50);
        for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles()) {
            for (const auto& [left, label] : tile->plot()->stripLabels())
                QVERIFY2(left > tile->plot()->frame().right() + 3, qPrintable(label));
        }
    }
}

void WindowGeometryTest::everyWorkspaceFitsASmallScreen_data()
{
    QTest::addColumn<double>("scale");
    QTest::addRow("usual text") << 1.0;
    QTest::addRow("a desktop's larger text") << 1.1;
}

/// 1280 x 720, whatever was looked at before: the pages that are behind hold the window open too.
void WindowGeometryTest::everyWorkspaceFitsASmallScreen()
{
    QFETCH(double, scale);
    setTextScale(*qApp, scale);
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->document().editOnce("Methods", [](Scenario& scenario) {
        scenario.methods.push_back({"custom", {}, "1 + 0.1*sqrt(log(n/N))*log(n)/log(N)"});
    });
    QVERIFY(settle(*m_window));
    const auto fits = [this](const QString& where) {
        QTest::qWait(20);
        const QSize least = m_window->minimumSizeHint();
        if (least.width() <= 1280 && least.height() <= 720)
            return true;
        qWarning("%s: at least %d x %d", qPrintable(where), least.width(), least.height());
        for (const auto* pages : m_window->centralWidget()->findChildren<QStackedWidget*>())
            for (int i = 0; i < pages->count(); ++i)
                qWarning("  %d of %d: %d x %d", i, pages->count(), pages->widget(i)->minimumSizeHint().width(),
                         pages->widget(i)->minimumSizeHint().height());
        return false;
    };
    bool all = fits("explore at first");
    for (const Workspace& workspace : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(workspace.id));
        all &= fits(QString::fromStdString(workspace.id));
    }
    m_window->openModel(QString::fromLatin1(shippedModel));
    m_window->setWorkspace(modelWorkspace);
    QTRY_VERIFY(m_window->model().runner().model());
    for (QTabBar* tabs = m_window->model().tabs(); const int tab : {0, 1, 2}) {
        tabs->setCurrentIndex(tab);
        all &= fits("model, tab " + QString::number(tab));
    }
    m_window->setWorkspace(labsWorkspace);
    m_window->labs().showTours();
    all &= fits("tours");
    m_window->labs().showScoreboard();
    all &= fits("scoreboard");
    m_window->showDock("learn");
    m_window->explore().learn().openLesson(0);
    QVERIFY(settle(*m_window));
    all &= fits("a lesson");
    m_window->resize(1280, 720);
    QTest::qWait(50);
    const QSize size = m_window->size();
    setTextScale(*qApp, 1);
    QVERIFY(all);
    QCOMPARE(size, QSize(1280, 720));
}

void WindowGeometryTest::theSmallestWindowIsTheSameInEveryState_data()
{
    QTest::addColumn<QString>("state");
    for (const char* state : {"at first", "theory alone", "a pin", "a file", "a file and a pin", "all heads",
                              "tensors of the file", "a lesson", "a difference", "all heads as a chart"})
        QTest::addRow("%s", state) << QString::fromLatin1(state);
}

/// Half of a screen of 2104 x 1042: whatever is shown there, the window stays as large as it was made.
void WindowGeometryTest::theSmallestWindowIsTheSameInEveryState()
{
    QFETCH(QString, state);
    constexpr QSize small(1052, 521);
    m_window = std::make_unique<WholeWindow>(firstScenario());
    m_window->resize(1600, 1000);
    m_window->resetLayout();
    m_window->show();
    QVERIFY(settle(*m_window));
    const QSize atFirst = m_window->minimumSizeHint();
    const auto theory = [](Scenario& scenario) { scenario.source = {"theory", {}, {}}; };
    if (state == "theory alone")
        m_window->document().editOnce(state, theory);
    if (state.contains("file") || state.contains("heads")) {
        m_window->openShippedHeads(QStringLiteral("stories"));
        QTRY_VERIFY(m_window->document().scenario().ofFile());
    }
    QVERIFY(settle(*m_window));
    if (state.contains("pin"))
        m_window->pins().pin();
    if (state.contains("all heads"))
        m_window->showDock("all heads");
    if (state == "tensors of the file")
        m_window->showDock("tensors");
    if (state == "a difference")
        m_window->document().editLook([](Look& look) { look.maps.difference = true; });
    if (state == "a lesson") {
        m_window->showDock("learn");
        m_window->explore().learn().openLesson(0);
    }
    QVERIFY(settle(*m_window));
    QTest::qWait(100);
    QCOMPARE(m_window->minimumSizeHint(), atFirst);
    m_window->resize(small);
    QTest::qWait(200);
    QCOMPARE(m_window->minimumSizeHint(), atFirst);
    QCOMPARE(m_window->size(), small);
    QCOMPARE(layoutFaults(*m_window), QStringList());
    const QRect page = m_window->explore().rect();
    for (const QDockWidget* dock : m_window->explore().docks()) {
        const QRect at = dock->geometry();
        const bool inFront = dock->isVisible() && at.intersects(page);
        QVERIFY2(!inFront || page.contains(at), qPrintable(dock->objectName()));
    }
    QVERIFY2(page.contains(m_window->explore().centralWidget()->geometry()), "the maps");
    for (const Workspace& workspace : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(workspace.id));
        m_window->messages().say(MessageBar::Kind::Note, QStringLiteral("A few words."));
        QTest::qWait(100);
        QVERIFY2(m_window->minimumSizeHint() == atFirst && m_window->size() == small,
                 qPrintable(QStringLiteral("%1: %2 x %3")
                                .arg(QString::fromStdString(workspace.id))
                                .arg(m_window->minimumSizeHint().width())
                                .arg(m_window->minimumSizeHint().height())));
    }
}

void WindowGeometryTest::aWindowMadeSmallerKeepsTheWorkspacesInSight()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->resize(1000, 650);
    QVERIFY(settle(*m_window));
    QVERIFY2(m_window->width() <= 1100, qPrintable(QString::number(m_window->width())));
    QVERIFY2(m_window->findChild<WorkspaceTabs*>()->isVisible(), "the way to the other workspaces");
}

/// A window that begins in another workspace: Explore is laid out for the first time with a lesson in it.
void WindowGeometryTest::aLessonBeforeEverythingLeavesTheUsualLayout()
{
    const auto heights = [this] {
        return std::pair(m_window->explore().dock(u"scenario"_s)->height(),
                         m_window->explore().dock(u"methods"_s)->height());
    };
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const auto usual = heights();
    m_window = std::make_unique<WholeWindow>(smallScenario());
    m_window->setWorkspace(learnWorkspace);
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_window->showDock(u"learn"_s);
    m_window->explore().learn().openLesson(0);
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    m_window->explore().learn().close();
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    QVERIFY2(std::abs(heights().first - usual.first) <= 2 && std::abs(heights().second - usual.second) <= 2,
             qPrintable(u"%1 and %2, usually %3 and %4"_s.arg(heights().first)
                            .arg(heights().second)
                            .arg(usual.first)
                            .arg(usual.second)));
}

/// The text of most steps is whole in a small window, but where a control that the step asks for has some of its room;
/// what a step asks to try always is.
void WindowGeometryTest::whatALessonAsksIsInSight()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    int steps = 0, whole = 0;
    for (int lesson = 0; lesson < std::ssize(lessons()); ++lesson) {
        m_window->showDock("learn");
        LearnView& learn = m_window->explore().learn();
        learn.openLesson(lesson);
        for (int step = 0; step < learn.stepCount(); ++step) {
            learn.goToStep(step);
            QTest::qWait(10);
            QVERIFY(learn.isVisible() &&
                    m_window->rect().contains(QRect(learn.mapTo(m_window.get(), QPoint()), learn.size())));
            const QLabel* asks = nullptr;
            for (const QLabel* label : learn.findChildren<QLabel*>())
                if (label->text().startsWith("**Try:**"))
                    asks = label;
            QVERIFY(asks && asks->isVisible() && learn.rect().contains(asks->geometry()));
            QVERIFY(asks->height() >= asks->heightForWidth(asks->width()));
            const auto* text = learn.findChild<QTextBrowser*>();
            QVERIFY(!text->toPlainText().contains("Try:"));
            if (!lessons()[std::size_t(lesson)].steps[std::size_t(step)].controls.isEmpty())
                continue;
            ++steps;
            whole += text->verticalScrollBar()->maximum() == 0;
        }
    }
    QVERIFY2(5 * whole > 4 * steps, qPrintable(QStringLiteral("%1 of %2").arg(whole).arg(steps)));
}

void WindowGeometryTest::theControlThatAStepAsksForIsInSight_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addRow("1280 x 720") << QSize(1280, 720);
    QTest::addRow("1600 x 1000") << QSize(1600, 1000);
}

/// Beside its text, which no tab hides; and once the lesson is over everything is as wide and as high as it was.
void WindowGeometryTest::theControlThatAStepAsksForIsInSight()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    ExplorePage& explore = m_window->explore();
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    const auto sizes = [&] {
        QStringList all;
        for (const char* name : {"scenario", "methods", "entropy"}) {
            const QDockWidget* dock = explore.dock(QLatin1String(name));
            all << QStringLiteral("%1 %2 x %3").arg(name).arg(dock->width()).arg(dock->height());
        }
        return all;
    };
    const QStringList before = sizes();
    int controls = 0;
    QStringList faults;
    for (int lesson = 0; lesson < std::ssize(lessons()); ++lesson) {
        m_window->showDock("learn");
        LearnView& learn = explore.learn();
        learn.openLesson(lesson);
        for (int step = 0; step < learn.stepCount(); ++step) {
            learn.goToStep(step);
            QTest::qWait(30);
            QVERIFY(!learn.visibleRegion().isEmpty());
            for (const QString& control : lessons()[std::size_t(lesson)].steps[std::size_t(step)].controls) {
                const QDockWidget* dock = explore.dock(control.section(u':', 0, 0));
                QVERIFY(dock);
                const QString name = control.section(u':', 1).trimmed();
                bool seen = false;
                for (const QWidget* one : dock->findChildren<QWidget*>())
                    seen = seen || (one->accessibleName().startsWith(name) && one->isVisible() &&
                                    one->visibleRegion().boundingRect().height() >= one->height() - 2);
                if (!seen)
                    faults << QStringLiteral("%1, step %2: %3").arg(lesson).arg(step + 1).arg(control);
                ++controls;
            }
        }
        learn.goToStep(learn.stepCount());
        m_window->setWorkspace(exploreWorkspace);
        QVERIFY(settle(*m_window));
        QTest::qWait(50);
        QCOMPARE(sizes(), before);
    }
    QVERIFY(controls >= 15);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

/// Of no bar, in any workspace, nor of the docks of a file: titles are whole.
void WindowGeometryTest::noTabIsElided()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    QStringList faults;
    const auto elided = [&] {
        QStringList texts;
        for (const QTabBar* bar : m_window->findChildren<QTabBar*>())
            for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab)
                if (bar->tabRect(tab).width() < bar->fontMetrics().horizontalAdvance(bar->tabText(tab)) + 8 ||
                    bar->tabRect(tab).right() > bar->width())
                    texts << bar->tabText(tab);
        return texts;
    };
    const auto look = [&](const QString& where) {
        QTest::qWait(80);
        if (!QTest::qWaitFor([&] { return elided().isEmpty(); }))  // once what was just shown has its place
            faults << where + QStringLiteral(": ") + elided().join(QStringLiteral(", "));
    };
    for (const Workspace& workspace : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(workspace.id));
        look(QString::fromStdString(workspace.id));
    }
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_VERIFY(!m_window->explore().dock("heads")->isHidden());
    for (const std::size_t methods : {1, 2, 3, 4, 6}) {
        m_window->document().editOnce(QStringLiteral("Methods"), [&](Scenario& scenario) {
            scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}},
                                {"log_n", {}, {}},   {"row_log", {}, {}},      {"entropy_mean_field", {}, {}}};
            scenario.methods.resize(methods);
        });
        QVERIFY(settle(*m_window));
        look(QStringLiteral("a file, %1 methods").arg(methods));
    }
    m_window->resize(1052, 521);
    QTest::qWait(100);
    look(QStringLiteral("a small window"));
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

/// However it is begun: its panel may have been shown while there was no lesson.
void WindowGeometryTest::aLessonHasItsRoomInAPanelThatWasEmpty()
{
    QList<int> heights;
    for (const bool wasEmpty : {false, true}) {
        m_window = smallWindow({1280, 720});
        QVERIFY(m_window);
        LearnView& learn = m_window->explore().learn();
        if (wasEmpty) {
            for (QDockWidget* dock : m_window->explore().docks())
                if (dock->objectName() == "learn")
                    dock->toggleViewAction()->trigger();
            QTest::qWait(20);
            QVERIFY(learn.isVisible());
        }
        m_window->showDock("learn");
        learn.openLesson(0);
        QTest::qWait(20);
        heights << learn.height();
        for (QDockWidget* dock : m_window->explore().docks())
            if (dock->objectName() == "scenario")
                dock->raise();
        QTest::qWait(20);
        const auto* scenario = m_window->explore().findChild<QDockWidget*>("scenario");
        for (const QTabBar* bar : m_window->explore().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY2(!bar->isVisible() || !bar->geometry().intersects(scenario->geometry()), "a bar lies across it");
    }
    QCOMPARE(heights[1], heights[0]);
}

/// It stands on the status line, whose height it has.
void WindowGeometryTest::aMessageOfOneLineCoversNothing()
{
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        m_window = smallWindow(size);
        QVERIFY(m_window);
        MessageBar& messages = m_window->messages();
        for (const Workspace& workspace : workspaces()) {
            m_window->setWorkspace(QString::fromStdString(workspace.id));
            QTest::qWait(20);
            const QRect before = m_window->centralWidget()->geometry();
            messages.say(MessageBar::Kind::Note, QStringLiteral("A few words."),
                         {{QStringLiteral("Do it"), {}, [] {}}});
            QTest::qWait(20);
            QVERIFY(messages.isVisible());
            QCOMPARE(m_window->centralWidget()->geometry(), before);  // nothing moves
            QVERIFY2(messages.geometry().top() > before.bottom(),
                     qPrintable(QStringLiteral("%1: %2 above %3")
                                    .arg(QString::fromStdString(workspace.id))
                                    .arg(messages.geometry().top())
                                    .arg(before.bottom())));
            constexpr int air = 2;
            QVERIFY(messages.geometry().top() >= m_window->statusBar()->y() + air);
            QVERIFY(messages.geometry().bottom() < m_window->height() - air);
            for (const QPushButton* button : messages.findChildren<QPushButton*>())
                QVERIFY(messages.rect().contains(button->geometry()));
            for (const QLabel* words : messages.findChildren<QLabel*>())
                QVERIFY2(words->contentsRect().height() >= words->fontMetrics().height(), "no letter is cut");
            // another in its place, with a button that is new
            messages.say(MessageBar::Kind::Note,
                         QStringLiteral("More words than before, all of them on this one line."),
                         {{QStringLiteral("Another thing to do\u2026"), {}, [] {}}});
            QTest::qWait(20);
            for (const QLabel* words : messages.findChildren<QLabel*>())
                QVERIFY2(words->contentsRect().width() >= words->fontMetrics().horizontalAdvance(words->text()),
                         qPrintable(words->text()));
        }
        m_window->setWorkspace(exploreWorkspace);  // where words are on the status line
        QString nearlyAsWide;
        while (messages.fontMetrics().horizontalAdvance(nearlyAsWide) < size.width() - 190)
            nearlyAsWide += QStringLiteral("ww ");
        messages.say(MessageBar::Kind::Note, nearlyAsWide.trimmed());
        QTest::qWait(20);
        const QRect over = messages.geometry();
        QVERIFY2(over.top() > m_window->statusBar()->y() && over.bottom() < m_window->height() - 1, "air around it");
        QVERIFY2(over.left() == m_window->width() - 1 - over.right() && over.left() <= 8,
                 "over all of the words there");
    }
}

/// In the smallest window too: it speaks of what is above it.
void WindowGeometryTest::theWelcomeCoversNothing()
{
    m_window = smallWindow({1052, 521});
    QVERIFY(m_window);
    welcome(*m_window);
    QTest::qWait(20);
    QVERIFY(m_window->messages().isVisible());
    QVERIFY(m_window->statusBar()->geometry().contains(m_window->messages().geometry()));
}

void WindowGeometryTest::menusHaveOneColumn()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    for (const QAction* action : m_window->menuBar()->actions()) {
        QMenu* menu = action->menu();
        QVERIFY2(menu->sizeHint().height() <= 640, qPrintable(action->text()));
        for (QAction* row : menu->actions())
            QCOMPARE(menu->actionGeometry(row).left(), menu->actionGeometry(menu->actions().front()).left());
    }
}

/// The difference among them: the same words at the axes, frames of one size, on lines and columns of a grid.
void WindowGeometryTest::mapsSideBySideAreAlike()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->openShippedHeads(QString::fromLatin1(shippedModel));
    QTRY_VERIFY(m_window->document().scenario().source.id == "tensors");
    for (const std::int64_t n : {4, 12, 200}) {
        m_window->document().edit("Length n", [n](Scenario& scenario) { scenario.n = n; });
        QVERIFY(settle(*m_window));
        QTest::qWait(50);
        const DifferenceTile* difference = m_window->explore().heatmaps().difference();
        QVERIFY(difference);
        const auto frame = [&](HeatmapPlot* plot) {
            return plot->frame().translated(plot->mapTo(m_window.get(), QPoint()));
        };
        const QRect last = frame(difference->plot());
        for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles()) {
            QCOMPARE(tile->plot()->axisRect()->axis(QCPAxis::atLeft)->tickLabels(),
                     difference->plot()->axisRect()->axis(QCPAxis::atLeft)->tickLabels());
            const QRect one = frame(tile->plot());
            QCOMPARE(one.size(), last.size());
            QVERIFY2(one.top() == last.top() || one.left() == last.left() ||
                         (one.bottom() < last.top() && one.right() < last.left()),
                     qPrintable(QStringLiteral("n = %1: %2 and %3").arg(n).arg(one.left()).arg(last.left())));
        }
    }
}

/// The map has the room of words that are too many to stand at its axes.
void WindowGeometryTest::wordsTakeRoomWhereTheyCanBeRead()
{
    m_window = smallWindow({1600, 900});
    QVERIFY(m_window);
    m_window->document().edit("Methods", [](Scenario& scenario) { scenario.methods = {{"vanilla", {}, {}}}; });
    QVERIFY(settle(*m_window));
    m_window->openShippedHeads(QString::fromLatin1(shippedModel));
    QTRY_VERIFY(m_window->document().scenario().source.id == "tensors");
    QVERIFY(settle(*m_window));
    const HeatmapPlot& plot = *m_window->explore().heatmaps().tiles().front()->plot();
    const int left = plot.frame().left(), side = plot.frame().width();
    QVERIFY2(left < 20, "a number stands upright beside the map");
    QTest::failOnWarning(QRegularExpression(QStringLiteral("QPainter")));  // the first token has no text
    m_window->document().edit("Zoom", [](Scenario& scenario) { scenario.view.region = {0, 16, 0, 16}; });
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    QVERIFY(plot.frame().left() > left && plot.frame().width() < side);
    m_window->document().edit("Zoom", [](Scenario& scenario) { scenario.view.region = {}; });
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    QVERIFY(plot.frame().left() == left && plot.frame().width() == side);
}

namespace {

QString nameOf(const QWidget* widget)
{
    return QStringLiteral("%1 '%2' in %3")
        .arg(widget->metaObject()->className(), widget->accessibleName(),
             widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : "nothing");
}

/// Does the widget show less of its text than there is, without saying so by an ellipsis?
bool clipsItsText(const QWidget* widget)
{
    if (const auto* wrapped = qobject_cast<const WrappedLabel*>(widget))
        return wrapped->heightForWidth(wrapped->width()) > wrapped->height();
    if (qobject_cast<const ElidedLabel*>(widget) || qobject_cast<const ElidedList*>(widget))
        return false;
    const QFontMetrics metrics(widget->font());
    if (const auto* label = qobject_cast<const QLabel*>(widget);
        label && label->textFormat() != Qt::RichText && !label->text().isEmpty())
        return label->wordWrap() ? label->heightForWidth(label->width()) > label->height()
                                 : label->sizeHint().width() > label->width();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget); button && !button->text().isEmpty())
        return button->sizeHint().width() > button->width();
    if (const auto* list = qobject_cast<const QComboBox*>(widget))
        return metrics.horizontalAdvance(list->currentText()) + 30 > list->width();
    if (const auto* field = qobject_cast<const QLineEdit*>(widget))
        return metrics.horizontalAdvance(field->text()) + 10 > field->width();
    return false;
}

QStringList clippedIn(const QWidget& window)
{
    QStringList faults;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && clipsItsText(widget))
            faults << nameOf(widget);
    return faults;
}

}  // namespace

void WindowGeometryTest::everyControlHasANameAndTeaches()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    QStringList nameless, silent;
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
        const bool control = qobject_cast<QSlider*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                             qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractButton*>(widget) ||
                             qobject_cast<QAbstractSpinBox*>(widget);
        const bool ours =
            !widget->objectName().startsWith("qt_") && !qobject_cast<QMainWindow*>(widget->parentWidget());
        if (!control || !ours || qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
            qobject_cast<QComboBox*>(widget->parentWidget()) || qobject_cast<QTabBar*>(widget->parentWidget()) ||
            widget->metaObject()->className() == QByteArray("QTableCornerButton"))
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
            nameless << widget->metaObject()->className() + QStringLiteral(" in ") +
                            widget->parentWidget()->metaObject()->className();
        if (widget->toolTip().isEmpty() && widget->parentWidget()->toolTip().isEmpty())
            silent << widget->metaObject()->className() + QStringLiteral(" ") + widget->accessibleName();
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(", ")));
}

void WindowGeometryTest::nothingOverlaps_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addRow("1280 x 720") << QSize(1280, 720);
    QTest::addRow("1600 x 1000") << QSize(1600, 1000);
    QTest::addRow("1920 x 1080") << QSize(1920, 1080);
}

/// No sibling lies over another, and nothing reaches out of the widget that it stands in (scroll areas aside).
void WindowGeometryTest::nothingOverlaps()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    QCOMPARE(m_window->size(), size);
    const QStringList faults = layoutFaults(*m_window);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
}

void WindowGeometryTest::nothingIsClipped()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    QTest::qWait(20);  // the last texts are laid out
    const QStringList faults = clippedIn(*m_window);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
    const DifferenceTile* difference = m_window->explore().heatmaps().difference();
    QVERIFY(difference);
    QVERIFY2(!static_cast<const ElidedList*>(difference->side(0))->isElided(),
             "the names of the usual methods fit above the difference map");
    QVERIFY(!static_cast<const ElidedList*>(difference->side(1))->isElided());
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QVERIFY2(!tile->isCaptionElided(), qPrintable(tile->name() + ", " + tile->caption()));
}

/// Nine methods, one of them with a long name: columns as wide as their numbers, maps of one size, headings that end in
/// an ellipsis.
void WindowGeometryTest::nineMethodsFit()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    m_window->document().edit(QStringLiteral("Nine"), [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}},
                            {"log_n", {}, {}},
                            {"su_kappa", {}, {}},
                            {"softmax_plus", {{"B", 64}}, {}},
                            {"row_log", {}, {}},
                            {"infoscale", {}, {}},
                            {"infoscale", {{"eps", 0.5}}, {}},
                            {"longrope", {}, {}},
                            {"ssmax", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(9));
    QTest::qWait(20);  // the last texts are laid out
    const QStringList faults = clippedIn(*m_window);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QCOMPARE(tile->plot()->frame().size(), m_window->explore().heatmaps().tiles().front()->plot()->frame().size());
    StatisticsView& table = m_window->explore().statistics();
    table.window()->findChild<QWidget*>(QStringLiteral("statistics"))->show();
    QTRY_VERIFY(table.isVisible());
    for (int column = 0; column < table.columnCount(); ++column) {
        if (table.isColumnHidden(column))
            continue;
        const QFontMetrics heading(table.horizontalHeader()->font());
        QVERIFY2(table.columnWidth(column) >=
                     heading.horizontalAdvance(table.horizontalHeaderItem(column)->text()) * 11 / 13 + 8,
                 qPrintable(table.horizontalHeaderItem(column)->text()));
        for (int row = 0; row < table.rowCount(); ++row) {
            const QString text = table.item(row, column)->text();
            const bool whole = QFontMetrics(table.font()).horizontalAdvance(text) + 8 <= table.columnWidth(column);
            QVERIFY2(whole || (column == 0 && table.item(row, 0)->toolTip().contains(text)), qPrintable(text));
        }
    }
}

/// In front of a chart on a small screen: the column is as wide as whole names and the numbers that never leave.
void WindowGeometryTest::namesOfNineMethodsAreWhole()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const auto width = [this] { return m_window->explore().dock(QStringLiteral("entropy"))->width(); };
    const int before = width();
    m_window->document().edit(QStringLiteral("Nine"), [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}},          {"log_n", {}, {}},   {"softmax_plus", {}, {}},
                            {"infoscale", {}, {}},        {"yarn", {}, {}},    {"entropy_exact", {}, {}},
                            {"entropy_measured", {}, {}}, {"row_log", {}, {}}, {"entropy_mean_field", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    m_window->explore().dock(QStringLiteral("statistics"))->raise();
    StatisticsView& table = m_window->explore().statistics();
    const auto areWhole = [&] {
        bool whole = !table.isColumnHidden(1) && !table.isColumnHidden(2);
        for (int row = 0; row < table.rowCount(); ++row)
            whole =
                whole && QFontMetrics(table.font()).horizontalAdvance(table.item(row, 0)->text()) + swatchSize.width() <
                             table.columnWidth(0);
        return whole;
    };
    QCOMPARE(table.rowCount(), 9);
    QTRY_VERIFY(areWhole());
    m_window->document().undo();
    m_window->explore().dock(QStringLiteral("dispersion"))->raise();
    QTRY_COMPARE(width(), before);
}

/// Of every card with a table: its first heading and the samples of lines begin where its title does, within the
/// bearing of a letter, and its lists stand there too.
void WindowGeometryTest::contentsBeginBelowTheirTitles()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_VERIFY(m_window->document().scenario().ofFile());
    QVERIFY(settle(*m_window));
    const auto firstInk = [](const QImage& whole, int top, int height) {  // in the screen's coordinates
        const double ratio = whole.devicePixelRatio();
        const auto pixels = [ratio](int length) { return static_cast<int>(std::lround(ratio * length)); };
        const QImage image = whole.copy(0, pixels(top), whole.width(), pixels(height));
        const int ground = image.pixelColor(image.width() / 2, 1).lightness();
        for (int x = pixels(3); x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                if (std::abs(image.pixelColor(x, y).lightness() - ground) > 60)
                    return static_cast<int>(std::lround(x / ratio));
        return -1;
    };
    for (const char* name : {"statistics", "heads"}) {
        m_window->showDock(QLatin1String(name));
        QTest::qWait(50);
        QDockWidget* dock = m_window->explore().dock(QLatin1String(name));
        const auto* words = dock->titleBarWidget()->findChild<QLabel*>(QStringLiteral("dockWords"));
        const int title = words->mapTo(dock, QPoint()).x();
        auto* table = dock->widget()->findChild<QTableWidget*>();
        const QPoint heading = table->horizontalHeader()->mapTo(dock, QPoint());
        const QImage image = dock->grab().toImage();
        const int height = table->horizontalHeader()->height(), row = table->rowHeight(0);
        const int inHeading = firstInk(image, heading.y() + 2, height - 6),
                  inRow = firstInk(image, heading.y() + height + row + 2, row - 4);
        QVERIFY2(std::abs(inHeading - title) <= 2 && std::abs(inRow - title) <= 2,
                 qPrintable(QStringLiteral("%1: title %2, heading %3, row %4")
                                .arg(QLatin1String(name))
                                .arg(title)
                                .arg(inHeading)
                                .arg(inRow)));
    }
    m_window->showDock("all heads");
    QTest::qWait(50);
    for (const char* name : {"entropy", "dispersion", "all heads"}) {
        QDockWidget* dock = m_window->explore().dock(QLatin1String(name));
        const auto* words = dock->titleBarWidget()->findChild<QLabel*>(QStringLiteral("dockWords"));
        int first = INT_MAX;
        for (const QComboBox* list : dock->widget()->findChildren<QComboBox*>())
            first = std::min(first, list->mapTo(dock, QPoint()).x());
        QVERIFY2(std::abs(first - words->mapTo(dock, QPoint()).x()) <= 1, name);
    }
}

/// In the smallest window: no value of the chosen row is left out.
void WindowGeometryTest::aReadingIsWholeBesideTwoBars()
{
    m_window = smallWindow({1052, 521});
    QVERIFY(m_window);
    m_window->document().editOnce("Length n", [](Scenario& scenario) { scenario.n = 512; });
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    const auto* foot = m_window->explore().heatmaps().findChild<FactLine*>();
    const auto facts = foot->text().count(QStringLiteral("&nbsp;&nbsp;&nbsp; ")) + 1;
    QVERIFY2(foot->shown() >= facts - 1, qPrintable(foot->text()));  // its name is above the map
    QVERIFY2(foot->text().startsWith(QString::fromStdString(m_window->analyser().current()->methods.front().label)),
             qPrintable(foot->text()));
}

/// The rest of the window is the maps'.
void WindowGeometryTest::sheetsOfTensorsAreAsHighAsTheirRows()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_VERIFY(m_window->document().scenario().ofFile());
    QVERIFY(settle(*m_window));
    m_window->showDock("tensors");
    QTest::qWait(100);
    const QDockWidget* dock = m_window->explore().dock("tensors");
    const int needed = m_window->explore().tensors().heightOfRows() + dock->titleBarWidget()->height();
    QVERIFY2(dock->height() <= needed + 12 && dock->height() <= 720 / 2,
             qPrintable(QStringLiteral("%1 for %2").arg(dock->height()).arg(needed)));
    for (const QComboBox* list : dock->findChildren<QComboBox*>())
        QVERIFY2(list->visibleRegion().boundingRect().height() == list->height(), qPrintable(list->accessibleName()));
}

/// Titles of the cards of Explore that stand side by side, and the first lists below them.
void WindowGeometryTest::headersOfTheCardsAreOnOneLine()
{
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        m_window = smallWindow(size);
        QVERIFY(m_window);
        ExplorePage& page = m_window->explore();
        const auto middle = [&](const QWidget* one) { return one->mapTo(&page, QPoint(0, one->height() / 2)).y(); };
        std::map<QString, int> titles;
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->isVisible())
                titles.try_emplace(label->text(), middle(label));
        for (const auto* label : page.findChildren<ElidedLabel*>())
            if (label->isVisible())
                titles.insert_or_assign(label->text(), middle(label));
        for (const char* title : {"Attention", "Entropy against n"})
            QVERIFY2(std::abs(titles[title] - titles["Scenario"]) <= 1, title);
        const auto firstList = [&](const char* dock) {
            int first = INT_MAX;
            for (const QComboBox* list :
                 page.findChild<QDockWidget*>(QString::fromLatin1(dock))->findChildren<QComboBox*>())
                if (list->isVisible())
                    first = std::min(first, middle(list));
            return first;
        };
        QVERIFY2(std::abs(firstList("scenario") - firstList("entropy")) <= 1,
                 qPrintable(QStringLiteral("%1, %2").arg(firstList("scenario")).arg(firstList("entropy"))));
    }
}

/// Fields below one another, in every workspace and on every page of Labs: 32 pixels from one to the next, four of the
/// grid's eight.
void WindowGeometryTest::rowsOfFormsAreAsFarApartEverywhere()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    constexpr int pitch = 32, together = 20;
    int pairs = 0;
    const auto check = [&](const QString& where) {
        std::vector<std::pair<QRect, QString>> fields;
        for (QWidget* one : m_window->findChildren<QWidget*>()) {
            const bool list = qobject_cast<QComboBox*>(one) && one->property("compact").toBool() == false;
            const bool line = qobject_cast<QLineEdit*>(one) && !qobject_cast<QComboBox*>(one->parentWidget()) &&
                              !qobject_cast<QAbstractSpinBox*>(one->parentWidget());
            if ((list || line) && one->isVisible())
                fields.emplace_back(QRect(one->mapTo(m_window.get(), QPoint()), one->size()), one->accessibleName());
        }
        for (const auto& [upper, name] : fields)
            for (const auto& [lower, other] : fields)
                if (lower.left() == upper.left() && lower.right() == upper.right() && lower.top() > upper.bottom() &&
                    lower.top() - upper.bottom() < together) {
                    ++pairs;
                    QVERIFY2(lower.top() - upper.top() == pitch, qPrintable(QStringLiteral("%1: from %2 to %3 %4 px")
                                                                                .arg(where, name, other)
                                                                                .arg(lower.top() - upper.top())));
                }
    };
    for (const Workspace& workspace : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(workspace.id));
        QVERIFY(settle(*m_window));
        check(QString::fromStdString(workspace.id));
    }
    m_window->setWorkspace(QStringLiteral("labs"));
    auto* sections = m_window->findChild<QListWidget*>(QStringLiteral("sections"));
    QVERIFY(sections && sections->count() >= 3);
    for (int row = 0; row < sections->count(); ++row) {
        sections->setCurrentRow(row);
        QCoreApplication::processEvents();
        check(sections->item(row)->text());
    }
    QVERIFY(pairs >= 12);
}

QTEST_MAIN(WindowGeometryTest)
#include "window_geometry_test.moc"
