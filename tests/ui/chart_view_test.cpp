// A chart in the window under hands: zoomed, panned, read, its values copied.
#include "tests/ui/window_support.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

using namespace attnscope;
using namespace attnscope::testing;

class ChartViewTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void aChartIsZoomedPannedAndFitted();
    void aChartIsReadAndItsValuesCopied();
    void afterADragItIsReadWhereThePointerIs();
    void twoCursorsSayTheDifference();
    void whatHasLostThePointerIsNotRead();
    void chartsSideBySideHaveTheirTopsInOneLine();
    void aLowChartHasNoLegendOverItsLines();

private:
    std::unique_ptr<MainWindow> m_window;
};

/// A point stays under the wheel, and the axes stay when new curves come.
void ChartViewTest::aChartIsZoomedPannedAndFitted()
{
    ChartView* chart = m_window->explore().entropy().chart();
    const ChartLayout whole = chart->chartLayout();
    const QPointF middle = QRectF(chart->rect()).center();
    const QPointF under = whole.value(middle);
    turn(chart, 3);
    QVERIFY(chart->isZoomed());
    const ChartLayout close = chart->chartLayout();
    QVERIFY(std::abs(std::log(close.xRange.second / close.xRange.first) -
                     std::log(whole.xRange.second / whole.xRange.first) / 2) < 1e-9);
    QVERIFY(std::abs((close.yRange.second - close.yRange.first) - (whole.yRange.second - whole.yRange.first) / 2) <
            1e-9);
    const QPointF share((middle.x() - whole.frame.left()) / whole.frame.width(),
                        (middle.y() - whole.frame.top()) / whole.frame.height());
    const QPointF same(close.frame.left() + share.x() * close.frame.width(),
                       close.frame.top() + share.y() * close.frame.height());  // margins follow the labels
    QVERIFY(std::abs(std::log(close.value(same).x() / under.x())) < 1e-9);

    const QPoint from = close.frame.center().toPoint() + QPoint(0, 30), by(40, 10);
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QTest::mouseMove(chart, from + by / 2);
    QTest::mouseMove(chart, from + by);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, from + by);
    const ChartLayout panned = chart->chartLayout();
    QVERIFY(panned.xRange.first < close.xRange.first && panned.xRange.second < close.xRange.second);
    QVERIFY(panned.yRange.second > close.yRange.second);

    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 1.25; });
    QVERIFY(settle(*m_window));
    QCOMPARE(chart->chartLayout().xRange, panned.xRange);
    QTest::mouseDClick(chart, Qt::LeftButton, {}, from);
    QVERIFY(!chart->isZoomed());
    QCOMPARE(chart->chartLayout().xRange, whole.xRange);
    turn(chart, -6);
    QVERIFY(!chart->isZoomed());  // there is nothing outside
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Plus);
    QVERIFY(chart->isZoomed());
    QTest::keyClick(chart, Qt::Key_0);
    QVERIFY(!chart->isZoomed());
}

void ChartViewTest::aChartIsReadAndItsValuesCopied()
{
    ChartView* chart = m_window->explore().entropy().chart();
    const ChartLayout layout = chart->chartLayout();
    const AnalysisPtr analysis = m_window->analyser().current();
    const Curve& measured = analysis->methods.front().measured;
    const double n = measured[measured.size() / 2].n;
    QVERIFY(chart->reading().isEmpty());
    hover(chart, layout.place(n, layout.yRange.first) - QPointF(0, 20));
    const QStringList lines = chart->reading().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    const auto methods = qsizetype(m_window->document().scenario().methods.size());
    QCOMPARE(lines.size(), methods + 1);
    QVERIFY(std::abs(lines.last().section(QLatin1Char('\t'), 2, 2).toDouble() - std::log(n)) <
            1e-6);  // the largest possible
    for (qsizetype i = 0; i < methods; ++i) {
        const QStringList cells = lines[i].split(QLatin1Char('\t'));
        QCOMPARE(cells[1].toDouble(), n);
        const Curve& curve = analysis->methods[static_cast<std::size_t>(i)].measured;
        const auto at = std::ranges::find(curve, n, &CurvePoint::n);
        QVERIFY(at != curve.end());
        QCOMPARE(cells[2].toDouble(), at->value);
    }
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), chart->reading());
}

void ChartViewTest::afterADragItIsReadWhereThePointerIs()
{
    ChartView* chart = m_window->explore().entropy().chart();
    const ChartLayout layout = chart->chartLayout();
    const double n = static_cast<double>(m_window->document().scenario().n);
    const QPoint from = layout.place(n, layout.yRange.first).toPoint() - QPoint(0, 20),
                 to = from - QPoint(static_cast<int>(layout.frame.width() / 4), 0);
    hover(chart, from);
    const QString before = chart->reading();
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QTest::mouseMove(chart, to);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, to);
    QVERIFY(double(m_window->document().scenario().n) < n);
    QVERIFY(!chart->reading().isEmpty() && chart->reading() != before);
}

