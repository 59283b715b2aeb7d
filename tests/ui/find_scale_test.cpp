// Find the scale in the Model workspace on a small model made on the spot: what the page says is what core's search
// finds, it grows, stops and goes on, nothing is left of another model, text or length, what is copied is what the
// exporters say, and what was found becomes a method of the page.
#include "tests/model/small_models.h"
#include "tests/ui/window_support.h"

#include "core/document/session.h"
#include "core/scaling/scale_method.h"
#include "core/tuning/exports.h"
#include "ui/figure/tune_charts.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/model/head_view.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/model/scale_page.h"
#include "ui/model/take_away.h"
#include "ui/views/answer_line.h"
#include "ui/window/palette_entries.h"
#include "ui/window/command_palette.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "core/tuning/verdict.h"
#include "ui/widgets/value_table.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBlock>

#include <algorithm>
#include <cmath>
#include <map>

using namespace attnscope;
using namespace attnscope::testing;

class FindScaleTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }

    void lengthsByDefault_data();
    void lengthsByDefault();
    void itSaysWhatCoreFinds_data();
    void itSaysWhatCoreFinds();
    void rowsOfOtherWindowsStandApart();
    void beforeASearchItSaysWhatComes();
    void theChartGrows();
    void oneButtonIsPrimary();
    void stoppedItGoesOn();
    void nothingIsLeftOfAnother_data();
    void nothingIsLeftOfAnother();
    void whoComesBackFindsTheAnswer();
    void itIsThereAfterARestart();
    void theHeadlineKnowsItAtOnce();
    void theVerdictFitsInLittleRoom();
    void aFolderWithoutUtf8IsRecalled();
    void stoppedItGoesOnAfterARestart();
    void aDamagedFileIsNoAnswer();
    void lossesKeepWithinTheirRoom();
    void columnsAreReadDownwards();
    void copiesAreWhatTheExportersSay();
    void theTargetFitsTheModel();
    void whatIsFoundIsUsed();
    void whatIsWrongIsSaid();
    void enterBegins();
    void returnAndSpacePressTheButton();
    void anotherLengthThanTypedIsNotSearched();
    void aSecondClickStopsNothing();
    void aLengthIsTypedAsElsewhere();
    void theFocusStaysWhereItWas();
    void theChartJoinsWhatWasLookedAt();
    void theSessionKeepsTheQuestion();
    void thePaletteLeadsThere();
    void everyControlHasANameAndTeaches_data();
    void everyControlHasANameAndTeaches();

private:
    /// The program, anew.
    void start();
    ModelPage& page() { return m_window->model(); }
    ScalePage& scale() { return *page().scale(); }
    ScaleFinder& finder() { return scale().finder(); }
    QString folderOf(const QString& name) const { return m_folders.filePath(name); }
    void edit(const std::function<void(ModelLook&)>& change)
    {
        m_window->document().editLook([&](Look& look) { change(look.model); });
    }
    bool open(const QString& name = QStringLiteral("llama"), std::int64_t n = 48)
    {
        m_window->openFile(folderOf(name));
        page().findScale();
        edit([&](ModelLook& look) {  // which another model begins without
            look.lengths = {16, 32};
            look.tunedAt = n;
        });
        return QTest::qWaitFor(
            [&] {
                return finder().wanted() && finder().wanted()->model->folder == folderOf(name).toStdString() &&
                       scale().isVisible() && scale().findButton()->isEnabled();
            },
            patience);
    }
    bool search()
    {
        scale().findButton()->click();
        return QTest::qWaitFor([&] { return !finder().isFinding(); }, patience) && finder().news() != nullptr;
    }
    /// What core finds of the same.
    TuneReport expected()
    {
        const ScaleKey key = *finder().wanted();
        const auto ids = tokensOf(key).value();
        const auto problem = problemOf(*key.model, ids, key.request, key.windows, {}).value();
        return tune(problem, key.request).value();
    }
    QTemporaryDir m_folders;
    std::unique_ptr<MainWindow> m_window;
};

void FindScaleTest::initTestCase()
{
    prepareApplication();
    QVERIFY(m_folders.isValid());
    for (const char* name : {"llama", "gpt2"})
        QCOMPARE(writeModel(smallModel(name), folderOf(QString::fromLatin1(name)).toStdString()), std::string());
}

void FindScaleTest::init()
{
    QVERIFY(QDir(ScaleFinder::folder()).removeRecursively());  // what another test has searched
    start();
}

void FindScaleTest::start()
{
    m_window.reset();
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    edit([](ModelLook& look) {
        look.text = ModelText::Repeated;  // small models have no tokeniser
        look.windows = 1;
        look.last = 4;
    });
}

void FindScaleTest::lengthsByDefault_data()
{
    QTest::addColumn<qint64>("shown");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<qint64>("n");
    QTest::addRow("what is looked at") << qint64(1024) << qint64(0) << qint64(1024);
    QTest::addRow("N is not beyond N") << qint64(512) << qint64(0) << qint64(2048);
    QTest::addRow("a text that is long enough") << qint64(128) << qint64(100000) << qint64(2048);
    QTest::addRow("a short text") << qint64(128) << qint64(3000) << qint64(999);
    QTest::addRow("next to nothing") << qint64(128) << qint64(4) << qint64(2);
}

void FindScaleTest::lengthsByDefault()
{
    QFETCH(qint64, shown);
    QFETCH(qint64, tokens);
    QFETCH(qint64, n);
    QCOMPARE(qint64(usualTuneLength(shown, 512, tokens)), n);
    if (shown <= 512)  // whatever the text, no further than there are positions
        QCOMPARE(qint64(usualTuneLength(shown, 512, tokens, 700)), std::min<qint64>(n, 700));
}

void FindScaleTest::itSaysWhatCoreFinds_data()
{
    QTest::addColumn<int>("over");
    for (const TuneOver over : {TuneOver::Scale, TuneOver::Positions, TuneOver::Heads})
        QTest::addRow("%s", std::string(tuneOverWords[std::size_t(over)]).c_str()) << int(over);
}

