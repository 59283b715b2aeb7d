// One view alone in large type, and back.

#include "core/model/shipped_models.h"
#include "tests/ui/window_support.h"
#include "ui/explore/dock_shares.h"
#include "ui/explore/explore_page.h"
#include "ui/figure/explore_charts.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/views_recipe.h"
#include "ui/figures/export_panel.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/explore_view.h"
#include "ui/workbench/document.h"
#include "ui/workbench/lesson.h"
#include "ui/model/model_controls.h"
#include "ui/model/model_page.h"
#include "ui/window/presentation.h"
#include "ui/window/workspaces.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/pin_strip.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QMenuBar>
#include <QScrollBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolBar>

#include <map>

using namespace attnscope;
using namespace attnscope::testing;

class PresentationTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup();
    void lettersChooseTheView();
    void everyChartIsShownEverywhere();
    void everyLineOfTextHasItsHeight();
    void whatIsSaidCoversNoView();
    void everythingComesBack();
    void everyPageFitsTheScreen();
    void everyPanelHasItsPlaceAgain_data();
    void everyPanelHasItsPlaceAgain();
    void theFirstLayoutIsTheOneThatIsResetTo();
    void lessonsLeaveTheColumnsAsTheyWere_data();
    void lessonsLeaveTheColumnsAsTheyWere();
    void theFirstLayoutOfALowWindowStays_data();
    void theFirstLayoutOfALowWindowStays();
    void theViewWithTheKeyboardIsMeant();
    void pageDownStepsThroughPins();
    void pageDownStepsThroughALesson();
    void aLessonFitsTheStage_data();
    void aLessonFitsTheStage();
    void everyStepIsReadWithoutScrolling();
    void aLessonThatIsFinishedIsNoLongerSteppedThrough();

private:
    bool isShown(const char* dock) const;
    void press(Qt::Key key);
    std::map<QString, QRect> places() const;
    std::map<QString, QRect> placesAtRest() const;
    std::unique_ptr<MainWindow> m_window;
};

void PresentationTest::init()
{
    m_window = smallWindow({1400, 900});
    QVERIFY(m_window && settle(*m_window));
}

void PresentationTest::cleanup()
{
    m_window.reset();
    QCOMPARE(textScale(), 1.0);
}

bool PresentationTest::isShown(const char* name) const
{
    for (QDockWidget* dock : m_window->explore().docks())
        if (dock->objectName() == QLatin1String(name))
            return dock->isVisible();
    return false;
}

/// Wherever the keyboard is.
void PresentationTest::press(Qt::Key key)
{
    QTest::keyClick(m_window->focusWidget() ? m_window->focusWidget() : m_window.get(), key);
}

QString inWords(const std::map<QString, QRect>& places)
{
    QStringList words;
    for (const auto& [name, place] : places)
        words << QStringLiteral("%1 %2").arg(name, QDebug::toString(place));
    return words.join(QLatin1Char('\n'));
}

/// Of the panels that are in sight.
std::map<QString, QRect> PresentationTest::places() const
{
    std::map<QString, QRect> places;
    for (const QDockWidget* dock : m_window->explore().docks())
        if (dock->isVisible() && dock->geometry().intersects(m_window->explore().rect()))
            places[dock->objectName()] = dock->geometry();
    places[QStringLiteral("maps")] = m_window->explore().centralWidget()->geometry();
    return places;
}

/// Once the last of what was asked for is laid out.
std::map<QString, QRect> PresentationTest::placesAtRest() const
{
    for (auto seen = places();;) {
        QTest::qWait(100);
        if (places() == seen)
            return seen;
        seen = places();
    }
}

