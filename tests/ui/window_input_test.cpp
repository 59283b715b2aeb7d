// The window under hands: fast drags, wheels that mean something else, keys after a number is typed, and how far one
// undo goes.
#include "tests/ui/window_support.h"

#include "ui/explore/explore_page.h"
#include "ui/labs/lab_page.h"
#include "ui/window/presentation.h"
#include "ui/explore/difference_tile.h"
#include "ui/figures/export_panel.h"
#include "ui/explore/learn_view.h"

#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QMenuBar>
#include <QLineEdit>
#include <QApplication>
#include <QToolTip>
#include <QMenu>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QPointer>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStyleOptionSlider>
#include <QTabBar>
#include <QToolButton>
#include <QWheelEvent>

using namespace attnscope;
using namespace attnscope::testing;

class WindowInputTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void aDraggedMarkerKeepsItsAxis();
    void aMarkerTakenHoldOfAgainMoves();
    void aMarkerStaysOnItsAxis();
    void aDoubleClickEnlargesAMap();
    void theSecondPressOfADoubleClickMeansThePageOfTheFirst();
    void aReadingIsThatOfThePresent();
    void aDialogEndsWhatThePointerShows();
    void aMarkerIsReadRightWhileCurvesAreComputed();
    void aWheelPassesOverControls_data();
    void aWheelPassesOverControls();
    void aFocusedControlTurns();
    void returnLeadsOutOfNumbers_data();
    void returnLeadsOutOfNumbers();
    void returnLeavesTheCaretInAFormula();
    void aWrongFormulaIsMarked();
    void aNoteIsWrittenWhereThePointerIs();
    void undoIsTheDocumentsWhereNothingIsTyped();
    void aKeyAndADragAreTwoSteps();
    void aHeldKeyIsOneStep();
    void lookingElsewhereIsNoStep();
    void aParameterThatMeansNFollows();
    void popupsHaveRoundCorners();
    void aHeldTabsPanelsGo_data();
    void aHeldTabsPanelsGo();

private:
    void type(QLineEdit* field, const QString& text);
    /// Of a number of the scenario, or of a method, which is ticked.
    QLineEdit* field(const QString& method, const QString& name);
    QString worked() const { return methodRow(*m_window, QStringLiteral("Softmax Plus"))->worked(); }
    const Scenario& scenario() const { return m_window->document().scenario(); }
    std::unique_ptr<MainWindow> m_window;
};

namespace {

QPoint handleOf(QSlider* slider)
{
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.orientation = slider->orientation();
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = slider->value();
    return slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
}

/// What a wheel could have changed.
QVariant valueOf(QWidget* control)
{
    if (auto* list = qobject_cast<QComboBox*>(control))
        return list->currentIndex();
    if (auto* slider = qobject_cast<QAbstractSlider*>(control))
        return slider->value();
    return qobject_cast<QAbstractSpinBox*>(control)->text();
}

}  // namespace

void WindowInputTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowInputTest::type(QLineEdit* field, const QString& text)
{
    QTest::mouseClick(field, Qt::LeftButton);
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Whatever is shown meanwhile, an axis without any curve too, a place of the pointer means one length from press to
/// release.
void WindowInputTest::aDraggedMarkerKeepsItsAxis()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    const ChartLayout before = chart->chartLayout();
    const auto at = [&](double n) { return before.place(n, before.yRange.second).toPoint() + QPoint(0, 20); };
    std::vector<double> lengths;
    connect(chart, &ChartView::lineDragged, this, [&](int, double value) { lengths.push_back(value); });
    QTest::mousePress(chart, Qt::LeftButton, {}, at(64));
    for (const double n : {90.0, 128.0, 200.0}) {
        ChartSpec empty = chart->spec();
        empty.series.clear();
        empty.x.range.reset();
        chart->show(empty);
        QTest::mouseMove(chart, at(n));
        QVERIFY2(!lengths.empty() && std::abs(std::log(lengths.back() / n)) < 0.05,
                 qPrintable(QStringLiteral("%1 for %2").arg(lengths.empty() ? 0 : lengths.back()).arg(n)));
    }
    QTest::mouseRelease(chart, Qt::LeftButton, {}, at(200));
    QCOMPARE(scenario().n, std::llround(lengths.back()));
    QVERIFY(settle(*m_window));
    QVERIFY(std::abs(chart->chartLayout().xRange.second - before.xRange.second) < 1e-6 * before.xRange.second);
}

