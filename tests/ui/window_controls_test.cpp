// Every control of the Scenario and the Methods docks by mouse and by keyboard, and what the views show then.
#include "tests/ui/window_support.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/methods_panel.h"
#include "ui/views/method_row.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QScrollArea>
#include <QSet>
#include <QToolButton>
#include <QToolTip>

#include <set>

using namespace attnscope;
using namespace attnscope::testing;

class WindowControlsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow({1600, 1000});
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void numbersMoveByMouseKeyAndText_data();
    void numbersMoveByMouseKeyAndText();
    void nonsenseIsNotTakenOver_data();
    void nonsenseIsNotTakenOver();
    void listsChooseByKeyboard_data();
    void listsChooseByKeyboard();
    void aMethodIsComparedWithItself();
    void whatIsSolvedFollowsTheAnalysis();
    void aTickMovesNoRow();
    void presetsSetTheParameters();
    void parametersStayInTheirPanel();
    void variantsDiffer();
    void nineAreTheMost();
    void theWholeWindowIsReachedByTab();
    void partsFollowOneAnother();
    void arrowKeysOnTheCurveMoveTheLengths();

private:
    bool viewsChanged(const Shown& before) const
    {
        const Shown after = shown(*m_window);
        return after.map != before.map || after.curve != before.curve || after.dispersion != before.dispersion;
    }
    std::unique_ptr<MainWindow> m_window;
};

void WindowControlsTest::numbersMoveByMouseKeyAndText_data()
{
    QTest::addColumn<QString>("caption");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("seen");
    QTest::addRow("n") << QStringLiteral("Length n") << QStringLiteral("2^6.5") << 91.0 << true;
    QTest::addRow("N") << QStringLiteral("Trained at N") << QStringLiteral("0.1k") << 100.0 << true;
    QTest::addRow("d") << QStringLiteral("Head size d") << QStringLiteral("16") << 16.0 << true;
    QTest::addRow("temperature") << QStringLiteral("Temperature \u03C4") << QStringLiteral("2.5") << 2.5 << true;
    QTest::addRow("seed") << QStringLiteral("Seed") << QStringLiteral("7") << 7.0 << true;
    QTest::addRow("soft-cap") << QStringLiteral("Soft-cap") << QStringLiteral("0.5") << 0.5 << true;
}

void WindowControlsTest::numbersMoveByMouseKeyAndText()
{
    QFETCH(QString, caption);
    QFETCH(QString, typed);
    QFETCH(double, value);
    NumberControl* control = number(*m_window, caption);
    QVERIFY(control);
    m_window->document().edit(QStringLiteral("InfoScale first"), [](Scenario& scenario) {
        scenario.methods = {{"infoscale", {}, {}}};
    });
    QVERIFY(settle(*m_window));

    Shown before = shown(*m_window);
    const double first = control->value();
    QTest::mouseClick(control->slider(), Qt::LeftButton, {},
                      {control->slider()->width() - 4, control->slider()->height() / 2});
    QVERIFY2(control->value() != first, "the mouse moves the slider");
    QVERIFY(settle(*m_window));
    QVERIFY(viewsChanged(before));

    const double second = control->value();
    QTest::keyClick(control->slider(), Qt::Key_Left);
    QVERIFY2(control->value() < second, "an arrow key moves it");

    before = shown(*m_window);
    control->field()->setFocus();
    control->field()->selectAll();
    QTest::keyClicks(control->field(), typed);
    QTest::keyClick(control->field(), Qt::Key_Return);
    QCOMPARE(control->value(), value);
    QVERIFY(settle(*m_window));
    QVERIFY(viewsChanged(before));
}

void WindowControlsTest::nonsenseIsNotTakenOver_data()
{
    QTest::addColumn<QString>("typed");
    for (const char* typed : {"", "many", "-5", "1e99", "nan", "12,5,3", "0"})
        QTest::addRow("'%s'", typed) << QString::fromLatin1(typed);
}

