// The lab routing: published models' tours have the lengths that NumPy found; what it trains is what core/model runs,
// and learns; shipped networks are what their commands make. Instances and tours without a lab are in test_tours.cpp.

#include "run_lab.h"

#include "core/labs/lab_record.h"
#include "core/labs/policies/policy_networks.h"
#include "core/labs/routing/routing_evaluation.h"
#include "core/labs/routing/routing_instances.h"
#include "core/labs/routing/routing_trainer.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "core/networks/attention_model.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/check_solutions.h"
#include "tests/support/small_attention_model.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace attnscope;

namespace {

const std::string shared = SHARED;

}  // namespace

class TestRouting : public QObject {
    Q_OBJECT
private slots:
    void publishedModelsAgreeWithNumpy_data();
    void publishedModelsAgreeWithNumpy();
    void rowsOfTheLab_data();
    void rowsOfTheLab();
    void headsAreMeasured();
    void moreInstancesChangeNoneOfTheOthers();
    void theChangeAndItsTestAreOfOneQuantity();
    void theLabRunsFilesOfInstances();
    void entropiesOfAFileAreHeld();
    void trainedNetworksAreWhatTheModelRuns_data();
    void trainedNetworksAreWhatTheModelRuns();
    void trainingShortensTours_data();
    void trainingShortensTours();
    void itShowsToursWhileItLearns();
    void networksAreCompared();
    void shippedNetworksAreWhatTheirCommandsMake();
    void aModelSaysItsNInWords();
    void textsAndModelsThatCannotBe_data();
    void textsAndModelsThatCannotBe();
    void choicesThatCannotBe_data();
    void choicesThatCannotBe();
};

void TestRouting::publishedModelsAgreeWithNumpy_data()
{
    QTest::addColumn<bool>("depot");
    QTest::newRow("tsp") << false;
    QTest::newRow("cvrp") << true;
}

/// Mean lengths within 0.1 %, and nine of ten single tours exactly: near-ties of the decoder may go either way.
void TestRouting::publishedModelsAgreeWithNumpy()
{
    QFETCH(bool, depot);
    const std::string task = depot ? "cvrp" : "tsp";
    QFile file(QString::fromStdString(shared + "/reference/expected_routes.json"));
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("../shared/reference/expected_routes.json is not there");
    const auto model = openAttentionModel(shared + "/data/" + task + "100_attention_model.safetensors");
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto instances = readInstances(shared + "/data/routing_instances.safetensors", depot);
    QVERIFY2(instances, instances ? "" : instances.error().message.c_str());
    std::map<std::pair<std::string, std::int64_t>, std::vector<double>> expected;
    for (const auto& value : QJsonDocument::fromJson(file.readAll())["rows"].toArray()) {
        const QJsonObject row = value.toObject();
        if (row["task"].toString().toStdString() == task)
            expected[{row["method"].toString().toStdString(), row["n"].toInt()}].push_back(row["length"].toDouble());
    }
    QCOMPARE(expected.size(), std::size_t{12});
    int tours = 0, exact = 0;
    for (const auto& [key, lengths] : expected) {
        const ScalePolicy policy{.method = *parseChoice(std::string_view(key.first), scaleMethods(), "scale method")};
        const std::vector<RoutingInstance>& set = instances->at(key.second);
        const auto run = runRouting(*model, set, {.policy = policy});
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        double ours = 0, theirs = 0;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const Tour& tour = run->solutions[i].front();
            QVERIFY(checkTour(set[i], tour));
            ours += lengthOf(set[i], tour);
            theirs += lengths[i];
            ++tours;
            exact += std::abs(lengthOf(set[i], tour) - lengths[i]) < 2e-4;
        }
        QVERIFY2(std::abs(ours / theirs - 1) < 1e-3, key.first.c_str());
    }
    QVERIFY2(exact * 10 >= tours * 9, std::to_string(exact).c_str());
}

