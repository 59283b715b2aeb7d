// The lab packing and what it stands on: boxes are the same everywhere, orders are what their names say, what it trains
// is what core/model runs, and learns; rows are what the packings say, resumed or not.

#include "run_lab.h"

#include "core/labs/lab_record.h"
#include "core/labs/packing/packing_evaluation.h"
#include "core/labs/packing/packing_instances.h"
#include "core/labs/packing/packing_trainer.h"
#include "core/networks/packing_state.h"
#include "core/labs/policies/policy_networks.h"
#include "core/statistics/samples.h"
#include "tests/support/check_solutions.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

const std::string small =
    "packing:steps=6,warmup=2,length=6,batch=4,packings=3,width=8,inner=8,heads=2,layers=1,sets=8,most=2";

PackingSettings smallSettings()
{
    return {.shape = {.encoder = {.layers = 2, .width = 32, .inner = 64, .heads = 4}},
            .draw = {.size = 10, .seed = 1},
            .bins = {{120, 100}},
            .learning = {.batch = 32, .solutions = 6, .steps = 150, .warmup = 20, .rate = 2e-3}};
}

/// Stops a run once it has reported so many rows of training.
LabCallback stopping(std::stop_source& source, int after)
{
    return [&source, after, seen = 0](const LabUpdate& update) mutable {
        seen += static_cast<int>(std::ranges::count(update.rows, std::string("training"), &LabRow::table));
        if (seen >= after)
            source.request_stop();
    };
}

}  // namespace

class TestPacking : public QObject {
    Q_OBJECT
private slots:
    void boxesAreTheSameEverywhere();
    void ordersAreWhatTheirNamesSay();
    void featuresDoNotDependOnHowABoxLies();
    void trainedNetworksAreWhatTheModelRuns();
    void samplesAreDrawnAndTheBestIsKept();
    void trainingFillsTheBin();
    void rowsSayWhatThePackingsSay();
    void meansAreOverTheBins();
    void itShowsPackingsWhileItLearns();
    void networksAreCompared();
    void aRunThatWasStoppedGoesOn();
    void aRunGoesOnAsItBegan();
    void packingsAreKeptInTheRecord();
    void headsKeepTheEntropiesOfTheirBin();
    void moreInstancesChangeNoneOfTheOthers();
    void theShippedNetworkIsWhatItsCommandMakes();
    void theShippedNetworkPacksBetterThanByVolume_data();
    void theShippedNetworkPacksBetterThanByVolume();
    void instancesGrow();
    void badChoicesAreNamed_data();
    void badChoicesAreNamed();
};

/// Sides from 10 to 50, each of the 41 as often: the mean of 30 000 is within five standard errors (0.068 each) of 30.
void TestPacking::boxesAreTheSameEverywhere()
{
    const PackingInstance one = drawBoxes({20, 3}, paperBins()[0], 7), longer = drawBoxes({40, 3}, paperBins()[2], 7),
                          other = drawBoxes({20, 3}, paperBins()[0], 8);
    QVERIFY(std::equal(one.boxes.begin(), one.boxes.end(), longer.boxes.begin()));
    QVERIFY(one.boxes != other.boxes);
    QCOMPARE(one.size(), std::int64_t{20});
    double sum = 0;
    int count = 0;
    std::set<int> seen;
    for (const Sides& sides : drawBoxes({10000, 1}, paperBins()[0], 0).boxes)
        for (const int side : sides) {
            QVERIFY(side >= 10 && side <= 50);
            seen.insert(side);
            sum += side;
            ++count;
        }
    QCOMPARE(seen.size(), std::size_t{41});
    QVERIFY(std::abs(sum / count - 30) < 5 * 0.068);
    QCOMPARE(labelOf(paperBins()[1]), std::string("140 x 110"));
}

void TestPacking::ordersAreWhatTheirNamesSay()
{
    const PackingInstance instance{{120, 100}, {{10, 10, 10}, {50, 50, 50}, {20, 20, 20}, {10, 100, 8}}};
    QCOMPARE(volumeOrder(instance), (std::vector<int>{1, 2, 3, 0}));  // 8 000 twice, as they come
    const PackingInstance many = drawBoxes({30, 1}, paperBins()[0], 0);
    std::vector<int> random = randomOrder(many, 5, 2);
    QVERIFY(random != randomOrder(many, 5, 3));
    QCOMPARE(random, randomOrder(many, 5, 2));
    std::ranges::sort(random);
    for (int box = 0; box < 30; ++box)
        QCOMPARE(random[static_cast<std::size_t>(box)], box);
}