void WindowControlsTest::nonsenseIsNotTakenOver()
{
    QFETCH(QString, typed);
    NumberControl* control = number(*m_window, QStringLiteral("Length n"));
    const Scenario before = m_window->document().scenario();
    control->field()->setFocus();
    control->field()->selectAll();
    QTest::keyClick(control->field(), Qt::Key_Delete);
    QTest::keyClicks(control->field(), typed);
    if (!typed.isEmpty()) {
        QVERIFY2(control->field()->property("wrong").toBool(), "it is marked while it is typed");
        QVERIFY2(control->field()->toolTip().contains(QStringLiteral("from 2 to")), "and what is expected is said");
    }
    QTest::keyClick(control->field(), Qt::Key_Return);
    QVERIFY2(typed.isEmpty() || QToolTip::text().contains(QStringLiteral("from 2 to")), "and at once to who insists");
    QVERIFY(m_window->document().scenario() == before);
    QCOMPARE(control->field()->text(), typed.isEmpty() ? QStringLiteral("64") : typed);
    QCOMPARE(control->field()->property("wrong").toBool(), !typed.isEmpty());
    QTest::keyClick(control->field(), Qt::Key_Escape);
    QCOMPARE(control->field()->text(), QStringLiteral("64"));
    QVERIFY(!control->field()->property("wrong").toBool());
}

void WindowControlsTest::listsChooseByKeyboard_data()
{
    QTest::addColumn<QString>("caption");
    QTest::addColumn<bool>("down");
    for (const char* caption : {"Source", "Kernel", "Positions", "Mask", "Normaliser"})
        QTest::addRow("%s", caption) << QString::fromLatin1(caption) << (qstrcmp(caption, "Source") != 0);
}

void WindowControlsTest::listsChooseByKeyboard()
{
    QFETCH(QString, caption);
    QComboBox* list = nullptr;
    for (QComboBox* candidate : m_window->explore().scenario().findChildren<QComboBox*>())
        if (candidate->accessibleName() == caption)
            list = candidate;
    QVERIFY(list);
    const Shown before = shown(*m_window);
    const Scenario scenario = m_window->document().scenario();
    list->setFocus();
    QTest::keyClick(list, list->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
    QVERIFY(m_window->document().scenario() != scenario);
    QVERIFY(settle(*m_window));
    QVERIFY2(viewsChanged(before) || caption == QLatin1String("Mask"), "the views follow");
    m_window->document().undo();
    QCOMPARE(list->currentData().toString().toStdString(),
             (caption == QLatin1String("Source") ? scenario.source.id : list->currentData().toString().toStdString()));
    QVERIFY(m_window->document().scenario() == scenario);
}

void WindowControlsTest::aMethodIsComparedWithItself()
{
    MethodRow* row = methodRow(*m_window, QStringLiteral("InfoScale"));
    QVERIFY(row);
    const auto rowsBefore = m_window->explore().methods().rows().size();
    QTest::mouseClick(row->tune(), Qt::LeftButton);
    QVERIFY(row->another()->isVisible());
    QTest::mouseClick(row->another(), Qt::LeftButton);
    QCOMPARE(m_window->explore().methods().rows().size(), rowsBefore + 1);
    MethodRow* second = nullptr;
    for (MethodRow* candidate : m_window->explore().methods().rows())
        if (candidate != row && candidate->method().id == "infoscale")
            second = candidate;
    QVERIFY(second);
    QCOMPARE(second->position(), 3);
    QCOMPARE(row->position(), 2);
    QTRY_VERIFY2(second->fields()->isVisible(), "its parameters are open at once");
    m_window->document().edit(QStringLiteral("eps"), [](Scenario& scenario) {
        scenario.methods[3] = {"infoscale", {{"eps", 0.5}}, {}};
    });
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heatmaps().tiles().size(), size_t(4));
    QVERIFY(m_window->explore().heatmaps().tiles()[2]->plot()->plottable().map()->values !=
            m_window->explore().heatmaps().tiles()[3]->plot()->plottable().map()->values);
    QVERIFY(row->worked() != second->worked());

    row->tick()->click();  // the first goes, the second stays with its own parameters
    QCOMPARE(m_window->explore().methods().rows().size(), rowsBefore);
    QCOMPARE(m_window->document().scenario().methods.back().values.at("eps"), 0.5);
    m_window->document().undo();
    QCOMPARE(m_window->explore().methods().rows().size(), rowsBefore + 1);
}

/// Roots take longer than a frame: the row shows the formula, then what the analysis found, and no edit finds a root by
/// itself.
void WindowControlsTest::whatIsSolvedFollowsTheAnalysis()
{
    MethodRow* row = methodRow(*m_window, QStringLiteral("Entropy, exact"));
    QVERIFY(row);
    row->tick()->click();
    QVERIFY2(row->worked().startsWith(QStringLiteral("m = root of")) &&
                 row->worked().contains(QStringLiteral("E H(n,")),
             qPrintable(row->worked()));
    QVERIFY(settle(*m_window));
    const auto solved = [this] { return QString::fromStdString(m_window->analyser().current()->methods[3].worked); };
    const QString first = row->worked();
    QVERIFY2(first.contains(QStringLiteral("E H(64,")), qPrintable(first));
    QCOMPARE(first, solved());
    m_window->document().edit(QStringLiteral("N"), [](Scenario& scenario) { scenario.nTrain = 32; });
    QCOMPARE(row->worked(), first);
    QVERIFY(settle(*m_window));
    QVERIFY(row->worked() != first);
    QCOMPARE(row->worked(), solved());
}

