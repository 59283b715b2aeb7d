// Probes in the Model workspace: what the page shows is what core's probes find, nothing is asked before Run, it stops
// and runs again, nothing is left of another model or question, the document keeps what is asked, and what cannot be
// asked says why.
#include "core/base/measured_text.h"
#include "tests/model/small_models.h"
#include "tests/ui/window_support.h"

#include "core/model/generated_text.h"
#include "core/analysis/probe_answer.h"
#include "core/document/session.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/message_bar.h"
#include "ui/model/head_view.h"
#include "ui/model/model_controls.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/model/probe_page.h"
#include "ui/window/palette_entries.h"
#include "ui/workbench/figure_sources.h"
#include "ui/window/workspaces.h"
#include "ui/window/command_palette.h"
#include "ui/widgets/value_table.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace attnscope::testing;

class ProbePageTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }

    void nothingRunsBeforeItIsAsked();
    void repeatedTokensAreWhatCoreFinds();
    void needlesAreWhatCoreFinds();
    void returnAndSpacePressTheButton();
    void whatIsAskedWhileATextIsReadIsDone();
    void mapsOfDifferences();
    void stoppedItRunsAgain();
    void anotherModelWhileItRuns();
    void whatIsLeftOfAnotherQuestion_data();
    void whatIsLeftOfAnotherQuestion();
    void bothTasksKeepWhatTheyFound();
    void whatCannotBeAsked();
    void networksOfPairsOpenAtTheirNeedles();
    void lengthsWithoutRoomAreLeftOut();
    void whatIsWrongIsSaid();
    void thePictureChoosesTheLength();
    void theDocumentKeepsTheQuestion();
    void aSessionHasWhatWasFound_data();
    void aSessionHasWhatWasFound();
    void numbersGiveTheKeysBack();
    void thePaletteLeadsThere();
    void everyControlHasANameAndTeaches_data();
    void everyControlHasANameAndTeaches();

private:
    ModelPage& page() { return m_window->model(); }
    ProbePage& probe() { return *page().probes(); }
    ProbeRunner& runner() { return probe().probes(); }
    QString folderOf(const QString& name) const { return m_folders.filePath(name); }
    void edit(const std::function<void(ModelLook&)>& change)
    {
        m_window->document().editLook([&](Look& look) { change(look.model); });
    }
    void setMethods(const std::vector<Choice>& methods)
    {
        m_window->document().editOnce("methods", [&](Scenario& scenario) { scenario.methods = methods; });
    }
    /// A shipped model or a small one, with two short lengths.
    bool open(const QString& name, ProbeTask task)
    {
        const QString path = findShippedModel(name.toStdString()) ? name : folderOf(name);
        m_window->setWorkspace(modelWorkspace);
        page().open(path);
        page().showProbes();
        edit([&](ModelLook& look) {  // which another model begins without
            look.text = findShippedModel(name.toStdString()) ? ModelText::Generated : ModelText::Repeated;
            look.lengths = {48, 96};
            look.probe.task = task;
            look.probe.samples = 3;
            look.probe.depths = {0, 1};
        });
        return QTest::qWaitFor(
            [&] {
                return page().runner().opens().ids && page().runner().folder() == path.toStdString() &&
                       page().runner().model()->folder == path.toStdString() && probe().isVisible();
            },
            patience);
    }
    bool run()
    {
        probe().runButton()->click();
        return QTest::qWaitFor([&] { return !runner().isRunning(); }, patience) && runner().news() != nullptr;
    }
    /// What core finds of the same.
    std::vector<ProbeCell> expected()
    {
        const ProbeKey key = *runner().wanted();
        return runProbe(*key.model, fillerOf(key).value(), key.request, {}, {}).value();
    }
    /// With as many decimals as the cell has, which are those of its column.
    static QString shownIn(const QTableWidgetItem* cell, double value)
    {
        const qsizetype point = cell->text().indexOf(u'.');
        const int decimals = point < 0 ? 0 : int(cell->text().size() - point) - 1;
        return std::isfinite(value) ? QString::number(value + 0.0, 'f', decimals).replace(u'-', u'\u2212')
                                    : QStringLiteral("\u2013");
    }
    static QString shownP(double p)
    {
        return !std::isfinite(p) ? QStringLiteral("\u2013")
               : p < 0.00095     ? printed(QString::number(p, 'e', 0).toStdString())
                                 : QString::number(p, 'f', 3);
    }
    static QString shownWithError(double value, const std::optional<double>& error)
    {
        if (!error || *error == 0)
            return shown(value, error ? 4 : 3);
        return printed(formatMeasured(value, *error)) + QStringLiteral(" \u00B1 ") +
               printed(formatMeasured(*error, *error));
    }
    static QString shown(double value, int digits)
    {
        return std::isfinite(value) ? QString::fromStdString(formatNumber(value, digits)).replace(u'-', u'\u2212')
                                    : QStringLiteral("\u2013");
    }
    static double orNone(const std::optional<double>& value) { return value.value_or(noValue); }
    void compareScores(const std::vector<ProbeCell>& cells);

    QTemporaryDir m_folders;
    std::unique_ptr<MainWindow> m_window;
};

