// Models of every family: logits against a plain forward pass in double precision, and against numbers computed
// elsewhere.

#include "tests/model/every_family.h"

#include "core/attention/engine_support.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/model/evaluation.h"
#include "core/model/generation.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/tensor_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

using namespace attnscope;

namespace {

const std::string shared = SHARED;

std::vector<int> someIds(int count, int vocabulary)
{
    std::vector<int> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back((i * i * 7 + i * 13 + 5) % vocabulary);
    return ids;
}

/// The logits of every token, by way of the streamed forward pass.
std::vector<std::vector<float>> logits(const Model& model, const std::vector<int>& ids, const Policy& policy = {})
{
    const auto resolved = resolve(policy, model.architecture, static_cast<std::int64_t>(ids.size()));
    if (!resolved)
        return {};
    Sequence sequence(model, *resolved, {});
    const auto stream = sequence.append(ids);
    std::vector<std::vector<float>> all;
    for (Index t = 0; stream && t < stream->rows(); ++t)
        all.push_back(logitsOf(model, stream->middleRows(t, 1), {}).value_or(std::vector<float>{}));
    return all;
}

std::vector<std::vector<double>> widened(const std::vector<std::vector<float>>& all)
{
    std::vector<std::vector<double>> wide;
    for (const std::vector<float>& one : all)
        wide.emplace_back(one.begin(), one.end());
    return wide;
}

/// The largest difference; infinite where shapes differ.
double difference(const std::vector<std::vector<float>>& got, const std::vector<std::vector<double>>& expected)
{
    if (got.size() != expected.size())
        return INFINITY;
    double most = 0;
    for (std::size_t t = 0; t < got.size(); ++t) {
        if (got[t].size() != expected[t].size())
            return INFINITY;
        for (std::size_t w = 0; w < got[t].size(); ++w)
            most = std::max(most, std::abs(static_cast<double>(got[t][w]) - expected[t][w]));
    }
    return most;
}

/// The reference's m_i counts all keys up to the query, also where a window hides the first of them; the registry's
/// `row` counts those that the row sees. Under a window the same numbers are expressions of i.
Choice countingHiddenKeys(const Choice& method)
{
    const std::map<std::string, std::string> expressions{
        {"vanilla", "1"},
        {"softmax_plus", "max(1, log(i+1)/log(512))"},
        {"infoscale", "max(1, sqrt((1-(i+1)^(-2/d))/(1-N^(-2/d))))"},
        {"yarn", "(0.1*log(max((i+1)/N, 1))+1)^2"},
        {"entropy_mean_field", "max(1, sqrt(max(0, 1+2*log((i+1)/N))))"},
    };
    return {"custom", {}, expressions.at(method.id)};
}

nlohmann::json sharedJson(const std::string& path)
{
    std::ifstream file(shared + path);
    return file ? nlohmann::json::parse(file) : nlohmann::json();
}

}  // namespace

class TestForward : public QObject {
    Q_OBJECT

private slots:
    void logitsAreThoseOfThePlainForwardPass_data();
    void logitsAreThoseOfThePlainForwardPass();
    void narrowAndShardedWeights_data();
    void narrowAndShardedWeights();
    void policiesAreInForceInEveryLayer();
    void sinksOfAFile();
    void appendedTokensSeeThoseBefore();
    void capturedPolicyLeavesTheModelAlone();
    void stopsAndReports();
    void windowsOfAText();
    void architecturesMatchIndependentNumbers();
    void storiesMatchIndependentNumbers();
    void storiesContinueAsPublished();
    void drawnTokensHaveTheModelsProbabilities();

private:
    std::string folder(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    QTemporaryDir m_folder;
};

void TestForward::logitsAreThoseOfThePlainForwardPass_data()
{
    QTest::addColumn<QString>("type");
    for (const char* type : {"llama", "llama3", "mistral", "qwen2", "qwen3", "gemma2", "gpt2", "gpt_neox", "gemma",
                             "gemma3_text", "olmo2", "smollm3", "granite", "mixtral", "qwen3_moe"})
        QTest::addRow("%s", type) << type;
}

void TestForward::logitsAreThoseOfThePlainForwardPass()
{
    QFETCH(QString, type);
    const SmallModel small = smallModel(type.toStdString());
    QCOMPARE(writeModel(small, folder(type.toStdString())), std::string());
    const auto model = openModel(folder(type.toStdString()));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY(model->unknownFields.empty());
    std::int64_t elements = 0;
    for (const auto& [name, tensor] : small.tensors)
        elements += static_cast<std::int64_t>(tensor.values.size());
    QCOMPARE(model->parameters, elements);
    QVERIFY(model->unreadTensors.empty());
    const std::vector<int> ids = someIds(30, model->architecture.vocabulary);
    // float32 through three layers of sums of at most 96 terms, logits of size 10: a few hundred roundings of 6e-8 of
    // it
    QVERIFY(difference(logits(*model, ids), plainLogits(small, ids)) < 1e-4);
}

void TestForward::narrowAndShardedWeights_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("dtype");
    QTest::addColumn<int>("files");
    QTest::addRow("bfloat16") << "llama" << static_cast<int>(Dtype::BF16) << 1;
    QTest::addRow("half") << "qwen2" << static_cast<int>(Dtype::F16) << 1;
    QTest::addRow("half, inputs first") << "gpt2" << static_cast<int>(Dtype::F16) << 1;
    QTest::addRow("in three files") << "llama" << static_cast<int>(Dtype::F32) << 3;
    QTest::addRow("bfloat16 in two files") << "gpt_neox" << static_cast<int>(Dtype::BF16) << 2;
}