/// The second press of a hand that is fast arrives as a double click.
void WindowInputTest::aMarkerTakenHoldOfAgainMoves()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    const auto at = [&](double n) {
        return chart->chartLayout().place(n, chart->chartLayout().yRange.second).toPoint() + QPoint(0, 20);
    };
    QTest::mousePress(chart, Qt::LeftButton, {}, at(64));
    QTest::mouseMove(chart, at(100));
    QTest::mouseRelease(chart, Qt::LeftButton, {}, at(100));
    QVERIFY(settle(*m_window));
    const QPoint there = at(double(scenario().n)), on = at(200);
    QMouseEvent again(QEvent::MouseButtonDblClick, there, chart->mapToGlobal(there), Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(chart, &again);
    QTest::mouseMove(chart, on);
    QTest::mouseRelease(chart, Qt::LeftButton, {}, on);
    QVERIFY2(std::abs(std::log(double(scenario().n) / 200)) < 0.05, qPrintable(QString::number(scenario().n)));
}

/// Dragged out of the chart it stops where it can be taken hold of again.
void WindowInputTest::aMarkerStaysOnItsAxis()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    const auto range = chart->chartLayout().xRange;
    const QPoint from = chart->chartLayout().place(64, chart->chartLayout().yRange.second).toPoint() + QPoint(0, 20);
    QTest::mousePress(chart, Qt::LeftButton, {}, from);
    QTest::mouseMove(chart, from - QPoint(2000, 0));
    QTest::mouseRelease(chart, Qt::LeftButton, {}, from - QPoint(2000, 0));
    QCOMPARE(scenario().n, std::llround(range.first));
}

void WindowInputTest::aDoubleClickEnlargesAMap()
{
    HeatmapPanel& maps = m_window->explore().heatmaps();
    const auto shown = [&] {
        return std::ranges::count_if(maps.tiles(), [](const HeatmapTile* tile) { return tile->isVisible(); });
    };
    const auto count = shown();
    QVERIFY(count > 1 && maps.difference()->isVisible());
    HeatmapPlot* second = maps.tiles()[1]->plot();
    const int side = second->width();
    QTest::mouseDClick(second, Qt::LeftButton, {}, second->rect().center());
    QCOMPARE(shown(), std::ptrdiff_t(1));
    QVERIFY(maps.tiles()[1]->isVisible() && !maps.difference()->isVisible() && second->width() > side);
    QVERIFY(settle(*m_window));  // the same map after new pictures
    QVERIFY(maps.tiles()[1]->isVisible() && shown() == 1);
    QTest::keyClick(second, Qt::Key_Escape);
    QCOMPARE(shown(), count);
    QVERIFY(maps.difference()->isVisible());
    QTest::mouseDClick(maps.difference()->plot(), Qt::LeftButton, {}, maps.difference()->plot()->rect().center());
    QCOMPARE(shown(), std::ptrdiff_t(0));
    methodRow(*m_window, QStringLiteral("InfoScale"))
        ->tick()
        ->click();  // another number of maps: the difference is still alone
    QVERIFY(settle(*m_window));
    QVERIFY(shown() == 0 && maps.difference()->isVisible());
    QTest::mouseDClick(maps.difference()->plot(), Qt::LeftButton, {}, maps.difference()->plot()->rect().center());
    QCOMPARE(shown(), count - 1);
}

