// Instances and their tours, without a lab: drawn and read ones, nearest neighbours, 2-opt with Or-opt, tours side by
// side and choice by choice, and a scale that is decoded anew.

#include "core/labs/policies/policy_networks.h"
#include "core/labs/routing/redecoding.h"
#include "core/labs/routing/routing_baselines.h"
#include "core/labs/routing/routing_evaluation.h"
#include "core/labs/routing/routing_instances.h"
#include "core/networks/attention_model.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/check_solutions.h"
#include "tests/support/small_attention_model.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

RoutingInstance placesAt(std::initializer_list<std::pair<double, double>> places)
{
    RoutingInstance instance;
    instance.places.resize(static_cast<Eigen::Index>(places.size()), 2);
    Eigen::Index row = 0;
    for (const auto& [x, y] : places)
        instance.places.row(row++) << static_cast<float>(x), static_cast<float>(y);
    return instance;
}

/// The shortest tour of a few cities, by trying all.
double shortest(const RoutingInstance& instance)
{
    Tour tour;
    for (int i = 0; i < instance.nodes(); ++i)
        tour.push_back(i);
    double best = lengthOf(instance, tour);
    while (std::next_permutation(tour.begin() + 1, tour.end()))
        best = std::min(best, lengthOf(instance, tour));
    return best;
}

}  // namespace

class TestTours : public QObject {
    Q_OBJECT
private slots:
    void instancesAreTheSameEverywhere();
    void filesOfInstances();
    void nearestNeighbours();
    void crossingsAreUndone();
    void localOptimaAreShort();
    void routesKeepTheirLoads();
    void aStopIsHeard();
    void edgesThatDifferAreMarked();
    void stepsOfATour();
    void theFileSaysItsN_data();
    void theFileSaysItsN();
    void instancesOfAFileAreDecoded();
    void aScaleIsDecodedAnew_data();
    void aScaleIsDecodedAnew();
};

/// The same instance for the same number, a longer one begins with a shorter one, and the laws are those that are
/// promised.
void TestTours::instancesAreTheSameEverywhere()
{
    const RoutingDraw draw{.depot = true, .size = 20, .capacity = 30, .seed = 7};
    const RoutingInstance a = drawInstance(draw, 3), b = drawInstance(draw, 3), other = drawInstance(draw, 4);
    QVERIFY(a.places == b.places && a.demands == b.demands && a.places != other.places);
    QCOMPARE(a.nodes(), 21);
    QCOMPARE(a.demands[0], 0.0f);
    RoutingDraw longer = draw;
    longer.size = 40;
    QVERIFY(drawInstance(longer, 3).places.topRows(21) == a.places);
    double sum = 0;
    std::set<float> demands;
    for (int i = 0; i < 200; ++i) {
        const RoutingInstance instance = drawInstance(draw, i);
        QVERIFY((instance.places.array() > 0).all() && (instance.places.array() < 1).all());
        sum += static_cast<double>(instance.places.mean());
        demands.insert(instance.demands.begin() + 1, instance.demands.end());
    }
    QVERIFY(std::abs(sum / 200 - 0.5) < 0.01);
    std::set<float> wanted;
    for (int demand = 1; demand < 10; ++demand)
        wanted.insert(static_cast<float>(demand / 30.0));
    QVERIFY(demands == wanted);
}

