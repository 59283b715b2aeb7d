// The learning engine: the gradient of every operation against central differences, a whole training run against
// reference.json (reference.py: float64, gradients by hand), and the promises about threads, files and kernels.

#include "gradient_check.h"

#include "core/base/processor.h"
#include "core/learn/checkpoint.h"
#include "core/learn/kernels/kernels.h"
#include "core/learn/layers.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <tbb/global_control.h>

#include <cmath>

using namespace attnscope;
using namespace attnscope::learn;

class TestLearn : public QObject {
    Q_OBJECT
private slots:
    void gradients_data();
    void gradients();
    void sharedNodesAddUp();
    void partsOfABatchAddUp();
    void dropoutKeepsTheMean();
    void referenceRun();
    void threadsGiveTheSameBits();
    void kernelsAgree_data();
    void kernelsAgree();
    void checkpointGoesOn();
    void damagedCheckpointsAreRefused();
    void checkpointsThatDoNotFit();
    void schedules();
    void starts();
};

void TestLearn::gradients_data()
{
    QTest::addColumn<Operation>("operation");
    const Matrix x = sines(4, 6, 1, 1), y = sines(4, 6, 2, 1.3), row = sines(1, 6, 3, 0.8);
    const auto unary = [&](const char* name, auto f) {
        QTest::addRow("%s", name) << Operation{{x}, [f](Tape& t, const std::vector<Var>& v) { return f(t, v[0]); }};
    };
    QTest::addRow("matmul") << Operation{{x, sines(6, 3, 4, 1)},
                                         [](Tape& t, const std::vector<Var>& v) { return matmul(t, v[0], v[1]); }};
    QTest::addRow("matmul, transposed") << Operation{
        {x, sines(3, 6, 4, 1)}, [](Tape& t, const std::vector<Var>& v) { return matmul(t, v[0], v[1], true); }};
    QTest::addRow("linear") << Operation{
        {x, sines(5, 6, 4, 1), sines(1, 5, 5, 1)},
        [](Tape& t, const std::vector<Var>& v) { return linear(t, v[0], v[1], v[2]); }};
    QTest::addRow("linear, more rows than a task takes")
        << Operation{{sines(1100, 3, 4, 1), sines(2, 3, 4, 1), sines(1, 2, 5, 1)},
                     [](Tape& t, const std::vector<Var>& v) { return linear(t, v[0], v[1], v[2]); }};
    QTest::addRow("add") << Operation{{x, y}, [](Tape& t, const std::vector<Var>& v) { return add(t, v[0], v[1]); }};
    QTest::addRow("add a row") << Operation{{x, row},
                                            [](Tape& t, const std::vector<Var>& v) { return add(t, v[0], v[1]); }};
    QTest::addRow("multiply") << Operation{{x, y},
                                           [](Tape& t, const std::vector<Var>& v) { return multiply(t, v[0], v[1]); }};
    unary("scale", [](Tape& t, Var v) { return scale(t, v, -2.5f); });
    unary("square", [](Tape& t, Var v) { return square(t, v); });
    unary("gelu", [](Tape& t, Var v) { return gelu(t, v); });
    unary("relu", [](Tape& t, Var v) { return relu(t, v); });
    unary("requ", [](Tape& t, Var v) { return requ(t, v); });
    unary("requr", [](Tape& t, Var v) { return requr(t, v); });
    unary("pointwise", [](Tape& t, Var v) {
        return pointwise(t, v, [](Index, double in) { return Jet{std::sin(in), std::cos(in)}; });
    });
    unary("reshape", [](Tape& t, Var v) { return reshape(t, v, 8, 3); });
    unary("columns", [](Tape& t, Var v) { return columns(t, v, 2, 3); });
    unary("mean", [](Tape& t, Var v) { return mean(t, v); });
    QTest::addRow("layer norm") << Operation{
        {x, row, sines(1, 6, 6, 1)}, [](Tape& t, const std::vector<Var>& v) { return layerNorm(t, v[0], v[1], v[2]); }};
    QTest::addRow("softmax cross-entropy")
        << Operation{{x}, [](Tape& t, const std::vector<Var>& v) {
                         return softmaxCrossEntropy(t, v[0], std::vector<int>{0, 5, 2, 2});
                     }};
    QTest::addRow("attention, two sets of two heads") << Operation{
        {sines(6, 8, 7, 1), sines(10, 8, 8, 1), sines(10, 4, 9, 1)}, [](Tape& t, const std::vector<Var>& v) {
            return attention(t, v[0], v[1], v[2], {.batch = 2, .heads = 2, .scale = 0.7f}).output;
        }};
    QTest::addRow("attention, keys that are values")
        << Operation{{sines(2, 8, 7, 1), sines(10, 8, 8, 1)}, [](Tape& t, const std::vector<Var>& v) {
                         return attention(t, v[0], v[1], v[1], {.batch = 2, .heads = 1, .scale = 1}).output;
                     }};
}

