// The Attention Model with gradients: those of its pieces and of the whole network against central differences,
// probabilities that are ones, tours drawn as often as they say, and the same bits on any number of threads.

#include "gradient_check.h"

#include "core/learn/routing_network.h"

#include <QtTest>

#include <tbb/global_control.h>

#include <algorithm>
#include <map>
#include <numeric>

using namespace attnscope;
using namespace attnscope::learn;

namespace {

constexpr Index width = 8, heads = 2;

/// `nodes` nodes at places of a spread-out pattern; with a depot demands that fill a vehicle after two or three
/// customers.
RoutingBatch batchWith(Index instances, Index nodes, bool depot)
{
    RoutingBatch batch{.instances = instances, .nodes = nodes, .places = {}, .demands = {}};
    batch.places = (sines(instances * nodes, 2, 0.3, 0.5).array() + 0.5f).matrix();
    for (Index i = 0; depot && i < instances * nodes; ++i)
        batch.demands.push_back(i % nodes == 0 ? 0.0f : 0.3f + 0.05f * static_cast<float>(i % 5));
    return batch;
}

/// Two tours of each instance that it may make; with a depot home after every two customers, and after every one.
std::vector<std::vector<Path>> someTours(const RoutingBatch& batch)
{
    std::vector<std::vector<Path>> all;
    for (Index instance = 0; instance < batch.instances; ++instance) {
        const int first = batch.hasDepot() ? 1 : 0;
        Path order(static_cast<std::size_t>(batch.nodes - first));
        std::iota(order.begin(), order.end(), first);
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(instance) % std::ssize(order),
                    order.end());
        Path back(order.rbegin(), order.rend());
        std::vector<Path> tours;
        for (const auto& [path, between] : {std::pair{order, std::ptrdiff_t{2}}, {back, std::ptrdiff_t{1}}}) {
            Path tour;
            for (std::size_t i = 0; i < path.size(); ++i) {
                if (batch.hasDepot() && i > 0 && static_cast<std::ptrdiff_t>(i) % between == 0)
                    tour.push_back(0);
                tour.push_back(path[i]);
            }
            tours.push_back(tour);
        }
        all.push_back(tours);
    }
    return all;
}

void unlikeWeights(Index instance, std::span<const Path> tours, std::span<float> weights)
{
    for (std::size_t tour = 0; tour < tours.size(); ++tour)
        weights[tour] = 0.5f + 0.25f * static_cast<float>(instance) - 0.75f * static_cast<float>(tour);
}

TourDraw drawGiven(const std::vector<std::vector<Path>>& tours)
{
    return {.tours = std::ssize(tours.front()), .freeStarts = std::ssize(tours.front()), .given = tours};
}

/// The loss of given tours, of what the decoder asks of the nodes: keys, values, pointers, fixed, first, last, start.
Operation tourOperation(bool depot)
{
    const RoutingBatch batch = batchWith(3, 6, depot);
    const Index rows = batch.instances * batch.nodes;
    Operation operation{{sines(rows, width, 1, 1), sines(rows, width, 2, 1), sines(rows, width, 3, 1),
                         sines(3, width, 4, 1), sines(rows, width, 5, 1), sines(rows, width, 6, 1),
                         sines(1, width, 7, 1)},
                        {}};
    operation.make = [batch, tours = someTours(batch)](Tape& t, const std::vector<Var>& v) {
        const TourQueries queries{.keys = v[0],
                                  .values = v[1],
                                  .pointers = v[2],
                                  .fixed = v[3],
                                  .first = v[4],
                                  .last = v[5],
                                  .start = v[6],
                                  .heads = heads};
        return tourLoss(t, queries, batch, drawGiven(tours), unlikeWeights).loss;
    };
    return operation;
}

std::vector<Path> allTours(int cities)
{
    Path tour(static_cast<std::size_t>(cities));
    std::iota(tour.begin(), tour.end(), 0);
    std::vector<Path> all;
    do
        all.push_back(tour);
    while (std::next_permutation(tour.begin(), tour.end()));
    return all;
}

}  // namespace

class TestRoutingNetwork : public QObject {
    Q_OBJECT
private slots:
    void gradients_data();
    void gradients();
    void gradientsOfTheNetwork_data();
    void gradientsOfTheNetwork();
    void probabilitiesAddUp();
    void toursAreDrawnAsOftenAsTheySay();
    void toursStartWhereTheyShould();
    void vehiclesKeepTheirLoads();
    void threadsGiveTheSameBits();
};

void TestRoutingNetwork::gradients_data()
{
    QTest::addColumn<Operation>("operation");
    QTest::addRow("means of sets") << Operation{{sines(6, 4, 1, 1)}, [](Tape& t, const std::vector<Var>& v) {
                                                    return add(t, meanOfSets(t, v[0], 2),
                                                               meanOfSets(t, square(t, v[0]), 2));
                                                }};
    QTest::addRow("tours of cities") << tourOperation(false);
    QTest::addRow("tours of vehicles") << tourOperation(true);
}

