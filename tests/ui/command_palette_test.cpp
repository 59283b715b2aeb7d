// Ctrl+K: what is typed is found, Return does it, Escape gives the keyboard back.
#include "tests/support/model_tensors.h"
#include "tests/ui/window_support.h"
#include "ui/explore/file_heads_view.h"

#include "ui/window/palette_entries.h"
#include "ui/window/command_palette.h"
#include "ui/learn/manual_view.h"
#include "ui/widgets/message_bar.h"

#include <algorithm>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

#include <set>

using namespace attnscope;
using namespace attnscope::testing;

class CommandPaletteTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void wordsAreFoundWhereverTheyStand();
    void returnDoesWhatWasFound();
    void whatIsOftenWantedIsThereAtOnce();
    void partsComeFirst();
    void pagesOfTheManualAreFound();
    void whatTheManualSaysIsFound();
    void whatIsNotThereIsSaid();
    void questionsAreAnswered_data();
    void questionsAreAnswered();
    void ofAQuestionTheWordsThatSaySomethingCount();
    void escapeGivesTheKeyboardBack();
    void everyRowOfEveryRegistryCanBeChosen();
    void everyKindIsReadWhole();
    void headsOfTheFileAreFound();
    void headsOverTimeAreFound();
    void whatNeedsAFileSaysSo();

private:
    CommandPalette* open();
    std::unique_ptr<MainWindow> m_window;
};

void CommandPaletteTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

CommandPalette* CommandPaletteTest::open()
{
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    return m_window->findChild<CommandPalette*>();
}

void CommandPaletteTest::wordsAreFoundWhereverTheyStand()
{
    QCOMPARE(paletteScore("Sliding window", "wheel"), 0);
    QCOMPARE(paletteScore("Sliding window", "window wheel"), 0);
    QVERIFY(paletteScore("Sliding window", "win sli") > 0);
    QVERIFY(paletteScore("Sliding window", "win") > paletteScore("Shadowing", "win"));
    QVERIFY(paletteScore("anything", "") > 0);
}

void CommandPaletteTest::returnDoesWhatWasFound()
{
    CommandPalette* palette = open();
    QVERIFY(palette && palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), palette->field());
    const int all = palette->list()->count();
    QTest::keyClicks(palette->field(), "log n tick");
    QVERIFY(palette->list()->count() > 0 && palette->list()->count() < all / 4);
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Tick Log n"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    const auto ticked = [this] {
        return std::ranges::count(m_window->document().scenario().methods, "log_n", &Choice::id);
    };
    QCOMPARE(ticked(), 1);
    m_window->document().undo();
    QCOMPARE(ticked(), 0);

    open();
    QTest::keyClicks(palette->field(), "labs");
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(m_window->workspace(), QStringLiteral("labs"));
}

/// Before anything is typed: the last file, commands with their keys, a lesson to read; the rest comes after.
void CommandPaletteTest::whatIsOftenWantedIsThereAtOnce()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    CommandPalette* palette = open();
    QStringList seen;
    for (int i = 0; i < palette->list()->count(); ++i) {
        const QListWidgetItem* item = palette->list()->item(i);
        if (palette->list()->viewport()->rect().contains(palette->list()->visualItemRect(item)))
            seen << item->text();
    }
    QVERIFY2(seen.size() >= 10 && seen.front().endsWith("model.safetensors"), qPrintable(seen.join('\n')));
    for (const char* wanted : {"Open", "Export a figure", "Find the scale", "Scoreboard", "Why divide by \u221Ad?"})
        QVERIFY2(seen.contains(QString::fromUtf8(wanted)), wanted);
    QVERIFY2(!seen.contains("Scenario") && !seen.contains("Methods"), qPrintable(seen.join('\n')));
    QVERIFY(palette->list()->count() > 100);
}

/// A part of the window before the commands that are called after it.
void CommandPaletteTest::partsComeFirst()
{
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "compare");
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(m_window->isPartShown(QStringLiteral("statistics")));
}

