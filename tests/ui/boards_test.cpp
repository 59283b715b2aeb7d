// The scoreboard and sweeps in the Labs workspace: a user's run joins those that come with the program, cells are read
// in words and lead to the run behind them; a sweep's folder opens, is drawn by the columns chosen, and grows while it
// is looked at.
#include "tests/ui/window_support.h"

#include "core/labs/lab_record.h"
#include "ui/figure/figure.h"
#include "ui/figure/lab_charts.h"
#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"
#include "ui/labs/board_words.h"
#include "ui/labs/board_view.h"
#include "ui/labs/lab_page.h"
#include "ui/labs/lab_sections.h"
#include "ui/labs/scoreboard_page.h"
#include "ui/labs/sweep_page.h"
#include "ui/window/palette_entries.h"
#include "ui/widgets/copy_data.h"
#include "ui/figures/export_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QSettings>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolTip>
#include <QApplication>
#include <QTemporaryDir>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// One network that finds 80 % at N and 40 % at 2 N with vanilla; at 2 N log_n finds 52.5 %.
void writeBoardRun(const QString& folder)
{
    QDir().mkpath(folder);
    LabRecord record{
        .choice = *parseChoice(std::string_view("masked-lm:layers=3"), labs(), "lab"), .fraction = 1, .finished = true};
    const auto add = [&](double ratio, const char* method, double accuracy, double entropy, LabValue p) {
        record.rows.push_back({"quality",
                               {{"seed", std::int64_t{1}},
                                {"trained", std::string("vanilla")},
                                {"n", static_cast<std::int64_t>(64 * ratio)},
                                {"n_over_train", ratio},
                                {"method", std::string(method)},
                                {"positions", std::string("rope")},
                                {"accuracy", accuracy},
                                {"entropy_mean", entropy},
                                {"accuracy_p", p},
                                {"windows", std::int64_t{8}}}});
    };
    add(1, "vanilla", 0.8, 2, {});
    add(2, "vanilla", 0.4, 3, {});
    add(2, "log_n", 0.525, 1, 0.004);
    QVERIFY(saveRecord(folder.toStdString(), record));
}

/// Two networks; at 2 N log_n finds 52.5 and 50 %, softmax_plus 48.5 and 44 %: 4 and 6 points between them.
void writeTwoNetworks(const QString& folder)
{
    QDir().mkpath(folder);
    LabRecord record{
        .choice = *parseChoice(std::string_view("masked-lm:layers=3"), labs(), "lab"), .fraction = 1, .finished = true};
    const auto add = [&](std::int64_t seed, double ratio, const char* method, double accuracy) {
        record.rows.push_back({"quality",
                               {{"seed", seed},
                                {"trained", std::string("vanilla")},
                                {"n", static_cast<std::int64_t>(64 * ratio)},
                                {"n_over_train", ratio},
                                {"method", std::string(method)},
                                {"positions", std::string("rope")},
                                {"accuracy", accuracy},
                                {"entropy_mean", 2.0},
                                {"windows", std::int64_t{8}}}});
    };
    for (const std::int64_t seed : {1, 2}) {
        add(seed, 1, "vanilla", 0.8);
        add(seed, 2, "vanilla", 0.4);
        add(seed, 2, "log_n", seed == 1 ? 0.525 : 0.5);
        add(seed, 2, "softmax_plus", seed == 1 ? 0.485 : 0.44);
    }
    QVERIFY(saveRecord(folder.toStdString(), record));
}

const std::string taskOfRun = "hidden tokens found, rope (layers=3)";

struct BoardDesk {
    QTemporaryDir folder;
    Workbench bench;
    Document& document = bench.document;
    MessageBar messages;
    QString root = folder.filePath(QStringLiteral("labs"));
    std::unique_ptr<LabPage> page;

    explicit BoardDesk(bool withRun = true)
    {
        if (withRun)
            writeBoardRun(root + QStringLiteral("/masked-lm 1"));
        page = std::make_unique<LabPage>(bench, messages, root);
        page->resize(1200, 800);
        page->show();
    }
    ScoreboardPage& board() { return page->scoreboard(); }
    bool showBoard()
    {
        page->showScoreboard();
        return QTest::qWaitFor([this] { return board().isSettled(); }, patience);
    }
    /// With the user's runs, whose owner says so.
    bool showWholeBoard()
    {
        if (!showBoard())
            return false;
        for (int run = 1; run < board().runList().topLevelItemCount(); ++run)
            board().runList().topLevelItem(run)->setCheckState(0, Qt::Checked);
        return QTest::qWaitFor([this] { return board().isSettled(); }, patience);
    }
    void setLength(double ratio)
    {
        QComboBox& list = board().lengths();
        list.setCurrentIndex(list.findData(ratio));
        emit list.activated(list.currentIndex());
    }
    /// The middle of a cell in the table, which is scrolled into sight, or nothing.
    QPointF placeOf(const char* method, const std::string& task, double ratio)
    {
        const BoardTable& table = board().table().table();
        const auto row = std::ranges::find(table.methods, method);
        const auto place = std::ranges::find(table.places, BoardTable::Place{task, ratio});
        if (row == table.methods.end() || place == table.places.end())
            return {};
        const BoardView::Spot spot{static_cast<std::size_t>(row - table.methods.begin()),
                                   static_cast<std::size_t>(place - table.places.begin())};
        board().table().bringIntoSight(spot);
        return board().table().cell(spot).center();
    }
};

