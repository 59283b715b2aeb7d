// The lab recall: what its sequences ask for stands in them once, guesses and windows get the shares that one counts by
// hand, and a network that does not find what was told at N is not tested.

#include "run_lab.h"

#include "core/labs/recall/recall_evaluation.h"
#include "core/tensor/tensor_file.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace attnscope;

namespace {

const std::string tinyRun =
    "recall:steps=2,layers=1,width=8,inner=8,heads=1,batch=2,length=16,pairs=2,keys=8,values=8,sequences=4,most=4";

RecallSettings settings() { return {.length = 64, .pairs = 8, .keys = 20, .values = 10, .fillers = 5, .seed = 3}; }

}  // namespace

class TestRecall : public QObject {
    Q_OBJECT
private slots:
    void everyKeyIsToldOnceAndAskedOnce();
    void scatteredPairsAreToldBeforeTheyAreAskedFor();
    void copiesAskForWhatFollowed();
    void whatIsScatteredGrows();
    void itsWordsAreThoseOfNeedles();
    void growthEndsAtTheTestsStage();
    void keysAreAskedAgainInTraining();
    void sharesAreCountedByHand();
    void whoGuessesAmongFewerFindsMore();
    void whoDoesNotRecallIsNotTested();
    void rowsOfATest();
    void itIsTestedBrieflyWhileItLearns();
    void alphaTrainsTheCosine();
    void whatAWindowHidesIsNotSeen();
    void windowsThatDoNotFitAreRefused();
};

void TestRecall::everyKeyIsToldOnceAndAskedOnce()
{
    const RecallSettings made = settings();
    for (const std::int64_t n : {64, 256}) {
        const RecallSequence sequence = recallSequence(made, testStage(made, n), 5);
        QCOMPARE(std::ssize(sequence.inputs), n);
        std::set<int> keys;
        int asked = 0;
        for (std::size_t pair = 0; pair < 8; ++pair) {
            QVERIFY(keys.insert(sequence.inputs[2 * pair]).second && sequence.inputs[2 * pair] < 20);
            QVERIFY(sequence.inputs[2 * pair + 1] >= 20 && sequence.inputs[2 * pair + 1] < 30);
        }
        for (std::size_t t = 0; t < sequence.inputs.size(); ++t) {
            QCOMPARE(sequence.positions[t], static_cast<int>(t));
            if (sequence.targets[t] < 0) {
                QVERIFY(t < 16 || sequence.inputs[t] >= 30);  // a filler
                continue;
            }
            ++asked;
            const auto told = t - static_cast<std::size_t>(sequence.distances[t]);
            QVERIFY(keys.erase(sequence.inputs[t]) == 1 && told < 16);
            QCOMPARE(sequence.inputs[told - 1], sequence.inputs[t]);
            QCOMPARE(sequence.inputs[told], sequence.targets[t]);
        }
        QCOMPARE(asked, 8);
        QVERIFY(recallSequence(made, testStage(made, n), 5).inputs == sequence.inputs);
        QVERIFY(recallSequence(made, testStage(made, n), 6).inputs != sequence.inputs);
    }
}

/// Every key is told once and asked for once, later, wherever that is; the pairs reach every part of the sequence.
void TestRecall::scatteredPairsAreToldBeforeTheyAreAskedFor()
{
    RecallSettings made = settings();
    made.scattered = 1;
    std::set<std::int64_t> eighths;
    for (std::uint64_t number = 0; number < 50; ++number)
        for (const double again : {0.0, 1.0}) {
            RecallStage stage = testStage(made, 128);
            stage.again = again;
            const RecallSequence sequence = recallSequence(made, stage, number);
            std::map<int, std::size_t> told;
            int asked = 0;
            for (std::size_t t = 0; t < sequence.inputs.size(); ++t)
                if (sequence.targets[t] >= 0) {
                    ++asked;
                    const auto place = told.find(sequence.inputs[t]);
                    QVERIFY(place != told.end());
                    QCOMPARE(sequence.distances[t], static_cast<std::int64_t>(t - place->second - 1));
                    QCOMPARE(sequence.targets[t], sequence.inputs[place->second + 1]);
                } else if (sequence.inputs[t] < 20) {
                    QVERIFY(told.emplace(sequence.inputs[t], t).second);
                    QVERIFY(sequence.inputs[t + 1] >= 20 && sequence.inputs[t + 1] < 30);
                    eighths.insert(static_cast<std::int64_t>(t) / 16);
                }
            QCOMPARE(std::ssize(told), std::ptrdiff_t(8));
            QVERIFY(again > 0 ? asked > 20 : asked == 8);
        }
    QVERIFY(std::ssize(eighths) >= 7);  // nothing is told at the very end: it is asked for behind
}

