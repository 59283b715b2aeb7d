// The lab algorithms: exact match is what greedy decoding says, networks are compared by task, and runs give the same
// bits on any number of threads, resumed or not. Its problems are in test_algorithm_problems.cpp.

#include "run_lab.h"

#include "core/attention/normaliser.h"
#include "core/labs/algorithms/problem_evaluation.h"
#include "core/labs/language/language_network.h"
#include "core/scaling/scale_method.h"

#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

const std::string tinyRun =
    "algorithms:steps=6,layers=1,width=16,inner=16,heads=2,batch=10,problems=3,largest=8,positions=80";

const AlgorithmTask& taskOf(const char* id) { return **findRow(algorithmTasks(), id, "task"); }

/// What greedy decoding says after the question, word by word through core/learn, until "." or as many words as the
/// answer has.
std::vector<int> decoded(learn::Llama& network, const ProblemSequence& sequence, std::size_t question)
{
    std::vector<int> inputs(sequence.inputs.begin(), sequence.inputs.begin() + static_cast<std::ptrdiff_t>(question)),
        said;
    while (true) {
        learn::Tape tape;
        const auto logits =
            tape.value(network(tape, inputs, 1, {.positions = std::span(sequence.positions).first(inputs.size())}));
        Eigen::Index word = 0;
        logits.row(logits.rows() - 1).maxCoeff(&word);
        said.push_back(static_cast<int>(word));
        if (word == 0 || inputs.size() == sequence.inputs.size())
            return said;
        inputs.push_back(said.back());
    }
}

std::vector<LabRow> qualityOfRun(const Choice& choice) { return tableOf(runOrFail({choice}), "quality"); }

}  // namespace

class TestAlgorithms : public QObject {
    Q_OBJECT
private slots:
    void exactMatchIsGreedyDecoding();
    void aNetworkThatAlwaysStopsIsNeverRight();
    void namesOfMethodsAndNormalisersDiffer();
    void shorterSequencesHaveTheirOwnMultipliers();
    void temperatureInTraining_data();
    void temperatureInTraining();
    void rowsComeWithTheirTest();
    void seedsAreComparedByTask();
    void threadsGiveTheSameBits();
    void resumedRunsGiveTheSameBits();
    void itLearnsTheMinimum();
    void whatDoesNotGoTogether_data();
    void whatDoesNotGoTogether();
};

/// A network that has begun to learn is right on some problems: on the same ones in one pass of core/model as by
/// decoding with core/learn.
void TestAlgorithms::exactMatchIsGreedyDecoding()
{
    ProblemSettings settings{.tasks = {&taskOf("minimum")}, .smallest = 4, .largest = 4, .positions = 24, .seed = 1};
    LanguageTrainer trainer({.shape = {.layers = 1,
                                       .width = 32,
                                       .inner = 32,
                                       .heads = 2,
                                       .keyHeads = 2,
                                       .vocabulary = std::ssize(algorithmWords())},
                             .length = 8,
                             .batch = 32,
                             .steps = 250,
                             .warmup = 10,
                             .rate = 1e-2,
                             .multipliers = {},
                             .seed = 1},
                            problemBatches(settings, 32));
    for (int step = 0; step < 250; ++step)
        trainer.step();
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(
        path, trainer.model(),
        {.trainLength = 8, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    settings.seed = problemTestSeed;
    constexpr std::int64_t problems = 60;
    const auto scores = scoreProblems(*model, {}, {settings, &taskOf("minimum"), 4, problems}, {});
    QVERIFY(scores && *scores);
    int right = 0;
    for (std::int64_t problem = 0; problem < problems; ++problem) {
        const ProblemSequence sequence =
            problemSequence(settings, taskOf("minimum"), 4, static_cast<std::uint64_t>(problem));
        const std::vector<int> answer{sequence.targets[5], 0}, said = decoded(trainer.model(), sequence, 6);
        QCOMPARE((**scores)[static_cast<std::size_t>(problem)].accuracy, said == answer ? 1.0 : 0.0);
        QCOMPARE((**scores)[static_cast<std::size_t>(problem)].asked, std::int64_t{2});
        right += said == answer;
    }
    QVERIFY2(right > 5 && right < problems, qPrintable(QString::number(right)));
}

/// With all embeddings 0 but that of ".", every logit is 0 but that of ".", which is not below: half of two words, and
/// no whole answer.
void TestAlgorithms::aNetworkThatAlwaysStopsIsNeverRight()
{
    learn::Llama network(
        {.layers = 1, .width = 8, .inner = 8, .heads = 2, .keyHeads = 2, .vocabulary = std::ssize(algorithmWords())},
        1);
    for (learn::Weight* weight : network.weights())
        if (weight->name == "model.embed_tokens.weight") {
            weight->value.setOnes();
            weight->value.bottomRows(weight->value.rows() - 1) *=
                0.5f;  // the stream points the same way for every word, and "." goes farthest along it
        } else if (!weight->vector) {
            weight->value.setZero();
        }
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(path, network,
                             {.trainLength = 8, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}}));
    const auto model = openModel(path);
    QVERIFY(model);
    for (const AlgorithmTask& task : algorithmTasks()) {
        const auto scores =
            scoreProblems(*model, {}, {{.tasks = {&task}, .positions = 64, .seed = 9}, &task, 6, 5}, {});
        QVERIFY(scores && *scores && (*scores)->size() == 5);
        for (const PolicyScore& score : **scores) {
            QCOMPARE(score.accuracy, 0.0);
            QCOMPARE(score.recalled, std::int64_t{1});
            QCOMPARE(score.asked, task.id == "insertion_sort"     ? std::int64_t{7}
                                  : task.id == "maximum_subarray" ? std::int64_t{3}
                                                                  : std::int64_t{2});
        }
    }
}