void CommandPaletteTest::pagesOfTheManualAreFound()
{
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "what holds");
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(m_window->workspace(), QStringLiteral("learn"));
    QCOMPARE(m_window->manual().page(), QStringLiteral("what_holds"));
}

/// By words of its text, which are in no name: the part in which they stand is opened.
void CommandPaletteTest::whatTheManualSaysIsFound()
{
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "inkscape");
    QVERIFY(palette->list()->item(0)->text().endsWith("Into slides"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(m_window->workspace(), QStringLiteral("learn"));
    QCOMPARE(m_window->manual().page(), QStringLiteral("figures"));
    QCOMPARE(m_window->manual().text()->textCursor().block().text(), QStringLiteral("Into slides"));
}

void CommandPaletteTest::whatIsNotThereIsSaid()
{
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "xyzzyx");
    QVERIFY(palette->list()->item(0)->text().contains("Nothing"));
    QVERIFY(!(palette->list()->item(0)->flags() & Qt::ItemIsEnabled));
    QStringList offered;  // a way on, none of which has such a name
    for (int i = 1; i < palette->list()->count(); ++i)
        offered << palette->list()->item(i)->text();
    QCOMPARE(offered, QStringList({"Lessons", "Manual"}));
    QVERIFY(palette->list()->viewport()->rect().contains(palette->list()->visualItemRect(palette->list()->item(2))));
    QVERIFY2(palette->list()->height() < 5 * palette->list()->visualItemRect(palette->list()->item(0)).height(),
             "room is left empty");
    palette->field()->setText(QStringLiteral("scoerboard"));
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Scoreboard"));
    palette->field()->setText(QStringLiteral("exprot figure"));
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Export a figure"));
    palette->field()->setText(QStringLiteral("GIF"));  // no command is called that, but one says what it makes
    QVERIFY(palette->list()->item(0)->text().contains("Record"));
    palette->field()->setText(QStringLiteral("zzzz"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(m_window->workspace(), QStringLiteral("learn"));  // where the lessons are, the first way on
}

void CommandPaletteTest::questionsAreAnswered_data()
{
    QTest::addColumn<QString>("first");
    const auto row = [](const char* asked, const char* first) { QTest::addRow("%s", asked) << QString(first); };
    row("what is the best scale for my model at 32k", "Find the scale");
    row("best scale", "Find the scale");
    row("find the scale", "Find the scale");
    row("which of my heads are sinks", "Heads by Weight on the sinks");
    row("heads sinks", "Heads by Weight on the sinks");
    row("sink", "Heads by Weight on the sinks");
    row("llama.cpp", "Find the scale for llama.cpp");
    row("vLLM", "Find the scale for vLLM");
    row("PyTorch", "Find the scale for PyTorch");
    row("scoreboard", "Scoreboard");
    row("how do I save a figure", "Export a figure");
    row("why does softmax disperse", "Why softmax disperses");
    row("formula", "Tick Custom: a formula, an expression of your own");
    row("expression", "Tick Custom: a formula, an expression of your own");
    row("stage", "Present: one view alone on stage");
    row("worst head", "All heads");
    const char* const rowSet = "Looking at your own heads: Which rows count, the row set";
    row("row set", rowSet);
    row("what is the row set", rowSet);
    row("which rows", rowSet);
}

void CommandPaletteTest::questionsAreAnswered()
{
    QFETCH(QString, first);
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), QString::fromUtf8(QTest::currentDataTag()));
    QCOMPARE(palette->list()->currentItem()->text(), first);
}

