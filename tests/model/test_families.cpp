// Every family that is run, against numbers computed elsewhere: logits and log-probabilities of small random models.

#include "core/base/text.h"
#include "core/model/evaluation.h"
#include "core/model/families/families.h"
#include "core/model/feed_forward.h"
#include "core/model/prediction.h"
#include "core/model/sequence.h"
#include "tests/model/every_family.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>

using namespace attnscope;

namespace {

const std::string shared = SHARED;

nlohmann::json sharedJson(const std::string& path)
{
    std::ifstream file(shared + path);
    return file ? nlohmann::json::parse(file) : nlohmann::json();
}

nlohmann::json references()
{
    nlohmann::json all = nlohmann::json::object();
    for (const char* path : {"/reference/expected_architectures.json", "/reference/expected_architectures_2.json"})
        if (const nlohmann::json read = sharedJson(path); !read.is_null())
            all.update(read["models"]);
    return all;
}

double logProbability(const std::vector<float>& logits, int token)
{
    const double top = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0;
    for (const float z : logits)
        sum += std::exp(static_cast<double>(z) - top);
    return static_cast<double>(logits[static_cast<std::size_t>(token)]) - top - std::log(sum);
}

/// The logits at these places.
Result<std::vector<std::vector<float>>> logitsAt(const Model& model, const std::vector<int>& ids,
                                                 const std::vector<int>& places)
{
    const ResolvedPolicy policy = TRY(resolve({}, model.architecture, std::ssize(ids)));
    Sequence sequence(model, policy, {});
    const Matrix stream = TRY(sequence.append(ids));
    std::vector<std::vector<float>> all;
    for (const int place : places)
        all.push_back(TRY(logitsOf(model, stream.middleRows(place, 1), {})));
    return all;
}

double largest(const std::vector<double>& numbers)
{
    double most = 0;
    for (const double number : numbers)
        most = std::max(most, std::abs(number));
    return most;
}

double difference(const std::vector<float>& got, const std::vector<double>& expected)
{
    if (got.size() != expected.size())
        return INFINITY;
    double most = 0;
    for (std::size_t w = 0; w < got.size(); ++w)
        most = std::max(most, std::abs(static_cast<double>(got[w]) - expected[w]));
    return most;
}

}  // namespace

class TestFamilies : public QObject {
    Q_OBJECT

private slots:
    void expertsAreChosen_data();
    void expertsAreChosen();
    void modelsMatchIndependentNumbers_data();
    void modelsMatchIndependentNumbers();
    void lossesAreThoseOfNumPy_data();
    void lossesAreThoseOfNumPy();
    void modelsAreThoseOfTransformers_data();
    void modelsAreThoseOfTransformers();
    void aFactorStandsOnWhatALayerHas_data();
    void aFactorStandsOnWhatALayerHas();
    void everyFamilyHasAReference();
    void aChangedConfigIsRefusedOrRun_data();
    void aChangedConfigIsRefusedOrRun();
};

void TestFamilies::expertsAreChosen_data()
{
    QTest::addColumn<int>("score");
    QTest::addColumn<bool>("renormalised");
    QTest::addColumn<int>("groups");
    QTest::addColumn<QList<double>>("weights");  // of experts 0 to 3; 0: not chosen
    using Score = Experts::Score;
    // router numbers ln 1, ln 2, ln 4, ln 3; their softmax is .1, .2, .4, .3, their sigmoids 1/2, 2/3, 4/5, 3/4
    QTest::addRow("softmax of all") << int(Score::SoftmaxThenChoose) << false << 1 << QList<double>{0, 0, 0.4, 0.3};
    QTest::addRow("made a sum of 1") << int(Score::SoftmaxThenChoose) << true << 1
                                     << QList<double>{0, 0, 4 / 7.0, 3 / 7.0};
    QTest::addRow("softmax of the chosen")
        << int(Score::ChooseThenSoftmax) << false << 1 << QList<double>{0, 0, 4 / 7.0, 3 / 7.0};
    QTest::addRow("sigmoids") << int(Score::Sigmoid) << false << 1 << QList<double>{0, 0, 0.8, 0.75};
    // of the groups {0, 1} and {2, 3} the second has the better two
    QTest::addRow("sigmoids in groups") << int(Score::Sigmoid) << false << 2 << QList<double>{0, 0, 0.8, 0.75};
}