/// entropy_measured holds every head's entropy of N, in the encoder alone or in one layer of it; at N, on the same
/// instances, that takes no scale.
void TestRouting::headsAreMeasured()
{
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, true, 3),
                                   {{"normalization", "layer"}, {"length", "10"}});
    QVERIFY(path);
    Choice choice = choose("routing:sets=8,most=2");
    choice.text = "vanilla; entropy_measured | both; layer 2 | " + *path;
    const LabResult result = runOrFail({.choice = choice});
    const auto number = [&](std::int64_t n, const std::string& where, const std::string& layer, const char* column) {
        for (const LabRow& row : tableOf(result, "heads"))
            if (row.number("n") == static_cast<double>(n) &&
                *row.find("where") == (where.empty() ? LabValue() : LabValue(where)) &&
                *row.find("layer") == LabValue(layer) && row.number("head") == 1)
                return row.number(column);
        return std::nan("");
    };
    for (const char* layer : {"encoder 0", "encoder 1"}) {
        QVERIFY(std::abs(number(10, "both", layer, "multiplier") - 1) < 1e-2);
        QVERIFY(number(20, "both", layer, "multiplier") > 1);
        QVERIFY(std::abs(number(20, "both", layer, "entropy") - number(10, "", layer, "entropy")) < 1e-3);
        QVERIFY(number(20, "", layer, "entropy") > number(10, "", layer, "entropy") + 0.1);
    }
    QCOMPARE(number(20, "layer 2", "encoder 0", "multiplier"), 1.0);
    QVERIFY(std::abs(number(20, "layer 2", "encoder 1", "entropy") - number(10, "", "encoder 1", "entropy")) < 1e-3);
    choice.text = "softmax_plus | layer 3 | " + *path;
    const auto refused = runLab({.choice = choice});
    QVERIFY(!refused && refused.error().message.find("no layer 3") != std::string::npos);
}

/// What a network does with an instance does not hang on how many others are tested with it, nor on how many fit into
/// memory at once: 40 instances of 300 cities are more than a batch, and more than entropy_measured measures.
void TestRouting::moreInstancesChangeNoneOfTheOthers()
{
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, true, 3),
                                   {{"normalization", "layer"}, {"length", "10"}});
    QVERIFY(path);
    const auto model = openAttentionModel(*path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    RoutingSet some, all;
    for (std::int64_t number = 0; number < 40; ++number) {
        const RoutingInstance instance = drawInstance({.size = 300, .seed = 4}, number);
        all.instances.push_back(instance);
        if (number < static_cast<std::int64_t>(measuredInstances))
            some.instances.push_back(instance);
    }
    for (const char* method : {"vanilla", "softmax_plus", "entropy_measured"}) {
        ScalePolicy policy{.method = *parseChoice(method, scaleMethods(), "scale method"), .trainLength = 10};
        if (isMeasured(policy.method))
            policy.entropies = HeadValues(2, std::vector<double>(2, 1.7));
        const auto few = scoreRouting(*model, some, policy, {}), many = scoreRouting(*model, all, policy, {});
        QVERIFY2(few && *few && many && *many, method);
        for (std::size_t layer = 0; layer < 2; ++layer)
            for (std::size_t head = 0; head < 2; ++head)  // means over batches of the same number
                QVERIFY2(std::abs((*few)->encoder.multipliers[layer][head] -
                                  (*many)->encoder.multipliers[layer][head]) < 1e-12,
                         method);
        QVERIFY2(std::ranges::equal((*few)->solutions, std::span((*many)->solutions).first(measuredInstances)), method);
    }
}

