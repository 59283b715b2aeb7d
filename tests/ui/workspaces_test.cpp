// Workspaces on one document: each has the whole window, remembers its layout, is reached by its tab and its key
// and not left by Escape.
#include "tests/ui/window_support.h"

#include "ui/labs/lab_page.h"
#include "ui/workbench/lesson.h"
#include "ui/model/model_page.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/explore/learn_view.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/manual_view.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/lab_runner.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

using namespace attnscope;
using namespace attnscope::testing;

class WorkspacesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void eachHasATabAndAKey();
    void aLabThatTrainsIsSeenFromEveryWorkspace();
    void eachHasTheWholeWindow();
    void escapeLeadsNowhere();
    void theSessionKnowsWhichIsShown();
    void layoutsStay();
    void aLessonIsReadWhereItsControlsAre();
    void aLessonThatWasReadSaysSo();
    void aLessonGoesOnWhereItWasLeft();
    void undoStaysInAStepOfALesson();
    void lessonsAreCards();
    void whatWasInFrontBeforeALessonIsAgain();
    void aWindowThatWasLeftInALessonComesBack();
    void everyLessonHasAPicture();
    void aFigureOpensInExplore();
    void everyControlIsReachedAndNamed_data();
    void everyControlIsReachedAndNamed();
    void nothingOverlapsOrIsClipped_data();
    void nothingOverlapsOrIsClipped();

private:
    void press(Qt::Key key, Qt::KeyboardModifiers with = {})
    {
        QTest::keyClick(m_window->focusWidget() ? m_window->focusWidget() : m_window.get(), key, with);
    }
    QWidget* page(int of) const { return m_window->findChild<QStackedWidget*>()->widget(of); }
    std::unique_ptr<MainWindow> m_window;
};

void WorkspacesTest::eachHasATabAndAKey()
{
    auto* tabs = m_window->findChild<WorkspaceTabs*>();
    QVERIFY(tabs && tabs->isVisible());
    QCOMPARE(tabs->count(), int(workspaces().size()));
    QVERIFY2(tabs->mapTo(m_window.get(), QPoint(tabs->width(), 0)).x() > m_window->width() - 40,
             "they stand at the right");
    m_window->activateWindow();
    m_window->explore().heatmaps().setFocus();
    QSet<QString> seen;
    for (int i = tabs->count() - 1; i >= 0; --i) {
        press(static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        QCOMPARE(m_window->workspace(), QString::fromStdString(workspaces()[size_t(i)].id));
        QCOMPARE(tabs->currentIndex(), i);
        QVERIFY(page(i)->isVisible());
        seen << tabs->tabText(i);
    }
    QCOMPARE(seen.size(), tabs->count());
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(2).center());
    QCOMPARE(m_window->workspace(), QStringLiteral("labs"));
    QVERIFY(!m_window->document().canUndo());  // where one looks is no step
}

void WorkspacesTest::aLabThatTrainsIsSeenFromEveryWorkspace()
{
    auto* tabs = m_window->findChild<WorkspaceTabs*>();
    const auto picture = [&] { return tabs->grab(tabs->tabRect(2)).toImage(); };
    m_window->setWorkspace(exploreWorkspace);
    const QImage before = picture();
    LabRunner& lab = m_window->bench().lab;
    lab.start({.choice = {"eie", {{"epochs", 1e5}}, {}}});
    QVERIFY(tabs->tabToolTip(2).contains("eie"));
    QVERIFY(picture() != before && tabs->grab(tabs->tabRect(2)).size() == before.size());
    lab.cancel();
    QTRY_VERIFY(!lab.isRunning());
    QVERIFY(!tabs->tabToolTip(2).contains("eie"));
    QCOMPARE(picture(), before);
}

void WorkspacesTest::eachHasTheWholeWindow()
{
    for (const Workspace& one : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(one.id));
        QWidget* shown = page(workspaceIndex(one.id));
        QVERIFY(shown->isVisible());
        QVERIFY(shown->width() > m_window->width() - 30 && shown->height() > m_window->height() - 140);
        for (QDockWidget* dock : m_window->explore().docks()) {
            QVERIFY(!dock->isFloating());
            QVERIFY(one.id == "explore" || !dock->isVisible());
        }
    }
    m_window->setWorkspace("nosuch");
    QVERIFY(m_window->explore().heatmaps().isVisible());
}