/// Each row and the list stay where they are, whichever is ticked, though its formula has numbers then.
void WindowControlsTest::aTickMovesNoRow()
{
    m_window->resize(1280, 720);
    QTest::qWait(50);
    const MethodsPanel& panel = m_window->explore().methods();
    auto* area = qobject_cast<QScrollArea*>(panel.parentWidget()->parentWidget());
    QVERIFY(area);
    const auto places = [&] {
        std::vector<int> all;
        for (const MethodRow* row : panel.rows())
            all.push_back(row->tick()->mapTo(m_window.get(), QPoint()).y());
        return all;
    };
    for (std::size_t i = 0; i < panel.rows().size(); ++i) {
        MethodRow* row = panel.rows()[i];
        if (row->position() >= 0)
            continue;
        QTest::qWait(60);  // the list is as high as its rows again
        area->ensureWidgetVisible(row);
        QTest::qWait(5);
        const std::vector<int> before = places();
        QTest::mouseClick(row->tick(), Qt::LeftButton, {}, {8, row->tick()->height() / 2});
        QVERIFY2(row->position() >= 0, row->method().id.c_str());
        QVERIFY(settle(*m_window));
        QTest::qWait(60);  // what is brought into sight is after its panel is laid out
        const std::vector<int> after = places();
        QVERIFY2(std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(i) + 1, after.begin()) &&
                     (!row->method().textLabel.empty() || before == after),
                 row->method().id.c_str());
        QTest::mouseClick(row->tick(), Qt::LeftButton, {}, {8, row->tick()->height() / 2});
        QVERIFY(row->position() < 0);
    }
}

void WindowControlsTest::presetsSetTheParameters()
{
    MethodRow* row = methodRow(*m_window, QStringLiteral("InfoScale"));
    row->tune()->setChecked(true);
    QComboBox* presets = row->fields()->presets();
    QVERIFY(presets);
    QCOMPARE(presets->currentIndex(), 0);
    presets->setFocus();
    QTest::keyClick(presets, Qt::Key_Down);
    QCOMPARE(m_window->document().scenario().methods[2].values.at("heads"), 8.0);
    m_window->document().edit(QStringLiteral("eps"),
                              [](Scenario& scenario) { scenario.methods[2].values["eps"] = 0.25; });
    QCOMPARE(presets->currentIndex(), -1);
    QCOMPARE(presets->placeholderText(), QStringLiteral("own values"));
}

/// A tenth is refused with a word, and the difference of two of nine can be seen.
/// However narrow the window: those of every method, and no panel is ever pushed aside.
void WindowControlsTest::parametersStayInTheirPanel()
{
    m_window->resize(1280, 720);
    MethodsPanel& panel = m_window->explore().methods();
    const QWidget* area = panel.parentWidget();
    for (const ScaleMethod& method : scaleMethods()) {
        m_window->document().edit(QStringLiteral("Methods"), [&](Scenario& scenario) {
            scenario.methods = {{method.id, {}, {}}};
        });
        for (MethodRow* row : panel.findChildren<MethodRow*>())
            if (row->position() == 0)
                row->openParameters();
        QTest::qWait(60);  // what is opened comes into sight
        if (panel.width() > area->width())
            QTest::qWait(500);  // still to be laid out, or in vain
        QVERIFY2(panel.x() == 0 && panel.width() <= area->width(),
                 qPrintable(QStringLiteral("%1: %2 of %3 pixels, from %4")
                                .arg(QString::fromStdString(method.id))
                                .arg(panel.width())
                                .arg(area->width())
                                .arg(panel.x())));
        for (const QWidget* child : panel.findChildren<QWidget*>())
            if (child->isVisible())
                QVERIFY2(
                    child->mapTo(area, QPoint(child->width(), 0)).x() <= area->width(),
                    qPrintable(QStringLiteral("%1: %2 %3, at least %4 wide")
                                   .arg(QString::fromStdString(method.id),
                                        QString::fromLatin1(child->metaObject()->className()), child->accessibleName())
                                   .arg(child->minimumSizeHint().width())));
    }
}