void TestFamilies::expertsAreChosen()
{
    QFETCH(int, score);
    QFETCH(bool, renormalised);
    QFETCH(int, groups);
    QFETCH(QList<double>, weights);
    const Experts experts{.count = 4,
                          .chosen = 2,
                          .score = static_cast<Experts::Score>(score),
                          .renormalised = renormalised,
                          .factor = 2,
                          .groups = groups,
                          .chosenGroups = 1};
    const std::vector<float> routed{0, std::log(2.0f), std::log(4.0f), std::log(3.0f)};
    std::vector<double> got(4, 0);
    for (const auto& [expert, weight] : chosenExperts(experts, routed, {}))
        got[static_cast<std::size_t>(expert)] = static_cast<double>(weight);
    for (int e = 0; e < 4; ++e)
        QVERIFY(std::abs(got[static_cast<std::size_t>(e)] - 2 * weights[e]) < 1e-6);
    // a correction moves the choice, not the weights
    const std::vector<float> correction{10, 0, 0, 0};
    const auto moved = chosenExperts(experts, routed, correction);
    QCOMPARE(moved.front().first, 0);
    if (experts.score == Experts::Score::Sigmoid)
        QVERIFY(std::abs(static_cast<double>(moved.front().second) - 2 * 0.5) < 1e-6);
}

void TestFamilies::modelsMatchIndependentNumbers_data()
{
    QTest::addColumn<QString>("name");
    const nlohmann::json all = references();
    for (const auto& [name, numbers] : all.items())
        QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    if (all.empty())
        QTest::addRow("none") << QString();
}

void TestFamilies::modelsMatchIndependentNumbers()
{
    QFETCH(QString, name);
    if (name.isEmpty())
        QSKIP("the reference numbers are not beside this checkout");
    const nlohmann::json numbers = references()[name.toStdString()];
    const auto model = openModel(shared + "/data/models/" + name.toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY2(model->unknownFields.empty(), joined(model->unknownFields, ", ").c_str());
    QVERIFY2(model->unreadTensors.empty(), joined(model->unreadTensors, ", ").c_str());
    // float32 against float64: 1e-4 of the largest logit
    const auto check = [&](const nlohmann::json& of) {
        std::vector<int> ids = numbers["ids"];
        if (of.contains("n"))  // the first of them
            ids.resize(of["n"].get<std::size_t>());
        std::vector<int> all(ids.size());
        for (std::size_t t = 0; t < ids.size(); ++t)
            all[t] = static_cast<int>(t);
        const auto got = logitsAt(*model, ids, all);
        QVERIFY2(got, got ? "" : got.error().message.c_str());
        double scale = 1;
        if (of.contains("last_logits")) {
            const std::vector<double> last = of["last_logits"];
            scale = std::max(scale, largest(last));
            QVERIFY2(difference(got->back(), last) < 1e-4 * scale,
                     qPrintable(QString::number(difference(got->back(), last))));
        }
        if (of.contains("places"))
            for (std::size_t p = 0; p < of["places"].size(); ++p) {
                const std::vector<double> expected = of["logits_at_places"][p];
                const double off = difference((*got)[of["places"][p].get<std::size_t>()], expected);
                QVERIFY2(off < 1e-4 * std::max(1.0, largest(expected)), qPrintable(QString::number(off)));
            }
        if (of.contains("log_probability_of_next"))
            for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
                const double expected = of["log_probability_of_next"][t].get<double>(),
                             off = std::abs(logProbability((*got)[t], ids[t + 1]) - expected);
                QVERIFY2(off < 1e-4 * std::max(scale, std::abs(expected)), qPrintable(QString::number(off)));
            }
        if (of.contains("masked_places")) {
            QCOMPARE(*model->architecture.maskToken, of["mask_token"].get<int>());
            for (std::size_t m = 0; m < of["masked_places"].size(); ++m) {
                const double expected = of["log_probability_of_masked"][m].get<double>(),
                             off = std::abs(logProbability((*got)[of["masked_places"][m].get<std::size_t>()],
                                                           of["masked_ids"][m].get<int>()) -
                                            expected);
                QVERIFY2(off < 1e-4 * std::abs(expected), qPrintable(QString::number(off)));
            }
        }
    };
    check(numbers);
    if (numbers.contains("more"))
        for (const nlohmann::json& more : numbers["more"])
            check(more);
}