void ProbePageTest::initTestCase()
{
    prepareApplication();
    QVERIFY(m_folders.isValid());
    for (const char* name : {"llama", "gpt2"})
        QCOMPARE(writeModel(smallModel(name), folderOf(QString::fromLatin1(name)).toStdString()), std::string());
}

void ProbePageTest::init()
{
    QVERIFY(QDir(ProbeRunner::folder()).removeRecursively());  // what another test has found
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    setMethods({{"vanilla", {}, {}}, {"softmax_plus", {}, {}}});
    edit([](ModelLook& look) { look.windows = 1; });
}

void ProbePageTest::compareScores(const std::vector<ProbeCell>& cells)
{
    const auto& found = runner().news()->cells;
    QCOMPARE(found.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        QCOMPARE(found[i].n, cells[i].n);
        QCOMPARE(found[i].depth, cells[i].depth);
        QCOMPARE(found[i].policy, cells[i].policy);
        QCOMPARE(found[i].scores.size(), cells[i].scores.size());
        for (std::size_t sample = 0; sample < cells[i].scores.size(); ++sample) {
            QCOMPARE(found[i].scores[sample].loss, cells[i].scores[sample].loss);
            QCOMPARE(found[i].scores[sample].right, cells[i].scores[sample].right);
            QCOMPARE(found[i].scores[sample].asked, cells[i].scores[sample].asked);
        }
    }
}

void ProbePageTest::nothingRunsBeforeItIsAsked()
{
    for (const ProbeTask task : {ProbeTask::Repeat, ProbeTask::Needle}) {
        QVERIFY(open(QStringLiteral("stories"), task));
        QTest::qWait(60);
        QVERIFY(!runner().isRunning() && !runner().news());
        QVERIFY2(probe().question().contains(QString::number(task == ProbeTask::Needle ? 2 * 2 * 2 * 3 : 2 * 2 * 3)),
                 qPrintable(probe().question()));
        QVERIFY(probe().runButton()->isEnabled() && probe().runButton()->isVisible());
        QVERIFY(!probe().stopButton()->isVisible());
        QCOMPARE(probe().keys()->isVisible(), task == ProbeTask::Needle);
    }
    QVERIFY(probe().question().contains("People called Mia Wolf."));
}

void ProbePageTest::repeatedTokensAreWhatCoreFinds()
{
    edit([](ModelLook& look) { look.positions = {"own", "rerope"}; });
    QVERIFY(open(QStringLiteral("llama"), ProbeTask::Repeat));
    QVERIFY(run());
    QVERIFY2(runner().news()->complete, qPrintable(runner().news()->error));
    const auto cells = expected();
    QCOMPARE(cells.size(), std::size_t(2 * 4));
    compareScores(cells);
    const ValueTable& table = *probe().table();
    QCOMPARE(table.rowCount(), int(cells.size()));
    for (int row = 0; row < table.rowCount(); ++row) {
        const ProbeCell& cell = cells[std::size_t(row)];
        const ProbeMeans means = meansOf(cell, referenceOf(cell, cells, 2));
        QCOMPARE(table.item(row, 2)->text(), shownIn(table.item(row, 2), double(cell.n)));
        QCOMPARE(table.item(row, 3)->text(), shownIn(table.item(row, 3), means.firstLoss.mean));
        QCOMPARE(table.item(row, 4)->text(), shownIn(table.item(row, 4), means.loss.mean));
        QCOMPARE(table.item(row, 3)->text().section(u'.', 1).size(),
                 table.item(row, 4)->text().section(u'.', 1).size());
        QCOMPARE(table.item(row, 6)->text(), shownIn(table.item(row, 6), 100 * means.right.mean));
        QCOMPARE(table.item(row, 8)->text(), shownIn(table.item(row, 8), means.lossChange.mean));
        QCOMPARE(table.item(row, 10)->text(), shownP(orNone(means.lossP)));
    }
    // a line a policy, with its error, and the first copy beside the losses
    const auto& right = probe().recall()->spec().series;
    const auto& loss = probe().loss()->spec().series;
    QCOMPARE(right.size(), std::size_t{4});
    QCOMPARE(loss.size(), std::size_t{5});
    QCOMPARE(loss.back().style, int(ChartSeries::reference));
    // where chance stands, in sight: one of so many tokens, and the loss of even odds
    const double tokens = page().runner().model()->architecture.vocabulary;
    for (const auto& [chart, chance] :
         {std::pair(probe().recall(), 100 / tokens), std::pair(probe().loss(), std::log(tokens))}) {
        const ChartSpec& spec = chart->spec();
        const auto line = std::ranges::find(spec.lines, Qt::Horizontal, &ReferenceLine::orientation);
        QVERIFY(line != spec.lines.end() && line->label == QStringLiteral("chance"));
        QCOMPARE(line->at, chance);
        QVERIFY(spec.y.range->first < line->at && line->at < spec.y.range->second);
        for (const ChartSeries& series : spec.series)
            for (const ChartPoint& point : series.points)
                QVERIFY(spec.y.range->first < point.y && point.y < spec.y.range->second);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ProbeMeans means = meansOf(cells[i], nullptr);
        const ChartPoint &here = right[cells[i].policy].points[i / 4], &there = loss[cells[i].policy].points[i / 4];
        QCOMPARE(here.x, double(cells[i].n));
        QCOMPARE(here.y, 100 * means.right.mean);
        QCOMPARE(there.y, means.loss.mean);
        QCOMPARE(there.high, means.loss.mean + *means.loss.standardError);
        if (cells[i].policy == 0)
            QCOMPARE(loss.back().points[i / 4].y, means.firstLoss.mean);
    }
    QVERIFY(probe().verdict().startsWith("At n\u00A0=\u00A0"));
}