/// The page of the second press is one that the hand has not seen: it does nothing there, a press of its own does.
void WindowInputTest::theSecondPressOfADoubleClickMeansThePageOfTheFirst()
{
    QStackedWidget pages;
    auto* finish = new QPushButton;
    auto* cards = new QListWidget;
    cards->addItem(QStringLiteral("card"));
    cards->item(0)->setSizeHint({300, 250});
    finish->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    for (QWidget* page : {static_cast<QWidget*>(finish), static_cast<QWidget*>(cards)})
        pages.addWidget(page);
    connect(finish, &QPushButton::clicked, &pages, [&] { pages.setCurrentWidget(cards); });
    const QSignalSpy begun(cards, &QListWidget::itemClicked);
    pages.resize(400, 300);
    pages.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pages));
    for (int before = 0; before < 2; ++before) {  // the second time the list has known a press on that card
        pages.setCurrentWidget(finish);
        QTest::mouseDClick(pages.windowHandle(), Qt::LeftButton, {}, {200, 150});
        QVERIFY(cards->isVisible());
        QCOMPARE(begun.count(), before);
        QTest::mouseClick(pages.windowHandle(), Qt::LeftButton, {}, {200, 150});
        QCOMPARE(begun.count(), before + 1);
    }
}

/// With a pin behind it a chart reads the lines of now, and marks what it reads.
void WindowInputTest::aReadingIsThatOfThePresent()
{
    m_window->pins().pin();
    m_window->document().editOnce(QStringLiteral("N"), [](Scenario& now) { now.nTrain = 60; });
    QVERIFY(settle(*m_window));
    ChartView* chart = m_window->explore().entropy().chart();
    QVERIFY(std::ranges::any_of(chart->spec().series, &ChartSeries::ghost));
    hover(chart,
          chart->chartLayout().place(64, (chart->chartLayout().yRange.first + chart->chartLayout().yRange.second) / 2));
    const ChartReadout read = chart->readout();
    QCOMPARE(chart->mark().points.size(), std::size_t(scenario().methods.size()));
    for (const ChartReadout::Line& line : read.lines) {
        const ChartSeries& series = chart->spec().series[static_cast<std::size_t>(line.value().series)];
        QVERIFY(!series.ghost);
        if (series.style >= 0)
            QVERIFY(std::ranges::any_of(chart->mark().points, [&](const ChartMark::Point& point) {
                return point.style == series.style && point.at == QPointF(read.x, line.value().y);
            }));
    }
}

/// A menu may have had the pointer when the dialog came.
void WindowInputTest::aDialogEndsWhatThePointerShows()
{
    ChartView* chart = m_window->explore().entropy().chart();
    HeatmapPlot* map = m_window->explore().heatmaps().tiles().front()->plot();
    QSignalSpy chartLeft(chart, &ChartView::left), mapLeft(map, &HeatmapPlot::left);
    for (const auto& [one, left] : {std::pair<QWidget*, QSignalSpy*>{chart, &chartLeft}, {map, &mapLeft}}) {
        hover(one, QRectF(one->rect()).center());
        left->clear();
        QDialog dialog(m_window.get());
        dialog.open();
        QCOMPARE(left->count(), 1);
        QVERIFY(!one->underMouse());
        dialog.close();
    }
}

