// Notes on maps: a text with an arrow to a query and a key, made with the pointer and the keyboard, and undone.

#include "tests/ui/window_support.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/chart_note.h"
#include "ui/workbench/document.h"
#include "ui/window/command_palette.h"
#include "ui/views/note_pad.h"
#include "ui/window/palette_entries.h"

#include <QLineEdit>

#include <algorithm>

using namespace attnscope;
using namespace attnscope::testing;

class MapNotesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void aNotePointsAtTheCellUnderThePointer();
    void itIsOnTheMapOfItsMethodAlone();
    void draggingMovesTheTextAndNotTheMap();
    void whatIsDoneIsUndone();
    void aNoteOutsideThePartIsNotThere();
    void theCommandWritesWhereThePointerWasLast();
    void aVariantHasItsOwnNotes();
    void aNoteIsPainted();

private:
    HeatmapPlot& plot(std::size_t tile) { return *m_window->explore().heatmaps().tiles()[tile]->plot(); }
    const std::vector<Annotation>& notes() { return m_window->document().look().annotations; }
    static QPointF placeOf(HeatmapPlot& plot, double key, double query)
    {
        return plot.chartLayout().place(key + 0.5, query + 0.5);
    }
    static QRectF boxOf(HeatmapPlot& plot)
    {
        return plot.notes().empty() ? QRectF() : boxOfNote(plot.notes().front(), chartStyle(), plot.chartLayout());
    }
    void write(HeatmapPlot& plot, QPointF at, const QString& text);
    static QLineEdit* field(HeatmapPlot& plot) { return plot.findChild<QLineEdit*>(); }
    std::unique_ptr<MainWindow> m_window;
};

void MapNotesTest::init()
{
    m_window = smallWindow({1400, 900});
    QVERIFY(m_window && settle(*m_window));
}

void MapNotesTest::write(HeatmapPlot& plot, QPointF at, const QString& text)
{
    plot.setFocus();
    hover(&plot, at);
    QTest::keyClick(&plot, Qt::Key_T);
    QVERIFY(!field(plot)->isHidden());
    QTest::keyClicks(field(plot), text);
    QTest::keyClick(field(plot), Qt::Key_Return);
    QVERIFY(field(plot)->isHidden());
}

void MapNotesTest::aNotePointsAtTheCellUnderThePointer()
{
    write(plot(1), placeOf(plot(1), 12, 40) + QPointF(1, -1), "neighbours");
    QCOMPARE(notes().size(), std::size_t(1));
    const Annotation& note = notes().front();
    QVERIFY(note.x == 12 && note.y == 40 && note.text == "neighbours");
    QCOMPARE(note.chart, mapName(m_window->document().scenario().methods, 1));
    QVERIFY(QRectF(plot(1).frame()).adjusted(-1, -1, 1, 1).contains(boxOf(plot(1))));
}

void MapNotesTest::itIsOnTheMapOfItsMethodAlone()
{
    write(plot(1), placeOf(plot(1), 12, 40), "here");
    QVERIFY(plot(0).notes().empty() && plot(1).notes().size() == 1);
    // Another order of the methods: the note goes with its map.
    m_window->document().edit("Methods",
                              [](Scenario& scenario) { std::swap(scenario.methods[0], scenario.methods[1]); });
    QVERIFY(settle(*m_window));
    QVERIFY(plot(0).notes().size() == 1 && plot(1).notes().empty());
}

void MapNotesTest::draggingMovesTheTextAndNotTheMap()
{
    write(plot(0), placeOf(plot(0), 20, 30), "here");
    const Region shown = m_window->document().scenario().view.region;
    const std::int64_t row = m_window->document().scenario().view.row;
    const QPointF before = boxOf(plot(0)).center();
    const QPoint from = before.toPoint(), to = from + QPoint(-24, 18);
    QTest::mousePress(&plot(0), Qt::LeftButton, {}, from);
    hover(&plot(0), (from + to) / 2);
    hover(&plot(0), to);
    QTest::mouseRelease(&plot(0), Qt::LeftButton, {}, to);
    QVERIFY(QLineF(boxOf(plot(0)).center(), before + QPointF(-24, 18)).length() < 1.5);
    QVERIFY(m_window->document().scenario().view.region == shown && m_window->document().scenario().view.row == row);
    QVERIFY(notes().front().x == 20 && notes().front().y == 30);
    QTest::mouseDClick(&plot(0), Qt::LeftButton, {}, to);
    QCOMPARE(field(plot(0))->text(), QString("here"));
    QTest::keyClick(field(plot(0)), Qt::Key_Escape);
}

void MapNotesTest::whatIsDoneIsUndone()
{
    Document& document = m_window->document();
    write(plot(0), placeOf(plot(0), 20, 30), "here");
    const std::vector<Annotation> written = notes();
    hover(&plot(0), boxOf(plot(0)).center());
    QTest::keyClick(&plot(0), Qt::Key_Delete);
    QVERIFY(notes().empty() && plot(0).notes().empty());
    document.undo();
    QVERIFY(notes() == written && plot(0).notes().size() == 1);
    document.undo();
    QVERIFY(notes().empty() && plot(0).notes().empty());
    document.redo();
    QVERIFY(notes() == written);
}

