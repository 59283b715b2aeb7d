// The labs: what they train on is exact, what they ship is as good as they say, and a run that is stopped and resumed ends
// where one that was not does.

#include "core/labs/eie_trainer.h"
#include "core/labs/lab_record.h"
#include "core/labs/max_retrieval_evaluation.h"
#include "core/labs/max_retrieval_head.h"
#include "core/labs/max_retrieval_trainer.h"
#include "core/learn/checkpoint.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <cmath>
#include <fstream>
#include <set>

using namespace attnscope;

namespace {

LabResult runOrFail(const LabRun& run, const LabCallback& progress = {}, std::stop_token stop = {})
{
    const Result<LabResult> result = runLab(run, stop, progress);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *result;
}

std::vector<LabRow> tableOf(const LabResult& result, const std::string& table)
{
    std::vector<LabRow> rows;
    std::ranges::copy_if(result.rows, std::back_inserter(rows), [&](const LabRow& row) { return row.table == table; });
    return rows;
}

bool sameCells(const std::vector<LabRow>& a, const std::vector<LabRow>& b)
{
    return std::ranges::equal(a, b, [](const LabRow& left, const LabRow& right) { return left.cells == right.cells; });
}

Choice choose(const std::string& text) { return *parseChoice(text, labs(), "lab"); }

}  // namespace

class TestLabs : public QObject {
    Q_OBJECT
private slots:
    void everyLabExplainsItself();
    void surfaceIsTheExactEntropy_data();
    void surfaceIsTheExactEntropy();
    void gaussNodes();
    void monteCarloAgreesWithExact();
    void networkFileGivesTheTrainersScale();
    void shippedNetworksHoldTheEntropy_data();
    void shippedNetworksHoldTheEntropy();
    void headIsTheAttentionOfThePaper();
    void evaluationIsTheModel();
    void shippedHeadFindsTheLargest();
    void pairedTTestByHand();
    void temperatureFitFindsTheBestWeight();
    void temperatureFitIsInverseLeastSquares();
    void severalHeadsAverage();
    void chartsHaveTheirColumns_data();
    void chartsHaveTheirColumns();
    void recordComesBack();
    void recordsThatDoNotRead_data();
    void recordsThatDoNotRead();
    void headTensorsGiveTheHeadsLogits();
    void variantsThatDoNotRead_data();
    void variantsThatDoNotRead();
    void resumedIsTheSame_data();
    void resumedIsTheSame();
    void checkpointOfAnotherTrainingIsRefused();
    void threadsGiveTheSameHead();
};

void TestLabs::everyLabExplainsItself()
{
    std::set<std::string> ids;
    for (const Lab& lab : labs()) {
        QVERIFY(ids.insert(lab.id).second);
        QVERIFY2(!lab.label.empty() && !lab.source.empty() && lab.about.size() > 40 && !lab.main.empty() && !lab.textKey.empty(), lab.id.c_str());
        for (const Parameter& p : lab.parameters)
            QVERIFY2(p.help.size() > 10 && p.minimum <= p.byDefault && p.byDefault <= p.maximum, (lab.id + " " + p.id).c_str());
        for (const Preset& preset : lab.presets) {
            const Result<Choice> choice = parseChoice(std::string_view(preset.text), labs(), "lab");
            QVERIFY2(choice && validate(lab, *choice), preset.text.c_str());
        }
    }
    QCOMPARE(runLab({.choice = {"nothing", {}, {}}}).error().kind, ErrorKind::UnknownName);
}

void TestLabs::surfaceIsTheExactEntropy_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("nMin");
    QTest::addColumn<double>("nMax");
    QTest::addRow("EIE, d 16") << 16 << 100.0 << 1600.0;
    QTest::addRow("EIE, d 32") << 32 << 120.0 << 1920.0;
    QTest::addRow("long") << 64 << 512.0 << 131072.0;
}

