// The lab algorithms and what it stands on: problems are right by independent answers and written as they should be, exact match is what
// greedy decoding says, and runs give the same bits on any number of threads, resumed or not.

#include "run_lab.h"

#include "core/attention/normaliser.h"
#include "core/labs/algorithms/problem_evaluation.h"
#include "core/labs/language_network.h"
#include "core/scaling/scale_method.h"

#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace attnscope;

namespace {

const std::string tinyRun = "algorithms:steps=6,layers=1,width=16,inner=16,heads=2,batch=10,problems=3,largest=8,positions=80";

std::vector<std::string> wordsIn(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

std::vector<int> numbersIn(const std::string& text)
{
    std::vector<int> numbers;
    for (const std::string& word : wordsIn(text))
        numbers.push_back(std::stoi(word));
    return numbers;
}

const AlgorithmTask& taskOf(const char* id) { return **findRow(algorithmTasks(), id, "task"); }

/// check(problem) of some problems of every size.
template <class Check>
void forProblems(const char* id, const Check& check)
{
    for (std::int64_t size = smallestProblem; size <= largestProblem; size += size < 16 ? 1 : 13)
        for (std::uint64_t problem = 0; problem < 20; ++problem) {
            ProblemDraw draw(7, Stream::Sampling, problem);
            check(taskOf(id).pose(size, draw), static_cast<std::size_t>(size));
        }
}

/// What greedy decoding says after the question, word by word through core/learn, until "." or as many words as the answer has.
std::vector<int> decoded(learn::Llama& network, const ProblemSequence& sequence, std::size_t question)
{
    std::vector<int> inputs(sequence.inputs.begin(), sequence.inputs.begin() + static_cast<std::ptrdiff_t>(question)), said;
    while (true) {
        learn::Tape tape;
        const auto logits = tape.value(network(tape, inputs, 1, {.positions = std::span(sequence.positions).first(inputs.size())}));
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
    void problemsAsTheyAreWritten_data();
    void problemsAsTheyAreWritten();
    void minimum();
    void insertionSort();
    void binarySearch();
    void maximumSubarray();
    void stringMatching();
    void everyWordIsKnown();
    void choicesAreFair();
    void batchesAskForAnswersAlone();
    void exactMatchIsGreedyDecoding();
    void aNetworkThatAlwaysStopsIsNeverRight();
    void namesOfMethodsAndNormalisersDiffer();
    void temperatureInTraining();
    void rowsComeWithTheirTest();
    void seedsAreComparedByTask();
    void threadsGiveTheSameBits();
    void resumedRunsGiveTheSameBits();
    void itLearnsTheMinimum();
    void whatDoesNotGoTogether_data();
    void whatDoesNotGoTogether();
};

void TestAlgorithms::problemsAsTheyAreWritten_data()
{
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("withTrace");
    QTest::addRow("minimum") << "minimum" << "minimum -5 -29 62 -92 -81 =" << "-92 ." << "-5 -29 -92 | -92 .";
    QTest::addRow("insertion sort") << "insertion_sort" << "insertion_sort -5 -29 62 -92 -81 =" << "-92 -81 -29 -5 62 ." << "-92 -81 -29 -5 62 .";
    QTest::addRow("binary search") << "binary_search" << "binary_search -92 -81 -29 -5 85 find 62 =" << "85 ." << "-29 -5 | 85 .";
    QTest::addRow("maximum subarray") << "maximum_subarray" << "maximum_subarray -5 -29 62 -92 -81 =" << "62 62 ." << "62 62 .";
    QTest::addRow("string matching") << "naive_string_matching" << "naive_string_matching b -92 a -81 b -29 c -5 c 62 find c c =" << "-5 ." << "-5 .";
}

/// The first problem of five numbers of seed 3, to the letter.
void TestAlgorithms::problemsAsTheyAreWritten()
{
    QFETCH(QString, task);
    QFETCH(QString, question);
    QFETCH(QString, said);
    QFETCH(QString, withTrace);
    const AlgorithmTask& row = taskOf(task.toUtf8().constData());
    ProblemDraw draw(3, Stream::Sampling, 0);
    const AlgorithmProblem problem = row.pose(5, draw);
    const ProblemTokens plain = tokensOf(row, problem, false), traced = tokensOf(row, problem, true);
    QCOMPARE(QString::fromStdString(textOf(plain.question)), question);
    QCOMPARE(QString::fromStdString(textOf(plain.answer)), said);
    QCOMPARE(QString::fromStdString(textOf(traced.answer)), withTrace);
    QCOMPARE(traced.question, plain.question);
}

void TestAlgorithms::minimum()
{
    forProblems("minimum", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<int> numbers = numbersIn(problem.input);
        QCOMPARE(numbers.size(), size);
        QCOMPARE(std::set<int>(numbers.begin(), numbers.end()).size(), size);
        QCOMPARE(std::stoi(problem.answer), *std::min_element(numbers.begin(), numbers.end()));
        std::vector<int> sofar(numbers.size());
        std::partial_sum(numbers.begin(), numbers.end(), sofar.begin(), [](int a, int b) { return std::min(a, b); });
        sofar.erase(std::unique(sofar.begin(), sofar.end()), sofar.end());
        QCOMPARE(numbersIn(problem.trace), sofar);
    });
}

void TestAlgorithms::insertionSort()
{
    forProblems("insertion_sort", [](const AlgorithmProblem& problem, std::size_t size) {
        std::vector<int> numbers = numbersIn(problem.input);
        QCOMPARE(numbers.size(), size);
        std::sort(numbers.begin(), numbers.end());
        QCOMPARE(numbersIn(problem.answer), numbers);
        QVERIFY(problem.trace.empty());
    });
}

void TestAlgorithms::binarySearch()
{
    forProblems("binary_search", [](const AlgorithmProblem& problem, std::size_t size) {
        const auto find = problem.input.find(" find ");
        QVERIFY(find != std::string::npos);
        const std::vector<int> numbers = numbersIn(problem.input.substr(0, find));
        const int asked = std::stoi(problem.input.substr(find + 6));
        QCOMPARE(numbers.size(), size);
        QVERIFY(std::ranges::is_sorted(numbers) && std::ranges::find(numbers, asked) == numbers.end());
        QCOMPARE(std::stoi(problem.answer), *std::lower_bound(numbers.begin(), numbers.end(), asked));
        // a middle is looked at once, and there are as many as halvings of the size
        const std::vector<int> middles = numbersIn(problem.trace);
        const auto looked = static_cast<double>(middles.size()), halvings = std::log2(static_cast<double>(size));
        QVERIFY(looked >= std::floor(halvings) && looked <= std::ceil(halvings));
        QCOMPARE(middles.front(), numbers[(size - 1) / 2]);
        QCOMPARE(std::set<int>(middles.begin(), middles.end()).size(), middles.size());
    });
}

/// By the sums of all stretches.
void TestAlgorithms::maximumSubarray()
{
    forProblems("maximum_subarray", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<int> numbers = numbersIn(problem.input), ends = numbersIn(problem.answer);
        QCOMPARE(numbers.size(), size);
        QCOMPARE(ends.size(), std::size_t{2});
        int largest = -1000000;
        for (std::size_t first = 0; first < size; ++first)
            for (std::size_t last = first; last < size; ++last)
                largest = std::max(largest, std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0));
        const auto first = std::ranges::find(numbers, ends[0]), last = std::ranges::find(numbers, ends[1]);
        QVERIFY(first <= last && last != numbers.end());
        QCOMPARE(std::accumulate(first, last + 1, 0), largest);
    });
}

