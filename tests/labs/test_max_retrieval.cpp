// The max-retrieval head: it is the paper's attention, its evaluation is the model, its statistics are right, and what
// is written of it is what it computes.

#include "run_lab.h"

#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_head.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "core/model/generated_text.h"
#include "core/statistics/samples.h"

#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

using namespace attnscope;

class TestMaxRetrieval : public QObject {
    Q_OBJECT
private slots:
    void headIsTheAttentionOfThePaper();
    void evaluationIsTheModel();
    void roundedPrioritiesHideTheLargest();
    void shippedHeadFindsTheLargest();
    void temperatureFitFindsTheBestWeight();
    void temperatureFitIsInverseLeastSquares();
    void severalHeadsAverage();
    void aTemperatureOfEveryRowIsNoMultiplier();
    void plainSoftmaxIsTheReference();
    void headsAreTheSample();
    void choicesOfTrainingNeedTraining();
    void aTrainingThatRanAwayIsTold();
    void nothingTestedIsTrainedOn();
    void headTensorsGiveTheHeadsLogits();
    void variantsThatDoNotRead_data();
    void variantsThatDoNotRead();
    void threadsGiveTheSameHead();
};

/// Equations 5 to 10 of the paper as they stand, in double precision, from the weights by their names.
void TestMaxRetrieval::headIsTheAttentionOfThePaper()
{
    MaxRetrievalModel model(24, 7, learn::Products::Float32);
    std::map<std::string, Eigen::MatrixXd> w;
    int number = 0;
    for (learn::Weight* weight : model.weights()) {
        if (weight->vector)
            for (Eigen::Index i = 0; i < weight->value.size(); ++i)
                weight->value.data()[i] = static_cast<float>(0.3 * std::sin(i + number));
        ++number;
        w[weight->name] = weight->value.cast<double>();
    }
    const auto dense = [&](const std::string& name, const Eigen::MatrixXd& x) -> Eigen::MatrixXd {
        return (x * w[name + ".weight"].transpose()).rowwise() + w[name + ".bias"].row(0);
    };
    const auto gelu = [](const Eigen::MatrixXd& x) -> Eigen::MatrixXd {
        return x.unaryExpr(
            [](double v) { return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); });
    };
    const MaxRetrievalBatch batch = maxRetrievalBatch(3, 0, 5, 9);
    learn::Tape tape;
    const learn::ConstMatrixView got = tape.value(model(tape, batch));
    for (Eigen::Index set = 0; set < batch.count; ++set) {
        const Eigen::MatrixXd h =
            gelu(dense("item_mlp.2", gelu(dense("item_mlp.0", batch.features.middleRows(set * 9, 9).cast<double>()))));
        const Eigen::MatrixXd q =
            dense("attention.q_proj",
                  dense("query_mlp.2", gelu(dense("query_mlp.0", batch.queries.row(set).cast<double>()))));
        const Eigen::ArrayXd e = (dense("attention.k_proj", h) * q.transpose() / std::sqrt(24.0)).array();
        const Eigen::ArrayXd alpha = (e - e.maxCoeff()).exp() / (e - e.maxCoeff()).exp().sum();
        const Eigen::MatrixXd z =
            dense("attention.out_proj", alpha.matrix().transpose() * dense("attention.v_proj", h));
        const Eigen::MatrixXd y = dense("classifier.2", gelu(dense("classifier.0", z)));
        QVERIFY((y - got.row(set).cast<double>()).cwiseAbs().maxCoeff() < 1e-5);
        // the label is the class of the largest priority
        Eigen::Index largest = 0, kind = 0;
        batch.features.middleRows(set * 9, 9).col(0).maxCoeff(&largest);
        batch.features.row(set * 9 + largest).tail(maxRetrievalClasses).maxCoeff(&kind);
        QCOMPARE(batch.labels[static_cast<std::size_t>(set)], static_cast<int>(kind));
        QCOMPARE(batch.largest[static_cast<std::size_t>(set)], largest);
    }
}