void PresentationTest::lettersChooseTheView()
{
    m_window->presentation().setOn(true);
    QVERIFY(m_window->explore().heatmaps().isVisible() && !isShown("entropy") && !isShown("scenario"));
    QVERIFY(!m_window->menuBar()->isVisible());
    QCOMPARE(textScale(), Presentation::textScale);
    QCOMPARE(QApplication::font().pixelSize(), 20);  // 13 and a half times that
    press(Qt::Key_E);
    QVERIFY(!m_window->explore().heatmaps().isVisible() && isShown("entropy") && !isShown("dispersion"));
    QCOMPARE(m_window->explore().entropy().chart()->spec().legend,
             Legend::Below);  // no map beside it says whose lines they are
    press(Qt::Key_D);
    QVERIFY(!isShown("entropy") && isShown("dispersion"));
    press(Qt::Key_A);
    QVERIFY(m_window->explore().heatmaps().isVisible() && isShown("entropy") && isShown("dispersion") &&
            !isShown("methods"));
    press(Qt::Key_M);
    QVERIFY(m_window->explore().heatmaps().isVisible() && !isShown("entropy"));
    press(Qt::Key_Escape);
    QVERIFY(!m_window->presentation().isOn());
    QCOMPARE(m_window->explore().entropy().chart()->spec().legend, Legend::None);
}

/// What a row of exploreCharts() is said to be: a dock, a key on the stage, a picture of its own, data, a figure.
void PresentationTest::everyChartIsShownEverywhere()
{
    const auto actions = m_window->findChildren<QAction*>();
    QSet<int> keys;
    for (const ExploreView& view : exploreViews())
        keys << view.key;
    QCOMPARE(keys.size(), qsizetype(exploreViews().size()));
    QVERIFY(exploreCharts().size() >= 2);
    for (const ExploreChart& chart : exploreCharts()) {
        const QString id = QString::fromStdString(chart.id);
        QVERIFY2(isShown(chart.id.c_str()), qPrintable(id));
        QCOMPARE(m_window->explore().dock(id)->windowTitle(), chart.titleOf(m_window->document().scenario()));
        m_window->presentation().setOn(true);
        press(chart.key());
        for (const ExploreChart& other : exploreCharts())
            QVERIFY2(isShown(other.id.c_str()) == (other.id == chart.id), "is its key a shortcut of something else?");
        press(Qt::Key_Escape);
        QVERIFY(!m_window->explore().viewPicture(id).isNull());
        QGuiApplication::clipboard()->clear();
        const auto copies = std::ranges::count_if(actions, [&](QAction* action) {
            if (action->text() != QString::fromLatin1(chart.title))
                return false;
            action->trigger();
            return QGuiApplication::clipboard()->text().contains(QLatin1String("Vanilla"));
        });
        QVERIFY2(copies == 1, qPrintable(id));
        const auto recipe = viewsRecipe({chart.id}, m_window->document().scenario(), m_window->document().look());
        const auto figure = buildFigure(recipe, {});
        QVERIFY2(figure && figure->panels.size() == 1 && !figure->panels.front().chart.series.empty(), qPrintable(id));
        const auto lists = m_window->exportPanel().findChildren<QComboBox*>();
        QVERIFY(
            std::ranges::any_of(lists, [&](const QComboBox* list) { return list->findText(chart.plainTitle()) >= 0; }));
    }
}

/// On stage there is no status line for it to stand on; the views have its room back as it goes.
/// Off stage, on it, under each of its keys, and back: no label is lower than a line of its letters.
void PresentationTest::everyLineOfTextHasItsHeight()
{
    const auto cut = [&] {
        QStringList labels;
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            if (label->isVisible() && (!label->text().isEmpty() || !label->accessibleName().isEmpty()) &&
                label->pixmap().isNull() && label->visibleRegion().boundingRect().height() > 0 &&
                (label->height() < label->fontMetrics().height() - 1 ||
                 label->visibleRegion().boundingRect().height() < label->fontMetrics().height() - 1))
                labels << QStringLiteral("'%1': %2 of %3 pixels")
                              .arg(label->text().isEmpty() ? label->accessibleName() : label->text())
                              .arg(label->visibleRegion().boundingRect().height())
                              .arg(label->fontMetrics().height());
        return labels.join(", ");
    };
    m_window->presentation().setOn(true);
    QTest::qWait(50);
    QCOMPARE(cut(), QString());
    for (const Qt::Key key : {Qt::Key_E, Qt::Key_D, Qt::Key_A, Qt::Key_M}) {
        press(key);
        QTest::qWait(50);
        QCOMPARE(cut(), QString());
        if (key == Qt::Key_A) {
            int heights[2] = {};
            for (QDockWidget* dock : m_window->explore().docks())
                if (dock->objectName() == "entropy" || dock->objectName() == "dispersion")
                    heights[dock->objectName() == "entropy"] = dock->height();
            QVERIFY2(std::abs(heights[0] - heights[1]) < 0.1 * heights[0],
                     qPrintable(QStringLiteral("%1 and %2").arg(heights[0]).arg(heights[1])));
        }
    }
    m_window->presentation().setOn(false);
}

