// The lab masked-lm and what it stands on: tokens are hidden as often as they should be, the encoder that is trained is
// the one that core/model runs, its rows and their tests over seeds are right, and runs resume to the last bit on any
// number of threads.

#include "run_lab.h"

#include "core/labs/language/language_evaluation.h"
#include "core/labs/language/language_trainer.h"
#include "core/networks/llama_folder.h"
#include "core/model/generation.h"
#include "core/model/model_config.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

using namespace attnscope;

namespace {

const std::string tinyRun = "masked-lm:steps=12,length=16,batch=3,layers=1,width=16,inner=24,heads=2,vocabulary=300,"
                            "megabytes=0.02,tokens=128,most=4";

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<int> someIds(int count, int vocabulary)
{
    std::vector<int> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(1 + (i * i * 7 + i * 13 + 5) % (vocabulary - 1));
    return ids;
}

/// What a network says of the rows of a run, by name of column.
std::vector<LabRow> rowsOf(const Choice& choice) { return tableOf(runOrFail({choice}), "quality"); }

}  // namespace

class TestMaskedLm : public QObject {
    Q_OBJECT
private slots:
    void tokensAreHiddenAsOftenAsAsked();
    void windowsHideByThePlaceInTheText();
    void answersAreReadWhereTheyStand();
    void theTrainedEncoderIsTheOneThatRuns_data();
    void theTrainedEncoderIsTheOneThatRuns();
    void theCosineIsTimesAlpha();
    void configsOfEncoders();
    void rowsComeWithTheirTest();
    void seedsAreComparedInPairs();
    void networksTrainedWithOtherMethods();
    void resumedRunsGiveTheSameBits();
    void threadsGiveTheSameBits();
    void itLearnsWhatNeighboursTell();
    void whatDoesNotGoTogether_data();
    void whatDoesNotGoTogether();
};

/// Of M windows of n tokens each is hidden with probability p on its own: the count of a window has mean n p and
/// variance n p (1 - p), known from M of them to their own standard errors.
void TestMaskedLm::tokensAreHiddenAsOftenAsAsked()
{
    const std::vector<int> ids = someIds(5000, 300);
    constexpr std::int64_t n = 64, windows = 40, steps = 50;
    for (const double p : {0.15, 0.4}) {
        const BatchSource batches = windowsOf(
            {.shape =
                 {.layers = 1, .width = 8, .inner = 8, .heads = 2, .keyHeads = 2, .vocabulary = 300, .causal = false},
             .length = n,
             .batch = windows,
             .hidden = p,
             .multipliers = {},
             .seed = 3},
            ids);
        double sum = 0, squares = 0;
        for (std::uint64_t step = 0; step < steps; ++step) {
            const LanguageBatch batch = batches(step);
            QCOMPARE(std::ssize(batch.inputs), n * windows);
            for (std::int64_t window = 0; window < windows; ++window) {
                double count = 0;
                std::vector<int> text;
                for (std::int64_t t = 0; t < n; ++t) {
                    const auto at = static_cast<std::size_t>(window * n + t);
                    QCOMPARE(batch.inputs[at] == 0, batch.targets[at] >= 0);
                    count += batch.targets[at] >= 0;
                    text.push_back(batch.inputs[at] == 0 ? batch.targets[at] : batch.inputs[at]);
                }
                QVERIFY(std::search(ids.begin(), ids.end(), text.begin(), text.end()) !=
                        ids.end());  // a passage of the text
                sum += count;
                squares += count * count;
            }
        }
        const double all = windows * steps, mean = sum / all, variance = squares / all - mean * mean,
                     expected = n * p * (1 - p);
        QVERIFY2(std::abs(mean - n * p) < 4 * std::sqrt(expected / all), qPrintable(QString::number(mean)));
        QVERIFY2(std::abs(variance - expected) < 4 * expected * std::sqrt(2 / all),
                 qPrintable(QString::number(variance)));
    }
}