/// Tours twice and half as long, and one a tenth longer: ln 1.1 / 3 in the mean, which no mean of the ratios or ratio
/// of the means gives; its t is that of ln 2, -ln 2, ln 1.1. The scoreboard's gain is the same, with its sign turned.
void TestRouting::theChangeAndItsTestAreOfOneQuantity()
{
    RoutingSet set;
    for (std::int64_t number = 0; number < 3; ++number)
        set.instances.push_back(drawInstance({.size = 5, .seed = 1}, number));
    set.nearest = set.improved = {1, 1, 1};
    const auto scoreOf = [](std::vector<double> lengths) {
        RoutingScore score;
        score.values = std::move(lengths);
        score.encoder.entropies = {{1}};
        score.decoderEntropies = {1};
        return std::optional(score);
    };
    const auto vanilla = scoreOf({3, 4, 50}), scaled = scoreOf({6, 2, 55});
    std::vector<LabRow> rows;
    for (const auto& [method, score] : {std::pair("vanilla", &vanilla), std::pair("infoscale", &scaled)})
        rows.push_back({"quality", qualityCells(set,
                                                {.method = *parseChoice(method, scaleMethods(), "scale method"),
                                                 .encoder = true,
                                                 .decoder = true,
                                                 .trainLength = 5},
                                                *score, &*vanilla, {1})});
    const double two = std::log(2.0), mean = std::log(1.1) / 3, off = std::log(1.1) - mean,
                 variance = ((two - mean) * (two - mean) + (two + mean) * (two + mean) + off * off) / 2,
                 t = mean / std::sqrt(variance / 3);
    QVERIFY(std::abs(rows[1].number("change") - 100 * std::expm1(mean)) < 1e-9);
    QVERIFY(std::abs(rows[1].number("p") - (1 - t / std::sqrt(2 + t * t))) < 1e-9);  // Student's of two degrees
    const Scoreboard board = makeScoreboard(
        std::vector{BoardRun{"here", {.choice = choose("routing:steps=0"), .finished = true, .rows = rows}}});
    const BoardCell* cell = board.find("tours, tsp", "infoscale", 1);
    QVERIFY(cell && cell->p);
    QVERIFY(std::abs(cell->gain + rows[1].number("change")) < 1e-9);
    QCOMPARE(*cell->p, rows[1].number("p"));
}

void TestRouting::rowsOfTheLab_data()
{
    QTest::addColumn<bool>("depot");
    QTest::newRow("tsp") << false;
    QTest::newRow("cvrp") << true;
}