void PresentationTest::whatIsSaidCoversNoView()
{
    m_window->presentation().setOn(true);
    m_window->presentation().show(QStringLiteral("all"));
    MessageBar& messages = m_window->messages();
    QVERIFY(messages.isVisible());
    const auto foot = [&] {
        return m_window->explore().mapTo(m_window.get(), m_window->explore().rect().bottomLeft()).y();
    };
    QTRY_VERIFY2(foot() < messages.geometry().top(),
                 qPrintable(QStringLiteral("%1, %2").arg(foot()).arg(messages.geometry().top())));
    QVERIFY(messages.geometry().bottom() < m_window->height());
    messages.hide();
    QTRY_COMPARE(foot(), m_window->height() - 1);
    m_window->presentation().setOn(false);
}

void PresentationTest::everythingComesBack()
{
    std::vector<std::pair<QString, bool>> before;
    for (QDockWidget* dock : m_window->explore().docks())
        before.emplace_back(dock->objectName(), dock->isVisible());
    const auto looks = [&] {
        std::map<const QWidget*, std::pair<QFont, QPalette>> all;
        for (const QWidget* widget : m_window->findChildren<QWidget*>())
            if (widget->isVisible() && widget != &m_window->messages() && !m_window->messages().isAncestorOf(widget) &&
                !qobject_cast<const QTabBar*>(widget))  // of docks: a layout that comes back may make others
                all[widget] = {widget->font(), widget->palette()};
        return all;
    };
    const auto worn = looks();
    const Qt::WindowStates state = m_window->windowState();
    m_window->presentation().setOn(true);
    m_window->presentation().show(QStringLiteral("dispersion"));
    m_window->presentation().setOn(false);
    for (std::size_t i = 0; i < before.size(); ++i)
        QVERIFY2(m_window->explore().docks()[i]->isVisible() == before[i].second, qPrintable(before[i].first));
    QVERIFY(m_window->menuBar()->isVisible() && m_window->explore().heatmaps().isVisible());
    QVERIFY(m_window->findChild<QToolBar*>(QStringLiteral("tools"))->isVisible());
    QCOMPARE(m_window->windowState(), state);
    QCOMPARE(QApplication::font().pixelSize(), 13);
    QCOMPARE(chartStyle(), windowStyle(false));
    const auto now = looks();
    QCOMPARE(now.size(), worn.size());
    for (const auto& [widget, look] : worn)
        QVERIFY2(now.contains(widget) && now.at(widget) == look, widget->metaObject()->className());
}

/// However wide a page in large type would like to be, and as large as before afterwards.
void PresentationTest::everyPageFitsTheScreen()
{
    const QSize screen(800, 600), before = m_window->size();
    m_window->presentation().setOn(true);
    for (std::size_t i = 0; i < workspaces().size(); ++i) {
        m_window->setWorkspace(QString::fromStdString(workspaces()[i].id));
        QVERIFY(settle(*m_window));
        m_window->resize(screen);  // as a window manager does for what fills the screen
        QTest::qWait(20);
        QCOMPARE(m_window->size(), screen);
    }
    m_window->setWorkspace(modelWorkspace);
    QWidget* settings = m_window->model().controls();
    QVERIFY2(!settings->isVisible(), "they are pressed and not looked at");
    m_window->presentation().setOn(false);
    QVERIFY(settings->isVisible());
    m_window->setWorkspace(exploreWorkspace);
    m_window->resize(before);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->size(), before);
    QCOMPARE(m_window->layout()->sizeConstraint(), QLayout::SetDefaultConstraint);
}