bool writeText(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// d 16 and 32, three seeds; vanilla has d + seed at n = 8, and twice that at n = 64.
QByteArray journalOf(int tasks)
{
    QByteArray journal;
    for (int task = 0; task < tasks; ++task) {
        const int d = task < 3 ? 16 : 32, value = d + task % 3 + 1;
        journal += QStringLiteral("{\"task\": %1, \"seconds\": 1, \"error\": \"\", \"rows\": "
                                  "\"n,method,value\\n8,vanilla,%2.5\\n64,vanilla,%3\\n\"}\n")
                       .arg(task)
                       .arg(value)
                       .arg(2 * value + 1)
                       .toUtf8();
    }
    return journal;
}

const QByteArray sweepSpec =
    R"({"schema": "attnscope_sweep/1", "command": "entropy", "options": {"d": [16, 32], "seed": {"from": 1, "count": 3}}})";

bool settled(SweepPage& page)
{
    return QTest::qWaitFor([&] { return page.isSettled(); }, patience);
}

}  // namespace

class TestBoards : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void usersRunsJoin();
    void cellsAreReadInWords();
    void aCellIsHeldAgainstAnotherMethod();
    void aCellIsReadFromItsBeginning();
    void cellsArePaintedWhereTheyAreRead();
    void theLeftColumnHasOneEdge();
    void theColoursHaveAKey();
    void keysMoveAndPointsFollow();
    void vanillaStaysBelowTheHeadings();
    void theCellPointedAtIsSeen();
    void aClickLeadsToTheRun();
    void aRunThatComesMeanwhileIsRead();
    void labsAreALineEach();
    void aRemovedRunIsNoLongerTicked();
    void untickedRunsAreLeftOut();
    void theTableIsCopied();
    void figuresOfTheBoard();
    void paletteLeadsToTheBoard();
    void legendsHaveTheRegistrysNames();
    void severalNetworksAreOneLine();
    void referencesDifferInTheirDashes();
    void howItIsComputedStandsBesideTheTable();
    void sweepIsDrawn();
    void sweepGrows();
    void hostileSweepsAreSaid();
    void windowOpensSweeps();
};

void TestBoards::usersRunsJoin()
{
    BoardDesk desk;
    QVERIFY(!desk.board().board());  // nothing is read before it is looked at
    QVERIFY(desk.showBoard());
    QVERIFY2(!desk.board().board()->find(taskOfRun, "log_n", 2), "it counts before its owner says so");
    QVERIFY(desk.showWholeBoard());
    const BoardCell* cell = desk.board().board()->find(taskOfRun, "log_n", 2);
    QVERIFY(cell && std::abs(cell->gain - 12.5) < 1e-9);
    QVERIFY(desk.board().board()->tasks.size() > 5);
    QCOMPARE(desk.board().runList().topLevelItemCount(), 2);
    QVERIFY(desk.board().runList().topLevelItem(1)->text(0).startsWith("A masked language model 1: "));
    QCOMPARE(desk.board().lengths().currentData().toDouble(), 16.0);
    writeBoardRun(desk.root + QStringLiteral("/masked-lm 2"));
    desk.board().refresh();
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    QCOMPARE(desk.board().runList().topLevelItemCount(), 3);
}

void TestBoards::cellsAreReadInWords()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    desk.setLength(2);
    hover(&desk.board().table(), desk.placeOf("log_n", taskOfRun, 2));
    const QString said = desk.board().said();
    for (const char* part : {"Log n at n = 2", " = 128", "Hidden tokens found, RoPE, layers = 3", "Accuracy: 52.5",
                             "Vanilla 40", "12.5 points better", "p = 0.004", "8 windows", "1 nats", "50"})
        QVERIFY2(said.contains(unbroken(QLatin1String(part))),
                 qPrintable(said + QLatin1String(" has no ") + QLatin1String(part)));
    QVERIFY2(!said.contains(QLatin1String(" = ")), "an equation may be broken in two lines");
    QCOMPARE(desk.board().table().accessibleDescription(), said);
    std::set<int> feet;  // of the buttons at the left and of those at the right
    for (const QPushButton* button : desk.page->findChildren<QPushButton*>())
        if (button->isVisible())
            feet.insert(button->mapTo(desk.page.get(), QPoint(0, button->height())).y());
    QCOMPARE(feet.size(), std::size_t(1));
    QVERIFY(desk.board().command().startsWith(QLatin1String("attnscope lab 'masked-lm:layers=3")));
    desk.board().copyButton().click();
    QCOMPARE(QGuiApplication::clipboard()->text(), desk.board().command());
    hover(&desk.board().table(), desk.placeOf("vanilla", taskOfRun, 2));
    QVERIFY(desk.board().said().contains(QLatin1String("Accuracy: 40")) &&
            !desk.board().said().contains(QLatin1String("better")));
    hover(&desk.board().table(), desk.placeOf("yarn", taskOfRun, 2));
    QVERIFY(desk.board().said().contains(QLatin1String("No run has tested this")));
    QVERIFY(!desk.board().copyButton().isEnabled());
}