void ProbePageTest::needlesAreWhatCoreFinds()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    QVERIFY(run());
    QVERIFY2(runner().news()->complete, qPrintable(runner().news()->error));
    const auto cells = expected();
    QCOMPARE(cells.size(), std::size_t(2 * 2 * 2));
    compareScores(cells);
    QCOMPARE(runner().request().words, needleOfStories());
    const ValueTable& table = *probe().table();
    QCOMPARE(table.rowCount(), int(cells.size()));
    const auto& maps = probe().maps()->views();
    QCOMPARE(maps.size(), std::size_t{2});
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const ProbeCell& cell = cells[i];
        const ProbeMeans means = meansOf(cell, referenceOf(cell, cells, 2));
        const int row = int(i);
        QCOMPARE(table.item(row, 3)->text(), shownIn(table.item(row, 3), cell.depth));
        QCOMPARE(table.item(row, 4)->text(), shownIn(table.item(row, 4), -means.loss.mean));
        QCOMPARE(table.item(row, 5)->text(), shownIn(table.item(row, 5), orNone(means.loss.standardError)));
        QCOMPARE(table.item(row, 6)->text(), shownIn(table.item(row, 6), 100 * means.right.mean));
        QCOMPARE(table.item(row, 8)->text(), shownIn(table.item(row, 8), -means.lossChange.mean));
        QCOMPARE(table.item(row, 10)->text(), shownP(orNone(means.lossP)));
        QCOMPARE(table.item(row, 12)->text(), shownP(orNone(means.rightP)));
        const NeedleMap::Cell& shownCell =
            maps[cell.policy]->map().cells[cell.depth == 0 ? 0 : 1][cell.n == 48 ? 0 : 1];
        QCOMPARE(shownCell.value, 100 * means.right.mean);  // as the sentence counts
        const QString exact = QStringLiteral("exact in %1 of 3").arg(std::lround(3 * means.right.mean));
        QVERIFY2(shownCell.reading.contains(exact), qPrintable(shownCell.reading));
        QVERIFY2(shownCell.reading.contains("ln p = " + shownWithError(-means.loss.mean, means.loss.standardError)),
                 qPrintable(shownCell.reading));
    }
    // the sentence, counted here
    const std::int64_t n = page().runner().shown().n;
    double found[2] = {0, 0};
    for (const ProbeCell& cell : cells)
        for (const ProbeScore& score : cell.scores)
            found[cell.policy] += cell.n == n ? score.right : 0;
    const QString start = QStringLiteral("the needle is found in %1 of 6 samples as the model is; in %2 with Softmax");
    QVERIFY2(probe().verdict().contains(start.arg(found[0]).arg(found[1])), qPrintable(probe().verdict()));
    QVERIFY(probe().colouredBy()->currentText() == "Exact answers");
    // of the probability: the map, the sentence and what is read, without another run
    const auto before = runner().news();
    edit([](ModelLook& look) { look.probe.probability = true; });
    QCOMPARE(runner().news(), before);
    QVERIFY(probe().colouredBy()->currentText() == "Probability of the answer");
    QVERIFY2(probe().verdict().contains("the geometric mean of the probability of the needle's answer is"),
             qPrintable(probe().verdict()));
    for (const ProbeCell& cell : cells) {
        const NeedleMap::Cell& shownCell =
            maps[cell.policy]->map().cells[cell.depth == 0 ? 0 : 1][cell.n == 48 ? 0 : 1];
        const SampleMean loss = meansOf(cell, nullptr).loss;
        QCOMPARE(shownCell.value, std::exp(-loss.mean));
        QVERIFY2(shownCell.reading.contains(": ln p = " + shownWithError(-loss.mean, loss.standardError)),
                 qPrintable(shownCell.reading));
    }
    // a hovered cell is read
    hover(maps.front(), maps.front()->cell(1, 1).center());
    QCOMPARE(maps.front()->accessibleDescription(), maps.front()->map().cells[1][1].reading);
}

