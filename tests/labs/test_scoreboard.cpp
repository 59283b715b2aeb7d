// The scoreboard from rows made up here: every expected number is worked out by hand.

#include "core/labs/scoreboard.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace attnscope;

namespace {

bool equal(double a, double b) { return std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(b)); }

BoardRun runOf(const char* choice, std::vector<LabRow> rows)
{
    return {
        "here",
        {.choice = *parseChoice(std::string_view(choice), labs(), "lab"), .finished = true, .rows = std::move(rows)}};
}

LabRow languageRow(std::int64_t seed, double ratio, const char* method, const char* positions, double accuracy,
                   double nll, double entropy, LabValue p = {})
{
    return {"quality",
            {{"seed", seed},
             {"trained", std::string("vanilla")},
             {"n", static_cast<std::int64_t>(64 * ratio)},
             {"n_over_train", ratio},
             {"method", std::string(method)},
             {"positions", std::string(positions)},
             {"nll", nll},
             {"accuracy", accuracy},
             {"recall", LabValue{}},
             {"entropy_mean", entropy},
             {"p", p},
             {"accuracy_p", p},
             {"windows", std::int64_t{8}}}};
}

LabRow tourRow(double n, const char* method, LabValue where, double length, LabValue p = {})
{
    return {"quality",
            {{"task", std::string("tsp")},
             {"n", static_cast<std::int64_t>(n)},
             {"n_over_train", n / 100},
             {"method", std::string(method)},
             {"where", where},
             {"length", length},
             {"p", p},
             {"entropy_encoder", n / 100},
             {"entropy_decoder", n / 50},
             {"instances", std::int64_t{16}}}};
}

}  // namespace

class TestScoreboard : public QObject {
    Q_OBJECT
private slots:
    void pairsAreNetworks();
    void equalGainsHaveNoTest();
    void everyTaskHasMoreForBetter();
    void conditionsAreTasks();
    void hypothesis();
    void shippedRunsMakeABoard();
    void packingsGainWhatTheirLabFound();
    void foldersWithoutARun();
};

/// Gains 3, 4, 4 points: mean 11/3, standard error 1/3, t = 11; with two degrees of freedom p = 1 - t / sqrt(2 + t^2).
void TestScoreboard::pairsAreNetworks()
{
    std::vector<LabRow> rows;
    const double vanilla[] = {0.50, 0.52, 0.54}, better[] = {0.53, 0.56, 0.58};
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        rows.push_back(languageRow(seed, 1, "vanilla", "rope", 0.6, 1, 2.0));
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", vanilla[seed - 1], 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", better[seed - 1], 1, 2.5, 0.7));
    }
    const std::vector<BoardRun> runs{runOf("masked-lm:networks=3", rows),
                                     runOf("masked-lm:networks=3,tokens=16384", rows)};  // the second says nothing new
    const Scoreboard board = makeScoreboard(runs);
    QCOMPARE(board.tasks.size(), std::size_t{1});
    QCOMPARE(board.tasks[0].label, std::string("hidden tokens found, rope"));
    QCOMPARE(board.methods, (std::vector<std::string>{"vanilla", "infoscale"}));
    const BoardCell* cell = board.find("hidden tokens found, rope", "infoscale", 2);
    QVERIFY(cell);
    QVERIFY(equal(cell->gain, 11.0 / 3) && equal(*cell->standardError, 1.0 / 3));
    QVERIFY(equal(*cell->p, 1 - 11 / std::sqrt(123.0)));
    QCOMPARE(starsOf(*cell), 2);
    QCOMPARE(cell->pairs, 3);
    QCOMPARE(cell->pairedOver, std::string("networks"));
    QVERIFY(equal(cell->vanilla, 52) && equal(cell->value, 167.0 / 3));
    QVERIFY(equal(*cell->entropy, 2.5) && equal(*cell->entropyChange, 0.25));
    const BoardCell* baseline = board.find("hidden tokens found, rope", "vanilla", 2);
    QVERIFY(baseline && baseline->gain == 0 && !baseline->p && equal(*baseline->entropyChange, 0.5));
}