/// None until half the growth is behind, then all of what is asked for.
/// The words at the end came before, once, in the same order; each asks for the one that followed it, as far back as
/// that stands. In tests it is the first half that comes again; in training anything from an eighth to a half, from
/// anywhere.
void TestRecall::copiesAskForWhatFollowed()
{
    RecallSettings made = settings();
    made.copied = 1;
    made.fillers = 500;
    std::set<std::int64_t> blocks, backs;
    for (std::uint64_t number = 0; number < 60; ++number) {
        RecallStage stage = testStage(made, 64);
        if (number > 0)
            stage = trainingStage(made, 1, {0.9, double(number) / 61, 0.5});
        QCOMPARE(stage.length, 64);
        const RecallSequence sequence = recallSequence(made, stage, number);
        const auto first = std::ranges::find_if(sequence.targets, [](int target) { return target >= 0; }) -
                           sequence.targets.begin();  // the first of the words that come again
        const std::int64_t block = 64 - first;
        QCOMPARE(block, stage.block);
        const std::set<int> words(sequence.inputs.begin(), sequence.inputs.begin() + first);
        QCOMPARE(std::ssize(words), first);
        const std::int64_t back = sequence.distances[size_t(first)] + 1;
        for (std::int64_t t = first; t < 64; ++t) {
            QCOMPARE(sequence.inputs[size_t(t)], sequence.inputs[size_t(t - back)]);
            QCOMPARE(sequence.targets[size_t(t)], t < 63 ? sequence.inputs[size_t(t + 1)] : -1);
            QCOMPARE(sequence.distances[size_t(t)], t < 63 ? back - 1 : 0);
        }
        QVERIFY(number > 0 ? block >= 8 && block <= 32 : block == 32 && back == 32);
        blocks.insert(block);
        backs.insert(back);
    }
    QVERIFY(blocks.size() > 8 && backs.size() > 20 && *backs.rbegin() > 48);
    QCOMPARE(guessedShare(made, 64), 1.0 / double(made.words()));
    made.copied = 0.5;
    int copies = 0;
    for (std::uint64_t number = 0; number < 400; ++number) {
        const auto targets = recallSequence(made, testStage(made, 64), number).targets;
        copies += std::ranges::count_if(targets, [](int target) { return target >= 0; }) == 31;
    }
    QVERIFY(copies > 150 && copies < 250);  // five standard errors
}

void TestRecall::whatIsScatteredGrows()
{
    RecallSettings made = settings();
    made.scattered = 0.8;
    QCOMPARE(trainingStage(made, 0.5, {0, 0, 0}).scattered, 0.0);
    QCOMPARE(trainingStage(made, 0.75, {0, 0, 0}).scattered, 0.4);
    QCOMPARE(trainingStage(made, 1, {0, 0, 0}).scattered, 0.8);
    QCOMPARE(testStage(made, 64).scattered, 0.8);
}

/// Keys come first, then values, then fillers, with a number where there are more than words.
void TestRecall::itsWordsAreThoseOfNeedles()
{
    RecallSettings made = settings();
    made.keys = 17;
    const auto tokenizer = readTokenizerJson(recallTokenizer(made), "tokenizer.json");
    QVERIFY(tokenizer);
    QCOMPARE((*tokenizer)->encode("Mia Otto Mia2 Wolf Snow and in").value(),
             (std::vector<int>{0, 15, 16, 17, 17 + 9, 27, 31}));
    QVERIFY(!(*tokenizer)->encode("Zebra"));
}

/// Short sequences whose values ask for their keys first, at last those of tests but for keys asked for again; then
/// half of all draws are of N tokens, and the others reach up to it.
void TestRecall::growthEndsAtTheTestsStage()
{
    const RecallSettings made = settings();
    const RecallStage first = trainingStage(made, 0, {0, 0, 1}), last = trainingStage(made, 1, {1, 0, 0});
    QCOMPARE(first.length, std::int64_t{8});
    QCOMPARE(first.pairs, std::int64_t{2});
    QVERIFY(first.namesKeys && !last.namesKeys);
    QCOMPARE(last.length, made.length);
    QCOMPARE(last.pairs, made.pairs);
    QCOMPARE(last.keys, made.keys);
    QCOMPARE(last.values, made.values);
    QCOMPARE(last.again, 0.0);
    QCOMPARE(trainingStage(made, 0, {1, 0, 0}).length, std::int64_t{16});
    QCOMPARE(trainingStage(made, 1, {0.5, 0.999, 0}).length, made.length);
    QCOMPARE(trainingStage(made, 1, {0.5, 0.999, 0}).pairs, std::int64_t{1});
    QCOMPARE(trainingStage(made, 1, {0.499, 0, 0}).length, std::int64_t{62});
    const RecallSequence named = recallSequence(made, first, 1);
    QCOMPARE(named.targets[1], named.inputs[0]);
}

