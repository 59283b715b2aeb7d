// Pinned scenarios: kept, shown behind the charts, flipped to, gone back to.

#include "core/document/session.h"
#include "tests/ui/window_support.h"
#include "ui/figure/analysis_charts.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/document.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/pin_card.h"
#include "ui/explore/pin_strip.h"
#include "ui/explore/scenario_panel.h"
#include "ui/explore/statistics_view.h"
#include "ui/plot/qt_text.h"
#include "ui/views/methods_panel.h"
#include "ui/widgets/number_control.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>

using namespace attnscope;
using namespace attnscope::testing;

class PinsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void aKeyPinsAndTheStripSaysWhatChanged();
    void theStripKeepsItsHeight();
    void namesOfFilesLoseTheirMiddle();
    void curvesOfAPinStandBehindThePresentOnes();
    void numbersOfAPinStandBelowTodays();
    void aDigitShowsThatPinWhileItIsHeld();
    void nothingMovesWhileAPinIsHeld();
    void fieldsStandAtThePinThatIsHeld();
    void aPreviewIsLessThanWhatIsKnown();
    void undoTakesAwayWhatIsFlippedTo();
    void aClickGoesBackAndUndoReturns();
    void aCardHeldIsLookedAtOnly();
    void whatAPinLooksAtIsWhatTheScenarioSays();
    void pinsOfAnotherSourceLeaveTheAxisAlone();
    void aLessonSetsPinsAside();
    void pinsAreInTheSession();
    void asManyAsThereAreDigits();
    void digitsInAFieldAreNumbers();
    void elsewhereThereIsNothingToPin();

private:
    void pinTwo();
    Document& document() { return m_window->document(); }
    std::unique_ptr<MainWindow> m_window;
};

void PinsTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window && settle(*m_window));
}

/// n = 64 under three methods, then n = 128 without vanilla.
void PinsTest::pinTwo()
{
    m_window->pins().pin();
    document().edit(QStringLiteral("n"), [](Scenario& scenario) {
        scenario.n = 128;
        scenario.methods.erase(scenario.methods.begin());
    });
    QVERIFY(settle(*m_window));
    m_window->pins().pin();
}

void PinsTest::aKeyPinsAndTheStripSaysWhatChanged()
{
    QVERIFY(m_window->explore().pinStrip().isHidden());
    QTest::keyClick(m_window.get(), Qt::Key_P);
    QCOMPARE(document().look().pins.size(), size_t(1));
    QVERIFY(m_window->explore().pinStrip().isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_P);
    QCOMPARE(document().look().pins.size(), size_t(1));  // it is there already
    document().edit(QStringLiteral("n"), [](Scenario& scenario) { scenario.n = 128; });
    QCOMPARE(m_window->explore().pinStrip().since(), QStringLiteral("Now: n 64 \u2192 128"));
    m_window->pins().pin();
    QCOMPARE(m_window->explore().pinStrip().cards().size(), size_t(2));
    QCOMPARE(m_window->explore().pinStrip().cards()[0]->words(), QStringLiteral("Local structure, n = 64"));
    QCOMPARE(m_window->explore().pinStrip().cards()[1]->words(), QStringLiteral("n 64 \u2192 128"));
    m_window->pins().remove(0);
    QCOMPARE(m_window->explore().pinStrip().cards()[0]->words(), QStringLiteral("Local structure, n = 128"));
    m_window->pins().removeAll();
    QVERIFY(m_window->messages().isVisible());
    QVERIFY(document().look().pins.empty());
    m_window->messages().buttons().front()->click();  // put back
    QCOMPARE(document().look().pins.size(), size_t(1));
    m_window->pins().removeAll();
    QVERIFY(m_window->messages().isVisible());
    document().undo();  // they are back: nothing to offer
    QVERIFY(!m_window->messages().isVisible() && document().look().pins.size() == 1);
}