/// Sizes, counts, pairing and columns; the same rows again.
void TestRouting::rowsOfTheLab()
{
    QFETCH(bool, depot);
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(depot, true, 3),
                                   {{"normalization", "layer"}, {"length", "10"}});
    QVERIFY(path);
    Choice choice = choose("routing:sets=16,most=4,capacity=30");
    choice.text = "infoscale:eps=2.5; vanilla; softmax_plus | encoder; both | " + *path;
    const std::string kept = folder.filePath("run").toStdString();
    const LabResult result = runOrFail({.choice = choice, .folder = kept}), again = runOrFail({.choice = choice});
    const auto record = readRecord(kept);
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QCOMPARE(record->tours.size(), std::size_t{3});  // n = 10, 20, 40
    QCOMPARE(record->tours[2].places.size(), std::size_t(40 + depot));
    QCOMPARE(record->tours[2].panels.size(), std::size_t{3});
    QCOMPARE(record->tours[2].depot, depot);
    const std::vector<LabRow> rows = tableOf(result, "quality"), repeated = tableOf(again, "quality");
    QCOMPARE(rows.size(), std::size_t{3 * 5});
    const Lab& lab = **findRow(labs(), "routing", "lab");
    for (const LabChart& chart : lab.charts)
        for (const LabLine& line : chart.lines)
            QVERIFY(line.table == "training" ||
                    (rows[0].find(line.x) && rows[0].find(line.y) && rows[0].find(chart.group)));
    const auto cell = [](const LabRow& row, const char* column) { return std::get<std::string>(*row.find(column)); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LabRow& row = rows[i];
        QVERIFY(row.cells == repeated[i].cells);
        const double n = row.number("n");
        QCOMPARE(n, 10.0 * std::pow(2, static_cast<double>(i / 5)));
        QCOMPARE(row.number("n_over_train"), n / 10);
        QCOMPARE(row.number("instances"), std::max(8.0, 160 / n));
        QCOMPARE(cell(row, "task"), std::string(depot ? "cvrp" : "tsp"));
        const std::string policy = cell(row, "policy");
        if (i % 5 == 0) {
            QCOMPARE(policy, std::string("vanilla"));
            QVERIFY(std::holds_alternative<std::monostate>(*row.find("where")) && std::isnan(row.number("change")) &&
                    std::isnan(row.number("p")));
        }
        if (policy.starts_with("infoscale")) {  // N = 10 is below e^2.5: it has no value
            QVERIFY(std::isnan(row.number("length")));
            continue;
        }
        QVERIFY(row.number("length") > 0 && row.number("stderr") > 0 && row.number("entropy_encoder") > 0 &&
                row.number("entropy_decoder") > 0);
        QVERIFY(row.number("gap_improved") > row.number("gap_nearest"));
        if (i % 5 != 0)
            QVERIFY((row.number("p") >= 0 && row.number("p") <= 1) || row.number("change") == 0);
        if (policy.starts_with("softmax_plus")) {  // ln n / ln N: 1 at N, above it beyond, so that entropy falls
            QVERIFY(n > 10 || row.number("change") == 0);
            QVERIFY(n == 10 || row.number("entropy_encoder") < rows[i - i % 5].number("entropy_encoder"));
        }
    }
    QCOMPARE(result.notes,
             (std::vector<std::string>{"infoscale:eps=2.5 has no value at n = 10, 20, 40: its rows there are blank"}));
    QCOMPARE(tableOf(result, "heads").size(), std::size_t{6 * 9});  // 2 layers of 2 heads, and the decoder's 2
}

void TestRouting::theLabRunsFilesOfInstances()
{
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3));
    const std::string instances = folder.filePath("instances.safetensors").toStdString();
    std::vector<float> places;
    for (int i = 0; i < 2 * 3 * 12; ++i)
        places.push_back(static_cast<float>(std::fmod(i * 0.61803, 1)));
    QVERIFY(path && writeSafetensors(
                        instances,
                        std::vector{tensorView("tsp.12.cities", {3, 12, 2}, std::span<const float>(places)),
                                    tensorView("tsp.6.cities", {3, 6, 2}, std::span<const float>(places).first(36))}));
    Choice choice = choose("routing");
    choice.text = "vanilla; softmax_plus | decoder | " + *path + " | " + instances;
    const std::vector<LabRow> rows = tableOf(runOrFail({.choice = choice}), "quality");
    QCOMPARE(rows.size(), std::size_t{4});
    const auto model = openAttentionModel(*path);
    const auto read = readInstances(instances, false);
    for (const auto& [row, n, decoder] : {std::tuple{0, 6, false}, {2, 12, false}, {3, 12, true}}) {
        const ScalePolicy policy{.method = {decoder ? "softmax_plus" : "vanilla", {}, {}},
                                 .encoder = false,
                                 .decoder = true,
                                 .trainLength = 6};  // the smallest size of the file
        const auto run = runRouting(*model, read->at(n), {.policy = policy});
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
            sum += lengthOf(read->at(n)[i], run->solutions[i].front()) / 3;
        QCOMPARE(rows[static_cast<std::size_t>(row)].number("length"), sum);
    }
}