void FindScaleTest::itSaysWhatCoreFinds()
{
    QFETCH(int, over);
    edit([&](ModelLook& look) { look.over = TuneOver(over); });
    QVERIFY(open());
    QVERIFY(search());
    const auto news = finder().news();
    QVERIFY2(news->report, qPrintable(news->error));
    const TuneReport report = expected();
    QCOMPARE(news->report->answer, report.answer);
    QCOMPARE(scale().verdict(), QString::fromStdString(report.answer) + QLatin1Char('.'));
    // at a glance: what to use on one line; every comparison is a row of the table, and said there alone
    const QStringList shown = scale().answerInShort();
    QCOMPARE(shown.front().isEmpty(), false);
    QCOMPARE(shown.front().contains("lower"), report.helps);
    QVERIFY(shown.front().contains(QStringLiteral("n\u00A0=\u00A048")));
    if (report.helps) {  // of which windows, and what stands beside it
        const QString said = QString(shown.front()).replace(u'\u00A0', u' ');
        QVERIFY2(said.contains(QStringLiteral("on the %1 judged windows").arg(report.verdict)), qPrintable(said));
        QVERIFY2(said.contains("(standard error ") && !said.contains(u'\u00B1'), qPrintable(said));
    }
    const QString searched = QStringLiteral("%1 search windows").arg(report.fitting);
    QVERIFY2(scale().chart()->spec().title.contains(searched), qPrintable(scale().chart()->spec().title));
    const QString judges = QStringLiteral("%1 judged windows; bars: one standard error").arg(report.verdict);
    QVERIFY2(scale().places()->spec().title.contains(judges), qPrintable(scale().places()->spec().title));
    for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
        const Comparison& one = report.comparisons[i];
        const QString judged = !one.holm                 ? QStringLiteral("no change")
                               : *one.holm >= 0.05       ? QStringLiteral("no change seen")
                               : one.difference.mean < 0 ? QStringLiteral("gains")
                                                         : QStringLiteral("costs");
        QCOMPARE(scale().comparisons()->item(int(i), 3)->text(), judged);
    }
    QVERIFY2(!shown.join(u' ').contains("p\u00A0="), qPrintable(shown.join('\n')));
    QCOMPARE(news->report->tuned, report.tuned);
    QCOMPARE(news->report->comparisons.size(), report.comparisons.size());
    QCOMPARE(scale().comparisons()->rowCount(), int(report.comparisons.size()));
    for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
        QCOMPARE(news->report->comparisons[i].difference.mean, report.comparisons[i].difference.mean);
        QCOMPARE(news->report->comparisons[i].holm, report.comparisons[i].holm);
    }
    QCOMPARE(scale().heads()->rowCount(), int(report.heads.size()));
    constexpr int gradient = 2;
    QCOMPARE(scale().heads()->horizontalHeaderItem(gradient)->text(), QStringLiteral("dL / d ln m"));
    QVERIFY2(scale().heads()->isColumnHidden(gradient) != (TuneOver(over) == TuneOver::Heads),
             "of no gradient no column");
    QCOMPARE(scale().tried()->rowCount(), int(report.tried.size()));
    // the chart has every setting that has a place in it, once, with its change
    std::size_t points = 0;
    for (const ChartSeries& series : scale().chart()->spec().series)
        points += series.points.size();
    QVERIFY2(points > 5 && points <= report.tried.size(), qPrintable(QString::number(points)));
    QVERIFY(!scale().chart()->spec().lines.empty());
    for (const TriedSetting& tried : report.tried)
        if (tried.setting == Setting{})
            QCOMPARE(tried.change, 0.0);
}

/// Losses over other windows are not compared: however the table is sorted, what ran on all of them stands first.
void FindScaleTest::rowsOfOtherWindowsStandApart()
{
    QVERIFY(open());
    QVERIFY(search());
    constexpr int multiplier = 1, change = 2, windows = 3, loss = 4, asItIs = 5;
    ValueTable& table = *scale().tried();
    const auto number = [&](int row, int column) { return table.item(row, column)->data(Qt::UserRole).toDouble(); };
    const auto isSorted = [&](int by, double sign) {
        for (int row = 1; row < table.rowCount(); ++row) {
            const double less = number(row - 1, windows) - number(row, windows);
            if (less < 0 || (less == 0 && sign * (number(row, by) - number(row - 1, by)) < 0))
                return false;
        }
        return true;
    };
    QVERIFY2(number(0, windows) > number(table.rowCount() - 1, windows), "not all ran on all windows");
    std::map<double, double> own;  // by the number of windows: what the model as it is has on them
    for (int row = 0; row < table.rowCount(); ++row) {
        if (!std::isfinite(number(row, loss)))
            continue;
        QVERIFY(std::abs(number(row, loss) - number(row, asItIs) - number(row, change)) < 1e-9);
        const auto& [place, isNew] = own.try_emplace(number(row, windows), number(row, asItIs));
        QVERIFY(std::abs(place->second - number(row, asItIs)) < 1e-9);
    }
    QVERIFY(isSorted(change, 1));
    for (const auto& [column, order, sign] :
         {std::tuple(change, Qt::DescendingOrder, -1), std::tuple(multiplier, Qt::AscendingOrder, 1)}) {
        table.sortItems(column, order);
        QVERIFY(isSorted(column, sign));
    }
    for (int row = 0; row < table.rowCount(); ++row)  // a number is said once
        QVERIFY2(table.item(row, 0)->text() != u"m = "_s + table.item(row, multiplier)->text(),
                 qPrintable(table.item(row, 0)->text()));
    // what somebody has clicked stays when the page is shown anew
    const QHeaderView& header = *table.horizontalHeader();
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                      {header.sectionViewportPosition(multiplier) + 4, header.height() / 2});
    const int by = header.sortIndicatorSection();
    edit([](ModelLook& look) { look.layer = 1; });
    QTest::qWait(20);
    QCOMPARE(by, multiplier);
    QCOMPARE(header.sortIndicatorSection(), multiplier);
    QVERIFY(header.isSortIndicatorShown());
}