void ProbePageTest::returnAndSpacePressTheButton()
{
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space}) {
        QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
        QVERIFY(probe().runButton()->property("primary").toBool());
        probe().runButton()->setFocus();
        QTest::keyClick(probe().runButton(), key);
        QVERIFY(runner().isRunning());
        probe().stopButton()->click();
        edit([](ModelLook& look) { look.probe.samples = 4; });  // nothing is left of it
        QTRY_VERIFY(!runner().news());
    }
}

/// It is done once the text is there, and until then said.
void ProbePageTest::whatIsAskedWhileATextIsReadIsDone()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    edit([](ModelLook& look) {
        look.text = ModelText::Typed;
        look.typed = testText(4000);
    });
    QVERIFY(page().runner().isOpening());
    probe().runButton()->click();
    QVERIFY(runner().isRunning() && runner().isWaiting());
    QVERIFY(probe().stopButton()->isVisible());
    QTRY_VERIFY(!runner().isRunning() && runner().news());
    compareScores(expected());
    QCOMPARE(runner().news()->error, QString());
    // and stopped before it is there, it is not
    edit([](ModelLook& look) { look.typed = testText(5000); });
    probe().runButton()->click();
    QVERIFY(runner().isWaiting());
    probe().stopButton()->click();
    QVERIFY(!runner().isRunning());
    QTRY_VERIFY(!page().runner().isOpening());
    QVERIFY(!runner().isRunning() && !runner().news());
}

void ProbePageTest::mapsOfDifferences()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    QVERIFY(run());
    const auto before = runner().news();
    edit([](ModelLook& look) { look.probe.difference = true; });
    QCOMPARE(runner().news(), before);  // nothing is asked again
    QVERIFY(probe().colouredBy()->currentText() == "Difference of exact answers");
    const auto cells = expected();
    // a gain has the board's colour of gains
    const auto blueLess = [&](double gain) {
        const QRgb colour = probe().maps()->views().front()->axes().scale.colour(gain);
        return qBlue(colour) - qRed(colour);
    };
    QVERIFY(blueLess(1e3) > 60 && blueLess(-1e3) < -60);
    for (const ProbeCell& cell : cells) {
        const NeedleMap::Cell& shownCell =
            probe().maps()->views()[cell.policy]->map().cells[cell.depth == 0 ? 0 : 1][cell.n == 48 ? 0 : 1];
        const ProbeMeans means = meansOf(cell, referenceOf(cell, cells, 2));
        QCOMPARE(shownCell.value, cell.policy == 0 ? 0.0 : 100 * means.rightChange.mean);
        QCOMPARE(shownCell.reading.contains("difference from Vanilla"), cell.policy != 0);
    }
    edit([](ModelLook& look) { look.probe.probability = true; });
    QVERIFY(probe().colouredBy()->currentText() == "Difference of ln p");
    for (const ProbeCell& cell : cells) {
        const NeedleMap::Cell& shownCell =
            probe().maps()->views()[cell.policy]->map().cells[cell.depth == 0 ? 0 : 1][cell.n == 48 ? 0 : 1];
        const ProbeMeans means = meansOf(cell, referenceOf(cell, cells, 2));
        QCOMPARE(shownCell.value, cell.policy == 0 ? 0.0 : -means.lossChange.mean);
        if (means.lossP)
            QVERIFY2(shownCell.reading.contains("p = " + shownP(*means.lossP)), qPrintable(shownCell.reading));
    }
}