void TestAlgorithms::namesOfMethodsAndNormalisersDiffer()
{
    std::set<std::string> ids;
    for (const ScaleMethod& method : scaleMethods())
        QVERIFY(ids.insert(method.id).second);
    for (const Normaliser& normaliser : normalisers())
        QVERIFY2(ids.insert(normaliser.id).second, normaliser.id.c_str());
    const auto read = parseAttentions("vanilla; adaptive:threshold=1; softmax_plus:B=64");
    QVERIFY(read && read->size() == 3);
    QCOMPARE(attentionPolicy((*read)[1]).normaliser->id, std::string("adaptive"));
    QCOMPARE(attentionPolicy((*read)[1]).method.id, std::string("vanilla"));
    QCOMPARE(attentionPolicy((*read)[2]).method.id, std::string("softmax_plus"));
    QVERIFY(!attentionPolicy((*read)[2]).normaliser);
    QCOMPARE(trainedSuffix(*read, (*read)[1]), std::string("_adaptive"));
    const auto kinds = parseAttentions("vanilla; vanilla:alpha=3; vanilla:alpha=1; vanilla:alpha=2");
    std::vector<std::string> suffixes;
    for (const Choice& kind : *kinds)
        suffixes.push_back(trainedSuffix(*kinds, kind));
    QCOMPARE(suffixes, (std::vector<std::string>{"", "_vanilla", "", "_vanilla_2"}));
}

/// A method that counts the whole sequence's keys has other multipliers in a shorter one, those of a row's own keys are
/// the first of the longest's, and in the longest the two ways are the same bits.
void TestAlgorithms::shorterSequencesHaveTheirOwnMultipliers()
{
    const learn::LlamaShape shape{
        .layers = 1, .width = 16, .inner = 16, .heads = 2, .keyHeads = 2, .vocabulary = std::ssize(algorithmWords())};
    for (const double row : {0.0, 1.0}) {
        const auto attention = trainingAttention({"ssmax", {{"row", row}}, {}}, shape, 32);
        QVERIFY2(attention, attention ? "" : attention.error().message.c_str());
        LanguageTrainer trainer({.shape = shape,
                                 .length = 32,
                                 .multipliers = attention->multipliers,
                                 .multipliersOf = attention->multipliersOf},
                                {});
        const auto longest = trainer.multipliers(32), shorter = trainer.multipliers(8);
        QVERIFY(longest.size() == 32 && shorter.size() == 8);
        QVERIFY(attention->multipliersOf(32) == attention->multipliers);
        const double ratio = static_cast<double>(shorter[7] / longest[7]);
        QVERIFY2(std::abs(ratio - (row > 0 ? 1 : std::log(8.0) / std::log(32.0))) < 1e-6,
                 qPrintable(QString::number(ratio)));
        QVERIFY(trainer.multipliers(8).data() == shorter.data());  // worked out once
    }
    QVERIFY(trainingAttention({"vanilla", {}, {}}, shape, 32)->multipliers.empty());
    QVERIFY(trainingAttention({"vanilla", {{"alpha", 3}}, {}}, shape, 32)->multipliers == std::vector<float>(32, 3));
}