/// A long sequence is answered by a preview, which has no curves of this temperature yet: those from before stay,
/// dimmed, and the marker can be dragged on their axis.
void WindowInputTest::aMarkerIsReadRightWhileCurvesAreComputed()
{
    Scenario wanted = scenario();
    wanted.n = 2048;
    wanted.view.curveLast = 8192;
    m_window->document().replace(QStringLiteral("Long"), wanted);
    QVERIFY(settle(*m_window));
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    bool dragged = false;
    double opacity = 1;
    QString caption;
    connect(&m_window->analyser(), &Analyser::arrived, this, [&](const AnalysisPtr& analysis) {
        if (dragged || !analysis->curvesCome)
            return;
        dragged = true;
        for (const ChartSeries& series : chart->spec().series)
            opacity = std::min(opacity, series.opacity);
        for (const QWidget* label : m_window->explore().entropy().findChildren<QWidget*>())
            if (label->accessibleDescription().startsWith(QStringLiteral("What the curves show")))
                caption = static_cast<const ElidedLabel*>(label)->text();
        const ChartLayout layout = chart->chartLayout();
        const auto at = [&](double n) { return layout.place(n, layout.yRange.second).toPoint() + QPoint(0, 20); };
        QTest::mousePress(chart, Qt::LeftButton, {}, at(2048));
        QTest::mouseMove(chart, at(4096));
        QTest::mouseRelease(chart, Qt::LeftButton, {}, at(4096));
    });
    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 1.37; });
    QTRY_VERIFY(dragged);
    QVERIFY2(std::abs(std::log(double(scenario().n) / 4096)) < 0.05, qPrintable(QString::number(scenario().n)));
    QVERIFY(opacity < 0.5);
    QVERIFY2(caption.contains(QStringLiteral("computing")), qPrintable(caption));
    QVERIFY(settle(*m_window));
    for (const ChartSeries& series : chart->spec().series)
        QCOMPARE(series.opacity, 1.0);
}

void WindowInputTest::aWheelPassesOverControls_data()
{
    QTest::addColumn<QString>("dock");
    for (const char* dock : {"scenario", "methods", "entropy", "dispersion", "tensors", "labs", "export"})
        QTest::addRow("%s", dock) << QString::fromLatin1(dock);
}

/// No list, slider or number changes, or takes the focus, and a panel that can scroll does so.
void WindowInputTest::aWheelPassesOverControls()
{
    QFETCH(QString, dock);
    m_window->showDock(dock);
    QWidget* part = dock == QLatin1String("labs")     ? static_cast<QWidget*>(&m_window->labs())
                    : dock == QLatin1String("export") ? &m_window->exportPanel()
                                                      : nullptr;
    for (QDockWidget* candidate : m_window->explore().docks())
        if (candidate->objectName() == dock)
            part = candidate;
    QVERIFY(part && part->isVisible());
    (part == &m_window->labs() || part == &m_window->exportPanel()
         ? m_window->menuBar()
         : static_cast<QWidget*>(&m_window->explore().heatmaps()))
        ->setFocus();
    const Scenario before = scenario();
    int controls = 0;
    for (QWidget* control : part->findChildren<QWidget*>()) {
        const bool turnable = qobject_cast<QComboBox*>(control) || qobject_cast<QAbstractSpinBox*>(control) ||
                              qobject_cast<QSlider*>(control);
        if (!turnable || !control->isVisible())
            continue;
        ++controls;
        const QVariant value = valueOf(control);
        for (const int notches : {-3, 3}) {
            turn(control, notches);
            QVERIFY2(valueOf(control) == value, qPrintable(control->accessibleName()));
            QVERIFY2(!control->hasFocus(), qPrintable(control->accessibleName()));
        }
        if (qobject_cast<QComboBox*>(control) && control->isEnabled()) {  // one that was clicked once keeps the focus
            control->setFocus();
            turn(control, -3);
            QVERIFY2(valueOf(control) == value, qPrintable(control->accessibleName()));
            control->clearFocus();
        }
    }
    QVERIFY(scenario() == before);
    if (dock != QLatin1String("scenario"))
        return;
    QVERIFY(controls > 8);
}

void WindowInputTest::aFocusedControlTurns()
{
    QSlider* slider = number(*m_window, QStringLiteral("Temperature \u03C4"))->slider();
    slider->setFocus();
    const double before = scenario().temperature;
    turn(slider, 1);
    QVERIFY(scenario().temperature != before);
}

void WindowInputTest::returnLeadsOutOfNumbers_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("name");
    QTest::addRow("a number of the scenario") << ""
                                              << "Trained at N";
    QTest::addRow("a parameter of a method") << "InfoScale"
                                             << "heads";
}