void TestForward::narrowAndShardedWeights()
{
    QFETCH(QString, type);
    QFETCH(int, dtype);
    QFETCH(int, files);
    SmallModel small = smallModel(type.toStdString());
    roundTo(small, static_cast<Dtype>(dtype));
    const std::string path = folder("narrow" + std::to_string(dtype) + type.toStdString() + std::to_string(files));
    QCOMPARE(writeModel(small, path, static_cast<Dtype>(dtype), files), std::string());
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const std::vector<int> ids = someIds(20, model->architecture.vocabulary);
    QVERIFY(difference(logits(*model, ids), plainLogits(small, ids)) < 1e-4);
}

/// ln(i + 1) / ln N in every row, positions divided by n/N: the same inside the plain pass.
void TestForward::policiesAreInForceInEveryLayer()
{
    for (const char* type : {"llama", "gpt_neox"}) {
        const SmallModel small = smallModel(type);
        QCOMPARE(writeModel(small, folder(type)), std::string());
        const auto model = openModel(folder(type));
        QVERIFY(model);
        const std::vector<int> ids = someIds(48, model->architecture.vocabulary);
        Policy policy;
        policy.method = {"row_log", {}, {}};
        policy.position = Choice{"pi", {}, {}};
        policy.temperature = 0.8;
        const PlainPolicy plain{.multiplier = [](int i) { return std::log(i + 1.0) / std::log(32.0) / 0.8; },
                                .stretch = 48 / 32.0};
        QVERIFY(difference(logits(*model, ids, policy), plainLogits(small, ids, plain)) < 1e-4);
        QVERIFY(difference(logits(*model, ids), plainLogits(small, ids, plain)) > 0.1);
        // no layer at all, and then the policy changes nothing
        policy.layers = {1};
        QVERIFY(difference(logits(*model, ids, policy), plainLogits(small, ids, plain)) > 0.01);
        policy.method = {"vanilla", {}, {}};
        policy.position.reset();
        policy.temperature = 1;
        QVERIFY(difference(logits(*model, ids, policy), plainLogits(small, ids)) < 1e-4);
    }
}

/// A file of a model's own sinks changes nothing, nor do sinks too low to take weight; one number everywhere is that
/// sink for all heads.
void TestForward::sinksOfAFile()
{
    const std::string path = folder("sinks.npy");
    const auto with = [](const Choice& sinks) {
        Policy policy;
        policy.normaliser = sinks;
        return policy;
    };
    const auto ofFile = [&](const std::vector<double>& sinks, std::vector<std::int64_t> shape) {
        return writeNpy(path, tensorView({}, std::move(shape), sinks)) ? with({"sink", {}, path}) : Policy();
    };
    for (const char* type : {"gpt_oss", "llama"}) {
        QVERIFY(writeFamily(type, folder(type) + "_sinks"));
        const auto model = openModel(folder(type) + "_sinks");
        QVERIFY(model);
        const Architecture& a = model->architecture;
        const std::vector<int> ids = someIds(24, a.vocabulary);
        std::vector<double> own;
        for (const LayerSpec& spec : a.specs)
            for (int head = 0; head < a.heads; ++head)
                own.push_back(spec.sinks.empty() ? -1000 : spec.sinks[static_cast<std::size_t>(head)]);
        const auto published = logits(*model, ids);
        QVERIFY(difference(logits(*model, ids, ofFile(own, {a.layers, a.heads})), widened(published)) < 1e-5);
        const std::vector<double> alike(static_cast<std::size_t>(a.heads), 2.0);
        const auto withFile = logits(*model, ids, ofFile(alike, {a.heads}));
        QVERIFY(difference(withFile, widened(logits(*model, ids, with({"sink", {{"s", 2}}, {}})))) < 1e-5);
        QVERIFY(difference(withFile, widened(published)) > 1e-3);
        const auto wrong = resolve(ofFile(own, {a.layers * a.heads}), a, 8);
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().kind, ErrorKind::BadShape);
    }
    const auto alone = findNormaliser({"sink", {}, path});
    QVERIFY(!alone && alone.error().message.find("sink:s=NUMBER") != std::string::npos);
}

