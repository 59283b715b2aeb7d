// The mean over heads that do not see the same keys: everything is joined by key, and pixels of the largest weight are
// the largest of the mean.

#include "small_scenario.h"

#include "core/tensor/tensor_writer.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attnscope;

namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

/// Two heads of finished logits.
Scenario scenarioOf(const QTemporaryDir& folder, std::int64_t queries, std::int64_t keys,
                    const std::vector<float>& logits)
{
    Scenario scenario = small("tensors");
    scenario.tensors.path = folder.filePath(QStringLiteral("scores.safetensors")).toStdString();
    scenario.tensors.mean = {0, 1};
    scenario.n = keys;
    scenario.methods = {{"vanilla", {}, {}}};
    scenario.attention.mask.id = "full";
    scenario.view.curveLast = keys;
    const auto saved = writeSafetensors(scenario.tensors.path,
                                        std::vector<TensorView>{tensorView("scores", {2, queries, keys}, logits)});
    if (!saved)
        qFatal("%s", saved.error().message.c_str());
    return scenario;
}

}  // namespace

class TestMeanOfHeads : public QObject {
    Q_OBJECT
private slots:
    void joinsByKey();
    void rowsWithoutWeightsDoNotCount();
    void largestOfTheMean();
};

void TestMeanOfHeads::joinsByKey()
{
    // head 0 sees keys 0, 2, 3 and head 1 keys 1, 2: p = (e^0, -, e^1, e^2) and (-, e^1, e^0, -)
    const QTemporaryDir folder;
    const Analysis analysis = analysed(scenarioOf(folder, 1, 4, {0, masked, 1, 2, masked, 1, 0, masked}));
    const RowDetail& chosen = analysis.methods[0].chosen;
    const double a = 1 + std::exp(1) + std::exp(2), b = 1 + std::exp(1);
    const std::vector<double> weights{0.5 / a, 0.5 * std::exp(1) / b, 0.5 * (std::exp(1) / a + 1 / b),
                                      0.5 * std::exp(2) / a};
    const std::vector<double> logits{0, 1, 0.5, 2};  // the mean over the heads that see the key
    QCOMPARE(chosen.keys, (std::vector<std::int64_t>{0, 1, 2, 3}));
    for (size_t k = 0; k < 4; ++k) {
        QVERIFY2(std::abs(chosen.weights[k] - weights[k]) < 1e-12,
                 qPrintable(QString("key %1: %2").arg(k).arg(chosen.weights[k])));
        QVERIFY(std::abs(chosen.logits[k] - logits[k]) < 1e-12);
        QVERIFY(std::abs(static_cast<double>(analysis.methods[0].map.at(0, static_cast<int>(k))) - weights[k]) < 1e-6);
    }
    QCOMPARE(analysis.methods[0].rows[0].visible, std::int64_t(3));  // of the head that sees most
}

void TestMeanOfHeads::rowsWithoutWeightsDoNotCount()
{
    const QTemporaryDir folder;
    const Analysis analysis = analysed(scenarioOf(folder, 2, 2, {0, 0, 0, 0, masked, masked, 3, 0}));
    const std::vector<RowSummary>& rows = analysis.methods[0].rows;
    QVERIFY(std::abs(rows[0].entropy - std::log(2)) < 1e-12 && rows[0].visible == 2 &&
            std::abs(rows[0].mass - 1) < 1e-12);
    QVERIFY(rows[1].entropy < std::log(2) - 0.1);  // both heads have it
}

void TestMeanOfHeads::largestOfTheMean()
{
    // each head has its own heaviest key, in the same pixel: the mean's largest cell is half of that, not all of it
    constexpr int n = 70;
    std::vector<float> logits(2 * n * n);
    for (size_t head = 0; head < 2; ++head)
        for (size_t row = 0; row < n; ++row)
            for (size_t key = 0; key < n; ++key)
                logits[(head * n + row) * n + key] =
                    (key + head) % 2 == 0 ? 3 * std::sin(static_cast<float>(row + key)) : -20;
    const QTemporaryDir folder;
    Scenario scenario = scenarioOf(folder, n, n, logits);
    const PooledMap cells = analysed([&] {
                                scenario.view.pixels = n;
                                return scenario;
                            }())
                                .methods[0]
                                .map;
    scenario.view.pool = Pool::Max;
    for (const int pixels : {n, 9, 1}) {
        scenario.view.pixels = pixels;
        const PooledMap map = analysed(scenario).methods[0].map;
        QVERIFY(map.pool == Pool::Max && map.exact);
        QCOMPARE(map.rows, pixels);
        std::vector<float> should(static_cast<size_t>(pixels * pixels), 0.0f);
        const auto pixelOf = [&](int cell) {
            int pixel = 0;
            while ((pixel + 1) * n / pixels <= cell)
                ++pixel;
            return pixel;
        };
        for (int row = 0; row < n; ++row)
            for (int key = 0; key < n; ++key) {
                float& pixel = should[static_cast<size_t>(pixelOf(row) * pixels + pixelOf(key))];
                pixel = std::max(pixel, cells.at(row, key));
            }
        for (size_t p = 0; p < should.size(); ++p)
            QVERIFY2(std::abs(map.values[p] - should[p]) < 1e-6f,
                     qPrintable(QString("%1 instead of %2").arg(map.values[p]).arg(should[p])));
    }
}

QTEST_APPLESS_MAIN(TestMeanOfHeads)
#include "test_mean_of_heads.moc"