/// At N entropy_measured is the identity, however far apart the cities of a file lie; without instances of N it holds
/// the entropies of others, and says so. What a file says is not asked for beside it.
void TestRouting::entropiesOfAFileAreHeld()
{
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3));
    const std::string instances = folder.filePath("instances.safetensors").toStdString();
    std::vector<float> places;
    for (int i = 0; i < 2 * 3 * 12; ++i)
        places.push_back(static_cast<float>(5 * std::fmod(i * 0.61803, 1)));
    QVERIFY(path && writeSafetensors(
                        instances,
                        std::vector{tensorView("tsp.12.cities", {3, 12, 2}, std::span<const float>(places)),
                                    tensorView("tsp.6.cities", {3, 6, 2}, std::span<const float>(places).first(36))}));
    Choice choice = choose("routing");
    choice.text = "vanilla; entropy_measured | encoder | " + *path + " | " + instances;
    const LabResult result = runOrFail({.choice = choice});
    const std::vector<LabRow> heads = tableOf(result, "heads");
    int atN = 0;
    for (const LabRow& row : heads)
        if (row.number("n") == 6 && !std::isnan(row.number("multiplier"))) {
            QVERIFY2(std::abs(row.number("multiplier") - 1) < 1e-6,
                     qPrintable(QString::number(row.number("multiplier"))));
            ++atN;
        }
    QVERIFY(atN > 0);
    QCOMPARE(tableOf(result, "quality")[1].number("change"), 0.0);
    QVERIFY(result.notes.empty());
    choice.values["length"] = 7;
    const LabResult elsewhere = runOrFail({.choice = choice});
    QCOMPARE(elsewhere.notes, (std::vector<std::string>{
                                  instances + " has no instances of N = 7: entropy_measured holds the entropies of "
                                              "instances drawn in the unit square"}));
    choice.values.erase("length");
    for (const char* id : {"sets", "most", "capacity", "whole_demands"}) {
        Choice asked = choice;
        asked.values[id] = id == std::string("whole_demands") ? 0 : 11;
        const auto refused = runLab({.choice = asked}, {}, {});
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.starts_with(std::string(id) +
                                                     " is a choice of drawn instances, and those of " + instances +
                                                     " are all tested as they are"),
                 refused.error().message.c_str());
    }
}

void TestRouting::trainedNetworksAreWhatTheModelRuns_data()
{
    QTest::addColumn<bool>("depot");
    QTest::newRow("tsp") << false;
    QTest::newRow("cvrp") << true;
}

/// Of tours that core/model draws from a saved network, its decoder and the one with gradients give the same
/// probabilities: to float32's rounding of some twenty logarithms.
void TestRouting::trainedNetworksAreWhatTheModelRuns()
{
    QFETCH(bool, depot);
    QTemporaryDir folder;
    const std::string path = folder.filePath("network.safetensors").toStdString();
    RoutingTrainer trainer({.shape = {.encoder = {.layers = 2, .width = 16, .inner = 24, .heads = 4}, .depot = depot},
                            .draw = {.depot = depot, .size = 9, .capacity = 20},
                            .learning = {.batch = 8, .solutions = 6, .steps = 20, .warmup = 2, .rate = 5e-3}});
    for (int step = 0; step < 20; ++step)
        trainer.step();
    QVERIFY(learn::saveRouting(path, trainer.network(), trainer.settings().metadata(), false));
    const auto model = openAttentionModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY(model->hasDepot == depot && model->trainLength == 9 && model->layers.size() == 2 &&
            model->layers[0].afterFeed.layer);
    std::vector<RoutingInstance> instances;
    for (int i = 0; i < 3; ++i)
        instances.push_back(drawInstance(trainer.settings().draw, i));
    const auto run = runRouting(*model, instances, {.policy = {}, .samples = 7, .seed = 5});
    QVERIFY2(run, run ? "" : run.error().message.c_str());
    learn::Tape tape;
    const auto made = learn::tourLoss(
        tape, trainer.network()(tape, instances), instances, {.solutions = 7, .given = run->solutions}, 7,
        [](learn::Index, std::span<const Tour>, std::span<float> weights) { std::ranges::fill(weights, 1.0f); });
    double least = 0, most = -1e9;
    for (std::size_t i = 0; i < instances.size(); ++i)
        for (std::size_t k = 0; k < 7; ++k) {
            const double ours = made.logProbabilities[i][k], theirs = run->logProbabilities[i][k];
            QVERIFY2(std::abs(ours - theirs) < 1e-4, (std::to_string(ours) + " and " + std::to_string(theirs)).c_str());
            least = std::min(least, ours);
            most = std::max(most, ours);
        }
    QVERIFY(most > least + 0.5);  // unlike tours
}