/// Whatever the strip says, also in a small window: what one compares stays where it is.
void PinsTest::theStripKeepsItsHeight()
{
    const PinStrip& strip = m_window->explore().pinStrip();
    m_window->pins().pin();
    QTest::qWait(60);
    const int height = strip.height();
    const QRect map = m_window->explore().heatmaps().tiles().front()->plot()->geometry();
    const auto stays = [&] {
        QTest::qWait(60);
        return strip.height() == height && m_window->explore().heatmaps().tiles().front()->plot()->geometry() == map;
    };
    for (int pins = 2; pins <= 4; ++pins) {
        document().edit(QStringLiteral("Temperature"), [&](Scenario& scenario) { scenario.temperature = pins; });
        QVERIFY(settle(*m_window));
        QVERIFY2(stays(), qPrintable(QStringLiteral("%1, %2").arg(strip.height()).arg(height)));
        m_window->pins().pin();
        QVERIFY(stays());
        m_window->pins().flipTo(0);
        QVERIFY(stays());
        m_window->pins().flipBack();
        QVERIFY(stays());
    }
}

/// No line begins with a comma, and the numbers stay whole.
void PinsTest::namesOfFilesLoseTheirMiddle()
{
    const QFontMetrics letters(QApplication::font());
    const QString words = QStringLiteral("a_very_long_name_of_a_file_qk.safetensors, layer 0, head 0, n = 512");
    const int room = letters.horizontalAdvance(QStringLiteral("layer 0, head 0, n = 512 m"));
    const QStringList lines = pinLines(words, letters, room - 20, room, 2);
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].startsWith("a_very") && lines[0].endsWith("tensors,") && lines[0].contains(QChar(0x2026)),
             qPrintable(lines[0]));
    QCOMPARE(QString(lines[1]).replace(QChar(QChar::Nbsp), u' '), QStringLiteral("layer 0, head 0, n = 512"));
    for (const QString& line : lines)
        QVERIFY(letters.horizontalAdvance(line) <= room);
    const QStringList more = pinLines(QStringLiteral("one two three four five"), letters, 40, 40, 2);
    QCOMPARE(more.size(), 2);
    QVERIFY2(more[1].endsWith(QChar(0x2026)), qPrintable(more[1]));  // there is more
}

void PinsTest::curvesOfAPinStandBehindThePresentOnes()
{
    const ChartSpec before = m_window->explore().entropy().chart()->spec();
    m_window->pins().pin();
    QCOMPARE(m_window->explore().entropy().chart()->spec().series.size(),
             before.series.size());  // the pin is the present one: nothing to see
    document().edit(QStringLiteral("Temperature"), [](Scenario& scenario) { scenario.temperature = 2; });
    QVERIFY(settle(*m_window));
    const ChartSpec& now = m_window->explore().entropy().chart()->spec();
    const auto ghosts = now.series.size() - before.series.size();
    QCOMPARE(ghosts, document().scenario().methods.size());
    for (std::size_t i = 0; i < ghosts; ++i) {
        const ChartSeries& ghost = now.series[i];
        const auto live = std::ranges::find(before.series, ghost.style, &ChartSeries::style);
        QVERIFY(live != before.series.end() && ghost.label.isEmpty() && ghost.opacity < 1);
        QCOMPARE(ghost.points.size(), live->points.size());
        for (std::size_t k = 0; k < ghost.points.size(); ++k)
            QCOMPARE(ghost.points[k].y, live->points[k].y);
    }
    document().edit(QStringLiteral("n"), [](Scenario& scenario) { scenario.n = 128; });
    QVERIFY(settle(*m_window));
    const auto& lines = m_window->explore().entropy().chart()->spec().lines;
    QVERIFY(std::ranges::any_of(
        lines, [](const ReferenceLine& line) { return line.at == 64 && line.label == QLatin1String("1"); }));
}

