// Biases of positions: closed forms against golden.json, learned ones against the network or the table written out, and
// what the engines make of biases of any size.
//
// Tolerance of closed forms: doubles of a few roundings, over the sizes that golden.json has (below 10 nats).

#include "head_fixtures.h"

#include "core/tensor/tensor_writer.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <deque>
#include <limits>

using namespace attnscope;
using namespace attnscope::fixtures;

namespace {

std::shared_ptr<const PositionBias> biasOf(const QString& text, int head = 0, std::int64_t reach = 700)
{
    const Choice choice = choose(positions(), text);
    const Position& row = **findRow(positions(), choice.id, "position");
    const auto bias = row.bias(head, reach, Parameters(row, choice));
    if (!bias)
        qFatal("%s", bias.error().message.c_str());
    return *bias;
}

Error errorOf(const QString& text, int head = 0)
{
    const Choice choice = choose(positions(), text);
    const Position& row = **findRow(positions(), choice.id, "position");
    const auto bias = row.bias(head, 100, Parameters(row, choice));
    return bias ? Error{} : bias.error();
}

/// The state of a module as PyTorch would save it.
struct Saved {
    std::vector<TensorView> tensors;
    std::deque<std::vector<float>> numbers;

    void add(const std::string& name, std::vector<std::int64_t> shape, std::vector<float> values)
    {
        numbers.push_back(std::move(values));
        tensors.push_back(tensorView(name, std::move(shape), numbers.back()));
    }
    void addFire(const std::string& prefix)
    {
        add(prefix + "c", {}, {-0.25f});  // the module takes its absolute value
        add(prefix + "init_L", {}, {64});
        add(prefix + "L_multiplier", {}, {1.5f});
        add(prefix + "mlp.0.weight", {4, 1}, {2, -3, 0, 0.5f});
        add(prefix + "mlp.0.bias", {4}, {-0.5f, 1, 0.75f, 0.25f});
        add(prefix + "mlp.2.weight", {2, 4}, {-1, 2, 0.5f, -4, 1, 1, 1, 1});
        add(prefix + "mlp.2.bias", {2}, {0.125f, -2});
    }
    QString writeTo(const QTemporaryDir& folder) const
    {
        const QString path = folder.filePath(QStringLiteral("bias.safetensors"));
        if (const Result<void> written = writeSafetensors(path.toStdString(), tensors); !written)
            qFatal("%s", written.error().message.c_str());
        return path;
    }
};

/// The network of addFire, unit by unit.
double fireByHand(int head, double u)
{
    const double weight[] = {2, -3, 0, 0.5}, bias[] = {-0.5, 1, 0.75, 0.25},
                 out[2][4] = {{-1, 2, 0.5, -4}, {1, 1, 1, 1}}, last[] = {0.125, -2};
    double sum = last[head];
    for (int h = 0; h < 4; ++h)
        sum += out[head][h] * std::max(0.0, weight[h] * u + bias[h]);
    return sum;
}

}  // namespace

class TestPositionBias : public QObject {
    Q_OBJECT
private slots:
    void closedForms_data();
    void closedForms();
    void addedToTheLogits();
    void fireFromAFile();
    void bucketsFromAFile();
    void filesThatDoNotFit();
    void networkIsItsPieces();
    void biasesOfAnySize_data();
    void biasesOfAnySize();
    void shadersLeaveThemToTheProcessor();
};

void TestPositionBias::closedForms_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<QJsonArray>("places");
    QTest::addColumn<QJsonArray>("values");
    QFile file(TEST_DATA "/golden.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["biases"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("%s", qPrintable(row["position"].toString()))
            << row["position"].toString() << row["places"].toArray() << row["values"].toArray();
    }
}

void TestPositionBias::closedForms()
{
    QFETCH(QString, position);
    QFETCH(QJsonArray, places);
    QFETCH(QJsonArray, values);
    const auto bias = biasOf(position);
    QVERIFY(!places.isEmpty());
    for (qsizetype k = 0; k < places.size(); ++k) {
        const int t = places[k].toArray()[0].toInt(), j = places[k].toArray()[1].toInt();
        const double is = (*bias)(t, j), should = values[k].toDouble();
        // d^1.7 reaches 2000 where others stay below 10
        QVERIFY2(std::abs(is - should) <= 1e-13 * std::max(10.0, std::abs(should)),
                 qPrintable(QString("query %1, key %2: %3, should be %4").arg(t).arg(j).arg(is).arg(should)));
    }
}

