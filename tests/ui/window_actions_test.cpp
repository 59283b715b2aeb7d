// The window under stress: a thousand actions in no order, which the address and the thread sanitiser watch too, and
// long work beside which the window must stay quick.
#include "tests/ui/window_support.h"

#include "core/analysis/analysis.h"
#include "ui/widgets/copy_data.h"
#include "ui/explore/statistics_view.h"

#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QPointer>
#include <QThread>
#include <QTimer>
#include <QToolButton>

#include <functional>
#include <random>

using namespace attnscope;
using namespace attnscope::testing;

class WindowActionsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void randomActionsLeaveAWorkingWindow();
    void longWorkNeverBlocksTheWindow();
    void theWatchdogSeesABlock();

private:
    std::unique_ptr<MainWindow> m_window;
};

/// Nothing that can be done in any order breaks the window: after all of it, it shows what a window shows that was
/// opened so.
void WindowActionsTest::randomActionsLeaveAWorkingWindow()
{
    constexpr int actions = 1000;
    std::mt19937 random(11);
    const auto sliders = m_window->explore().scenario().findChildren<QSlider*>();
    QList<QPointer<QComboBox>> lists;  // those of the difference map come and go
    for (QComboBox* list : m_window->findChildren<QComboBox*>())
        lists << list;
    for (int step = 0; step < actions; ++step) {
        switch (random() % 12) {
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
        case 3:
            methodRow(*m_window, m_window->explore()
                                     .methods()
                                     .rows()[random() % m_window->explore().methods().rows().size()]
                                     ->tick()
                                     ->text())
                ->tick()
                ->toggle();
            break;
        case 4:
            m_window->explore().heatmaps().zoom(random() % 2 ? 2.0 : 0.5);
            break;
        case 5:
            m_window->document().undo();
            break;
        case 6:
            m_window->document().redo();
            break;
        case 7: {
            MethodRow* row =
                m_window->explore().methods().rows()[random() % m_window->explore().methods().rows().size()];
            row->tune()->setChecked(random() % 2);
            row->another()->click();
            break;
        }
        case 8:
            m_window->pointer().point({.method = static_cast<int>(random() % 9), .length = double(1 + random() % 300)});
            break;
        case 9: {
            const auto& docks = m_window->explore().docks();
            m_window->showDock(docks[random() % docks.size()]->objectName());
            break;
        }
        case 10: {
            QWidget* focused = QApplication::focusWidget();
            constexpr Qt::Key keys[] = {Qt::Key_Tab,  Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,
                                        Qt::Key_Down, Qt::Key_Plus, Qt::Key_0,     Qt::Key_F6};
            if (focused && focused->isVisible())
                QTest::keyClick(focused, keys[random() % std::size(keys)]);
            break;
        }
        default:
            m_window->pointer().point(
                {static_cast<std::int64_t>(random() % 70), static_cast<std::int64_t>(random() % 70)});
            break;
        }
        const Scenario& scenario = m_window->document().scenario();
        if (const Scenario small = smallScenario(); scenario.n > 256 || scenario.view.curveLast > small.view.curveLast)
            m_window->document().edit("Length n", [&](Scenario& s) {
                s.n = small.n;
                s.view.curveLast = small.view.curveLast;  // a source that is chosen brings its own
            });
        QCoreApplication::processEvents();
    }
    m_window->pointer().leave();
    while (m_window->document().canUndo() && !analyse(m_window->document().scenario(), {}))
        m_window->document().undo();  // to something that can be shown
    QVERIFY(settle(*m_window));

    const auto fresh = smallWindow();
    QVERIFY(fresh);
    fresh->session().restore(m_window->session().current());
    QVERIFY(settle(*fresh));
    QTest::qWait(400);  // what only tables show comes after a pause
    QVERIFY(settle(*m_window) && settle(*fresh));
    QVERIFY(fresh->document().scenario() == m_window->document().scenario());
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), fresh->explore().heatmaps().tiles().size());
    QCOMPARE(m_window->explore().heatmaps().difference() != nullptr,
             fresh->explore().heatmaps().difference() != nullptr);
    for (std::size_t i = 0; i < fresh->explore().heatmaps().tiles().size(); ++i)
        QCOMPARE(m_window->explore().heatmaps().tiles()[i]->caption(),
                 fresh->explore().heatmaps().tiles()[i]->caption());
    QCOMPARE(m_window->explore().statistics().asText(), fresh->explore().statistics().asText());
    QCOMPARE(chartData(m_window->explore().entropy().chart()->spec()),
             chartData(fresh->explore().entropy().chart()->spec()));
    QCOMPARE(chartData(m_window->explore().dispersion().chart()->spec()),
             chartData(fresh->explore().dispersion().chart()->spec()));
    QCOMPARE(m_window->explore().dispersion().nothing(), fresh->explore().dispersion().nothing());
}