void MapNotesTest::aNoteOutsideThePartIsNotThere()
{
    write(plot(0), placeOf(plot(0), 20, 30), "here");
    const QPoint text = boxOf(plot(0)).center().toPoint();
    m_window->document().edit("Zoom", [](Scenario& scenario) { scenario.view.region = {40, 60, 0, 20}; });
    QVERIFY(settle(*m_window));
    hover(&plot(0), text);
    plot(0).setFocus();
    QTest::keyClick(&plot(0), Qt::Key_Delete);  // nothing is there to remove
    QCOMPARE(notes().size(), std::size_t(1));
}

void MapNotesTest::theCommandWritesWhereThePointerWasLast()
{
    const auto run = [&] {
        const auto entries = paletteEntries(*m_window);
        const auto entry = std::find_if(entries.begin(), entries.end(),
                                        [](const PaletteEntry& one) { return one.name == "Write a note"; });
        QVERIFY(entry != entries.end());
        entry->run();
    };
    QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
    QApplication::sendEvent(&plot(1), &enter);
    hover(&plot(1), placeOf(plot(1), 3, 50));
    run();
    QVERIFY(!field(plot(1))->isHidden());
    QTest::keyClicks(field(plot(1)), "there");
    QTest::keyClick(field(plot(1)), Qt::Key_Return);
    QVERIFY(notes().front().x == 3 && notes().front().y == 50 &&
            notes().front().chart == mapName(m_window->document().scenario().methods, 1));
    QApplication::sendEvent(m_window->explore().entropy().chart(), &enter);
    run();
    QTest::keyClicks(m_window->explore().entropy().chart()->findChild<QLineEdit*>(), "on the chart");
    QTest::keyClick(m_window->explore().entropy().chart()->findChild<QLineEdit*>(), Qt::Key_Return);
    QCOMPARE(notes().back().chart, entropyChartName(m_window->document().scenario()));
}

/// Two variants of one method are two maps.
void MapNotesTest::aVariantHasItsOwnNotes()
{
    const std::vector<Choice> methods = {{"ssmax", {{"s", 0.5}}, {}}, {"vanilla", {}, {}}, {"ssmax", {{"s", 1}}, {}}};
    QCOMPARE(mapName(methods, 0), std::string("map:ssmax"));
    QCOMPARE(mapName(methods, 2), std::string("map:ssmax#2"));
    m_window->document().edit("Methods", [&](Scenario& scenario) { scenario.methods = methods; });
    QVERIFY(settle(*m_window));
    m_window->document().editNotes("Note", [&](std::vector<Annotation>& all) {
        all = {{mapName(methods, 2), 20, 30, 2, 2, "here"}};
    });
    QVERIFY(boxOf(plot(0)).isNull() && !boxOf(plot(2)).isNull());
    const std::vector<Annotation> both{{"map:ssmax", 1, 2, 2, 2, "first"},
                                       {"map:vanilla", 1, 2, 2, 2, "plain"},
                                       {"map:ssmax#2", 20, 30, 2, 2, "second"}};
    QVERIFY(notesWithout(1, methods, both) == both);  // vanilla's waits for it to come back
    const std::vector<Annotation> left = notesWithout(0, methods, both);
    QCOMPARE(left.size(), size_t(2));
    QVERIFY(left[0] == both[1] && left[1].chart == "map:ssmax" && left[1].text == "second");
}

/// Its arrow and its text change the picture of its map, and leave the others' as they were.
void MapNotesTest::aNoteIsPainted()
{
    const QImage first = plot(0).grab().toImage(), second = plot(1).grab().toImage();
    m_window->document().editNotes("Note", [&](std::vector<Annotation>& all) {
        all.push_back({mapName(m_window->document().scenario().methods, 1), 20, 30, 2, 2, "here"});
    });
    QVERIFY(plot(0).grab().toImage() == first);
    const QImage noted = plot(1).grab().toImage();
    QVERIFY(noted != second);
    const QPointF middle = boxOf(plot(1)).center();
    int changed = 0, outside = 0;
    const QRectF around =
        boxOf(plot(1)).united(QRectF(placeOf(plot(1), 20, 30) - QPointF(6, 6), QSizeF(12, 12))).adjusted(-4, -4, 4, 4);
    for (int y = 0; y < noted.height(); ++y)
        for (int x = 0; x < noted.width(); ++x)
            if (noted.pixel(x, y) != second.pixel(x, y))
                around.contains(QPointF(x, y) / noted.devicePixelRatio()) ? ++changed : ++outside;
    QVERIFY2(
        changed > 50 && outside == 0,
        qPrintable(QStringLiteral("%1, %2, text at %3, %4").arg(changed).arg(outside).arg(middle.x()).arg(middle.y())));
}

QTEST_MAIN(MapNotesTest)
#include "map_notes_test.moc"
