// The scoreboard from rows made up here: every expected number is worked out by hand.

#include "core/labs/scoreboard/scoreboard.h"

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

/// Its change is `change` per cent, whatever the mean lengths say.
LabRow tourRow(double n, const char* method, LabValue where, double length, LabValue p = {}, LabValue change = 0.0)
{
    return {"quality",
            {{"task", std::string("tsp")},
             {"n", static_cast<std::int64_t>(n)},
             {"n_over_train", n / 100},
             {"method", std::string(method)},
             {"where", where},
             {"length", length},
             {"change", change},
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
    void theBestOfAColumn();
    void equalGainsHaveNoTest();
    void noiseOfRecordsIsNoGain();
    void aBaselineIsMissingWhereItIsOne();
    void everyTaskHasMoreForBetter();
    void headsOfOneRunAreNetworks();
    void runsThatFoundTheSameCountOnce();
    void aNetworkOfSeveralRunsCountsOnce();
    void aFactorOnVanillaHasItsRow();
    void whereNothingStandsBesideVanilla();
    void conditionsAreTasks();
    void networksOfOneRecipeAreOfOneTask();
    void hypothesis();
    void hypothesisIsTestedOverNetworks();
    void aNetworkThatSeveralRunsTestIsOneUnit();
    void aGuessIsALineAndNoTest();
    void theDifferenceThatIsClaimedIsTested();
    void testsAreCorrected();
    void shippedRunsMakeABoard();
    void packingsGainWhatTheirLabFound();
    void foldersWithoutARun();
    void runsThatNeverFinishedAreLeftOut();
};

/// Records keep eight digits: what is smaller is no gain. Gains that cancel are none either, and they were tested.
void TestScoreboard::noiseOfRecordsIsNoGain()
{
    std::vector<LabRow> rows;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        const double of = 0.31 + 0.07 * static_cast<double>(seed);
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", of, 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", of - 2e-9 * static_cast<double>(seed), 1, 2.5));
        rows.push_back(languageRow(seed, 2, "yarn", "rope", of + 0.01 * static_cast<double>(seed - 2), 1, 2.4));
        rows.push_back(languageRow(seed, 2, "log_n", "rope", of + 4e-7, 1, 2.3));
    }
    const Scoreboard board = makeScoreboard(std::vector{runOf("masked-lm:networks=3", rows)});
    const auto at = [&](const char* method) { return *board.find("hidden tokens found, rope", method, 2); };
    QVERIFY(at("infoscale").gain == 0 && !at("infoscale").p && !at("infoscale").q);
    QVERIFY(at("yarn").gain == 0 && at("yarn").p && equal(*at("yarn").p, 1) &&
            equal(*at("yarn").standardError, 1 / std::sqrt(3)));
    QVERIFY(equal(at("log_n").gain, 4e-5) && !at("log_n").p);
}

/// Boxes in random order are packed without a network; of tours and tokens there is no such row that could be missing.
void TestScoreboard::aBaselineIsMissingWhereItIsOne()
{
    Scoreboard board;
    board.reference = "random order";
    const auto lines = whatIsMissing(board);
    const auto names = [&](const char* lab) {
        return std::ranges::count_if(lines, [&](const std::string& line) {
            return line.find(std::string("attnscope lab ") + lab) != line.npos;
        });
    };
    QVERIFY(names("packing") > 0 && names("routing") == 0 && names("masked-lm") == 0 && names("recall") == 0);
    board.reference = "vanilla";
    const auto all = whatIsMissing(board);
    QVERIFY(std::ranges::any_of(all, [](const std::string& line) { return line.find("lab routing") != line.npos; }));
}

/// It is a method like others, beside vanilla and not in its place, in whatever order the rows stand.
void TestScoreboard::aFactorOnVanillaHasItsRow()
{
    for (const bool first : {true, false}) {
        std::vector<LabRow> rows{tourRow(200, "vanilla", LabValue{}, 10),
                                 tourRow(200, "infoscale", "both", 9, 0.01, -10.0)};
        rows.insert(first ? rows.begin() : rows.end(), tourRow(200, "vanilla:alpha=2", "both", 8, 0.02, -20.0));
        const Scoreboard board = makeScoreboard(std::vector{runOf("routing:sets=8", rows)});
        QCOMPARE(board.methods, (std::vector<std::string>{"vanilla", "vanilla:alpha=2", "infoscale"}));
        const std::string task = board.tasks.front().label;
        const BoardCell* factor = board.find(task, "vanilla:alpha=2", 2);
        QVERIFY(factor && equal(factor->gain, 20) && equal(factor->value, 8) && equal(factor->vanilla, 10));
        QVERIFY(factor->p && *factor->p == 0.02 && !factor->comparable);
        QVERIFY(equal(board.find(task, "infoscale", 2)->gain, 10) && board.find(task, "vanilla", 2)->gain == 0);
    }
}

