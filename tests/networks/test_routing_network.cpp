// The Attention Model with gradients: those of its pieces and of the whole network against central differences,
// probabilities that are ones, tours drawn as often as they say, and the same bits on any number of threads.

#include "core/networks/routing_network.h"
#include "core/networks/tour_decoder.h"
#include "tests/learn/gradient_check.h"

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
std::vector<RoutingInstance> batchWith(Index instances, Index nodes, bool depot)
{
    const Matrix places = (sines(instances * nodes, 2, 0.3, 0.5).array() + 0.5f).matrix();
    std::vector<RoutingInstance> batch;
    for (Index i = 0; i < instances; ++i) {
        RoutingInstance& one = batch.emplace_back();
        one.places = places.middleRows(i * nodes, nodes);
        for (Index node = 0; depot && node < nodes; ++node)
            one.demands.push_back(node == 0 ? 0.0f : 0.3f + 0.05f * static_cast<float>((i * nodes + node) % 5));
    }
    return batch;
}

/// Two tours of each instance that it may make; with a depot home after every two customers, and after every one.
std::vector<std::vector<Tour>> someTours(const std::vector<RoutingInstance>& batch)
{
    std::vector<std::vector<Tour>> all;
    for (std::size_t instance = 0; instance < batch.size(); ++instance) {
        const int first = batch[instance].hasDepot() ? 1 : 0;
        Tour order(static_cast<std::size_t>(batch[instance].size()));
        std::iota(order.begin(), order.end(), first);
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(instance) % std::ssize(order),
                    order.end());
        Tour back(order.rbegin(), order.rend());
        std::vector<Tour> tours;
        for (const auto& [path, between] : {std::pair{order, std::ptrdiff_t{2}}, {back, std::ptrdiff_t{1}}}) {
            Tour tour;
            for (std::size_t i = 0; i < path.size(); ++i) {
                if (first > 0 && i > 0 && static_cast<std::ptrdiff_t>(i) % between == 0)
                    tour.push_back(0);
                tour.push_back(path[i]);
            }
            tours.push_back(tour);
        }
        all.push_back(tours);
    }
    return all;
}

void unlikeWeights(Index instance, std::span<const Tour> tours, std::span<float> weights)
{
    for (std::size_t tour = 0; tour < tours.size(); ++tour)
        weights[tour] = 0.5f + 0.25f * static_cast<float>(instance) - 0.75f * static_cast<float>(tour);
}

/// The loss of these tours.
DrawnSolutions<Tour> lossOf(Tape& tape, const TourQueries& queries, const std::vector<RoutingInstance>& batch,
                            const std::vector<std::vector<Tour>>& tours, const WeighSolutions<Tour>& weigh)
{
    const Index each = std::ssize(tours.front());
    return tourLoss(tape, queries, batch, {.solutions = each, .given = tours}, each, weigh);
}

void noWeights(Index, std::span<const Tour>, std::span<float> weights) { std::ranges::fill(weights, 0.0f); }

/// The loss of given tours, of what the decoder asks of the nodes: keys, values, pointers, fixed, first, last, start.
Operation tourOperation(bool depot)
{
    const std::vector<RoutingInstance> batch = batchWith(3, 6, depot);
    const Index rows = 3 * 6;
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
        return lossOf(t, queries, batch, tours, unlikeWeights).loss;
    };
    return operation;
}