void TestAlgorithms::temperatureInTraining_data()
{
    QTest::addColumn<bool>("causal");
    QTest::addRow("causal") << true;
    QTest::addRow("every row sees all") << false;
}

/// The published polynomial and its derivative at H = 2, where it is above 1, and 1 where rows are sharp; a learning
/// network and core/model's engine then agree on every loss.
void TestAlgorithms::temperatureInTraining()
{
    QFETCH(bool, causal);
    const learn::LlamaShape shape{.layers = 2,
                                  .width = 32,
                                  .inner = 32,
                                  .heads = 2,
                                  .keyHeads = 2,
                                  .vocabulary = std::ssize(algorithmWords()),
                                  .causal = causal};
    const auto attention = trainingAttention({"adaptive", {}, {}}, shape, 30);
    QVERIFY(attention && attention->multipliers.empty());
    const double h = 2, beta = -0.037 * h * h * h * h + 0.481 * h * h * h - 2.3 * h * h + 4.917 * h - 1.791,
                 slope = -4 * 0.037 * h * h * h + 3 * 0.481 * h * h - 2 * 2.3 * h + 4.917;
    QVERIFY(std::abs(attention->beta(h).value - beta) < 1e-12 && std::abs(attention->beta(h).slope - slope) < 1e-6);
    QVERIFY(attention->beta(0.3).value == 1 && attention->beta(0.3).slope == 0 && attention->beta(6.5).value == 1);

    learn::Llama network(shape, 4);
    for (learn::Weight* weight : network.weights())
        if (weight->name.find("q_proj") != std::string::npos)
            weight->value *= 3.0f;  // rows of many entropies
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(path, network,
                             {.trainLength = 30,
                              .beginToken = {},
                              .maskToken = causal ? std::nullopt : std::optional(0),
                              .tokenizer = {},
                              .facts = {},
                              .bfloat16 = false}));
    const auto model = openModel(path);
    const ProblemSequence sequence =
        problemSequence({.tasks = {}, .positions = 200, .seed = 2}, taskOf("insertion_sort"), 20, 0);
    const auto losses = [&](const learn::InverseTemperature& temperature) {
        learn::Tape tape;
        const auto z =
            tape.value(network(tape, sequence.inputs, 1, {.positions = sequence.positions, .beta = temperature}));
        std::vector<double> all;
        for (Eigen::Index t = 0; t < z.rows(); ++t)
            if (const int target = sequence.targets[static_cast<std::size_t>(t)]; target >= 0) {
                const Eigen::ArrayXd row = z.row(t).cast<double>();
                all.push_back(std::log((row - row.maxCoeff()).exp().sum()) + row.maxCoeff() - row[target]);
            }
        return all;
    };
    const std::vector<double> here = losses(attention->beta), plain = losses({});
    const auto result = runWindow(*model, windowOf(sequence),
                                  {.policy = attentionPolicy({"adaptive", {}, {}}),
                                   .pictures = {},
                                   .last = 0,
                                   .everyPrediction = true,
                                   .engine = "auto",
                                   .observe = {},
                                   .progress = {},
                                   .stop = {}});
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    std::size_t next = 0;
    for (const Prediction& prediction : result->predictions)
        if (prediction.asked) {
            QVERIFY2(std::abs(prediction.loss - here[next]) < 2e-4,
                     qPrintable(QString("%1, %2").arg(prediction.loss).arg(here[next])));
            ++next;
        }
    QCOMPARE(next, here.size());
    double apart = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
        apart = std::max(apart, std::abs(here[i] - plain[i]));
    QVERIFY(apart > 1e-2);
    Policy held;
    held.position = Choice{"rerope", {}, {}};
    const auto refused = runWindow(
        *model, windowOf(sequence),
        {.policy = held, .pictures = {}, .last = 0, .engine = "auto", .observe = {}, .progress = {}, .stop = {}});
    QVERIFY(!refused && refused.error().message.find("positions of their own; choose rope") != std::string::npos);
    QVERIFY(!trainingAttention({"sparsemax", {}, {}}, shape, 30));
}

