// Which rows count is one switch with its word beside every number; panels keep their share; what is said floats.
#include "tests/ui/window_support.h"

#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/tool_tips.h"
#include "ui/workbench/document.h"
#include "ui/figure/counted_rows.h"
#include "ui/explore/map_tools.h"
#include "ui/explore/statistics_view.h"
#include "ui/plot/qt_text.h"
#include "ui/window/workspaces.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

using namespace attnscope;
using namespace attnscope::testing;

class RowsAndRoomTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void whatACurveIsStandsBesideItsMeasure();
    void oneSwitchGovernsAllNumbers();
    void theSwitchIsThereWhereRowsDiffer();
    void nothingIsSaidToBeExactWithoutALine();
    void tableSaysHowFarTheEntropyIsFromThatOfN();
    void columnsWithoutRoomLeaveWhole();
    void noRowIsCut();
    void whatHasLeftIsCounted();
    void compareHasRoomForItsRows();
    void panelsKeepTheirShare();
    void chartsGiveWayToSmallMapsUntilTheyAreSetByHand();
    void settingsOfCustomFit();
    void whatIsOpenedIsInSight();
    void whatIsShownStandsAtItsTop();
    void messagesMoveNothing();
    void anErrorCoversNoControl();
    void whatIsDoneGoesByItself();
    void theWelcomeGoesOnceItIsFollowed();
    void toolTipsHaveShortLines_data();
    void toolTipsHaveShortLines();
    void aHeadingsTipCoversNoNumbers();

private:
    Document& document() { return m_window->document(); }
    MapTools& tools() { return *m_window->explore().heatmaps().findChild<MapTools*>(); }
    QDockWidget* dock(const char* name) { return m_window->explore().dock(QString::fromLatin1(name)); }
    void choose(const QString& rows);
    double tableSays(int column) const;
    QString tablesRows();
    std::unique_ptr<MainWindow> m_window;
};

void RowsAndRoomTest::init()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
}

void RowsAndRoomTest::choose(const QString& rows)
{
    tools().rows()->setCurrentIndex(tools().rows()->findText(sentence(rows)));
    emit tools().rows()->activated(tools().rows()->currentIndex());
    QVERIFY(settle(*m_window));
}

/// Of the first method.
double RowsAndRoomTest::tableSays(int column) const
{
    return m_window->explore().statistics().asText().split('\n')[1].section('\t', column, column).toDouble();
}

/// Beside the title of the table.
QString RowsAndRoomTest::tablesRows()
{
    for (const QLabel* label : dock("statistics")->titleBarWidget()->findChildren<QLabel*>())
        if (label->property("role") == QLatin1String("caption"))
            return label->accessibleName().section(u" \u00B7 "_s, 0, 0);
    return {};
}

void RowsAndRoomTest::oneSwitchGovernsAllNumbers()
{
    double before = 0;
    const QString all = QStringLiteral("all rows");
    for (const QString& rows : {lastQuarter, all}) {
        choose(rows);
        const AnalysisPtr& analysis = m_window->analyser().current();
        const double entropy = analysis->methods[0].entropy.mean;
        QTRY_VERIFY2(std::abs(tableSays(1) - entropy) < 1e-3, qPrintable(QString::number(tableSays(1))));
        QVERIFY(std::abs(entropy - before) > 1e-3);
        before = entropy;
        QCOMPARE(tablesRows(), rows);
        QVERIFY2(m_window->explore().entropy().said().contains(rows), qPrintable(m_window->explore().entropy().said()));
        QCOMPARE(tools().rows()->currentText(), sentence(rows));
        // the heading of the map: e to that entropy
        const HeatmapTile* tile = m_window->explore().heatmaps().tiles().front();
        QVERIFY(std::abs(tile->caption().section(' ', 0, 0).toDouble() / std::exp(entropy) - 1) < 0.01);
        // the curve at n = 64, which is one of its lengths, of the same rows
        const Curve& curve = analysis->methods[0].measured;
        const auto at = std::ranges::find(curve, 64.0, &CurvePoint::n);
        QVERIFY(at != curve.end());
        QVERIFY2(std::abs(at->value - entropy) < 1e-5,
                 qPrintable(QStringLiteral("%1, %2").arg(at->value).arg(entropy)));
    }
    QCOMPARE(document().undoName(), QStringLiteral("Rows that count"));
    document().undo();
    QVERIFY(document().scenario().view.rows == RowSet::Kind::SeeingAboutN);
}