void TestRouting::trainingShortensTours_data() { trainedNetworksAreWhatTheModelRuns_data(); }

/// Greedy tours of 100 instances that it never saw, by the same network before and after some seconds of training.
void TestRouting::trainingShortensTours()
{
    QFETCH(bool, depot);
    RoutingTrainer trainer({.shape = {.encoder = {.layers = 2, .width = 32, .inner = 64, .heads = 4}, .depot = depot},
                            .draw = {.depot = depot, .size = 8, .capacity = 20},
                            .learning = {.batch = 32, .solutions = 8, .steps = 200, .warmup = 20, .rate = 2e-3}});
    std::vector<RoutingInstance> instances;
    for (int i = 0; i < 100; ++i)
        instances.push_back(drawInstance(trainer.settings().draw, i));
    const auto set = makeRoutingSet(instances, {});
    RoutingStore store;
    const auto lengths = [&] {
        const auto model = store.keep(trainer.network(), {}, "now", trainer.settings().metadata());
        const auto score = model ? scoreRouting(*model, *set, {.trainLength = 8}, {}) : tl::unexpected(model.error());
        if (!score)
            qFatal("%s", score.error().message.c_str());
        return (*score)->values;
    };
    const std::vector<double> before = lengths();
    double first = 0;
    for (int step = 0; step < 200; ++step) {
        const DrawnCosts found = trainer.step();
        first += step == 0 ? found.mean : 0;
        QVERIFY(found.least < found.mean);
    }
    const std::vector<double> after = lengths();
    const double was = sampleMean(before).mean, is = sampleMean(after).mean, nearest = sampleMean(set->nearest).mean;
    const std::string found = "before " + std::to_string(was) + ", drawn at first " + std::to_string(first) +
                              ", after " + std::to_string(is) + ", nearest neighbour " + std::to_string(nearest);
    QVERIFY2(pairedTTest(after, before).value_or(1) < 1e-12 && is < 0.9 * was && is < nearest, found.c_str());
}

/// While it trains: tours of one instance as they are now, rows of training, and a short test of the network as it is.
void TestRouting::itShowsToursWhileItLearns()
{
    int pictures = 0, previews = 0;
    const LabResult result = runOrFail({.choice = choose("routing:steps=30,warmup=3,length=6,batch=8,tours=4,width=16,"
                                                         "inner=16,heads=2,layers=1,sets=4,most=2,vanilla")},
                                       [&](const LabUpdate& update) {
                                           for (const LabTours& tours : update.tours)
                                               if (tours.id == "learning") {
                                                   ++pictures;
                                                   QCOMPARE(tours.panels.size(), std::size_t{2});
                                                   QCOMPARE(tours.panels[0].edges.size(), std::size_t{6});
                                               }
                                           previews += std::ranges::any_of(update.live, [](const LabRow& row) {
                                               return row.table == "quality" && row.number("length") > 0;
                                           });
                                       });
    QVERIFY(pictures > 0 && previews > 0);
    QCOMPARE(tableOf(result, "training").size(), std::size_t{30});
    QCOMPARE(tableOf(result, "quality").size(), std::size_t{2});
}