void PresentationTest::everyPanelHasItsPlaceAgain_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("byHand");
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)})
        for (const bool byHand : {false, true})
            QTest::addRow("%d wide%s", size.width(), byHand ? ", by hand" : "") << size << byHand;
}

/// To the pixel, however often.
void PresentationTest::everyPanelHasItsPlaceAgain()
{
    QFETCH(QSize, size);
    QFETCH(bool, byHand);
    m_window->resize(size);
    QVERIFY(settle(*m_window));
    ExplorePage& explore = m_window->explore();
    if (byHand) {
        explore.resizeDocks({explore.dock(QStringLiteral("entropy"))}, {size.height() / 4}, Qt::Vertical);
        explore.resizeDocks({explore.dock(QStringLiteral("entropy"))}, {size.width() / 3}, Qt::Horizontal);
        emit explore.findChild<DockShares*>()->dragged();
    }
    const auto before = placesAtRest();
    QVERIFY(before.size() >= 5);
    for (int time = 0; time < 3; ++time) {
        m_window->presentation().setOn(true);
        QTest::qWait(100);
        press(time == 1 ? Qt::Key_E : Qt::Key_A);
        QTest::qWait(50);
        m_window->presentation().setOn(false);
        m_window->resize(size);  // where no window manager does
        QTRY_COMPARE(m_window->size(), size);
        QTRY_COMPARE(inWords(places()), inWords(before));
    }
}

/// Whatever size the window had before.
void PresentationTest::theFirstLayoutIsTheOneThatIsResetTo()
{
    m_window->resize(1600, 1000);
    QVERIFY(settle(*m_window));
    const auto first = placesAtRest();
    m_window->explore().resetLayout();
    QTRY_COMPARE(inWords(places()), inWords(first));
    m_window->resize(1300, 800);
    QTest::qWait(100);
    m_window->resize(1600, 1000);
    QTRY_COMPARE(inWords(places()), inWords(first));
}

void PresentationTest::lessonsLeaveTheColumnsAsTheyWere_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addRow("high") << QSize(1600, 1000);
    QTest::addRow("low") << QSize(1280, 720);
}

/// One after another.
void PresentationTest::lessonsLeaveTheColumnsAsTheyWere()
{
    QFETCH(QSize, size);
    m_window->resize(size);
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    const auto first = placesAtRest();
    for (int lesson = 0; lesson < 4; ++lesson) {
        m_window->showDock(QStringLiteral("learn"));
        m_window->explore().learn().openLesson(lesson);
        QVERIFY(settle(*m_window));
        QTest::qWait(50);
        m_window->explore().learn().close();
        QVERIFY(settle(*m_window));
        QCOMPARE(inWords(placesAtRest()), inWords(first));
    }
}

void PresentationTest::theFirstLayoutOfALowWindowStays_data()
{
    QTest::addColumn<bool>("file");
    QTest::addRow("as it opens") << false;
    QTest::addRow("with the heads of a file") << true;
}

