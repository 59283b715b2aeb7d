// n in the hand: a drag stops at lengths that matter, Shift is fine, and all of a drag is one step of undo.
#include "tests/ui/window_support.h"

#include "core/analysis/answer.h"
#include "ui/widgets/length_scrubber.h"
#include "ui/workbench/document.h"
#include "ui/window/presentation.h"
#include "ui/window/window_app.h"
#include "ui/views/answer_line.h"
#include "ui/figure/counted_rows.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/open_tensors.h"

#include <QAccessible>
#include <QClipboard>
#include <QFile>
#include <QSignalSpy>
#include <QToolButton>

using namespace attnscope;
using namespace attnscope::testing;

class ScrubberTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void aDragHitsPowersOfTwo();
    void itStopsAtNAndAtPins();
    void theAnswerFollowsTheLength();
    void theManualQuotesTheFirstAnswer();
    void shiftIsFineAndStopsNowhere();
    void theHandleIsTakenHoldOfWhereItIs();
    void keysAndTheWheelStep();
    void aPinThatIsHeldIsShown();
    void itIsOnTheStage();
    void screenReadersHearTheLength();
    void aCaptionScrubsItsNumber();
    void theChartsAxisFollows();
    void whereOnlyMarksExistItGoesFromOneToTheNext();
    void marksAreWhole();
    void theAnswerIsOnSmallScreensToo();
    void whereMethodsAreAlikeMoreIsOffered();

private:
    LengthScrubber& scrubber() { return m_window->explore().scrubber(); }
    const Scenario& scenario() const { return m_window->document().scenario(); }
    QPoint at(double n, double beside = 0)
    {
        return QPointF(scrubber().place(n) + beside, scrubber().height() * 0.7).toPoint();
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {});
    std::unique_ptr<MainWindow> m_window;
};

void ScrubberTest::init()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
}

void ScrubberTest::drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers)
{
    constexpr int moves = 20;
    const auto send = [&](QEvent::Type type, QPointF position, Qt::MouseButton button) {
        QMouseEvent event(type, position, scrubber().mapToGlobal(position), button,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, modifiers);
        QApplication::sendEvent(&scrubber(), &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    for (int i = 1; i <= moves; ++i)
        send(QEvent::MouseMove, QPointF(from) + QPointF(to - from) * i / moves, Qt::NoButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton);
}

/// From wherever, near enough is exact; undo takes the drag back whole.
void ScrubberTest::aDragHitsPowersOfTwo()
{
    QCOMPARE(scrubber().width(), m_window->explore().width());  // the whole width of Explore
    for (const double beside : {-5.0, 0.0, 5.0}) {
        drag(at(64), at(4096, beside));
        QCOMPARE(scenario().n, 4096);
        QCOMPARE(m_window->document().undoName(), QStringLiteral("Length n"));
        m_window->document().undo();
        QCOMPARE(scenario().n, 64);
        QCOMPARE(scrubber().value(), 64.0);
    }
    drag(at(64), at(4096, 25));
    QVERIFY(scenario().n > 4200 && scenario().n < 8000);
    drag(at(double(scenario().n)), QPoint(-300, 20));
    QCOMPARE(scenario().n, 2);
    QVERIFY(settle(*m_window));
}

void ScrubberTest::itStopsAtNAndAtPins()
{
    m_window->document().editOnce(QStringLiteral("N"), [](Scenario& now) { now.nTrain = 90; });
    drag(at(64), at(90, 4));
    QCOMPARE(scenario().n, 90);
    m_window->pins().pin();
    m_window->document().editOnce(QStringLiteral("n"), [](Scenario& now) { now.n = 700; });
    m_window->pins().pin();
    QCOMPARE(scrubber().marks().size(), std::size_t(3));
    QCOMPARE(scrubber().marks()[2].at, 700.0);
    drag(at(700), at(16));
    drag(at(16), at(700, -4));
    QCOMPARE(scenario().n, 700);
}

/// Below the track, as high as before whatever it says; what it says is in the clipboard when that is asked for.
void ScrubberTest::theAnswerFollowsTheLength()
{
    AnswerLine& answer = m_window->explore().answer();
    const int height = answer.height();
    QString before = answer.text();
    for (const int n : {128, 256}) {
        drag(at(scrubber().value()), at(n));
        QVERIFY(settle(*m_window));
        QVERIFY2(answer.text() != before, qPrintable(answer.text()));
        before = answer.text();
        const AnalysisPtr analysis = m_window->analyser().current();
        QVERIFY2(answer.text().startsWith(QStringLiteral("At n = %1 ").arg(n)), qPrintable(answer.text()));
        for (const MethodAnalysis& method : analysis->methods)
            QVERIFY2(answer.text().contains(QString::fromStdString(method.label)) &&
                         answer.text().contains(QString::fromStdString(formatNumber(method.entropy.mean, 3))),
                     qPrintable(answer.text()));
        QVERIFY(answer.text().contains(rowSetWords(analysis->scenario)));
        QCOMPARE(answer.height(), height);
    }
    answer.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), answer.text());
}