void TestScoreboard::whereNothingStandsBesideVanilla()
{
    const auto why = [](const std::vector<LabRow>& rows) {
        const std::vector<BoardRun> runs{runOf("masked-lm", rows)};
        return makeScoreboard(runs).cells.empty() ? QString::fromStdString(whyNoCell(runs)) : QString();
    };
    QVERIFY(why({}).contains("there is no row of a lab"));
    for (const char* only : {"infoscale", "vanilla", "vanilla:alpha=2"})
        QVERIFY2(why({languageRow(1, 2, only, "rope", 0.5, 1, 2)}).contains("against vanilla"), only);
    QCOMPARE(why({languageRow(1, 2, "vanilla", "rope", 0.5, 1, 2), languageRow(1, 2, "yarn", "rope", 0.6, 1, 2)}),
             QString());
}

/// For every network that comes with the program, as the commands beside it say that it was made: networks of other
/// seeds, trained so, stand in its column. Trained for longer, or at other things, they do not.
void TestScoreboard::networksOfOneRecipeAreOfOneTask()
{
    QFile readme(QStringLiteral(TEST_DATA "/../../resources/labs/README.md"));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QRegularExpression command(
        QStringLiteral("`(tsp|cvrp|packing)\\d+_seed1.safetensors` \\| `attnscope lab (\\w+)([^`]*) --out DIR`"));
    const auto labelOf = [](const QString& choice, bool packing) {
        std::vector<LabRow> rows;
        for (const char* method : {"vanilla", "infoscale"}) {
            rows.push_back(packing ? LabRow{"quality",
                                            {{"bin", std::string("120 x 100")},
                                             {"n", std::int64_t{40}},
                                             {"n_over_train", 2.0},
                                             {"method", std::string(method)},
                                             {"load_rate", 70.0}}}
                                   : tourRow(200, method, LabValue{}, 10));
            rows.back().cells.emplace_back("seed", std::int64_t{2});
        }
        const Scoreboard board = makeScoreboard(std::vector{runOf(choice.toUtf8().constData(), rows)});
        return board.tasks.empty() ? std::string("none") : board.tasks[0].label;
    };
    int networks = 0;
    for (auto all = command.globalMatch(QString::fromUtf8(readme.readAll())); all.hasNext(); ++networks) {
        const QRegularExpressionMatch made = all.next();
        QStringList recipe =
                        made.captured(3).remove(QStringLiteral(" --set")).split(QLatin1Char(' '), Qt::SkipEmptyParts),
                    shipped{QStringLiteral("steps=0")};
        for (const QString& one : recipe)
            if (one.startsWith(QLatin1String("length")) || one.startsWith(QLatin1String("vehicles")))
                shipped << one;
        const bool packing = made.captured(2) == QLatin1String("packing");
        const auto choice = [&](const QStringList& values) {
            return made.captured(2) + QLatin1Char(':') + (values + QStringList{"seed=2"}).join(QLatin1Char(','));
        };
        const std::string task = labelOf(choice(shipped), packing);
        QVERIFY2(task != "none" && labelOf(choice(recipe), packing) == task,
                 qPrintable(choice(recipe) + " is not of " + QString::fromStdString(task)));
        const QStringList longer = recipe.filter(QRegularExpression(QStringLiteral("^(?!steps)"))) << "steps=777";
        QVERIFY2(labelOf(choice(longer), packing) != task, qPrintable(choice(longer)));
        QVERIFY2(labelOf(choice(recipe + QStringList{"width=64"}), packing) != task, qPrintable(choice(recipe)));
    }
    QCOMPARE(networks, 6);
}

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
    QCOMPARE(starsOf(*cell), 2);  // the only test
    QCOMPARE(board.tasks[0].networks, 3);
    QCOMPARE(cell->networks.size(), std::size_t{3});
    QVERIFY(equal(cell->networks[1].gain, 4));
    QCOMPARE(cell->pairs, 3);
    QCOMPARE(cell->pairedOver, std::string("networks"));
    QVERIFY(equal(cell->vanilla, 52) && equal(cell->value, 167.0 / 3));
    QVERIFY(equal(*cell->entropy, 2.5) && equal(*cell->entropyChange, 0.25));
    const BoardCell* baseline = board.find("hidden tokens found, rope", "vanilla", 2);
    QVERIFY(baseline && baseline->gain == 0 && !baseline->p && equal(*baseline->entropyChange, 0.5));
}