/// It closes what is open in a workspace, leaves a field, and the workspace stays.
void WorkspacesTest::escapeLeadsNowhere()
{
    m_window->activateWindow();
    for (const Workspace& one : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(one.id));
        press(Qt::Key_Escape);  // out of a field that may have the keyboard
        press(Qt::Key_Escape);
        QCOMPARE(m_window->workspace(), QString::fromStdString(one.id));
        m_window->presentation().setOn(true);
        press(Qt::Key_Escape);
        QVERIFY(!m_window->presentation().isOn());
        QCOMPARE(m_window->workspace(), QString::fromStdString(one.id));
    }
    m_window->setWorkspace("labs");
    for (QAction* action : m_window->findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::Key_F1))
            action->trigger();
    press(Qt::Key_Escape);  // closes what lies on top, and no more
    QCOMPARE(m_window->workspace(), QStringLiteral("labs"));
}

void WorkspacesTest::theSessionKnowsWhichIsShown()
{
    m_window->setWorkspace("figures");
    const auto kept = readSession(writeSession(m_window->session().current()));
    QVERIFY(kept);
    const auto other = smallWindow();
    other->session().restore(*kept);
    QCOMPARE(other->workspace(), QStringLiteral("figures"));
    QVERIFY(other->gallery().isVisible());
    QVERIFY(!readSession(R"({"schema": "attnscope_session/4", "look": {"workspace": "cellar"}})"));
    QCOMPARE(readSession(R"({"schema": "attnscope_session/3"})")->look.workspace, std::string("explore"));
}

void WorkspacesTest::layoutsStay()
{
    QDockWidget* entropy = nullptr;
    for (QDockWidget* dock : m_window->explore().docks())
        if (dock->objectName() == "entropy")
            entropy = dock;
    entropy->close();
    m_window->setWorkspace("figures");
    auto* split = m_window->findChild<QSplitter*>("figures");
    split->setSizes({300, split->width() - 300});
    const QList<int> sizes = split->sizes();
    m_window->setWorkspace("explore");
    QVERIFY(!entropy->isVisible());
    m_window->setWorkspace("figures");
    QCOMPARE(split->sizes(), sizes);

    const auto other = smallWindow();  // as the next start does it
    other->explore().arrangement().restore(m_window->explore().arrangement().state());
    other->restorePanes(m_window->paneSizes());
    for (QDockWidget* dock : other->explore().docks())
        if (dock->objectName() == "entropy")
            QVERIFY(dock->isHidden());
    other->setWorkspace("figures");
    QVERIFY(std::abs(other->findChild<QSplitter*>("figures")->sizes().front() - sizes.front()) < 8);
}

void WorkspacesTest::aLessonIsReadWhereItsControlsAre()
{
    m_window->setWorkspace("learn");
    auto* list = m_window->findChild<LessonList*>();
    QVERIFY(list && list->isVisible() && m_window->manual().isVisible());
    QCOMPARE(list->count(), int(lessons().size()));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
    QCOMPARE(m_window->explore().learn().lesson(), 1);
    QVERIFY(m_window->explore().learn().isVisible() && m_window->explore().scenario().isVisible());
    m_window->explore().learn().goToStep(100);  // past its end
    QCOMPARE(m_window->workspace(), QStringLiteral("learn"));
    QCOMPARE(m_window->explore().learn().lesson(), -1);
    m_window->setWorkspace("explore");
    QVERIFY(!m_window->explore().learn().isVisible());
}