void TestPacking::featuresDoNotDependOnHowABoxLies()
{
    PackingInstance instance = drawBoxes({5, 1}, paperBins()[0], 0);
    const Matrix before = describeBoxes({&instance, 1});
    for (Sides& sides : instance.boxes)
        sides = turned(sides, 3);
    QVERIFY(before == describeBoxes({&instance, 1}));
}

/// Packings that core/model draws from a saved network have the probabilities that the network in training gives them,
/// and so its decoder, its features and its file are the same. In float32, and of sums of 2 x 6 logarithms.
void TestPacking::trainedNetworksAreWhatTheModelRuns()
{
    PackingTrainer trainer({.shape = {.encoder = {.layers = 2, .width = 16, .inner = 24, .heads = 4}},
                            .draw = {.size = 6, .seed = 2},
                            .bins = {{120, 100}},
                            .learning = {.batch = 8, .solutions = 4, .steps = 5, .warmup = 1, .rate = 1e-2}});
    for (int step = 0; step < 5; ++step)
        trainer.step();
    QTemporaryDir folder;
    const std::string path = folder.filePath("network.safetensors").toStdString();
    QVERIFY(learn::savePacking(path, trainer.network(), trainer.settings().metadata(), false));
    const auto model = openPackingModel(path);
    QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
    QCOMPARE(*model->trainLength, std::int64_t{6});
    std::vector<PackingInstance> instances;
    for (int i = 0; i < 3; ++i)
        instances.push_back(drawBoxes({6, 9}, {120, 100}, i));
    const auto run = runPacking(*model, instances, {.policy = {}, .samples = 5, .seed = 4});
    QVERIFY(run.has_value());
    learn::Tape tape;
    const auto noWeights = [](learn::Index, std::span<const Packing>, std::span<float> weights) {
        std::ranges::fill(weights, 0.0f);
    };
    const auto drawn = learn::packingLoss(tape, trainer.network()(tape, instances), instances,
                                          {.solutions = 5, .given = run->solutions}, noWeights);
    double least = 0, most = -1e9;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 5; ++k) {
            const double ours = run->logProbabilities[i][k], theirs = drawn.logProbabilities[i][k];
            QVERIFY2(std::abs(ours - theirs) < 2e-4, qPrintable(QString("%1 and %2").arg(ours).arg(theirs)));
            QCOMPARE(drawn.solutions[i][k], run->solutions[i][k]);
            QVERIFY(checkPacking(instances[i], run->solutions[i][k]));
            least = std::min(least, ours);
            most = std::max(most, ours);
        }
    QVERIFY(most > least + 0.5);  // unlike packings
}

void TestPacking::samplesAreDrawnAndTheBestIsKept()
{
    PackingTrainer trainer(smallSettings());
    PackingStore store;
    const auto model = store.keep(trainer.network(), {}, "now", trainer.settings().metadata());
    QVERIFY(model.has_value());
    const auto set = makePackingSet({10, 1}, {120, 100}, 20, {});
    const ScalePolicy policy{.trainLength = 10};
    const auto greedy = scorePacking(*model, *set, policy, {}, {}),
               eight = scorePacking(*model, *set, policy, {8, 1}, {}),
               other = scorePacking(*model, *set, policy, {8, 2}, {});
    QVERIFY(greedy && eight && other);
    const auto mean = [](const auto& score) { return sampleMean((*score)->values).mean; };
    QVERIFY(mean(eight) > mean(greedy));
    QVERIFY((*eight)->solutions != (*other)->solutions);
    const auto run = runPacking(*model, set->instances, {.policy = policy, .samples = 8, .seed = 1});
    QVERIFY(run.has_value());
    for (std::size_t i = 0; i < 20; ++i) {
        double best = 0;
        for (const Packing& packing : run->solutions[i])
            best = std::max(best, loadRateOf(set->instances[i], packing));
        QCOMPARE((*eight)->values[i], best);
        QVERIFY(checkPacking(set->instances[i], (*eight)->solutions[i]));
    }
}