void RowsAndRoomTest::theSwitchIsThereWhereRowsDiffer()
{
    QVERIFY(tools().rows()->isVisible());
    document().editOnce(QStringLiteral("Mask"), [](Scenario& now) { now.attention.mask = {"full", {}, {}}; });
    QVERIFY(settle(*m_window));
    QVERIFY(!tools().rows()->isVisible());
    QCOMPARE(tablesRows(), QStringLiteral("all rows"));  // each of them sees n keys
}

/// Theory has the mean of some measures, and of the others nothing.
void RowsAndRoomTest::nothingIsSaidToBeExactWithoutALine()
{
    for (const char* measure : {"shannon", "support", "shannon"}) {
        document().editOnce(QStringLiteral("Measure"), [&](Scenario& now) {
            now.source = {"gaussian", {}, {}};
            now.view.measure = {measure, {}, {}};
        });
        QVERIFY(settle(*m_window));
        const bool hasLine = !m_window->analyser().current()->methods[0].exact.empty();
        QCOMPARE(hasLine, std::string(measure) == "shannon");
        QCOMPARE(m_window->explore().entropy().said().contains(QStringLiteral("exact")), hasLine);
    }
}

void RowsAndRoomTest::tableSaysHowFarTheEntropyIsFromThatOfN()
{
    const auto trained = m_window->analyser().current()->methods[0].entropyAtTrained;
    QVERIFY(trained);
    StatisticsView& table = m_window->explore().statistics();
    QCOMPARE(table.horizontalHeaderItem(2)->text(), QStringLiteral("H \u2212 H(N)"));
    QVERIFY(std::abs(tableSays(2) - (m_window->analyser().current()->methods[0].entropy.mean - *trained)) < 1e-2);
    table.sortItems(2);  // by size, whatever the sign
    double before = 0;
    for (int row = 0; row < table.rowCount(); ++row) {
        const double size = std::abs(table.item(row, 2)->text().replace(u'\u2212', u'-').toDouble());
        QVERIFY(size >= before);
        before = size;
    }
}

/// The panel of the table never scrolls sideways and cuts nothing; what has left is in the tip of its row, in the
/// caption's, and in what is copied, and comes back where there is room.
void RowsAndRoomTest::columnsWithoutRoomLeaveWhole()
{
    StatisticsView& table = m_window->explore().statistics();
    const QStringList all = table.asText().section('\n', 0, 0).split('\t');
    QCOMPARE(all.size(), 12);
    const auto shown = [&] {
        int count = 0, right = 0;
        for (int column = 0; column < table.columnCount(); ++column)
            if (!table.isColumnHidden(column)) {
                ++count;
                right = table.columnViewportPosition(column) + table.columnWidth(column);
                const QFontMetrics letters(table.font());
                for (int row = 0; column > 0 && row < table.rowCount(); ++row)
                    if (letters.horizontalAdvance(table.item(row, column)->text()) + 9 > table.columnWidth(column))
                        return -1;
            }
        return right <= table.viewport()->width() && !table.horizontalScrollBar()->isVisible() ? count : -1;
    };
    QVERIFY2(shown() >= 5, qPrintable(QString::number(shown())));
    QVERIFY(!table.isColumnHidden(int(all.indexOf(u"m for H(N)"_s))));
    QCOMPARE(table.columnsThatLeft(), all.mid(shown()));
    const auto* caption = table.caption()->findChild<ElidedLabel*>();
    auto* more = table.caption()->findChild<QToolButton*>();
    QVERIFY(caption->text().endsWith(lastQuarter) && more->isVisible());
    QCOMPARE(more->text(), u"%1 more"_s.arg(all.size() - shown()));
    more->click();
    QVERIFY(table.columnsThatLeft().isEmpty() && !table.isColumnHidden(int(all.size()) - 1));
    QTRY_VERIFY(table.horizontalScrollBar()->isVisible());
    more->click();
    QCOMPARE(table.columnsThatLeft(), all.mid(shown()));
    more->click();
    m_window->resize(1900, m_window->height());
    m_window->explore().resizeDocks({dock("statistics")}, {1000}, Qt::Horizontal);
    QTRY_COMPARE(shown(), int(all.size()));
    QTRY_VERIFY2(!more->isVisible() && !more->isChecked(), "where all have room nothing offers fewer");
    m_window->explore().resizeDocks({dock("statistics")}, {366}, Qt::Horizontal);
    QTRY_VERIFY(more->isVisible() && more->text().endsWith(u" more"));

    const QRect cell = table.visualItemRect(table.item(1, 1));
    QHelpEvent help(QEvent::ToolTip, cell.center(), table.viewport()->mapToGlobal(cell.center()));
    QApplication::sendEvent(table.viewport(), &help);
    for (const QString& left : table.columnsThatLeft())
        QVERIFY2(QToolTip::text().contains(left + u": "_s), qPrintable(left));
    QToolTip::hideText();

    for (const int wide : {220, 300, 366, 500, 1000}) {
        m_window->explore().resizeDocks({dock("statistics")}, {wide}, Qt::Horizontal);
        QTest::qWait(20);
        QTRY_VERIFY2(shown() >= 2, qPrintable(QString::number(wide)));
        for (int row = 0; row < table.rowCount(); ++row)
            QVERIFY2(QFontMetrics(table.font()).horizontalAdvance(table.item(row, 0)->text()) + swatchSize.width() <
                         table.columnWidth(0),
                     "a number leaves before a name is cut");
        QCOMPARE(table.asText().section('\n', 0, 0).split('\t'), all);
    }
    QTRY_COMPARE(shown(), int(all.size()));
    QTRY_VERIFY(!more->isVisible());
}