/// In the list, from one start to the next, and only one that was read to its end.
void WorkspacesTest::aLessonThatWasReadSaysSo()
{
    QSettings().remove(QStringLiteral("finished lessons"));
    const auto saysDone = [](const MainWindow& window, int lesson) {
        const auto* list = window.findChild<LessonList*>();
        return list->item(lesson)->data(Qt::AccessibleDescriptionRole).toString().contains(QLatin1String("done"));
    };
    m_window->setWorkspace(QStringLiteral("learn"));
    QVERIFY(!saysDone(*m_window, 0));
    QVERIFY(m_window->findChild<LessonList*>()
                ->item(0)
                ->data(Qt::AccessibleDescriptionRole)
                .toString()
                .contains(QStringLiteral("%1 steps").arg(lessons()[0].steps.size())));
    m_window->showDock(QStringLiteral("learn"));
    LearnView& learn = m_window->explore().learn();
    for (const bool toItsEnd : {false, true}) {
        learn.openLesson(0);
        learn.goToStep(learn.stepCount() - 1);
        toItsEnd ? learn.goToStep(learn.stepCount()) : learn.showList();
        m_window->setWorkspace(QStringLiteral("explore"));
        m_window->setWorkspace(QStringLiteral("learn"));
        QCOMPARE(saysDone(*m_window, 0), toItsEnd);
        QVERIFY(!saysDone(*m_window, 1));
    }
    m_window = smallWindow();
    m_window->setWorkspace(QStringLiteral("learn"));
    QVERIFY(saysDone(*m_window, 0));
    QSettings().remove(QStringLiteral("finished lessons"));
}

/// A lesson that was left in its midst opens there again, and its card says where that is.
void WorkspacesTest::aLessonGoesOnWhereItWasLeft()
{
    QSettings().remove(QStringLiteral("begun lessons"));
    m_window->setWorkspace(QStringLiteral("learn"));
    auto* list = m_window->findChild<LessonList*>();
    const auto click = [&] {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    };
    click();
    LearnView& learn = m_window->explore().learn();
    QCOMPARE(learn.step(), 0);
    learn.goToStep(2);
    learn.showList();
    const auto says = [&] { return list->item(0)->data(Qt::AccessibleDescriptionRole).toString(); };
    QVERIFY2(says().endsWith(QStringLiteral("step 3 of %1").arg(lessons()[0].steps.size())), qPrintable(says()));
    click();
    QCOMPARE(learn.lesson(), 0);
    QCOMPARE(learn.step(), 2);
    learn.goToStep(learn.stepCount());
    QVERIFY2(says().contains("done"), qPrintable(says()));
    click();
    QCOMPARE(learn.step(), 0);
    learn.close();
    QSettings().remove(QStringLiteral("finished lessons"));
}

/// However much is undone or done again, the maps are those that the text speaks of; and what was there before the
/// lesson comes back with its own steps.
void WorkspacesTest::undoStaysInAStepOfALesson()
{
    Document& document = m_window->document();
    const auto warm = [&](double temperature) {
        document.editOnce(QStringLiteral("Temperature"), [=](Scenario& s) { s.temperature = temperature; });
    };
    warm(3);
    LearnView& learn = m_window->explore().learn();
    learn.openLesson(1);
    Scenario set;
    for (const int step : {0, 1, 2, 1, 3}) {
        learn.goToStep(step);
        set = lessons()[1].steps[static_cast<std::size_t>(step)].scenario.value_or(set);
        for (int undone = 0; undone < 4; ++undone)
            press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(learn.step(), step);
        QVERIFY(document.scenario() == set);
        warm(7);
        warm(8);
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(document.scenario().temperature, 7.0);
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(document.scenario() == set && !document.canUndo());
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    }
    warm(9);
    document.markSaved(QStringLiteral("lesson.attnscope"));  // what has a name is work, and no step takes it away
    learn.goToStep(4);
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(document.scenario().temperature, 9.0);
    learn.close();
    QCOMPARE(document.scenario().temperature, 3.0);
    QCOMPARE(document.undoName(), QStringLiteral("Temperature"));
}