/// In Compare: those that were there when it was pinned, apart from today's however they are sorted, and after a
/// session is opened too; always of the rows that count today.
void PinsTest::numbersOfAPinStandBelowTodays()
{
    const auto lines = [](MainWindow& window) {
        return window.explore().statistics().asText().split('\n', Qt::SkipEmptyParts).mid(1);
    };
    const auto entropies = [&](MainWindow& window) {
        QStringList all;
        for (const QString& line : lines(window))
            all << line.section('\t', 0, 1);
        return all;
    };
    StatisticsView& table = m_window->explore().statistics();
    const QStringList then = lines(*m_window);
    QCOMPARE(then.size(), 3);
    m_window->pins().pin();
    QCOMPARE(lines(*m_window), then);  // it is the present one
    document().edit(QStringLiteral("n"), [](Scenario& scenario) { scenario.n = 128; });
    QVERIFY(settle(*m_window));
    QTRY_COMPARE(table.rowCount(), 6);
    const QStringList headings = table.asText().section('\n', 0, 0).split('\t');
    const auto withoutRow = [&](const QString& line) {  // what is of one row stands with today's alone
        QStringList cells = line.split('\t');
        for (const char* const ofRow : {"KL", "TV"})
            cells[headings.indexOf(QLatin1StringView(ofRow))] = u"of a row"_s;
        return cells.join('\t');
    };
    for (int i = 0; i < 3; ++i) {
        const QString pinned = lines(*m_window)[3 + i];
        QCOMPARE(withoutRow(pinned), withoutRow(u"Pin 1: "_s + then[i]));
        for (const char* const ofRow : {"KL", "TV"}) {
            const auto column = static_cast<int>(headings.indexOf(QLatin1StringView(ofRow)));
            QCOMPARE(pinned.section('\t', column, column), QStringLiteral("nan"));
        }
        QVERIFY(lines(*m_window)[i] != then[i]);
        QVERIFY2(table.item(3 + i, 0)->toolTip().contains(u"n = 64"_s), qPrintable(table.item(3 + i, 0)->toolTip()));
    }
    table.sortItems(1, Qt::DescendingOrder);
    QVERIFY(table.item(2, 0)->text() != u"Pin 1: Vanilla"_s && table.item(3, 0)->text().startsWith(u"Pin 1: "));
    table.sortItems(1, Qt::AscendingOrder);
    QVERIFY(table.item(3, 0)->text().startsWith(u"Pin 1: "));

    m_window->pins().flipTo(0);  // then it is what is shown
    QTRY_COMPARE(table.rowCount(), 3);
    m_window->pins().flipBack();
    QTRY_COMPARE(table.rowCount(), 6);

    const auto read = readSession(writeSession(m_window->session().current()));
    QVERIFY(read);
    const auto other = smallWindow();
    QVERIFY(other && settle(*other));
    other->session().restore(*read);
    QVERIFY(settle(*other));
    QTRY_COMPARE(other->explore().statistics().rowCount(), 6);
    QStringList here = entropies(*m_window), there = entropies(*other);
    here.sort();
    there.sort();
    QTRY_COMPARE((there = entropies(*other), there.sort(), there), here);

    const QString before = lines(*m_window).filter(u"Pin 1: Vanilla"_s).front();
    document().edit(QStringLiteral("Rows"), [](Scenario& scenario) {
        scenario.view.rows = scenario.view.rows == RowSet::Kind::All ? RowSet::Kind::SeeingAboutN : RowSet::Kind::All;
    });
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(lines(*m_window).filter(u"Pin 1: Vanilla"_s).front() != before);
    QVERIFY(lines(*m_window).filter(u"rows"_s).isEmpty());  // the same rows everywhere: nothing to say
}

/// However many methods it has: Compare has other rows then, and the charts above it stay as high.
void PinsTest::nothingMovesWhileAPinIsHeld()
{
    m_window->resize(1600, 1000);
    m_window->resetLayout();
    document().editOnce(u"Methods"_s, [](Scenario& scenario) {
        scenario.methods.clear();
        for (const char* id : {"vanilla", "log_n", "softmax_plus", "infoscale"})
            scenario.methods.push_back({id, {}, {}});
    });
    QVERIFY(settle(*m_window));
    m_window->pins().pin();
    document().editOnce(u"Methods"_s, [](Scenario& scenario) { scenario.methods.resize(2); });
    QVERIFY(settle(*m_window));
    QTRY_COMPARE(m_window->explore().statistics().rowCount(), 6);
    const auto places = [this] {
        QStringList all;
        for (const QDockWidget* dock : m_window->explore().docks())
            if (dock->isVisible())
                all << u"%1 %2,%3 %4 x %5"_s.arg(dock->objectName())
                           .arg(dock->x())
                           .arg(dock->y())
                           .arg(dock->width())
                           .arg(dock->height());
        return all;
    };
    QTest::qWait(50);
    QTRY_VERIFY(m_window->pins().analyses().front());
    const QStringList before = places();
    m_window->explore().heatmaps().setFocus();
    QTest::keyPress(QApplication::focusWidget(), Qt::Key_1);
    QCOMPARE(m_window->pins().flipped(), 0);
    QTest::qWait(50);
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(4));
    QCOMPARE(places(), before);
    QTest::keyRelease(QApplication::focusWidget(), Qt::Key_1);
    QTRY_COMPARE(m_window->explore().heatmaps().tiles().size(), size_t(2));
    QVERIFY(settle(*m_window));
    QTest::qWait(50);
    QCOMPARE(places(), before);
}