/// Of every method that has a preset or a number, and again of the same: no two go by one name, none is impossible.
void WindowControlsTest::variantsDiffer()
{
    for (const ScaleMethod& method : scaleMethods()) {
        if (method.presets.empty() && method.parameters.empty())
            continue;
        m_window->document().edit(QStringLiteral("Methods"), [&](Scenario& scenario) {
            scenario.methods = {{method.id, {}, {}}};
        });
        if (!method.textLabel.empty())
            continue;  // its text is what differs
        for (int more = 0; more < 2; ++more)
            for (MethodRow* row : m_window->explore().methods().rows())
                if (row->position() == 0) {
                    row->another()->click();
                    break;
                }
        std::set<std::string> names;
        for (const Choice& choice : m_window->document().scenario().methods) {
            QVERIFY2(validate(method, choice), method.id.c_str());
            names.insert(describeChoice(scaleMethods(), choice));
        }
        QVERIFY2(names.size() == 3, method.id.c_str());
    }
}

void WindowControlsTest::nineAreTheMost()
{
    MethodRow* tenth = nullptr;
    for (MethodRow* row : m_window->explore().methods().rows()) {
        if (m_window->document().scenario().methods.size() == 9 && !row->tick()->isChecked() && !tenth)
            tenth = row;
        else if (!row->tick()->isChecked() && !tenth)
            row->tick()->click();
    }
    QVERIFY(tenth);
    QCOMPARE(m_window->document().scenario().methods.size(), size_t(9));
    QVERIFY(m_window->messages().message().isEmpty());
    tenth->tick()->click();
    QVERIFY(!tenth->tick()->isChecked());
    MethodRow* unticked = m_window->explore().methods().rows().front();
    unticked->tick()->click();  // before what it asks for has come
    QCOMPARE(unticked->swatch()->shownStyle(), -1);
    unticked->tick()->click();
    QVERIFY(unticked->swatch()->shownStyle() >= 0);
    QCOMPARE(m_window->document().scenario().methods.size(), size_t(9));
    QVERIFY2(m_window->messages().message().startsWith(QStringLiteral("9 methods are compared at most")),
             qPrintable(m_window->messages().message()));
    methodRow(*m_window, QStringLiteral("Vanilla"))->another()->click();
    QCOMPARE(m_window->document().scenario().methods.size(), size_t(9));
    QSet<QRgb> colours;
    for (MethodRow* row : m_window->explore().methods().rows())
        if (row->tick()->isChecked())
            colours.insert(methodStyle(row->swatch()->shownStyle(), false).colour.rgb());
    QCOMPARE(colours.size(), 9);
    QVERIFY(settle(*m_window));
    QVERIFY(m_window->document().look().maps.difference && m_window->explore().heatmaps().difference());
}

/// From any control to any other with the Tab key alone.
void WindowControlsTest::theWholeWindowIsReachedByTab()
{
    QSet<QWidget*> chain;
    QWidget* at = &m_window->explore().heatmaps();
    do {
        chain.insert(at);
        at = at->nextInFocusChain();
    } while (at != &m_window->explore().heatmaps());
    for (QWidget* widget : m_window->findChildren<QWidget*>())
        if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
            QVERIFY2(chain.contains(widget), qPrintable(widget->accessibleName()));
}

void WindowControlsTest::partsFollowOneAnother()
{
    QSet<QWidget*> seen;
    m_window->activateWindow();
    for (int i = 0; i < 12; ++i) {
        m_window->focusNextPart(1);
        for (QDockWidget* dock : m_window->explore().docks())
            if (dock->isAncestorOf(m_window->focusWidget()))
                seen.insert(dock);
    }
    for (QDockWidget* dock : m_window->explore().docks())
        if (dock->isVisible())
            QVERIFY2(seen.contains(dock), qPrintable(dock->objectName()));
}

void WindowControlsTest::arrowKeysOnTheCurveMoveTheLengths()
{
    ChartView* chart = m_window->explore().entropy().chart();
    QTRY_VERIFY(!chart->chartLayout().frame.isEmpty());
    QTest::keyClick(chart, Qt::Key_Right);
    QVERIFY(m_window->document().scenario().n > 64);
    QTest::keyClick(chart, Qt::Key_Left, Qt::AltModifier);
    QVERIFY(m_window->document().scenario().nTrain < 16);
}

QTEST_MAIN(WindowControlsTest)
#include "window_controls_test.moc"