/// Every place that is left asks for some key, and the one value that was told with it is right.
void TestRecall::keysAreAskedAgainInTraining()
{
    const RecallSettings made = settings();
    const RecallStage all = trainingStage(made, 1, {1, 0, 1});
    const RecallSequence sequence = recallSequence(made, all, 7);
    QCOMPARE(std::ssize(sequence.inputs), std::int64_t{64});
    for (std::size_t t = 16; t < 64; t += 2) {
        QVERIFY(sequence.inputs[t] < 20 && sequence.targets[t + 1] < 0);
        const auto told = t - static_cast<std::size_t>(sequence.distances[t]);
        QVERIFY(told < 16);
        QCOMPARE(sequence.inputs[told - 1], sequence.inputs[t]);
        QCOMPARE(sequence.targets[t], sequence.inputs[told]);
    }
}

/// Where pairs stand anywhere fewer values are told when a key is asked for. Two pairs: of the orders of their four
/// blocks a third asks between the tellings, 1 and 1/2 then, else 1/2 twice: 2/3 1/2 + 1/3 3/4 = 7/12 but for equal
/// words.
void TestRecall::whoGuessesAmongFewerFindsMore()
{
    RecallSettings made = settings();
    made.scattered = 1;
    made.pairs = 2;
    const double other = 1.0 / static_cast<double>(made.values);
    QVERIFY(std::abs(guessedShare(made, 128) - (7.0 / 12 + 5.0 / 12 * other)) < 1e-12);
    made.pairs = 4;
    made.values = 16;
    QVERIFY(std::abs(guessedShare(made, 128) - 0.360) < 0.0005);
    std::vector<double> counted;
    for (std::uint64_t number = 0; number < 4000; ++number) {
        const RecallSequence sequence = recallSequence(made, testStage(made, 128), number);
        std::set<int> told;
        for (std::size_t t = 0; t < sequence.inputs.size(); ++t) {
            if (sequence.targets[t] < 0 && sequence.inputs[t] < made.keys)
                told.insert(sequence.inputs[t]);
            if (sequence.targets[t] >= 0) {
                const double right = 1.0 / static_cast<double>(told.size());
                counted.push_back(right + (1 - right) / 16);
                QCOMPARE(sequence.guesses[t], counted.back());
            }
        }
    }
    QVERIFY(std::abs(sampleMean(counted).mean - guessedShare(made, 128)) < 4 * *sampleMean(counted).standardError);
    QVERIFY(std::abs(*windowShare({made, 128, 400}, 1) - 36.0) < 2);  // sees no pair
}

/// One of 8 values by chance, or another that is the same word: 1/8 + 7/8 1/10. A window that holds everything finds
/// everything; one of a single token only guesses.
void TestRecall::sharesAreCountedByHand()
{
    const double guessed = 0.125 + 0.875 / 10;
    QVERIFY(std::abs(guessedShare(settings(), 128) - guessed) < 1e-12);
    const RecallTest test{settings(), 128, 6};
    QCOMPARE(*windowShare(test, 128), 100.0);
    QVERIFY(std::abs(*windowShare(test, 1) - 100 * guessed) < 1e-9);
    const double half = *windowShare(test, 64);
    QVERIFY(half > 100 * guessed && half < 100);
    const PolicyScores scores{{.answers = {{10, 1}, {50, 0}}}, {.answers = {{60, 1}, {20, 1}}}};
    QCOMPARE(sharesOf(scores, 48).all, 75.0);
    QCOMPARE(sharesOf(scores, 48).far, 50.0);
    QVERIFY(std::isnan(sharesOf(scores, 61).far));
}