/// Of four methods in a panel that is low: closer together, or as many as are whole.
void RowsAndRoomTest::noRowIsCut()
{
    document().editOnce(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}, {"log_n", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    StatisticsView& table = m_window->explore().statistics();
    int heights = 0;
    for (const int high : {150, 165, 180, 240}) {
        m_window->explore().resizeDocks({dock("statistics")}, {high}, Qt::Vertical);
        QTest::qWait(30);
        const int row = table.verticalHeader()->defaultSectionSize(), room = table.viewport()->height(),
                  whole = std::min(4, room / row);
        QVERIFY2(whole == 4 || room - whole * row < 2 * whole,
                 qPrintable(QStringLiteral("rows of %1 in %2").arg(row).arg(room)));
        heights |= 1 << whole;
    }
    QVERIFY(heights & 1 << 4);
}

/// In a narrow panel too.
void RowsAndRoomTest::whatHasLeftIsCounted()
{
    m_window->resize(1280, 720);
    m_window->resetLayout();
    dock("statistics")->raise();
    QTest::qWait(50);
    const qsizetype left = m_window->explore().statistics().columnsThatLeft().size();
    QVERIFY(left > 0);
    const auto* more = m_window->explore().statistics().caption()->findChild<QToolButton*>();
    QVERIFY(more->isVisible() && more->width() >= more->sizeHint().width());
    QCOMPARE(more->text(), u"%1 more"_s.arg(left));
}

/// Of four methods and a pin all eight, until somebody has said how high it is; maps stay large in a low window.
void RowsAndRoomTest::compareHasRoomForItsRows()
{
    document().editOnce(QStringLiteral("Methods"), [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}, {"log_n", {}, {}}};
    });
    m_window->resize(1600, 1000);
    m_window->resetLayout();
    QVERIFY(settle(*m_window));
    StatisticsView& table = m_window->explore().statistics();
    const auto rowsInSight = [&] { return table.viewport()->height() / table.verticalHeader()->defaultSectionSize(); };
    QTRY_COMPARE(table.rowCount(), 4);
    QTRY_VERIFY(rowsInSight() >= 4);
    document().editPins(QStringLiteral("Pins"), [&](std::vector<Scenario>& pins) {
        pins.push_back(document().scenario());
        pins.back().n = 32;
    });
    QTRY_COMPARE(table.rowCount(), 8);
    QTRY_VERIFY2(rowsInSight() >= 8, qPrintable(QString::number(table.viewport()->height())));
    m_window->resize(1280, 720);
    m_window->resetLayout();
    dock("statistics")->raise();
    QTRY_VERIFY2(rowsInSight() >= 8, qPrintable(QString::number(table.viewport()->height())));
    for (const HeatmapTile* tile : m_window->explore().heatmaps().tiles())
        QVERIFY(tile->plot()->frame().height() > 100);
}