void TestMaxRetrieval::evaluationIsTheModel()
{
    MaxRetrievalTrainer trainer({.width = 32, .seed = 2});
    for (int i = 0; i < 60; ++i)
        trainer.step();
    Result<HeadEvaluation> evaluation =
        HeadEvaluation::make(trainer.model(), *parseVariants("vanilla; vanilla:alpha=3", {}), 16);
    QVERIFY(evaluation);
    const Result<std::vector<HeadScore>> scores = evaluation->score(77, 300, 20, {});
    QVERIFY(scores);
    const MaxRetrievalBatch batch = maxRetrievalBatch(77, 0, 300, 20);
    learn::Tape tape(trainer.model().products());
    const learn::ConstMatrixView y = tape.value(trainer.model()(tape, batch));
    int right = 0;
    for (Eigen::Index set = 0; set < 300; ++set) {
        Eigen::Index best = 0;
        y.row(set).maxCoeff(&best);
        right += best == batch.labels[static_cast<std::size_t>(set)];
    }
    QVERIFY(std::abs((*scores)[0].accuracy - right / 300.0) < 0.005);  // a tie may fall either way
    QVERIFY(right > 30);
    QVERIFY((*scores)[1].entropy < (*scores)[0].entropy);
    QCOMPARE((*scores)[1].ranked, (*scores)[0].ranked);
}

/// 0.9985 and 0.9999 are both 1 in bfloat16, whose unit below 1 is 1/256; 0.99 is not.
void TestMaxRetrieval::roundedPrioritiesHideTheLargest()
{
    const auto chances = [](const std::vector<std::pair<float, int>>& items) {
        const Eigen::Index count = static_cast<Eigen::Index>(items.size());
        MaxRetrievalBatch batch{1,
                                count,
                                learn::Matrix::Zero(count, 1 + maxRetrievalClasses),
                                learn::Matrix::Zero(1, 1),
                                {items[0].second},
                                {0}};
        for (Eigen::Index i = 0; i < count; ++i) {
            batch.features(i, 0) = items[static_cast<std::size_t>(i)].first;
            batch.features(i, 1 + items[static_cast<std::size_t>(i)].second) = 1;
        }
        return std::pair(resolvable(batch, 0, learn::Products::Float32),
                         resolvable(batch, 0, learn::Products::Bfloat16));
    };
    QCOMPARE(chances({{0.9999f, 5}, {0.9985f, 3}, {0.99f, 3}}), (std::pair{1.0, 0.5}));
    QCOMPARE(chances({{0.9999f, 5}, {0.9985f, 3}, {0.9988f, 3}}), (std::pair{1.0, 2.0 / 3}));
    QCOMPARE(chances({{0.9999f, 5}, {0.9985f, 5}, {0.9988f, 5}}), (std::pair{1.0, 1.0}));
    QCOMPARE(chances({{0.9999f, 5}, {0.99f, 3}}), (std::pair{1.0, 1.0}));

    // of two items with one logit both stand first
    HeadLogits head{{1, 3, learn::Matrix::Zero(3, 1 + maxRetrievalClasses), learn::Matrix::Zero(1, 1), {0}, {1}},
                    learn::Matrix::Zero(1, 3),
                    {nullptr, 0, 0}};
    head.logits << 2, 2, 1;
    QVERIFY(largestRanksFirst(head, 0));
    head.logits << 2.0625f, 2, 1;
    QVERIFY(!largestRanksFirst(head, 0));
}

/// Its accuracy is the one that the paper printed, within two points.
void TestMaxRetrieval::shippedHeadFindsTheLargest()
{
    const LabResult result =
        runOrFail({.choice = choose("max-retrieval:seeds=2,sets=256,most_items=64,\"vanilla; vanilla|adaptive\"")});
    const std::vector<LabRow> rows = tableOf(result, "table1");
    QCOMPARE(rows.size(), std::size_t{6});
    const double published[] = {98.6, 98.6, 97.1, 97.1, 94.3, 94.5};
    for (std::size_t row = 0; row < 6; ++row) {
        QCOMPARE(rows[row].number("published"), published[row]);
        QVERIFY(std::abs(rows[row].number("accuracy") - published[row]) < 2);
        QVERIFY(rows[row].number("resolvable") > rows[row].number("accuracy") - 1);
    }
    QVERIFY(rows[4].number("entropy") > rows[0].number("entropy"));
    QCOMPARE(tableOf(result, "heads").size(), std::size_t{3 * 3 * 32 * 16});
}

void TestMaxRetrieval::temperatureFitFindsTheBestWeight()
{
    MaxRetrievalTrainer trainer({.width = 32, .seed = 2});
    for (int i = 0; i < 100; ++i)
        trainer.step();
    const Result<std::vector<MisrankedSet>> found = misrankedSets(trainer.model(), 5, 200, 1 << 20, {64}, {});
    QVERIFY(found && !found->empty());
    learn::Tape tape(trainer.model().products());
    // the first misranked set, and the weight of its largest item around the temperature found
    const HeadLogits head = headLogits(tape, trainer.model(), 5, 0, 200, 64);
    for (Eigen::Index set = 0; set < 200; ++set) {
        const Eigen::ArrayXd e = head.logits.row(set).transpose().array().cast<double>();
        const double ek = e[head.batch.largest[static_cast<std::size_t>(set)]];
        if (ek >= e.maxCoeff() || ek <= e.mean())
            continue;
        const auto weight = [&](double theta) {
            return std::exp((ek - e.maxCoeff()) / theta) / ((e - e.maxCoeff()) / theta).exp().sum();
        };
        const double theta = found->front().theta;
        QVERIFY(weight(theta) >= weight(theta * 1.01) && weight(theta) >= weight(theta * 0.99));
        return;
    }
    QFAIL("no misranked set");
}