/// Three networks, each 5 points better: a gain without a spread, of which no test can say anything.
void TestScoreboard::equalGainsHaveNoTest()
{
    std::vector<LabRow> rows;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        const double vanilla = 0.3 + 0.1 * static_cast<double>(seed);
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", vanilla, 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", vanilla + 0.05, 1, 2.5, 0.001));
    }
    const Scoreboard board = makeScoreboard(std::vector{runOf("masked-lm:networks=3", rows)});
    const BoardCell* cell = board.find("hidden tokens found, rope", "infoscale", 2);
    QVERIFY(cell && equal(cell->gain, 5) && std::abs(*cell->standardError) < 1e-12);
    QVERIFY(!cell->p && starsOf(*cell) == 0);
    QCOMPARE(cell->pairs, 3);
    QCOMPARE(cell->pairedOver, std::string("networks"));
}

/// Perplexity from 4 to 3: a quarter lower. A tour from 10 to 9: a tenth shorter. An accuracy from 50 to 55 per cent: 5
/// points. One pair each: the lab's own p.
void TestScoreboard::everyTaskHasMoreForBetter()
{
    const std::vector<BoardRun> runs{
        runOf("causal-lm:steps=0", {languageRow(1, 4, "vanilla", "rerope", 0.5, std::log(4.0), 3),
                                    languageRow(1, 4, "softmax_plus", "rerope", 0.5, std::log(3.0), 2, 0.02)}),
        runOf("routing:sets=8,\"vanilla; infoscale | both | models/tsp100.safetensors |\"",
              {tourRow(400, "vanilla", {}, 10), tourRow(400, "infoscale", std::string("both"), 9, 0.0004)}),
        runOf("max-retrieval", {{"table1",
                                 {{"method", std::string("vanilla")},
                                  {"items", std::int64_t{64}},
                                  {"accuracy", 50.0},
                                  {"entropy", 1.0},
                                  {"p_value", LabValue{}}}},
                                {"table1",
                                 {{"method", std::string("vanilla|adaptive")},
                                  {"items", std::int64_t{64}},
                                  {"accuracy", 55.0},
                                  {"entropy", 0.8},
                                  {"p_value", 0.2}}}})};
    const Scoreboard board = makeScoreboard(runs);
    const auto check = [&](const char* task, const char* method, double gain, double value, double vanilla, double p,
                           std::int64_t pairs, const char* over, int stars) {
        const BoardCell* cell = board.find(task, method, 4);
        QVERIFY2(cell, task);
        QVERIFY2(equal(cell->gain, gain) && equal(cell->value, value) && equal(cell->vanilla, vanilla) &&
                     equal(*cell->p, p),
                 task);
        QCOMPARE(cell->pairs, pairs);
        QCOMPARE(cell->pairedOver, std::string(over));
        QCOMPARE(starsOf(*cell), stars);
        QVERIFY(!cell->standardError);
    };
    check("next token, rerope", "softmax_plus", 25, 3, 4, 0.02, 8, "windows", 1);
    check("tours, tsp (tsp100)", "infoscale", 10, 9, 10, 0.0004, 16, "instances", 3);
    check("largest item found", "vanilla|adaptive", 5, 55, 50, 0.2, 10, "test sets", 0);
    QVERIFY(!whatIsMissing(board).empty());
    QVERIFY(whatIsMissing(board).front().starts_with("hidden tokens found: attnscope lab masked-lm"));
}