/// The manual's example is what the window says when it first opens.
void ScrubberTest::theManualQuotesTheFirstAnswer()
{
    QFile manual(QStringLiteral(TEST_DATA "/../../resources/manual/window_tensors.md"));
    QVERIFY(manual.open(QIODevice::ReadOnly));
    const auto first = analyse(firstScenario({}), {});
    QVERIFY(first.has_value());
    const QString answer = QString::fromStdString(answerInWords(*first));
    QVERIFY2(QString::fromUtf8(manual.readAll()).simplified().contains(u'"' + answer + u'"'), qPrintable(answer));
}

/// N has its name above the track, where the numbers stand; none of them is written over it, and the ticks below end
/// above the edge.
void ScrubberTest::marksAreWhole()
{
    LengthScrubber own(QStringLiteral("Length n"), QStringLiteral("n"), QString());
    own.resize(1200, own.sizeHint().height());
    own.setScale({.minimum = 2, .maximum = 1048576, .logarithmic = true, .whole = true});
    own.setValue(65536);
    const auto nearN = [&] {  // letters only: not the track, and not what is on it
        return own.grab(QRect(int(own.place(64)) - 30, 0, 60, 15)).toImage();
    };
    own.setMarks({});
    const QImage number = nearN();
    own.setMarks({{64, "N = 64"}});
    const QImage name = nearN();
    QVERIFY(name != number);
    own.setMarks({{64, "N = 64"}, {66, "pin 1"}});  // has no room
    QCOMPARE(nearN(), name);
    own.setScale({.minimum = 2, .maximum = 1048576, .logarithmic = true, .whole = true});
    const QImage image = own.grab().toImage();
    for (int x = 1; x < image.width(); ++x)
        QCOMPARE(image.pixel(x, image.height() - 1), image.pixel(0, image.height() - 1));
}

/// All of it or its first clause, and no map is smaller than it should be.
void ScrubberTest::theAnswerIsOnSmallScreensToo()
{
    for (const QSize size : {QSize(1280, 720), QSize(1264, 664), QSize(1000, 600)}) {
        m_window->resize(size);
        QVERIFY(settle(*m_window));
        AnswerLine& answer = m_window->explore().answer();
        QVERIFY2(answer.isVisible(), qPrintable(QString::number(size.height())));
        QVERIFY(!answer.text().isEmpty());
        const QString seen = answer.findChild<ElidedLabel*>()->shown(), first = answer.text().section(';', 0, 0);
        QVERIFY2(seen == answer.text() || seen == first || (seen.size() > 20 && first.startsWith(seen.chopped(1))),
                 qPrintable(seen));
        QVERIFY(answer.height() >= answer.fontMetrics().height());
    }
}