void FindScaleTest::beforeASearchItSaysWhatComes()
{
    QVERIFY(open());
    QStringList said;
    for (const QLabel* label : scale().findChildren<QLabel*>())
        if (label->isVisible())
            said << label->text();
    for (const char* part : {"Press Find the scale", "judged on other windows", "a chart that comes here"})
        QVERIFY2(said.join(u' ').contains(part), qPrintable(said.join(u'\n')));
}

void FindScaleTest::theChartGrows()
{
    QVERIFY(open());
    std::vector<std::size_t> sizes;
    connect(&finder(), &ScaleFinder::found, this, [&] {
        if (finder().news())
            sizes.push_back(finder().news()->tried.size());
    });
    QVERIFY(search());
    QVERIFY(sizes.size() >= 2);
    QVERIFY(std::ranges::is_sorted(sizes));
    QVERIFY(sizes.front() < sizes.back());
    QCOMPARE(scale().findButton()->text(), QStringLiteral("Search again"));
}

/// It is what comes next: the search before there is an answer, then what is done with it, where anything is
/// recommended.
void FindScaleTest::oneButtonIsPrimary()
{
    const auto primary = [&] {
        std::vector<QPushButton*> all;
        for (QPushButton* button : page().findChildren<QPushButton*>())
            if (button->isVisible() && button->property("primary").toBool())
                all.push_back(button);
        return all;
    };
    QVERIFY(open());
    QCOMPARE(primary(), std::vector<QPushButton*>({scale().findButton()}));
    QCOMPARE(std::ranges::count_if(page().findChildren<QPushButton*>(),
                                   [](const QPushButton* button) {
                                       return button->isVisible() && button->text() == QStringLiteral("Find the scale");
                                   }),
             std::ptrdiff_t(1));
    const int place = scale().over()->mapTo(&page(), QPoint()).x();
    QVERIFY(search());
    const bool helps = finder().news()->report->helps;
    QCOMPARE(primary().size(), helps ? 1u : 0u);
    if (helps)
        QVERIFY(primary().front() == scale().takeAway()->useButton() ||
                primary().front() == scale().takeAway()->copyButton());
    QCOMPARE(scale().over()->mapTo(&page(), QPoint()).x(), place);  // whatever the button says
}

void FindScaleTest::stoppedItGoesOn()
{
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open(QStringLiteral("llama"), 256));
    scale().findButton()->click();
    QVERIFY(QTest::qWaitFor([&] { return finder().news() && finder().news()->tried.size() >= 2; }, patience));
    QVERIFY(scale().stopButton()->isVisible());
    QVERIFY(scale().verdict().contains("so far"));
    scale().stopButton()->click();
    QVERIFY(!finder().isFinding() && finder().canGoOn());
    const std::size_t tried = finder().news()->tried.size();
    QTest::qWait(100);
    QCOMPARE(finder().news()->tried.size(), tried);
    QVERIFY(!scale().chart()->spec().series.empty());
    QCOMPARE(scale().findButton()->text(), QStringLiteral("Go on"));
    QVERIFY(search());
    QVERIFY(finder().news()->report);
    QCOMPARE(finder().news()->report->answer, expected().answer);
}

void FindScaleTest::nothingIsLeftOfAnother_data()
{
    QTest::addColumn<int>("what");
    QTest::addRow("model") << 0;
    QTest::addRow("text") << 1;
    QTest::addRow("length") << 2;
    QTest::addRow("question") << 3;
}

void FindScaleTest::nothingIsLeftOfAnother()
{
    QFETCH(int, what);
    QVERIFY(open());
    QVERIFY(search());
    QVERIFY(finder().news()->report);
    edit([](ModelLook& look) { look.layer = 1; });  // says nothing of it
    QVERIFY(finder().news());
    if (what == 0)
        QVERIFY(open(QStringLiteral("gpt2")));
    else
        edit([&](ModelLook& look) {
            if (what == 1)
                look.text = ModelText::Manual;
            else if (what == 2)
                look.tunedAt = 40;
            else
                look.over = TuneOver::Positions;
        });
    QTRY_VERIFY(!finder().news());
    QVERIFY(scale().verdict().isEmpty());
    QVERIFY(!finder().isFinding());
}

/// However one comes back to a question that was searched to its end; not where the model's files are others by now.
void FindScaleTest::whoComesBackFindsTheAnswer()
{
    QVERIFY(open());
    QVERIFY(search());
    const std::string answer = finder().news()->report->answer;
    const Look asked = m_window->document().look();
    const auto comesBack = [&] {
        return QTest::qWaitFor([&] { return finder().news() && finder().news()->report; }, patience) &&
               finder().news()->report->answer == answer && !finder().isFinding() && !scale().verdict().isEmpty();
    };
    for (const auto& change : std::initializer_list<std::function<void(ModelLook&)>>{
             [](ModelLook& look) { look.text = ModelText::Manual; }, [](ModelLook& look) { look.tunedAt = 40; },
             [](ModelLook& look) { look.over = TuneOver::Positions; }}) {
        edit(change);
        QTRY_VERIFY(!finder().news());
        m_window->document().editLook([&](Look& look) { look = asked; });
        QVERIFY(comesBack());
    }
    QVERIFY(open(QStringLiteral("gpt2")));
    QVERIFY(!finder().news());
    m_window->openFile(folderOf(QStringLiteral("llama")));
    QVERIFY(comesBack());
    QVERIFY(m_window->document().look() == asked);
    QVERIFY(open(QStringLiteral("gpt2")));
    QFile config(folderOf(QStringLiteral("llama")) + QStringLiteral("/config.json"));
    QVERIFY(config.open(QIODevice::Append) && config.write("\n") == 1);
    config.close();
    QVERIFY(open());
    QTest::qWait(100);
    QVERIFY(!finder().news());
}