void ProbePageTest::stoppedItRunsAgain()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    edit([](ModelLook& look) {
        look.lengths = {48, 4096};
        look.probe.samples = 20;
    });
    QVERIFY(QTest::qWaitFor([&] { return probe().runButton()->isEnabled(); }, patience));
    const int place = probe().task()->mapTo(&page(), QPoint()).x();
    probe().runButton()->click();
    QVERIFY(probe().stopButton()->isVisible() && !probe().runButton()->isEnabled());
    QVERIFY(QTest::qWaitFor([&] { return runner().news() && !runner().news()->cells.empty(); }, patience));
    probe().stopButton()->click();
    QVERIFY(!runner().isRunning() && runner().news() && !runner().news()->complete);
    const std::size_t found = runner().news()->cells.size();
    QTest::qWait(100);
    QCOMPARE(runner().news()->cells.size(), found);
    QVERIFY(found < std::size_t(2 * 2 * 2) && probe().table()->rowCount() == int(found));
    // what was measured can be exported, and says that it is a part
    const auto sources = figureSources(m_window->bench(), [] { return std::vector<std::string>(); });
    const FigureSource& source = sources.back();
    QVERIFY(source.isLookedAt() && source.recipe());
    const auto content = source.content();
    QVERIFY(content);
    std::string asked;  // its recipe asks for all of it
    for (const std::int64_t length : runner().request().lengths)
        asked += (asked.empty() ? "" : ",") + std::to_string(length);
    QCOMPARE(source.recipe()->parameters.at("lengths").get<std::string>(), asked);
    QCOMPARE(runner().request().lengths.size(), std::size_t(2));
    QVERIFY2(
        content->footnote.startsWith(QStringLiteral("Partial: stopped at ")) &&
            content->footnote.contains(QStringLiteral(", after %1 cells (opened again, all are asked). ").arg(found)),
        qPrintable(content->footnote));
    QCOMPARE(probe().runButton()->text(), QStringLiteral("Run again"));
    QCOMPARE(probe().task()->mapTo(&page(), QPoint()).x(), place);
    edit([](ModelLook& look) {
        look.lengths = {48, 96};
        look.probe.samples = 3;
    });
    QVERIFY(!runner().news());
    QCOMPARE(probe().runButton()->text(), QStringLiteral("Run"));
    QVERIFY(run() && runner().news()->complete);
    QVERIFY(!probe().runButton()->property("primary").toBool());  // what is done is not what comes next
    QVERIFY(run() && runner().news()->complete);                  // the same question again
    QVERIFY(source.content() && !source.content()->footnote.contains("Partial"));
    // what was found comes back with its question, and a second run that is stopped takes nothing of the first
    const auto whole = runner().news();
    const auto positions = m_window->document().look().model.positions;
    edit([](ModelLook& look) { look.positions.emplace_back("none"); });
    QVERIFY(!runner().news());
    edit([&](ModelLook& look) { look.positions = positions; });
    QVERIFY(runner().news() == whole && probe().table()->rowCount() == int(whole->cells.size()));
    probe().runButton()->click();
    probe().stopButton()->click();
    QVERIFY(runner().news() == whole && !runner().isRunning());
    QVERIFY2(probe().answerInShort().front().contains(u"he model as it is finds "),
             qPrintable(probe().answerInShort().front()));
    QVERIFY(probe().answerInShort().size() > 1);
    QVERIFY(!page().controls()->stage().contains(u"are done"));  // which is of other runs
    compareScores(expected());
}

void ProbePageTest::anotherModelWhileItRuns()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Repeat));
    edit([](ModelLook& look) {
        look.lengths = {4096};
        look.probe.samples = 200;
    });
    probe().runButton()->click();
    QVERIFY(runner().isRunning());
    QVERIFY(open(QStringLiteral("llama"), ProbeTask::Repeat));
    QVERIFY(!runner().isRunning() && !runner().news());
    QVERIFY(probe().verdict().isEmpty() && !probe().question().isEmpty());
    QVERIFY(run() && runner().news()->complete);
    compareScores(expected());
}

void ProbePageTest::whatIsLeftOfAnotherQuestion_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<bool>("stays");
    int what = 0;
    for (const auto& [name, stays] : {std::pair("a head", true), std::pair("windows", true), std::pair("colours", true),
                                      std::pair("lengths", false), std::pair("samples", false),
                                      std::pair("keys", false), std::pair("depths", false), std::pair("text", false),
                                      std::pair("positions", false), std::pair("methods", false)})
        QTest::addRow("%s", name) << what++ << stays;
}

void ProbePageTest::whatIsLeftOfAnotherQuestion()
{
    QFETCH(int, what);
    QFETCH(bool, stays);
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    QVERIFY(run());
    const std::function<void(ModelLook&)> changes[] = {[](ModelLook& look) { look.layer = 1; },
                                                       [](ModelLook& look) { look.windows = 2; },
                                                       [](ModelLook& look) { look.probe.difference = true; },
                                                       [](ModelLook& look) { look.lengths = {64}; },
                                                       [](ModelLook& look) { look.probe.samples = 2; },
                                                       [](ModelLook& look) { look.probe.keys = 2; },
                                                       [](ModelLook& look) { look.probe.depths = {0.5}; },
                                                       [](ModelLook& look) { look.text = ModelText::Manual; },
                                                       [](ModelLook& look) {
                                                           look.positions = {"own", "rerope"};
                                                       }};
    if (what < int(std::size(changes)))
        edit(changes[what]);
    else
        setMethods({{"vanilla", {}, {}}});
    if (!stays)
        QTRY_VERIFY(!runner().news());
    QTest::qWait(50);
    QCOMPARE(runner().news() != nullptr, stays);
    QCOMPARE(probe().verdict().isEmpty(), !stays);
    QVERIFY(!runner().isRunning());
}

