// A network that packs, with gradients: those of its decoder and of the whole network against central differences,
// probabilities that are ones, packings drawn as often as they say, and the same bits on any number of threads.

#include "core/networks/packing_decoder.h"
#include "core/networks/packing_network.h"
#include "tests/learn/gradient_check.h"

#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace attnscope;
using namespace attnscope::learn;

namespace {

constexpr Index width = 8, heads = 2, hidden = 5;
constexpr int turns = boxTurns.size();

/// Boxes whose sides are all unlike.
std::vector<PackingInstance> instancesOf(Index count, int boxes)
{
    std::vector<PackingInstance> all;
    for (int i = 0; i < count; ++i) {
        PackingInstance& one = all.emplace_back();
        for (int box = 0; box < boxes; ++box)
            one.boxes.push_back(
                {10 + (7 * i + 11 * box) % 40, 12 + (5 * i + 17 * box) % 37, 9 + (3 * i + 13 * box) % 41});
    }
    return all;
}

/// Every order of the boxes with every turn of each; where they stand is not said.
std::vector<Packing> allPackings(int boxes)
{
    std::vector<int> order(static_cast<std::size_t>(boxes));
    std::iota(order.begin(), order.end(), 0);
    int ways = 1;
    for (int i = 0; i < boxes; ++i)
        ways *= turns;
    std::vector<Packing> all;
    do
        for (int way = 0; way < ways; ++way) {
            Packing packing;
            for (int i = 0, left = way; i < boxes; ++i, left /= turns)
                packing.push_back({order[static_cast<std::size_t>(i)], left % turns, {}, {}});
            all.push_back(packing);
        }
    while (std::next_permutation(order.begin(), order.end()));
    return all;
}

/// Two packings of each instance.
std::vector<std::vector<Packing>> somePackings(Index instances, int boxes)
{
    const std::vector<Packing> all = allPackings(boxes);
    std::vector<std::vector<Packing>> some;
    for (Index i = 0; i < instances; ++i)
        some.push_back(
            {all[static_cast<std::size_t>(7 * i + 1)], all[all.size() - 1 - static_cast<std::size_t>(5 * i)]});
    return some;
}

void unlikeWeights(Index instance, std::span<const Packing> packings, std::span<float> weights)
{
    for (std::size_t k = 0; k < packings.size(); ++k)
        weights[k] = 0.5f + 0.25f * static_cast<float>(instance) - 0.75f * static_cast<float>(k);
}

void noWeights(Index, std::span<const Packing>, std::span<float> weights) { std::ranges::fill(weights, 0.0f); }

/// Biases of 20 and -20: more than what comes to them, so that no difference meets a relu's kink, and half of the units
/// are alive.
Matrix farFromKinks(Index rows, Index columns)
{
    Matrix biases(rows, columns);
    for (Index i = 0; i < biases.size(); ++i)
        biases.data()[i] = i % 2 == 0 ? 20.0f : -20.0f;
    return biases;
}

/// The loss of these packings.
DrawnSolutions<Packing> lossOf(Tape& tape, const PackingQueries& queries, const std::vector<PackingInstance>& instances,
                               const std::vector<std::vector<Packing>>& packings, const WeighSolutions<Packing>& weigh)
{
    return packingLoss(tape, queries, instances, {.solutions = std::ssize(packings.front()), .given = packings}, weigh);
}

PackingShape smallShape()
{
    return {.encoder = {.layers = 1, .width = width, .inner = 6, .heads = heads}, .hidden = hidden};
}

}  // namespace

class TestPackingNetwork : public QObject {
    Q_OBJECT
private slots:
    void gradientsOfTheDecoder();
    void gradientsOfTheNetwork();
    void probabilitiesAddUp();
    void packingsAreDrawnAsOftenAsTheySay();
    void threadsGiveTheSameBits();
};