void TestAlgorithms::rowsComeWithTheirTest()
{
    Choice choice = choose(tinyRun);
    choice.text = "softmax_plus; vanilla | vanilla; adaptive | minimum; binary_search";
    const LabResult result = runOrFail({choice});
    const std::vector<LabRow> rows = tableOf(result, "quality"), wide = tableOf(result, "accuracy");
    // sizes 4, 6, 8, 12, 16, 24, 32 of N = 8: a quarter would be too small
    QCOMPARE(rows.size(), std::size_t{7 * 2 * 2 * 2});
    QCOMPARE(wide.size(), std::size_t{7 * 2 * 2});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LabRow& row = rows[i];
        QCOMPARE(row.number("n_over_train"), row.number("n") / 8);
        QVERIFY(row.number("nll") > 0 && row.number("entropy_mean") > 0 && row.number("accuracy") >= 0 &&
                row.number("token_accuracy") <= 1);
        QCOMPARE(row.number("problems"), 3.0);
        const bool reference = *row.find("method") == LabValue(std::string("vanilla")) &&
                               *row.find("trained") == LabValue(std::string("vanilla"));
        QVERIFY(std::isnan(row.number("accuracy_p")) ||
                !reference);  // nor is there a p where all problems differ by as much
        if (!reference) {
            const LabRow& held = rows[i - i % 8 + i % 2];
            QCOMPARE(row.number("change"), row.number("nll") - held.number("nll"));
        }
    }
    // whichever is trained first, and without such a network there is nothing to be held against
    choice.text = "softmax_plus; vanilla | adaptive; vanilla | minimum; binary_search";
    const std::vector<LabRow> turned = tableOf(runOrFail({choice}), "quality");
    QCOMPARE(turned.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        QVERIFY(turned[i].cells == rows[i].cells);
    choice.text = "softmax_plus; vanilla | adaptive | minimum";
    for (const LabRow& row : tableOf(runOrFail({choice}), "quality"))
        QVERIFY(std::isnan(row.number("change")) && std::isnan(row.number("accuracy_p")));
    QCOMPARE(wide[0].number("mean"), (wide[0].number("minimum") + wide[0].number("binary_search")) / 2);
    QVERIFY(!wide[0].find("insertion_sort"));
    QVERIFY(tableOf(result, "seeds").empty() && tableOf(result, "training").size() == 12);
}

/// Differences 0.1, 0.2, 0.3 on one task and none on the other.
void TestAlgorithms::seedsAreComparedByTask()
{
    std::vector<LabRow> rows;
    for (std::int64_t seed = 1; seed <= 3; ++seed)
        for (const char* task : {"minimum", "binary_search"})
            for (const char* trained : {"vanilla", "adaptive"}) {
                const bool better = std::string(task) == "minimum" && std::string(trained) == "adaptive";
                rows.push_back({"quality",
                                {{"seed", seed},
                                 {"trained", std::string(trained)},
                                 {"task", std::string(task)},
                                 {"n", std::int64_t{32}},
                                 {"n_over_train", 2.0},
                                 {"method", std::string(trained)},
                                 {"positions", std::string("rope")},
                                 {"where", std::string("all layers")},
                                 {"policy", std::string(trained)},
                                 {"nll", 1.0},
                                 {"accuracy", 0.5 + (better ? 0.1 * static_cast<double>(seed) : 0)},
                                 {"entropy_mean", 1.0}}});
            }
    const auto seeds = seedCells(rows);
    QCOMPARE(seeds.size(), std::size_t{4});
    const auto row = [&](std::size_t i) { return LabRow{"seeds", seeds[i]}; };
    QCOMPARE(*row(1).find("task"), LabValue(std::string("minimum")));
    QVERIFY(std::abs(row(1).number("accuracy_change") - 0.2) < 1e-12);
    const double t = 2 * std::sqrt(3.0);
    QVERIFY(std::abs(row(1).number("accuracy_p") - (1 - t / std::sqrt(t * t + 2))) < 1e-9);
    QVERIFY(std::isnan(row(3).number("accuracy_p")));
}