void TestForward::appendedTokensSeeThoseBefore()
{
    for (const char* type : {"mistral", "gemma2", "gpt2"}) {
        QCOMPARE(writeModel(smallModel(type), folder(type)), std::string());
        const auto model = openModel(folder(type));
        QVERIFY(model);
        const std::vector<int> ids = someIds(24, model->architecture.vocabulary);
        Policy policy;
        policy.method = {"row_log", {}, {}};
        const auto resolved = resolve(policy, model->architecture, 24);
        QVERIFY(resolved);
        const auto whole = Sequence(*model, *resolved, {}).append(ids);
        QVERIFY(whole);
        Sequence sequence(*model, *resolved, {.remember = true, .observe = {}, .progress = {}, .stop = {}});
        Index row = 0;
        for (const int count : {10, 1, 13}) {
            const auto part =
                sequence.append(std::span(ids).subspan(static_cast<std::size_t>(row), static_cast<std::size_t>(count)));
            QVERIFY(part);
            QVERIFY((*part - whole->middleRows(row, count)).cwiseAbs().maxCoeff() < 1e-4f);
            row += count;
        }
        QVERIFY(!sequence.append(std::span(ids).first(1)));  // beyond what the policy was resolved for
    }
}

void TestForward::capturedPolicyLeavesTheModelAlone()
{
    QCOMPARE(writeModel(smallModel("llama"), folder("llama")), std::string());
    const auto model = openModel(folder("llama"));
    QVERIFY(model);
    const std::vector<int> ids = someIds(65, model->architecture.vocabulary);
    const auto window = windowOf(model->architecture, ids, 0, 64);
    QVERIFY(window);
    Policy sharp;
    sharp.method = {"custom", {}, "3"};
    const auto plain = runWindow(
        *model, *window,
        {.policy = {}, .pictures = {{}}, .last = 0, .engine = "reference", .observe = {}, .progress = {}, .stop = {}});
    const auto captured = runWindow(*model, *window,
                                    {.policy = {},
                                     .pictures = {{}, sharp},
                                     .last = 0,
                                     .engine = "reference",
                                     .observe = {},
                                     .progress = {},
                                     .stop = {}});
    const auto inForce = runWindow(*model, *window,
                                   {.policy = sharp,
                                    .pictures = {sharp},
                                    .last = 0,
                                    .engine = "reference",
                                    .observe = {},
                                    .progress = {},
                                    .stop = {}});
    QVERIFY(plain && captured && inForce);
    QCOMPARE(qualityOf(std::span(&*captured, 1), 1).loss, qualityOf(std::span(&*plain, 1), 0).loss);
    QCOMPARE(captured->entropies[0], plain->entropies[0]);
    QVERIFY(std::abs(qualityOf(std::span(&*inForce, 1), 0).loss - qualityOf(std::span(&*plain, 1), 0).loss) > 1e-3);
    // the first layer's queries and keys are the same in both, so its entropies are; a deeper layer sees changed inputs
    QCOMPARE(captured->entropies[1].front(), inForce->entropies[0].front());
    QVERIFY(captured->entropies[1].back() != inForce->entropies[0].back());
    QVERIFY(qualityOf(std::span(&*captured, 1), 1).entropy < qualityOf(std::span(&*plain, 1), 0).entropy - 0.1);
}