/// Behind the best by 1, 1, 2 points, t = 4, and vanilla by 4, 5, 6, t = 5 sqrt 3: with two degrees of freedom
/// p = 1 - t / sqrt(2 + t^2), and Holm doubles the smaller of two.
void TestScoreboard::theBestOfAColumn()
{
    std::vector<LabRow> rows;
    const double best[] = {4, 5, 6}, other[] = {3, 4, 4};
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", 0.5, 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", 0.5 + other[seed - 1] / 100, 1, 2.5, 0.7));
        rows.push_back(languageRow(seed, 2, "yarn", "rope", 0.5 + best[seed - 1] / 100, 1, 2.5, 0.7));
    }
    const std::string task = "hidden tokens found, rope";
    const auto p = [](double t) { return 1 - t / std::sqrt(2 + t * t); };
    const Scoreboard board = makeScoreboard(std::vector{runOf("masked-lm:networks=3", rows)});
    QVERIFY(isBest(*board.find(task, "yarn", 2)) && !board.find(task, "yarn", 2)->behindP);
    QCOMPARE(board.find(task, "infoscale", 2)->behind, std::string("yarn"));
    QVERIFY(equal(*board.find(task, "infoscale", 2)->behindP, p(4)));
    QVERIFY(equal(*board.find(task, "vanilla", 2)->behindP, 2 * p(5 * std::sqrt(3.0))));
    rows.push_back(languageRow(1, 2, "log_n", "rope", 0.9, 1, 2.5, 0.7));  // one network says nothing of others
    const Scoreboard more = makeScoreboard(std::vector{runOf("masked-lm:networks=3", rows)});
    QVERIFY(isBest(*more.find(task, "yarn", 2)));
    QCOMPARE(std::ranges::count_if(more.cells, isBest), 1);
    rows.erase(rows.begin() + 3, rows.end());  // nor is there a best of one
    const Scoreboard one = makeScoreboard(std::vector{runOf("masked-lm", rows)});
    for (const BoardCell& cell : one.cells)
        QVERIFY(!isBest(cell) && cell.behind.empty());
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
              {tourRow(400, "vanilla", {}, 10), tourRow(400, "infoscale", std::string("both"), 9, 0.0004, -9.5)}),
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
    check("next token, rerope", "softmax_plus", 25, 3, 4, 0.02, 8, "windows", 1);       // q = 0.03
    check("tours, tsp (tsp100)", "infoscale", 9.5, 9, 10, 0.0004, 16, "instances", 2);  // q = 3 p, of three tests
    check("largest item found", "vanilla|adaptive", 5, 55, 50, 0.2, 10, "test sets", 0);
    QVERIFY(!whatIsMissing(board).empty());
    QVERIFY(whatIsMissing(board).front().starts_with("values recalled: attnscope lab recall"));
}