/// Of a line through (1, 10), (2, 14), (4, 15): from 1 to 4 it has come 5, and from 4 back to 2 minus 1.
void ChartViewTest::twoCursorsSayTheDifference()
{
    ChartView view;
    view.resize(420, 300);
    ChartSpec spec;
    spec.x.title = QStringLiteral("n");
    spec.series.resize(2);
    spec.series[0].label = QStringLiteral("one");
    spec.series[0].points = {{1, 10}, {2, 14}, {4, 15}};
    spec.series[1].label = QStringLiteral("short");
    spec.series[1].style = 1;
    spec.series[1].points = {{2, 1}, {4, 3}};
    view.show(spec);
    view.setVisible(true);
    const auto at = [&](double x) { return QPointF(view.chartLayout().place(x, 12)).toPoint(); };
    const QRectF frame = view.chartLayout().frame;
    for (const double side : {frame.left() - 1.4, frame.left() + 1}) {  // where the first points stand
        hover(&view, QPointF(side, frame.center().y()).toPoint());
        QCOMPARE(view.readout().x, 1.0);
    }
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, at(1));
    QCOMPARE(view.since(), std::optional(1.0));
    hover(&view, at(4));
    const ChartReadout read = view.readout();
    QCOMPARE(read.x, 4.0);
    QCOMPARE(read.since, std::optional(1.0));
    QCOMPARE(read.lines.size(), std::size_t(2));
    QCOMPARE(read.lines[0].change, std::optional(5.0));
    QVERIFY(!read.lines[1].change);  // it has no value at 1
    QVERIFY(view.reading().contains("one, change since 1\t4\t5"));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, at(4));  // another place: it goes there
    QCOMPARE(view.since(), std::optional(4.0));
    hover(&view, at(2));
    QCOMPARE(view.readout().lines[0].change, std::optional(-1.0));
    QCOMPARE(view.readout().lines[1].change, std::optional(-2.0));
    hover(&view, at(4));
    QTest::keyClick(&view, Qt::Key_D);  // once more there
    QVERIFY(!view.since());
    QTest::keyClick(&view, Qt::Key_D);
    spec.x.title = QStringLiteral("another axis");
    view.show(spec);
    QVERIFY(!view.since());
}

/// To a menu or to another window: no Leave comes of it.
void ChartViewTest::whatHasLostThePointerIsNotRead()
{
    ChartView* chart = m_window->explore().entropy().chart();
    const QImage before = chart->grab().toImage();
    for (const QEvent::Type lost : {QEvent::Leave, QEvent::ContextMenu, QEvent::WindowDeactivate}) {
        hover(chart, chart->chartLayout().frame.center());
        QVERIFY(chart->grab().toImage() != before);
        if (lost == QEvent::ContextMenu) {
            QContextMenuEvent menu(QContextMenuEvent::Keyboard, chart->rect().center(),
                                   chart->mapToGlobal(chart->rect().center()));
            QApplication::sendEvent(chart, &menu);
            for (QMenu* opened : chart->findChildren<QMenu*>())
                opened->close();
        } else {
            QEvent event(lost);
            QApplication::sendEvent(chart, &event);
        }
        QVERIFY2(chart->grab().toImage() == before, qPrintable(QString::number(lost)));
        QVERIFY(!chart->reading().isEmpty());  // it can still be copied
    }
}

/// However many lines a title takes; and where the long one is gone, no room is kept.
void ChartViewTest::chartsSideBySideHaveTheirTopsInOneLine()
{
    QWidget page;
    ChartSpec spec;
    spec.title = QStringLiteral("Short");
    spec.series = {{.style = 0, .points = {{1, 1}, {2, 2}}}};
    auto *left = new ChartView(&page), *right = new ChartView(&page);
    left->setGeometry(0, 0, 200, 200);
    right->setGeometry(200, 0, 200, 200);
    page.resize(400, 200);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    left->show(spec);
    right->show(spec);
    const double alone = left->chartLayout().frame.top();
    QCOMPARE(right->chartLayout().frame.top(), alone);
    ChartSpec longer = spec;
    longer.title = QStringLiteral("A title of many words that has no room in one line of such a narrow chart");
    right->show(longer);
    QVERIFY(right->chartLayout().frame.top() > alone + 10);
    QCOMPARE(left->chartLayout().frame.top(), right->chartLayout().frame.top());
    right->show(spec);
    QCOMPARE(left->chartLayout().frame.top(), alone);
    QCOMPARE(right->chartLayout().frame.top(), alone);
}

/// Seven names in a corner of a small chart would lie on all of its lines; a high one has room for them.
void ChartViewTest::aLowChartHasNoLegendOverItsLines()
{
    ChartSpec spec;
    spec.legend = Legend::BottomRight;
    for (int line = 0; line < 7; ++line)
        spec.series.push_back(
            {.label = QStringLiteral("Line %1").arg(line), .style = line, .points = {{1, double(line)}, {2, 3}}});
    ChartView chart;
    chart.resize(300, 160);
    chart.show(spec);
    QCOMPARE(chart.onScreen().legend, Legend::None);
    chart.resize(300, 600);
    QCOMPARE(chart.onScreen().legend, Legend::BottomRight);
}

QTEST_MAIN(ChartViewTest)
#include "chart_view_test.moc"