void TestForward::stopsAndReports()
{
    QCOMPARE(writeModel(smallModel("llama"), folder("llama")), std::string());
    const auto model = openModel(folder("llama"));
    QVERIFY(model);
    const std::vector<int> ids = someIds(32, model->architecture.vocabulary);
    const auto resolved = resolve({}, model->architecture, 32);
    std::stop_source source;
    std::vector<double> fractions;
    Sequence sequence(*model, *resolved,
                      {.remember = false,
                       .observe = {},
                       .progress =
                           [&](double fraction) {
                               fractions.push_back(fraction);
                               if (fractions.size() == 2)
                                   source.request_stop();
                           },
                       .stop = source.get_token()});
    const auto stopped = sequence.append(ids);
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QCOMPARE(fractions.size(), 2U);
    QCOMPARE(fractions[1], 2.0 / 3);

    std::vector<int> wrong = ids;
    wrong[5] = model->architecture.vocabulary;
    const auto beyond = Sequence(*model, *resolved, {}).append(wrong);
    QVERIFY(!beyond && beyond.error().message.find("vocabulary") != std::string::npos);
    const auto tooMany = Sequence(*model, *resolved, {}).append(someIds(33, 61));
    QVERIFY(!tooMany);
    Policy undefined;
    undefined.method = {"entropy_measured", {}, {}};
    QCOMPARE(resolve(undefined, model->architecture, 32).error().kind, ErrorKind::Undefined);
    Policy noLayer;
    noLayer.layers = {3};
    QCOMPARE(resolve(noLayer, model->architecture, 32).error().kind, ErrorKind::InvalidArgument);
}

void TestForward::windowsOfAText()
{
    Architecture a;
    const std::vector<int> ids = someIds(100, 1000);
    const auto bare = windowOf(a, ids, 10, 20);
    QVERIFY(bare);
    QCOMPARE(bare->inputs, std::vector<int>(ids.begin() + 10, ids.begin() + 30));
    QCOMPARE(bare->targets, std::vector<int>(ids.begin() + 11, ids.begin() + 31));
    QVERIFY(windowOf(a, ids, 79, 20));
    QVERIFY(!windowOf(a, ids, 80, 20));
    a.beginToken = 7;
    const auto begun = windowOf(a, ids, 80, 20);
    QVERIFY(begun);
    QCOMPARE(begun->inputs.front(), 7);
    QCOMPARE(begun->inputs.back(), ids[98]);
    QCOMPARE(begun->targets.back(), ids[99]);
    QCOMPARE(*spreadWindows(a, ids, 20, 4), (std::vector<std::int64_t>{0, 26, 53, 80}));
    QCOMPARE(*spreadWindows(a, ids, 60, 4), (std::vector<std::int64_t>{0}));
    QVERIFY(!spreadWindows(a, ids, 101, 4));
    QCOMPARE(countedOf(a, 2048, 128), 128);
    QCOMPARE(countedOf(a, 100, 128), 50);
    QCOMPARE(countedOf(a, 1, 128), 1);
    QCOMPARE(countedOf(a, 100, 0), 100);
}

void TestForward::architecturesMatchIndependentNumbers()
{
    const nlohmann::json expected = sharedJson("/reference/expected_architectures.json");
    if (expected.is_null())
        QSKIP("the reference numbers are not beside this checkout");
    for (const auto& [name, numbers] : expected["models"].items()) {
        const auto model = openModel(shared + "/data/models/" + name);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const std::vector<int> ids = numbers["ids"];
        const auto got = logits(*model, ids);
        QCOMPARE(got.size(), ids.size());
        for (std::size_t w = 0; w < got.back().size(); ++w)
            QVERIFY2(std::abs(static_cast<double>(got.back()[w]) - numbers["last_logits"][w].get<double>()) < 1e-4,
                     name.c_str());
        for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
            const double loss = plainLoss({got[t].begin(), got[t].end()}, ids[t + 1]);
            QVERIFY2(std::abs(-loss - numbers["log_probability_of_next"][t].get<double>()) < 1e-4, name.c_str());
        }
    }
}