QLineEdit* WindowInputTest::field(const QString& method, const QString& name)
{
    if (method.isEmpty())
        return number(*m_window, name)->field();
    methodRow(*m_window, method)->tick()->setChecked(true);
    MethodRow* row = methodRow(*m_window, method);
    row->tune()->setChecked(true);
    for (QLineEdit* candidate : row->fields()->findChildren<QLineEdit*>())
        if (candidate->accessibleName().contains(name))  // a formula is the first
            return candidate;
    return nullptr;
}

/// What is typed next is for the window: P pins, and 1 shows the pin. Escape takes back what was typed and leads out
/// too, Tab goes on to the next field, and a number that is none stays where it can be mended.
void WindowInputTest::returnLeadsOutOfNumbers()
{
    QFETCH(QString, method);
    QFETCH(QString, name);
    QLineEdit* typed = field(method, name);
    QVERIFY(typed);
    QTRY_VERIFY(typed->isVisible());
    const Scenario before = scenario();
    const QString shown = typed->text();
    const auto typeOnly = [&](const char* keys) {
        QTest::mouseClick(typed, Qt::LeftButton);
        typed->selectAll();
        QTest::keyClicks(typed, QString::fromLatin1(keys));
    };
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        typeOnly(key == Qt::Key_Return ? "12" : "14");
        QTest::keyClick(typed, key);
        QVERIFY(!typed->hasFocus());
        QVERIFY(scenario() != before);
        QCOMPARE(typed->text(), QString::fromLatin1(key == Qt::Key_Return ? "12" : "14"));
        const Scenario taken = scenario();
        const std::size_t pins = m_window->document().look().pins.size();
        QWidget* at = m_window->focusWidget() ? m_window->focusWidget() : m_window.get();
        QTest::keyClick(at, Qt::Key_P);
        QCOMPARE(m_window->document().look().pins.size(), pins + 1);
        QCOMPARE(typed->text(), QString::fromLatin1(key == Qt::Key_Return ? "12" : "14"));
        QVERIFY(scenario() == taken);
        m_window->document().undo();  // the pin
        m_window->document().undo();
        QVERIFY(scenario() == before);
    }
    typeOnly("13");
    QTest::keyClick(typed, Qt::Key_Escape);
    QVERIFY(!typed->hasFocus());
    QCOMPARE(typed->text(), shown);
    QVERIFY(scenario() == before);
    typeOnly("-");
    QTest::keyClick(typed, Qt::Key_Return);
    QVERIFY(typed->hasFocus() && typed->property("wrong").toBool());
    QTest::keyClick(typed, Qt::Key_Escape);
    QVERIFY(!typed->hasFocus() && !typed->property("wrong").toBool());
    QCOMPARE(typed->text(), shown);
    typeOnly("15");
    QTest::keyClick(typed, Qt::Key_Tab);
    QVERIFY(!typed->hasFocus());
    QVERIFY(scenario() != before);
    QVERIFY(QApplication::focusWidget() && QApplication::focusWidget() != m_window->explore().focusProxy());
}

/// What is typed after Return goes on in a formula, and reaches no key of the window: T, P and the digits of pins. Undo
/// is the document's as soon as the text is taken over, and so are the keys that edit no text.
void WindowInputTest::returnLeavesTheCaretInAFormula()
{
    const QString typed = QStringLiteral("log(n)/log(N)");
    QLineEdit* field = this->field(QStringLiteral("Custom"), QStringLiteral("Custom"));
    QVERIFY(field);
    QTRY_VERIFY(field->isVisible());
    m_window->pins().pin();
    const Scenario before = scenario();
    const Look look = m_window->document().look();
    type(field, typed);
    QVERIFY(scenario() != before);
    const Scenario taken = scenario();
    QVERIFY(field->hasFocus());
    QCOMPARE(field->text(), typed);
    QCOMPARE(field->cursorPosition(), typed.size());
    QTest::keyClicks(m_window->focusWidget(), "tp1");
    QVERIFY(field->hasFocus());
    QVERIFY(scenario() == taken && m_window->document().look() == look);
    QCOMPARE(field->text(), typed + "tp1");
    field->setText(typed);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(scenario() == before);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(scenario() == taken);
    QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(m_window->exportPanel().isVisible());
}