/// After scale and soft-cap, by the position of the query among the keys; there are more keys than queries, or fewer.
void TestPositionBias::addedToTheLogits()
{
    for (const auto& [m, n] : {std::pair{12, 40}, std::pair{40, 12}}) {
        AttentionSpec spec = specOf("none");
        spec.softCap = 2;
        const HeadSet heads = randomHeads(m, n, 8);
        const AttentionHead plain = prepare(heads, spec);
        for (const char* position : {"t5", "t5:causal=0", "kerple_log", "kerple_power", "fire:L=8"}) {
            spec.position = choose(positions(), position);
            const AttentionHead biased = prepare(heads, spec);
            const auto bias = biasOf(position);
            for (const std::int64_t row : {0, 5, 11}) {
                const RowDetail a = detail(plain, row, 3), b = detail(biased, row, 3);
                for (size_t j = 0; j < a.logits.size(); ++j)
                    QVERIFY(std::abs(b.logits[j] - a.logits[j] - (*bias)(row + n - m, static_cast<std::int64_t>(j))) <
                            1e-12);
            }
        }
    }
}

void TestPositionBias::fireFromAFile()
{
    const QTemporaryDir folder;
    Saved saved;
    saved.addFire("encoder.layer.3.fire.");
    const QString path = saved.writeTo(folder);
    const auto psi = [](double x) { return std::log(1 + 0.25 * x); };
    for (const int head : {0, 1}) {
        const auto bias = biasOf("fire:" + path, head);
        for (const std::int64_t t : {0, 3, 95, 96, 97, 600})  // L = 1.5 * 64 = 96
            for (std::int64_t j = 0; j <= t; j += 1 + t / 40) {
                const double u = psi(static_cast<double>(t - j)) / psi(std::max(static_cast<double>(t), 96.0));
                QVERIFY(std::abs((*bias)(t, j) - fireByHand(head, u)) < 1e-12);
            }
    }
    QCOMPARE(biasFileOf(choose(positions(), "fire:" + path)), path.toStdString());
    QCOMPARE(biasFileOf(choose(positions(), "fire:drop=2")), std::string());
    QCOMPARE(biasFileOf(choose(positions(), "rope")), std::string());
}

/// 8 buckets to distance 20, two heads; a model of encoder and decoder has a table of each.
void TestPositionBias::bucketsFromAFile()
{
    const QTemporaryDir folder;
    Saved saved;
    for (const float sign : {1.0f, -1.0f}) {
        std::vector<float> table;
        for (int bucket = 0; bucket < 8; ++bucket)
            for (const float head : {0.0f, 100.0f})
                table.push_back(sign * (static_cast<float>(bucket) + head + 1));
        saved.add(std::string(sign > 0 ? "encoder" : "decoder") +
                      ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                  {8, 2}, table);
    }
    const QString path = saved.writeTo(folder);
    // Decoder: buckets begin at 0 1 2 3 4 6 9 14 (4 * 5^(k/4), rounded up); keys ahead are at distance 0.
    const auto decoder = biasOf("t5:buckets=8,longest=20," + path, 1);
    const std::vector<std::pair<int, int>> bucketOf{{-5, 0}, {0, 0}, {1, 1},  {3, 3},  {4, 4},  {5, 4},  {6, 5},
                                                    {8, 5},  {9, 6}, {13, 6}, {14, 7}, {20, 7}, {300, 7}};
    for (const auto& [distance, bucket] : bucketOf)
        QCOMPARE((*decoder)(400, 400 - distance), -(bucket + 101.0));
    // Encoder: four buckets each way, beginning at 0 1 2 7 (2 * 10^(1/2) = 6.3)
    const auto encoder = biasOf("t5:buckets=8,longest=20,causal=0," + path, 0);
    for (const auto& [distance, bucket] : std::vector<std::pair<int, int>>{
             {0, 0}, {1, 1}, {2, 2}, {6, 2}, {7, 3}, {300, 3}, {-1, 5}, {-2, 6}, {-6, 6}, {-7, 7}, {-200, 7}})
        QCOMPARE((*encoder)(400, 400 - distance), bucket + 1.0);
}