/// Of the same question, and of no other; not where the model's files are others by now.
void FindScaleTest::itIsThereAfterARestart()
{
    const QString name = QStringLiteral("llama"), config = folderOf(name) + QStringLiteral("/config.json");
    QVERIFY(open());
    QVERIFY(search());
    const auto before = finder().news();
    start();
    QVERIFY(open());
    QTRY_VERIFY_WITH_TIMEOUT(finder().news() && finder().news()->report, patience);
    QVERIFY(!finder().isFinding());
    const TuneReport &was = *before->report, &is = *finder().news()->report;
    QCOMPARE(is.answer, was.answer);
    QCOMPARE(is.tuned, was.tuned);
    QCOMPARE(is.tried.size(), was.tried.size());
    for (std::size_t i = 0; i < was.tried.size(); ++i)
        QCOMPARE(is.tried[i].loss, was.tried[i].loss);
    for (std::size_t i = 0; i < was.heads.size(); ++i)
        QCOMPARE(is.heads[i].entropyAtN, was.heads[i].entropyAtN);
    for (std::size_t i = 0; i < before->exports.size(); ++i) {
        QCOMPARE(finder().news()->exports[i].text, before->exports[i].text);
        QCOMPARE(finder().news()->exports[i].loss, before->exports[i].loss);
    }
    QCOMPARE(scale().verdict(), QString::fromStdString(was.answer) + QLatin1Char('.'));
    const auto isNew = [&] {
        return QTest::qWaitFor([&] { return !finder().isRecalling(); }, patience) && !finder().news();
    };
    for (const auto& change : std::initializer_list<std::function<void(ModelLook&)>>{
             [](ModelLook& look) { look.over = TuneOver::Positions; }, [](ModelLook& look) { look.tunedAt = 40; }}) {
        edit(change);
        QTRY_VERIFY(isNew());
    }
    QFile file(config);
    QVERIFY(file.open(QIODevice::Append) && file.write("\n") == 1);
    file.close();
    start();
    QVERIFY(open());
    QVERIFY(isNew());
}

/// Whatever tab is shown, without a run of the model: where a loss, or what is known of heads, is not kept, nothing is
/// measured instead.
void FindScaleTest::theHeadlineKnowsItAtOnce()
{
    QVERIFY(open(QStringLiteral("llama"), 32));
    edit([](ModelLook& look) { look.n = 32; });
    QVERIFY(search());
    const TuneReport report = *finder().news()->report;
    const ScaleKey key = *finder().wanted();
    start();
    m_window->openFile(folderOf(QStringLiteral("llama")));
    edit([](ModelLook& look) {
        look.lengths = {16, 32};
        look.n = look.tunedAt = 32;
    });
    QTRY_VERIFY_WITH_TIMEOUT(finder().news() && finder().news()->report, patience);
    QVERIFY(!m_window->document().look().model.finding && !scale().isVisible());
    QCOMPARE(finder().news()->report->answer, report.answer);
    if (report.helps)
        QTRY_VERIFY(page().heads()->stage()->text().contains("found by Find the scale"));

    const QDir kept(ScaleFinder::folder());
    QFile file(kept.filePath(kept.entryList(QDir::Files).front()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    QVERIFY(whole.contains("\"heads\":"));
    QByteArray without = whole;
    without.replace("\"heads\":", "\"tails\":");
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(without) == without.size());
    file.close();
    KnownLosses known(ScaleFinder::folder().toStdString());
    const auto news = recalled(key, known, {});
    QVERIFY(news && !news->report && !news->tried.empty());
}

/// Of the line above the heads, which begins with what was found: whole words, and all of it in the tool tip.
void FindScaleTest::theVerdictFitsInLittleRoom()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    edit([](ModelLook& look) {
        look.text = ModelText::Repeated;
        look.last = 4;
    });
    QVERIFY(open(QStringLiteral("llama"), 32));
    edit([](ModelLook& look) { look.n = 32; });
    QVERIFY(search());
    page().tabs()->setCurrentIndex(0);
    QTRY_VERIFY_WITH_TIMEOUT(!page().runner().isRunning() && page().heads()->stage()->isVisible() &&
                                 !page().heads()->stage()->text().contains("before all runs"),
                             patience);
    const auto* line = page().heads()->stage()->findChild<ElidedLabel*>();
    QVERIFY(line);
    QTRY_VERIFY2(!line->shown().endsWith(u'\u2026'), qPrintable(line->shown()));
    QVERIFY2(line->shown().startsWith(QStringLiteral("At n")), qPrintable(line->shown()));
    if (finder().news()->report->helps)
        QVERIFY2(line->shown().contains("found by Find the scale"), qPrintable(line->shown()));
    // however much is said beside it
    const QString much = page().heads()->stage()->text() + QStringLiteral("; among the runs here") + QString(400, u'x');
    page().heads()->stage()->say(much, {much, much.section(QStringLiteral("; "), 0, 0)});
    QTRY_VERIFY2(!line->shown().endsWith(u'\u2026'), qPrintable(line->shown()));
}

/// Its name is bytes, in the key and in the file.
void FindScaleTest::aFolderWithoutUtf8IsRecalled()
{
    QTemporaryDir folder;
    const auto opened = [&](const char* name) {
        Model model = openModel(folderOf(QStringLiteral("llama")).toStdString()).value();
        model.folder = name;
        return std::make_shared<const Model>(std::move(model));
    };
    const auto model = opened("/caf\xe9"), other = opened("/caf\xe8");
    const std::vector<int> ids(64, 1);
    TuneRequest request;
    request.n = 16;
    KnownLosses known(folder.path().toStdString());
    known.of(model, ids, request, {});
    known.add("a window", WindowLoss{.loss = 2});
    known.write();
    KnownLosses again(folder.path().toStdString());
    QVERIFY(again.of(other, ids, request, {}).empty());
    QCOMPARE(again.of(model, ids, request, {}).size(), std::size_t(1));
}

