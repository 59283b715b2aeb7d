// A network that packs, with gradients: those of its decoder and of the whole network against central differences,
// probabilities that are ones, packings drawn as often as they say, and the same bits on any number of threads.

#include "gradient_check.h"

#include "core/learn/packing_network.h"

#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace attnscope;
using namespace attnscope::learn;

namespace {

constexpr Index width = 8, heads = 2, stateNumbers = 3, turnNumbers = 4, hidden = 5, turnsOfToy = 2;

/// A bin whose numbers depend on what was put, and in which order.
class ToyGame : public PackingGame {
public:
    explicit ToyGame(Index instance) : m_phase(0.4 * static_cast<double>(instance)) {}

    void describe(std::span<float> state) const override
    {
        for (std::size_t i = 0; i < state.size(); ++i)
            state[i] = static_cast<float>(std::sin(m_phase + static_cast<double>(i)));
    }

    void consider(int box, MatrixView turns) override
    {
        m_box = box;
        for (Index turn = 0; turn < turns.rows(); ++turn)
            for (Index i = 0; i < turns.cols(); ++i)
                turns(turn, i) = static_cast<float>(
                    std::cos(m_phase + 0.9 * box + 1.3 * static_cast<double>(turn) + 0.5 * static_cast<double>(i)));
    }

    void put(int turn) override
    {
        m_phase = 0.8 * m_phase + 0.6 * m_box + 0.35 * turn + 0.2;
        m_path.push_back({m_box, turn});
    }

    const PackingPath& path() const { return m_path; }

private:
    double m_phase;
    int m_box = 0;
    PackingPath m_path;
};

std::unique_ptr<PackingGame> toyGame(Index instance) { return std::make_unique<ToyGame>(instance); }

/// Every order of the boxes with every turn of each.
std::vector<PackingPath> allPaths(int boxes)
{
    std::vector<int> order(static_cast<std::size_t>(boxes));
    std::iota(order.begin(), order.end(), 0);
    std::vector<PackingPath> all;
    do
        for (int turns = 0; turns < 1 << boxes; ++turns) {
            PackingPath path;
            for (int i = 0; i < boxes; ++i)
                path.push_back({order[static_cast<std::size_t>(i)], turns >> i & 1});
            all.push_back(path);
        }
    while (std::next_permutation(order.begin(), order.end()));
    return all;
}

/// Two packings of each instance.
std::vector<std::vector<PackingPath>> somePaths(Index instances, int boxes)
{
    const std::vector<PackingPath> all = allPaths(boxes);
    std::vector<std::vector<PackingPath>> some;
    for (Index i = 0; i < instances; ++i)
        some.push_back(
            {all[static_cast<std::size_t>(7 * i + 1)], all[all.size() - 1 - static_cast<std::size_t>(5 * i)]});
    return some;
}

void unlikeWeights(Index instance, const Games& games, std::span<float> weights)
{
    for (std::size_t k = 0; k < games.size(); ++k)
        weights[k] = 0.5f + 0.25f * static_cast<float>(instance) - 0.75f * static_cast<float>(k);
}

void noWeights(Index, const Games&, std::span<float> weights) { std::ranges::fill(weights, 0.0f); }

/// Biases of 6 and -6: more than what comes to them, so that no difference meets a relu's kink, and half of the units
/// are alive.
Matrix farFromKinks(Index rows, Index columns)
{
    Matrix biases(rows, columns);
    for (Index i = 0; i < biases.size(); ++i)
        biases.data()[i] = i % 2 == 0 ? 6.0f : -6.0f;
    return biases;
}

PackingDraw drawOf(Index instances, Index boxes, const std::vector<std::vector<PackingPath>>& given)
{
    return {.instances = instances,
            .boxes = boxes,
            .packings = std::ssize(given.front()),
            .turns = turnsOfToy,
            .given = given};
}

PackingShape smallShape()
{
    return {.encoder = {.layers = 1, .width = width, .inner = 6, .heads = heads},
            .hidden = hidden,
            .boxFeatures = 3,
            .stateFeatures = stateNumbers,
            .turnFeatures = turnNumbers};
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
                         sines(instances, width, 4, 1), sines(rows, width, 5, 1), sines(width, stateNumbers, 6, 1),
                         sines(hidden, turnNumbers, 7, 0.5), farFromKinks(1, hidden), sines(hidden, width, 9, 0.3),
                         sines(1, hidden, 10, 1)},
                        {}};
    operation.make = [paths = somePaths(instances, boxes)](Tape& t, const std::vector<Var>& v) {
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
        return packingLoss(t, queries, drawOf(instances, boxes, paths), toyGame, unlikeWeights).loss;
    };
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// Every weight of the whole network, some of its elements.
void TestPackingNetwork::gradientsOfTheNetwork()
{
    constexpr Index instances = 2, boxes = 4;
    const Matrix features = sines(instances * boxes, 3, 0.3, 1);
    const auto paths = somePaths(instances, boxes);
    PackingNetwork network(smallShape(), 3);
    for (Weight* weight : network.weights())
        if (weight->name.ends_with("2.module.0.bias") || weight->name == "turn.up.bias")
            weight->value = farFromKinks(1, weight->value.cols());
    const auto loss = [&](bool backward) {
        Tape tape;
        const DrawnSolutions<PackingPath> made = packingLoss(tape, network(tape, features, instances),
                                                             drawOf(instances, boxes, paths), toyGame, unlikeWeights);
        if (backward)
            tape.backward(made.loss);
        double sum = 0;
        for (std::size_t i = 0; i < paths.size(); ++i)
            for (std::size_t k = 0; k < 2; ++k)
                sum +=
                    (0.5 + 0.25 * static_cast<double>(i) - 0.75 * static_cast<double>(k)) * made.logProbabilities[i][k];
        return sum;
    };
    int moved = 0;
    QCOMPARE(disagreement(network.weights(), loss, moved), QString());
    QVERIFY2(moved > 60, qPrintable(QString::number(moved)));
}