void ProbePageTest::bothTasksKeepWhatTheyFound()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    QVERIFY(run());
    const auto needles = runner().news();
    edit([](ModelLook& look) { look.probe.task = ProbeTask::Repeat; });
    QVERIFY(!runner().news() && !probe().question().isEmpty());
    QVERIFY(run());
    edit([](ModelLook& look) { look.probe.task = ProbeTask::Needle; });
    QCOMPARE(runner().news(), needles);
    QVERIFY(probe().maps()->isVisible() && probe().question().isEmpty());
}

void ProbePageTest::whatCannotBeAsked()
{
    QVERIFY(open(QStringLiteral("llama"), ProbeTask::Needle));  // without a tokeniser
    QVERIFY(!probe().runButton()->isEnabled() && !probe().otherButton()->isVisible());
    QVERIFY2(probe().question().contains("tokeni"), qPrintable(probe().question()));
    edit([](ModelLook& look) { look.probe.task = ProbeTask::Repeat; });
    QVERIFY(probe().runButton()->isEnabled());
    QVERIFY(open(QStringLiteral("masked"), ProbeTask::Repeat));  // an encoder
    QVERIFY(!probe().runButton()->isEnabled() && probe().otherButton()->isVisible());
    QVERIFY2(probe().question().contains("finds hidden tokens"), qPrintable(probe().question()));
    probe().otherButton()->click();
    QVERIFY(QTest::qWaitFor([&] { return probe().runButton()->isEnabled(); }, patience));
    QCOMPARE(page().runner().model()->folder, std::string("stories"));
    QVERIFY(!probe().otherButton()->isVisible());
    QVERIFY(open(QStringLiteral("masked"), ProbeTask::Needle));  // what finds needles
    QCOMPARE(probe().otherButton()->text(), QStringLiteral("Open recall1"));
    probe().otherButton()->click();
    QVERIFY(QTest::qWaitFor([&] { return probe().runButton()->isEnabled(); }, patience));
    QCOMPARE(page().runner().model()->folder, std::string("recall1"));
    edit([](ModelLook& look) { look.lengths = {64}; });
    QVERIFY(run());
    QCOMPARE(runner().request().words, needleOfPairs());
    QVERIFY2(probe().verdict().contains("found in 6 of 6 samples as the model is"), qPrintable(probe().verdict()));
    setMethods({});
    QVERIFY(!probe().runButton()->isEnabled());
    QVERIFY2(probe().question().contains("No method"), qPrintable(probe().question()));
}

/// They can do nothing else: the tab is there, with needles up to 16 N.
void ProbePageTest::networksOfPairsOpenAtTheirNeedles()
{
    m_window->openModel(QStringLiteral("recall2"));
    QVERIFY(QTest::qWaitFor([&] { return page().runner().model() && probe().runButton()->isEnabled(); }, patience));
    QVERIFY(probe().isVisible());
    QCOMPARE(m_window->document().look().model.probe.task, ProbeTask::Needle);
    QCOMPARE(page().runner().lengths(), (std::vector<std::int64_t>{64, 128, 256, 512, 1024}));
    QCOMPARE(m_window->document().look().model.positions, (std::vector<std::string>{"own", "rerope:w=64"}));
    QCOMPARE(page().runner().shown().n, std::int64_t{1024});
    QVERIFY2(probe().question().contains("Mia Wolf"), qPrintable(probe().question()));
}

void ProbePageTest::lengthsWithoutRoomAreLeftOut()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    edit([](ModelLook& look) { look.lengths = {4, 48}; });
    QVERIFY(run());
    QVERIFY(runner().news()->complete);
    QVERIFY2(runner().news()->leftOut.contains("n = 4 left out"), qPrintable(runner().news()->leftOut));
    QCOMPARE(runner().news()->cells.size(), std::size_t(2 * 2));
    edit([](ModelLook& look) { look.lengths = {4}; });
    QVERIFY(run());
    QVERIFY2(probe().question().contains("take a longer n"), qPrintable(probe().question()));
    const auto before = page().runner().opens().ids;
    edit([](ModelLook& look) {  // of few tokens
        look.text = ModelText::Typed;
        look.typed = "Mia lived near the mill. She found a small bell. Tom met her.";
        look.lengths = {400};
    });
    QVERIFY(QTest::qWaitFor([&] { return page().runner().opens().ids && page().runner().opens().ids != before; },
                            patience));
    QVERIFY(run());
    QVERIFY2(probe().question().contains("give a longer text"), qPrintable(probe().question()));
}