void PinsTest::aDigitShowsThatPinWhileItIsHeld()
{
    pinTwo();
    const Scenario present = document().scenario();
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(2));
    QWidget* focus = m_window->explore().heatmaps().tiles().front()->plot();
    focus->setFocus();
    QTest::keyPress(focus, Qt::Key_1);
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(3));
    QVERIFY(m_window->explore().pinStrip().cards()[0]->isShown() &&
            !m_window->explore().pinStrip().cards()[1]->isShown());
    QCOMPARE(m_window->analyser().current()->queryCount, 64);
    focus = QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get();
    QTest::keyRelease(focus, Qt::Key_1);
    QTRY_COMPARE(m_window->explore().heatmaps().tiles().size(), size_t(2));
    QCOMPARE(m_window->analyser().current()->queryCount, 128);
    QVERIFY(document().scenario() == present);

    QComboBox* list = m_window->explore().scenario().findChild<QComboBox*>();  // whatever was touched last, but a text
    list->setFocus();
    QTest::keyPress(list, Qt::Key_1);
    QCOMPARE(m_window->pins().flipped(), 0);
    QSignalSpy flips(&m_window->pins(), &Pins::changed);
    for (int repeats = 0; repeats < 5; ++repeats) {  // as X11 sends a key that is held
        QTest::keyRelease(list, Qt::Key_1);
        QTest::keyPress(list, Qt::Key_1);
        QCoreApplication::processEvents();
    }
    QCOMPARE(m_window->pins().flipped(), 0);
    QCOMPARE(flips.size(), 0);
    QTest::keyRelease(list, Qt::Key_1);
    QTRY_COMPARE(m_window->pins().flipped(), -1);
}

/// What every field, list and tick of the Scenario and Methods docks says.
static QStringList fieldsOf(MainWindow& window)
{
    QStringList said;
    for (QWidget* dock : {static_cast<QWidget*>(&window.explore().scenario()),
                          static_cast<QWidget*>(window.findChild<MethodsPanel*>())}) {
        for (const NumberControl* number : dock->findChildren<NumberControl*>())
            if (number->isVisibleTo(dock))
                said << number->field()->text();
        for (const QComboBox* list : dock->findChildren<QComboBox*>())
            if (list->isVisibleTo(dock))
                said << list->currentText();
        for (const QCheckBox* tick : dock->findChildren<QCheckBox*>())
            if (tick->isVisibleTo(dock))
                said << tick->accessibleName() + (tick->isChecked() ? u" x"_s : QString());
    }
    return said;
}