/// A window that was small for a moment is as it was.
void RowsAndRoomTest::panelsKeepTheirShare()
{
    QTest::qWait(20);
    std::vector<std::pair<QDockWidget*, QSize>> before;
    for (const char* name : {"scenario", "methods", "entropy", "dispersion", "statistics"})
        before.emplace_back(dock(name), dock(name)->size());
    for (const QSize size : {QSize(1100, 700), QSize(1000, 650), QSize(1600, 1000)}) {
        m_window->resize(size);
        QVERIFY(settle(*m_window));
        QTest::qWait(50);  // what its contents make of it is laid out too
    }
    for (const auto& [one, size] : before)
        QVERIFY2((one->size() - size).width() * (one->size() - size).width() <= 36 &&
                     std::abs(one->height() - size.height()) <= 12,
                 qPrintable(QStringLiteral("%1: %2 x %3, was %4 x %5")
                                .arg(one->objectName())
                                .arg(one->width())
                                .arg(one->height())
                                .arg(size.width())
                                .arg(size.height())));
}

void RowsAndRoomTest::chartsGiveWayToSmallMapsUntilTheyAreSetByHand()
{
    m_window->resize(1280, 720);
    m_window->resetLayout();
    QTest::qWait(20);
    const int wide = dock("entropy")->width();
    methodRow(*m_window, QStringLiteral("Log n"))->tick()->click();
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(dock("entropy")->width() < wide);
    methodRow(*m_window, QStringLiteral("Log n"))->tick()->click();
    QVERIFY(settle(*m_window));
    QTRY_COMPARE(dock("entropy")->width(), wide);  // what it took comes back with it
    methodRow(*m_window, QStringLiteral("Log n"))->tick()->click();
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(dock("entropy")->width() < wide);
    const int narrow = dock("entropy")->width();
    const QPoint line(dock("entropy")->x() - 3, m_window->explore().height() / 2);  // the line before the charts
    QTest::mousePress(&m_window->explore(), Qt::LeftButton, {}, line);
    QTest::mouseMove(&m_window->explore(), line - QPoint(30, 0));
    QTest::qWait(20);  // it follows the pointer when there is time
    QTest::mouseRelease(&m_window->explore(), Qt::LeftButton, {}, line - QPoint(30, 0));
    QTRY_VERIFY(dock("entropy")->width() > narrow);
    const int byHand = dock("entropy")->width();
    methodRow(*m_window, QStringLiteral("Log n"))->tick()->click();
    QVERIFY(settle(*m_window));
    QTest::qWait(20);
    QCOMPARE(dock("entropy")->width(), byHand);
}

void RowsAndRoomTest::settingsOfCustomFit()
{
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
        m_window->resize(size);
        m_window->resetLayout();
        MethodRow* row = methodRow(*m_window, QStringLiteral("Custom"));
        if (!row->tick()->isChecked())
            row->tick()->click();
        row->openParameters();
        QTest::qWait(20);
        QWidget* room = m_window->explore().methods().parentWidget();  // what scrolls
        QVERIFY2(m_window->explore().methods().minimumSizeHint().width() <= room->width(),
                 qPrintable(QStringLiteral("%1 in %2")
                                .arg(m_window->explore().methods().minimumSizeHint().width())
                                .arg(room->width())));
        QVERIFY(row->swatch()->mapTo(room, QPoint(row->swatch()->width(), 0)).x() <= room->width());
    }
}

/// The settings of the last method that the list shows, and of a choice at the end of its panel.
void RowsAndRoomTest::whatIsOpenedIsInSight()
{
    const auto opens = [](QToolButton* tune, QWidget* whole) {
        QScrollArea* area = nullptr;
        for (QWidget* around = whole->parentWidget(); around && !area; around = around->parentWidget())
            area = qobject_cast<QScrollArea*>(around);
        if (!area)
            return false;
        QScrollBar* bar = area->verticalScrollBar();
        bar->setValue(std::max(0, whole->mapTo(area->widget(), QPoint(0, tune->height())).y() + 12 -
                                      area->viewport()->height()));  // its line is the last in sight
        if (tune->visibleRegion().isEmpty())
            return false;
        QTest::mouseClick(tune, Qt::LeftButton);
        return QTest::qWaitFor(
            [&] {
                return area->viewport()->rect().contains(
                    QRect(whole->mapTo(area->viewport(), QPoint()), whole->size()));
            },
            1000);
    };
    methodRow(*m_window, QStringLiteral("Custom"))->tick()->setChecked(true);
    QVERIFY(settle(*m_window));
    MethodRow* custom = methodRow(*m_window, QStringLiteral("Custom"));
    QTRY_VERIFY(custom->tune()->isVisible());
    QVERIFY2(custom->tune()->isChecked(), "there is nothing to type in");  // what one types opens by itself
    custom->tune()->click();
    QVERIFY(opens(custom->tune(), custom));
    for (ChoiceControl* choice : m_window->explore().scenario().findChildren<ChoiceControl*>())
        for (QToolButton* tune : choice->findChildren<QToolButton*>())
            if (tune->isVisible() && tune->isCheckable() && !tune->isChecked())
                QVERIFY2(opens(tune, choice), qPrintable(tune->accessibleName()));
}