void TestPackingNetwork::gradientsOfTheDecoder()
{
    constexpr Index instances = 3, boxes = 4, rows = instances * boxes;
    Operation operation{{sines(rows, width, 1, 1), sines(rows, width, 2, 1), sines(rows, width, 3, 1),
                         sines(instances, width, 4, 1), sines(rows, width, 5, 1), sines(width, stateFeatures, 6, 0.3),
                         sines(hidden, turnFeatures, 7, 0.5), farFromKinks(1, hidden), sines(hidden, width, 9, 0.3),
                         sines(1, hidden, 10, 1)},
                        {}};
    operation.make = [packings = somePackings(instances, boxes),
                      all = instancesOf(instances, boxes)](Tape& t, const std::vector<Var>& v) {
        const PackingQueries queries{.keys = v[0],
                                     .values = v[1],
                                     .pointers = v[2],
                                     .fixed = v[3],
                                     .remaining = v[4],
                                     .state = v[5],
                                     .up = v[6],
                                     .bias = v[7],
                                     .context = v[8],
                                     .down = v[9],
                                     .heads = heads};
        return lossOf(t, queries, all, packings, unlikeWeights).loss;
    };
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// Every weight of the whole network, some of its elements.
void TestPackingNetwork::gradientsOfTheNetwork()
{
    const std::vector<PackingInstance> instances = instancesOf(2, 4);
    const auto packings = somePackings(2, 4);
    PackingNetwork network(smallShape(), 3);
    for (Weight* weight : network.weights())
        if (weight->name.ends_with("2.module.0.bias") || weight->name == "turn.up.bias")
            weight->value = farFromKinks(1, weight->value.cols());
    const auto loss = [&](bool backward) {
        Tape tape;
        const DrawnSolutions<Packing> made = lossOf(tape, network(tape, instances), instances, packings, unlikeWeights);
        if (backward)
            tape.backward(made.loss);
        double sum = 0;
        for (std::size_t i = 0; i < packings.size(); ++i)
            for (std::size_t k = 0; k < 2; ++k)
                sum +=
                    (0.5 + 0.25 * static_cast<double>(i) - 0.75 * static_cast<double>(k)) * made.logProbabilities[i][k];
        return sum;
    };
    int moved = 0;
    QCOMPARE(disagreement(network.weights(), loss, moved), QString());
    QVERIFY2(moved > 60, qPrintable(QString::number(moved)));
}

/// Over all orders of three boxes and all their turns the probabilities are 1 together.
void TestPackingNetwork::probabilitiesAddUp()
{
    const std::vector<PackingInstance> instances = instancesOf(1, 3);
    const std::vector<std::vector<Packing>> packings{allPackings(3)};
    PackingNetwork network(smallShape(), 2);
    for (Weight* weight : network.weights())
        if (weight->name == "turn.down")
            weight->value *= 20;  // turns far from equally likely
    Tape tape;
    const DrawnSolutions<Packing> made = lossOf(tape, network(tape, instances), instances, packings, noWeights);
    double sum = 0, least = 1, most = 0;
    for (const double logarithm : made.logProbabilities[0]) {
        sum += std::exp(logarithm);
        least = std::min(least, std::exp(logarithm));
        most = std::max(most, std::exp(logarithm));
    }
    QVERIFY2(std::abs(sum - 1) < 1e-5, std::to_string(sum).c_str());
    QVERIFY(most > 1.5 * least);
}

/// Pearson's chi-squared of 20 000 drawn packings of two boxes, 71 degrees of freedom: above 128 once in 20 000 seeds.
void TestPackingNetwork::packingsAreDrawnAsOftenAsTheySay()
{
    constexpr Index draws = 20000;
    const std::vector<PackingInstance> instances = instancesOf(1, 2);
    PackingNetwork network(smallShape(), 2);
    Tape tape;
    const DrawnSolutions<Packing> drawn =
        packingLoss(tape, network(tape, instances), instances, {.solutions = draws, .seed = 4, .step = 7}, noWeights);
    const auto keyOf = [](const Packing& packing) {
        std::vector<std::pair<int, int>> key;
        for (const PlacedBox& placed : packing)
            key.emplace_back(placed.box, placed.turn);
        return key;
    };
    std::map<std::vector<std::pair<int, int>>, int> counts;
    for (const Packing& packing : drawn.solutions[0])
        ++counts[keyOf(packing)];
    const std::vector<std::vector<Packing>> packings{allPackings(2)};
    tape.clear();
    const DrawnSolutions<Packing> every = lossOf(tape, network(tape, instances), instances, packings, noWeights);
    double chi = 0;
    for (std::size_t i = 0; i < packings[0].size(); ++i) {
        const double expected = static_cast<double>(draws) * std::exp(every.logProbabilities[0][i]),
                     found = counts[keyOf(packings[0][i])];
        chi += (found - expected) * (found - expected) / expected;
    }
    QVERIFY2(chi < 128, std::to_string(chi).c_str());
}

void TestPackingNetwork::threadsGiveTheSameBits()
{
    const auto run = [](int threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        PackingNetwork network(smallShape(), 2);
        Tape tape;
        const std::vector<PackingInstance> instances = instancesOf(24, 7);
        const DrawnSolutions<Packing> drawn =
            packingLoss(tape, network(tape, instances), instances, {.solutions = 5, .seed = 4}, unlikeWeights);
        tape.backward(drawn.loss);
        std::vector<Matrix> all{tape.value(drawn.loss)};
        for (const Weight* weight : network.weights())
            all.push_back(weight->gradient);
        return std::pair(all, drawn.solutions);
    };
    const auto one = run(1), four = run(4);
    QCOMPARE(one.second, four.second);
    for (std::size_t i = 0; i < one.first.size(); ++i)
        QVERIFY(one.first[i] == four.first[i]);
}

QTEST_GUILESS_MAIN(TestPackingNetwork)
#include "test_packing_network.moc"