void TestMaskedLm::windowsHideByThePlaceInTheText()
{
    Architecture encoder;
    encoder.causal = false;
    encoder.maskToken = 0;
    const std::vector<int> ids = someIds(2000, 50);
    const auto one = windowOf(encoder, ids, 100, 64), other = windowOf(encoder, ids, 90, 200);
    QVERIFY(one && other);
    double hidden = 0;
    for (std::size_t t = 0; t < 64; ++t) {
        const int target = one->targets[t], text = ids[100 + t];
        QCOMPARE(one->inputs[t], target >= 0 ? 0 : text);
        QVERIFY(target == -1 || target == text);
        QCOMPARE(other->targets[t + 10], target);
        hidden += target >= 0;
    }
    QVERIFY(hidden > 1 && hidden < 25);
    for (std::int64_t start = 0; start < 60; ++start) {  // something is asked of the shortest window
        QVERIFY(std::ranges::any_of(windowOf(encoder, ids, start, 1)->targets, [](int target) { return target >= 0; }));
        QVERIFY(std::ranges::any_of(windowOf(encoder, ids, start, 8)->targets, [](int target) { return target >= 0; }));
    }
    double share = 0;
    for (std::int64_t place = 0; place < 40000; ++place)
        share += isHidden(0, place, hiddenShare) / 40000.0;
    QVERIFY2(std::abs(share - hiddenShare) < 4 * std::sqrt(hiddenShare * (1 - hiddenShare) / 40000),
             qPrintable(QString::number(share)));
    QCOMPARE(countedOf(encoder, 100, 16), 100);  // the hidden ones count wherever they stand
    QVERIFY(windowOf(encoder, ids, 1936, 64) && !windowOf(encoder, ids, 1937, 64));
}