/// An expression that does not read marks its field until it does; the caret stays where it can be mended.
void WindowInputTest::aWrongFormulaIsMarked()
{
    methodRow(*m_window, QStringLiteral("Custom"))->tick()->setChecked(true);
    MethodRow* row = methodRow(*m_window, QStringLiteral("Custom"));
    row->tune()->setChecked(true);
    auto* field = row->fields()->findChild<QLineEdit*>({}, Qt::FindDirectChildrenOnly);
    for (QLineEdit* candidate : row->fields()->findChildren<QLineEdit*>())
        if (candidate->accessibleName().startsWith("Custom") && candidate->text().contains("log"))
            field = candidate;
    QVERIFY(field);
    QTRY_VERIFY(field->isVisible());
    QVERIFY(!field->property("wrong").toBool());
    const QString teaches = field->toolTip();
    type(field, QStringLiteral("sqrt(foo(n)"));
    QVERIFY(field->hasFocus() && field->property("wrong").toBool());
    QCOMPARE(field->text(), QStringLiteral("sqrt(foo(n)"));
    QVERIFY2(field->toolTip().contains("foo"), qPrintable(field->toolTip()));
    type(field, QStringLiteral("sqrt(log(n))"));
    QVERIFY(field->hasFocus() && !field->property("wrong").toBool());
    QCOMPARE(field->toolTip(), teaches);
    QVERIFY(settle(*m_window));
}

/// With the keyboard on a map and the pointer nowhere, T is nothing.
void WindowInputTest::aNoteIsWrittenWhereThePointerIs()
{
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles().front()->plot();
    ChartView* chart = m_window->explore().entropy().chart();
    for (QWidget* other : m_window->findChildren<QWidget*>())
        other->setAttribute(Qt::WA_UnderMouse, false);
    for (QWidget* view : {static_cast<QWidget*>(plot), static_cast<QWidget*>(chart)}) {
        view->setFocus();
        view->setAttribute(Qt::WA_UnderMouse, false);
        QTest::keyClick(view, Qt::Key_T);
        QVERIFY(view->hasFocus());
        view->setAttribute(Qt::WA_UnderMouse, true);  // as Qt does with the pointer of the desktop
        QTest::keyClick(view, Qt::Key_T);
        QVERIFY(!view->hasFocus() && view->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        view->setAttribute(Qt::WA_UnderMouse, false);
    }
    QVERIFY(m_window->document().look().annotations.empty());
}

/// A field with the focus has undo of its own only while something is typed into it.
void WindowInputTest::undoIsTheDocumentsWhereNothingIsTyped()
{
    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 2; });
    QLineEdit* field = number(*m_window, QStringLiteral("Seed"))->field();
    QTest::mouseClick(field, Qt::LeftButton);
    QVERIFY(field->hasFocus());
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(scenario().temperature, 1.0);
    m_window->document().redo();
    const QString seed = field->text();
    QTest::keyClicks(field, QStringLiteral("5"));
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field->text(), seed);
    QCOMPARE(scenario().temperature, 2.0);
}

void WindowInputTest::aKeyAndADragAreTwoSteps()
{
    QSlider* slider = number(*m_window, QStringLiteral("Temperature \u03C4"))->slider();
    QTest::keyClick(slider, Qt::Key_Right);
    const double stepped = scenario().temperature;
    QVERIFY(stepped > 1);
    const QPoint handle = handleOf(slider);
    QTest::mousePress(slider, Qt::LeftButton, {}, handle);
    for (const int by : {4, 9, 15, 22})
        QTest::mouseMove(slider, handle + QPoint(by, 0));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, handle + QPoint(22, 0));
    QVERIFY(scenario().temperature > stepped);
    m_window->document().undo();
    QCOMPARE(scenario().temperature, stepped);
    m_window->document().undo();
    QCOMPARE(scenario().temperature, 1.0);
    QVERIFY(!m_window->document().canUndo());
}