/// Greedy packings of 60 instances that it never saw, by the same network before and after some seconds of training.
void TestPacking::trainingFillsTheBin()
{
    PackingTrainer trainer(smallSettings());
    const auto set = makePackingSet(trainer.settings().draw, {120, 100}, 60, {});
    PackingStore store;
    const auto loads = [&] {
        const auto model = store.keep(trainer.network(), {}, "now", trainer.settings().metadata());
        const auto score =
            model ? scorePacking(*model, *set, {.trainLength = 10}, {}, {}) : tl::unexpected(model.error());
        if (!score)
            qFatal("%s", score.error().message.c_str());
        return (*score)->values;
    };
    const std::vector<double> before = loads();
    for (int step = 0; step < 150; ++step) {
        const DrawnCosts found = trainer.step();
        QVERIFY(found.least < found.mean && found.least >= 1);
    }
    const std::vector<double> after = loads();
    const double was = sampleMean(before).mean, is = sampleMean(after).mean;
    QVERIFY2(
        pairedTTest(after, before).value_or(1) < 1e-6 && is > was + 0.03,
        qPrintable(QString("before %1, after %2, by volume %3").arg(was).arg(is).arg(sampleMean(set->byVolume).mean)));
}

void TestPacking::rowsSayWhatThePackingsSay()
{
    Choice choice = choose(small + ",bin=2");
    choice.text = "vanilla; softmax_plus | encoder; both |";
    const LabResult result = runOrFail({.choice = choice});
    const std::vector<LabRow> rows = tableOf(result, "quality");
    QCOMPARE(rows.size(), std::size_t{6});  // vanilla and two places, at 6 and 12 boxes
    QCOMPARE(tableOf(result, "heads").size(), std::size_t{6 * 4});
    const auto set = makePackingSet({12, 1}, paperBins()[1], 8, {});
    double byVolume = 0;
    for (const double load : set->byVolume)
        byVolume += 100 * load / 8;
    for (const LabRow& row : rows) {
        QCOMPARE(std::get<std::string>(*row.find("bin")), std::string("140 x 110"));
        QVERIFY(row.number("load_rate") > 5 && row.number("load_rate") <= 100);
        QVERIFY(std::abs(row.number("load_rate") - row.number("volume_order") - row.number("above_volume")) < 1e-9);
        QVERIFY(row.number("entropy_encoder") > 0 && row.number("entropy_encoder") <= std::log(row.number("n")) + 1e-6);
    }
    QVERIFY(std::abs(rows[3].number("volume_order") - byVolume) < 1e-9);
    QVERIFY(std::isnan(rows[3].number("change")));
    QVERIFY(std::abs(rows[4].number("load_rate") - rows[3].number("load_rate") - rows[4].number("change")) < 1e-9);
    const std::vector<LabRow> means = tableOf(result, "means");
    QCOMPARE(means.size(), rows.size());  // of one bin
    QCOMPARE(means[4].number("load_rate"), rows[4].number("load_rate"));
    // at N softmax_plus is vanilla: its factor is 1
    QVERIFY(std::abs(rows[1].number("change")) < 1e-9);
}

void TestPacking::meansAreOverTheBins()
{
    const LabResult result = runOrFail({.choice = choose("packing:steps=3,length=6,batch=4,packings=3,width=8,inner=8,"
                                                         "heads=2,layers=1,sets=4,most=1,\"vanilla; softmax_plus\"")});
    const std::vector<LabRow> rows = tableOf(result, "quality"), means = tableOf(result, "means");
    QCOMPARE(rows.size(), std::size_t{6});  // three bins, two policies
    QCOMPARE(means.size(), std::size_t{2});
    QCOMPARE(means[0].number("bins"), 3.0);
    QVERIFY(std::abs(means[0].number("load_rate") -
                     (rows[0].number("load_rate") + rows[2].number("load_rate") + rows[4].number("load_rate")) / 3) <
            1e-9);
    QVERIFY(std::isnan(means[0].number("change")) && std::abs(means[1].number("change")) < 1e-9);
}

/// Packings of one instance as they are now, and live rows of a short test of the network as it is, at N and 2 N.
void TestPacking::itShowsPackingsWhileItLearns()
{
    int learning = 0, tested = 0, previews = 0;
    const LabResult result =
        runOrFail({.choice = choose("packing:bin=1,steps=30,warmup=3,length=6,batch=8,packings=4,width=16,inner=16,"
                                    "heads=2,layers=1,sets=4,most=2,vanilla")},
                  [&](const LabUpdate& update) {
                      for (const LabPackings& packings : update.packings) {
                          ++(packings.id == "learning" ? learning : tested);
                          QCOMPARE(packings.panels.size(), std::size_t{2});
                          QCOMPARE(packings.length, 120);
                          for (const LabPackings::Panel& panel : packings.panels)
                              QCOMPARE(panel.boxes.size(), packings.id == "n12_120" ? std::size_t{12} : std::size_t{6});
                      }
                      for (const double n : {6.0, 12.0})
                          previews += std::ranges::any_of(update.live, [&](const LabRow& row) {
                              return row.table == "means" && row.number("n") == n && row.number("load_rate") > 0;
                          });
                  });
    QVERIFY(learning > 0 && tested == 2);
    QVERIFY(previews > 0 && previews % 2 == 0);
    QCOMPARE(tableOf(result, "training").size(), std::size_t{30});
}