void FindScaleTest::stoppedItGoesOnAfterARestart()
{
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open(QStringLiteral("llama"), 256));
    scale().findButton()->click();
    QVERIFY(QTest::qWaitFor([&] { return finder().news() && finder().news()->tried.size() >= 2; }, patience));
    const std::size_t tried = finder().news()->tried.size();
    start();
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open(QStringLiteral("llama"), 256));
    QTRY_VERIFY_WITH_TIMEOUT(finder().canGoOn(), patience);
    QVERIFY(finder().news()->tried.size() >= tried);
    QCOMPARE(scale().findButton()->text(), QStringLiteral("Go on"));
    QVERIFY(!scale().chart()->spec().series.empty());
    QVERIFY(search());
    QVERIFY(finder().news()->report);
    QCOMPARE(finder().news()->report->answer, expected().answer);
}

void FindScaleTest::aDamagedFileIsNoAnswer()
{
    QVERIFY(open());
    QVERIFY(search());
    const std::string answer = finder().news()->report->answer;
    const QDir kept(ScaleFinder::folder());
    QCOMPARE(kept.entryList(QDir::Files).size(), 1);
    QFile file(kept.filePath(kept.entryList(QDir::Files).front()));
    QVERIFY(file.resize(file.size() / 2));
    start();
    QVERIFY(open());
    QTRY_VERIFY(!finder().isRecalling());
    QVERIFY(!finder().news());
    QVERIFY(search());
    QCOMPARE(finder().news()->report->answer, answer);
}

/// The oldest go first.
void FindScaleTest::lossesKeepWithinTheirRoom()
{
    QTemporaryDir folder;
    const auto model =
        std::make_shared<const Model>(openModel(folderOf(QStringLiteral("llama")).toStdString()).value());
    const std::vector<int> ids(64, 1);
    const auto files = [&] { return QDir(folder.path()).entryInfoList(QDir::Files, QDir::Time); };
    qint64 most = 0;
    for (const std::int64_t n : {16, 17, 18, 19}) {
        KnownLosses known(folder.path().toStdString(), most == 0 ? 1 << 20 : std::uint64_t(most));
        TuneRequest request;
        request.n = n;
        known.of(model, ids, request, {});
        known.add(lossKey(n, 0, "a policy"), WindowLoss{.loss = 1});
        known.write();
        if (most == 0)
            most = 2 * files().front().size() + 20;  // of two
    }
    QCOMPARE(files().size(), 2);
    KnownLosses last(folder.path().toStdString());
    TuneRequest request;
    request.n = 19;
    last.of(model, ids, request, {});
    QCOMPARE(last.find(lossKey(19, 0, "a policy"))->loss, 1.0);
    last.of(model, ids, request, {.engine = "reference"});  // other numbers, if only in their last digits
    QVERIFY(last.isEmpty());
    const std::vector<FileStamp> others{{.exists = true, .size = 1}};  // of weights that were exchanged
    last.of(model, ids, request, {}, others);
    QVERIFY(last.isEmpty());
    last.of(model, ids, request, {});
    QCOMPARE(last.find(lossKey(19, 0, "a policy"))->loss, 1.0);
    request.n = 16;
    last.of(model, ids, request, {});
    QVERIFY(last.isEmpty());
}

/// In every table of the window the numbers of a column have the same number of decimals.
void FindScaleTest::columnsAreReadDownwards()
{
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open());
    QVERIFY(search());
    int columns = 0;
    for (const ValueTable* table : m_window->findChildren<ValueTable*>())
        for (int column = 0; column < table->columnCount(); ++column) {
            QSet<qsizetype> decimals;
            for (int row = 0; row < table->rowCount(); ++row)
                if (const QTableWidgetItem* cell = table->item(row, column); cell && cell->data(Qt::UserRole).isValid())
                    if (const QString words = cell->text(); words.contains(QRegularExpression("^[+\u2212]?[0-9.]+$")))
                        decimals << (words.contains('.') ? words.size() - words.indexOf('.') - 1 : 0);
            columns += !decimals.isEmpty();
            QVERIFY2(decimals.size() <= 1, qPrintable(QStringLiteral("%1, %2").arg(
                                               table->accessibleName(), table->horizontalHeaderItem(column)->text())));
        }
    QVERIFY2(columns > 15, qPrintable(QString::number(columns)));
}

void FindScaleTest::copiesAreWhatTheExportersSay()
{
    QVERIFY(open());
    QVERIFY(search());
    const TuneReport& report = *finder().news()->report;
    const Model& model = *page().runner().model();
    QCOMPARE(scale().takeAway()->targets()->count(), 4);
    int target = 0, broken = 0;
    for (const char* id : {"hf", "llama.cpp", "vllm", "pytorch"}) {
        scale().takeAway()->targets()->setCurrentIndex(target++);
        const auto exported = exportNearest(id, {report.use(), report.at, model.architecture, model.folder},
                                            report.tried, report.fitting);
        QVERIFY2(exported.has_value(), id);
        QGuiApplication::clipboard()->clear();
        scale().takeAway()->copyButton()->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(exported->text));
        const QString shown = scale().takeAway()->preview()->toPlainText();
        for (QTextBlock block = scale().takeAway()->preview()->document()->begin(); block.isValid();
             block = block.next())
            for (int line = 1; line < block.layout()->lineCount(); ++line) {  // no name is broken
                const int at = block.layout()->lineAt(line).textStart();
                static const QRegularExpression inAName(QStringLiteral("^[A-Za-z0-9_]{2}$"));
                QVERIFY2(!inAName.match(block.text().mid(at - 1, 2)).hasMatch(),
                         qPrintable(block.text().mid(at - 9, 18)));
                ++broken;
            }
        if (id != QLatin1String("llama.cpp")) {
            QCOMPARE(QString(shown).remove(QLatin1String("\\\n")).simplified(),
                     QString::fromStdString(exported->text).simplified());
            continue;
        }
        // a flag a line, and the lines are one command of a shell
        QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 1);
        QCOMPARE(QString(shown).remove(QStringLiteral("\\\n")), QString::fromStdString(exported->text));
        for (const QString& line : shown.trimmed().split(u'\n'))
            QVERIFY2(line.startsWith(u'-') && line.count(QStringLiteral(" -")) == 0, qPrintable(line));
    }
    QVERIFY(broken > 0);
}