/// Points on a known inverse polynomial give its coefficients back; too few give none.
void TestMaxRetrieval::temperatureFitIsInverseLeastSquares()
{
    std::vector<MisrankedSet> points;
    for (int i = 0; i < 40; ++i) {
        const double h = 0.5 + 0.1 * i;
        points.push_back({64, h, 1 / ((((-0.02 * h + 0.3) * h - 1.5) * h + 4) * h - 0.5)});
    }
    const auto fitted = fitTemperature(points);
    QVERIFY(fitted.has_value());
    const std::array<double, 5> wanted{-0.02, 0.3, -1.5, 4, -0.5};
    for (std::size_t i = 0; i < 5; ++i)
        QVERIFY(std::abs((*fitted)[i] - wanted[i]) < 1e-8);
    QVERIFY(std::abs(polynomialAt(publishedTemperature, 2) - (-0.037 * 16 + 0.481 * 8 - 2.3 * 4 + 4.917 * 2 - 1.791)) <
            1e-12);
    points.resize(19);
    QVERIFY(!fitTemperature(points).has_value());
}

void TestMaxRetrieval::aTemperatureOfEveryRowIsNoMultiplier()
{
    const LabResult run = runOrFail({.choice = choose("max-retrieval:steps=0,seeds=2,sets=8,most_items=32,\"vanilla; "
                                                      "vanilla|adaptive; vanilla|refit; vanilla|sparsemax; log_n\"")});
    for (const LabRow& row : tableOf(run, "table1")) {
        const std::string method = row.word("method");
        const bool byRow = method == "vanilla|adaptive" || method == "vanilla|refit";
        const double m = method == "log_n" ? std::log(row.number("items")) : 1;
        QVERIFY2(byRow ? std::isnan(row.number("multiplier")) : std::abs(row.number("multiplier") - m) < 1e-9,
                 method.c_str());
    }
}

/// Two heads and two test seeds: seed 0 tests the first head, seed 1 the second, and the table holds their mean.
void TestMaxRetrieval::severalHeadsAverage()
{
    const LabResult both = runOrFail(
        {.choice =
             choose("max-retrieval:steps=60,heads=2,seed=3,batch=8,width=16,seeds=2,sets=64,most_items=16,vanilla")});
    std::set<double> seeds;
    for (const LabRow& row : tableOf(both, "training"))
        seeds.insert(row.number("seed"));
    QCOMPARE(seeds, (std::set<double>{3, 4}));
    double accuracy = 0;
    for (const std::uint64_t number : {0u, 1u}) {
        MaxRetrievalTrainer trainer({.width = 16, .batch = 8, .seed = 3 + number});
        for (int i = 0; i < 60; ++i)
            trainer.step();
        const Result<std::vector<HeadScore>> scores =
            HeadEvaluation::make(trainer.model(), *parseVariants("vanilla", {}), 16)
                ->score(1'000'000'000'000 + number, 64, 16, {});
        QVERIFY(scores);
        accuracy += 50 * (*scores)[0].accuracy;
    }
    QVERIFY(std::abs(tableOf(both, "table1")[0].number("accuracy") - accuracy) < 1e-9);
}

/// Wherever the list names it, it stands first, and p of every other is that of its difference from it. Without it
/// there is no p.
void TestMaxRetrieval::plainSoftmaxIsTheReference()
{
    std::string head;
    const auto rowsOf = [&](const char* methods) {
        std::map<std::pair<double, std::string>, LabRow> rows;
        const Choice run = choose("max-retrieval:seeds=6,sets=64,most_items=64", QString::fromLatin1(methods));
        for (const LabRow& row : tableOf(runOrFail({.choice = run}), "table1")) {
            head = rows.empty() ? row.word("method") : head;
            rows.emplace(std::pair(row.number("items"), row.word("method")), row);
        }
        return rows;
    };
    const auto first = rowsOf("vanilla; infoscale; vanilla|adaptive; vanilla:alpha=0.3");
    for (const char* methods : {"infoscale; vanilla|adaptive; vanilla:alpha=0.3; vanilla",
                                "vanilla:alpha=0.3; vanilla; vanilla|adaptive; infoscale"}) {
        const auto rows = rowsOf(methods);
        QCOMPARE(head, std::string("vanilla"));
        QCOMPARE(rows.size(), first.size());
        for (const auto& [of, row] : first)
            QVERIFY2(rows.at(of).cells == row.cells, of.second.c_str());
    }
    int tested = 0;
    for (const auto& [of, row] : first) {
        QVERIFY(of.second != "vanilla" || std::isnan(row.number("p_value")));
        tested += !std::isnan(row.number("p_value"));
    }
    QVERIFY(tested > 3);
    for (const auto& [of, row] : rowsOf("infoscale; vanilla|adaptive; vanilla:alpha=0.3"))
        QVERIFY2(std::isnan(row.number("p_value")) && row.number("accuracy") > 0, of.second.c_str());
}

