// What a screen reader is told: texts and numbers as they are shown, what goes wrong as it happens, and the keys as a
// table.
#include "tests/ui/window_support.h"

#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/shortcuts_overlay.h"

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QTextDocument>

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

QTEST_MAIN(AccessibilityTest)
#include "accessibility_test.moc"