/// Cards are whole in the width, and as large as each other, their pictures too.
void WorkspacesTest::lessonsAreCards()
{
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        m_window = smallWindow(size);
        m_window->setWorkspace(QStringLiteral("learn"));
        const auto* list = m_window->findChild<LessonList*>();
        QTRY_VERIFY(list->pictures().areComplete());
        QSet<int> columns;
        for (int i = 0; i < list->count(); ++i) {
            const QRect card = list->visualItemRect(list->item(i));
            QVERIFY(card.left() >= 0 && card.right() < list->viewport()->width());
            QCOMPARE(card.size(), list->visualItemRect(list->item(0)).size());
            columns << card.left();
            const auto picture = qvariant_cast<QImage>(list->item(i)->data(Qt::DecorationRole));
            QVERIFY(std::abs(picture.width() - Thumbnails::size.width() * picture.devicePixelRatio()) <= 2 &&
                    std::abs(picture.height() - Thumbnails::size.height() * picture.devicePixelRatio()) <= 2);
        }
        QVERIFY(columns.size() >= 2);
        m_window->setWorkspace(QStringLiteral("figures"));
        const QListWidget* figures = m_window->gallery().list();
        columns.clear();
        for (int i = 0; i < figures->count(); ++i) {
            const QRect card = figures->visualItemRect(figures->item(i));
            QVERIFY(card.left() >= 0 && card.right() < figures->viewport()->width());
            columns << card.left();
        }
        QCOMPARE(columns.size(), 2);
    }
}

/// Of the charts beside the maps too, whichever a lesson speaks of.
void WorkspacesTest::whatWasInFrontBeforeALessonIsAgain()
{
    m_window->resize(1280, 720);
    m_window->resetLayout();
    QVERIFY(settle(*m_window));
    ExplorePage& page = m_window->explore();
    const auto dock = [&](const char* name) {
        return *std::ranges::find(page.docks(), QString(name),
                                  [](const QDockWidget* one) { return one->objectName(); });
    };
    const auto isInFront = [&](const QDockWidget* one) {
        return !one->isHidden() && one->geometry().intersects(page.rect());
    };
    for (const char* front : {"statistics", "dispersion"})
        for (const int lesson : {0, 1, 3}) {
            dock(front)->raise();
            QTest::qWait(20);
            QVERIFY2(isInFront(dock(front)), front);
            m_window->showDock("learn");
            page.learn().openLesson(lesson);
            for (int step = 0; step < page.learn().stepCount(); ++step)
                page.learn().goToStep(step);
            page.learn().goToStep(0);  // nothing is kept of it for other tests
            page.learn().close();
            QTest::qWait(20);
            QVERIFY2(isInFront(dock(front)), front);
        }
}

/// In a step with the methods above its text, too. What comes back has no lesson and is as it was before.
void WorkspacesTest::aWindowThatWasLeftInALessonComesBack()
{
    m_window->resize(1280, 720);
    m_window->resetLayout();
    QVERIFY(settle(*m_window));
    ExplorePage& page = m_window->explore();
    const DockArrangement& before = page.arrangement();
    int seen = 0;
    for (int lesson = 0; lesson < std::ssize(lessons()) && seen < 2; ++lesson) {
        m_window->showDock("learn");
        page.learn().openLesson(lesson);
        for (int step = 0; step < page.learn().stepCount() && seen < 2; ++step) {
            page.learn().goToStep(step);
            const auto tabs = page.tabifiedDockWidgets(before.named("learn"));
            if (!tabs.contains(before.named("scenario")) || tabs.contains(before.named("methods")))
                continue;
            ++seen;
            const auto other = smallWindow({1280, 720});  // as the next start does it
            other->explore().arrangement().restore(before.state());
            QTest::qWait(20);
            const DockArrangement& docks = other->explore().arrangement();
            const QDockWidget *scenario = docks.named("scenario"), *methods = docks.named("methods");
            QVERIFY(docks.named("learn")->isHidden());
            QVERIFY(!scenario->isHidden() && !methods->isHidden());
            QVERIFY(scenario->geometry().bottom() < methods->geometry().top());
            QVERIFY(scenario->geometry().intersects(other->explore().rect()));
        }
        page.learn().goToStep(0);  // nothing is kept of it for other tests
        page.learn().close();
    }
    QVERIFY(seen > 0);
}