/// A scale in the decoder is held against vanilla, which acts nowhere, and against the glimpse's entropy at N: 2 there,
/// 8 at 4 N.
void TestScoreboard::conditionsAreTasks()
{
    const Scoreboard board =
        makeScoreboard(std::vector{runOf("routing", {tourRow(100, "vanilla", {}, 5), tourRow(400, "vanilla", {}, 10),
                                                     tourRow(400, "infoscale", std::string("both"), 9),
                                                     tourRow(400, "infoscale", std::string("decoder"), 12)}),
                                   runOf("masked-lm:alpha=16,seed=3", {languageRow(3, 2, "vanilla", "rope", 0.5, 1, 1),
                                                                       languageRow(3, 2, "yarn", "rope", 0.4, 1, 1)})});
    QVERIFY(board.find("hidden tokens found, rope (alpha=16)", "yarn", 2));
    QCOMPARE(board.find("tours, tsp, decoder", "infoscale", 4)->gain, -20.0);
    QCOMPARE(*board.find("tours, tsp, decoder", "infoscale", 4)->entropyChange, 3.0);
    QCOMPARE(*board.find("tours, tsp", "infoscale", 4)->entropyChange, 3.0);
    QVERIFY(board.find("tours, tsp", "vanilla", 4) && board.find("tours, tsp, decoder", "vanilla", 4));
}

/// The more the entropy changes the worse: -1 within the task; at N nothing counts.
void TestScoreboard::hypothesis()
{
    std::vector<LabRow> rows{languageRow(1, 1, "vanilla", "rope", 0.6, 1, 2)};
    const std::pair<const char*, double> found[] = {
        {"vanilla", 0.40}, {"yarn", 0.45}, {"infoscale", 0.5}, {"log_n", 0.55}};
    double entropy = 4;
    for (const auto& [method, accuracy] : found)
        rows.push_back(languageRow(1, 2, method, "rope", accuracy, 1, entropy -= 0.4));
    const auto relations = entropyRelations(makeScoreboard(std::vector{runOf("masked-lm", rows)}));
    QCOMPARE(relations.size(), std::size_t{4});
    for (const EntropyRelation& relation : relations) {
        QCOMPARE(relation.correlation.points, 4);
        QVERIFY(equal(relation.correlation.rho, -1));
    }
    QCOMPARE(relations[2].scope, std::string("hidden tokens found, rope, within a length"));
    QCOMPARE(relations[3].scope, std::string("n = 2 N, within a task"));
}

/// What comes with the program: several tasks, every cell a number, and every run can be made again from its choice.
void TestScoreboard::shippedRunsMakeABoard()
{
    const auto runs = shippedRuns();
    QVERIFY2(runs, runs ? "" : runs.error().message.c_str());
    for (const BoardRun& run : *runs)
        QVERIFY(run.record.finished);
    const Scoreboard board = makeScoreboard(*runs);
    QVERIFY(board.tasks.size() >= 4 && board.methods.size() >= 14);
    for (const BoardCell& cell : board.cells)
        QVERIFY(std::isfinite(cell.gain) && (!cell.p || (*cell.p >= 0 && *cell.p <= 1)));
}

/// A packing's gain is the change of its load rate, in points, that the lab found over the same instances.
void TestScoreboard::packingsGainWhatTheirLabFound()
{
    const auto runs = shippedRuns();
    QVERIFY(runs.has_value());
    const Scoreboard board = makeScoreboard(*runs);
    int compared = 0;
    for (const BoardRun& run : *runs)
        for (const LabRow& row : run.record.rows)
            if (run.record.choice.id == "packing" && row.table == "quality" && std::isfinite(row.number("change"))) {
                const auto word = [&](const char* column) { return std::get<std::string>(*row.find(column)); };
                const BoardCell* cell =
                    board.find("boxes packed, " + word("bin"), word("method"), row.number("n_over_train"));
                QVERIFY(cell);
                QVERIFY(std::abs(cell->gain - row.number("change")) < 1e-5);  // of numbers with eight digits
                if (std::isfinite(row.number("p"))) {                         // where nothing differs there is none
                    QCOMPARE(*cell->p, row.number("p"));
                    QCOMPARE(cell->pairedOver, std::string("instances"));
                }
                ++compared;
            }
    QVERIFY(compared > 50);
}

void TestScoreboard::foldersWithoutARun()
{
    QTemporaryDir folder;
    const auto runs = runsIn(std::vector{folder.path().toStdString()});
    QVERIFY(!runs && runs.error().message.find("attnscope lab --out DIR") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestScoreboard)
#include "test_scoreboard.moc"