void TestTours::filesOfInstances()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("instances.safetensors").toStdString();
    const std::vector<float> places{0, 0, 1, 0, 1, 1, 0, 1, 0.5f, 0.5f, 0.25f, 0}, depots{0.5f, 0},
        demands{0.5f, 0.25f, 1}, heavy{0.5f, 1.25f, 1};
    const auto kindOf = [&](const std::vector<TensorView>& tensors, bool depot) {
        if (!writeSafetensors(path, tensors))
            qFatal("not written");
        const auto read = readInstances(path, depot);
        return read ? ErrorKind::NotFound : read.error().kind;
    };
    const auto view = [](const char* name, std::vector<std::int64_t> shape, const std::vector<float>& values) {
        return tensorView(name, std::move(shape), std::span<const float>(values));
    };
    QCOMPARE(kindOf({view("tsp.3.cities", {2, 3, 2}, places)}, false), ErrorKind::NotFound);
    const auto read = readInstances(path, false);
    QCOMPARE(read->at(3).size(), std::size_t{2});
    QCOMPARE(read->at(3)[1].places(2, 0), 0.25f);
    QCOMPARE(kindOf({view("tsp.3.cities", {2, 3, 2}, places)}, true), ErrorKind::InvalidArgument);
    QCOMPARE(kindOf({view("tsp.4.cities", {2, 3, 2}, places)}, false), ErrorKind::BadShape);
    const std::vector<float> three(places.begin(), places.begin() + 6);
    QCOMPARE(kindOf({view("cvrp.3.customers", {1, 3, 2}, three), view("cvrp.3.depot", {1, 2}, depots),
                     view("cvrp.3.demands", {1, 3}, demands)},
                    true),
             ErrorKind::NotFound);
    QCOMPARE(readInstances(path, true)->at(3)[0].demands, (std::vector<float>{0, 0.5f, 0.25f, 1}));
    QCOMPARE(kindOf({view("cvrp.3.customers", {1, 3, 2}, three), view("cvrp.3.depot", {1, 2}, depots)}, true),
             ErrorKind::UnknownName);
    QCOMPARE(kindOf({view("cvrp.3.customers", {1, 3, 2}, three), view("cvrp.3.depot", {1, 2}, depots),
                     view("cvrp.3.demands", {1, 3}, heavy)},
                    true),
             ErrorKind::DataError);
    const std::vector<float> same(12, 0.25f), home{0.25f, 0.25f}, one{0.5f};  // a tour of length 0 has no logarithm
    QCOMPARE(kindOf({view("tsp.3.cities", {2, 3, 2}, same)}, false), ErrorKind::DataError);
    QCOMPARE(kindOf({view("tsp.1.cities", {1, 1, 2}, depots)}, false), ErrorKind::DataError);
    QCOMPARE(kindOf({view("cvrp.1.customers", {1, 1, 2}, home), view("cvrp.1.depot", {1, 2}, home),
                     view("cvrp.1.demands", {1, 1}, one)},
                    true),
             ErrorKind::DataError);
    QCOMPARE(kindOf({view("cvrp.1.customers", {1, 1, 2}, home), view("cvrp.1.depot", {1, 2}, depots),
                     view("cvrp.1.demands", {1, 1}, one)},
                    true),
             ErrorKind::NotFound);
}

void TestTours::nearestNeighbours()
{
    QCOMPARE(nearestNeighbour(placesAt({{0, 0}, {3, 0}, {1, 0}, {6, 0}})), (Tour{0, 2, 1, 3}));
    RoutingInstance vehicles = placesAt({{0, 0}, {1, 0}, {2, 0}, {0, 3}});
    vehicles.demands = {0, 0.5f, 0.75f, 0.5f};
    QCOMPARE(nearestNeighbour(vehicles), (Tour{1, 3, 0, 2}));  // after 1 there is no room for 2
}