/// At n = N nothing can be told apart: a click away it can, and there is nothing to offer there. Of tensors that go no
/// further than N, half of them are taken for N.
void ScrubberTest::whereMethodsAreAlikeMoreIsOffered()
{
    AnswerLine& answer = m_window->explore().answer();
    drag(at(scrubber().value()), at(512));
    QVERIFY(settle(*m_window));
    QVERIFY(!answer.offered()->isVisible());
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.n = static_cast<std::int64_t>(scenario.nTrain);
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    QVERIFY(answer.offered()->isVisible());
    const double trained = scenario().nTrain;
    QTest::mouseClick(answer.offered(), Qt::LeftButton);
    QCOMPARE(double(scenario().n), 2 * trained);
    QCOMPARE(scenario().nTrain, trained);
    QVERIFY(settle(*m_window));
    QVERIFY(!answer.offered()->isVisible());

    Scenario ofFile = scenario();
    ofFile.n = 64;
    ofFile.nTrain = 64;
    const auto within = beyondTrained(ofFile, 64);
    QVERIFY(within && within->n == 64 && within->nTrain == 32);
    const auto beyond = beyondTrained(ofFile, 100);
    QVERIFY(beyond && beyond->n == 100 && beyond->nTrain == 64);
    ofFile.n = 65;
    QVERIFY(!beyondTrained(ofFile, 100));
}

void ScrubberTest::shiftIsFineAndStopsNowhere()
{
    const double octave = scrubber().place(128) - scrubber().place(64);
    drag(at(64), at(64, octave), Qt::ShiftModifier);  // a tenth of an octave
    QVERIFY2(std::abs(std::log2(double(scenario().n) / 64) - 0.1) < 0.03, qPrintable(QString::number(scenario().n)));
    QVERIFY(scenario().n != 64);
}

void ScrubberTest::theHandleIsTakenHoldOfWhereItIs()
{
    const QPoint onHandle(static_cast<int>(scrubber().place(64)) + 15, 8);
    QTest::mouseClick(&scrubber(), Qt::LeftButton, {}, onHandle);
    QCOMPARE(scenario().n, 64);
    QTest::mouseClick(&scrubber(), Qt::LeftButton, {}, at(1024, 2));  // elsewhere it comes
    QCOMPARE(scenario().n, 1024);
}