void TestRoutingNetwork::gradients()
{
    QFETCH(Operation, operation);
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestRoutingNetwork::gradientsOfTheNetwork_data()
{
    QTest::addColumn<bool>("depot");
    QTest::newRow("cities") << false;
    QTest::newRow("vehicles") << true;
}

/// Every weight of the whole network, some of its elements. What goes into a relu is a normed row times weights below 1
/// / sqrt(8), at most sqrt(8) in size: with biases of 4 and -4 no difference meets a kink, and half of the units are
/// alive.
void TestRoutingNetwork::gradientsOfTheNetwork()
{
    QFETCH(bool, depot);
    const RoutingBatch batch = batchWith(2, 5, depot);
    const auto tours = someTours(batch);
    RoutingNetwork network({.encoder = {.layers = 2, .width = width, .inner = 12, .heads = heads}, .depot = depot}, 3);
    for (Weight* weight : network.weights())
        if (weight->name.ends_with("2.module.0.bias"))
            for (Index i = 0; i < weight->value.size(); ++i)
                weight->value(i) = i % 2 == 0 ? 4.0f : -4.0f;
    const auto loss = [&](bool backward) {
        Tape tape;
        const DrawnSolutions<Path> made = tourLoss(tape, network(tape, batch), batch, drawGiven(tours), unlikeWeights);
        if (backward)
            tape.backward(made.loss);
        double sum = 0;
        for (std::size_t i = 0; i < tours.size(); ++i)
            for (std::size_t k = 0; k < 2; ++k)
                sum +=
                    (0.5 + 0.25 * static_cast<double>(i) - 0.75 * static_cast<double>(k)) * made.logProbabilities[i][k];
        return sum;
    };
    int moved = 0;
    QCOMPARE(disagreement(network.weights(), loss, moved), QString());
    QVERIFY(moved > 60);
}

/// Over all tours of five cities the probabilities that the decoder gives them are 1 together.
void TestRoutingNetwork::probabilitiesAddUp()
{
    const RoutingBatch batch = batchWith(1, 5, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    const std::vector<std::vector<Path>> tours{allTours(5)};
    Tape tape;
    const DrawnSolutions<Path> made =
        tourLoss(tape, network(tape, batch), batch, drawGiven(tours),
                 [](Index, std::span<const Path>, std::span<float> weights) { std::ranges::fill(weights, 0.0f); });
    double sum = 0, least = 1, most = 0;
    for (const double logarithm : made.logProbabilities[0]) {
        sum += std::exp(logarithm);
        least = std::min(least, std::exp(logarithm));
        most = std::max(most, std::exp(logarithm));
    }
    QVERIFY2(std::abs(sum - 1) < 1e-5, std::to_string(sum).c_str());
    QVERIFY(most > 1.5 * least);
}

/// Pearson's chi-squared of 20 000 drawn tours of four cities, 23 degrees of freedom: above 60 once in 30 000 seeds.
void TestRoutingNetwork::toursAreDrawnAsOftenAsTheySay()
{
    constexpr Index draws = 20000;
    const RoutingBatch batch = batchWith(1, 4, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    const auto none = [](Index, std::span<const Path>, std::span<float> weights) { std::ranges::fill(weights, 0.0f); };
    Tape tape;
    const DrawnSolutions<Path> drawn =
        tourLoss(tape, network(tape, batch), batch, {.tours = draws, .freeStarts = draws, .seed = 4, .step = 7}, none);
    std::map<Path, int> counts;
    for (const Path& tour : drawn.paths[0])
        ++counts[tour];
    const std::vector<std::vector<Path>> tours{allTours(4)};
    tape.clear();
    const DrawnSolutions<Path> every = tourLoss(tape, network(tape, batch), batch, drawGiven(tours), none);
    double chi = 0;
    for (std::size_t i = 0; i < tours[0].size(); ++i) {
        const double expected = static_cast<double>(draws) * std::exp(every.logProbabilities[0][i]),
                     found = counts[tours[0][i]];
        chi += (found - expected) * (found - expected) / expected;
    }
    QVERIFY2(chi < 60, std::to_string(chi).c_str());
}

/// The first is free, the others start at cities of their own.
void TestRoutingNetwork::toursStartWhereTheyShould()
{
    const RoutingBatch batch = batchWith(3, 6, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    Tape tape;
    const DrawnSolutions<Path> drawn =
        tourLoss(tape, network(tape, batch), batch, {.tours = 6, .freeStarts = 1, .seed = 4}, unlikeWeights);
    for (const auto& tours : drawn.paths)
        for (int k = 0; k < 6; ++k) {
            Path sorted = tours[static_cast<std::size_t>(k)];
            QVERIFY(k == 0 || sorted.front() == k);
            std::ranges::sort(sorted);
            QCOMPARE(sorted, (Path{0, 1, 2, 3, 4, 5}));
        }
}

void TestRoutingNetwork::vehiclesKeepTheirLoads()
{
    const RoutingBatch batch = batchWith(4, 9, true);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}, .depot = true}, 2);
    Tape tape;
    const DrawnSolutions<Path> drawn =
        tourLoss(tape, network(tape, batch), batch, {.tours = 20, .freeStarts = 20, .seed = 4}, unlikeWeights);
    for (std::size_t instance = 0; instance < 4; ++instance)
        for (const Path& tour : drawn.paths[instance]) {
            std::vector<int> seen(9, 0);
            double load = 0;
            int last = 0;
            for (const int node : tour) {
                QVERIFY(node != 0 || last != 0);  // from the depot on to a customer
                ++seen[static_cast<std::size_t>(node)];
                load = node == 0
                           ? 0
                           : load + static_cast<double>(batch.demands[instance * 9 + static_cast<std::size_t>(node)]);
                QVERIFY(load < 1 + 1e-4);
                last = node;
            }
            QVERIFY(std::all_of(seen.begin() + 1, seen.end(), [](int times) { return times == 1; }));
        }
}

void TestRoutingNetwork::threadsGiveTheSameBits()
{
    const auto run = [](int threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        const RoutingBatch batch = batchWith(24, 12, false);
        RoutingNetwork network({.encoder = {.layers = 2, .width = 16, .inner = 24, .heads = heads}}, 2);
        Tape tape;
        const DrawnSolutions<Path> drawn =
            tourLoss(tape, network(tape, batch), batch, {.tours = 12, .freeStarts = 1, .seed = 4}, unlikeWeights);
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

QTEST_GUILESS_MAIN(TestRoutingNetwork)
#include "test_routing_network.moc"