/// Two networks: rows of each with its seed, and their means, whose changes are those of the rows.
void TestRouting::networksAreCompared()
{
    QTemporaryDir folder;
    Choice choice = choose(
        "routing:networks=2,seed=5,steps=3,length=6,batch=4,tours=3,width=8,inner=8,heads=2,layers=1,sets=8,most=2");
    choice.text = "vanilla; softmax_plus | both | |";
    const std::string kept = folder.filePath("run").toStdString();
    const LabResult result = runOrFail({.choice = choice, .folder = kept});
    const std::vector<LabRow> rows = tableOf(result, "quality"), seeds = tableOf(result, "seeds");
    QCOMPARE(rows.size(), std::size_t{8});
    QCOMPARE(seeds.size(), std::size_t{4});
    QCOMPARE(result.files.size(), std::size_t{2});
    double sum = 0;
    for (const LabRow& row : rows)
        if (row.number("n") == 12 && std::get<std::string>(*row.find("method")) == "softmax_plus")
            sum += row.number("change") / 2;
    QCOMPARE(seeds[3].number("change"), sum);
    QCOMPARE(seeds[3].number("networks"), 2.0);
    QVERIFY(seeds[3].number("p") >= 0 && seeds[3].number("p") <= 1 && std::isnan(seeds[2].number("p")));
    // a file that the run left is tested as the run tested it
    Choice again = choose("routing:seed=5,sets=8,most=2");
    again.text = "vanilla; softmax_plus | both | " + result.files[0].path;
    const std::vector<LabRow> reread = tableOf(runOrFail({.choice = again}), "quality");
    QCOMPARE(reread.size(), std::size_t{4});
    QCOMPARE(reread[0].number("length"), rows[0].number("length"));
    QCOMPARE(reread[3].number("length"), rows[5].number("length"));
}

/// README.md beside them has a row `FILE | COMMAND` for every network. The network says what it was trained with: what
/// the command says, and the lab's defaults.
void TestRouting::shippedNetworksAreWhatTheirCommandsMake()
{
    const QString resources = QStringLiteral(TEST_DATA) + "/../../resources/labs/";
    QFile readme(resources + "README.md");
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(readme.readAll()).split('\n');
    const Lab& lab = **findRow(labs(), "routing", "lab");
    for (const QString& name : QDir(resources).entryList({"*.safetensors"})) {
        const auto found = std::ranges::find_if(lines, [&](const QString& line) {
            return line.contains('`' + name + '`') && line.contains("`attnscope lab ");
        });
        QVERIFY2(found != lines.end(), qPrintable(name));
        if (!name.startsWith("tsp") && !name.startsWith("cvrp"))
            continue;
        const bool depot = name.startsWith("cvrp");
        const QString command = found->section("`attnscope lab ", 1).section('`', 0, 0).section(" --out", 0, 0);
        QStringList words = command.split(' ');
        QCOMPARE(words.takeFirst(), QStringLiteral("routing"));
        Choice choice{"routing", {}, {}};
        for (const QString& word : words)
            if (word != "--set")
                choice.values[word.section('=', 0, 0).toStdString()] = word.section('=', 1).toDouble();
        const Parameters parameters(lab, choice);
        const auto file = TensorFile::open((resources + name).toStdString());
        QVERIFY(file);
        for (const char* id :
             {"steps", "batch", "tours", "rate", "warmup", "clip", "layers", "width", "inner", "heads"})
            QCOMPARE(file->metadata().at(id), formatNumber(parameters[id]));
        QCOMPARE(file->metadata().at("task"), std::string(depot ? "cvrp" : "tsp"));
        QCOMPARE(parameters.on("vehicles"), depot);
        const std::int64_t seed = std::stoll(file->metadata().at("seed"));
        QVERIFY(static_cast<double>(seed) >= parameters["seed"] &&
                static_cast<double>(seed) < parameters["seed"] + parameters["networks"]);
        const auto model = shippedRouting(depot, std::stoll(file->metadata().at("length")));
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE(std::to_string(*model->trainLength), file->metadata().at("length"));
        QCOMPARE(parameters["length"] > 0 ? parameters["length"] : 20, static_cast<double>(*model->trainLength));
    }
    // and they are good: the nearest neighbour's tours of 20 cities are 17 % longer than the best, 2-opt's with Or-opt
    // less than 1 %
    for (const auto& [depot, length, file] : shippedRoutings()) {
        std::vector<RoutingInstance> instances;
        for (int i = 0; i < 2000 / length; ++i)
            instances.push_back(
                drawInstance({.depot = depot, .size = length, .capacity = usualCapacity(length), .seed = 77}, i));
        const auto set = makeRoutingSet(std::move(instances), {});
        const auto score =
            scoreRouting(*shippedRouting(depot, length), *set, {.trainLength = static_cast<double>(length)}, {});
        QVERIFY(score);
        const double gap = sampleMean((*score)->values).mean / sampleMean(set->improved).mean;
        QVERIFY2(gap < 1.05, std::to_string(gap).c_str());
    }
    QVERIFY(shippedRouting(false, 21).error().message.find("no network for 21 cities") != std::string::npos);
}