/// A run of several heads has means over them in table 1, with a p over heads, and the heads' own rows: gains 5, 6 and
/// 10, mean 7, standard error sqrt(7 / 3), t = sqrt(21), and with two degrees of freedom p = 1 - t / sqrt(2 + t^2).
void TestScoreboard::headsOfOneRunAreNetworks()
{
    const auto row = [](const char* table, LabValue seed, const char* method, double accuracy, LabValue p) {
        return LabRow{table,
                      {{"seed", seed},
                       {"method", std::string(method)},
                       {"items", std::int64_t{64}},
                       {"accuracy", accuracy},
                       {"entropy", accuracy / 100},
                       {"p_value", p}}};
    };
    std::vector<LabRow> rows{row("table1", {}, "vanilla", 52, {}), row("table1", {}, "infoscale", 59, 0.9)};
    const double vanilla[] = {50, 52, 54}, gains[] = {5, 6, 10};
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        rows.push_back(row("quality", seed, "vanilla", vanilla[seed - 1], {}));
        rows.push_back(row("quality", seed, "infoscale", vanilla[seed - 1] + gains[seed - 1], 0.8));
    }
    const Scoreboard board = makeScoreboard(std::vector{runOf("max-retrieval:steps=5000,heads=3,seeds=9", rows)});
    QCOMPARE(board.tasks.size(), std::size_t{1});
    const BoardCell* cell = board.find(board.tasks[0].label, "infoscale", 4);
    QVERIFY(cell && equal(cell->gain, 7) && equal(cell->value, 59) && equal(*cell->standardError, std::sqrt(7 / 3.0)));
    QVERIFY(equal(*cell->p, 1 - std::sqrt(21.0 / 23)));
    QCOMPARE(cell->pairs, 3);
    QCOMPARE(cell->pairedOver, std::string("heads or runs"));
}

/// Entropies of 1e-10 and 3e-10 nats are rounding, here as where methods are compared: the second run is a repetition.
/// One whose accuracy is another in the fifth digit is another network, if its seed is another too.
void TestScoreboard::runsThatFoundTheSameCountOnce()
{
    const auto networks = [](std::int64_t seed, double accuracy, double entropy) {
        const auto rows = [](std::int64_t of, double found, double nats) {
            return std::vector{languageRow(of, 2, "vanilla", "rope", 0.5, 1, nats),
                               languageRow(of, 2, "infoscale", "rope", found, 1, nats)};
        };
        const std::string other = "masked-lm:tokens=16384,seed=" + std::to_string(seed);
        const Scoreboard board = makeScoreboard(
            std::vector{runOf("masked-lm", rows(1, 0.6, 1e-10)), runOf(other.c_str(), rows(seed, accuracy, entropy))});
        return board.find("hidden tokens found, rope", "infoscale", 2)->networks.size();
    };
    QCOMPARE(networks(2, 0.6, 3e-10), std::size_t{1});
    QCOMPARE(networks(2, 0.60001, 1e-10), std::size_t{2});
    QCOMPARE(networks(1, 0.60001, 1e-10), std::size_t{1});  // the same training, tested on more
}

/// The network that comes with the program is one however many runs test it, and so is one of a file, and a training;
/// two files are two, and so are two seeds of training. The first run counts.
void TestScoreboard::aNetworkOfSeveralRunsCountsOnce()
{
    const auto found = [](const std::vector<std::string>& choices) {
        std::vector<BoardRun> runs;
        for (double gain = 10; const std::string& choice : choices) {
            const LabRow other = tourRow(200, "infoscale", std::string("both"), 20 - gain, 0.01, -gain);
            runs.push_back(runOf(choice.c_str(), {tourRow(200, "vanilla", {}, 20), other}));
            ++gain;
        }
        const Scoreboard board = makeScoreboard(runs);
        return *board.find(board.tasks.at(0).label, "infoscale", 2);
    };
    const BoardCell shipped = found({"routing:steps=0,seed=1", "routing:steps=0,seed=2", "routing:steps=0,seed=3"});
    QCOMPARE(shipped.networks.size(), std::size_t{1});
    QVERIFY(equal(shipped.gain, 10) && equal(*shipped.p, 0.01) && shipped.pairedOver == "instances");
    QCOMPARE(found({"routing:seed=1", "routing:seed=2", "routing:seed=1,sets=8"}).networks.size(), std::size_t{2});
    const auto ofFile = [](const char* file, int seed) {
        return "routing:seed=" + std::to_string(seed) + ",\"vanilla; infoscale | both | " + file + " |\"";
    };
    QCOMPARE(found({ofFile("a/tsp.safetensors", 1), ofFile("a/tsp.safetensors", 2)}).networks.size(), std::size_t{1});
    QCOMPARE(found({ofFile("a/tsp.safetensors", 1), ofFile("b/tsp.safetensors", 1)}).networks.size(), std::size_t{2});
}