/// Of every answer that stands hidden in a window and was told within it, and of no other, one is asked: whether it is
/// hidden the window's own inputs say. Models of all three kinds say where what they are asked for stands.
void TestMaskedLm::answersAreReadWhereTheyStand()
{
    const std::vector<int> ids = someIds(400, 50);
    for (const auto& [begin, mask] : {std::pair<std::optional<int>, std::optional<int>>{{}, {}}, {0, {}}, {{}, 0}}) {
        Architecture architecture;
        architecture.beginToken = begin;
        architecture.maskToken = mask;
        architecture.causal = !mask;
        const auto window = windowOf(architecture, ids, 7, 64);
        QVERIFY(window.has_value());
        for (std::size_t t = 0; t < 64; ++t)
            if (window->targets[t] >= 0)
                QCOMPARE(window->targets[t], ids[static_cast<std::size_t>(firstTarget(architecture, 7)) + t]);
    }

    learn::Llama network({.layers = 1,
                          .width = 16,
                          .inner = 24,
                          .heads = 2,
                          .keyHeads = 2,
                          .vocabulary = 300,
                          .base = 500,
                          .epsilon = 1e-5,
                          .causal = false},
                         5);
    QTemporaryDir folder;
    const std::string path = folder.filePath("encoder").toStdString();
    QVERIFY(learn::saveLlama(
        path, network,
        {.trainLength = 64, .beginToken = {}, .maskToken = 0, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    LanguageCorpus corpus;
    corpus.test = someIds(600, 300);
    for (std::int64_t token = 20; token < 600; ++token)
        corpus.recalls.push_back({token, token - token % 37});
    const LanguageTest test{.length = 100, .windows = 5, .last = 0};
    const auto scores = scorePolicy(*model, {}, corpus, test, {});
    QVERIFY2(scores && *scores, scores ? "no value" : scores.error().message.c_str());
    const auto starts = spreadWindows(model->architecture, corpus.test, test.length, 5);
    QVERIFY(starts.has_value());
    for (std::size_t w = 0; w < starts->size(); ++w) {
        const std::int64_t start = (*starts)[w];
        const auto window = windowOf(model->architecture, corpus.test, start, test.length);
        std::vector<std::int64_t> expected, asked;  // how far back they were told
        for (const LanguageCorpus::Recall& recall : corpus.recalls)
            if (recall.told >= start && recall.token < start + test.length &&
                window->inputs[static_cast<std::size_t>(recall.token - start)] == 0)
                expected.push_back(recall.token - recall.told);
        for (const PolicyScore::Answer& answer : (**scores)[w].answers)
            asked.push_back(answer.distance);
        QVERIFY(!expected.empty());
        QCOMPARE(asked, expected);
        QCOMPARE((**scores)[w].asked, std::ssize(expected));
    }
}

void TestMaskedLm::theTrainedEncoderIsTheOneThatRuns_data()
{
    QTest::addColumn<double>("alpha");
    QTest::addColumn<bool>("logN");
    QTest::addRow("dot product") << 0.0 << false;
    QTest::addRow("dot product, ln n") << 0.0 << true;
    QTest::addRow("cosine") << 16.0 << false;
    QTest::addRow("cosine, ln n") << 16.0 << true;
}

/// Two independent forward passes in float32 through two layers: losses agree to some units of 1e-7 times their size.
void TestMaskedLm::theTrainedEncoderIsTheOneThatRuns()
{
    QFETCH(double, alpha);
    QFETCH(bool, logN);
    constexpr std::int64_t n = 80;
    learn::Llama network({.layers = 2,
                          .width = 48,
                          .inner = 64,
                          .heads = 6,
                          .keyHeads = 6,
                          .vocabulary = 61,
                          .base = 500,
                          .epsilon = 1e-5,
                          .causal = false,
                          .alpha = alpha},
                         5);
    QTemporaryDir folder;
    const std::string path = folder.filePath("encoder").toStdString();
    QVERIFY(learn::saveLlama(
        path, network,
        {.trainLength = 32, .beginToken = {}, .maskToken = 0, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QCOMPARE(model->unknownFields, std::vector<std::string>());
    QVERIFY(!model->architecture.causal);
    QCOMPARE(model->architecture.maskToken, std::optional(0));
    const auto window = windowOf(model->architecture, someIds(200, 61), 3, n);
    const std::vector<float> multipliers(logN ? n : 0, static_cast<float>(std::log(double(n)) / std::log(32.0)));
    std::vector<int> places;
    for (std::int64_t t = 0; t < n; ++t)
        if (window->targets[static_cast<std::size_t>(t)] >= 0)
            places.push_back(static_cast<int>(t));
    QVERIFY(places.size() > 4);
    learn::Tape tape;
    const auto z = tape.value(network(tape, window->inputs, 1, {.multipliers = multipliers, .rows = places}));
    QCOMPARE(z.rows(), static_cast<Eigen::Index>(places.size()));
    Policy policy;
    policy.method.id = logN ? "softmax_plus" : "vanilla";
    const auto result = runWindow(*model, *window,
                                  {.policy = policy,
                                   .pictures = {policy},
                                   .last = 0,
                                   .engine = "auto",
                                   .observe = {},
                                   .progress = {},
                                   .stop = {}});
    QVERIFY(result);
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto place = static_cast<std::size_t>(places[i]);
        const Eigen::ArrayXd row = z.row(static_cast<Eigen::Index>(i)).cast<double>();
        const double loss = std::log((row - row.maxCoeff()).exp().sum()) + row.maxCoeff() - row[window->targets[place]];
        sum += loss;
        QVERIFY2(std::abs(loss - result->predictions[place].loss) < 3e-5,
                 qPrintable(QString("place %1: %2").arg(place).arg(loss)));
    }
    const MeanPrediction mean = meanOf(result->predictions);
    QCOMPARE(mean.asked, std::ssize(places));
    QVERIFY(std::abs(mean.loss - sum / static_cast<double>(places.size())) < 3e-5);
    const auto refused = continueText(*model, {}, std::vector{1, 2}, {.count = 3}, {}, {});
    QVERIFY(!refused && refused.error().message.find("encoder") != std::string::npos);
}

/// |q| |k| / sqrt(d) is alpha for every query and key of every head: eps in the norms takes 1e-5 / mean x^2 of it.
void TestMaskedLm::theCosineIsTimesAlpha()
{
    for (const double alpha : {8.0, 128.0}) {
        learn::Llama network({.layers = 2,
                              .width = 32,
                              .inner = 16,
                              .heads = 4,
                              .keyHeads = 4,
                              .vocabulary = 40,
                              .causal = false,
                              .alpha = alpha},
                             9);
        learn::Tape tape;
        network(tape, someIds(20, 40), 1);
        for (const auto& turned : network.turned()) {
            const auto q = tape.value(turned.queries), k = tape.value(turned.keys);
            for (Eigen::Index row = 0; row < 20; ++row)
                for (Eigen::Index head = 0; head < 4; ++head) {
                    const double most = static_cast<double>(q.row(row).segment(head * 8, 8).norm() *
                                                            k.row((row * 7) % 20).segment(head * 8, 8).norm()) /
                                        std::sqrt(8.0);
                    QVERIFY2(std::abs(most / alpha - 1) < 1e-3, qPrintable(QString::number(most)));
                }
        }
    }
}

void TestMaskedLm::configsOfEncoders()
{
    const auto read = [](const std::string& more) {
        return readModelConfig(
            R"({"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 20, "max_position_embeddings": 64)" +
                more + "}",
            "config.json");
    };
    const auto decoder = read(R"(, "mask_token_id": 3)"), encoder = read(R"(, "mask_token_id": 3, "is_causal": false)"),
               without = read(R"(, "is_causal": false)");
    QVERIFY(decoder && decoder->architecture.causal && !decoder->architecture.maskToken);
    QCOMPARE(maskOf(decoder->architecture, 0).id, std::string("causal"));
    QVERIFY(encoder && !encoder->architecture.causal && encoder->architecture.maskToken == 3);
    QCOMPARE(maskOf(encoder->architecture, 0).id, std::string("full"));
    QVERIFY(describe(encoder->architecture).starts_with("Llama encoder: "));
    QVERIFY(without && !without->architecture.maskToken);  // then the vocabulary says it, or nothing does:
    learn::Llama network(
        {.layers = 1, .width = 8, .inner = 8, .heads = 2, .keyHeads = 2, .vocabulary = 20, .causal = false}, 1);
    QTemporaryDir folder;
    const std::string path = folder.filePath("encoder").toStdString();
    QVERIFY(learn::saveLlama(path, network,
                             {.trainLength = 32, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}}));
    const auto model = openModel(path);
    QVERIFY(!model);
    QVERIFY2(model.error().message.find("what stands for a hidden token") != std::string::npos,
             model.error().message.c_str());
}

void TestMaskedLm::rowsComeWithTheirTest()
{
    Choice choice = choose(tinyRun);
    choice.text = "vanilla; softmax_plus | rope; pi";
    std::size_t pictures = 0, previews = 0;
    choice.values["steps"] = 4000;  // pictures and previews come half a second apart
    choice.values["batch"] = 1;
    const LabResult result = runOrFail({choice}, [&](const LabUpdate& update) {
        for (const LabPicture& picture : update.pictures) {
            ++pictures;
            for (Eigen::Index row = 0; row < picture.values.rows(); ++row)
                QVERIFY(std::abs(picture.values.row(row).sum() - 1) < 1e-4f);
            QVERIFY(picture.values(0, picture.values.cols() - 1) > 0);  // it sees what comes after
        }
        previews += update.live.size();
    });
    QVERIFY(pictures > 0);
    QVERIFY(previews > 0);
    const std::vector<LabRow> rows = tableOf(result, "quality");
    QCOMPARE(rows.size(), std::size_t{3 * 2 * 3});  // n = 16, 32, 64; positions; methods and a window
    for (const LabRow& row : rows) {
        QVERIFY(row.number("nll") > 0 && std::abs(std::log(row.number("perplexity")) - row.number("nll")) < 1e-12);
        QVERIFY(row.number("stderr") > 0 && row.number("entropy_mean") > 0 && row.number("accuracy") >= 0 &&
                row.number("accuracy") <= 1);
        QCOMPARE(row.number("windows"), std::max(2.0, 128 / row.number("n")));
        const bool vanilla = std::get<std::string>(*row.find("method")) == "vanilla";
        QVERIFY(std::isnan(row.number("p")) == (vanilla || row.number("change") == 0));
        QVERIFY(std::isnan(row.number("accuracy_p")) ||
                !vanilla);  // nor is there a p where all windows differ by as much
    }
    // at n = N neither the scale nor positions that stretch do anything
    for (const std::size_t i : {1, 3, 4})
        QCOMPARE(rows[i].number("nll"), rows[0].number("nll"));
    for (const std::size_t i : {13, 14}) {  // a scale, and a window of a quarter of N both ways
        QCOMPARE(rows[i].number("change"), rows[i].number("nll") - rows[12].number("nll"));
        QCOMPARE(rows[i].number("accuracy_change"), rows[i].number("accuracy") - rows[12].number("accuracy"));
    }
    QCOMPARE(rows[14].word("method"), std::string("vanilla|window:causal=0,w=4"));
    QVERIFY(rows[14].number("entropy_mean") <= std::log(7.0));  // it sees 7 tokens
    QVERIFY(tableOf(result, "seeds").empty());
}

/// Differences 1, 2, 3: mean 2, standard error 1 / sqrt 3, t = 2 sqrt 3; with two degrees of freedom p = 1 - t /
/// sqrt(t^2 + 2).
void TestMaskedLm::seedsAreComparedInPairs()
{
    std::vector<LabRow> rows;
    const auto add = [&](std::int64_t seed, const std::string& trained, const std::string& method, double nll,
                         double accuracy) {
        rows.push_back({"quality",
                        {{"seed", seed},
                         {"trained", trained},
                         {"n", std::int64_t{64}},
                         {"n_over_train", 2.0},
                         {"method", method},
                         {"positions", std::string("rope")},
                         {"where", std::string("all layers")},
                         {"policy", method + trained},
                         {"nll", nll},
                         {"accuracy", accuracy},
                         {"entropy_mean", 1.0 + static_cast<double>(seed)}}});
    };
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        add(seed, "vanilla", "vanilla", 5, 0.5);
        add(seed, "vanilla", "infoscale", 5 - static_cast<double>(seed), 0.5);
        add(seed, "log_n", "vanilla", 6, 0.25);
    }
    rows.push_back({"training", {{"seed", std::int64_t{1}}}});
    const auto seeds = seedCells(rows);
    QCOMPARE(seeds.size(), std::size_t{3});
    const auto row = [&](std::size_t i) { return LabRow{"seeds", seeds[i]}; };
    QVERIFY(std::isnan(row(0).number("change")) && row(0).number("nll") == 5 && row(0).number("networks") == 3);
    QCOMPARE(row(1).number("nll"), 3.0);
    QCOMPARE(row(1).number("perplexity"), std::exp(3.0));
    QVERIFY(std::abs(row(1).number("stderr") - 1 / std::sqrt(3.0)) < 1e-12);
    QCOMPARE(row(1).number("entropy_mean"), 3.0);
    QCOMPARE(row(1).number("change"), -2.0);
    const double t = 2 * std::sqrt(3.0);
    QVERIFY(std::abs(row(1).number("p") - (1 - t / std::sqrt(t * t + 2))) < 1e-9);
    QVERIFY(std::isnan(row(1).number("accuracy_p")));  // no accuracy differs
    QCOMPARE(row(2).number("accuracy_change"), -0.25);
    QVERIFY(std::isnan(row(2).number("accuracy_p")));  // all differ by as much
    QVERIFY(row(0).word("against").empty());
    QCOMPARE(row(1).word("against"), std::string("vanillavanilla"));
    QCOMPARE(row(2).word("against"), std::string("vanillavanilla"));

    // of seeds 1 to 3 and 2 to 4 those that both have: -2 and -3, t = 5 of one degree of freedom
    rows.clear();
    for (std::int64_t seed = 4; seed >= 1; --seed) {
        if (seed < 4)
            add(seed, "vanilla", "vanilla", 10 * static_cast<double>(seed), 0.5);
        if (seed > 1)
            add(seed, "vanilla", "infoscale", 9 * static_cast<double>(seed), 0.5);
        if (seed > 3)
            add(seed, "log_n", "vanilla", 6, 0.25);
        if (seed > 3)
            add(seed, "log_n", "infoscale", 5, 0.25);
    }
    const auto some = seedCells(rows);
    QCOMPARE(some.size(), std::size_t{4});
    const auto find = [&](const std::string& policy) {
        return LabRow{"seeds", *std::ranges::find_if(some, [&](const LabCells& cells) {
                          return LabRow{"seeds", cells}.word("policy") == policy;
                      })};
    };
    const LabRow partly = find("infoscalevanilla"), alike = find("infoscalelog_n");
    QCOMPARE(partly.number("networks"), 3.0);
    QCOMPARE(partly.number("change"), -2.5);
    QVERIFY(std::abs(partly.number("p") - (1 - 2 * std::atan(5.0) / std::numbers::pi)) < 1e-9);
    QVERIFY(partly.word("against") == "vanillavanilla" && alike.word("against") == "vanillalog_n");
    QCOMPARE(alike.number("change"), -1.0);
}

/// In a window of N all rows see N keys: ln n / ln N is 1 in training, and ln n / ln 512 is not.
void TestMaskedLm::networksTrainedWithOtherMethods()
{
    Choice choice = choose(tinyRun);
    choice.values["networks"] = 2;
    choice.values["most"] = 1;
    choice.text = "vanilla; softmax_plus:B=512 | | | vanilla; softmax_plus; softmax_plus:B=512";
    QTemporaryDir folder;
    const LabResult result = runOrFail({choice, folder.filePath("run").toStdString()});
    const std::vector<LabRow> rows = tableOf(result, "quality");
    QCOMPARE(rows.size(), std::size_t{2 * 3 * 3});
    QCOMPARE(rows[3].number("nll"), rows[0].number("nll"));
    QVERIFY(rows[6].number("nll") != rows[0].number("nll") && rows[9].number("nll") != rows[0].number("nll"));
    QCOMPARE(std::get<std::string>(*rows[7].find("trained")), std::string("softmax_plus:B=512"));
    QCOMPARE(tableOf(result, "seeds").size(), std::size_t{9});
    for (const char* name : {"masked_lm_seed1", "masked_lm_softmax_plus_seed1", "masked_lm_softmax_plus_2_seed2"})
        QVERIFY(QDir(folder.filePath("run")).exists(name));
    QCOMPARE(result.files.size(), std::size_t{7});  // six models, heads of the first
}

void TestMaskedLm::resumedRunsGiveTheSameBits()
{
    QTemporaryDir folder;
    const auto at = [&](const char* name) { return folder.filePath(name).toStdString(); };
    Choice choice = choose(tinyRun);
    choice.text = "vanilla; infoscale";
    // Updates come a tenth of a second apart: as many steps as this machine needs to have one on the way.
    Result<LabResult> stopped = LabResult{};
    for (double steps = 200; stopped && steps < 1e6; steps *= 4) {
        choice.values["steps"] = steps;
        QVERIFY(QDir(folder.filePath("parts")).removeRecursively());
        std::stop_source stop;
        stopped = runLab({choice, at("parts")}, stop.get_token(), [&](const LabUpdate& update) {
            if (update.stage == "training" && update.fraction > 0)
                stop.request_stop();
        });
    }
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    const LabResult whole = runOrFail({choice, at("whole")}), resumed = runOrFail({choice, at("parts"), true});
    for (const char* file : {"/masked_lm_seed1/model.safetensors", "/masked_lm_seed1/config.json",
                             "/masked_lm_seed1/tokenizer.json", "/masked_lm_qk.safetensors"}) {
        QVERIFY2(!contentOf(at("whole") + file).isEmpty(), file);
        QCOMPARE(contentOf(at("parts") + file), contentOf(at("whole") + file));
    }
    const std::vector<LabRow> one = tableOf(whole, "quality"), other = tableOf(resumed, "quality");
    QCOMPARE(other.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        QVERIFY(one[i].cells == other[i].cells);
    QVERIFY(resumed.files[1].scenario.has_value());
    QCOMPARE(resumed.files[1].scenario->attention.mask.id, std::string("full"));
}

void TestMaskedLm::threadsGiveTheSameBits()
{
    Choice choice = choose(tinyRun);
    choice.values["alpha"] = 16;
    choice.text = "vanilla; softmax_plus | rope; rerope";
    const auto on = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return rowsOf(choice);
    };
    const std::vector<LabRow> one = on(1);
    for (const std::size_t threads : {2, 3}) {
        const std::vector<LabRow> other = on(threads);
        QCOMPARE(other.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY(one[i].cells == other[i].cells);
    }
}

/// In a text that counts to twenty and begins again any neighbour tells what is hidden; chance is one of some twenty.
void TestMaskedLm::itLearnsWhatNeighboursTell()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("counting.txt").toStdString();
    std::ofstream file(path);
    for (int line = 0; line < 600; ++line)
        file << "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                "seventeen eighteen nineteen twenty ";
    file.close();
    Choice choice = choose("masked-lm:steps=150,length=16,batch=8,layers=2,width=32,inner=48,heads=2,vocabulary=320,"
                           "warmup=20,rate=0.01,tokens=1024,most=1");
    choice.text = "vanilla | | " + path;
    const LabResult learned = runOrFail({choice});
    const std::vector<LabRow> rows = tableOf(learned, "quality");
    QCOMPARE(rows.size(), std::size_t{2});
    QVERIFY2(rows[0].number("accuracy") > 0.9, qPrintable(QString::number(rows[0].number("accuracy"))));
    QVERIFY(learned.notes.empty());

    choice.values["rate"] = 1;  // it does not learn, and says so
    const LabResult diverged = runOrFail({choice});
    QCOMPARE(diverged.notes.size(), std::size_t{1});
    QVERIFY2(diverged.notes[0].find("did not learn") != std::string::npos, diverged.notes[0].c_str());
}

void TestMaskedLm::whatDoesNotGoTogether_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("heads") << "masked-lm:heads=5"
                           << ""
                           << "heads must divide width";
    QTest::addRow("odd heads") << "masked-lm:width=60,heads=4"
                               << ""
                               << "even";
    QTest::addRow("five parts") << "masked-lm"
                                << "vanilla | | | vanilla | vanilla"
                                << "more than 4 parts";
    QTest::addRow("trained with nothing known") << "masked-lm"
                                                << "vanilla | | | vanila"
                                                << "unknown scale method or normaliser 'vanila'";
    QTest::addRow("no value in training") << "masked-lm:length=8,batch=1,megabytes=0.02,vocabulary=300"
                                          << "vanilla | | | infoscale:eps=5"
                                          << "infoscale";
}

void TestMaskedLm::whatDoesNotGoTogether()
{
    QFETCH(QString, run);
    QFETCH(QString, text);
    QFETCH(QString, says);
    QCOMPARE(notRefused(choose(run, text), says), QString());
}

QTEST_GUILESS_MAIN(TestMaskedLm)
#include "test_masked_lm.moc"