/// Two networks: rows of each with its seed, and their means; a file that the run left is tested as the run tested it.
void TestPacking::networksAreCompared()
{
    QTemporaryDir folder;
    Choice choice = choose(small + ",bin=1,networks=2,seed=5");
    choice.text = "vanilla; softmax_plus | both |";
    const LabResult result = runOrFail({.choice = choice, .folder = folder.filePath("run").toStdString()});
    const std::vector<LabRow> rows = tableOf(result, "quality"), seeds = tableOf(result, "seeds");
    QCOMPARE(rows.size(), std::size_t{8});
    QCOMPARE(seeds.size(), std::size_t{4});
    QCOMPARE(result.files.size(), std::size_t{2});
    double sum = 0;
    for (const LabRow& row : rows)
        if (row.number("n") == 12 && std::get<std::string>(*row.find("method")) == "softmax_plus")
            sum += row.number("change") / 2;
    QVERIFY(std::abs(seeds[3].number("change") - sum) < 1e-9);
    Choice again = choose("packing:bin=1,seed=5,sets=8,most=2");
    again.text = "vanilla; softmax_plus | both | " + result.files[0].path;
    const std::vector<LabRow> reread = tableOf(runOrFail({.choice = again}), "quality");
    QCOMPARE(reread.size(), std::size_t{4});
    QCOMPARE(reread[0].number("load_rate"), rows[0].number("load_rate"));
    QCOMPARE(reread[3].number("load_rate"), rows[5].number("load_rate"));
}

void TestPacking::aRunThatWasStoppedGoesOn()
{
    QTemporaryDir folder;
    const Choice choice = choose("packing:bin=1,steps=60,warmup=2,length=8,batch=16,packings=6,width=16,inner=16,heads="
                                 "2,layers=1,sets=4,most=1,vanilla");
    const std::string left = folder.filePath("left alone").toStdString(), kept = folder.filePath("run").toStdString();
    const LabResult whole = runOrFail({.choice = choice, .folder = left});
    std::stop_source source;
    const auto stopped = runLab({.choice = choice, .folder = kept}, source.get_token(), stopping(source, 1));
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    const LabResult resumed = runOrFail({.choice = choice, .folder = kept, .resume = true});
    QCOMPARE(resumed.rows.size(), whole.rows.size());
    for (std::size_t i = 0; i < whole.rows.size(); ++i)
        QVERIFY2(resumed.rows[i].cells == whole.rows[i].cells, whole.rows[i].table.c_str());
    for (int again = 0; again < 2; ++again) {  // the same pictures, of a finished run that goes on as well
        const auto one = readRecord(left), other = readRecord(kept);
        QVERIFY(one && other);
        QCOMPARE(other->packings.size(), one->packings.size());
        for (std::size_t i = 0; i < one->packings.size(); ++i)
            QCOMPARE(other->packings[i].id, one->packings[i].id);
        runOrFail({.choice = choice, .folder = kept, .resume = true});
    }
}

/// The checkpoint of a training that grew is none of one that did not.
void TestPacking::aRunGoesOnAsItBegan()
{
    QTemporaryDir folder;
    const std::string kept = folder.filePath("run").toStdString();
    Choice choice = choose("packing:from=4,bin=1,steps=100000,warmup=2,length=8,batch=16,packings=6,width=16,inner=16,"
                           "heads=2,layers=1,sets=4,most=1,vanilla");
    std::stop_source source;
    QVERIFY(!runLab({.choice = choice, .folder = kept}, source.get_token(), stopping(source, 1)));
    choice.values["from"] = 0;
    const auto resumed = runLab({.choice = choice, .folder = kept, .resume = true}, {}, {});
    QVERIFY(!resumed && resumed.error().message.find("was trained with from = 4") != std::string::npos);
}