/// Network by network, and by Student's paired t-test: of 4 and 6 the mean is 5 and its error 1, t = 5, and with one
/// degree of freedom p = 1 - 2 atan(t) / pi = 0.126.
void TestBoards::aCellIsHeldAgainstAnotherMethod()
{
    BoardDesk desk(false);
    writeTwoNetworks(desk.root + QStringLiteral("/masked-lm 1"));
    QVERIFY(desk.showWholeBoard());
    desk.setLength(2);
    const auto point = [&](const char* method) { hover(&desk.board().table(), desk.placeOf(method, taskOfRun, 2)); };
    point("log_n");
    QVERIFY(!desk.board().said().contains(QLatin1String("Against ")));
    QComboBox& list = desk.board().against();
    QVERIFY(list.findData(QStringLiteral("vanilla")) < 0 && list.findData(QStringLiteral("log_n")) >= 0);
    for (int item = 0; item < list.count(); ++item)  // as everywhere, also what is no scale method
        QVERIFY2(list.itemText(item).front().isUpper(), qPrintable(list.itemText(item)));
    const auto choose = [&](const QString& method) {
        list.setCurrentIndex(list.findData(method));
        emit list.activated(list.currentIndex());
        return QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience);
    };
    QVERIFY(choose(QStringLiteral("softmax_plus")));
    QVERIFY(list.currentData().toString() == QStringLiteral("softmax_plus"));
    for (const char* part : {"Against Softmax Plus", "46.25", "5 points better", "Standard error 1", "p = 0.13",
                             "over 2 networks: +4.0, +6.0"})
        QVERIFY2(desk.board().said().contains(unbroken(QLatin1String(part))),
                 qPrintable(desk.board().said() + QLatin1String(" has no ") + QLatin1String(part)));
    point("softmax_plus");
    QVERIFY(!desk.board().said().contains(QLatin1String("Against ")));
    point("log_n");
    QVERIFY(choose(QString()));
    QVERIFY(!desk.board().said().contains(QLatin1String("Against ")));
    Scoreboard packed;  // where a scale has a place, vanilla's cell is of none
    packed.reference = "log_n";
    BoardCell vanilla;
    vanilla.method = "vanilla";
    QCOMPARE(wordsAgainst(packed, vanilla), QStringLiteral("The cell of Log n holds it against Vanilla.\n"));
}

void TestBoards::aCellIsReadFromItsBeginning()
{
    BoardDesk desk;
    desk.page->resize(1000, 560);
    QVERIFY(desk.showWholeBoard());
    desk.setLength(2);
    hover(&desk.board().table(), desk.placeOf("log_n", taskOfRun, 2));
    QScrollBar* bar = nullptr;
    for (const QLabel* label : desk.page->findChildren<QLabel*>())
        if (label->accessibleDescription().startsWith(QLatin1String("The cell")))
            bar =
                qobject_cast<QScrollArea*>(label->parentWidget()->parentWidget()->parentWidget())->verticalScrollBar();
    QVERIFY(bar);
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum());
    hover(&desk.board().table(), desk.placeOf("log_n", taskOfRun, 2));
    QVERIFY2(bar->value() > 0, "the same cell stays where it is read");
    hover(&desk.board().table(), desk.placeOf("vanilla", taskOfRun, 2));
    QCOMPARE(bar->value(), 0);
}

/// What is better than vanilla by a test that survives all the board's others is blue, what is worse is red, and what
/// no test finds has no colour, in both themes.
void TestBoards::cellsArePaintedWhereTheyAreRead()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    const Scoreboard& board = *desk.board().board();
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(*qApp, theme);
        int better = 0, worse = 0, unfound = 0;
        for (const double ratio : {2.0, 16.0}) {
            desk.setLength(ratio);
            const BoardView& view = desk.board().table();
            const QImage seen = desk.board().table().grab().toImage();
            for (std::size_t row = 0; row < view.table().methods.size(); ++row)
                for (std::size_t place = 0; place < view.table().places.size(); ++place) {
                    const std::string& method = view.table().methods[row];
                    const BoardCell* cell = board.find(view.table().places[place].task, method, ratio);
                    const QPoint corner = (view.cell({row, place}).topLeft() + QPointF(5, 5)).toPoint();
                    if (!cell || isVanilla(method) || !seen.rect().contains(corner))
                        continue;
                    const QColor colour = seen.pixelColor(corner);
                    const int warmth = colour.red() - colour.blue();
                    const QString what = QStringLiteral("%1 on %2 at %3: gain %4, q %5, warmth %6")
                                             .arg(method.c_str(), cell->task.c_str())
                                             .arg(ratio)
                                             .arg(cell->gain)
                                             .arg(cell->q.value_or(NAN))
                                             .arg(warmth);
                    const bool found = starsOf(*cell) > 0, up = found && cell->gain > 10,
                               down = found && cell->gain < -10;
                    QVERIFY2(found || std::abs(warmth) < 20, qPrintable(what));
                    QVERIFY2(!up || warmth < -50, qPrintable(what));
                    QVERIFY2(!down || warmth > 50, qPrintable(what));
                    unfound += !found;
                    better += up;
                    worse += down;
                }
        }
        QVERIFY2(better > 0 && worse > 0 && unfound > 0,
                 qPrintable(QStringLiteral("%1 better, %2 worse, %3 unfound").arg(better).arg(worse).arg(unfound)));
    }
}

