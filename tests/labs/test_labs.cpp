// The labs: what they train on is exact, what they ship is as good as they say, and a run that is stopped and resumed ends
// where one that was not does.

#include "core/labs/eie_trainer.h"
#include "core/labs/lab.h"
#include "core/labs/max_retrieval_evaluation.h"
#include "core/labs/max_retrieval_trainer.h"
#include "core/learn/checkpoint.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <cmath>
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
    const Result<TemperatureFit> fit = fitTemperature(trainer.model(), 5, 200, {64}, {});
    QVERIFY(fit && fit->fitted);
    // the first misranked set, and the weight of its largest item around the temperature found
    const HeadLogits head = headLogits(trainer.model(), 5, 0, 200, 64, false);
    for (Eigen::Index set = 0; set < 200; ++set) {
        const Eigen::ArrayXd e = head.logits.row(set).transpose().array().cast<double>();
        const double ek = e[head.batch.largest[static_cast<std::size_t>(set)]];
        if (ek >= e.maxCoeff() || ek <= e.mean())
            continue;
        const auto weight = [&](double theta) { return std::exp((ek - e.maxCoeff()) / theta) / ((e - e.maxCoeff()) / theta).exp().sum(); };
        const double theta = fit->points[0].theta;
        QVERIFY(weight(theta) >= weight(theta * 1.01) && weight(theta) >= weight(theta * 0.99));
        return;
    }
    QFAIL("no misranked set");
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
    QTest::addRow("max-retrieval") << "max-retrieval:steps=40,batch=8,width=16,seeds=2,sets=16,most_items=32,\"vanilla; vanilla|refit\"" << "table1";
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
    QCOMPARE(resumed.files.size(), std::size_t{1});
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

void TestLabs::threadsGiveTheSameHead()
{
    const auto lossOn = [](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        MaxRetrievalTrainer trainer({.seed = 4});
        double loss = 0;
        for (int i = 0; i < 5; ++i)
            loss = trainer.step();
        return loss;
    };
    const double one = lossOn(1);
    QCOMPARE(lossOn(2), one);
    QCOMPARE(lossOn(7), one);
}

QTEST_GUILESS_MAIN(TestLabs)
#include "test_labs.moc"