void TestLearn::gradients()
{
    QFETCH(Operation, operation);
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestLearn::sharedNodesAddUp()
{
    Weight w = weightOf("w", Matrix::Constant(1, 1, 3)), unused = weightOf("unused", Matrix::Constant(1, 1, 1));
    unused.gradient.setConstant(7);
    Tape tape;
    const Var x = tape.weight(w);
    QCOMPARE(tape.weight(w).index, x.index);
    tape.weight(unused);
    tape.backward(add(tape, multiply(tape, x, x), scale(tape, x, 5)));  // x^2 + 5 x
    QCOMPARE(w.gradient(0, 0), 11.0f);
    QCOMPARE(unused.gradient(0, 0), 0.0f);
}

/// The mean over six rows is 4/6 of the mean over the first four and 2/6 of that over the others; so are its gradients.
void TestLearn::partsOfABatchAddUp()
{
    Weight w("w", 1, 3);
    w.value = sines(1, 3, 1, 1);
    const Matrix x = sines(6, 3, 2, 1.3);
    const auto gradientOf = [&](Index first, Index count, float share, bool accumulate) {
        Tape tape;
        tape.backward(
            mean(tape, square(tape, multiply(tape, tape.constant(Matrix(x.middleRows(first, count))),
                                             add(tape, tape.constant(Matrix::Zero(count, 3)), tape.weight(w))))),
            share, accumulate);
        return w.gradient;
    };
    const Matrix whole = gradientOf(0, 6, 1, false);
    for (Index column = 0; column < 3; ++column) {  // d/dw of mean (x w)^2 over 18 elements
        const double byHand =
            2 * x.col(column).cast<double>().squaredNorm() * static_cast<double>(w.value(0, column)) / 18;
        QVERIFY(std::abs(static_cast<double>(whole(0, column)) - byHand) < 1e-6);
    }
    gradientOf(0, 4, 4.0f / 6, false);
    QVERIFY((gradientOf(4, 2, 2.0f / 6, true) - whole).cwiseAbs().maxCoeff() < 1e-6f);
}

/// Of 40 000 ones about a quarter are 0, the others 4/3, with a mean of 1, each to within five standard errors; the
/// same again by the same draw, others by another; gradients go where values went.
void TestLearn::dropoutKeepsTheMean()
{
    Weight w("w", 100, 400);
    w.value.setOnes();
    const auto dropped = [&](std::uint64_t draw) {
        Tape tape;
        const Var y = dropout(tape, tape.weight(w), {0.25, 7, draw});
        tape.backward(mean(tape, y));
        return Matrix(tape.value(y));
    };
    const Matrix one = dropped(3);
    QVERIFY((one.array() == 0 || (one.array() - 4.0f / 3).abs() < 1e-6f).all());
    QVERIFY(std::abs(one.cast<double>().mean() - 1) <
            5 * std::sqrt(1.0 / 3 / 40000));  // the variance of an element is (4/3)^2 3/16
    QVERIFY((w.gradient.array() * 40000 - one.array()).abs().maxCoeff() < 1e-5f);
    QVERIFY(dropped(3) == one && dropped(4) != one);
    Tape tape;
    const Var x = tape.weight(w);
    QCOMPARE(dropout(tape, x, {}).index, x.index);
}

void TestLearn::referenceRun()
{
    constexpr Index batch = 4, n = 6, in = 5, width = 8, heads = 2, classes = 3;
    std::vector<Weight> all;
    for (const auto& [name, rows, columns, seed, size] :
         std::vector<std::tuple<const char*, Index, Index, double, double>>{{"first.weight", width, in, 1, 0.6},
                                                                            {"first.bias", 1, width, 2, 0.1},
                                                                            {"norm.weight", 1, width, 3, 0.2},
                                                                            {"norm.bias", 1, width, 4, 0.1},
                                                                            {"q.weight", width, width, 5, 0.5},
                                                                            {"q.bias", 1, width, 6, 0.1},
                                                                            {"k.weight", width, width, 7, 0.5},
                                                                            {"k.bias", 1, width, 8, 0.1},
                                                                            {"v.weight", width, width, 9, 0.5},
                                                                            {"v.bias", 1, width, 10, 0.1},
                                                                            {"last.weight", classes, width, 11, 0.5},
                                                                            {"last.bias", 1, classes, 12, 0.1}})
        all.push_back(weightOf(name, sines(rows, columns, seed, size)));
    all[2].value.array() += 1;
    Weights weights;
    for (Weight& weight : all)
        weights.push_back(&weight);
    std::vector<int> labels;
    for (int i = 0; i < batch * n; ++i)
        labels.push_back(i * 7 % classes);

    QFile file(TEST_DATA "/reference.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject reference = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonArray losses = reference["losses"].toArray();
    const auto compare = [&](const char* what, const Matrix Weight::*field, double tolerance) {
        for (const Weight& weight : all) {
            const QJsonArray expected = reference[what].toObject()[QString::fromStdString(weight.name)].toArray();
            QCOMPARE(expected.size(), (weight.*field).size());
            for (Index i = 0; i < (weight.*field).size(); ++i)
                QVERIFY2(std::abs(static_cast<double>((weight.*field).data()[i]) - expected[i].toDouble()) < tolerance,
                         weight.name.c_str());
        }
    };

    Adam adam({.rate = 1e-2, .l2 = 1e-3, .decay = 1e-2});
    Tape tape;
    for (qsizetype step = 0; step < losses.size(); ++step) {
        tape.clear();
        std::vector<Var> w;
        for (Weight& weight : all)
            w.push_back(tape.weight(weight));
        const Var h = layerNorm(
            tape, gelu(tape, linear(tape, tape.constant(sines(batch * n, in, 13, 1.5)), w[0], w[1])), w[2], w[3]);
        const Attended attended =
            attention(tape, linear(tape, h, w[4], w[5]), linear(tape, h, w[6], w[7]), linear(tape, h, w[8], w[9]),
                      {.batch = batch, .heads = heads, .scale = 0.5f});
        const Var loss = softmaxCrossEntropy(tape, linear(tape, add(tape, attended.output, h), w[10], w[11]), labels);
        QVERIFY(std::abs(static_cast<double>(tape.value(loss)(0, 0)) - losses[step].toDouble()) < 1e-4);
        tape.backward(loss);
        if (step == 0)
            compare("gradients", &Weight::gradient, 1e-6);
        adam.step(weights);
    }
    compare("weights", &Weight::value, 2e-3);  // Adam's quotient magnifies float rounding where gradients are near 0
}

void TestLearn::threadsGiveTheSameBits()
{
    const auto gradientOn = [](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        Linear first("a", 24, 40), second("b", 40, 40);
        first.initialise(Start::LecunNormal, 3, 0);
        second.initialise(Start::KaimingUniform, 3, 1);
        Tape tape;
        const Var h = gelu(tape, second(tape, gelu(tape, first(tape, tape.constant(sines(3000, 24, 1, 1))))));
        const Var q = tape.constant(sines(100, 40, 2, 1));
        tape.backward(mean(tape, square(tape, attention(tape, q, h, h, {.batch = 100}).output)));
        Matrix all(2, 40 * 40);
        all.setZero();
        all.row(0).head(first.weight.gradient.size()) = first.weight.gradient.reshaped<Eigen::RowMajor>().transpose();
        all.row(1) = second.weight.gradient.reshaped<Eigen::RowMajor>().transpose();
        return all;
    };
    const Matrix one = gradientOn(1);
    QVERIFY(one.cwiseAbs().maxCoeff() > 0);
    for (const std::size_t threads : {2, 3, 8})
        QVERIFY(gradientOn(threads) == one);
}

void TestLearn::kernelsAgree_data()
{
    QTest::addColumn<QString>("name");
    QTest::addRow("avx2") << "avx2";
    QTest::addRow("avx512") << "avx512";
}

void TestLearn::kernelsAgree()
{
    QFETCH(QString, name);
    const Kernels& tested = name == "avx2" ? avx2Kernels : avx512Kernels;
    if (instructionsOfProcessor() < (name == "avx2" ? Instructions::Avx2 : Instructions::Avx512))
        QSKIP("this machine lacks the instructions");
    const Matrix x = sines(1, 5000, 3, 6);
    Matrix y(1, 5000), slope(1, 5000);
    tested.gelu(x.data(), x.size(), y.data(), slope.data());
    for (Index i = 0; i < x.size(); ++i) {
        const double v = static_cast<double>(x(0, i)), t = std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v));
        QVERIFY(std::abs(static_cast<double>(y(0, i)) - 0.5 * v * (1 + t)) < 3e-6);
        QVERIFY(std::abs(static_cast<double>(slope(0, i)) -
                         0.5 * ((1 + t) + v * (1 - t * t) * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * v * v))) < 1e-5);
    }
}