/// What begins a line there begins where all others do, and the ground of the chosen section, of every lab with its
/// parameters open: words, fields and ticks as they are, and buttons with a frame, since words of one without begin
/// further in.
void TestBoards::theLeftColumnHasOneEdge()
{
    BoardDesk desk;
    const auto* list = desk.page->findChild<QListWidget*>(u"sections"_s);
    const QWidget* side = list->parentWidget();
    constexpr int border = 1;  // of a row, which is not seen
    const int edge = list->viewport()->mapTo(side, list->visualItemRect(list->currentItem()).topLeft()).x() + border;
    int lines = 0;
    const auto compare = [&](const std::string& what) {
        QTest::qWait(20);
        QStringList faults;
        for (QWidget* one : side->findChildren<QWidget*>()) {
            const auto* words = qobject_cast<QLabel*>(one);
            const auto* button = qobject_cast<QAbstractButton*>(one);
            const auto* flat = qobject_cast<QToolButton*>(one);
            const int x = one->mapTo(side, QPoint()).x();
            constexpr int indent = 30;
            if (!one->isVisible() || x > indent || (words && words->text().isEmpty()) ||
                !(words || (button && !button->text().isEmpty()) || qobject_cast<QComboBox*>(one) ||
                  qobject_cast<QLineEdit*>(one)))
                continue;
            ++lines;
            if (x != edge || (flat && !flat->property("framed").toBool()))
                faults << u"%1 '%2' at %3"_s.arg(one->metaObject()->className(), one->accessibleName()).arg(x);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(QString::fromStdString(what) + u": "_s + faults.join(u"; "_s)));
    };
    for (const Lab& lab : labs()) {
        desk.page->setChoice({lab.id, {}, {}});
        for (auto* tune : side->findChildren<QToolButton*>())
            if (tune->isVisible() && tune->accessibleName().startsWith(u"Parameters"_s) && !tune->isChecked())
                tune->click();
        compare(lab.id);
    }
    QVERIFY(desk.showBoard());
    compare("scoreboard");
    desk.page->showTours();
    compare("tours");
    QVERIFY(lines > 50);
}

/// Fields of colours above the names, from worse to better.
void TestBoards::theColoursHaveAKey()
{
    BoardDesk desk;
    QVERIFY(desk.showBoard());
    desk.setLength(16);
    const BoardView& view = desk.board().table();
    const QImage seen = desk.board().table().grab().toImage();
    const QRectF names = view.cell({0, 0});
    int better = 0, worse = 0;
    for (int x = 0; x < static_cast<int>(names.left()); ++x)
        for (int y = 0; y < static_cast<int>(names.top()); ++y) {
            const QColor colour = seen.pixelColor(x, y);
            better += colour.blue() - colour.red() > 50;
            worse += colour.red() - colour.blue() > 50;
        }
    QVERIFY2(better > 200 && worse > 200, qPrintable(QStringLiteral("%1, %2").arg(better).arg(worse)));
}

void TestBoards::keysMoveAndPointsFollow()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    desk.setLength(2);
    BoardView& table = desk.board().table();
    table.point("vanilla", {taskOfRun, 2});
    QTest::keyClick(&table, Qt::Key_Down);
    QCOMPARE(table.spot()->row, std::size_t{1});
    QVERIFY(desk.board().said().contains(QLatin1String("12.5 points")));
    const auto& series = desk.board().chart().spec().series;  // vanilla's half up and log_n's half down
    QCOMPARE(series.size(), std::size_t{2});
    QVERIFY(series[0].points.front() == (ChartPoint{50, 0}));
    QVERIFY(series[1].points.front().x == 50 && std::abs(series[1].points.front().y - 12.5) < 1e-9);
    QCOMPARE(desk.board().chart().mark().points.size(), std::size_t{1});
    QTest::keyClick(&table, Qt::Key_Left);
    QVERIFY(desk.board().chart().spec().series.size() > 2);
    desk.setLength(0);
    QVERIFY(table.table().places.size() > desk.board().board()->tasks.size() * 4);
}

/// What everything is compared with stays below the headings, and no row is cut there at first sight.
void TestBoards::vanillaStaysBelowTheHeadings()
{
    BoardDesk desk;
    desk.page->resize(900, 600);
    QVERIFY(desk.showBoard());
    desk.setLength(2);
    BoardView& table = desk.board().table();
    auto* bar = qobject_cast<QScrollArea*>(table.parentWidget()->parentWidget())->verticalScrollBar();
    QVERIFY(bar->maximum() > 60);
    const double row = table.cell({0, 0}).height();
    table.bringIntoSight({table.table().methods.size() - 1, 0});
    QVERIFY(bar->value() > 0);
    bar->setValue(bar->minimum());
    for (int steps = 0; steps < 3; ++steps) {
        const QPointF vanilla = table.cell({0, 0}).center() + QPointF(0, bar->value());
        const auto at = table.spotAt(vanilla);
        QVERIFY(at && *at == (BoardView::Spot{0, 0}));
        const auto next = table.spotAt(vanilla + QPointF(0, row));
        QVERIFY(next && next->row == static_cast<std::size_t>(1 + steps));
        bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    }
}