void TestPositionBias::filesThatDoNotFit()
{
    const QTemporaryDir folder;
    const auto says = [&](const Saved& saved, const QString& choice, int head = 0) {
        return QString::fromStdString(errorOf(choice + saved.writeTo(folder), head).message);
    };
    QCOMPARE(errorOf("t5:/nonexistent.safetensors").kind, ErrorKind::NotFound);
    Saved fire, two, wrong, nan, zero;
    fire.addFire("");
    QVERIFY(says(fire, "fire:", 2).contains("heads 0 to 1"));
    QVERIFY(says(fire, "t5:").contains("no tensor 'relative_attention_bias.weight'"));
    two.addFire("a.");
    two.addFire("b.");
    QVERIFY(says(two, "fire:").contains("more than one tensor 'mlp.0.weight'"));
    wrong.add("relative_attention_bias.weight", {16, 2}, std::vector<float>(32, 0.0f));
    QVERIFY(says(wrong, "t5:").contains("expected [32, any]"));
    nan.add("relative_attention_bias.weight", {32, 1}, std::vector<float>(32, std::numeric_limits<float>::quiet_NaN()));
    QVERIFY(says(nan, "t5:").contains("NaN"));
    zero.addFire("");
    zero.numbers[0][0] = 0;
    QVERIFY(says(zero, "fire:").contains("must not be 0"));
    // A head that cannot be prepared says so, alone and among others.
    AttentionSpec spec = specOf("t5:/nonexistent.safetensors");
    QCOMPARE(prepareHead(randomHeads(4, 4, 2), 0, spec).error().kind, ErrorKind::NotFound);
    QCOMPARE(prepareHeads(randomHeads(4, 4, 2), spec).error().kind, ErrorKind::NotFound);
}

void TestPositionBias::networkIsItsPieces()
{
    const ReluNetwork network({{2, -0.5, -1}, {-3, 1, 2}, {0, 0.75, 0.5}, {0.5, 0.25, -4}, {0, -1, 100}}, 0.125);
    for (double u = -3; u <= 3; u += 0.01)
        QVERIFY(std::abs(network(u) - fireByHand(0, u)) < 1e-12);
    QVERIFY(ReluNetwork().empty());
    QCOMPARE(ReluNetwork({}, 3)(7), 3.0);
}

void TestPositionBias::biasesOfAnySize_data()
{
    QTest::addColumn<double>("size");
    for (const double size : {0.0, 1.0, -40.0, 40.0, 255.0, 3000.0, -3000.0, 1e6})
        QTest::addRow("%g", size) << size;
}

/// A constant bias changes no weight, however large: float32 tiles must notice when they cannot tell logits apart any
/// more.
void TestPositionBias::biasesOfAnySize()
{
    QFETCH(const double, size);
    const std::int64_t n = 300;
    AttentionHead head = prepare(randomHeads(70, n, 16), specOf("none", "causal"));
    const SummaryRequest request{.passes = {{n, 0, 70, std::vector<double>(70, 3.0)}}};
    const auto should = engines().front().summarise(head, request, {});
    head.bias = std::make_shared<const PositionBias>(n, [&](std::int64_t) { return size; });
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto is = engine.summarise(head, request, {});
        QVERIFY(is.has_value());
        const Matrix values = gaussian(n, 5, Stream::Other);
        Matrix output(70, 5), plain(70, 5);
        const std::vector<double> scale(70, 3.0f);
        QVERIFY(engine.attend(head, {.scale = scale, .values = values, .output = output}, {}).has_value());
        AttentionHead unbiased = prepare(randomHeads(70, n, 16), specOf("none", "causal"));
        QVERIFY(
            engines().front().attend(unbiased, {.scale = scale, .values = values, .output = plain}, {}).has_value());
        const float tolerance = 1e-4f;  // as the table of engines states it; values are below 5
        QVERIFY2((output - plain).cwiseAbs().maxCoeff() < 5 * tolerance, engine.id.c_str());
        for (size_t row = 0; row < 70; ++row) {
            QVERIFY2(std::abs((*is)[0][row].entropy - (*should)[0][row].entropy) < static_cast<double>(tolerance),
                     engine.id.c_str());
            QVERIFY(std::abs((*is)[0][row].top[0] - (*should)[0][row].top[0]) < tolerance);
            QCOMPARE((*is)[0][row].argmax, (*should)[0][row].argmax);
        }
    }
}

void TestPositionBias::shadersLeaveThemToTheProcessor()
{
    const Engine& opengl = **findRow(engines(), "opengl", "engine");
    if (!opengl.unavailable().empty())
        QSKIP("no OpenGL compute here");
    const Choice softmax{"softmax", {}, {}};
    for (const Position& row : positions()) {
        const AttentionHead head = prepare(randomHeads(8, 8, 4), specOf(QString::fromStdString(row.id)));
        QCOMPARE(!whatRuns("opengl", head, softmax).handOver.empty(), row.bias != nullptr);
    }
}

QTEST_GUILESS_MAIN(TestPositionBias)
#include "test_position_bias.moc"