/// Where Compare is a tab behind the dispersion: whatever other workspace was looked at, after the stage, and after
/// Reset layout.
void PresentationTest::theFirstLayoutOfALowWindowStays()
{
    QFETCH(bool, file);
    const QSize size(1280, 700);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    if (file) {
        m_window->openShippedHeads(QString::fromLatin1(shippedModel));
        QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
        QVERIFY(settle(*m_window));
        m_window->explore().resetLayout();
    }
    const auto first = placesAtRest();
    const auto compare = [&] {
        m_window->resize(size);  // where no window manager does
        QTRY_COMPARE(m_window->size(), size);
        QTRY_COMPARE(inWords(places()), inWords(first));
        QCOMPARE(inWords(placesAtRest()), inWords(first));
    };
    for (int time = 0; time < 3; ++time) {
        for (const QString& other : {modelWorkspace, labsWorkspace, learnWorkspace}) {
            m_window->setWorkspace(other);
            QTest::qWait(50);
            m_window->setWorkspace(exploreWorkspace);
            compare();
        }
        m_window->presentation().setOn(true);
        QTest::qWait(100);
        press(time == 1 ? Qt::Key_E : Qt::Key_A);
        QTest::qWait(50);
        m_window->presentation().setOn(false);
        compare();
        m_window->explore().resetLayout();
        compare();
    }
}

void PresentationTest::theViewWithTheKeyboardIsMeant()
{
    m_window->explore().dispersion().chart()->setFocus();
    m_window->presentation().setOn(true);
    QCOMPARE(m_window->presentation().view(), QStringLiteral("dispersion"));
    m_window->presentation().setOn(false);
}

void PresentationTest::pageDownStepsThroughPins()
{
    Document& document = m_window->document();
    for (const int n : {32, 48, 64}) {
        document.edit(QStringLiteral("n"), [n](Scenario& scenario) { scenario.n = n; });
        m_window->pins().pin();
    }
    m_window->presentation().setOn(true);
    QVERIFY(!m_window->explore().pinStrip().isVisible());
    press(Qt::Key_PageDown);
    QCOMPARE(document.scenario().n, 32);
    press(Qt::Key_PageDown);
    QCOMPARE(document.scenario().n, 48);
    press(Qt::Key_PageUp);
    QCOMPARE(document.scenario().n, 32);
    m_window->presentation().setOn(false);
    QVERIFY(m_window->explore().pinStrip().isVisible());
}

void PresentationTest::pageDownStepsThroughALesson()
{
    m_window->showDock(QStringLiteral("learn"));
    m_window->explore().learn().openLesson(0);
    m_window->presentation().setOn(true);
    QVERIFY(isShown("learn"));
    QCOMPARE(m_window->presentation().view(), QStringLiteral("all"));  // a lesson speaks of all views
    QCOMPARE(m_window->explore().learn().step(), 0);
    press(Qt::Key_PageDown);
    QCOMPARE(m_window->explore().learn().step(), 1);
    press(Qt::Key_Space);
    QCOMPARE(m_window->explore().learn().step(), 2);
    for (int times = 0; times < 20; ++times)
        press(Qt::Key_Space);
    QCOMPARE(m_window->explore().learn().step(), m_window->explore().learn().stepCount() - 1);  // the end is no way out
    press(Qt::Key_PageUp);
    QCOMPARE(m_window->explore().learn().step(), m_window->explore().learn().stepCount() - 2);
    m_window->presentation().setOn(false);
    QCOMPARE(m_window->explore().learn().lesson(), 0);  // it goes on
    m_window->explore().learn().showList();
    QCOMPARE(m_window->explore().learn().stepCount(), 0);
}

void PresentationTest::aLessonFitsTheStage_data()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::addRow("light") << ThemeChoice::Light;
    QTest::addRow("dark") << ThemeChoice::Dark;
}