void TestAlgorithms::stringMatching()
{
    forProblems("naive_string_matching", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<std::string> words = wordsIn(problem.input);
        const auto find = std::ranges::find(words, std::string("find"));
        QCOMPARE(find - words.begin(), std::ptrdiff_t(2 * size));
        std::string letters, pattern;
        std::vector<int> places;
        for (auto word = words.begin(); word != find; word += 2) {
            letters += *word;
            places.push_back(std::stoi(word[1]));
        }
        for (auto word = find + 1; word != words.end(); ++word)
            pattern += *word;
        QCOMPARE(pattern.size(), std::size_t{2});
        QVERIFY(std::ranges::is_sorted(places) && letters.find_first_not_of("abcd") == std::string::npos);
        const auto shift = letters.find(pattern);
        QVERIFY(shift != std::string::npos);
        QCOMPARE(std::stoi(problem.answer), places[shift]);
    });
}

void TestAlgorithms::everyWordIsKnown()
{
    const auto words = algorithmWords();
    QCOMPARE(words[0], std::string("."));
    QCOMPARE(words.size(), std::size_t{8 + 199 + 5});
    QCOMPARE(std::set<std::string>(words.begin(), words.end()).size(), words.size());
    QCOMPARE(textOf(tokensOf(taskOf("minimum"), {"12 -7 33 8", "12 -7", "-7"}, true).question), std::string("minimum 12 -7 33 8 ="));
    QCOMPARE(textOf(tokensOf(taskOf("minimum"), {"12 -7 33 8", "12 -7", "-7"}, true).answer), std::string("12 -7 | -7 ."));
    QCOMPARE(textOf(tokensOf(taskOf("binary_search"), {"-50 12 find 8", "-50", "12"}, false).answer), std::string("12 ."));
}