void TestRecall::whoDoesNotRecallIsNotTested()
{
    const LabResult result = runOrFail({.choice = choose(tinyRun)});
    QVERIFY(tableOf(result, "quality").empty());
    const auto networks = tableOf(result, "networks");
    QCOMPARE(networks.size(), std::size_t{1});
    QCOMPARE(*networks[0].find("qualified"), LabValue(false));
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
        return note.find("is not tested beyond N") != std::string::npos;
    }));
}

void TestRecall::rowsOfATest()
{
    Choice choice = choose(tinyRun + ",qualified=0");
    choice.text = "softmax_plus; vanilla | rope |";
    const LabResult result = runOrFail({.choice = choice});
    const auto rows = tableOf(result, "quality");
    QCOMPARE(rows.size(), std::size_t{3 * 3});  // N, 2 N, 4 N; vanilla, the method, and a window
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(rows[i].word("method"), i % 3 == 0   ? std::string("vanilla")
                                         : i % 3 == 1 ? std::string("softmax_plus")
                                                      : std::string("vanilla|window:w=16"));
        QCOMPARE(rows[i].number("n_over_train"), std::exp2(static_cast<double>(i / 3)));
        QVERIFY(rows[i].number("percent") >= 0 && rows[i].number("nll") > 0);
        QVERIFY(std::abs(rows[i].number("percent") - 100 * rows[i].number("recall")) < 1e-9);
    }
    // at N a scale with m(N) = 1 and a window of N change nothing
    QVERIFY(std::abs(rows[2].number("nll") - rows[0].number("nll")) < 1e-6);
    Choice crowded = choose(tinyRun), few = crowded;
    crowded.values["pairs"] = 5;
    QVERIFY(notRefused(crowded, "at least four times pairs").isEmpty());
    few.values["keys"] = 1;
    QVERIFY(notRefused(few, "keys must be at least as many as pairs").isEmpty());
}

/// Live rows at every length, while there is somebody to see them.
void TestRecall::itIsTestedBrieflyWhileItLearns()
{
    Choice choice = choose(tinyRun);
    choice.values["steps"] = 3000;
    std::vector<LabRow> live;
    std::stop_source stop;
    const auto result = runLab({.choice = choice}, stop.get_token(), [&](const LabUpdate& update) {
        if (live.empty() && !update.live.empty()) {
            live = update.live;
            stop.request_stop();
        }
    });
    QCOMPARE(live.size(), std::size_t{3});
    for (std::size_t i = 0; i < live.size(); ++i) {
        QCOMPARE(live[i].number("n"), 16 * std::exp2(static_cast<double>(i)));
        QVERIFY(live[i].number("nll") > 0);
    }
}

/// The folder says that heads are normed, and so do queries and keys that are kept: |q| |k| / sqrt(d) = alpha, d = 8.
void TestRecall::alphaTrainsTheCosine()
{
    for (const double alpha : {0.0, 16.0}) {
        QTemporaryDir folder;
        Choice choice = choose(tinyRun + ",qualified=0");
        choice.values["alpha"] = alpha;
        choice.text = "vanilla; infoscale | rope |";
        const std::string path = folder.filePath("run").toStdString();
        const LabResult result = runOrFail({.choice = choice, .folder = path});
        const auto model = openModel(path + "/recall_seed1");
        QVERIFY(model);
        const auto weights = TensorFile::open(path + "/recall_seed1/model.safetensors"),
                   heads = TensorFile::open(path + "/recall_qk.safetensors");
        QVERIFY(weights && heads);
        QCOMPARE(weights->find("model.layers.0.self_attn.q_norm.weight").has_value(), alpha > 0);
        QCOMPARE(weights->metadata().count("alpha"), std::size_t{alpha > 0});
        if (alpha > 0)
            QCOMPARE(weights->metadata().at("alpha"), std::string("16"));
        const auto q = heads->read<float>(**heads->find("layer0.q_pre_rope")),
                   k = heads->read<float>(**heads->find("layer0.k_pre_rope"));
        QVERIFY(q && k && q->size() == 64 * 8 && k->size() == q->size());
        const auto norm = [](const std::vector<float>& all, std::size_t row) {
            double sum = 0;
            for (std::size_t i = 0; i < 8; ++i)
                sum += std::pow(static_cast<double>(all[8 * row + i]), 2);
            return std::sqrt(sum);
        };
        int same = 0;
        for (std::size_t row = 0; row < 64; ++row)
            same += std::abs(norm(*q, row) * norm(*k, 63 - row) / std::sqrt(8.0) / 16 - 1) < 0.01;
        QCOMPARE(same, alpha > 0 ? 64 : 0);
    }
}