void WindowInputTest::aHeldKeyIsOneStep()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    for (QWidget* control : {static_cast<QWidget*>(number(*m_window, QStringLiteral("Length n"))->slider()),
                             static_cast<QWidget*>(chart)}) {
        const auto before = scenario().n;
        QTest::keyPress(control, Qt::Key_Right);
        QTest::keyPress(control, Qt::Key_Right);
        QTest::keyPress(control, Qt::Key_Right);
        QTest::keyRelease(control, Qt::Key_Right);
        QVERIFY(scenario().n > before);
        m_window->document().undo();
        QCOMPARE(scenario().n, before);
    }
}

/// A row and a part of the maps are chosen without a step of undo, and what could be redone stays.
void WindowInputTest::lookingElsewhereIsNoStep()
{
    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 2; });
    m_window->document().undo();
    QVERIFY(settle(*m_window));
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles().front()->plot();
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->frame().center());
    const auto row = scenario().view.row;
    QVERIFY(row > 0 && row < 63);
    turn(plot, 2);
    QVERIFY(scenario().view.region != Region{});
    QVERIFY(!m_window->document().canUndo());
    QVERIFY(m_window->document().canRedo());
    QVERIFY(!m_window->document().isModified());
    m_window->document().redo();
    QCOMPARE(scenario().temperature, 2.0);
    QCOMPARE(scenario().view.row, row);
    QVERIFY(scenario().view.region != Region{});
}

/// B is N until a number is typed, and again once N is.
void WindowInputTest::aParameterThatMeansNFollows()
{
    MethodRow* row = methodRow(*m_window, QStringLiteral("Softmax Plus"));
    QTest::mouseClick(row->tune(), Qt::LeftButton);
    NumberControl* base = nullptr;
    for (NumberControl* candidate : row->fields()->findChildren<NumberControl*>())
        if (candidate->field()->accessibleName().endsWith(QStringLiteral(": B")))
            base = candidate;
    QVERIFY(base);
    QCOMPARE(base->field()->text(), QStringLiteral("= N"));
    QVERIFY2(worked().contains(QStringLiteral("ln 64 / ln 16 ")), qPrintable(worked()));
    const auto setN = [this](const QString& typed) {
        type(number(*m_window, QStringLiteral("Trained at N"))->field(), typed);
    };
    setN(QStringLiteral("32"));
    QVERIFY2(worked().contains(QStringLiteral("ln 64 / ln 32 ")), qPrintable(worked()));

    type(base->field(), QStringLiteral("32"));  // a number, even that of N, is held
    setN(QStringLiteral("8"));
    QVERIFY2(worked().contains(QStringLiteral("ln 64 / ln 32 ")), qPrintable(worked()));
    QCOMPARE(base->field()->text(), QStringLiteral("32"));
    QVERIFY(base->followButton()->isVisible());

    type(base->field(), QStringLiteral("N"));
    QVERIFY2(worked().contains(QStringLiteral("ln 64 / ln 8 ")), qPrintable(worked()));
    QVERIFY(!base->followButton()->isVisible());
    m_window->document().undo();
    QCOMPARE(base->field()->text(), QStringLiteral("32"));
    QTest::qWait(50);  // the button has its place
    QTest::mouseClick(base->followButton(), Qt::LeftButton);
    QCOMPARE(base->field()->text(), QStringLiteral("= N"));
    QVERIFY(scenario().methods[1].values.empty());
}