void TestLabs::surfaceIsTheExactEntropy()
{
    QFETCH(int, d);
    QFETCH(double, nMin);
    QFETCH(double, nMax);
    const Result<EntropySurface> surface = EntropySurface::make(d, nMin, nMax);
    QVERIFY(surface);
    const LogitDensity density = *logitDensity("gaussian", d);
    for (const double n : {nMin, std::sqrt(nMin * nMax), nMax})
        for (const double spread : {0.1, 0.7, 1.0, 2.0, 4.0, 9.0}) {
            const double lambda = spread / std::sqrt(d), h = 1e-4 * lambda;
            const EntropySurface::Values values = surface->at(Eigen::ArrayXd::Constant(1, n), Eigen::ArrayXd::Constant(1, lambda));
            const double slope = (expectedEntropy(density, n, lambda + h) - expectedEntropy(density, n, lambda - h)) / (2 * h);
            QVERIFY(std::abs(values.entropy[0] - expectedEntropy(density, n, lambda)) < 1e-7);
            QVERIFY(std::abs(values.slope[0] - slope) < 1e-4 * std::abs(slope) + 1e-5);
        }
}

/// Five points are exact up to degree 9, and not at 10.
void TestLabs::gaussNodes()
{
    for (int degree = 0; degree <= 10; ++degree) {
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i)
            sum += fivePointGauss().weight[i] * std::pow(fivePointGauss().node[i], degree);
        const double integral = degree % 2 ? 0 : 2.0 / (degree + 1);
        QCOMPARE(std::abs(sum - integral) < 1e-14, degree < 10);
    }
}

/// Trained for a few epochs either way from the same start, the two losses tell the same story.
void TestLabs::monteCarloAgreesWithExact()
{
    EieSettings settings{.d = 16, .nTrain = 20, .nMax = 80, .rows = 64, .batch = 64, .steps = 5};
    Result<EieTrainer> exact = EieTrainer::make(settings);
    settings.monteCarlo = true;
    Result<EieTrainer> drawn = EieTrainer::make(settings);
    QVERIFY(exact && drawn);
    const double before = exact->epoch(), beforeDrawn = drawn->epoch();
    QVERIFY(std::abs(before / beforeDrawn - 1) < 0.1);
    for (int i = 0; i < 20; ++i) {
        exact->epoch();
        drawn->epoch();
    }
    QVERIFY(exact->epoch() < before / 2);
    QVERIFY(std::abs(exact->lambda({60})[0] / drawn->lambda({60})[0] - 1) < 0.05);
}

void TestLabs::networkFileGivesTheTrainersScale()
{
    for (const EieNetwork::Variable variable : {EieNetwork::Variable::Log, EieNetwork::Variable::Length}) {
        Result<EieTrainer> trainer = EieTrainer::make({.d = 8, .nTrain = 4, .nMax = 9, .variable = variable, .batch = 16, .steps = 3});
        QVERIFY(trainer);
        trainer->epoch();
        QTemporaryDir folder;
        const std::string path = folder.filePath("net.safetensors").toStdString();
        QVERIFY(learn::saveModel(path, trainer->weights(), trainer->metadata()));
        const Result<TensorFile> file = TensorFile::open(path);
        QVERIFY(file);
        const Result<EieNetwork> network = EieNetwork::read(*file);
        QVERIFY(network);
        QCOMPARE(network->d(), 8);
        QCOMPARE(network->nMax(), 9.0);
        for (const double n : {4.0, 5.5, 9.0})
            QVERIFY(std::abs(network->lambda(n) / trainer->lambda({n})[0] - 1) < 1e-5);
        // and the scale method reads it
        const auto scale = bindScale({"eie", {}, path});
        QVERIFY(scale);
        QVERIFY(std::abs(*(*scale)({.keys = 7, .rowKeys = 7, .position = 6, .nTrain = 4, .d = 8, .measured = {}}) - network->lambda(7) * std::sqrt(8.0)) < 1e-12);
    }
}