void TestAlgorithms::threadsGiveTheSameBits()
{
    Choice choice = choose(tinyRun);
    choice.text = "vanilla; adaptive | adaptive | insertion_sort";
    const auto on = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return qualityOfRun(choice);
    };
    const std::vector<LabRow> one = on(1), two = on(2);
    QCOMPARE(two.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        QVERIFY(one[i].cells == two[i].cells);
}

void TestAlgorithms::resumedRunsGiveTheSameBits()
{
    QTemporaryDir folder;
    const auto at = [&](const char* name) { return folder.filePath(name).toStdString(); };
    Choice choice = choose(tinyRun);
    choice.text = "vanilla | vanilla; adaptive | minimum";
    choice.values["steps"] = 2000;  // more than updates are apart
    std::stop_source stop;
    int pictures = 0;
    const auto stopped = runLab({choice, at("parts")}, stop.get_token(), [&](const LabUpdate& update) {
        pictures += static_cast<int>(update.pictures.size());
        if (update.stage == "training network 2 of 2" && update.fraction > 0.4)
            stop.request_stop();
    });
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QVERIFY(pictures > 0);
    const LabResult whole = runOrFail({choice, at("whole")}), resumed = runOrFail({choice, at("parts"), true});
    const std::vector<LabRow> one = tableOf(whole, "quality"), other = tableOf(resumed, "quality");
    QCOMPARE(other.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        QVERIFY(one[i].cells == other[i].cells);
    QCOMPARE(whole.files.size(), std::size_t{3});  // two networks, heads of the first
    QCOMPARE(whole.files[1].scenario->attention.position.id, std::string("none"));
    QVERIFY(openModel(at("whole") + "/algorithms_adaptive_seed1"));
}

/// Guessing one of four numbers is right a quarter of the time.
void TestAlgorithms::itLearnsTheMinimum()
{
    const std::vector<LabRow> rows =
        qualityOfRun(choose("algorithms:steps=500,layers=1,width=32,inner=32,heads=2,batch=32,rate=0.01,smallest=4,"
                            "largest=4,most=1,positions=16,problems=100,\"vanilla | vanilla | minimum\""));
    QCOMPARE(rows.size(), std::size_t{1});
    QVERIFY2(rows[0].number("accuracy") > 0.6, qPrintable(QString::number(rows[0].number("accuracy"))));
}

void TestAlgorithms::whatDoesNotGoTogether_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("heads") << "algorithms:heads=5"
                           << ""
                           << "heads must divide width";
    QTest::addRow("sizes") << "algorithms:smallest=20"
                           << ""
                           << "smallest must not be above largest";
    QTest::addRow("too long") << "algorithms:largest=50"
                              << ""
                              << "at most 99 numbers";
    QTest::addRow("positions") << "algorithms:positions=100"
                               << ""
                               << "set positions to that or more";
    QTest::addRow("four parts") << "algorithms"
                                << "vanilla | | | vanilla"
                                << "more than 3 parts";
    QTest::addRow("no method") << "algorithms"
                               << "| vanilla"
                               << "at least one";
    QTest::addRow("method") << "algorithms"
                            << "vanila"
                            << "unknown scale method or normaliser 'vanila'";
    QTest::addRow("task") << "algorithms"
                          << "vanilla | | bubble_sort"
                          << "unknown task 'bubble_sort'";
    QTest::addRow("training") << "algorithms"
                              << "vanilla | sparsemax"
                              << "networks learn with softmax";
}

void TestAlgorithms::whatDoesNotGoTogether()
{
    QFETCH(QString, run);
    QFETCH(QString, text);
    QFETCH(QString, says);
    QCOMPARE(notRefused(choose(run, text), says), QString());
}

QTEST_GUILESS_MAIN(TestAlgorithms)
#include "test_algorithms.moc"