namespace {

/// A linear fit, for checkpoints: `steps` steps from where it is.
void fitLine(Linear& layer, Adam& adam, int steps)
{
    Tape tape;
    for (int i = 0; i < steps; ++i) {
        tape.clear();
        const Var error = add(tape, layer(tape, tape.constant(sines(16, 3, 1, 1))), tape.constant(sines(16, 2, 2, 1)));
        tape.backward(mean(tape, square(tape, error)));
        adam.step({&layer.weight, &layer.bias});
    }
}

Linear line()
{
    Linear layer("line", 3, 2);
    layer.initialise(Start::KaimingUniform, 5, 0);
    return layer;
}

}  // namespace

void TestLearn::checkpointGoesOn()
{
    Linear whole = line(), half = line(), other = line();
    Adam wholeAdam, halfAdam, otherAdam;
    fitLine(whole, wholeAdam, 20);
    fitLine(half, halfAdam, 12);
    QTemporaryDir folder;
    const std::string path = folder.filePath("half.safetensors").toStdString();
    QVERIFY(saveTraining(path, {&half.weight, &half.bias}, halfAdam, {{"note", "kept"}}));
    const Result<TensorFile> file = TensorFile::open(path);
    QVERIFY(file);
    QCOMPARE(file->metadata().at("note"), "kept");
    QCOMPARE((*file->find("line.weight"))->shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE((*file->find("line.bias"))->shape, (std::vector<std::int64_t>{2}));
    other.weight.value.setZero();
    QVERIFY(loadTraining(*file, {&other.weight, &other.bias}, otherAdam));
    QCOMPARE(otherAdam.steps(), 12);
    fitLine(other, otherAdam, 8);
    QVERIFY(other.weight.value == whole.weight.value && other.bias.value == whole.bias.value);
}

/// One bit that flips anywhere beyond the header's length, one cell of 4096 zeros, or a number of steps that was
/// changed by hand: nothing is loaded, and the weights stay as they were.
void TestLearn::damagedCheckpointsAreRefused()
{
    Linear layer("line", 40, 50);
    layer.initialise(Start::KaimingUniform, 5, 0);
    Adam adam;
    Tape tape;
    const Var out = layer(tape, tape.constant(sines(8, 40, 1, 1)));
    tape.backward(mean(tape, square(tape, out)));
    adam.step({&layer.weight, &layer.bias});
    QTemporaryDir folder;
    const std::string path = folder.filePath("line.safetensors").toStdString();
    QVERIFY(saveTraining(path, {&layer.weight, &layer.bias}, adam, {{"note", "kept"}}));
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    const auto isLoaded = [&](const QByteArray& bytes) {
        QFile damaged(file.fileName());
        if (!damaged.open(QIODevice::WriteOnly) || damaged.write(bytes) != bytes.size())
            return true;
        damaged.close();
        const auto opened = TensorFile::open(path);
        Linear other("line", 40, 50);
        Adam otherAdam;
        const bool loaded = opened && loadTraining(*opened, {&other.weight, &other.bias}, otherAdam);
        return loaded || other.weight.value.norm() != 0 || otherAdam.steps() != 0;
    };
    QVERIFY(isLoaded(whole));
    int tried = 0;
    for (qsizetype at = 8; at < whole.size(); at += 211, ++tried) {
        QByteArray damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
        QVERIFY2(!isLoaded(damaged), qPrintable(QString::number(at)));
    }
    QVERIFY(tried > 50);
    QByteArray zeroed = whole, told = whole;
    std::fill_n(zeroed.data() + whole.size() - 9000, 4096, '\0');
    QVERIFY(!isLoaded(zeroed));
    told.replace("\"optimizer.steps\":\"1\"", "\"optimizer.steps\":\"3\"");
    QVERIFY(told != whole && !isLoaded(told));
}

void TestLearn::checkpointsThatDoNotFit()
{
    Linear layer = line(), wider("line", 4, 2), named("other", 3, 2);
    Adam adam;
    QTemporaryDir folder;
    const std::string path = folder.filePath("model.safetensors").toStdString();
    QVERIFY(saveModel(path, {&layer.weight, &layer.bias}));
    const Result<TensorFile> file = TensorFile::open(path);
    QVERIFY(file);
    QCOMPARE(loadTraining(*file, {&layer.weight, &layer.bias}, adam).error().kind, ErrorKind::InvalidHeader);
    const Result<void> shape = loadModel(*file, {&wider.weight, &wider.bias});
    QCOMPARE(shape.error().kind, ErrorKind::BadShape);
    QVERIFY2(shape.error().message.find("line.weight") != std::string::npos, shape.error().message.c_str());
    QCOMPARE(loadModel(*file, {&named.weight}).error().kind, ErrorKind::UnknownName);
}

void TestLearn::schedules()
{
    const Schedule cosine = cosineRate(110, 10, 0.1);
    QCOMPARE(cosine(4), 0.5);
    QCOMPARE(cosine(10), 1.0);
    QVERIFY(std::abs(cosine(60) - 0.55) < 1e-12);
    QVERIFY(std::abs(cosine(500) - 0.1) < 1e-12);
}

void TestLearn::starts()
{
    Weight lecun("w", 300, 400), again = lecun, kaiming("w", 300, 400);
    initialise(lecun, Start::LecunNormal, 1, 0);
    initialise(again, Start::LecunNormal, 1, 0);
    QVERIFY(lecun.value == again.value);
    initialise(again, Start::LecunNormal, 1, 1);
    QVERIFY(!(lecun.value == again.value));
    const auto deviation = [](const Weight& w) { return std::sqrt(w.value.cast<double>().array().square().mean()); };
    QVERIFY(std::abs(deviation(lecun) * std::sqrt(400.0) - 1) < 0.01);
    QVERIFY(static_cast<double>(lecun.value.cwiseAbs().maxCoeff()) < 2.0001 / 0.8796256610342398 / 20);
    initialise(kaiming, Start::KaimingUniform, 1, 0);
    QVERIFY(std::abs(deviation(kaiming) * std::sqrt(3.0 * 400) - 1) < 0.01);
}

QTEST_GUILESS_MAIN(TestLearn)
#include "test_learn.moc"