void TestForward::storiesMatchIndependentNumbers()
{
    const nlohmann::json expected = sharedJson("/reference/expected_lm.json");
    if (expected.is_null())
        QSKIP("the reference numbers are not beside this checkout");
    const auto model = openModel(shared + "/data/models/stories260K");
    QVERIFY2(model && model->tokenizer, model ? model->withoutTokenizer.c_str() : model.error().message.c_str());
    std::string text = *readText(shared + "/data/text/tinystories_sample.txt", 1 << 24);
    for (std::size_t at = text.find("\n\n"); at != text.npos; at = text.find("\n\n", at + 1))
        text.erase(at, 1);
    const auto ids = model->tokenizer->encode(text);
    QVERIFY(ids);
    QCOMPARE(ids->size(), 99478U);
    QCOMPARE(model->tokenizer->decode(*ids), text);
    for (const nlohmann::json& row : expected["rows"]) {
        const std::int64_t n = row["n"];
        std::string positions = row["positions"];
        const auto method = parseChoice(row["method"].get<std::string>(), scaleMethods(), "scale method");
        QVERIFY2(method, method ? "" : method.error().message.c_str());
        Policy policy;
        policy.method = *method;
        if (positions.starts_with("window")) {
            policy.mask = *parseChoice(positions, masks(), "mask");
            policy.method = countingHiddenKeys(*method);
        } else if (positions != "rope") {
            policy.position =
                *parseChoice(positions == "yarn" ? "yarn_rope" : positions, attnscope::positions(), "position");
        }
        for (std::size_t w = 0; w < row["windows"].size(); ++w) {
            const auto window = windowOf(model->architecture, *ids, 4096 * row["windows"][w].get<std::int64_t>(), n);
            QVERIFY(window);
            const auto result =
                runWindow(*model, *window,
                          {.policy = policy, .pictures = {}, .last = 128, .observe = {}, .progress = {}, .stop = {}});
            QVERIFY2(result, result ? "" : result.error().message.c_str());
            double loss = 0;
            for (const Prediction& prediction : result->predictions)
                loss += prediction.loss / static_cast<double>(result->predictions.size());
            QVERIFY2(std::abs(loss - row["nll_last"][w].get<double>()) < 2e-3,
                     (row.dump() + " " + std::to_string(loss)).c_str());
        }
    }
}

void TestForward::storiesContinueAsPublished()
{
    const auto model = openModel(shared + "/data/models/stories260K");
    if (!model)
        QSKIP("the model is not beside this checkout");
    const auto tokens = continueText(*model, {}, std::vector{*model->architecture.beginToken}, {.count = 80}, {}, {});
    QVERIFY(tokens);
    const std::string text = model->tokenizer->decode(*tokens);
    const std::string published =
        "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw "
        "a big, red ball. She wanted to play with it, but it was too high";
    QVERIFY2(text.starts_with(published), text.c_str());
}

/// Of 200 draws p (1 - p) / 200 is the variance of a token's share; five of its roots are one in a million. Against the
/// plain forward pass.
void TestForward::drawnTokensHaveTheModelsProbabilities()
{
    QTemporaryDir folder;
    const SmallModel small = smallModel("llama");
    QCOMPARE(writeModel(small, folder.path().toStdString()), std::string());
    const auto model = openModel(folder.path().toStdString());
    QVERIFY(model);
    const std::vector<int> prompt{1, 7, 30};
    constexpr int draws = 200;
    for (const double temperature : {1.0, 0.25}) {
        std::vector<double> expected = plainLogits(small, prompt).back();
        const double largest = *std::max_element(expected.begin(), expected.end());
        double sum = 0;
        for (double& logit : expected)
            sum += logit = std::exp((logit - largest) / temperature);
        std::vector<double> share(expected.size(), 0);
        for (int seed = 0; seed < draws; ++seed) {
            const auto tokens = continueText(
                *model, {}, prompt, {.count = 1, .temperature = temperature, .seed = static_cast<std::uint64_t>(seed)},
                {}, {});
            QVERIFY(tokens);
            share[static_cast<std::size_t>(tokens->front())] += 1.0 / draws;
        }
        for (std::size_t token = 0; token < share.size(); ++token) {
            const double p = expected[token] / sum;
            QVERIFY2(std::abs(share[token] - p) < 5 * std::sqrt(p * (1 - p) / draws) + 2.0 / draws,
                     qPrintable(QString("token %1: %2, expected %3").arg(token).arg(share[token]).arg(p)));
        }
    }
    const auto twice = continueText(*model, {}, prompt, {.count = 8, .temperature = 1, .seed = 3}, {}, {}),
               again = continueText(*model, {}, prompt, {.count = 8, .temperature = 1, .seed = 3}, {}, {});
    QCOMPARE(*twice, *again);
    QVERIFY(!continueText(*model, {}, prompt, {.count = 1, .temperature = -1}, {}, {}));
}

QTEST_APPLESS_MAIN(TestForward)
#include "test_forward.moc"