/// Most of them suffice, a name goes before a description, and where there are none nothing is an answer.
void CommandPaletteTest::ofAQuestionTheWordsThatSaySomethingCount()
{
    QCOMPARE(tellingWords("Which of my heads are sinks?"), QStringList({"head", "sink"}));
    QCOMPARE(tellingWords("what is it"), QStringList());
    const PaletteEntry named{"Model", "Best scale", {}, {}, "of a length"},
        described{"Manual", "Something", {}, {}, "the best scale of a length"};
    QVERIFY(questionScore(named, {"best", "scale"}) > questionScore(described, {"best", "scale"}));
    QVERIFY(questionScore(described, {"best", "scale", "wheel"}) > 0);
    QCOMPARE(questionScore(described, {"best", "wheel"}), 0);  // half of them is not most
    QCOMPARE(questionScore(named, {"est", "cale"}), 0);        // the middle of a word says nothing
    QCOMPARE(questionScore(named, {}), 0);
    CommandPalette* palette = open();
    palette->field()->setText(QStringLiteral("why does this value differ"));
    const QString first = palette->list()->item(0)->text();
    QVERIFY2(!first.startsWith("Nothing"), qPrintable(first));
}

void CommandPaletteTest::escapeGivesTheKeyboardBack()
{
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles().front()->plot();
    plot->setFocus();
    CommandPalette* palette = open();
    QTest::keyClick(palette->field(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentRow(), 1);
    const Scenario before = m_window->document().scenario();
    QTest::keyClick(palette->field(), Qt::Key_3, Qt::ControlModifier);  // the window behind does not hear it
    QTest::keyClick(palette->field(), Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
    QVERIFY(palette->isVisible() && m_window->document().scenario() == before);
    QTest::keyClick(palette->field(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), plot);
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
}

/// Each is one step of undo, which leads back.
void CommandPaletteTest::everyRowOfEveryRegistryCanBeChosen()
{
    const std::set<QString> registries{"Scale method", "Kernel", "Positions", "Mask", "Normaliser"};
    std::set<QString> seen;
    const Scenario before = m_window->document().scenario();
    for (const PaletteEntry& entry : paletteEntries(*m_window)) {
        seen.insert(entry.kind);
        if (!registries.contains(entry.kind))
            continue;
        entry.run();
        while (m_window->document().canUndo())
            m_window->document().undo();
        QVERIFY2(m_window->document().scenario() == before, qPrintable(entry.name));
    }
    for (const char* kind : {"File", "View", "Scale method", "Source", "Kernel", "Positions", "Mask", "Normaliser",
                             "Measure", "Lesson", "Figure", "Lab"})
        QVERIFY2(seen.contains(kind), kind);
}

/// What tells two rows apart is not cut: each kind has room in its column, and the models that come with the program
/// are named after what is done to them.
void CommandPaletteTest::everyKindIsReadWhole()
{
    CommandPalette* palette = open();
    QVERIFY(palette && palette->isVisible());
    const QFontMetrics letters(palette->list()->font());
    QStringList lines;
    for (const PaletteEntry& entry : paletteEntries(*m_window)) {
        QVERIFY2(letters.horizontalAdvance(entry.kind) <= kindWidth(letters), qPrintable(entry.kind));
        lines << entry.kind + QStringLiteral(": ") + entry.name;
    }
    QVERIFY(lines.contains("Model: Open model recall1"));
    QVERIFY(lines.contains("Heads: Open the heads of recall1 in Explore"));
    palette->field()->setText("example model recall1");  // the words of the menu find them all the same
    QCOMPARE(palette->list()->item(0)->text(), QString("Open model recall1"));
}

void CommandPaletteTest::headsOfTheFileAreFound()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    QVERIFY(settle(*m_window));
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "head 1");
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Head 1"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(m_window->document().scenario().tensors.head, 1);
}

void CommandPaletteTest::headsOverTimeAreFound()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    QVERIFY(settle(*m_window));
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "over time");
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("All heads over time"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(m_window->explore().fileHeads().overTime()->isChecked());
    QVERIFY(m_window->explore().fileHeads().isVisible());
}

void CommandPaletteTest::whatNeedsAFileSaysSo()
{
    CommandPalette* palette = open();
    QTest::keyClicks(palette->field(), "all heads");
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("All heads"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(m_window->messages().isVisible());
    QVERIFY2(m_window->messages().message().contains("needs a file of tensors: open one"),
             qPrintable(m_window->messages().message()));
}

QTEST_MAIN(CommandPaletteTest)
#include "command_palette_test.moc"