void TestLabs::shippedNetworksHoldTheEntropy_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("N");
    QTest::addRow("d 16") << 16 << 100.0;
    QTest::addRow("d 32") << 32 << 120.0;
}

void TestLabs::shippedNetworksHoldTheEntropy()
{
    QFETCH(int, d);
    QFETCH(double, N);
    const auto scale = bindScale({"eie", {}, {}});
    QVERIFY(scale);
    const LogitDensity density = *logitDensity("gaussian", d);
    const auto at = [&](double n, int size) { return (*scale)({.keys = n, .rowKeys = n, .position = n - 1, .nTrain = N, .d = size, .measured = {}}); };
    for (double n = N; n <= 16 * N; n *= 1.17) {
        const double exact = *entropyInvariantScale(density, n, N) * std::sqrt(d);
        QVERIFY2(std::abs(*at(n, d) / exact - 1) < 0.005, qPrintable(QString::number(n)));
    }
    QCOMPARE(*at(N / 2, d), 1.0);
    QCOMPARE(at(16 * N + 1, d).error().kind, ErrorKind::Undefined);
    QCOMPARE(at(N, 64).error().kind, ErrorKind::Undefined);
}

/// Equations 5 to 10 of the paper as they stand, in double precision, from the weights by their names.
void TestLabs::headIsTheAttentionOfThePaper()
{
    MaxRetrievalModel model(24, 7);
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
        return x.unaryExpr([](double v) { return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))); });
    };
    const MaxRetrievalBatch batch = maxRetrievalBatch(3, 0, 5, 9);
    learn::Tape tape;
    const learn::ConstMatrixView got = tape.value(model(tape, batch));
    for (Eigen::Index set = 0; set < batch.count; ++set) {
        const Eigen::MatrixXd h = gelu(dense("item_mlp.2", gelu(dense("item_mlp.0", batch.features.middleRows(set * 9, 9).cast<double>()))));
        const Eigen::MatrixXd q = dense("attention.q_proj", dense("query_mlp.2", gelu(dense("query_mlp.0", batch.queries.row(set).cast<double>()))));
        const Eigen::ArrayXd e = (dense("attention.k_proj", h) * q.transpose() / std::sqrt(24.0)).array();
        const Eigen::ArrayXd alpha = (e - e.maxCoeff()).exp() / (e - e.maxCoeff()).exp().sum();
        const Eigen::MatrixXd z = dense("attention.out_proj", alpha.matrix().transpose() * dense("attention.v_proj", h));
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

void TestLabs::evaluationIsTheModel()
{
    MaxRetrievalTrainer trainer({.width = 32, .seed = 2});
    for (int i = 0; i < 60; ++i)
        trainer.step();
    Result<HeadEvaluation> evaluation = HeadEvaluation::make(trainer.model(), *parseVariants("vanilla; vanilla:alpha=3", {}), 16);
    QVERIFY(evaluation);
    const Result<std::vector<HeadScore>> scores = evaluation->score(77, 300, 20, {});
    QVERIFY(scores);
    const MaxRetrievalBatch batch = maxRetrievalBatch(77, 0, 300, 20);
    learn::Tape tape;
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

void TestLabs::shippedHeadFindsTheLargest()
{
    const LabResult result = runOrFail({.choice = choose("max-retrieval:seeds=2,sets=256,most_items=64,\"vanilla; vanilla|adaptive\"")});
    const std::vector<LabRow> rows = tableOf(result, "table1");
    QCOMPARE(rows.size(), std::size_t{6});
    QVERIFY(rows[0].number("accuracy") > 96);
    QCOMPARE(rows[0].number("published"), 98.6);
    QVERIFY(rows[4].number("accuracy") > 88 && rows[4].number("entropy") > rows[0].number("entropy"));
    QCOMPARE(tableOf(result, "heads").size(), std::size_t{3 * 3 * 32 * 16});
}

/// Differences 1..5: t = 3 sqrt 2 with 4 degrees of freedom, whose distribution has a closed form.
void TestLabs::pairedTTestByHand()
{
    const double t = 3 * std::sqrt(2.0), u = 1 + t * t / 4;
    const double cumulative = 0.5 + 0.375 * t / std::sqrt(u) * (1 - t * t / (12 * u));
    QVERIFY(std::abs(pairedTTest({2, 4, 6, 8, 10}, {1, 2, 3, 4, 5}) - 2 * (1 - cumulative)) < 1e-12);
    QCOMPARE(pairedTTest({1, 2}, {1, 2}), 1.0);
}

void TestLabs::temperatureFitFindsTheBestWeight()
{
    MaxRetrievalTrainer trainer({.width = 32, .seed = 2});
    for (int i = 0; i < 100; ++i)
        trainer.step();
    const Result<std::vector<MisrankedSet>> found = misrankedSets(trainer.model(), 5, 200, {64}, {});
    QVERIFY(found && !found->empty());
    learn::Tape tape;
    // the first misranked set, and the weight of its largest item around the temperature found
    const HeadLogits head = headLogits(tape, trainer.model(), 5, 0, 200, 64);
    for (Eigen::Index set = 0; set < 200; ++set) {
        const Eigen::ArrayXd e = head.logits.row(set).transpose().array().cast<double>();
        const double ek = e[head.batch.largest[static_cast<std::size_t>(set)]];
        if (ek >= e.maxCoeff() || ek <= e.mean())
            continue;
        const auto weight = [&](double theta) { return std::exp((ek - e.maxCoeff()) / theta) / ((e - e.maxCoeff()) / theta).exp().sum(); };
        const double theta = found->front().theta;
        QVERIFY(weight(theta) >= weight(theta * 1.01) && weight(theta) >= weight(theta * 0.99));
        return;
    }
    QFAIL("no misranked set");
}

/// Points on a known inverse polynomial give its coefficients back; too few give none.
void TestLabs::temperatureFitIsInverseLeastSquares()
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
    QVERIFY(std::abs(polynomialAt(publishedTemperature, 2) - (-0.037 * 16 + 0.481 * 8 - 2.3 * 4 + 4.917 * 2 - 1.791)) < 1e-12);
    points.resize(19);
    QVERIFY(!fitTemperature(points).has_value());
}

void TestLabs::variantsThatDoNotRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addRow("no such method") << "vanilla; nonsense" << static_cast<int>(ErrorKind::UnknownName);
    QTest::addRow("no such normaliser") << "vanilla|nonsense" << static_cast<int>(ErrorKind::UnknownName);
    QTest::addRow("nothing") << " ; " << static_cast<int>(ErrorKind::InvalidArgument);
}