/// In a low window: what is read of a cell is whole, the hint is one line and covers nothing; what was copied is said
/// there too. Off stage the reading stands beside the colours again.
void PresentationTest::aLessonFitsTheStage()
{
    QFETCH(ThemeChoice, theme);
    applyTheme(*qApp, theme);
    m_window->resize(1280, 720);
    m_window->showDock(QStringLiteral("learn"));
    LearnView& learn = m_window->explore().learn();
    learn.openLesson(0);
    QVERIFY(settle(*m_window));
    const auto* foot = m_window->explore().heatmaps().findChild<FactLine*>();
    const int height = foot->parentWidget()->height() - foot->y();
    m_window->presentation().setOn(true);
    m_window->showNormal();
    m_window->resize(1280, 720);  // the screen of a platform without one is not that wide
    QTRY_COMPARE(m_window->width(), 1280);
    QTest::qWait(50);
    const MessageBar& messages = m_window->messages();
    QVERIFY(messages.isVisible());
    for (const QLabel* words : messages.findChildren<QLabel*>())
        if (words->isVisible() && words->pixmap().isNull())
            QVERIFY2(words->height() < 2 * words->fontMetrics().height(), qPrintable(words->text()));
    for (int step = 0; step < learn.stepCount(); ++step) {
        learn.goToStep(step);
        QVERIFY(settle(*m_window));
        const int row = static_cast<int>(m_window->document().scenario().n / 3);
        m_window->pointer().point({.row = row, .key = row / 2, .method = 0});
        QTest::qWait(30);
        QVERIFY2(foot->shown() == foot->text().count(QStringLiteral("&nbsp;&nbsp;&nbsp; ")) + 1,
                 qPrintable(foot->text()));
    }
    QApplication::clipboard()->setText(QStringLiteral("one word"));
    QTRY_COMPARE(messages.message(), QStringLiteral("Copied: one word"));
    m_window->presentation().setOn(false);
    QTest::qWait(50);
    QTRY_COMPARE(foot->parentWidget()->height() - foot->y(), height);
    learn.close();
    applyTheme(*qApp, ThemeChoice::Light);
}

/// On a low stage: nobody scrolls while they speak.
void PresentationTest::everyStepIsReadWithoutScrolling()
{
    m_window->resize(1280, 720);
    m_window->showDock(QStringLiteral("learn"));
    LearnView& learn = m_window->explore().learn();
    learn.openLesson(0);
    m_window->presentation().setOn(true);
    m_window->showNormal();
    m_window->resize(1280, 720);
    QTRY_COMPARE(m_window->width(), 1280);
    m_window->messages().hide();  // the hint, as it does by itself
    auto* text = learn.findChild<QTextBrowser*>();
    QStringList faults;
    for (int lesson = 0; lesson < std::ssize(lessons()); ++lesson) {
        learn.openLesson(lesson);
        for (int step = 0; step < learn.stepCount(); ++step) {
            learn.goToStep(step);
            QTest::qWait(20);
            if (text->verticalScrollBar()->maximum() > 0)
                faults << QStringLiteral("lesson %1 step %2: %3 of %4 pixels hidden")
                              .arg(lesson + 1)
                              .arg(step + 1)
                              .arg(text->verticalScrollBar()->maximum())
                              .arg(text->document()->size().height());
        }
    }
    m_window->presentation().setOn(false);
    learn.close();
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

/// "Finish" leads to Learn while the stage is on; back in Explore the keys are the pins' again.
void PresentationTest::aLessonThatIsFinishedIsNoLongerSteppedThrough()
{
    m_window->showDock(QStringLiteral("learn"));
    LearnView& learn = m_window->explore().learn();
    learn.openLesson(0);
    m_window->presentation().setOn(true);
    learn.goToStep(learn.stepCount() - 1);
    QPushButton* finish = nullptr;
    for (QPushButton* button : learn.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Finish"))
            finish = button;
    QVERIFY(finish);
    finish->click();
    QCOMPARE(learn.lesson(), -1);
    for (const Qt::Key key : {Qt::Key_Space, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_A, Qt::Key_M})
        press(key);
    m_window->setWorkspace(QStringLiteral("explore"));
    for (const Qt::Key key : {Qt::Key_Space, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_A, Qt::Key_M})
        press(key);
    QVERIFY(!isShown("learn"));
    learn.goToStep(3);  // of none
    learn.goToStep(-1);
    QCOMPARE(learn.stepCount(), 0);
    m_window->presentation().setOn(false);
}

QTEST_MAIN(PresentationTest)
#include "presentation_test.moc"