/// What the frame is around is seen, whole and beside the headings: at first sight and wherever keys lead.
void TestBoards::theCellPointedAtIsSeen()
{
    BoardDesk desk;
    desk.page->resize(900, 600);
    QVERIFY(desk.showBoard());
    BoardView& table = desk.board().table();
    const auto isSeen = [&] {
        const QRectF cell = table.cell(*table.spot());
        return !cell.isNull() && table.spotAt(cell.topLeft() + QPointF(1, 1)) == table.spot() &&
               table.visibleRegion().boundingRect().contains(cell.toAlignedRect());
    };
    QVERIFY(table.spot() && isSeen());
    for (const double ratio : {2.0, 0.0}) {
        desk.setLength(ratio);
        const std::size_t rows = table.table().methods.size(), places = table.table().places.size();
        QVERIFY(table.height() > table.parentWidget()->height());  // there is something to scroll to
        for (const auto& [key, steps] :
             {std::pair(Qt::Key_Up, rows), std::pair(Qt::Key_Left, places), std::pair(Qt::Key_Down, rows),
              std::pair(Qt::Key_Right, places), std::pair(Qt::Key_Up, rows), std::pair(Qt::Key_Left, places)})
            for (std::size_t step = 0; step < steps; ++step) {
                QTest::keyClick(&table, key);
                if (!isSeen())
                    qInfo() << ratio << key << step << table.cell(*table.spot()) << table.geometry()
                            << table.visibleRegion().boundingRect() << table.cell({0, 0});
                QVERIFY(isSeen());
            }
    }
}

void TestBoards::aClickLeadsToTheRun()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    const std::string shippedTask = "hidden tokens found, rope (length=100)";
    QTest::mouseClick(&desk.board().table(), Qt::LeftButton, {}, desk.placeOf("log_n", shippedTask, 16).toPoint());
    QCOMPARE(desk.page->sections().shown(), QStringLiteral("scoreboard"));
    QVERIFY(desk.board().command().contains(QLatin1String("length=100")));
    desk.board().openButton().click();
    QCOMPARE(desk.page->sections().shown(), QStringLiteral("lab"));
    const Choice& chosen = desk.page->choice();  // the settings of the recorded run
    QCOMPARE(chosen.id, std::string("masked-lm"));
    QVERIFY(std::ranges::any_of(chosen.values,
                                [](const auto& value) { return value.first == "length" && value.second == 100; }));
    desk.page->showScoreboard();
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    desk.setLength(2);
    QTest::mouseClick(&desk.board().table(), Qt::LeftButton, {}, desk.placeOf("log_n", taskOfRun, 2).toPoint());
    QCOMPARE(desk.page->sections().shown(), QStringLiteral("lab"));
    QVERIFY(desk.page->selected() && desk.page->selected()->name == QLatin1String("A masked language model 1"));
}

/// Whatever is ticked while the runs are read again, what is new is among them.
void TestBoards::aRunThatComesMeanwhileIsRead()
{
    BoardDesk desk;
    QVERIFY(desk.showBoard());
    const int before = desk.board().runList().topLevelItemCount();
    writeBoardRun(desk.root + QStringLiteral("/masked-lm 2"));
    desk.board().refresh();
    desk.board().runList().topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    QCOMPARE(desk.board().runList().topLevelItemCount(), before + 1);
}

/// Each lab is one line of the list until its runs are asked for; what was opened stays so when a tick makes the list
/// anew.
void TestBoards::labsAreALineEach()
{
    BoardDesk desk;
    QVERIFY(desk.showBoard());
    const auto lab = [&](int at) { return desk.board().runList().topLevelItem(0)->child(at); };
    QVERIFY(desk.board().runList().topLevelItem(0)->childCount() > 2 && lab(0)->childCount() > 0);
    QVERIFY(!lab(0)->isExpanded() && !lab(1)->isExpanded());
    lab(1)->setExpanded(true);
    desk.board().runList().topLevelItem(1)->setCheckState(0, Qt::Checked);
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    QVERIFY(!lab(0)->isExpanded() && lab(1)->isExpanded());
}

void TestBoards::aRemovedRunIsNoLongerTicked()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    const QString setting = QStringLiteral("runs on the scoreboard"), run = desk.root + QStringLiteral("/masked-lm 1");
    QVERIFY(QSettings().value(setting).toStringList().contains(run));
    desk.page->openRun(run);
    desk.page->removeSelected();
    QTRY_VERIFY(!desk.bench.saves.isBusy());
    QVERIFY(!QSettings().value(setting).toStringList().contains(run));
    desk.messages.buttons().front()->click();  // out of the trash
    QTRY_VERIFY(!desk.bench.saves.isBusy() && QFile::exists(run));
}

void TestBoards::untickedRunsAreLeftOut()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    desk.board().runList().topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    QCOMPARE(desk.board().board()->tasks.size(), std::size_t{1});
    QCOMPARE(desk.board().figure("scoreboard").parameters.value("shipped", true), false);
    desk.board().runList().topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QVERIFY(QTest::qWaitFor([&] { return desk.board().isSettled(); }, patience));
    QVERIFY(desk.board().board()->cells.empty());
    desk.board().table().grab();  // an empty board is painted too
}