void TestTours::crossingsAreUndone()
{
    const RoutingInstance square = placesAt({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    QCOMPARE(lengthOf(square, improved(square, {0, 2, 1, 3})), 4.0);
    // no two edges cross, yet one city between the others of a line's way back belongs on the way there: Or-opt
    const RoutingInstance line = placesAt({{0, 0}, {1, 0.1}, {2, 0}, {3, 0.1}, {3, 2}, {0, 2}});
    QCOMPARE(lengthOf(line, improved(line, {0, 2, 3, 4, 1, 5})), shortest(line));
}

void TestTours::localOptimaAreShort()
{
    double found = 0, best = 0, nearest = 0;
    for (int i = 0; i < 30; ++i) {
        const RoutingInstance instance = drawInstance({.size = 8}, i);
        const Tour tour = improved(instance, nearestNeighbour(instance));
        QVERIFY(checkTour(instance, tour));
        found += lengthOf(instance, tour);
        best += shortest(instance);
    }
    QVERIFY(found < 1.02 * best && found >= best - 1e-9);
    // 0.7124 sqrt(n A) is the length of long optimal tours (Johnson & McGeoch 1996), at n = 1000 about 0.7313 sqrt(n) +
    // 0.55
    found = 0;
    for (int i = 0; i < 2; ++i) {
        const RoutingInstance instance = drawInstance({.size = 1000}, i);
        const Tour first = nearestNeighbour(instance), tour = improved(instance, first);
        QVERIFY(checkTour(instance, tour));
        found += lengthOf(instance, tour) / 2;
        nearest += lengthOf(instance, first) / 2;
    }
    QVERIFY2(found > 23.0 && found < 25.3, std::to_string(found).c_str());
    QVERIFY2(nearest > 26.5 && nearest < 31, std::to_string(nearest).c_str());
}

void TestTours::routesKeepTheirLoads()
{
    for (int i = 0; i < 10; ++i) {
        const RoutingInstance instance =
            drawInstance({.depot = true, .size = 60, .capacity = 40, .wholeDemands = i % 2 == 0, .seed = 2}, i);
        const Tour first = nearestNeighbour(instance), tour = improved(instance, first);
        QVERIFY(checkTour(instance, first) && checkTour(instance, tour));
        QVERIFY(lengthOf(instance, tour) < lengthOf(instance, first));
        QCOMPARE(lengthOf(instance, improved(instance, tour)), lengthOf(instance, tour));
    }
}

/// A tour that is stopped is as far as it was: at once, the one given.
void TestTours::aStopIsHeard()
{
    std::stop_source stop;
    stop.request_stop();
    for (const bool depot : {false, true}) {
        const RoutingInstance instance = drawInstance({.depot = depot, .size = 200, .seed = 3}, 0);
        const Tour first = nearestNeighbour(instance);
        QCOMPARE(improved(instance, first, stop.get_token()), first);
        QVERIFY(improved(instance, first, std::stop_source().get_token()) != first);
    }
}

void TestTours::edgesThatDifferAreMarked()
{
    const RoutingInstance square = placesAt({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    const LabTours shown = sideBySide("n4", "n = 4", square, {{"crossed", {0, 2, 1, 3}}, {"round", {1, 2, 3, 0}}});
    QCOMPARE(shown.places.size(), std::size_t{4});
    QCOMPARE(shown.panels.size(), std::size_t{2});
    for (const LabTours::Panel& panel : shown.panels) {
        QCOMPARE(panel.edges.size(), std::size_t{4});
        for (const LabTours::Edge& edge :
             panel.edges) {  // both go 1-2 and 0-3; the diagonals are the crossed tour's, two sides the other's
            const std::pair<int, int> ends = std::minmax(edge.from, edge.to);
            const bool common = ends == std::pair(1, 2) || ends == std::pair(0, 3);
            QCOMPARE(edge.differs, !common);
        }
    }
    const LabTours wide =
        sideBySide("n3", "n = 3", placesAt({{-1, 0}, {3, 1}, {1, 1}}), {});  // drawn in the unit square
    QCOMPARE(wide.places, (std::vector<std::array<float, 2>>{{0, 0.25f}, {1, 0.5f}, {0.5f, 0.5f}}));
    RoutingInstance vehicles = square;
    vehicles.demands = {0, 0.5f, 0.5f, 0.5f};
    QCOMPARE(sideBySide("n3", "n = 3", vehicles, {{"one", {1, 2, 0, 3}}}).panels[0].edges.size(), std::size_t{5});
}

/// Before each choice: the edges made, where the tour stands, where it goes, and weights.
void TestTours::stepsOfATour()
{
    const RoutingInstance cities = placesAt({{0, 0}, {1, 0}, {1, 1}});
    const LabTours::Panel round = sideBySide("n3", "n = 3", cities, {{"round", {2, 0, 1}}}).panels[0];
    Matrix looks(3, 3);
    looks << 0.2f, 0.3f, 0.5f, 0.6f, 0.4f, 0, 0, 1, 0;
    const TourStep first = stepOf(round, looks, 0), second = stepOf(round, looks, 1), last = stepOf(round, looks, 2),
                   made = stepOf(round, looks, 3);
    QVERIFY(!first.at && first.next == 2 && first.made == 0);
    QVERIFY(second.at == 2 && second.next == 0 && second.made == 0);
    QVERIFY(last.at == 0 && last.next == 1 && last.made == 1);
    QVERIFY(!made.at && !made.next && made.made == 3 && made.weights.empty());
    QCOMPARE(second.weights, (std::vector<float>{0.6f, 0.4f, 0}));
    QCOMPARE(mostLookedAt(first, 2), (std::vector<int>{2, 1}));
    QCOMPARE(mostLookedAt(second, 9), (std::vector<int>{0, 1}));

    RoutingInstance vehicles = cities;
    vehicles.demands = {0, 0.7f, 0.6f};  // 0 1 0 2 0
    const LabTours::Panel homeBetween = sideBySide("n2", "n = 2", vehicles, {{"two", {1, 0, 2}}}).panels[0];
    const TourStep outset = stepOf(homeBetween, looks, 0), back = stepOf(homeBetween, looks, 1),
                   again = stepOf(homeBetween, looks, 2);
    QVERIFY(outset.at == 0 && outset.next == 1 && outset.made == 0);
    QVERIFY(back.at == 1 && back.next == 0 && back.made == 1);
    QVERIFY(again.at == 0 && again.next == 2 && again.made == 2);
    QCOMPARE(stepOf(homeBetween, looks, 3).made, std::size_t{4});
}

void TestTours::theFileSaysItsN_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("trained");
    QTest::addColumn<int>("source");
    using Trained = Redecoded::Trained;
    QTest::newRow("as the labs write it") << "length"
                                          << "8" << 0 << 8 << int(Trained::Said);
    QTest::newRow("in words") << "model"
                              << "Attention Model for TSP trained at n=10 (2 heads)" << 0 << 10 << int(Trained::Said);
    QTest::newRow("a field of its own") << "n_train"
                                        << "12" << 0 << 12 << int(Trained::Said);
    QTest::newRow("another is asked for") << "length"
                                          << "8" << 16 << 16 << int(Trained::Given);
    QTest::newRow("the same is asked for") << "length"
                                           << "8" << 8 << 8 << int(Trained::Said);
    QTest::newRow("nothing is said") << "about"
                                     << "trained" << 0 << 100 << int(Trained::Supposed);
    QTest::newRow("nothing is said, but asked") << "about"
                                                << "trained" << 9 << 9 << int(Trained::Given);
}

/// ln n / ln N multiplies by that N: at n = 200, and the tour is that of runRouting with it.
void TestTours::theFileSaysItsN()
{
    QFETCH(QString, key);
    QFETCH(QString, says);
    QFETCH(int, asked);
    QFETCH(int, trained);
    QFETCH(int, source);
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3),
                                   {{key.toStdString(), says.toStdString()}});
    QVERIFY(path);
    Redecoder redecoder;
    const RedecodingRequest request{.model = *path, .trainLength = asked, .size = 200, .number = 5};
    const auto found = redecoder(request, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->trainLength, std::int64_t{trained});
    QCOMPARE(int(found->trained), source);
    QVERIFY(std::abs(found->multiplier - std::log(200) / std::log(trained)) < 1e-12);
    QVERIFY(QString::fromStdString(found->tours.title).endsWith(QString::number(trained)));
    const RoutingInstance instance = drawInstance({.depot = false, .size = 200}, 5);
    const auto model = openAttentionModel(*path);
    const ScalePolicy policy{
        .method = request.method, .encoder = true, .decoder = true, .trainLength = static_cast<double>(trained)};
    const auto run = runRouting(*model, std::span(&instance, 1), {.policy = policy});
    QVERIFY(run);
    QCOMPARE(found->scaled.length, lengthOf(instance, run->solutions.front().front()));
    RedecodingRequest other = request;  // a question about another N is not answered with what was kept
    other.trainLength = 4;
    QVERIFY(std::abs(redecoder(other, {})->multiplier - std::log(200) / std::log(4)) < 1e-12);
    QCOMPARE(redecoder(request, {})->multiplier, found->multiplier);
}

/// Of a file's sizes the nearest, of its instances the last where there are not so many; asked for exactly, what there
/// is not is an error that lists what there is.
void TestTours::instancesOfAFileAreDecoded()
{
    QTemporaryDir folder;
    std::vector<float> many(3400, 0.5f);  // more than are routed while one waits
    many.front() = 0.25f;
    const auto path = writeTensors(folder.filePath("instances.safetensors").toStdString(),
                                   {{"tsp.4.cities", {{2, 4, 2}, {0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 2, 0, 2, 1, 0, 1}}},
                                    {"tsp.6.cities", {{1, 6, 2}, {0, 0, 1, 0, 2, 0, 2, 1, 1, 1, 0, 1}}},
                                    {"tsp.1700.cities", {{1, 1700, 2}, many}}});
    QVERIFY(path);
    Redecoder redecoder;
    const RedecodingRequest request{.instances = *path, .size = 4, .number = 1, .method = {"vanilla", {}, {}}};
    const auto found = redecoder(request, {});
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->tours.places.size(), std::size_t{4});
    QVERIFY(found->vanilla.length >= 6 &&
            found->vanilla.length <= 2 * (2 + std::sqrt(5.0)));  // of a rectangle: its sides, or more
    QCOMPARE(redecoder.counts(), (std::map<std::int64_t, std::int64_t>{{4, 2}, {6, 1}}));
    RedecodingRequest far = request;
    far.size = 200;
    far.number = 7;
    const auto nearest = redecoder.nearest(far);
    QVERIFY(nearest && nearest->size == 6 && nearest->number == 0);
    QVERIFY(redecoder(far, {}).error().message.find("4, 6") != std::string::npos);
    far.size = 4;
    QVERIFY(redecoder(far, {}).error().message.find("2 instances of 4") != std::string::npos);
    far.vehicles = true;  // of customers it holds none
    QVERIFY(!redecoder(far, {}));
    far = request;
    far.instances.clear();
    QCOMPARE(redecoder.nearest(far).value(), far);
    QVERIFY(redecoder.counts().empty());
    QCOMPARE(redecoder(request, {})->vanilla.length, found->vanilla.length);
}