std::vector<Tour> allTours(int cities)
{
    Tour tour(static_cast<std::size_t>(cities));
    std::iota(tour.begin(), tour.end(), 0);
    std::vector<Tour> all;
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
    void learningChangesNoBit_data();
    void learningChangesNoBit();
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
    const std::vector<RoutingInstance> batch = batchWith(2, 5, depot);
    const auto tours = someTours(batch);
    RoutingNetwork network({.encoder = {.layers = 2, .width = width, .inner = 12, .heads = heads}, .depot = depot}, 3);
    for (Weight* weight : network.weights())
        if (weight->name.ends_with("2.module.0.bias"))
            for (Index i = 0; i < weight->value.size(); ++i)
                weight->value(i) = i % 2 == 0 ? 4.0f : -4.0f;
    const auto loss = [&](bool backward) {
        Tape tape;
        const DrawnSolutions<Tour> made = lossOf(tape, network(tape, batch), batch, tours, unlikeWeights);
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
    const std::vector<RoutingInstance> batch = batchWith(1, 5, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    const std::vector<std::vector<Tour>> tours{allTours(5)};
    Tape tape;
    const DrawnSolutions<Tour> made = lossOf(tape, network(tape, batch), batch, tours, noWeights);
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
    const std::vector<RoutingInstance> batch = batchWith(1, 4, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    Tape tape;
    const DrawnSolutions<Tour> drawn =
        tourLoss(tape, network(tape, batch), batch, {.solutions = draws, .seed = 4, .step = 7}, draws, noWeights);
    std::map<Tour, int> counts;
    for (const Tour& tour : drawn.solutions[0])
        ++counts[tour];
    const std::vector<std::vector<Tour>> tours{allTours(4)};
    tape.clear();
    const DrawnSolutions<Tour> every = lossOf(tape, network(tape, batch), batch, tours, noWeights);
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
    const std::vector<RoutingInstance> batch = batchWith(3, 6, false);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}}, 2);
    Tape tape;
    const DrawnSolutions<Tour> drawn =
        tourLoss(tape, network(tape, batch), batch, {.solutions = 6, .seed = 4}, 1, unlikeWeights);
    for (const auto& tours : drawn.solutions)
        for (int k = 0; k < 6; ++k) {
            Tour sorted = tours[static_cast<std::size_t>(k)];
            QVERIFY(k == 0 || sorted.front() == k);
            std::ranges::sort(sorted);
            QCOMPARE(sorted, (Tour{0, 1, 2, 3, 4, 5}));
        }
}

void TestRoutingNetwork::vehiclesKeepTheirLoads()
{
    const std::vector<RoutingInstance> batch = batchWith(4, 9, true);
    RoutingNetwork network({.encoder = {.layers = 1, .width = width, .inner = 8, .heads = heads}, .depot = true}, 2);
    Tape tape;
    const DrawnSolutions<Tour> drawn =
        tourLoss(tape, network(tape, batch), batch, {.solutions = 20, .seed = 4}, 20, unlikeWeights);
    for (std::size_t instance = 0; instance < 4; ++instance)
        for (const Tour& tour : drawn.solutions[instance]) {
            std::vector<int> seen(9, 0);
            double load = 0;
            int last = 0;
            for (const int node : tour) {
                QVERIFY(node != 0 || last != 0);  // from the depot on to a customer
                ++seen[static_cast<std::size_t>(node)];
                load =
                    node == 0 ? 0 : load + static_cast<double>(batch[instance].demands[static_cast<std::size_t>(node)]);
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
        const std::vector<RoutingInstance> batch = batchWith(24, 12, false);
        RoutingNetwork network({.encoder = {.layers = 2, .width = 16, .inner = 24, .heads = heads}}, 2);
        Tape tape;
        const DrawnSolutions<Tour> drawn =
            tourLoss(tape, network(tape, batch), batch, {.solutions = 12, .seed = 4}, 1, unlikeWeights);
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

void TestRoutingNetwork::learningChangesNoBit_data() { gradientsOfTheNetwork_data(); }

/// A decoder that keeps what it computes for the way back draws the same tours with the same probabilities as one that
/// does not, but that it passes over a last city that is no choice.
void TestRoutingNetwork::learningChangesNoBit()
{
    QFETCH(bool, depot);
    const RoutingInstance instance = batchWith(1, 9, depot).front();
    const Matrix keys = sines(9, width, 1, 1), values = sines(9, width, 2, 1), pointers = sines(9, width, 3, 1),
                 fixed = sines(1, width, 4, 1), first = sines(9, width, 5, 1), last = sines(9, width, 6, 1),
                 start = sines(1, width, 7, 1);
    const TourNodes nodes{.pointed = {keys, values, pointers},
                          .fixed = fixed,
                          .first = first,
                          .last = last,
                          .start = start,
                          .demands = instance.demands,
                          .scale = {}};
    TourDecoder runs(9, width, heads, 12, depot, false), learns(9, width, heads, 12, depot, true);
    const TourChoices choices{.freeStarts = 12, .seed = 6, .number = 3};
    runs.decode(nodes, choices);
    learns.decode(nodes, choices);
    QCOMPARE(learns.solutions(), runs.solutions());
    QCOMPARE(learns.logProbabilities(), runs.logProbabilities());
    QVERIFY(std::ranges::all_of(runs.logProbabilities(), [](double logarithm) { return logarithm < 0; }));
    QVERIFY(runs.solutions()[0] != runs.solutions()[1]);
}

QTEST_GUILESS_MAIN(TestRoutingNetwork)
#include "test_routing_network.moc"