/// One layer with a window of 8 says of a token what it says where the sequence ends there and the 8 last tokens are
/// all: RoPE knows distances alone. The rows say the same of the window as a position as those of the one that stands
/// beside positions, for N of 8 tokens; and a scale has its change over vanilla in the window.
void TestRecall::whatAWindowHidesIsNotSeen()
{
    QTemporaryDir folder;
    Choice choice = choose(tinyRun + ",qualified=0");
    choice.values["steps"] = 40;
    choice.values["rate"] = 0.01;
    choice.text = "vanilla; softmax_plus | rope; window:w=8 |";
    const std::string path = folder.filePath("run").toStdString();
    const auto rows = tableOf(runOrFail({.choice = choice, .folder = path}), "quality");
    QCOMPARE(rows.size(), std::size_t{3 * 5});  // no window beside the window
    const auto model = openModel(path + "/recall_seed1");
    QVERIFY(model);
    WindowRequest everyPrediction;
    everyPrediction.everyPrediction = true;
    const RecallSettings made{
        .length = 16, .pairs = 2, .keys = 8, .values = 8, .fillers = 16, .seed = recallTestSeed + 1};
    for (std::size_t times = 0; times < 3; ++times) {
        const std::int64_t n = std::int64_t{16} << times;
        double loss = 0;
        for (std::uint64_t number = 0; number < 4; ++number) {
            const RecallSequence sequence = recallSequence(made, testStage(made, n), number);
            std::vector<double> losses;
            for (std::size_t t = 0; t < sequence.inputs.size(); ++t) {
                if (sequence.targets[t] < 0)
                    continue;
                const std::size_t from = t < 7 ? 0 : t - 7;
                Window last;
                last.inputs.assign(sequence.inputs.begin() + std::ptrdiff_t(from),
                                   sequence.inputs.begin() + std::ptrdiff_t(t + 1));
                last.targets.assign(last.inputs.size(), -1);
                last.targets.back() = sequence.targets[t];
                const auto alone = runWindow(*model, last, everyPrediction);
                QVERIFY(alone);
                losses.push_back(meanOf(alone->predictions).loss);
            }
            QCOMPARE(losses.size(), std::size_t{2});
            loss += (losses[0] + losses[1]) / 2 / 4;
        }
        const LabRow &seen = rows[5 * times], &hidden = rows[5 * times + 3], &scaled = rows[5 * times + 4];
        QCOMPARE(hidden.word("positions"), std::string("window:w=8"));
        QCOMPARE(hidden.word("method"), std::string("vanilla"));
        QVERIFY2(std::abs(hidden.number("nll") - loss) < 1e-5,
                 qPrintable(QStringLiteral("%1 beside %2").arg(hidden.number("nll")).arg(loss)));
        QVERIFY(std::abs(seen.number("nll") - loss) > 1e-3);
        QCOMPARE(scaled.word("method"), std::string("softmax_plus"));
        QCOMPARE(scaled.number("change"), scaled.number("nll") - hidden.number("nll"));
    }
    choice.text = "vanilla | rope; window:w=16; lambda:w=16 |";
    const auto ofN = tableOf(runOrFail({.choice = choice}), "quality");
    QCOMPARE(ofN.size(), std::size_t{3 * 4});
    for (std::size_t times = 0; times < 3; ++times) {
        QCOMPARE(ofN[4 * times + 1].word("method"), std::string("vanilla|window:w=16"));
        QCOMPARE(ofN[4 * times + 2].number("nll"), ofN[4 * times + 1].number("nll"));
        QCOMPARE(ofN[4 * times + 3].number("nll") == ofN[4 * times + 2].number("nll"), times == 0);  // it has sinks
    }
}

void TestRecall::windowsThatDoNotFitAreRefused()
{
    const auto refused = [](const char* lab, const char* text, const char* says) {
        return notRefused(choose(QString::fromLatin1(lab), QString::fromLatin1(text)), QString::fromLatin1(says));
    };
    QCOMPARE(refused("recall", "vanilla | full", "unknown position 'full'"), QString());
    QCOMPARE(refused("recall", "vanilla | window:w=8,causal=0", "looks ahead, and these networks look back alone"),
             QString());
    QCOMPARE(refused("recall", "vanilla | window:w=0", "w"), QString());
    QCOMPARE(refused("masked-lm", "vanilla | sink_window:w=8", "looks back alone, and these networks see both sides"),
             QString());
}

QTEST_GUILESS_MAIN(TestRecall)
#include "test_recall.moc"