/// Each of 20 places is among 5 with probability 1/4, each of 199 numbers first of a problem with probability 1/199.
void TestAlgorithms::choicesAreFair()
{
    constexpr int draws = 8000;
    std::map<int, int> chosen, first;
    for (std::uint64_t problem = 0; problem < draws; ++problem) {
        ProblemDraw draw(5, Stream::Structure, problem);
        const std::vector<int> places = draw.rising(5, 20);
        QVERIFY(places.size() == 5 && std::ranges::adjacent_find(places, std::greater_equal<>()) == places.end());
        for (const int place : places)
            ++chosen[place];
        ++first[draw.numbers(4).front()];
    }
    QCOMPARE(chosen.size(), std::size_t{20});
    for (const auto& [place, count] : chosen)
        QVERIFY2(std::abs(count - draws / 4.0) < 4 * std::sqrt(draws * 0.25 * 0.75), qPrintable(QString("%1: %2").arg(place).arg(count)));
    QCOMPARE(first.size(), std::size_t{199});
    QVERIFY(first.begin()->first == -99 && first.rbegin()->first == 99);
    for (const auto& [number, count] : first)
        QVERIFY2(std::abs(count - draws / 199.0) < 4.5 * std::sqrt(draws / 199.0), qPrintable(QString("%1: %2").arg(number).arg(count)));
}

/// Every sequence of a batch reads as a problem and its answer, padded; its targets are the answer's words, one place ahead.
void TestAlgorithms::batchesAskForAnswersAlone()
{
    ProblemSettings settings{.tasks = {&taskOf("minimum"), &taskOf("insertion_sort")}, .smallest = 4, .largest = 6, .positions = 40, .traces = true, .seed = 2};
    const BatchSource source = problemBatches(settings, 6);
    std::set<std::size_t> sizes;
    for (std::uint64_t step = 0; step < 40; ++step) {
        const LanguageBatch batch = source(step);
        QCOMPARE(batch.sequences, std::int64_t{6});
        const std::size_t n = batch.inputs.size() / 6;
        QVERIFY(batch.targets.size() == batch.inputs.size() && batch.positions.size() == batch.inputs.size());
        for (std::size_t sequence = 0; sequence < 6; ++sequence) {
            const auto part = [&](const std::vector<int>& all) { return std::vector<int>(all.begin() + static_cast<std::ptrdiff_t>(sequence * n), all.begin() + static_cast<std::ptrdiff_t>((sequence + 1) * n)); };
            const std::vector<int> inputs = part(batch.inputs), targets = part(batch.targets), positions = part(batch.positions);
            const std::vector<std::string> words = wordsIn(textOf(inputs));
            QCOMPARE(words[0], std::string(sequence % 2 ? "insertion_sort" : "minimum"));
            const auto equals = static_cast<std::size_t>(std::ranges::find(words, std::string("=")) - words.begin());
            const auto length = static_cast<std::size_t>(std::ranges::find_if(targets.rbegin(), targets.rend(), [](int target) { return target >= 0; }).base() - targets.begin());
            sizes.insert(equals - 1);
            for (std::size_t t = 0; t < n; ++t) {
                QCOMPARE(targets[t] >= 0, t >= equals && t < length);
                if (t >= equals && t + 1 < length)
                    QCOMPARE(targets[t], inputs[t + 1]);
                if (t > 0 && t < length)
                    QVERIFY(positions[t] > positions[t - 1] && positions[t] < 40);
            }
            QCOMPARE(targets[length - 1], 0);
        }
    }
    QCOMPARE(sizes, (std::set<std::size_t>{4, 5, 6}));
    const ProblemSequence one = problemSequence(settings, taskOf("minimum"), 6, 3), other = problemSequence(settings, taskOf("minimum"), 6, 4);
    QVERIFY(one.inputs != other.inputs && one.positions != other.positions);
}