/// What puts panels in order anew, while a hand has one of their tabs.
void WindowInputTest::aHeldTabsPanelsGo_data()
{
    QTest::addColumn<int>("change");
    const char* const changes[] = {"one is hidden", "the other is hidden", "stage", "layout", "lesson ends"};
    for (int change = 0; change < int(std::size(changes)); ++change)
        QTest::addRow("%s", changes[change]) << change;
}

void WindowInputTest::aHeldTabsPanelsGo()
{
    QFETCH(int, change);
    ExplorePage& page = m_window->explore();
    const auto tabsOf = [&]() -> QTabBar* {
        for (QTabBar* tabs : page.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            if (tabs->isVisible() && tabs->count() > 1)
                return tabs;
        return nullptr;
    };
    for (int held = 0; held < 2; ++held) {
        page.learn().openLesson(0);
        m_window->showDock(QStringLiteral("learn"));
        QTRY_VERIFY(tabsOf());
        const QPointer<QTabBar> tabs = tabsOf();
        const QPoint at = tabs->tabRect(held).center();
        QTest::mousePress(tabs, Qt::LeftButton, {}, at);
        const auto moveTo = [&](QPoint to) {
            if (!tabs)
                return;
            QMouseEvent move(QEvent::MouseMove, to, tabs->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(tabs, &move);
            QCoreApplication::processEvents();
        };
        const int direction = held == 0 ? 1 : -1;
        moveTo(at + QPoint(direction * 20, 0));
        moveTo(at + QPoint(direction * 30, 0));
        const auto docks = page.docks();
        switch (change) {
        case 0:
            docks[0]->hide();
            page.dock(QStringLiteral("learn"))->hide();
            break;
        case 1:
            page.dock(QStringLiteral("methods"))->hide();
            break;
        case 2:
            m_window->presentation().setOn(true);
            break;
        case 3:
            m_window->resetLayout();
            break;
        default:
            page.learn().goToStep(page.learn().stepCount());
        }
        for (int step = 4; step < 12; ++step)
            moveTo(at + QPoint(direction * 10 * step, step));
        if (tabs)
            QTest::mouseRelease(tabs, Qt::LeftButton, {}, at);
        QTest::qWait(400);  // what was moved glides to its place
        m_window->presentation().setOn(false);
        m_window->resetLayout();
    }
}

/// Menus, lists, lists of ticks and tips: no corner of one is square, and nothing else of it is cut.
void WindowInputTest::popupsHaveRoundCorners()
{
    const auto isRound = [](const QWidget* popup) {
        const QRegion mask = popup->mask();
        const QRect all = popup->rect();
        for (const QPoint corner : {all.topLeft(), all.topRight(), all.bottomLeft(), all.bottomRight()})
            if (mask.contains(corner))
                return false;
        return mask.contains(all.center()) && mask.contains(QPoint(all.center().x(), all.top())) &&
               mask.contains(QPoint(all.left(), all.center().y()));
    };
    const auto shown = [](Qt::WindowType type) -> QWidget* {
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->isVisible() && window->windowType() == type)
                return window;
        return nullptr;
    };
    QMenu menu(m_window.get());
    menu.addAction(QStringLiteral("One"));
    menu.popup(m_window->mapToGlobal(QPoint(40, 40)));
    QTRY_VERIFY(menu.isVisible());
    QVERIFY(isRound(&menu));
    menu.close();
    auto* list = m_window->explore().findChild<QComboBox*>();
    list->showPopup();
    QTRY_VERIFY(shown(Qt::Popup));
    QVERIFY(isRound(shown(Qt::Popup)));
    list->hidePopup();
    QToolTip::showText(m_window->mapToGlobal(QPoint(40, 40)), QStringLiteral("A tip of several words"));
    QTRY_VERIFY(shown(Qt::ToolTip));
    QVERIFY(isRound(shown(Qt::ToolTip)));
    QToolTip::hideText();
}

QTEST_MAIN(WindowInputTest)
#include "window_input_test.moc"