/// Where nobody opened anything, nothing has moved: at the first sight, in each workspace, and after another scenario
/// came whose settings are open.
void RowsAndRoomTest::whatIsShownStandsAtItsTop()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    const auto allAtTop = [&] {
        QTest::qWait(80);  // longer than what is opened takes to come into sight
        for (const QScrollArea* area : m_window->findChildren<QScrollArea*>())
            if (area->isVisible() && area->verticalScrollBar()->value() != 0)
                return false;
        return true;
    };
    QVERIFY(allAtTop());
    for (const auto& workspace : workspaces()) {
        m_window->setWorkspace(QString::fromStdString(workspace.id));
        QVERIFY2(allAtTop(), workspace.id.c_str());
    }
    m_window->setWorkspace(QString::fromStdString(workspaces().front().id));
    document().edit(QStringLiteral("Normaliser"), [](Scenario& scenario) {
        scenario.attention.normaliser = {"sink", {}, {}};
    });
    QVERIFY(settle(*m_window));
    QVERIFY(allAtTop());
}

void RowsAndRoomTest::messagesMoveNothing()
{
    const auto places = [&] {
        QList<QRect> all;
        for (QWidget* widget : m_window->findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == m_window.get() &&
                !m_window->messages().isAncestorOf(widget) && widget != &m_window->messages())
                all << QRect(widget->mapTo(m_window.get(), QPoint()), widget->size());
        return all;
    };
    const QList<QRect> before = places();
    for (const auto kind : {MessageBar::Kind::Note, MessageBar::Kind::Error}) {
        m_window->messages().say(kind, QStringLiteral("run `attnscope figure x`, then look"),
                                 {{QStringLiteral("Do"), QStringLiteral("It"), [] {}}});
        QTest::qWait(5);
        QVERIFY(m_window->messages().isVisible());
        QCOMPARE(m_window->messages().message(), QStringLiteral("run \u201Cattnscope figure x\u201D, then look"));
        QCOMPARE(places(), before);
        QVERIFY(m_window->rect().contains(m_window->messages().geometry()));
    }
    m_window->resize(1300, 800);
    QTest::qWait(5);
    QVERIFY(m_window->rect().contains(m_window->messages().geometry()));
    m_window->messages().say(MessageBar::Kind::Error, QString(600, QLatin1Char('w')).replace(50, 1, QLatin1Char(' ')));
    QVERIFY(m_window->rect().contains(m_window->messages().geometry()));
}

/// One of several lines stays until it is closed: the page ends above it.
void RowsAndRoomTest::anErrorCoversNoControl()
{
    m_window->resize(1280, 720);
    QTest::qWait(20);
    const auto foot = [this] {
        return m_window->explore().mapTo(m_window.get(), m_window->explore().rect().bottomLeft()).y();
    };
    const int before = foot();
    m_window->messages().say(MessageBar::Kind::Error, QStringLiteral("the file is cut short ").repeated(12));
    QVERIFY(m_window->messages().y() < before);
    QTRY_VERIFY(foot() < m_window->messages().y());
    m_window->messages().hide();
    QTRY_COMPARE(foot(), before);
}

void RowsAndRoomTest::whatIsDoneGoesByItself()
{
    MessageBar& bar = m_window->messages();
    bar.say(MessageBar::Kind::Done, QStringLiteral("Saved"));
    QVERIFY(bar.isVisible() && bar.property("kind") == QLatin1String("done"));
    QTRY_VERIFY(!bar.isVisible());
    const auto goes = [&bar] {
        return std::ranges::any_of(bar.findChildren<QTimer*>(), [](const QTimer* timer) { return timer->isActive(); });
    };
    bar.say(MessageBar::Kind::Note, QStringLiteral("A pin was removed"));
    QVERIFY(goes());
    bar.stay();
    QVERIFY(!goes());
    bar.say(MessageBar::Kind::Note, QStringLiteral("A run was stopped"),
            {{QStringLiteral("Resume"), QStringLiteral("Go on with it"), [] {}}});
    QVERIFY2(!goes(), "what waits for an answer stays");
    bar.say(MessageBar::Kind::Note, QStringLiteral("A pin was removed"));
    QVERIFY(goes());
    bar.say(MessageBar::Kind::Error, QStringLiteral("The disk is full"));
    QVERIFY2(!goes() && bar.isVisible(), "what is wrong stays");
}