/// Two heads and six test seeds, three of each: the sample is of two heads, not of six, and each counts as its mean.
void TestMaxRetrieval::headsAreTheSample()
{
    const LabResult result =
        runOrFail({.choice = choose("max-retrieval:steps=900,heads=2,seed=3,batch=8,width=16,seeds="
                                    "6,sets=64,most_items=16,\"vanilla; vanilla:alpha=0.01\"")});
    std::array<std::vector<double>, 2> plain, scaled;
    for (const std::uint64_t head : {0u, 1u}) {
        MaxRetrievalTrainer trainer({.width = 16, .batch = 8, .seed = 3 + head});
        for (int i = 0; i < 900; ++i)
            trainer.step();
        Result<HeadEvaluation> evaluation =
            HeadEvaluation::make(trainer.model(), *parseVariants("vanilla; vanilla:alpha=0.01", {}), 16);
        for (std::uint64_t seed = head; seed < 6; seed += 2) {
            const auto scores = evaluation->score(1'000'000'000'000 + seed, 64, 16, {});
            QVERIFY(scores);
            plain[head].push_back((*scores)[0].accuracy);
            scaled[head].push_back((*scores)[1].accuracy);
        }
    }
    const auto means = [](const auto& of) { return std::vector{sampleMean(of[0]).mean, sampleMean(of[1]).mean}; };
    const auto rows = tableOf(result, "table1");
    const LabRow &row = rows[0], &other = rows[1];
    const SampleMean expected = sampleMean(means(plain));
    QVERIFY(std::abs(row.number("accuracy") - 100 * expected.mean) < 1e-9);
    QVERIFY(std::abs(row.number("stderr") - 100 * *expected.standardError) < 1e-9);
    const auto p = pairedTTest(means(scaled), means(plain));
    QVERIFY(other.find("p_value") && p && std::abs(other.number("p_value") - *p) < 1e-9);

    // each head by itself, over its own three test seeds, and the scoreboard pairs the heads
    const auto each = tableOf(result, "quality");
    QCOMPARE(each.size(), std::size_t{4});
    for (std::size_t head = 0; head < 2; ++head) {
        const LabRow &own = each[2 * head], &sharper = each[2 * head + 1];
        QVERIFY(own.number("seed") == 3 + double(head) && own.number("seeds") == 3 && own.word("method") == "vanilla");
        QVERIFY(std::abs(own.number("accuracy") - 100 * sampleMean(plain[head]).mean) < 1e-9);
        QVERIFY(std::abs(sharper.number("p_value") - *pairedTTest(scaled[head], plain[head])) < 1e-9);
    }
    LabRecord record{.choice = choose("max-retrieval:heads=2,seeds=6"), .finished = true};
    for (const char* table : {"table1", "quality"})
        std::ranges::copy(tableOf(result, table), std::back_inserter(record.rows));
    const std::vector<BoardRun> runs{{"here", record}};
    const Scoreboard board = makeScoreboard(runs);
    const BoardCell* cell = board.find("largest item found", other.word("method"), 1);
    QVERIFY(cell && cell->p && std::abs(*cell->p - *p) < 1e-9);
    QVERIFY(cell->pairs == 2 && cell->pairedOver == "heads or runs" && board.tasks[0].networks == 2);
    QVERIFY(std::abs(cell->value - other.number("accuracy")) < 1e-9);
}

/// Each of them would change nothing of the head that comes with the program.
void TestMaxRetrieval::choicesOfTrainingNeedTraining()
{
    for (const char* text : {"heads=2", "seed=2", "batch=64", "items_min=4", "width=64", "rate=0.01", "decay=0",
                             "l2=0.001", "biases=0", "bfloat16=0"}) {
        const QString set = text;
        const Result<LabResult> result = runLab({.choice = choose("max-retrieval:" + std::string(text))});
        QVERIFY2(!result, text);
        QCOMPARE(result.error().kind, ErrorKind::InvalidArgument);
        const QString message = QString::fromStdString(result.error().message);
        QVERIFY2(message.startsWith(set.section('=', 0, 0) + " is a choice of training") &&
                     message.contains("set steps above 0"),
                 qPrintable(message));
    }
}