/// A scale in the decoder is held against vanilla, which acts nowhere, and against the glimpse's entropy at N: 2 there,
/// 8 at 4 N.
void TestScoreboard::conditionsAreTasks()
{
    const Scoreboard board =
        makeScoreboard(std::vector{runOf("routing", {tourRow(100, "vanilla", {}, 5), tourRow(400, "vanilla", {}, 10),
                                                     tourRow(400, "infoscale", std::string("both"), 9, {}, -10.0),
                                                     tourRow(400, "infoscale", std::string("decoder"), 12, {}, 20.0)}),
                                   runOf("masked-lm:alpha=16,seed=3", {languageRow(3, 2, "vanilla", "rope", 0.5, 1, 1),
                                                                       languageRow(3, 2, "yarn", "rope", 0.4, 1, 1)})});
    QVERIFY(board.find("hidden tokens found, rope (alpha=16)", "yarn", 2));
    QVERIFY(equal(board.find("tours, tsp, decoder", "infoscale", 4)->gain, -20));
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
        QCOMPARE(relation.points, relation.scope == "methods that are 1 at N" ? 3 : 4);  // ln N is not 1
        QVERIFY(equal(relation.rho, -1));
        QVERIFY(!relation.p && relation.units == 1);  // one network
    }
    QCOMPARE(relations[2].scope, std::string("hidden tokens found, rope"));
    QCOMPARE(relations[3].scope, std::string("n = 2 N"));
}

/// The unit is the network. Four networks of one kind correlate perfectly, each at six lengths; one of another kind the
/// other way: over the kinds the mean is 0 with p = 1, however many cells there are. Methods that repeat others add
/// nothing.
void TestScoreboard::hypothesisIsTestedOverNetworks()
{
    const auto rowsOf = [](std::int64_t seed, double sign, bool copies) {
        std::vector<LabRow> rows{languageRow(seed, 1, "vanilla", "rope", 0.6, 1, 2)};
        for (double ratio = 2; ratio <= 64; ratio *= 2) {
            double entropy = 4, accuracy = 0.4 + 0.001 * static_cast<double>(seed);
            for (const char* method : {"vanilla", "yarn", "infoscale", "softmax_plus"})
                rows.push_back(languageRow(seed, ratio, method, "rope", accuracy += sign * 0.01, 1, entropy -= 0.4));
            if (copies)
                rows.push_back(languageRow(seed, ratio, "longrope", "rope", accuracy, 1, entropy));
        }
        return rows;
    };
    for (const bool copies : {false, true}) {
        std::vector<BoardRun> runs;
        for (std::int64_t seed = 1; seed <= 4; ++seed)
            runs.push_back(runOf(("masked-lm:seed=" + std::to_string(seed)).c_str(), rowsOf(seed, 1, copies)));
        runs.push_back(runOf("masked-lm:alpha=16", rowsOf(1, -1, copies)));
        const Scoreboard board = makeScoreboard(runs);
        QCOMPARE(board.methods.size(), std::size_t{4});
        QCOMPARE(board.copies.size(), std::size_t(copies));
        QCOMPARE(withCopies(board, "softmax_plus"), std::string(copies ? "softmax_plus = longrope" : "softmax_plus"));
        const auto relations = entropyRelations(board);
        QCOMPARE(relations[0].units, 2);
        QVERIFY(std::abs(relations[0].rho) < 1e-12 && equal(*relations[0].p, 1));
        QCOMPARE(relations[0].points, 5 * 6 * 4);
        const auto own =
            std::ranges::find(relations, std::string("hidden tokens found, rope"), &EntropyRelation::scope);
        QVERIFY(own != relations.end() && own->units == 4 && equal(own->rho, -1) && !own->p);  // no spread
    }
}