void TestLabs::variantsThatDoNotRead()
{
    QFETCH(QString, text);
    QFETCH(int, kind);
    const auto variants = parseVariants(text.toStdString(), {});
    QVERIFY(!variants);
    QCOMPARE(static_cast<int>(variants.error().kind), kind);
}

void TestLabs::resumedIsTheSame_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<QString>("table");
    QTest::addRow("eie") << "eie:epochs=5,steps=2,batch=16,\"4:10:20\"" << "lambda";
    QTest::addRow("max-retrieval") << "max-retrieval:steps=450,batch=4,width=8,seeds=2,sets=16,most_items=32,\"vanilla; vanilla|refit\"" << "table1";
}

void TestLabs::resumedIsTheSame()
{
    QFETCH(QString, lab);
    QFETCH(QString, table);
    const Choice choice = choose(lab.toStdString());
    const LabResult whole = runOrFail({.choice = choice});
    QVERIFY(sameCells(tableOf(whole, table.toStdString()), tableOf(runOrFail({.choice = choice}), table.toStdString())));

    QTemporaryDir folder;
    const LabRun run{.choice = choice, .folder = folder.path().toStdString(), .resume = true};
    std::stop_source stop;
    const Result<LabResult> stopped = runLab(run, stop.get_token(), [&](const LabUpdate&) { stop.request_stop(); });
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    double first = -1;
    const LabResult resumed = runOrFail(run, [&](const LabUpdate& update) { first = first < 0 ? update.fraction : first; });
    QVERIFY(first > 0);
    QVERIFY(sameCells(tableOf(whole, table.toStdString()), tableOf(resumed, table.toStdString())));
    QVERIFY(sameCells(tableOf(whole, "training"), tableOf(resumed, "training")));
    QCOMPARE(resumed.files.size(), lab.startsWith(QLatin1String("eie")) ? std::size_t{1} : std::size_t{2});
}