/// As published files do: nothing has to be set.
void TestRouting::aModelSaysItsNInWords()
{
    QTemporaryDir folder;
    const Metadata metadata{{"model", "Attention Model trained at n=7 (2 heads)"}};
    const auto path =
        writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3), metadata);
    Choice choice = choose("routing:sets=2,most=2");
    choice.text = "vanilla | both | " + *path;
    const std::vector<LabRow> rows = tableOf(runOrFail({.choice = choice}), "quality");
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].number("n"), 7.0);
    QCOMPARE(rows[1].number("n_over_train"), 2.0);
    choice.values["length"] = 5;  // what is set goes before
    QCOMPARE(tableOf(runOrFail({.choice = choice}), "quality")[0].number("n"), 5.0);
}

void TestRouting::textsAndModelsThatCannotBe_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no such model") << "vanilla | both | /nothing/here.safetensors"
                                   << "/nothing/here.safetensors";
    QTest::newRow("no training length") << "vanilla | both | MODEL"
                                        << "set length";
    QTest::newRow("no such place") << "vanilla | head | MODEL"
                                   << "or a layer of the encoder, 'layer 1'";
    QTest::newRow("no such method") << "vanila | both | MODEL"
                                    << "vanila";
    QTest::newRow("no method") << "| both | MODEL"
                               << "at least one scale method";
    QTest::newRow("too many parts") << "vanilla | both | MODEL | a | b"
                                    << "four parts";
    QTest::newRow("instances of another task") << "vanilla | both | MODEL | MODEL"
                                               << "tsp.100.cities";
}

void TestRouting::textsAndModelsThatCannotBe()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const auto path = writeTensors(folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3));
    Choice choice = choose("routing");
    choice.text = text.replace("MODEL", QString::fromStdString(*path)).toStdString();
    QCOMPARE(notRefused(choice, says), QString());
}

void TestRouting::choicesThatCannotBe_data()
{
    QTest::addColumn<QString>("choice");
    QTest::addColumn<QString>("says");
    QTest::newRow("heads") << "routing:heads=3"
                           << "heads must divide width";
    QTest::newRow("one city") << "routing:length=1"
                              << "2 or more";
    QTest::newRow("more than memory holds") << "routing:length=20000"
                                            << "GB of memory";
    QTest::newRow("capacity") << "routing:vehicles=1,capacity=5"
                              << "capacity to 9 or more";
    QTest::newRow("training what is trained") << "routing:steps=0,width=64"
                                              << "width is a choice of training";
    QTest::newRow("length of what is trained") << "routing:steps=0,length=30"
                                               << "no network for 30 cities";
    QTest::newRow("more than there are") << "routing:steps=0,networks=50"
                                         << "networks is a choice of training";
    QTest::newRow("several of one file") << "routing:networks=2,\"vanilla | both | model.safetensors\""
                                         << "networks is a choice of training";
}

void TestRouting::choicesThatCannotBe()
{
    QFETCH(QString, choice);
    QFETCH(QString, says);
    QCOMPARE(notRefused(choose(choice.toStdString()), says), QString());
}

QTEST_GUILESS_MAIN(TestRouting)
#include "test_routing.moc"