/// A network that has begun to learn is right on some problems: on the same ones in one pass of core/model as by decoding with core/learn.
void TestAlgorithms::exactMatchIsGreedyDecoding()
{
    ProblemSettings settings{.tasks = {&taskOf("minimum")}, .smallest = 4, .largest = 4, .positions = 24, .seed = 1};
    LanguageTrainer trainer({.shape = {.layers = 1, .width = 32, .inner = 32, .heads = 2, .keyHeads = 2, .vocabulary = std::ssize(algorithmWords())}, .length = 8, .batch = 32, .steps = 250, .warmup = 10, .rate = 1e-2, .multipliers = {}, .seed = 1},
                            problemBatches(settings, 32));
    for (int step = 0; step < 250; ++step)
        trainer.step();
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(path, trainer.model(), {.trainLength = 8, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    settings.seed = problemTestSeed;
    constexpr std::int64_t problems = 60;
    const auto scores = scoreProblems(*model, {}, {settings, &taskOf("minimum"), 4, problems}, {});
    QVERIFY(scores && *scores);
    int right = 0;
    for (std::int64_t problem = 0; problem < problems; ++problem) {
        const ProblemSequence sequence = problemSequence(settings, taskOf("minimum"), 4, static_cast<std::uint64_t>(problem));
        const std::vector<int> answer{sequence.targets[5], 0}, said = decoded(trainer.model(), sequence, 6);
        QCOMPARE((**scores)[static_cast<std::size_t>(problem)].accuracy, said == answer ? 1.0 : 0.0);
        QCOMPARE((**scores)[static_cast<std::size_t>(problem)].asked, std::int64_t{2});
        right += said == answer;
    }
    QVERIFY2(right > 5 && right < problems, qPrintable(QString::number(right)));
}

/// With all embeddings 0 but that of ".", every logit is 0 but that of ".", which is not below: half of two words, and no whole answer.
void TestAlgorithms::aNetworkThatAlwaysStopsIsNeverRight()
{
    learn::Llama network({.layers = 1, .width = 8, .inner = 8, .heads = 2, .keyHeads = 2, .vocabulary = std::ssize(algorithmWords())}, 1);
    for (learn::Weight* weight : network.weights())
        if (weight->name == "model.embed_tokens.weight") {
            weight->value.setOnes();
            weight->value.bottomRows(weight->value.rows() - 1) *= 0.5f;  // the stream points the same way for every word, and "." goes farthest along it
        } else if (!weight->vector) {
            weight->value.setZero();
        }
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(path, network, {.trainLength = 8, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}}));
    const auto model = openModel(path);
    QVERIFY(model);
    for (const AlgorithmTask& task : algorithmTasks()) {
        const auto scores = scoreProblems(*model, {}, {{.tasks = {&task}, .positions = 64, .seed = 9}, &task, 6, 5}, {});
        QVERIFY(scores && *scores && (*scores)->size() == 5);
        for (const PolicyScore& score : **scores) {
            QCOMPARE(score.accuracy, 0.0);
            QCOMPARE(score.recalled, std::int64_t{1});
            QCOMPARE(score.asked, task.id == "insertion_sort" ? std::int64_t{7} : task.id == "maximum_subarray" ? std::int64_t{3} : std::int64_t{2});
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
    QCOMPARE(attentionPolicy((*read)[1]).normaliser.id, std::string("adaptive"));
    QCOMPARE(attentionPolicy((*read)[1]).method.id, std::string("vanilla"));
    QCOMPARE(attentionPolicy((*read)[2]).method.id, std::string("softmax_plus"));
    QCOMPARE(attentionPolicy((*read)[2]).normaliser.id, std::string("softmax"));
    QCOMPARE(trainedSuffix(*read, (*read)[1]), std::string("_adaptive"));
}

/// The published polynomial and its derivative at H = 2, where it is above 1, and 1 where rows are sharp; a learning network and
/// core/model's engine then agree on every loss.
void TestAlgorithms::temperatureInTraining()
{
    const learn::LlamaShape shape{.layers = 2, .width = 32, .inner = 32, .heads = 2, .keyHeads = 2, .vocabulary = std::ssize(algorithmWords())};
    const auto attention = trainingAttention({"adaptive", {}, {}}, shape, 30);
    QVERIFY(attention && attention->multipliers.empty());
    const double h = 2, beta = -0.037 * h * h * h * h + 0.481 * h * h * h - 2.3 * h * h + 4.917 * h - 1.791, slope = -4 * 0.037 * h * h * h + 3 * 0.481 * h * h - 2 * 2.3 * h + 4.917;
    QVERIFY(std::abs(attention->beta(h).value - beta) < 1e-12 && std::abs(attention->beta(h).slope - slope) < 1e-6);
    QVERIFY(attention->beta(0.3).value == 1 && attention->beta(0.3).slope == 0 && attention->beta(6.5).value == 1);

    learn::Llama network(shape, 4);
    for (learn::Weight* weight : network.weights())
        if (weight->name.find("q_proj") != std::string::npos)
            weight->value *= 3.0f;  // rows of many entropies
    QTemporaryDir folder;
    const std::string path = folder.filePath("network").toStdString();
    QVERIFY(learn::saveLlama(path, network, {.trainLength = 30, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    const ProblemSequence sequence = problemSequence({.tasks = {}, .positions = 200, .seed = 2}, taskOf("insertion_sort"), 20, 0);
    const auto losses = [&](const learn::InverseTemperature& temperature) {
        learn::Tape tape;
        const auto z = tape.value(network(tape, sequence.inputs, 1, {.positions = sequence.positions, .beta = temperature}));
        std::vector<double> all;
        for (Eigen::Index t = 0; t < z.rows(); ++t)
            if (const int target = sequence.targets[static_cast<std::size_t>(t)]; target >= 0) {
                const Eigen::ArrayXd row = z.row(t).cast<double>();
                all.push_back(std::log((row - row.maxCoeff()).exp().sum()) + row.maxCoeff() - row[target]);
            }
        return all;
    };
    const std::vector<double> here = losses(attention->beta), plain = losses({});
    const auto result = runWindow(*model, windowOf(sequence), {.policy = attentionPolicy({"adaptive", {}, {}}), .pictures = {}, .last = 0, .everyPrediction = true, .engine = "auto", .observe = {}, .progress = {}, .stop = {}});
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    std::size_t next = 0;
    for (const Prediction& prediction : result->predictions)
        if (prediction.asked) {
            QVERIFY2(std::abs(prediction.loss - here[next]) < 2e-4, qPrintable(QString("%1, %2").arg(prediction.loss).arg(here[next])));
            ++next;
        }
    QCOMPARE(next, here.size());
    double apart = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
        apart = std::max(apart, std::abs(here[i] - plain[i]));
    QVERIFY(apart > 1e-2);
    Policy held;
    held.position = Choice{"rerope", {}, {}};
    const auto refused = runWindow(*model, windowOf(sequence), {.policy = held, .pictures = {}, .last = 0, .engine = "auto", .observe = {}, .progress = {}, .stop = {}});
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
        QVERIFY(row.number("nll") > 0 && row.number("entropy_mean") > 0 && row.number("accuracy") >= 0 && row.number("token_accuracy") <= 1);
        QCOMPARE(row.number("problems"), 3.0);
        const bool reference = *row.find("method") == LabValue(std::string("vanilla")) && *row.find("trained") == LabValue(std::string("vanilla"));
        QVERIFY(std::isnan(row.number("accuracy_p")) || !reference);   // nor is there a p where all problems differ by as much
        if (!reference) {
            const LabRow& held = rows[i - i % 8 + i % 2];
            QCOMPARE(row.number("change"), row.number("nll") - held.number("nll"));
        }
    }
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
                rows.push_back({"quality", {{"seed", seed}, {"trained", std::string(trained)}, {"task", std::string(task)}, {"n", std::int64_t{32}}, {"n_over_train", 2.0}, {"method", std::string(trained)},
                                            {"positions", std::string("rope")}, {"where", std::string("all layers")}, {"policy", std::string(trained)}, {"nll", 1.0},
                                            {"accuracy", 0.5 + (better ? 0.1 * static_cast<double>(seed) : 0)}, {"entropy_mean", 1.0}}});
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
    choice.values["steps"] = 400;
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
    const std::vector<LabRow> rows = qualityOfRun(choose("algorithms:steps=500,layers=1,width=32,inner=32,heads=2,batch=32,rate=0.01,smallest=4,largest=4,most=1,positions=16,problems=100,\"vanilla | vanilla | minimum\""));
    QCOMPARE(rows.size(), std::size_t{1});
    QVERIFY2(rows[0].number("accuracy") > 0.6, qPrintable(QString::number(rows[0].number("accuracy"))));
}

void TestAlgorithms::whatDoesNotGoTogether_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("heads") << "algorithms:heads=5" << "" << "heads must divide width";
    QTest::addRow("sizes") << "algorithms:smallest=20" << "" << "smallest must not be above largest";
    QTest::addRow("too long") << "algorithms:largest=50" << "" << "at most 99 numbers";
    QTest::addRow("positions") << "algorithms:positions=100" << "" << "set positions to that or more";
    QTest::addRow("four parts") << "algorithms" << "vanilla | | | vanilla" << "more than three parts";
    QTest::addRow("no method") << "algorithms" << "| vanilla" << "at least one";
    QTest::addRow("method") << "algorithms" << "vanila" << "unknown scale method or normaliser 'vanila'";
    QTest::addRow("task") << "algorithms" << "vanilla | | bubble_sort" << "unknown task 'bubble_sort'";
    QTest::addRow("training") << "algorithms" << "vanilla | sparsemax" << "networks learn with softmax";
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