void TestFamilies::lossesAreThoseOfNumPy_data()
{
    QTest::addColumn<QString>("type");
    for (const char* type : {"mpt", "deepseek_v2"})
        QTest::addRow("%s", type) << type;
}

/// forward.json, which forward.py has computed of the same models.
void TestFamilies::lossesAreThoseOfNumPy()
{
    QFETCH(QString, type);
    QTemporaryDir folder;
    const auto small = writeFamily(type.toStdString(), folder.path().toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    std::ifstream file(TEST_DATA "/forward.json");
    const nlohmann::json expected = nlohmann::json::parse(file);
    const std::vector<int> ids = expected["ids"];
    std::vector<int> all(ids.size());
    std::iota(all.begin(), all.end(), 0);
    const auto got = logitsAt(*openModel(folder.path().toStdString()), ids, all);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    const auto& losses = expected["losses"][type.toStdString()];
    QCOMPARE(losses.size(), ids.size() - 1);
    for (std::size_t t = 0; t < losses.size(); ++t) {
        const double off = -logProbability((*got)[t], ids[t + 1]) - losses[t].get<double>();
        QVERIFY2(std::abs(off) < 1e-4, qPrintable(QString("place %1: %2").arg(t).arg(off)));
    }
}

void TestFamilies::modelsAreThoseOfTransformers_data()
{
    QTest::addColumn<QString>("name");
    const nlohmann::json all = ofTransformers();
    for (const auto& [name, entry] : all["models"].items())
        QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

/// transformers.json, which transformers_losses.py has made: a config as that library writes it, its tensors' names and
/// shapes, and in double precision the loss of every token and the mean entropy of every head's rows.
void TestFamilies::modelsAreThoseOfTransformers()
{
    QFETCH(QString, name);
    const nlohmann::json all = ofTransformers(), entry = all["models"][name.toStdString()];
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    QCOMPARE(writeModel(modelOfTransformers(entry), path), std::string());
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY2(model->unknownFields.empty(), joined(model->unknownFields, ", ").c_str());
    QVERIFY2(model->unreadTensors.empty(), joined(model->unreadTensors, ", ").c_str());

    const std::vector<int> ids = all["ids"];
    const std::vector<double> losses = entry["losses"];
    const bool causal = losses.size() < ids.size();
    QCOMPARE(losses.size(), ids.size() - (causal ? 1 : 0));
    QCOMPARE(model->architecture.causal, causal);
    Window window{.inputs = ids, .targets = ids};
    if (causal) {
        std::rotate(window.targets.begin(), window.targets.begin() + 1, window.targets.end());
        window.targets.back() = -1;
    }
    WindowRequest request;
    request.pictures = {Policy{}};
    request.everyPrediction = true;
    const auto result = runWindow(*model, window, request);
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    for (std::size_t t = 0; t < losses.size(); ++t)
        QVERIFY2(std::abs(result->predictions[t].loss - losses[t]) < 1e-4,
                 qPrintable(QString("loss %1: %2 for %3").arg(t).arg(result->predictions[t].loss).arg(losses[t])));
    const HeadValues entropies = entry["entropies"];
    QCOMPARE(entropies.size(), result->entropies[0].size());
    for (std::size_t layer = 0; layer < entropies.size(); ++layer) {
        QCOMPARE(entropies[layer].size(), result->entropies[0][layer].size());
        for (std::size_t head = 0; head < entropies[layer].size(); ++head) {
            const double is = result->entropies[0][layer][head], should = entropies[layer][head];
            QVERIFY2(std::abs(is - should) < 1e-4,
                     qPrintable(QString("entropy %1.%2: %3 for %4").arg(layer).arg(head).arg(is).arg(should)));
        }
    }
}

/// No family without numbers of another program.
void TestFamilies::everyFamilyHasAReference()
{
    std::set<std::string> seen;
    for (const auto& [name, entry] : ofTransformers()["models"].items())
        seen.insert(entry["config"]["model_type"].get<std::string>());
    for (const Family& family : families())
        QVERIFY2(seen.contains(std::string(family.id)), std::string(family.id).c_str());
}

void TestFamilies::aFactorStandsOnWhatALayerHas_data()
{
    QTest::addColumn<QString>("type");
    for (const Family& family : families())
        QTest::addRow("%s", std::string(family.id).c_str()) << QString::fromStdString(std::string(family.id));
}

/// Vanilla's factor multiplies all of a layer's own factors, row by row, as a lower temperature does; any other method
/// takes the place of the layer's own temperature.
void TestFamilies::aFactorStandsOnWhatALayerHas()
{
    QFETCH(QString, type);
    QTemporaryDir folder;
    const auto small = writeFamily(type.toStdString(), folder.path().toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    const auto model = openModel(folder.path().toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto scales = [&](const Policy& policy) {
        std::vector<std::vector<std::vector<double>>> all;
        const ResolvedPolicy resolved = resolve(policy, model->architecture, 24).value();
        for (const auto& layer : resolved.layers)
            all.push_back(layer->scales);
        return all;
    };
    Policy factor, warmer;
    factor.method.values["alpha"] = 1.25;
    warmer.temperature = 0.8;
    const auto own = scales({}), found = scales(factor), expected = scales(warmer);
    QCOMPARE(found.size(), own.size());
    for (std::size_t layer = 0; layer < own.size(); ++layer)
        for (std::size_t head = 0; head < own[layer].size(); ++head)
            for (std::size_t row = 0; row < own[layer][head].size(); ++row) {
                QVERIFY(own[layer][head][row] != 0);
                QVERIFY(std::abs(found[layer][head][row] / own[layer][head][row] - 1.25) < 1e-12);
                QVERIFY(std::abs(found[layer][head][row] / expected[layer][head][row] - 1) < 1e-12);
            }
}

void TestFamilies::aChangedConfigIsRefusedOrRun_data()
{
    QTest::addColumn<QString>("type");
    for (const Family& family : families())
        QTest::addRow("%s", std::string(family.id).c_str()) << QString::fromStdString(std::string(family.id));
}

/// A config that does not go with its weights: every number larger, smaller and gone, every flag turned. What is opened
/// all the same runs within its tensors (the address sanitiser and Eigen's assertions look on) or says why not.
void TestFamilies::aChangedConfigIsRefusedOrRun()
{
    QFETCH(QString, type);
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto small = writeFamily(type.toStdString(), path);
    QVERIFY2(small, small ? "" : small.error().c_str());
    int tried = 0, run = 0;
    const auto tryConfig = [&](const nlohmann::json& config) {
        std::ofstream(path + "/config.json") << config;
        ++tried;
        const auto model = openModel(path);
        if (!model) {
            QVERIFY(!model.error().message.empty());
            return;
        }
        const std::vector<int> ids{1, 5, 3, 2, 7};
        if (model->head.outputs() == 0) {  // an encoder that says no tokens
            const auto policy = resolve({}, model->architecture, std::ssize(ids));
            const auto stream = policy ? Sequence(*model, *policy, {}).append(ids) : tl::unexpected(policy.error());
            QVERIFY2(stream ? stream->allFinite() : !stream.error().message.empty(), config.dump().c_str());
            run += stream.has_value();
            return;
        }
        const auto made = logitsAt(*model, ids, {4});
        QVERIFY2(made ? !made->front().empty() : !made.error().message.empty(), config.dump().c_str());
        run += made.has_value();
    };
    const nlohmann::json flat = small->config.flatten();  // nested ones and those in lists too
    for (const auto& [key, value] : flat.items()) {
        std::vector<nlohmann::json> others{nullptr};
        if (value.is_boolean())
            others.emplace_back(!value.get<bool>());
        else if (value.is_number_integer())
            for (const auto number = value.get<std::int64_t>();
                 const std::int64_t other :
                 {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, number / 2, number - 1, number + 1, 2 * number})
                others.emplace_back(other);
        else if (value.is_number())
            for (const double factor : {-1.0, 0.0, 0.5, 2.0, 1e30})
                others.emplace_back(factor * value.get<double>());
        for (const nlohmann::json& other : others) {
            nlohmann::json changed = flat;
            changed[key] = other;
            tryConfig(changed.unflatten());
        }
    }
    for (const char* absent : {"head_dim", "num_key_value_heads", "intermediate_size", "max_position_embeddings"})
        for (const int number : {1, 2, 3, 8, 48}) {
            nlohmann::json changed = small->config;
            changed[absent] = number;
            tryConfig(changed);
        }
    QVERIFY(tried > 40 && run > 0 && run < tried);
}

QTEST_APPLESS_MAIN(TestFamilies)
#include "test_families.moc"