/// Over all orders of four boxes and all their turns the probabilities are 1 together.
void TestPackingNetwork::probabilitiesAddUp()
{
    const std::vector<std::vector<PackingPath>> paths{allPaths(4)};
    PackingNetwork network(smallShape(), 2);
    Tape tape;
    const DrawnSolutions<PackingPath> made =
        packingLoss(tape, network(tape, sines(4, 3, 0.3, 1), 1), drawOf(1, 4, paths), toyGame, noWeights);
    double sum = 0, least = 1, most = 0;
    for (const double logarithm : made.logProbabilities[0]) {
        sum += std::exp(logarithm);
        least = std::min(least, std::exp(logarithm));
        most = std::max(most, std::exp(logarithm));
    }
    QVERIFY2(std::abs(sum - 1) < 1e-5, std::to_string(sum).c_str());
    QVERIFY(most > 1.5 * least);
    QCOMPARE(made.paths[0], paths[0]);
}

/// Pearson's chi-squared of 20 000 drawn packings of three boxes, 47 degrees of freedom: above 95 once in 20 000 seeds.
void TestPackingNetwork::packingsAreDrawnAsOftenAsTheySay()
{
    constexpr Index draws = 20000;
    const Matrix features = sines(3, 3, 0.3, 1);
    PackingNetwork network(smallShape(), 2);
    Tape tape;
    bool played = true;
    const auto weigh = [&](Index, const Games& games, std::span<float> weights) {
        std::ranges::fill(weights, 0.0f);
        played = std::ranges::all_of(
            games, [](const auto& game) { return static_cast<const ToyGame&>(*game).path().size() == 3; });
    };
    const DrawnSolutions<PackingPath> drawn = packingLoss(
        tape, network(tape, features, 1),
        {.instances = 1, .boxes = 3, .packings = draws, .turns = turnsOfToy, .seed = 4, .step = 7}, toyGame, weigh);
    QVERIFY(played);
    std::map<std::vector<std::pair<int, int>>, int> counts;
    const auto keyOf = [](const PackingPath& path) {
        std::vector<std::pair<int, int>> key;
        for (const PackingChoice& choice : path)
            key.emplace_back(choice.box, choice.turn);
        return key;
    };
    for (const PackingPath& path : drawn.paths[0])
        ++counts[keyOf(path)];
    const std::vector<std::vector<PackingPath>> paths{allPaths(3)};
    tape.clear();
    const DrawnSolutions<PackingPath> every =
        packingLoss(tape, network(tape, features, 1), drawOf(1, 3, paths), toyGame, noWeights);
    double chi = 0;
    for (std::size_t i = 0; i < paths[0].size(); ++i) {
        const double expected = static_cast<double>(draws) * std::exp(every.logProbabilities[0][i]),
                     found = counts[keyOf(paths[0][i])];
        chi += (found - expected) * (found - expected) / expected;
    }
    QVERIFY2(chi < 95, std::to_string(chi).c_str());
}

void TestPackingNetwork::threadsGiveTheSameBits()
{
    const auto run = [](int threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        PackingNetwork network(smallShape(), 2);
        Tape tape;
        const DrawnSolutions<PackingPath> drawn = packingLoss(
            tape, network(tape, sines(24 * 7, 3, 0.3, 1), 24),
            {.instances = 24, .boxes = 7, .packings = 5, .turns = turnsOfToy, .seed = 4}, toyGame, unlikeWeights);
        tape.backward(drawn.loss);
        std::vector<Matrix> all{tape.value(drawn.loss)};
        for (const Weight* weight : network.weights())
            all.push_back(weight->gradient);
        return std::pair(all, drawn.paths);
    };
    const auto one = run(1), four = run(4);
    QCOMPARE(one.second, four.second);
    for (std::size_t i = 0; i < one.first.size(); ++i)
        QVERIFY(one.first[i] == four.first[i]);
}

QTEST_GUILESS_MAIN(TestPackingNetwork)
#include "test_packing_network.moc"
