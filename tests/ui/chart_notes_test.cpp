// Annotations, zoom and colours of the charts: made with the pointer and the keyboard, kept in the document's look.

#include "tests/ui/window_support.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/chart_note.h"
#include "ui/plot/method_style.h"
#include "ui/views/colour_menu.h"
#include "ui/workbench/document.h"
#include "ui/workbench/session_file.h"
#include "ui/views/chart_notes.h"

#include <QAction>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>

using namespace attnscope;
using namespace attnscope::testing;

class ChartNotesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup();
    void aNotePointsAtTheCurveUnderThePointer();
    void aNoteIsDraggedOpenedAndRemoved();
    void escapeKeepsNothing();
    void anOpenFieldIsSaved();
    void undoUnderAnOpenFieldHitsNoOtherNote();
    void notesBelongToTheirMeasure();
    void theZoomIsKept();
    void aChosenColourIsEverywhere();
    void aPictureTakenIsNeverOld();

private:
    ChartView& chart() { return *m_window->explore().entropy().chart(); }
    const Look& look() { return m_window->document().look(); }
    /// A point of vanilla's curve, in the widget.
    QPointF onTheCurve();
    void write(const QString& text);
    QRectF boxOfFirst();
    std::unique_ptr<MainWindow> m_window;
};

void ChartNotesTest::init()
{
    m_window = smallWindow({1400, 900});
    QVERIFY(m_window && settle(*m_window));
}

void ChartNotesTest::cleanup()
{
    m_window.reset();
    setMethodColours(*qApp, {});
}

QPointF ChartNotesTest::onTheCurve()
{
    for (const ChartSeries& series : chart().spec().series)
        if (series.style == 0 && series.points.size() >= 3)
            return chart().chartLayout().place(series.points[2].x, series.points[2].y);
    return {};
}

void ChartNotesTest::write(const QString& text)
{
    chart().setFocus();
    hover(&chart(), onTheCurve() + QPointF(3, 2));
    QTest::keyClick(&chart(), Qt::Key_T);
    QTest::keyClicks(m_window->explore().entropy().notes()->field(), text);
    QTest::keyClick(m_window->explore().entropy().notes()->field(), Qt::Key_Return);
}

QRectF ChartNotesTest::boxOfFirst()
{
    for (const ChartNote& note : chart().spec().notes)
        if (note.away)
            return boxOfNote(note, chartStyle(), chart().chartLayout());
    return {};
}

void ChartNotesTest::aNotePointsAtTheCurveUnderThePointer()
{
    write("more keys");
    QCOMPARE(look().annotations.size(), std::size_t(1));
    const Annotation& note = look().annotations.front();
    QCOMPARE(note.text, std::string("more keys"));
    QCOMPARE(note.chart, entropyChartName(m_window->document().scenario()));
    const QPointF pointsAt = chart().chartLayout().place(note.x, note.y);
    QVERIFY((pointsAt - onTheCurve()).manhattanLength() < 0.5);
    QVERIFY(chart().chartLayout().frame.contains(boxOfFirst()));
    QVERIFY(m_window->explore().entropy().notes()->field()->isHidden());
}

void ChartNotesTest::aNoteIsDraggedOpenedAndRemoved()
{
    write("here");
    const QPointF before = boxOfFirst().center(), middle = chart().chartLayout().frame.center();
    const QPoint by(middle.x() < before.x() ? -30 : 30, middle.y() < before.y() ? -20 : 20);  // a frame keeps its notes
    const QPoint from = before.toPoint(), to = from + by;
    QTest::mousePress(&chart(), Qt::LeftButton, {}, from);
    hover(&chart(), (from + to) / 2);
    hover(&chart(), to);
    QTest::mouseRelease(&chart(), Qt::LeftButton, {}, to);
    QVERIFY(QLineF(boxOfFirst().center(), before + by).length() < 1.5);
    hover(&chart(), to + QPoint(50, 0));  // let go: it stays
    QVERIFY(QLineF(boxOfFirst().center(), before + by).length() < 1.5);

    QTest::mouseDClick(&chart(), Qt::LeftButton, {}, to);
    QLineEdit* field = m_window->explore().entropy().notes()->field();
    QVERIFY(!field->isHidden());
    QCOMPARE(field->text(), QString("here"));
    field->setText("there");
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(look().annotations.size(), std::size_t(1));
    QCOMPARE(look().annotations.front().text, std::string("there"));

    const Annotation kept = look().annotations.front();
    hover(&chart(), boxOfFirst().center());
    QTest::keyClick(&chart(), Qt::Key_Delete);
    QVERIFY(look().annotations.empty());
    m_window->document().undo();
    QVERIFY(look().annotations == std::vector<Annotation>{kept});
    QVERIFY(!boxOfFirst().isNull());
}

void ChartNotesTest::escapeKeepsNothing()
{
    chart().setFocus();
    hover(&chart(), onTheCurve());
    QTest::keyClick(&chart(), Qt::Key_T);
    QTest::keyClicks(m_window->explore().entropy().notes()->field(), "no");
    QTest::keyClick(m_window->explore().entropy().notes()->field(), Qt::Key_Escape);
    QVERIFY(look().annotations.empty() && m_window->explore().entropy().notes()->field()->isHidden());
}