void TestLabs::checkpointOfAnotherTrainingIsRefused()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    runOrFail({.choice = choose("eie:epochs=1,steps=1,batch=8,\"4:10:20\""), .folder = path});
    const Result<LabResult> other = runLab({.choice = choose("eie:epochs=2,steps=1,batch=8,seed=9,\"4:10:20\""), .folder = path, .resume = true});
    QVERIFY(!other);
    QCOMPARE(other.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(other.error().message.find("seed") != std::string::npos, other.error().message.c_str());
}

/// Two heads and two test seeds: seed 0 tests the first head, seed 1 the second, and the table holds their mean.
void TestLabs::severalHeadsAverage()
{
    const LabResult both = runOrFail({.choice = choose("max-retrieval:steps=60,heads=2,seed=3,batch=8,width=16,seeds=2,sets=64,most_items=16,vanilla")});
    std::set<double> seeds;
    for (const LabRow& row : tableOf(both, "training"))
        seeds.insert(row.number("seed"));
    QCOMPARE(seeds, (std::set<double>{3, 4}));
    double accuracy = 0;
    for (const std::uint64_t number : {0u, 1u}) {
        MaxRetrievalTrainer trainer({.width = 16, .batch = 8, .seed = 3 + number});
        for (int i = 0; i < 60; ++i)
            trainer.step();
        const Result<std::vector<HeadScore>> scores = HeadEvaluation::make(trainer.model(), *parseVariants("vanilla", {}), 16)->score(1'000'000'000'000 + number, 64, 16, {});
        QVERIFY(scores);
        accuracy += 50 * (*scores)[0].accuracy;
    }
    QVERIFY(std::abs(tableOf(both, "table1")[0].number("accuracy") - accuracy) < 1e-9);
    const Result<LabResult> shipped = runLab({.choice = choose("max-retrieval:heads=2")});
    QVERIFY(!shipped);
    QCOMPARE(shipped.error().kind, ErrorKind::InvalidArgument);
}

void TestLabs::chartsHaveTheirColumns_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addRow("eie") << "eie:epochs=2,steps=2,batch=16,\"4:10:20\"";
    QTest::addRow("max-retrieval") << "max-retrieval:steps=200,batch=8,width=16,seeds=2,sets=256,most_items=64,\"vanilla; vanilla|refit\"";
}

/// Every line of every chart finds its columns and its group in the rows of a run.
void TestLabs::chartsHaveTheirColumns()
{
    QFETCH(QString, lab);
    const Choice choice = choose(lab.toStdString());
    const LabResult result = runOrFail({.choice = choice});
    const Lab& row = **findRow(labs(), choice.id, "lab");
    QVERIFY(!row.charts.empty());
    for (const LabChart& chart : row.charts)
        for (const LabLine& line : chart.lines) {
            const std::vector<LabRow> rows = tableOf(result, line.table);
            QVERIFY2(!rows.empty(), line.table.c_str());
            for (const std::string& column : {line.x, line.y})
                QVERIFY2(rows[0].find(column), (line.table + "." + column).c_str());
            QVERIFY2(chart.group.empty() || rows[0].find(chart.group), (line.table + "." + chart.group).c_str());
        }
}