void TestTours::aScaleIsDecodedAnew_data()
{
    QTest::addColumn<bool>("vehicles");
    QTest::newRow("cities") << false;
    QTest::newRow("vehicles") << true;
}

/// A factor of 1 on vanilla changes nothing; another one is what runRouting makes of it, whatever was asked before.
void TestTours::aScaleIsDecodedAnew()
{
    QFETCH(bool, vehicles);
    const auto model = shippedRouting(vehicles);
    QVERIFY(model);
    RedecodingRequest request{.vehicles = vehicles, .size = 60, .number = 3, .method = {"vanilla", {}, {}}};
    Redecoder redecoder;
    const auto same = redecoder(request, {});
    QVERIFY2(same, same ? "" : same.error().message.c_str());
    QCOMPARE(same->scaled.length, same->vanilla.length);
    QCOMPARE(same->differing, std::size_t{0});
    QCOMPARE(same->tours.panels.size(), std::size_t{2});
    QCOMPARE(same->trainLength, std::int64_t{20});

    for (std::size_t panel = 0; panel < 2;
         ++panel) {  // what it looks at before each choice: all of it on places where it may go
        const LabTours::Panel& tour = same->tours.panels[panel];
        std::set<int> seen;
        for (Index choice = 0; choice < same->glimpses[panel].rows(); ++choice) {
            const TourStep step = stepOf(tour, same->glimpses[panel], choice);
            QVERIFY(std::abs(std::accumulate(step.weights.begin(), step.weights.end(), 0.0) - 1) < 1e-5);
            for (const int place : seen)
                QVERIFY(step.weights[static_cast<std::size_t>(place)] == 0.0f || (vehicles && place == 0));
            QVERIFY(step.next && step.weights[static_cast<std::size_t>(*step.next)] > 0);
            seen.insert(*step.next);
        }
        QCOMPARE(std::ssize(seen), same->n + (vehicles ? 1 : 0));
    }

    request.method.values["alpha"] = 2.5;
    request.where = "encoder";
    const RoutingInstance instance = drawInstance({.depot = vehicles, .size = 60, .capacity = 30}, 3);
    const auto run =
        runRouting(*model, std::span(&instance, 1), {.policy = {.method = request.method, .trainLength = 20}});
    QVERIFY(run);
    Redecoder fresh;
    for (Redecoder* each : {&redecoder, &fresh}) {
        const auto found = (*each)(request, {});
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(found->scaled.length, lengthOf(instance, run->solutions.front().front()));
        QCOMPARE(found->vanilla.length, same->vanilla.length);
        QCOMPARE(found->multiplier, 2.5);
        QVERIFY(found->scaled.encoderEntropy < found->vanilla.encoderEntropy);
        QVERIFY(found->differing > 0 && found->differing < found->edges);
    }
    request.where = "layer 3";
    QCOMPARE(redecoder(request, {})->layers, Index{3});
    request.where = "layer 4";
    QVERIFY(!redecoder(request, {}));
    request.where = "both";
    request.method = {"entropy_measured", {}, {}};  // the heads' entropies of 20
    request.size = 20;
    const auto learned = redecoder(request, {});
    request.size = 60;
    const auto held = redecoder(request, {});
    QVERIFY2(learned && held, held ? "" : held.error().message.c_str());
    QVERIFY(std::abs(held->scaled.encoderEntropy - learned->scaled.encoderEntropy) < 1e-2 &&
            std::abs(learned->multiplier - 1) < 0.3);
    QVERIFY(held->multiplier > 1.5 && held->vanilla.encoderEntropy > held->scaled.encoderEntropy + 0.5);
    // of a file with instances of N they are that file's: of the only one of them nothing changes
    const QTemporaryDir folder;
    std::vector<float> crowded;  // in a corner of the square, where drawn cities have other entropies
    for (int i = 0; i < 40; ++i)
        crowded.push_back(0.1f * static_cast<float>((i * 37) % 41) / 41.0f);
    request.instances = folder.filePath("crowded.safetensors").toStdString();
    const TensorView cities = tensorView("tsp.20.cities", {1, 20, 2}, std::span<const float>(crowded));
    QVERIFY(writeSafetensors(request.instances, std::span(&cities, 1)));
    request.size = 20;
    request.number = 0;
    if (!request.vehicles) {
        const auto own = redecoder(request, {});
        QVERIFY2(own, own ? "" : own.error().message.c_str());
        QVERIFY2(std::abs(own->multiplier - 1) < 1e-3, qPrintable(QString::number(own->multiplier)));
        QVERIFY(std::abs(own->scaled.encoderEntropy - own->vanilla.encoderEntropy) < 1e-3);
    }
    request.instances.clear();
    request.model = "/nowhere/model.safetensors";
    QVERIFY(!redecoder(request, {}));
    request.model.clear();
    QVERIFY(redecoder(request, {}));
}

QTEST_GUILESS_MAIN(TestTours)
#include "test_tours.moc"