/// Saving, leaving and another note keep what stands in the field, as Return does.
void ChartNotesTest::anOpenFieldIsSaved()
{
    QTemporaryDir folder;
    m_window->document().markSaved(folder.filePath("a.attnscope"));
    chart().setFocus();
    hover(&chart(), onTheCurve());
    QTest::keyClick(&chart(), Qt::Key_T);
    QTest::keyClicks(m_window->explore().entropy().notes()->field(), "one");
    m_window->writeNote();
    QCOMPARE(look().annotations.size(), std::size_t(1));
    QTest::keyClicks(m_window->explore().entropy().notes()->field(), "two");
    m_window->session().save();
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(folder.filePath("a.attnscope")); }, patience));
    const auto saved = loadSession(folder.filePath("a.attnscope"));
    QVERIFY(saved);
    QCOMPARE(saved->look.annotations.size(), std::size_t(2));
    QCOMPARE(saved->look.annotations.back().text, std::string("two"));
}

void ChartNotesTest::undoUnderAnOpenFieldHitsNoOtherNote()
{
    write("first");
    write("second");
    const auto boxes = [this] {
        std::vector<QRectF> all;
        for (const ChartNote& note : chart().spec().notes)
            if (note.away)
                all.push_back(boxOfNote(note, chartStyle(), chart().chartLayout()));
        return all;
    };
    QTest::mouseDClick(&chart(), Qt::LeftButton, {}, boxes().back().center().toPoint());  // the second one is on top
    QLineEdit* field = m_window->explore().entropy().notes()->field();
    QCOMPARE(field->text(), QString("second"));
    m_window->document().undo();
    field->setText("third");
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(look().annotations.size(), std::size_t(2));
    QCOMPARE(look().annotations[0].text, std::string("first"));
    QCOMPARE(look().annotations[1].text, std::string("third"));
    QTest::mouseDClick(&chart(), Qt::LeftButton, {}, boxes().back().center().toPoint());
    m_window->document().undo();
    const auto undone = look().annotations;
    QTest::keyClick(field, Qt::Key_Return);  // nothing was changed, so nothing is put back
    QVERIFY(look().annotations == undone && m_window->document().canRedo());
}

void ChartNotesTest::notesBelongToTheirMeasure()
{
    write("here");
    m_window->document().edit("Measure", [](Scenario& scenario) { scenario.view.measure = {"max_weight", {}, {}}; });
    QVERIFY(settle(*m_window));
    QVERIFY(boxOfFirst().isNull());
    m_window->document().undo();
    QVERIFY(settle(*m_window));
    QVERIFY(!boxOfFirst().isNull());
}

void ChartNotesTest::theZoomIsKept()
{
    chart().zoom(2, chart().chartLayout().frame.center());
    const std::string name = entropyChartName(m_window->document().scenario());
    QVERIFY(look().zooms.contains(name));
    QVERIFY(look().zooms.at(name).x == chart().chartLayout().xRange &&
            look().zooms.at(name).y == chart().chartLayout().yRange);
    const Look kept = look();
    chart().fit();
    QVERIFY(look().zooms.empty());
    m_window->document().setLook(kept);
    QVERIFY(chart().isZoomed());
    QVERIFY(look().zooms.at(name).x == chart().chartLayout().xRange);
}

void ChartNotesTest::aChosenColourIsEverywhere()
{
    const QColor chosen(0x8a, 0x3f, 0xfc);
    m_window->document().editLook([&](Look& look) { look.colours["vanilla"] = chosen.name().toStdString(); });
    QCOMPARE(methodStyle(0, chartStyle()).colour.rgb(), chosen.rgb());
    const auto holds = [&](QWidget* widget) {
        const QImage image = widget->grab().toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).rgb() == chosen.rgb())
                    return true;
        return false;
    };
    QVERIFY(holds(&chart()));
    QVERIFY(holds(methodRow(*m_window, "Vanilla")));
    QVERIFY(holds(m_window->explore().heatmaps().tiles().front()));
    // A colour that could not be seen on the paper is moved towards the ink.
    m_window->document().editLook([&](Look& look) { look.colours["vanilla"] = "#fffff0"; });
    QVERIFY(contrast(methodStyle(0, chartStyle()).colour, chartStyle().background) >= 3);
    m_window->document().editLook([&](Look& look) { look.colours.clear(); });
    QCOMPARE(methodStyle(0, chartStyle()).colour, methodStyle(0, false).colour);
}

/// The screen may show the chart from before for the time of its painting; a copy of it may not.
void ChartNotesTest::aPictureTakenIsNeverOld()
{
    const QImage before = chart().grab().toImage();
    ChartSpec other = chart().spec();
    other.series.clear();
    chart().show(other);
    const QImage after = chart().grab().toImage();
    QVERIFY(after != before);
    ChartView fresh;
    fresh.resize(chart().size());
    fresh.show(other);
    QVERIFY(fresh.grab().toImage() == after);
}

QTEST_MAIN(ChartNotesTest)
#include "chart_notes_test.moc"