/// Of its own: no two are alike, and each follows the theme.
void WorkspacesTest::everyLessonHasAPicture()
{
    m_window->setWorkspace(QStringLiteral("learn"));
    const auto* list = m_window->findChild<LessonList*>();
    std::vector<QImage> inLight;
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(*qApp, theme);
        QTRY_VERIFY(list->pictures().areComplete());
        std::vector<QImage> pictures;
        for (int i = 0; i < list->count(); ++i) {
            const auto picture = qvariant_cast<QImage>(list->item(i)->data(Qt::DecorationRole));
            QVERIFY2(picture.width() > 100 && std::ranges::find(pictures, picture) == pictures.end(),
                     qPrintable(list->item(i)->text()));
            QCOMPARE(picture.pixelColor(0, 0).lightness() < 128, theme == ThemeChoice::Dark);
            pictures.push_back(picture);
        }
        if (inLight.empty())
            inLight = pictures;
        QCOMPARE(pictures == inLight, theme == ThemeChoice::Light);
    }
}

void WorkspacesTest::aFigureOpensInExplore()
{
    m_window->showDock("gallery");
    QCOMPARE(m_window->workspace(), QStringLiteral("figures"));
    emit m_window->gallery().openRequested(m_window->gallery().recipes().front());
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
    m_window->showDock("export");
    QVERIFY(m_window->exportPanel().isVisible() && m_window->gallery().isVisible());
    emit m_window->gallery().chosen(m_window->gallery().recipes()[2]);
    QCOMPARE(m_window->exportPanel().recipe().name, m_window->gallery().recipes()[2].name);
}

void WorkspacesTest::everyControlIsReachedAndNamed_data()
{
    QTest::addColumn<QString>("id");
    for (const Workspace& one : workspaces())
        QTest::addRow("%s", one.id.c_str()) << QString::fromStdString(one.id);
}

/// By Tab from the first; each says what it is and what it does.
void WorkspacesTest::everyControlIsReachedAndNamed()
{
    QFETCH(QString, id);
    m_window->setWorkspace(id);
    QTest::qWait(50);
    QSet<QWidget*> chain;
    QWidget* at = m_window.get();
    do {
        chain.insert(at);
        at = at->nextInFocusChain();
    } while (at != m_window.get());
    QStringList faults;
    for (QWidget* widget : m_window->findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !chain.contains(widget))
            faults << QStringLiteral("not reached: ") + widget->accessibleName();
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const bool control = button || qobject_cast<QComboBox*>(widget) ||
                             (qobject_cast<QLineEdit*>(widget) && !qobject_cast<QComboBox*>(widget->parentWidget()));
        const QWidget* around = widget->parentWidget();
        if (!control || widget->objectName().startsWith("qt_") || qobject_cast<const QTabBar*>(around) ||
            widget->metaObject()->className() == QByteArray("QTableCornerButton"))
            continue;
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
            faults << QStringLiteral("no name: %1 in %2")
                          .arg(widget->metaObject()->className(), around->metaObject()->className());
        if (widget->toolTip().isEmpty() && around->toolTip().isEmpty())
            faults << QStringLiteral("no tool tip: %1 %2")
                          .arg(widget->accessibleName(), button ? button->text() : QString());
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
}

void WorkspacesTest::nothingOverlapsOrIsClipped_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QSize>("size");
    for (const Workspace& one : workspaces())
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)})
            QTest::addRow("%s at %d", one.id.c_str(), size.width()) << QString::fromStdString(one.id) << size;
}

/// No sibling lies over another or reaches out of its place, buttons and labels show all of their text, and the window
/// keeps its size.
void WorkspacesTest::nothingOverlapsOrIsClipped()
{
    QFETCH(QString, id);
    QFETCH(QSize, size);
    m_window->resize(size);
    m_window->setWorkspace(id);
    QTest::qWait(50);
    QStringList faults;
    const bool tidy =
        QTest::qWaitFor([&] { return (faults = layoutFaults(*m_window) + cutButtons(*m_window)).isEmpty(); },
                        300'000);  // a model opens meanwhile, and its columns appear
    QVERIFY2(tidy, qPrintable(faults.join('\n')));
    QCOMPARE(m_window->size(), size);
}

QTEST_MAIN(WorkspacesTest)
#include "workspaces_test.moc"