void ProbePageTest::whatIsWrongIsSaid()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    const auto type = [&](QLineEdit* field, const char* typed) {
        field->setText(QString::fromLatin1(typed));
        emit field->editingFinished();
        const bool wrong = field->property("wrong").toBool();
        const bool saidThere = field->toolTip().contains("number from ") || field->toolTip().contains("numbers from ");
        return wrong && saidThere && m_window->messages().showsError();
    };
    QVERIFY(type(probe().samples(), "1") && type(probe().samples(), "many"));
    QVERIFY(type(probe().keys(), "0") && type(probe().keys(), "17"));
    QVERIFY(type(probe().depths(), "0,2") && type(probe().depths(), "") && type(probe().depths(), "0;1"));
    const ProbeLook& look = m_window->document().look().model.probe;
    QCOMPARE(look.samples, 3);
    QCOMPARE(look.keys, 1);
    QVERIFY(!type(probe().samples(), "5") && !type(probe().keys(), "2") && !type(probe().depths(), "1, 0.5"));
    QVERIFY(type(probe().samples(), "5.5") && !type(probe().samples(), "0.01k") && look.samples == 10);
    QVERIFY(!type(probe().samples(), " 1 2 ") && look.samples == 12 && !type(probe().samples(), "5"));
    QVERIFY(!probe().samples()->toolTip().contains("number from "));
    QCOMPARE(look.samples, 5);
    QCOMPARE(look.keys, 2);
    QCOMPARE(look.depths, (std::vector<double>{0.5, 1}));
    QVERIFY(!m_window->messages().showsError());
}

void ProbePageTest::thePictureChoosesTheLength()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    QVERIFY(run());
    NeedleMapView* map = probe().maps()->views().front();
    for (const int column : {0, 1}) {
        QTest::mouseClick(map, Qt::LeftButton, {}, map->cell(1, column).center().toPoint());
        const std::int64_t n = column == 0 ? 48 : 96;
        QCOMPARE(m_window->document().look().model.n, n);
        QVERIFY2(probe().verdict().startsWith(QStringLiteral("At n\u00A0=\u00A0%1 ").arg(n)),
                 qPrintable(probe().verdict()));
    }
}

void ProbePageTest::theDocumentKeepsTheQuestion()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Repeat));
    edit([](ModelLook& look) {
        look.probe.task = ProbeTask::Needle;
        look.probe.samples = 11;
        look.probe.keys = 3;
        look.probe.depths = {0.1, 0.9};
        look.probe.probability = look.probe.difference = true;
    });
    const auto kept = readSession(writeSession(m_window->session().current()));
    QVERIFY2(kept.has_value(), kept ? "" : kept.error().message.c_str());
    QVERIFY(kept->look == m_window->document().look());
    QVERIFY(kept->look.model.probing);
    // the controls say what the document does, in whatever window
    QCOMPARE(probe().samples()->text(), QStringLiteral("11"));
    QCOMPARE(probe().keys()->text(), QStringLiteral("3"));
    QCOMPARE(probe().depths()->text(), QStringLiteral("0.1,0.9"));
    QCOMPARE(probe().task()->currentData().toInt(), int(ProbeTask::Needle));
    const ProbeLook before = m_window->document().look().model.probe;
    setMethods({{"vanilla", {}, {}}});
    m_window->document().undo();
    QVERIFY(m_window->document().look().model.probe == before);
    for (const char* wrong : {R"({"task": "sing"})", R"({"samples": 1})", R"({"keys": 17})", R"({"depths": []})",
                              R"({"depths": [0.5, 1.5]})", R"({"unknown": 1})"})
        QVERIFY2(!readSession(R"({"schema": "attnscope_session/9", "look": {"model": {"probe": )" + std::string(wrong) +
                              "}}}"),
                 wrong);
    QVERIFY(readSession(R"({"schema": "attnscope_session/8", "look": {"model": {"finding": true}}})"));
}

void ProbePageTest::aSessionHasWhatWasFound_data()
{
    QTest::addColumn<ProbeTask>("task");
    QTest::addRow("repeated tokens") << ProbeTask::Repeat;
    QTest::addRow("needles") << ProbeTask::Needle;
}

/// In a later window, without a run; another question and another model have nothing of it.
void ProbePageTest::aSessionHasWhatWasFound()
{
    QFETCH(ProbeTask, task);
    QVERIFY(open(QStringLiteral("stories"), task));
    QVERIFY(run());
    QVERIFY(runner().news()->complete);
    const auto cells = expected();
    const QString verdict = probe().verdict();
    QVERIFY(!verdict.isEmpty());
    const auto kept = readSession(writeSession(m_window->session().current()));
    QVERIFY(kept);
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->session().resume(*kept);
    QTRY_VERIFY(runner().news() != nullptr);
    QVERIFY(!runner().isRunning() && runner().news()->complete);
    compareScores(cells);
    QTRY_COMPARE(probe().verdict(), verdict);
    edit([](ModelLook& look) { look.probe.samples = 4; });
    QTest::qWait(200);
    QVERIFY(!runner().news());
    edit([](ModelLook& look) { look.probe.samples = 3; });
    QTRY_VERIFY(runner().news() != nullptr);
    QVERIFY(open(QStringLiteral("recall1"), task));
    QTest::qWait(200);
    QVERIFY(!runner().news());
    // a damaged file is as none
    for (const QFileInfo& file : QDir(ProbeRunner::folder()).entryInfoList(QDir::Files)) {
        QFile damaged(file.filePath());
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("{\"schema\": 1") > 0);
    }
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->session().resume(*kept);
    QTRY_VERIFY(page().runner().opens().ids && probe().isVisible());
    QTest::qWait(200);
    QVERIFY(!runner().news());
    QVERIFY(run());
    compareScores(cells);
}