/// A folder's answer is shown for Hugging Face, a GGUF file's for llama.cpp, until another is chosen, which stays.
void FindScaleTest::theTargetFitsTheModel()
{
    const auto shown = [&] {
        return scale().takeAway()->targets()->tabText(scale().takeAway()->targets()->currentIndex());
    };
    QVERIFY(open());
    QVERIFY(search());
    QCOMPARE(shown(), QStringLiteral("Hugging Face"));
    const QString file = QStringLiteral(SHARED "/data/gguf/stories260K-f32.gguf");
    if (!QFile::exists(file))
        QSKIP("no GGUF file is beside the checkout");
    m_window->openFile(file);
    page().findScale();
    edit([](ModelLook& look) {
        look.text = ModelText::Repeated;
        look.tunedAt = 48;
    });
    QTRY_VERIFY(finder().wanted() && finder().wanted()->model->folder.ends_with(".gguf") &&
                scale().findButton()->isEnabled());
    QVERIFY(search());
    QCOMPARE(shown(), QStringLiteral("llama.cpp"));
    scale().takeAway()->targets()->setCurrentIndex(2);
    edit([](ModelLook& look) { look.tunedAt = 40; });
    QVERIFY(search());
    QCOMPARE(shown(), QStringLiteral("vLLM"));
}

void FindScaleTest::whatIsFoundIsUsed()
{
    QVERIFY(open());
    QVERIFY(search());
    const TuneReport report = *finder().news()->report;
    const Choice method = methodOf(report.use(), report.at, page().runner().model()->architecture).value();
    const Scenario before = m_window->document().scenario();
    const std::vector<std::int64_t> lengths = m_window->document().look().model.lengths;
    const auto said = [&] {
        QStringList all;
        for (const QLabel* label : scale().findChildren<QLabel*>())
            if (label->isVisible())
                all << label->text();
        return all.join(u'\n');
    };
    const QString name = QString::fromStdString(describeChoice(scaleMethods(), method));
    QVERIFY2(said().contains(u"adds %1 to the methods of Explore and of every model"_s.arg(name)), qPrintable(said()));
    // a full list has no room for it, and says so before it is asked to
    const auto room = [&](std::size_t count) {
        m_window->document().editOnce(QStringLiteral("Methods"), [&](Scenario& scenario) {
            scenario.methods.assign(count, {"vanilla", {}, {}});
            for (std::size_t i = 0; i < count; ++i)
                scenario.methods[i].values["alpha"] = 2 + static_cast<double>(i);
        });
    };
    room(MethodsPanel::most);
    QTRY_VERIFY2(!scale().takeAway()->useButton()->isEnabled() && said().contains(u"9 methods are compared at most"_s),
                 qPrintable(said()));
    room(MethodsPanel::most - 1);
    QTRY_VERIFY(scale().takeAway()->useButton()->isEnabled());
    m_window->document().undo();
    m_window->document().undo();
    QCOMPARE(m_window->document().scenario(), before);
    QTRY_VERIFY2(said().contains(u"adds %1"_s.arg(name)), qPrintable(said()));

    scale().takeAway()->useButton()->click();
    const auto& buttons = m_window->messages().buttons();
    QVERIFY2(m_window->messages().message().startsWith(name), qPrintable(m_window->messages().message()));
    QVERIFY(buttons.size() == 1 && buttons.front()->text() == QStringLiteral("Undo"));
    m_window->document().editLook(
        [](Look& look) { look.model.probing = true; });  // elsewhere by then, and with more done
    m_window->document().editLook([](Look& look) { look.model.lengths.push_back(64); });
    buttons.front()->click();
    QVERIFY(m_window->document().scenario() == before && scale().isVisible());
    std::vector<std::int64_t> since = lengths;
    since.push_back(64);
    QCOMPARE(m_window->document().look().model.lengths, since);
    QVERIFY(!m_window->messages().isVisible());
    scale().takeAway()->useButton()->click();
    const ModelLook& look = m_window->document().look().model;
    QVERIFY(!look.finding && !scale().isVisible() && page().heads()->head()->isVisible());
    QCOMPARE(look.n, report.at.n);
    const auto& methods = m_window->document().scenario().methods;
    QCOMPARE(methods[std::size_t(look.method)], method);
    QCOMPARE(look.positions[std::size_t(look.position)], std::string("own"));
    QVERIFY(QTest::qWaitFor(
        [&] {
            const StudyCell* cell = page().runner().shownCell();
            return cell && cell->quality() && cell->n == report.at.n;
        },
        patience));
    page().findScale();
    QVERIFY2(finder().news() && finder().news()->report, "what was found is there still");
    QTRY_VERIFY2(said().contains(u"is a method already"_s), qPrintable(said()));
    // undone in another way, as Ctrl+Z does: the message that offered to is gone too
    QVERIFY(m_window->messages().isVisible());
    m_window->document().undo();  // one step, of the method and of what is looked at
    QCOMPARE(m_window->document().scenario(), before);
    QTRY_VERIFY(!m_window->messages().isVisible());
}

void FindScaleTest::whatIsWrongIsSaid()
{
    QVERIFY(open());
    scale().length()->setText("many");
    emit scale().length()->editingFinished();
    QVERIFY(scale().length()->property("wrong").toBool() && m_window->messages().showsError());
    QVERIFY(scale().length()->toolTip().contains("n can be empty, or is a number of tokens"));
    QCOMPARE(m_window->document().look().model.tunedAt, std::int64_t(48));
    scale().length()->setText("64");
    emit scale().length()->editingFinished();
    QCOMPARE(m_window->document().look().model.tunedAt, std::int64_t(64));
    QVERIFY(!m_window->messages().showsError());
    QVERIFY(open(QStringLiteral("gpt2")));  // learned positions turn nothing
    edit([](ModelLook& look) { look.over = TuneOver::Positions; });
    QVERIFY(search());
    QVERIFY2(scale().verdict().contains("search over scale"), qPrintable(scale().verdict()));
}