void TestPacking::packingsAreKeptInTheRecord()
{
    QTemporaryDir folder;
    LabRecord record{.choice = choose("packing"),
                     .packings = {{"n2",
                                   "n = 2",
                                   120,
                                   100,
                                   {{"vanilla", {{1, {0, 0, 0}, {30, 20, 10}}, {0, {0, 20, 0}, {12, 50, 11}}}},
                                    {"infoscale", {}}}}}};
    QVERIFY(saveRecord(folder.path().toStdString(), record));
    const auto read = readRecord(folder.path().toStdString());
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(read->packings.size(), std::size_t{1});
    const LabPackings& packings = read->packings.front();
    QCOMPARE(packings.id, std::string("n2"));
    QCOMPARE(packings.length, 120);
    QCOMPARE(packings.panels.size(), std::size_t{2});
    QCOMPARE(packings.panels[0].boxes[1].at, (std::array{0, 20, 0}));
    QCOMPARE(packings.panels[0].boxes[0].sides, (std::array{30, 20, 10}));
    QCOMPARE(packings.panels[0].boxes[0].number, 1);
    for (const auto& [at, sides] : {std::pair{std::array{0, 0, -1}, std::array{1, 1, 1}},
                                    {{0, 2'000'000, 0}, {1, 1, 1}},
                                    {{0, 0, 0}, {1, 0, 1}}}) {
        record.packings[0].panels[0].boxes[1] = {0, at, sides};
        QVERIFY(saveRecord(folder.path().toStdString(), record));
        const auto refused = readRecord(folder.path().toStdString());
        QVERIFY(!refused &&
                QString::fromStdString(refused.error().message).contains("packings[0].panels[0].boxes[1] must be"));
    }
}

/// Every bin has entropies of its own at N: there entropy_measured takes no scale in any of them.
void TestPacking::headsKeepTheEntropiesOfTheirBin()
{
    Choice choice = choose("packing:steps=0,sets=4,most=1");
    choice.text = "vanilla; entropy_measured";
    const LabResult result = runOrFail({.choice = choice});
    int compared = 0;
    for (const LabRow& row : tableOf(result, "quality"))
        if (*row.find("method") == LabValue("entropy_measured")) {
            QVERIFY(std::abs(row.number("change")) < 0.5);
            for (const LabRow& plain : tableOf(result, "quality"))
                if (*plain.find("method") == LabValue("vanilla") && *plain.find("bin") == *row.find("bin")) {
                    QVERIFY(std::abs(row.number("entropy_encoder") - plain.number("entropy_encoder")) < 1e-3);
                    ++compared;
                }
        }
    QCOMPARE(compared, 3);
}

/// Drawn packings of an instance too are the same whatever is packed beside it: 40 instances of 300 boxes are more than
/// a batch.
void TestPacking::moreInstancesChangeNoneOfTheOthers()
{
    const auto model = shippedPacking(20);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto some = makePackingSet({.size = 300, .seed = 4}, {120, 100}, 28, {}),
               all = makePackingSet({.size = 300, .seed = 4}, {120, 100}, 40, {});
    QVERIFY(some && all);
    const auto few = scorePacking(*model, *some, {}, {.samples = 1, .seed = 2}, {}),
               many = scorePacking(*model, *all, {}, {.samples = 1, .seed = 2}, {});
    QVERIFY(few && *few && many && *many);
    QVERIFY(std::ranges::equal((*few)->values, std::span((*many)->values).first(28)));
    QVERIFY(std::set<double>((*few)->values.begin(), (*few)->values.end()).size() > 20);
}

/// The network says what it was trained with: what the command in README.md says, and the lab's defaults.
void TestPacking::theShippedNetworkIsWhatItsCommandMakes()
{
    QFile readme(QStringLiteral(TEST_DATA) + "/../../resources/labs/README.md");
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QString commands = QString::fromUtf8(readme.readAll());
    for (const auto& [length, set] : {std::pair(20, QStringLiteral("steps=1500")),
                                      std::pair(50, QStringLiteral("length=50 --set from=20 --set steps=1200"))}) {
        QVERIFY(
            commands.contains(QString("| `packing%1_seed1.safetensors` | `attnscope lab packing --set %2 --out DIR` |")
                                  .arg(length)
                                  .arg(set)));
        const auto file =
            TensorFile::open(QString(QStringLiteral(TEST_DATA) + "/../../resources/labs/packing%1_seed1.safetensors")
                                 .arg(length)
                                 .toStdString());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        const Choice choice = choose("packing:" + QString(set).replace(" --set ", ",").toStdString());
        const Parameters parameters(**findRow(labs(), "packing", "lab"), choice);
        for (const char* id :
             {"steps", "batch", "packings", "rate", "warmup", "clip", "layers", "width", "inner", "heads", "seed"})
            QCOMPARE(file->metadata().at(id), formatNumber(parameters[id]));
        QCOMPARE(file->metadata().contains("from") ? std::stoi(file->metadata().at("from")) : 0,
                 static_cast<int>(parameters["from"]));
        QCOMPARE(file->metadata().at("length"), std::to_string(length));
        QCOMPARE(file->metadata().at("bins"), std::string("120 x 100, 140 x 110, 160 x 120"));
    }
    QVERIFY(!shippedPacking(30));
}