void TestBoards::theTableIsCopied()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    desk.setLength(2);
    emit desk.board().table().customContextMenuRequested({10, 10});
    const auto menus = desk.board().table().findChildren<QMenu*>();
    QCOMPARE(menus.size(), 1);
    const QList<QAction*> lines = menus.front()->actions();
    const auto copies =
        std::ranges::find(lines, QStringLiteral("Copy the data"), [](const QAction* line) { return line->text(); });
    QVERIFY(copies != lines.end());
    (*copies)->trigger();
    const QStringList copied = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    const qsizetype column =
        copied.front().split(QLatin1Char('\t')).indexOf(QString::fromStdString(taskOfRun) + QStringLiteral(", n/N=2"));
    QVERIFY(column > 0);
    const auto row =
        std::ranges::find_if(copied, [](const QString& line) { return line.startsWith(QLatin1String("log_n\t")); });
    QVERIFY(row != copied.end() && std::abs(row->split(QLatin1Char('\t'))[column].toDouble() - 12.5) < 1e-9);
}

void TestBoards::figuresOfTheBoard()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    QSignalSpy asked(desk.page.get(), &LabPage::figureAsked);
    for (QPushButton* button : desk.board().controls()->findChildren<QPushButton*>())
        button->click();
    QCOMPARE(asked.size(), 2);
    const Recipe recipe = desk.board().figure("scoreboard");
    QCOMPARE(recipe.kind, std::string("scoreboard"));
    QCOMPARE(recipe.parameters["runs"],
             nlohmann::json::array({(desk.root + QStringLiteral("/masked-lm 1")).toStdString()}));
    QVERIFY(renderFigure(recipe, desk.folder.filePath(QStringLiteral("board.png")).toStdString(), {}, {}));
}

void TestBoards::paletteLeadsToTheBoard()
{
    const auto window = smallWindow();
    QVERIFY(window);
    const auto entries = paletteEntries(*window);
    const auto entry =
        std::ranges::find_if(entries, [](const PaletteEntry& one) { return one.name == QLatin1String("Scoreboard"); });
    QVERIFY(entry != entries.end());
    entry->run();
    QCOMPARE(window->workspace(), QStringLiteral("labs"));
    QCOMPARE(window->labs().sections().shown(), QStringLiteral("scoreboard"));
    QVERIFY(QTest::qWaitFor([&] { return window->labs().scoreboard().isSettled(); }, patience));
    QTRY_COMPARE(layoutFaults(*window), QStringList());
    QCOMPARE(cutButtons(*window), QStringList());
    const QWidget& table = window->labs().scoreboard().table();
    QVERIFY2(table.visibleRegion().boundingRect().height() > window->labs().height() / 2,
             qPrintable(QString::number(table.visibleRegion().boundingRect().height())));
    emit window->labs().figureAsked(window->labs().scoreboard().figure("scoreboard"));
    QCOMPARE(window->workspace(), QStringLiteral("figures"));
    QCOMPARE(window->exportPanel().recipe().kind, std::string("scoreboard"));
}

void TestBoards::legendsHaveTheRegistrysNames()
{
    const Lab& lab = **findRow(labs(), "algorithms", "lab");
    LabRecord record{.choice = {"algorithms", {}, {}}};
    for (const char* policy :
         {"vanilla", "adaptive, trained with adaptive", "rope, infoscale:row=1, trained with log_n", "something else"})
        for (const double n : {4.0, 8.0})
            record.rows.push_back({"accuracy", {{"n", n}, {"mean", 0.5}, {"policy", std::string(policy)}}});
    for (const char* network : {"algorithms_seed1", "algorithms_adaptive_2_seed3"})
        for (const double step : {1.0, 2.0})
            record.rows.push_back({"training", {{"step", step}, {"loss", 1.0}, {"network", std::string(network)}}});
    const std::vector<ShownRun> runs{{QStringLiteral("run"), &record}};
    QStringList labels;
    for (const ChartSpec& chart : labCharts(lab, runs))
        for (const ChartSeries& series : chart.series)
            labels << series.label;
    QCOMPARE(labels, (QStringList{"seed 1", "Adaptive temperature 2, seed 3", "Vanilla",
                                  "Adaptive temperature, trained with Adaptive temperature",
                                  "RoPE, InfoScale (count this row's keys), trained with Log $n$", "something else"}));
}