void PinsTest::fieldsStandAtThePinThatIsHeld()
{
    m_window->pins().pin();
    const QStringList pinned = fieldsOf(*m_window);
    document().edit(u"all"_s, [](Scenario& scenario) {
        scenario.n = 96;
        scenario.nTrain = 32;
        scenario.d = 16;
        scenario.temperature = 0.5;
        scenario.seed = 7;
        scenario.attention.softCap = 20;
        scenario.attention.mask.id = "full";
        scenario.attention.position.id = "rope";
        scenario.attention.normaliser.id = "sparsemax";
        scenario.methods = {{"log_n", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    const QStringList present = fieldsOf(*m_window);
    QVERIFY(present != pinned);
    m_window->pins().flipTo(0);
    QCOMPARE(fieldsOf(*m_window), pinned);
    m_window->pins().flipBack();
    QCOMPARE(fieldsOf(*m_window), present);
}

void PinsTest::aPreviewIsLessThanWhatIsKnown()
{
    document().edit(QStringLiteral("n"),
                    [](Scenario& scenario) { scenario.n = 2048; });  // above 1 024 keys a preview comes first
    QVERIFY(settle(*m_window));
    m_window->pins().pin();
    int previews = 0, answers = 0;
    connect(&m_window->analyser(), &Analyser::arrived, this,
            [&](const AnalysisPtr& analysis) { answers += !analysis->sampledRows.empty(); });
    connect(&m_window->pins(), &Pins::changed, this,
            [&] { previews += !m_window->pins().analyses()[0]->sampledRows.empty(); });
    document().edit(QStringLiteral("row"),
                    [](Scenario& scenario) { scenario.view.row = 700; });  // the same numbers, looked at elsewhere
    QVERIFY(settle(*m_window));
    QVERIFY(answers > 0);
    QCOMPARE(previews, 0);
}

void PinsTest::undoTakesAwayWhatIsFlippedTo()
{
    m_window->pins().pin();
    QWidget* focus = m_window->explore().heatmaps().tiles().front()->plot();
    focus->setFocus();
    QTest::keyPress(focus, Qt::Key_1);
    QCOMPARE(m_window->pins().flipped(), 0);
    document().undo();
    QVERIFY(document().look().pins.empty());
    QCOMPARE(m_window->pins().flipped(), -1);
    document().edit(QStringLiteral("n"), [](Scenario& scenario) { scenario.n = 100; });
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->analyser().current()->queryCount, 100);  // the window follows again
}

void PinsTest::aClickGoesBackAndUndoReturns()
{
    pinTwo();
    const Scenario second = document().scenario();
    m_window->explore().pinStrip().cards()[0]->click();
    QCOMPARE(document().scenario().n, 64);
    QCOMPARE(document().scenario().methods.size(), size_t(3));
    QCOMPARE(document().undoName(), QStringLiteral("Pin 1"));
    document().undo();
    QVERIFY(document().scenario() == second);
}

void PinsTest::aCardHeldIsLookedAtOnly()
{
    pinTwo();
    PinCard* first = m_window->explore().pinStrip().cards()[0];
    QTest::mousePress(first, Qt::LeftButton);
    QTRY_COMPARE(m_window->pins().flipped(), 0);
    QTest::mouseRelease(first, Qt::LeftButton);
    QCOMPARE(m_window->pins().flipped(), -1);
    QCOMPARE(document().scenario().n, 128);
}

/// The layer and the head of a file too.
void PinsTest::whatAPinLooksAtIsWhatTheScenarioSays()
{
    m_window->openShippedHeads(QStringLiteral("masked"));
    QTRY_VERIFY(document().scenario().ofFile());
    QVERIFY(settle(*m_window));
    const auto said = [this] {
        QStringList all;
        for (const QComboBox* list : m_window->explore().scenario().findChildren<QComboBox*>())
            if (list->accessibleName() == QLatin1String("Layer") || list->accessibleName() == QLatin1String("Head"))
                all << list->currentText();
        return all;
    };
    const QStringList first = said();
    QCOMPARE(first.size(), 2);
    m_window->pins().pin();
    for (QComboBox* list : m_window->explore().scenario().findChildren<QComboBox*>())
        if (list->accessibleName() == QLatin1String("Layer") || list->accessibleName() == QLatin1String("Head")) {
            list->setCurrentIndex(1);
            emit list->activated(1);
            QVERIFY(settle(*m_window));
        }
    const QStringList second = said();
    QVERIFY(second[0] != first[0] && second[1] != first[1]);
    PinCard* card = m_window->explore().pinStrip().cards()[0];
    QTest::mousePress(card, Qt::LeftButton);
    QTRY_COMPARE(said(), first);
    QTest::mouseRelease(card, Qt::LeftButton);
    QTRY_COMPARE(said(), second);
}

/// A file has as many tokens as it has: pins of longer scenarios do not take the chart's room from it.
void PinsTest::pinsOfAnotherSourceLeaveTheAxisAlone()
{
    const auto width = [this] {
        const auto [low, high] = m_window->explore().entropy().chart()->chartLayout().xRange;
        return std::pair(std::round(low), std::round(high));
    };
    m_window->openShippedHeads(QStringLiteral("masked"));
    QTRY_VERIFY(document().scenario().ofFile());
    QVERIFY(settle(*m_window));
    const auto alone = width();
    document().edit(QStringLiteral("Source"), [](Scenario& scenario) {
        scenario.source = {"gaussian", {}, {}};
        scenario.n = 4096;
        scenario.view.curveLast = 65536;
    });
    QVERIFY(settle(*m_window));
    m_window->pins().pin();
    m_window->openShippedHeads(QStringLiteral("masked"));
    QTRY_VERIFY(document().scenario().ofFile());
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(std::ranges::any_of(m_window->explore().entropy().chart()->spec().series, &ChartSeries::ghost));
    QCOMPARE(width(), alone);
}

/// A lesson shows its own picture; a pin made within it is part of that.
void PinsTest::aLessonSetsPinsAside()
{
    const auto ghosts = [this] {
        return std::ranges::count_if(m_window->explore().entropy().chart()->spec().series,
                                     [](const ChartSeries& series) {
                                         return series.style >= 0 && series.label.isEmpty() && series.opacity < 1;
                                     });
    };
    pinTwo();
    document().edit(QStringLiteral("Temperature"), [](Scenario& scenario) { scenario.temperature = 2; });
    QVERIFY(settle(*m_window));
    QVERIFY(ghosts() > 0 && m_window->explore().pinStrip().isVisible());
    m_window->showDock(QStringLiteral("learn"));
    m_window->explore().learn().openLesson(1);
    QVERIFY(settle(*m_window));
    QCOMPARE(ghosts(), 0);
    QVERIFY(!m_window->explore().pinStrip().isVisible());
    m_window->pins().pin();
    QVERIFY(m_window->explore().pinStrip().isVisible());
    document().edit(QStringLiteral("Temperature"), [](Scenario& scenario) { scenario.temperature *= 1.5; });
    QVERIFY(settle(*m_window));
    QVERIFY(ghosts() > 0 && ghosts() <= std::ssize(document().scenario().methods));
    m_window->explore().learn().showList();
    m_window->setWorkspace(QStringLiteral("explore"));
    QVERIFY(settle(*m_window));
    QVERIFY(ghosts() > std::ssize(document().scenario().methods));
    const auto hasTheMapsCells = [this](std::size_t pin) {  // so that colours compare; others come while it is waited
        const AnalysisPtr& analysis = m_window->pins().analyses()[pin];
        return analysis && analysis->scenario.view.pixels == m_window->analyser().current()->scenario.view.pixels;
    };
    for (std::size_t pin = 0; pin < m_window->pins().analyses().size(); ++pin)
        QTRY_VERIFY(hasTheMapsCells(pin));
    QVERIFY(m_window->explore().pinStrip().isVisible());
}

void PinsTest::pinsAreInTheSession()
{
    pinTwo();
    const auto read = readSession(writeSession(m_window->session().current()));
    QVERIFY(read);
    QVERIFY(read->look.pins == document().look().pins);
    const auto other = smallWindow();
    QVERIFY(other && settle(*other));
    other->session().restore(*read);
    QCOMPARE(other->explore().pinStrip().cards().size(), size_t(2));
    QTRY_VERIFY(other->pins().analyses().front() != nullptr);  // computed again
    QCOMPARE(other->pins().analyses().front()->queryCount, 64);
    QVERIFY(!readSession(R"({"schema": "attnscope_session/5", "look": {"pins": [{"n": "many"}]}})"));
    QVERIFY(!readSession(R"({"schema": "attnscope_session/5", "look": {"pins": [{},{},{},{},{},{},{},{},{},{}]}})"));
}

void PinsTest::asManyAsThereAreDigits()
{
    for (int n = 10; n < 30; ++n) {
        document().edit(QStringLiteral("n"), [n](Scenario& scenario) { scenario.n = n; });
        m_window->pins().pin();
    }
    QCOMPARE(document().look().pins.size(), Look::mostPins);
    QVERIFY(m_window->pins().isFull());
}

void PinsTest::digitsInAFieldAreNumbers()
{
    pinTwo();
    QLineEdit* field = number(*m_window, QStringLiteral("Length n"))->field();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("19p"));
    QCOMPARE(m_window->pins().flipped(), -1);
    QCOMPARE(field->text(), QStringLiteral("19p"));
    QCOMPARE(document().look().pins.size(), size_t(2));
}

/// A pin is of what Explore shows, and is seen there alone.
void PinsTest::elsewhereThereIsNothingToPin()
{
    for (const char* workspace : {"learn", "figures"}) {
        m_window->setWorkspace(QString::fromLatin1(workspace));
        QTest::keyClick(m_window.get(), Qt::Key_P);
        QVERIFY(document().look().pins.empty());
    }
    m_window->setWorkspace(QStringLiteral("explore"));
    QTest::keyClick(m_window.get(), Qt::Key_P);
    QCOMPARE(document().look().pins.size(), size_t(1));
}

QTEST_MAIN(PinsTest)
#include "pins_test.moc"