namespace {

/// Milliseconds that this thread has waited for a processor which others had, since it began; -1 where the system does
/// not say.
double waitedForAProcessor()
{
    QFile file(QStringLiteral("/proc/thread-self/schedstat"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QList<QByteArray> numbers = file.readAll().split(' ');  // nanoseconds running, nanoseconds waiting, times
    return numbers.size() < 2 ? -1 : numbers[1].toDouble() * 1e-6;
}

/// Runs the event loop until `done`; its longest turn, in milliseconds. Time in which other threads and programs had
/// the processors does not count; waiting for a lock or for a result does.
double longestTurn(const std::function<bool()>& done)
{
    double longest = 0;
    while (!done()) {
        QElapsedTimer timer;
        timer.start();
        const double waited = waitedForAProcessor();
        QCoreApplication::processEvents();
        longest = std::max(longest, double(timer.nsecsElapsed()) * 1e-6 - (waitedForAProcessor() - waited));
        QThread::usleep(500);
    }
    return longest;
}

}  // namespace

/// While n = 16 384 is computed, no turn of the event loop keeps the window's thread for a quarter of the time that all
/// of it takes, or for the quarter of a second that its painting may take where all is done sooner: a window that
/// computed it itself, or waited for it, would. What a turn took in milliseconds is printed.
void WindowActionsTest::longWorkNeverBlocksTheWindow()
{
#ifdef ATTNSCOPE_SANITISED
    QSKIP("under a sanitiser everything takes ten times as long; the plain build looks at this");
#endif
    if (waitedForAProcessor() < 0)
        QSKIP("this system does not say how long a thread waits for a processor, and a wait is no block");
    int previews = 0, exact = 0;
    connect(&m_window->analyser(), &Analyser::arrived, this,
            [&](const AnalysisPtr& analysis) { ++(analysis->sampledRows.empty() ? exact : previews); });
    QTimer::singleShot(0, this, [this] {
        m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 16384; });
    });
    QElapsedTimer all;
    all.start();
    const double longest =
        longestTurn([this] { return m_window->document().scenario().n == 16384 && m_window->analyser().isSettled(); });
    const double whole = double(all.elapsed());
    qInfo("the longest turn of the event loop took %.1f of %.0f ms", longest, whole);
    QVERIFY(previews > 0 && exact > 0);
    QVERIFY(longest > 0);
    QVERIFY2(longest < std::max(250.0, whole / 4), qPrintable(QStringLiteral("%1 of %2 ms").arg(longest).arg(whole)));
}

/// The watchdog sees a thread that sleeps where it should not.
void WindowActionsTest::theWatchdogSeesABlock()
{
    if (waitedForAProcessor() < 0)
        QSKIP("see above");
    bool slept = false;
    QTimer::singleShot(0, this, [&] {
        QThread::msleep(60);
        slept = true;
    });
    const double longest = longestTurn([&] { return slept; });
    QVERIFY2(longest >= 59, qPrintable(QStringLiteral("%1 ms").arg(longest)));
}

QTEST_MAIN(WindowActionsTest)
#include "window_actions_test.moc"
