// What a screen reader is told: texts and numbers as they are shown, what goes wrong as it happens, and the keys as a
// table.
#include "tests/ui/window_support.h"

#include "ui/explore/difference_tile.h"
#include "ui/explore/map_tools.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/shortcuts_overlay.h"
#include "ui/window/workspaces.h"

#include <QAccessible>
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QTableWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

QString toldOf(QObject* object, QAccessible::Text kind = QAccessible::Name)
{
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(object);
    return interface ? interface->text(kind) : QString();
}

/// As a reader sees it.
QString shownBy(const QLabel& label)
{
    if (const auto* elided = qobject_cast<const ElidedLabel*>(&label))
        return elided->text();
    if (const auto* wrapped = qobject_cast<const WrappedLabel*>(&label))
        return wrapped->text();
    if (label.textFormat() == Qt::PlainText ||
        (label.textFormat() == Qt::AutoText && !Qt::mightBeRichText(label.text())))
        return label.text();
    QTextDocument page;
    page.setHtml(label.text());
    return page.toPlainText();
}

}  // namespace

class AccessibilityTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void labelsSayWhatTheyShow();
    void slidersSayTheirNumber();
    void errorsAreTold();
    void theKeysAreATable();
    void aKeyIsCalledByWhatItAlwaysDoes();
    void tabGoesRound_data();
    void tabGoesRound();
    void tabGoesThroughTheMapsAsTheyStand();
    void aViewShowsThatAKeyBroughtTheKeyboard();

private:
    std::unique_ptr<MainWindow> m_window;
};

void AccessibilityTest::labelsSayWhatTheyShow()
{
    m_window->pointer().point({20, 3});
    QVERIFY(settle(*m_window));
    for (const char* dock : {"tensors", "labs", "export", "gallery", "heads", "statistics", "learn"})
        m_window->showDock(dock);
    m_window->messages().say(MessageBar::Kind::Note, QStringLiteral("three of them"));
    QTest::qWait(50);
    int labels = 0;
    for (QLabel* label : m_window->findChildren<QLabel*>()) {
        const QString shown = shownBy(*label);
        if (shown.isEmpty())
            continue;
        ++labels;
        const QString told = toldOf(label).remove(QLatin1Char('&'));
        if (shown.size() == 1 && !shown.front().isLetterOrNumber()) {  // a sign is told in words
            QVERIFY2(told.size() > 1, qPrintable(shown));
            continue;
        }
        QVERIFY2(told == QString(shown).remove(QLatin1Char('&')),
                 qPrintable(QString("\"%1\" is told as \"%2\"").arg(shown, told)));
    }
    QVERIFY(labels > 40);
}

void AccessibilityTest::slidersSayTheirNumber()
{
    NumberControl* length = number(*m_window, QStringLiteral("Length n"));
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(length->slider());
    QVERIFY(interface && interface->valueInterface());
    QCOMPARE(interface->role(), QAccessible::Slider);
    QCOMPARE(interface->text(QAccessible::Name), QStringLiteral("Length n"));
    QCOMPARE(interface->text(QAccessible::Value), QStringLiteral("64"));
    QCOMPARE(interface->valueInterface()->currentValue().toDouble(), 64.0);
    QVERIFY(interface->valueInterface()->maximumValue().toDouble() > 1e5);
    interface->valueInterface()->setCurrentValue(100);
    QCOMPARE(m_window->document().scenario().n, 100);
    QCOMPARE(interface->valueInterface()->currentValue().toDouble(), 100.0);
    m_window->document().undo();
    QCOMPARE(m_window->document().scenario().n, 64);
}

void AccessibilityTest::errorsAreTold()
{
    MessageBar& bar = m_window->messages();
    bar.say(MessageBar::Kind::Error, QStringLiteral("The disk is full"));
    QCOMPARE(toldOf(&bar), QStringLiteral("The disk is full"));
}

void AccessibilityTest::theKeysAreATable()
{
    m_window->explore().heatmaps().setFocus();
    QWidget* before = QApplication::focusWidget();
    auto* sheet = m_window->findChild<ShortcutsOverlay*>();
    for (QAction* action : m_window->findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::Key_F1))
            action->trigger();
    QVERIFY(sheet && sheet->isVisible());
    QStringList told, wanted;
    for (QTableWidget* column : sheet->columns()) {
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(column);
        QVERIFY(interface && interface->tableInterface());
        QVERIFY(column->isVisible() && column->viewport()->height() >= column->rowHeight(0));
        for (int row = 0; row < interface->tableInterface()->rowCount(); ++row)
            for (const int cell : {0, 1})
                told << interface->tableInterface()->cellAt(row, cell)->text(QAccessible::Name);
    }
    for (const auto& [key, meaning] : sheet->keys())
        wanted << key << meaning;
    QVERIFY(wanted.size() > 60);
    QCOMPARE(told, wanted);
    QCOMPARE(sheet->findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);  // all of them in sight
    QVERIFY(sheet->columns()[0]->hasFocus());
    QTest::keyClick(sheet->columns()[0], Qt::Key_Down);
    QVERIFY(sheet->isVisible());
    QTest::keyClick(sheet->columns()[0], Qt::Key_Escape);
    QVERIFY(!sheet->isVisible());
    QCOMPARE(QApplication::focusWidget(), before);
}