/// 40, 60 and 80 %: 60 with a standard error of 20 / sqrt(3). One network has its own value, and no error.
void TestBoards::severalNetworksAreOneLine()
{
    const Lab& lab = **findRow(labs(), "recall", "lab");
    LabRecord record{.choice = {"recall", {}, {}}};
    for (const std::int64_t seed : {1, 2, 3})
        for (const double n : {64.0, 128.0})
            record.rows.push_back({qualityTable,
                                   {{"seed", seed},
                                    {"n", n},
                                    {"percent", 20.0 + 20.0 * static_cast<double>(seed) - (n - 64) / 8},
                                    {"policy", std::string("rope, vanilla")}}});
    record.rows.insert(
        record.rows.begin(),
        {qualityTable,
         {{"seed", std::int64_t{4}}, {"n", 256.0}, {"percent", 7.0}, {"policy", std::string("rope, vanilla")}}});
    const auto chart = [&lab](const LabRecord& shown) {
        return labCharts(lab, std::vector<ShownRun>{{QStringLiteral("run"), &shown}}).front();
    };
    const ChartSpec of3 = chart(record);
    QCOMPARE(of3.series.size(), std::size_t(1));
    const auto& points = of3.series.front().points;
    QCOMPARE(points.size(), std::size_t(3));  // from left to right, whoever has which
    QVERIFY(points[2].x == 256 && points[2].y == 7 && std::isnan(points[2].low));
    QVERIFY(points[0].x == 64 && points[0].y == 60 && points[1].x == 128 && points[1].y == 52);
    QVERIFY(std::abs(points[0].high - (60 + 20 / std::sqrt(3))) < 1e-9 &&
            std::abs(points[0].low - (60 - 20 / std::sqrt(3))) < 1e-9);
    QVERIFY2(of3.title.endsWith(QLatin1String(", means of 3 networks")), qPrintable(of3.title));
    record.rows.erase(record.rows.begin());
    record.rows.resize(2);
    const ChartSpec of1 = chart(record);
    QVERIFY(of1.series.front().points[0].y == 40 && std::isnan(of1.series.front().points[0].low));
    QVERIFY(!of1.title.contains(QLatin1String("means")));
}

/// Grey lines that are the same whatever the policy differ in their dashes.
void TestBoards::referencesDifferInTheirDashes()
{
    const Lab& lab = **findRow(labs(), "packing", "lab");
    LabRecord record{.choice = {"packing", {}, {}}};
    for (const double n : {10.0, 20.0})
        record.rows.push_back({"means",
                               {{"n", n},
                                {"load_rate", 60.0},
                                {"volume_order", 50.0},
                                {"random_order", 40.0},
                                {"policy", std::string("vanilla")}}});
    const std::vector<ShownRun> runs{{QStringLiteral("run"), &record}};
    std::vector<QList<qreal>> dashes;
    for (const ChartSeries& series : labCharts(lab, runs).front().series)
        if (series.style == ChartSeries::reference)
            dashes.push_back(lookOf(series, windowStyle(false)).pen.dashPattern());
    QCOMPARE(dashes.size(), size_t(2));
    LabRecord two = record;  // of one method, in shades of its colour
    for (const char* policy : {"infoscale, encoder", "infoscale, decoder"})
        for (const double n : {10.0, 20.0})
            two.rows.push_back({"means", {{"n", n}, {"load_rate", 61.0}, {"policy", std::string(policy)}}});
    const std::vector<ShownRun> shades{{QStringLiteral("run"), &two}};
    std::vector<QPen> pens;
    for (const ChartSeries& series : labCharts(lab, shades).front().series)
        if (series.label.startsWith(QStringLiteral("InfoScale")))
            pens.push_back(lookOf(series, windowStyle(false)).pen);
    QCOMPARE(pens.size(), size_t(2));
    QVERIFY2(pens[0].dashPattern() != pens[1].dashPattern(), "shades need dashes too");
    QVERIFY(dashes[0] != dashes[1] && !dashes[0].isEmpty() && !dashes[1].isEmpty());
}

/// In the panel at its left: nothing lies over the table that it explains.
void TestBoards::howItIsComputedStandsBesideTheTable()
{
    BoardDesk desk;
    QVERIFY(desk.showWholeBoard());
    ScoreboardPage& board = desk.board();
    const QString inShort = board.counts().text();
    QVERIFY2(inShort.startsWith(QStringLiteral("Blue: better than Vanilla")), qPrintable(inShort));
    board.how().click();
    const QString whole = board.counts().text();
    QVERIFY2(whole.contains(QStringLiteral("Benjamini and Hochberg")) && whole.contains(QStringLiteral("tests at all")),
             qPrintable(whole));
    QTest::qWait(20);
    QVERIFY(QToolTip::text().isEmpty() && !QApplication::activePopupWidget());
    const QWidget* panel = board.controls();
    QVERIFY(panel->rect().contains(QRect(board.counts().mapTo(panel, QPoint()), board.counts().size())));
    QVERIFY(board.counts().height() >= board.counts().heightForWidth(board.counts().width()));
    board.how().click();
    QCOMPARE(board.counts().text(), inShort);
}