void ScrubberTest::keysAndTheWheelStep()
{
    scrubber().setFocus();
    QTest::keyClick(&scrubber(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(scenario().n, 65);
    QTest::keyClick(&scrubber(), Qt::Key_PageUp);
    QCOMPARE(scenario().n, 128);
    QTest::keyClick(&scrubber(), Qt::Key_PageDown);
    QTest::keyClick(&scrubber(), Qt::Key_PageDown);
    QCOMPARE(scenario().n, 32);
    for (int i = 0; i < 12; ++i)
        QTest::keyClick(&scrubber(), Qt::Key_Right);
    QVERIFY(std::abs(double(scenario().n) - 64) <= 6);
    m_window->document().editOnce(QStringLiteral("n"), [](Scenario& now) { now.n = 1024; });
    turn(&scrubber(), 1);
    QCOMPARE(scenario().n, std::llround(1024 * std::exp2(1 / 12.0)));
    turn(&scrubber(), 1);
    m_window->document().undo();  // a turn is one step
    QCOMPARE(scenario().n, 1024);
}

void ScrubberTest::aPinThatIsHeldIsShown()
{
    m_window->pins().pin();
    m_window->document().editOnce(QStringLiteral("n"), [](Scenario& now) { now.n = 512; });
    QVERIFY(settle(*m_window));
    m_window->pins().flipTo(0);
    QTRY_COMPARE(scrubber().value(), 64.0);
    m_window->pins().flipBack();
    QTRY_COMPARE(scrubber().value(), 512.0);
}

void ScrubberTest::itIsOnTheStage()
{
    m_window->presentation().setOn(true);
    QVERIFY(scrubber().isVisible());
    m_window->presentation().show(QStringLiteral("entropy"));
    QVERIFY(scrubber().isVisible());
    QTest::mouseClick(&scrubber(), Qt::LeftButton, {}, at(256));
    QCOMPARE(scenario().n, 256);
    m_window->presentation().setOn(false);
}

void ScrubberTest::screenReadersHearTheLength()
{
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(&scrubber());
    QVERIFY(told && told->role() == QAccessible::Slider);
    QCOMPARE(told->text(QAccessible::Name), QStringLiteral("Length n"));
    QCOMPARE(told->text(QAccessible::Value), QStringLiteral("n = 64"));
    QVERIFY(told->valueInterface());
    QCOMPARE(told->valueInterface()->currentValue().toDouble(), 64.0);
    told->valueInterface()->setCurrentValue(300);
    QCOMPARE(scenario().n, 300);
}

void ScrubberTest::aCaptionScrubsItsNumber()
{
    NumberControl* temperature = number(*m_window, QStringLiteral("Temperature \u03C4"));
    QVERIFY(temperature);
    QWidget* caption = temperature->captionLabel();
    QTest::mousePress(caption, Qt::LeftButton, {}, {5, 5});
    QTest::mouseMove(caption, {45, 5});
    QTest::mouseMove(caption, {85, 5});
    const double dragged = scenario().temperature;
    QVERIFY2(dragged > 1.2, qPrintable(QString::number(dragged)));
    QTest::mouseMove(caption, {5, 5});
    QVERIFY(std::abs(scenario().temperature - 1) < 0.02);
    QTest::mouseMove(caption, {85, 5});
    QTest::mouseRelease(caption, Qt::LeftButton, {}, {85, 5});
    m_window->document().undo();
    QCOMPARE(scenario().temperature, 1.0);
}

/// Beyond the end of its curves too.
void ScrubberTest::theChartsAxisFollows()
{
    ChartView* chart = m_window->explore().entropy().chart();
    drag(at(64), at(1024));
    QVERIFY(settle(*m_window));
    QVERIFY(scenario().n > scenario().view.curveLast);
    QTRY_VERIFY(chart->chartLayout().xRange.second >= 1024);
    QVERIFY(chart->chartLayout().frame.contains(chart->chartLayout().place(1024, chart->chartLayout().yRange.first) -
                                                QPointF(1, 1)));
    drag(at(1024), at(64));
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(chart->chartLayout().xRange.second < 300);
}

/// As for the lengths that a model was run at.
void ScrubberTest::whereOnlyMarksExistItGoesFromOneToTheNext()
{
    LengthScrubber own(QStringLiteral("Length n"), QStringLiteral("n"), QString());
    own.resize(600, own.sizeHint().height());
    own.setScale({.minimum = 64, .maximum = 1000, .logarithmic = true, .whole = true});
    own.setMarks({{64, "N"}, {200, ""}, {1000, ""}});
    own.setNamedStopsOnly(true);
    own.setValue(64);
    QSignalSpy edited(&own, &LengthScrubber::edited);
    own.enter(300);  // 200 is nearer than 1000 on a logarithmic track
    QCOMPARE(own.value(), 200.0);
    QTest::keyClick(&own, Qt::Key_Right);
    QCOMPARE(own.value(), 1000.0);
    QTest::keyClick(&own, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(own.value(), 1000.0);
    QTest::keyClick(&own, Qt::Key_PageDown);
    QCOMPARE(own.value(), 200.0);
    const auto send = [&](QEvent::Type type, double n, Qt::MouseButton button) {
        const QPointF position(own.place(n), own.height() * 0.7);
        QMouseEvent event(type, position, own.mapToGlobal(position), button, Qt::LeftButton, {});
        QApplication::sendEvent(&own, &event);
    };
    send(QEvent::MouseButtonPress, 200, Qt::LeftButton);
    for (double n = 200; n > 70; n *= 0.95)
        send(QEvent::MouseMove, n, Qt::NoButton);
    QCOMPARE(own.value(), 64.0);
    send(QEvent::MouseButtonRelease, 70, Qt::LeftButton);
    QCOMPARE(own.value(), 64.0);
    for (const auto& told : edited)
        QVERIFY(told.front().toDouble() == 64 || told.front().toDouble() == 200 || told.front().toDouble() == 1000);
}

QTEST_MAIN(ScrubberTest)
#include "scrubber_test.moc"