/// Three networks, each tested with two methods in one run and with two others in another: three units, whose four
/// methods are ranked together; and methods of different runs are compared over the networks of both. Trained with
/// something else they would be three more.
void TestScoreboard::aNetworkThatSeveralRunsTestIsOneUnit()
{
    const auto boardOf = [](const char* trained) {
        std::vector<BoardRun> runs;
        for (const bool second : {false, true})
            for (std::int64_t seed = 1; seed <= 3; ++seed) {
                const double of = 0.4 + 0.01 * static_cast<double>(seed);
                std::vector<LabRow> rows{languageRow(seed, 1, "vanilla", "rope", 0.6, 1, 2),
                                         languageRow(seed, 2, "vanilla", "rope", of, 1, 4)};
                const double more = second ? 0.02 + 0.001 * static_cast<double>(seed * seed) : 0;
                rows.push_back(
                    languageRow(seed, 2, second ? "log_n" : "yarn", "rope", of + 0.01 + more, 1, second ? 3.2 : 3.6));
                rows.push_back(languageRow(seed, 2, second ? "su_kappa" : "infoscale", "rope", of + 0.02 + more, 1,
                                           second ? 3 : 3.4));
                for (LabRow& row : rows)
                    for (auto& [column, value] : row.cells)
                        if (second && column == "trained")
                            value = std::string(trained);
                runs.push_back(
                    runOf(("masked-lm:seed=" + std::to_string(seed) + (second ? ",windows=64" : "")).c_str(), rows));
            }
        return makeScoreboard(runs);
    };
    const Scoreboard board = boardOf("vanilla");
    const auto relations = entropyRelations(board);
    QCOMPARE(relations[0].points, 3 * 5);
    const auto own = std::ranges::find(relations, std::string("hidden tokens found, rope"), &EntropyRelation::scope);
    QVERIFY(own != relations.end() && own->units == 3 && equal(own->rho, -1));
    const BoardCell* behind = board.find("hidden tokens found, rope", "infoscale", 2);
    QCOMPARE(behind->behind, std::string("su_kappa"));
    QVERIFY(behind->behindP && *behind->behindP < 0.05);
    const auto trained = entropyRelations(boardOf("log_n"));
    std::int64_t networks = 0;
    for (const EntropyRelation& relation : trained)
        networks += relation.over == "networks" ? relation.units : 0;
    QCOMPARE(networks, 6);
}

/// Of four values told first one in four is right, and of the others one in 16 by chance; that is in no test, whatever
/// a method finds, and never the best.
void TestScoreboard::aGuessIsALineAndNoTest()
{
    std::vector<LabRow> rows;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        const double s = 0.01 * static_cast<double>(seed);
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", 0.1 + s, 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", 0.12 + 2 * s, 1, 2.5, 0.01));
    }
    const auto boardOf = [&](const char* choice) { return makeScoreboard(std::vector{runOf(choice, rows)}); };
    const Scoreboard board = boardOf("recall:networks=3");
    const BoardCell* guess = board.find("values recalled, rope", "a guess", 2);
    QVERIFY(guess && guess->networks.size() == 3);
    QCOMPARE(board.find("values recalled, rope", "vanilla", 2)->networks.size(), std::size_t{3});
    QVERIFY(equal(guess->value, 100 * (0.25 + 0.75 / 16)) && equal(guess->gain, guess->value - 12));
    QVERIFY(!guess->p && !guess->q && !guess->behindP && !isBest(*guess) && starsOf(*guess) == 0);
    const BoardCell* scaled = board.find("values recalled, rope", "infoscale", 2);
    QVERIFY(isBest(*scaled) && equal(*scaled->q, *scaled->p));
    const Scoreboard scattered = boardOf("recall:networks=3,scattered=1");
    QVERIFY(std::abs(scattered.find(scattered.tasks[0].label, "a guess", 2)->value - 36.0) < 0.05);
}

/// Against another method the gain and its test are those of the difference: 1, 2 and 3 points of networks whose gains
/// over vanilla are 5, 7 and 9 beside 4, 5 and 6. t = 2 sqrt 3 = 3.46, of two degrees of freedom.
void TestScoreboard::theDifferenceThatIsClaimedIsTested()
{
    std::vector<LabRow> rows;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        const double s = static_cast<double>(seed), vanilla = 0.3 + 0.1 * s;
        rows.push_back(languageRow(seed, 2, "vanilla", "rope", vanilla, 1, 3.0));
        rows.push_back(languageRow(seed, 2, "infoscale", "rope", vanilla + 0.03 + 0.01 * s, 1, 2.5, 0.01));
        rows.push_back(languageRow(seed, 2, "softmax_plus", "rope", vanilla + 0.03 + 0.02 * s, 1, 2.5, 0.01));
    }
    const std::vector<BoardRun> runs{runOf("masked-lm:networks=3", rows)};
    const Scoreboard board = makeScoreboard(runs, "infoscale");
    const BoardCell* cell = board.find("hidden tokens found, rope", "softmax_plus", 2);
    const double t = 2 * std::sqrt(3.0);
    QVERIFY(cell && cell->p && equal(cell->gain, 2));
    QVERIFY(equal(*cell->p, 1 - t / std::sqrt(2 + t * t)));
    QVERIFY(equal(board.find("hidden tokens found, rope", "vanilla", 2)->gain, -5));
    QCOMPARE(board.find("hidden tokens found, rope", "infoscale", 2)->gain, 0.0);
    QVERIFY(makeScoreboard(runs, "yarn").cells.empty());
}