void TestBoards::sweepIsDrawn()
{
    QTemporaryDir folder;
    QVERIFY(writeText(folder.filePath("sweep.json"), sweepSpec) &&
            writeText(folder.filePath("journal.jsonl"), journalOf(6)));
    SweepPage page(folder.path());
    page.resize(800, 600);
    page.show();
    QVERIFY(settled(page));
    QVERIFY(page.choice() == (SweepChoice{"n", "value", "d", ""}));
    QCOMPARE(page.charts().size(), std::size_t{1});
    const ChartSpec& chart = page.charts().front()->spec();
    QCOMPARE(chart.series.size(), std::size_t{2});
    QVERIFY(chart.x.log && !chart.y.log);  // 8 to 64
    QCOMPARE(chart.series[0].label, QStringLiteral("$d$ = 16"));
    // 17.5, 18.5, 19.5: 18.5 with standard error sqrt(1 / 3)
    QCOMPARE(chart.series[0].points[0].y, 18.5);
    QVERIFY(std::abs(chart.series[0].points[0].high - 18.5 - std::sqrt(1.0 / 3)) < 1e-12);
    QVERIFY2(page.words().contains(QLatin1String("mean of value over seed (3 values)")), qPrintable(page.words()));
    QVERIFY(page.state().contains(QLatin1String("all 6 tasks done")));
    QComboBox& facets = page.list("facet");
    facets.setCurrentIndex(facets.findData(QStringLiteral("seed")));
    emit facets.activated(facets.currentIndex());
    QVERIFY(settled(page));
    QCOMPARE(page.charts().size(), std::size_t{3});
    QCOMPARE(page.charts()[1]->spec().title, QStringLiteral("seed = 2"));
    QCOMPARE(page.charts()[1]->spec().series[1].points[1].y, 69.0);  // 2 (32 + 2) + 1
    QVERIFY(page.charts()[0]->spec().y.range == page.charts()[2]->spec().y.range);
    QVERIFY(page.words().contains(QLatin1String("nothing is averaged")));
    QVERIFY(chartData(page.charts()[1]->spec()).contains(QLatin1String("69")));
}

/// What the clock does is done by hand: nothing waits for a second.
void TestBoards::sweepGrows()
{
    QTemporaryDir folder;
    QVERIFY(writeText(folder.filePath("sweep.json"), sweepSpec));
    SweepPage page(folder.path());
    page.resize(800, 600);
    page.show();
    QVERIFY(settled(page));
    QVERIFY(page.charts().empty() && page.words().contains(QLatin1String("No task has ended")));
    QVERIFY(page.state().contains(QLatin1String("0 of 6 tasks")));
    QVERIFY(writeText(folder.filePath("journal.jsonl"), journalOf(2)));
    page.look();
    QVERIFY(settled(page));
    QVERIFY(page.state().contains(QLatin1String("2 of 6 tasks")));
    QCOMPARE(page.charts().front()->spec().series.front().points[0].y, 18.0);
    page.look();
    QVERIFY(page.isSettled());  // nothing is new
    QVERIFY(writeText(folder.filePath("journal.jsonl"), journalOf(6)));
    page.look();
    QVERIFY(settled(page));
    QVERIFY(page.state().contains(QLatin1String("all 6 tasks")));

    // a choice while what is new is read does not lose it
    QVERIFY(QFile::remove(folder.filePath("journal.jsonl")));
    page.look();
    QVERIFY(settled(page));
    QVERIFY(page.state().contains(QLatin1String("0 of 6 tasks")));
    QVERIFY(writeText(folder.filePath("journal.jsonl"), journalOf(6)));
    page.look();
    page.setChoice({.x = "n", .y = "value", .colour = "d", .facet = {}});
    QVERIFY(settled(page));
    QVERIFY(page.state().contains(QLatin1String("all 6 tasks")));
}

void TestBoards::hostileSweepsAreSaid()
{
    QTemporaryDir folder;
    QVERIFY(writeText(folder.filePath("rows.csv"), "a,b\n1,2\n3\n"));
    SweepPage page(folder.path());
    page.resize(800, 600);
    page.show();
    QVERIFY(settled(page));
    QVERIFY2(page.words().contains(QLatin1String("1 cells in row 2")), qPrintable(page.words()));
    QVERIFY(page.charts().empty());
    QVERIFY(writeText(folder.filePath("rows.csv"), "a,b\nx,y\n"));  // no numbers at all
    page.look();
    QVERIFY(settled(page));
    QVERIFY(page.charts().empty() && !page.words().isEmpty());
    page.grab();
}

void TestBoards::windowOpensSweeps()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("seeds") && writeText(folder.filePath("seeds/sweep.json"), sweepSpec) &&
            writeText(folder.filePath("seeds/journal.jsonl"), journalOf(6)));
    const auto window = smallWindow();
    QVERIFY(window);
    LabSections& sections = window->labs().sections();
    const int before = sections.list().count();
    QVERIFY(drop(window.get(), {QUrl::fromLocalFile(folder.filePath("seeds"))}));
    QCOMPARE(window->workspace(), QStringLiteral("labs"));
    QCOMPARE(sections.list().count(), before + 1);
    QCOMPARE(sections.list().currentItem()->text(), QStringLiteral("Sweep: seeds"));
    window->openFile(folder.filePath("seeds/sweep.json"));  // the same
    QCOMPARE(sections.list().count(), before + 1);
    SweepPage& page = window->labs().openSweep(folder.filePath("seeds/"));
    QVERIFY(settled(page) && page.charts().size() == 1);
    page.setChoice({"n", "value", "", "d"});
    QVERIFY(settled(page));
    QTRY_COMPARE(layoutFaults(*window), QStringList());
    QCOMPARE(cutButtons(*window), QStringList());
    QTest::keyClick(&sections.list(), Qt::Key_Up);
    QCOMPARE(sections.shown(), QStringLiteral("tours"));
    emit page.closeAsked();
    QCOMPARE(sections.list().count(), before);
    QTest::qWait(0);  // it is deleted later
}

QTEST_MAIN(TestBoards)
#include "boards_test.moc"