/// In both fields of the question; what comes at the end has a word before it, and nothing is offered to be copied.
void FindScaleTest::enterBegins()
{
    QVERIFY(open());
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    scale().length()->setFocus();
    QTest::keyClick(scale().length(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(scale().length(), "56");
    QTest::keyClick(scale().length(), Qt::Key_Return);
    QVERIFY(finder().isFinding());
    QVERIFY(!scale().length()->hasFocus());  // as Return leads out of every field of numbers
    QTRY_VERIFY(finder().news() && scale().chart()->isVisible());
    if (finder().isFinding())
        QVERIFY(!scale().comparisons()->isVisible() && !scale().takeAway()->copyButton()->isVisible());
    QTRY_VERIFY(!finder().isFinding());
    QVERIFY(finder().news()->report);
    QCOMPARE(finder().news()->report->at.n, std::int64_t(56));
    QVERIFY(scale().comparisons()->isVisible() && scale().takeAway()->copyButton()->isVisible());
    scale().over()->setFocus();
    edit([](ModelLook& look) { look.tunedAt = 40; });
    QTRY_VERIFY(!finder().news());
    QTRY_COMPARE(scale().length()->text(), QStringLiteral("40"));
    QTest::keyClick(scale().over(), Qt::Key_Return);
    QVERIFY(finder().isFinding());
    scale().stopButton()->click();
}

void FindScaleTest::returnAndSpacePressTheButton()
{
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space}) {
        QVERIFY(open(QStringLiteral("llama"), key == Qt::Key_Return ? 48 : 40));
        scale().findButton()->setFocus();
        QTest::keyClick(scale().findButton(), key);
        QVERIFY(finder().isFinding());
        scale().stopButton()->click();
    }
}

/// Stop is not where the button is that begins: who clicks that twice, or after Return, stops nothing.
void FindScaleTest::aSecondClickStopsNothing()
{
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open(QStringLiteral("llama"), 256));
    const QPoint button = scale().findButton()->geometry().center();
    QTest::mouseClick(scale().findButton(), Qt::LeftButton);
    QTRY_VERIFY(finder().isFinding() && scale().stopButton()->isVisible());
    QTest::qWait(20);
    QCOMPARE(scale().line()->childAt(button), scale().findButton());
    QVERIFY(!scale().findButton()->isEnabled());
    QTest::mouseClick(scale().line(), Qt::LeftButton, {}, button);
    QVERIFY(finder().isFinding());
    scale().stopButton()->click();
}

void FindScaleTest::aLengthIsTypedAsElsewhere()
{
    QVERIFY(open());
    scale().length()->setFocus();
    scale().length()->setText("2^5");
    scale().findButton()->setFocus();
    QCOMPARE(m_window->document().look().model.tunedAt, std::int64_t(32));
}

/// "many" is no number: the button says so and begins nothing, and what was typed stays until there is another length.
void FindScaleTest::anotherLengthThanTypedIsNotSearched()
{
    QVERIFY(open());
    scale().length()->setFocus();
    scale().length()->setText("many");
    QTest::mouseClick(scale().findButton(), Qt::LeftButton);
    QVERIFY(!finder().isFinding() && m_window->messages().showsError());
    QCOMPARE(scale().length()->text(), QStringLiteral("many"));
    QVERIFY(scale().length()->property("wrong").toBool());
    QTest::keyClick(scale().length(), Qt::Key_Return);
    QVERIFY(!finder().isFinding());
    scale().findButton()->setFocus();
    edit([](ModelLook& look) { look.tunedAt = 40; });
    QTRY_COMPARE(scale().length()->text(), QStringLiteral("40"));
    QVERIFY(!scale().length()->property("wrong").toBool());
}

/// From the button that begins to the one that stops, and back; nothing else moves.
void FindScaleTest::theFocusStaysWhereItWas()
{
    edit([](ModelLook& look) { look.over = TuneOver::Heads; });
    QVERIFY(open(QStringLiteral("llama"), 256));
    scale().findButton()->setFocus();
    QTRY_VERIFY(scale().over()->x() > scale().findButton()->width());  // laid out
    const int over = scale().over()->x();
    QTest::keyClick(scale().findButton(), Qt::Key_Space);
    QTRY_VERIFY(finder().isFinding() && scale().stopButton()->isVisible());
    QVERIFY(scale().stopButton()->hasFocus());
    QTest::qWait(20);
    QCOMPARE(scale().over()->x(), over);
    QTRY_VERIFY(finder().news() != nullptr);
    QTest::keyClick(scale().stopButton(), Qt::Key_Space);
    QVERIFY(scale().findButton()->hasFocus());
    QTest::qWait(20);
    QCOMPARE(scale().over()->x(), over);
}