/// As in every field of numbers: Return takes over and Escape takes back, and both lead out.
void ProbePageTest::numbersGiveTheKeysBack()
{
    QVERIFY(open(QStringLiteral("stories"), ProbeTask::Needle));
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    struct {
        QLineEdit* field;
        const char *good, *wrong;
    } const fields[] = {{probe().samples(), "5", "0"},
                        {probe().keys(), "2", "99"},
                        {probe().depths(), "0,0.5", "2"},
                        {page().controls()->lengths(), "48,64", "x"},
                        {page().controls()->windows(), "3", "0"},
                        {page().controls()->last(), "7", "-1"}};
    for (const auto& [field, good, wrong] : fields) {
        if (field == page().controls()->windows())
            edit([](ModelLook& look) { look.probing = false; });  // where they are asked for
        QTRY_VERIFY(field->isVisible() && field->isEnabled());
        const QString before = field->text();
        const auto type = [typed = field](const char* text, Qt::Key key) {
            typed->setFocus();
            typed->selectAll();
            QTest::keyClicks(typed, QString::fromLatin1(text));
            QTest::keyClick(typed, key);
        };
        const ModelLook look = m_window->document().look().model;
        type(good, Qt::Key_Escape);
        QVERIFY2(!field->hasFocus(), good);
        QCOMPARE(field->text(), before);
        QVERIFY(m_window->document().look().model == look);
        type(wrong, Qt::Key_Return);
        QVERIFY2(field->hasFocus(), qPrintable(field->accessibleName()));
        QVERIFY2(field->property("wrong").toBool(), qPrintable(field->accessibleName()));
        QVERIFY2(m_window->messages().showsError(), qPrintable(field->accessibleName()));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY2(!field->hasFocus() && !field->property("wrong").toBool(), wrong);
        QCOMPARE(field->text(), before);
        QVERIFY2(!m_window->messages().showsError(), qPrintable(m_window->messages().message()));
        type(good, Qt::Key_Return);
        QVERIFY2(!field->hasFocus(), good);
        QVERIFY(!(m_window->document().look().model == look));
        QCOMPARE(field->text(), QString::fromLatin1(good));
    }
}

void ProbePageTest::thePaletteLeadsThere()
{
    m_window->setWorkspace(modelWorkspace);
    page().open(QStringLiteral("stories"));
    const auto entries = paletteEntries(*m_window);
    const auto entry =
        std::ranges::find_if(entries, [](const PaletteEntry& one) { return one.name.startsWith("Probes:"); });
    QVERIFY(entry != entries.end());
    entry->run();
    QTRY_VERIFY(probe().isVisible());
    QCOMPARE(page().tabs()->currentIndex(), 2);
    page().tabs()->setCurrentIndex(1);
    QVERIFY(!probe().isVisible());
    page().tabs()->setCurrentIndex(0);
    QVERIFY(page().heads()->head()->isVisible());
}

void ProbePageTest::everyControlHasANameAndTeaches_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("needle");
    for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)})
        for (const bool needle : {false, true})
            QTest::addRow("%d x %d, %s", size.width(), size.height(), needle ? "needle" : "repeat") << size << needle;
}

/// With everything on the screen: names, tool tips, and room for each.
void ProbePageTest::everyControlHasANameAndTeaches()
{
    QFETCH(QSize, size);
    QFETCH(bool, needle);
    m_window = smallWindow(size);
    QVERIFY(m_window);
    edit([](ModelLook& look) { look.positions = {"own", "rerope"}; });
    QVERIFY(open(QStringLiteral("stories"), needle ? ProbeTask::Needle : ProbeTask::Repeat));
    QVERIFY(run());
    QTest::qWait(50);
    QCOMPARE(m_window->size(), size);
    QCOMPARE(probe().table()->horizontalScrollBar()->maximum(), 0);  // nothing scrolls sideways
    QStringList faults = layoutFaults(probe()) + cutButtons(probe());
    for (const QWidget* widget : probe().findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                             qobject_cast<const QPushButton*>(widget) || qobject_cast<const ChartView*>(widget) ||
                             qobject_cast<const NeedleMapView*>(widget) || qobject_cast<const ValueTable*>(widget);
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

QTEST_MAIN(ProbePageTest)
#include "probe_page_test.moc"