/// Greedy packings in the three bins, by the networks that come with the program, of as many boxes as each learned
/// from.
void TestPacking::theShippedNetworkPacksBetterThanByVolume_data()
{
    QTest::addColumn<int>("length");
    QTest::addRow("20 boxes") << 20;
    QTest::addRow("50 boxes") << 50;
}

void TestPacking::theShippedNetworkPacksBetterThanByVolume()
{
    QFETCH(int, length);
    const auto model = shippedPacking(length);
    QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
    std::vector<double> ours, byVolume;
    for (const Bin& bin : paperBins()) {
        const auto set = makePackingSet({length, 77}, bin, 40, {});
        const auto score = scorePacking(*model, *set, {.trainLength = static_cast<double>(length)}, {}, {});
        QVERIFY(score.has_value() && score->has_value());
        ours.insert(ours.end(), (*score)->values.begin(), (*score)->values.end());
        byVolume.insert(byVolume.end(), set->byVolume.begin(), set->byVolume.end());
    }
    QVERIFY2(sampleMean(ours).mean > sampleMean(byVolume).mean,
             qPrintable(QString("%1 and %2").arg(sampleMean(ours).mean).arg(sampleMean(byVolume).mean)));
}

/// Evenly over the first half of 100 steps; a step of fewer boxes is learned from too.
void TestPacking::instancesGrow()
{
    const ReinforceSettings growing{.steps = 100, .from = 20}, steady{.steps = 100};
    const std::pair<std::int64_t, std::int64_t> sizes[] = {{0, 20},  {1, 20},  {10, 26}, {25, 35},
                                                           {49, 49}, {50, 50}, {99, 50}, {1000, 50}};
    for (const auto& [step, size] : sizes) {
        QCOMPARE(growing.sizeAt(step, 50), size);
        QCOMPARE(steady.sizeAt(step, 50), std::int64_t(50));
    }
    PackingSettings settings = smallSettings();
    settings.learning.from = 4;
    QCOMPARE(settings.metadata().at("from"), std::string("4"));
    PackingTrainer trainer(settings);
    QVERIFY(trainer.step().least >= 1);
}

void TestPacking::badChoicesAreNamed_data()
{
    QTest::addColumn<QString>("choice");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::addRow("heads") << "packing:width=10,heads=4"
                           << "vanilla"
                           << "heads must divide width";
    QTest::addRow("one box") << "packing:length=1"
                             << "vanilla"
                             << "length to 2 or more";
    QTest::addRow("more at first") << "packing:length=30,from=31"
                                   << "vanilla"
                                   << "from 2 to 30 elements";
    QTest::addRow("memory") << "packing:length=9000"
                            << "vanilla"
                            << "GB of memory";
    QTest::addRow("where") << "packing"
                           << "vanilla | nowhere"
                           << "acts in 'encoder'";
    QTest::addRow("parts") << "packing"
                           << "vanilla | both | a | b"
                           << "more than three parts";
    QTest::addRow("no method") << "packing"
                               << " | both"
                               << "at least one scale method";
    QTest::addRow("no such file") << "packing"
                                  << "vanilla | both | /nowhere/network.safetensors"
                                  << "/nowhere/network.safetensors";
    QTest::addRow("needless") << "packing:steps=0,rate=0.1"
                              << "vanilla"
                              << "rate is a choice of training";
}

void TestPacking::badChoicesAreNamed()
{
    QFETCH(QString, choice);
    QFETCH(QString, text);
    QFETCH(QString, message);
    QCOMPARE(notRefused(choose(choice, text), message), QString());
}

QTEST_GUILESS_MAIN(TestPacking)
#include "test_packing.moc"