/// With rate times decay at 10 every step makes the weights nine times as large. What such a head finds is no finding,
/// and its class of NaN is none.
void TestMaxRetrieval::aTrainingThatRanAwayIsTold()
{
    const std::string small = "max-retrieval:steps=400,batch=4,width=4,seeds=2,sets=4,most_items=16,\"vanilla\"";
    Choice choice = choose(small);
    choice.values["rate"] = 0.1;
    QVERIFY(runLab({.choice = choice}));
    choice.values["rate"] = 1;
    choice.values["decay"] = 10;
    QCOMPARE(notRefused(choice, "the training ran away"), QString());
    QCOMPARE(notRefused(choice, "set a lower rate"), QString());
}

/// Seeds of training, with a hundred networks one after another, and those of tests have nothing in common.
void TestMaxRetrieval::nothingTestedIsTrainedOn()
{
    for (const char* id : {"max-retrieval", "causal-lm", "masked-lm"}) {
        const Parameter* seed = parameterOf(**findRow(labs(), id, "lab"), "seed");
        QVERIFY2(seed && seed->maximum + 99 < static_cast<double>(testTextSeed), id);
    }
    QVERIFY(!parseChoice("max-retrieval:seed=1000000000000", labs(), "lab"));
    QVERIFY(parseChoice("max-retrieval:seed=999999999900", labs(), "lab"));
}

/// The exported tensors are read as any others, and q.k/sqrt d is what the head's own pictures are made of: its weights
/// on the largest item of a set are those of softmax(q.k/sqrt d) over the same items.
void TestMaxRetrieval::headTensorsGiveTheHeadsLogits()
{
    Result<MaxRetrievalModel> model = loadHead("shipped");
    QVERIFY(model);
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("qk.safetensors")).toStdString();
    const Result<Scenario> scenario = writeHeadTensors(path, *model, 16);
    QVERIFY2(scenario, scenario ? "" : scenario.error().message.c_str());
    const Result<TensorFile> file = openHeadFile(path);
    const Result<HeadSet> heads = file ? loadHeads(*file, scenario->tensors) : tl::unexpected(file.error());
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(factsOf(*file, "q").trainedLength, std::optional<double>(16));
    QCOMPARE(heads->headCount(), 4);
    QCOMPARE(heads->keyCount(), scenario->n);
    const MaxRetrievalBatch batch = maxRetrievalBatch(3'000'000'000'000, 0, 4, scenario->n);  // the file's sets
    int near = 0;
    for (int set = 0; set < 4; ++set) {
        const Eigen::VectorXf logits =
            heads->key(set) * heads->query(set).row(0).transpose() / std::sqrt(static_cast<float>(scenario->d));
        Eigen::Index best = 0;
        logits.maxCoeff(&best);
        near +=
            batch.features(set * scenario->n + best, 0) > 0.97f;  // the head looks at one of the largest of 2048 items
        QVERIFY(logits.maxCoeff() - logits.minCoeff() > 5);
    }
    QCOMPARE(near, 4);
}

void TestMaxRetrieval::variantsThatDoNotRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addRow("no such method") << "vanilla; nonsense" << static_cast<int>(ErrorKind::UnknownName);
    QTest::addRow("no such normaliser") << "vanilla|nonsense" << static_cast<int>(ErrorKind::UnknownName);
    QTest::addRow("nothing") << " ; " << static_cast<int>(ErrorKind::InvalidArgument);
}

void TestMaxRetrieval::variantsThatDoNotRead()
{
    QFETCH(QString, text);
    QFETCH(int, kind);
    const auto variants = parseVariants(text.toStdString(), {});
    QVERIFY(!variants);
    QCOMPARE(static_cast<int>(variants.error().kind), kind);
}

void TestMaxRetrieval::threadsGiveTheSameHead()
{
    const auto lossOn = [](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        MaxRetrievalTrainer trainer({.seed = 4});
        double loss = 0;
        for (int i = 0; i < 5; ++i)
            loss = trainer.step().loss;
        return loss;
    };
    const double one = lossOn(1);
    QCOMPARE(lossOn(2), one);
    QCOMPARE(lossOn(7), one);
}

QTEST_GUILESS_MAIN(TestMaxRetrieval)
#include "test_max_retrieval.moc"