/// Not by the step that it would undo now.
void AccessibilityTest::aKeyIsCalledByWhatItAlwaysDoes()
{
    m_window->document().editOnce(QStringLiteral("Lesson"), [](Scenario& scenario) { scenario.temperature = 3; });
    QMap<QString, QString> meanings;
    for (const auto& [key, meaning] : m_window->findChild<ShortcutsOverlay*>()->keys())
        meanings.insert(key, meaning);
    QCOMPARE(meanings.value("Ctrl+Z"), QString("Undo"));
    QCOMPARE(meanings.value("Ctrl+Shift+Z"), QString("Redo"));
}

namespace {

QString nameOf(const QWidget* control)
{
    return QStringLiteral("%1 '%2'").arg(control ? control->metaObject()->className() : "nothing",
                                         control ? control->accessibleName() : QString());
}

/// In sight, or scrolled out of it, and meant for the keyboard; not in a panel that lies behind another one.
bool isForKeys(const QWidget& control)
{
    if ((control.focusPolicy() & Qt::TabFocus) != Qt::TabFocus || control.focusProxy() || !control.isEnabled() ||
        !control.isVisible() || control.isWindow())
        return false;
    for (const QWidget* around = &control; around; around = around->parentWidget())
        if (qobject_cast<const QDockWidget*>(around) && !around->parentWidget()->rect().intersects(around->geometry()))
            return false;
    return true;
}

}  // namespace

void AccessibilityTest::tabGoesRound_data()
{
    QTest::addColumn<QString>("workspace");
    for (const Workspace& each : workspaces())
        QTest::addRow("%s", each.id.c_str()) << QString::fromStdString(each.id);
}

/// From each control to every other one and back to it.
void AccessibilityTest::tabGoesRound()
{
    QFETCH(const QString, workspace);
    m_window->setWorkspace(workspace);
    m_window->messages().hide();
    QTest::qWait(200);
    QWidget& window = *m_window;
    QSet<QWidget*> wanted;
    for (QWidget* one : window.findChildren<QWidget*>())
        if (isForKeys(*one))
            wanted << one;
    QVERIFY(wanted.size() > 1);
    QWidget* first = *wanted.begin();
    first->setFocus(Qt::TabFocusReason);
    QCOMPARE(QApplication::focusWidget(), first);
    for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
        QSet<QWidget*> met;
        QWidget* at = first;
        do {
            const Qt::KeyboardModifiers held = key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier;
            QTest::keyClick(at, key, held);
            constexpr int links = 2000;  // of a page, which Tab goes through first
            for (int i = 0; i < links && qobject_cast<QTextBrowser*>(at) && QApplication::focusWidget() == at; ++i)
                QTest::keyClick(at, key, held);
            QWidget* next = QApplication::focusWidget();
            QVERIFY2(next && next != at && !met.contains(next), qPrintable(nameOf(at) + " leads to " + nameOf(next)));
            met << (at = next);
        } while (at != first);
        for (const QWidget* one : wanted)
            QVERIFY2(met.contains(const_cast<QWidget*>(one)), qPrintable(nameOf(one) + " is passed by"));
    }
}

void AccessibilityTest::tabGoesThroughTheMapsAsTheyStand()
{
    HeatmapPanel& maps = m_window->explore().heatmaps();
    const auto afterTools = [&] {
        auto* tools = maps.findChild<MapTools*>();
        QList<QWidget*> met;
        QWidget* at = tools->findChildren<QToolButton*>().back();
        at->setFocus(Qt::TabFocusReason);
        for (QTest::keyClick(at, Qt::Key_Tab); maps.isAncestorOf(QApplication::focusWidget()) && met.size() < 20;
             QTest::keyClick(at, Qt::Key_Tab))
            met << (at = QApplication::focusWidget());
        return met;
    };
    const auto wanted = [&] {
        QList<QWidget*> all;
        for (HeatmapTile* tile : maps.tiles())
            all << tile->heading() << tile->plot();
        if (const DifferenceTile* difference = maps.difference())
            all << difference->heading() << difference->side(0) << difference->side(1) << difference->plot();
        return all;
    };
    QCOMPARE(maps.tiles().size(), 3U);
    QVERIFY(maps.difference());
    QCOMPARE(afterTools(), wanted());
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods.push_back({"su_kappa", {}, {}});  // a tile that is made after the difference
    });
    QVERIFY(settle(*m_window));
    QCOMPARE(maps.tiles().size(), 4U);
    QCOMPARE(afterTools(), wanted());
    QVERIFY2(m_window->explore().dock(QStringLiteral("scenario"))->isAncestorOf(QApplication::focusWidget()),
             qPrintable(nameOf(QApplication::focusWidget())));
}

/// Not that a click did, and not in pictures of it.
void AccessibilityTest::aViewShowsThatAKeyBroughtTheKeyboard()
{
    HeatmapPlot* map = m_window->explore().heatmaps().tiles().front()->plot();
    ChartView* chart = m_window->explore().entropy().chart();
    map->setFocus(Qt::MouseFocusReason);
    QVERIFY(!map->focusFrame().isShown());
    const QImage before = map->grab().toImage();
    map->setFocus(Qt::OtherFocusReason);
    chart->setFocus(Qt::TabFocusReason);
    QVERIFY(chart->focusFrame().isShown());
    map->setFocus(Qt::BacktabFocusReason);
    QVERIFY(map->focusFrame().isShown() && !chart->focusFrame().isShown());
    QCOMPARE(map->grab().toImage(), before);
    QFocusEvent away(QEvent::FocusOut, Qt::ActiveWindowFocusReason);
    QApplication::sendEvent(map, &away);
    QVERIFY(map->focusFrame().isShown());  // once the window is in front again
    map->clearFocus();
    QVERIFY(!map->focusFrame().isShown());
}

QTEST_MAIN(AccessibilityTest)
#include "accessibility_test.moc"