/// m = 2 and 4 were tried on few windows alone: no line goes from 1 to 14. One point at 0 has an axis with numbers.
void FindScaleTest::theChartJoinsWhatWasLookedAt()
{
    const auto tried = [](double m, std::size_t windows, double change) {
        return TriedSetting{.setting = {.multiplier = m}, .windows = windows, .published = {}, .change = change};
    };
    const ChartSpec chart = tuneChart({.at = {64, 32},
                                       .tried = {tried(1, 8, 0), tried(2, 2, -0.5), tried(4, 2, -0.9),
                                                 tried(14, 8, -1.1), tried(15, 8, -1.15), tried(16, 8, -1.2)},
                                       .theory = {{"infoscale", 1.1}, {"softmax_plus", 1.2}}});
    QStringList labels;
    std::vector<std::size_t> joined;
    for (const ChartSeries& series : chart.series) {
        if (!series.label.isEmpty())
            labels << series.label;
        if (series.shape == ChartSeries::Shape::LinePoints)
            joined.push_back(series.points.size());
    }
    QCOMPARE(labels, QStringList({"searched, 2 windows", "searched, all 8 windows"}));
    QCOMPARE(joined, std::vector<std::size_t>({4}));  // from the first of them to the last
    QVERIFY2(chart.title.contains("on the 8 search windows (hollow: on fewer windows)"), qPrintable(chart.title));
    const ChartSpec soFar =  // while it searches nobody knows how many there are
        tuneChart({.at = {64, 32}, .tried = {tried(1, 2, 0), tried(2, 2, -0.5)}, .theory = {}, .searching = true});
    QVERIFY2(soFar.title.contains("own, on 2 search windows"), qPrintable(soFar.title));
    QCOMPARE(std::ranges::count(chart.lines, Qt::Vertical, &ReferenceLine::orientation), std::ptrdiff_t(1));
    QVERIFY(
        std::ranges::any_of(chart.series, [](const ChartSeries& one) { return one.open && one.points.size() == 2; }));
    const ChartSpec close = tuneChart({.at = {64, 32},
                                       .tried = {tried(0.5, 8, 0), tried(16, 8, -1)},
                                       .theory = {{"entropy_exact", 1.55}, {"infoscale", 1.1}}});
    QStringList names;  // every line has its own, however close they are
    for (const ReferenceLine& line : close.lines)
        if (line.orientation == Qt::Vertical)
            names << line.label;
    QCOMPARE(names, QStringList({QStringLiteral("$H$ kept"), QStringLiteral("InfoScale")}));
    QVERIFY2(!close.title.contains("hollow"), "all were tried on all windows");
    auto off = tried(1, 8, 40);  // nats: so far above that it is not shown
    off.published = "Log n";
    off.setting.policy.method.id = "log_n";
    const ChartSpec seen = tuneChart({.at = {64, 32}, .tried = {tried(1, 8, 0), tried(2, 8, -1), off}, .theory = {}});
    QVERIFY(seen.y.range->second < 40);
    for (const ChartSeries& series : seen.series)
        QVERIFY2(!series.label.contains("Log"), qPrintable(series.label));  // no name without a point
    QVERIFY(seen.notes.empty());                                            // nothing is recommended
    const ChartSpec marked = tuneChart({.at = {64, 32},
                                        .tried = {tried(1, 8, 0), tried(2, 2, -3), tried(2, 8, -1), off},
                                        .theory = {},
                                        .use = Setting{.multiplier = 2}});
    QCOMPARE(marked.notes.size(), std::size_t(1));
    QCOMPARE(QPointF(marked.notes[0].x, marked.notes[0].y), QPointF(2, -1));  // of all windows
    QCOMPARE(marked.notes[0].text, QStringLiteral("$m$ = 2"));
    const auto range = *tuneChart({.at = {64, 32}, .tried = {tried(1, 8, 0)}, .theory = {}}).y.range;
    QVERIFY(range.second - range.first >= 1e-3 && range.first < 0 && range.second > 0);
}

void FindScaleTest::theSessionKeepsTheQuestion()
{
    edit([](ModelLook& look) {
        look.finding = true;
        look.over = TuneOver::Both;
        look.tunedAt = 777;
    });
    const auto kept = readSession(writeSession(m_window->session().current()));
    QVERIFY2(kept.has_value(), kept ? "" : kept.error().message.c_str());
    QVERIFY(kept->look == m_window->document().look());
    QVERIFY(!readSession(R"({"schema": "attnscope_session/8", "look": {"model": {"over": "everything"}}})"));
    QVERIFY(!readSession(R"({"schema": "attnscope_session/8", "look": {"model": {"tuned_at": -1}}})"));
}

void FindScaleTest::thePaletteLeadsThere()
{
    m_window->openFile(folderOf(QStringLiteral("llama")));
    const auto entries = paletteEntries(*m_window);
    const auto entry =
        std::ranges::find_if(entries, [](const PaletteEntry& one) { return one.name == "Find the scale"; });
    QVERIFY(entry != entries.end());
    entry->run();
    QTRY_VERIFY(scale().isVisible());
    QCOMPARE(page().tabs()->currentIndex(), 1);
    page().tabs()->setCurrentIndex(0);
    QVERIFY(!scale().isVisible() && page().heads()->head()->isVisible());
}

void FindScaleTest::everyControlHasANameAndTeaches_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addRow("1280 x 720") << QSize(1280, 720);
    QTest::addRow("1600 x 1000") << QSize(1600, 1000);
}

/// With everything on the screen: names, tool tips, and room for each.
void FindScaleTest::everyControlHasANameAndTeaches()
{
    QFETCH(QSize, size);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    edit([](ModelLook& look) { look.text = ModelText::Repeated; });
    QVERIFY(open());
    QVERIFY(search());
    QTest::qWait(50);
    QCOMPARE(m_window->size(), size);
    QCOMPARE(scale().comparisons()->horizontalScrollBar()->maximum(), 0);  // nothing scrolls sideways
    QStringList faults = layoutFaults(scale()) + cutButtons(scale());
    for (const QWidget* widget : scale().findChildren<QWidget*>() + scale().line()->findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                             qobject_cast<const QPushButton*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
                             qobject_cast<const ChartView*>(widget) || qobject_cast<const ValueTable*>(widget);
        if (!control || qobject_cast<const QComboBox*>(widget->parentWidget()))
            continue;
        const auto* button = qobject_cast<const QPushButton*>(widget);
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
            faults << QStringLiteral("%1 without a name").arg(widget->metaObject()->className());
        if (widget->toolTip().isEmpty() && !qobject_cast<const ChartView*>(widget) &&
            !qobject_cast<const ValueTable*>(widget))
            faults << QStringLiteral("%1 teaches nothing").arg(widget->accessibleName());
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join("\n")));
}

QTEST_MAIN(FindScaleTest)
#include "find_scale_test.moc"