/// It asks for a drag of n: another change leaves it, and so does another message.
void RowsAndRoomTest::theWelcomeGoesOnceItIsFollowed()
{
    MessageBar& messages = m_window->messages();
    welcome(*m_window);
    QVERIFY(messages.message().startsWith("Drag n"));
    document().edit("Temperature", [](Scenario& edited) { edited.temperature = 2; });
    QVERIFY(messages.isVisible());
    document().edit("Length n", [](Scenario& edited) { edited.n = 128; });
    QVERIFY(!messages.isVisible());
    messages.say(MessageBar::Kind::Note, "Another");
    document().edit("Length n", [](Scenario& edited) { edited.n = 64; });
    document().edit("Length n", [](Scenario& edited) { edited.n = 256; });
    QVERIFY(messages.isVisible());
}

void RowsAndRoomTest::toolTipsHaveShortLines_data()
{
    QTest::addColumn<QString>("tip");
    QTest::addRow("plain") << QString(QStringLiteral("a word and another one ")).repeated(20).trimmed();
    QTest::addRow("lines") << QStringLiteral("short\n") + QString(QStringLiteral("word ")).repeated(40) +
                                  QStringLiteral("\nend");
    QTest::addRow("one word") << QString(90, QLatin1Char('x'));
    QTest::addRow("short") << QStringLiteral("Hide the message");
}

void RowsAndRoomTest::toolTipsHaveShortLines()
{
    QFETCH(QString, tip);
    const QString wrapped = wrappedTip(tip);
    for (const QString& line : wrapped.split(QLatin1Char('\n')))
        QVERIFY2(line.trimmed().size() <= lettersInALine || !line.trimmed().contains(QLatin1Char(' ')),
                 qPrintable(line));
    QCOMPARE(wrapped.simplified(), tip.simplified());
    QCOMPARE(wrappedTip(wrapped), wrapped);
    const QString html = QStringLiteral("<b>%1</b>").arg(tip);  // broken where it is shown
    QCOMPARE(wrappedTip(html), html);
}

void RowsAndRoomTest::aHeadingsTipCoversNoNumbers()
{
    StatisticsView& table = m_window->explore().statistics();
    QHeaderView* header = table.horizontalHeader();
    const QPoint at(header->sectionViewportPosition(1) + 5, header->height() / 2);
    const QPoint there = header->viewport()->mapToGlobal(at);
    QCursor::setPos(there);
    QHelpEvent help(QEvent::ToolTip, at, there);
    QApplication::sendEvent(header->viewport(), &help);
    QVERIFY(QToolTip::isVisible());
    wrapShownTip();
    const QWidget* tip = nullptr;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->inherits("QTipLabel") && window->isVisible())
            tip = window;
    QVERIFY(tip);
    QVERIFY2(tip->geometry().bottom() < header->mapToGlobal(QPoint()).y(), qPrintable(QToolTip::text()));
    QToolTip::hideText();
}

/// Where there is room, else below it; cut it is nowhere.
void RowsAndRoomTest::whatACurveIsStandsBesideItsMeasure()
{
    const auto captionOf = [this] {
        for (auto* label : m_window->explore().entropy().findChildren<ElidedLabel*>())
            return label;
        return static_cast<ElidedLabel*>(nullptr);
    };
    const auto beside = [&] {
        const QRect measure = m_window->explore().entropy().measure()->geometry(), words = captionOf()->geometry();
        return words.left() > measure.right() && words.center().y() < measure.bottom();
    };
    QTRY_VERIFY(beside());
    QCOMPARE(captionOf()->shown(), QStringLiteral("measured, last quarter of rows"));
    for (const QSize size : {QSize(1280, 720), QSize(1052, 521)}) {
        m_window = smallWindow(size);
        QVERIFY(m_window);
        m_window->openShippedHeads(QStringLiteral("stories"));
        QTRY_VERIFY(m_window->document().scenario().ofFile());
        QVERIFY(settle(*m_window));
        QTest::qWait(100);
        QVERIFY(!beside());
        QVERIFY2(!captionOf()->shown().endsWith(QChar(0x2026)), qPrintable(captionOf()->shown()));
    }
}

QTEST_MAIN(RowsAndRoomTest)
#include "rows_and_room_test.moc"