/// What a finished and what a stopped run leave in the folder.
void TestLabs::recordComesBack()
{
    QTemporaryDir folder;
    const LabRun run{.choice = choose("eie:epochs=4,steps=2,batch=16,\"4:10:20\""), .folder = folder.path().toStdString()};
    std::stop_source stop;
    QVERIFY(!runLab(run, stop.get_token(), [&](const LabUpdate&) { stop.request_stop(); }));
    const Result<LabRecord> stopped = readRecord(run.folder);
    QVERIFY(stopped);
    QVERIFY(!stopped->finished && stopped->fraction > 0 && stopped->fraction < 1);
    QVERIFY(std::ranges::any_of(stopped->rows, [](const LabRow& row) { return row.table == "curve"; }));

    const LabResult result = runOrFail(run);
    const Result<LabRecord> record = readRecord(run.folder);
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QVERIFY(record->finished && record->choice == run.choice);
    for (const char* table : {"training", "curve", "lambda"})
        QVERIFY(sameCells(tableOf(result, table), tableOf({record->rows, {}}, table)));
    QCOMPARE(record->rows.back().table, std::string("lambda"));
    QCOMPARE(record->files.size(), std::size_t{1});
    QVERIFY(record->files[0].scenario && record->files[0].scenario == result.files[0].scenario);
    QVERIFY(std::ifstream(record->files[0].path).good());
}

void TestLabs::recordsThatDoNotRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    const QString head = R"({"schema": "attnscope_lab/1", "lab": "eie", "stage": "", "fraction": 1, "finished": true, )";
    QTest::addRow("no JSON") << "nonsense" << static_cast<int>(ErrorKind::InvalidHeader);
    QTest::addRow("of the future") << R"({"schema": "attnscope_lab/2"})" << static_cast<int>(ErrorKind::UnknownFormat);
    QTest::addRow("another lab") << R"({"schema": "attnscope_lab/1", "lab": "tea"})" << static_cast<int>(ErrorKind::UnknownName);
    QTest::addRow("fields absent") << R"({"schema": "attnscope_lab/1", "lab": "eie"})" << static_cast<int>(ErrorKind::InvalidArgument);
    QTest::addRow("too few cells") << head + R"("tables": {"a": {"columns": ["x", "y"], "rows": [[1]]}}, "pictures": [], "files": []})" << static_cast<int>(ErrorKind::InvalidArgument);
    QTest::addRow("a cell that is a list") << head + R"("tables": {"a": {"columns": ["x"], "rows": [[[1]]]}}, "pictures": [], "files": []})" << static_cast<int>(ErrorKind::InvalidArgument);
    QTest::addRow("a ragged picture") << head + R"("tables": {}, "files": [], "pictures": [{"id": "", "title": "", "row_label": "", "column_label": "", "values": [[1, 2], [3]]}]})"
                                      << static_cast<int>(ErrorKind::InvalidArgument);
}

void TestLabs::recordsThatDoNotRead()
{
    QFETCH(QString, text);
    QFETCH(int, kind);
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("run.json")).toStdString();
    std::ofstream(path) << text.toStdString();
    const Result<LabRecord> record = readRecord(folder.path().toStdString());
    QVERIFY(!record);
    QCOMPARE(static_cast<int>(record.error().kind), kind);
    QVERIFY(record.error().message.find("run.json") != std::string::npos);
}

/// The exported tensors are read as any others, and q.k/sqrt d is what the head's own pictures are made of: its weights on
/// the largest item of a set are those of softmax(q.k/sqrt d) over the same items.
void TestLabs::headTensorsGiveTheHeadsLogits()
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
        const Eigen::VectorXf logits = heads->key(set) * heads->query(set).row(0).transpose() / std::sqrt(static_cast<float>(scenario->d));
        Eigen::Index best = 0;
        logits.maxCoeff(&best);
        near += batch.features(set * scenario->n + best, 0) > 0.97f;  // the head looks at one of the largest of 2048 items
        QVERIFY(logits.maxCoeff() - logits.minCoeff() > 5);
    }
    QCOMPARE(near, 4);
}

void TestLabs::threadsGiveTheSameHead()
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

QTEST_GUILESS_MAIN(TestLabs)
#include "test_labs.moc"