/// p of one network and p over networks are two families: each is corrected for its own. Of a method that is not 1 at N
/// the board says so.
void TestScoreboard::testsAreCorrected()
{
    std::vector<LabRow> one{languageRow(1, 2, "vanilla", "rerope", 0.5, 1, 3)}, three;
    const std::pair<const char*, double> found[] = {
        {"log_n", 0.01}, {"yarn", 0.04}, {"infoscale", 0.03}, {"ssmax", 0.5}};
    double nll = 1;
    for (const auto& [method, p] : found)
        one.push_back(languageRow(1, 2, method, "rerope", 0.5, nll -= 0.01, 2, p));
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        three.push_back(languageRow(seed, 2, "vanilla", "rope", 0.5, 1, 3.0));
        three.push_back(languageRow(seed, 2, "yarn", "rope", 0.5 + 0.01 * static_cast<double>(seed), 1, 2.5));
    }
    const Scoreboard board = makeScoreboard(std::vector{runOf("causal-lm", one), runOf("masked-lm:networks=3", three)});
    const auto q = [&](const char* task, const char* method) { return *board.find(task, method, 2)->q; };
    QVERIFY(equal(q("next token, rerope", "log_n"), 0.04));  // 0.01 * 4 / 1
    QVERIFY(equal(q("next token, rerope", "infoscale"), 0.04 * 4 / 3) &&
            equal(q("next token, rerope", "yarn"), 0.04 * 4 / 3));  // 0.03 * 4 / 2 is more than that
    QVERIFY(equal(q("next token, rerope", "ssmax"), 0.5));
    QVERIFY(equal(q("hidden tokens found, rope", "yarn"), *board.find("hidden tokens found, rope", "yarn", 2)->p));
    QVERIFY(!isComparable(board, "log_n") && !isComparable(board, "ssmax"));
    QVERIFY(isComparable(board, "yarn") && isComparable(board, "infoscale") && isComparable(board, "vanilla"));
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
    for (std::size_t r = 0; r < runs->size(); ++r)
        for (const LabRow& row : (*runs)[r].record.rows)
            if (const BoardRun& run = (*runs)[r];
                run.record.choice.id == "packing" && row.table == "quality" && std::isfinite(row.number("change"))) {
                const auto word = [&](const char* column) { return std::get<std::string>(*row.find(column)); };
                const auto shownAs = [&](const std::string& method) {
                    for (const auto& [first, copies] : board.copies)
                        if (std::ranges::find(copies, method) != copies.end())
                            return first;
                    return method;
                };
                const bool longer = run.record.choice.values.contains("length");
                const BoardCell* cell = board.find("boxes packed, " + word("bin") + (longer ? " (length=50)" : ""),
                                                   shownAs(word("method")), row.number("n_over_train"));
                QVERIFY(cell);
                const auto pair = std::ranges::find(cell->networks, r, &BoardPair::run);
                QVERIFY(pair != cell->networks.end());
                QVERIFY(std::abs(pair->gain - row.number("change")) < 1e-5);  // of numbers with eight digits
                QCOMPARE(cell->networks.size(), longer ? std::size_t{3} : std::size_t{5});
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

void TestScoreboard::runsThatNeverFinishedAreLeftOut()
{
    QTemporaryDir folder;
    LabRecord record = runOf("masked-lm", {languageRow(1, 2, "vanilla", "rope", 0.5, 1, 3)}).record;
    const std::string done = folder.filePath("done").toStdString(), cut = folder.filePath("cut").toStdString();
    for (const std::string& path : {done, cut}) {
        record.finished = path == done;
        QVERIFY(QDir().mkpath(QString::fromStdString(path)) && saveRecord(path, record));
    }
    std::vector<std::string> unfinished;
    const auto runs = runsIn(std::vector{folder.path().toStdString(), cut}, &unfinished);
    QVERIFY(runs && runs->size() == 1 && runs->front().origin == done);
    QCOMPARE(unfinished, std::vector{cut});
}

QTEST_APPLESS_MAIN(TestScoreboard)
#include "test_scoreboard.moc"
