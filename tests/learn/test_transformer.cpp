// The operations of a transformer and the Llama that they make: every gradient against central differences, attention
// against its definition in double precision, and the same bits on any number of threads.

#include "gradient_check.h"

#include "core/base/processor.h"
#include "core/learn/kernels/kernels.h"
#include "core/networks/llama.h"
#include "core/learn/optimiser.h"

#include <QtTest>

#include <tbb/global_control.h>

using namespace attnscope;
using namespace attnscope::learn;

namespace {

constexpr Index queryHeads = 4, keyHeads = 2, headSize = 4;

/// Softmax attention as it is defined, in double precision.
Eigen::MatrixXd plainAttention(const Matrix& q, const Matrix& k, const Matrix& v, const SelfAttention& shape)
{
    const Index n = q.rows() / shape.batch, d = q.cols() / shape.heads;
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(q.rows(), q.cols());
    for (Index set = 0; set < shape.batch; ++set)
        for (Index h = 0; h < shape.heads; ++h)
            for (Index i = 0; i < n; ++i) {
                const Index keyHead = h * shape.keyHeads / shape.heads, row = set * n + i;
                Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(d);
                double total = 0;
                for (Index j = 0; j < n; ++j) {
                    const bool sees = (!shape.causal || j <= i) &&
                                      (shape.window == 0 || std::abs(i - j) < shape.window) &&
                                      (shape.lengths.empty() || j < shape.lengths[static_cast<std::size_t>(set)]);
                    if (!sees)
                        continue;
                    const double s =
                        static_cast<double>(shape.scale[shape.scale.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
                    const double e = std::exp(s * q.row(row).segment(h * d, d).cast<double>().dot(
                                                      k.row(set * n + j).segment(keyHead * d, d).cast<double>()));
                    total += e;
                    sum += e * v.row(set * n + j).segment(keyHead * d, d).cast<double>();
                }
                if (total > 0)
                    out.row(row).segment(h * d, d) = sum / total;
            }
    return out;
}

std::vector<std::pair<const char*, SelfAttention>> shapes(Index n)
{
    SelfAttention causal{.batch = 2, .heads = queryHeads, .keyHeads = keyHeads, .scale = {0.6f}};
    SelfAttention scaled = causal, window = causal, padded = causal, both = causal, none = causal;
    scaled.scale.clear();
    for (Index i = 0; i < n; ++i)
        scaled.scale.push_back(0.3f + 0.05f * static_cast<float>(i));
    window.window = 3;
    padded.causal = false;
    padded.lengths = {n, n - 2};
    both.causal = false;
    both.window = 4;
    none.window = 2;
    none.lengths = {n, 1};  // rows after the second see no key at all
    return {{"causal", causal},  {"a scale a row", scaled},  {"window", window},
            {"padding", padded}, {"window both ways", both}, {"rows that see nothing", none}};
}

Matrix input(Index n, Index heads, double seed) { return sines(2 * n, heads * headSize, seed, 1); }

}  // namespace

class TestTransformer : public QObject {
    Q_OBJECT
private slots:
    void gradients_data();
    void gradients();
    void attentionIsItsDefinition();
    void rotationTurns();
    void labelsBelowZeroDoNotCount();
    void clippedGradients();
    void kernelsAgree_data();
    void kernelsAgree();
    void theLlamasGradient_data();
    void theLlamasGradient();
    void logitsOfSomeRows();
    void positionsOfTheirOwn();
    void temperatureByEntropy();
    void threadsGiveTheSameBits();
    void itLearns();
};

void TestTransformer::gradients_data()
{
    QTest::addColumn<Operation>("operation");
    const Matrix x = sines(6, 8, 1, 1);
    QTest::addRow("embedding, a word twice") << Operation{{sines(5, 4, 1, 1)}, [](Tape& t, const std::vector<Var>& v) {
                                                              return embedding(t, v[0], std::vector<int>{3, 0, 3, 4});
                                                          }};
    QTest::addRow("tied embedding") << Operation{
        {sines(5, 4, 1, 1)}, [](Tape& t, const std::vector<Var>& v) {
            return matmul(t, embedding(t, v[0], std::vector<int>{3, 0, 3}), v[0], true);
        }};
    QTest::addRow("rms norm") << Operation{
        {x, sines(1, 8, 2, 1)}, [](Tape& t, const std::vector<Var>& v) { return rmsNorm(t, v[0], v[1], 1e-5f); }};
    QTest::addRow("rms norm, more rows than a task takes, twice")
        << Operation{{sines(150, 8, 1, 1), sines(1, 8, 2, 1)}, [](Tape& t, const std::vector<Var>& v) {
                         return rmsNorm(t, add(t, rmsNorm(t, v[0], v[1], 1e-5f), v[0]), v[1], 1e-5f);
                     }};
    QTest::addRow("swiglu") << Operation{{x, sines(6, 8, 2, 2)}, [](Tape& t, const std::vector<Var>& v) {
                                             return add(t, swiglu(t, v[0], v[1]), swiglu(t, v[1], v[0]));
                                         }};
    QTest::addRow("rotate") << Operation{
        {x}, [](Tape& t, const std::vector<Var>& v) { return add(t, v[0], rotate(t, v[0], rotation(3, 4, 100))); }};
    QTest::addRow("token loss") << Operation{{x}, [](Tape& t, const std::vector<Var>& v) {
                                                 return add(
                                                     t, tokenLoss(t, v[0], std::vector<int>{0, -1, 7, 2, -1, 2}).loss,
                                                     tokenLoss(t, v[0], std::vector<int>{-1, 1, 1, 1, 1, 1}).loss);
                                             }};
    for (const auto& [name, shape] : shapes(7))
        QTest::addRow("attention, %s", name) << Operation{
            {input(7, queryHeads, 7), input(7, keyHeads, 8), input(7, keyHeads, 9)},
            [shape = shape](Tape& t, const std::vector<Var>& v) { return selfAttention(t, v[0], v[1], v[2], shape); }};
    QTest::addRow("attention, more rows than a tile") << Operation{
        {input(70, queryHeads, 7), input(70, keyHeads, 8), input(70, keyHeads, 9)},
        [](Tape& t, const std::vector<Var>& v) { return selfAttention(t, v[0], v[1], v[2], shapes(70)[1].second); }};
    for (const auto& [name, shape] : shapes(7)) {
        SelfAttention sharpened = shape;
        sharpened.beta = [](double entropy) { return Jet{0.4 + entropy * entropy, 2 * entropy}; };
        QTest::addRow("attention whose temperature follows the entropy, %s", name) << Operation{
            {input(7, queryHeads, 7), input(7, keyHeads, 8), input(7, keyHeads, 9)},
            [sharpened](Tape& t, const std::vector<Var>& v) { return selfAttention(t, v[0], v[1], v[2], sharpened); }};
    }
    QTest::addRow("attention, keys that are values")
        << Operation{{input(7, queryHeads, 7), input(7, keyHeads, 8)}, [](Tape& t, const std::vector<Var>& v) {
                         return selfAttention(t, v[0], v[1], v[1], shapes(7)[0].second);
                     }};
}

void TestTransformer::gradients()
{
    QFETCH(Operation, operation);
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// To float32's rounding of sums of a few dozen terms of size 1.
void TestTransformer::attentionIsItsDefinition()
{
    for (const Index n : {7, 150})
        for (const auto& [name, shape] : shapes(n)) {
            const Matrix q = input(n, queryHeads, 1), k = input(n, keyHeads, 2), v = input(n, keyHeads, 3);
            Tape tape;
            const Var out = selfAttention(tape, tape.constant(q), tape.constant(k), tape.constant(v), shape);
            const double error =
                (tape.value(out).cast<double>() - plainAttention(q, k, v, shape)).cwiseAbs().maxCoeff();
            QVERIFY2(error < 5e-6, qPrintable(QString("%1, n = %2: %3").arg(name).arg(n).arg(error)));
        }
}

void TestTransformer::rotationTurns()
{
    Tape tape;
    Matrix x(2, 4);
    x << 1, 2, 3, 4, 5, 6, 7, 8;
    const ConstMatrixView y = tape.value(rotate(tape, tape.constant(x), rotation(2, 4, 100)));
    QCOMPARE(y(0, 1), 2.0f);                            // place 0 stays
    const double c = std::cos(0.1), s = std::sin(0.1);  // 100^(-2/4): the second pair, coordinates 1 and 3
    QVERIFY(std::abs(static_cast<double>(y(1, 1)) - (6 * c - 8 * s)) < 1e-6);
    QVERIFY(std::abs(static_cast<double>(y(1, 3)) - (8 * c + 6 * s)) < 1e-6);
}

void TestTransformer::labelsBelowZeroDoNotCount()
{
    Tape tape;
    Matrix z(3, 2);
    z << 0, 0, 5, 1, 0, std::log(3.0f);
    const TokenLoss some = tokenLoss(tape, tape.constant(z), std::vector<int>{0, -1, 1});
    QCOMPARE(some.counted, 2);
    QVERIFY(std::abs(static_cast<double>(tape.value(some.loss)(0, 0)) - (std::log(2.0) + std::log(4.0 / 3)) / 2) <
            1e-6);
    QCOMPARE(some.accuracy, 1.0);  // of two equal logits either is the largest
    const TokenLoss none = tokenLoss(tape, tape.constant(z), std::vector<int>{-1, -1, -1});
    QCOMPARE(tape.value(none.loss)(0, 0), 0.0f);
}

void TestTransformer::clippedGradients()
{
    Weight a = weightOf("a", Matrix::Zero(1, 2)), b = weightOf("b", Matrix::Zero(1, 1));
    a.gradient << 3, 0;
    b.gradient << 4;
    QCOMPARE(clipGradients({&a, &b}, 10), 5.0);
    QCOMPARE(b.gradient(0, 0), 4.0f);
    QCOMPARE(clipGradients({&a, &b}, 1), 5.0);
    QVERIFY(std::abs(b.gradient(0, 0) - 0.8f) < 1e-6f && std::abs(a.gradient(0, 0) - 0.6f) < 1e-6f);
}

void TestTransformer::kernelsAgree_data()
{
    QTest::addColumn<QString>("name");
    QTest::addRow("avx2") << "avx2";
    QTest::addRow("avx512") << "avx512";
}

/// Each with the baseline's on odd sizes; float32 sums of 333 terms in another order.
void TestTransformer::kernelsAgree()
{
    QFETCH(QString, name);
    const Kernels &tested = name == "avx2" ? avx2Kernels : avx512Kernels, &plain = baselineKernels;
    if (instructionsOfProcessor() < (name == "avx2" ? Instructions::Avx2 : Instructions::Avx512))
        QSKIP("this machine lacks the instructions");
    constexpr Index rows = 3, columns = 333;
    const Matrix a = sines(rows, columns, 1, 2), b = sines(rows, columns, 2, 3), c = sines(rows, columns, 3, 1),
                 gain = sines(1, columns, 4, 1);
    const auto run = [&](const Kernels& k) {
        Matrix out = Matrix::Zero(10 * rows, columns);
        std::ptrdiff_t at = 0;
        out(0, 0) = k.largest(a.data(), columns, &at);
        out(0, 1) = static_cast<float>(at);
        out(0, 2) = k.exponentials(a.data(), columns, 2, out.row(1).data());
        k.softmaxBack(a.data(), b.data(), columns, 0.5f, out.row(2).data());
        k.rmsNorm(a.data(), gain.data(), rows, columns, 1e-5f, out.row(3).data(), out.row(6).data());
        k.rmsNormBack(a.data(), gain.data(), out.row(6).data(), c.data(), rows, columns, out.row(7).data(), false,
                      out.row(10).data());
        k.swiglu(a.data(), b.data(), rows * columns, out.row(11).data());
        out.middleRows(14, 6).setOnes();
        k.swigluBack(a.data(), b.data(), c.data(), rows * columns, out.row(14).data(), true, out.row(17).data(), false);
        k.rotate(a.data(), b.data(), c.data(), columns / 2, -1, out.row(20).data(), false);
        k.rotate(a.data(), b.data(), c.data(), columns / 2, 1, out.row(20).data(), true);
        return out;
    };
    const Matrix one = run(plain), other = run(tested);
    QVERIFY(one.cwiseAbs().rowwise().maxCoeff().head(21).minCoeff() > 0);
    QVERIFY2((one - other).cwiseAbs().maxCoeff() < 2e-4f,
             qPrintable(QString::number(static_cast<double>((one - other).cwiseAbs().maxCoeff()))));
}

namespace {

const LlamaShape smallShape{.layers = 2, .width = 16, .inner = 24, .heads = 4, .keyHeads = 2, .vocabulary = 11};

std::vector<int> someIds(int count, int vocabulary)
{
    std::vector<int> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back((i * i + 3 * i) % vocabulary);
    return ids;
}

double lossOf(Llama& model, Tape& tape, bool backward, const std::vector<int>& rows = {})
{
    const std::vector<int> ids = someIds(2 * 9, 11), all(ids.rbegin(), ids.rend()),
                           labels(all.begin(), rows.empty() ? all.end() : all.begin() + std::ssize(rows));
    std::vector<float> multipliers;
    for (int i = 0; i < 9; ++i)
        multipliers.push_back(0.5f + 0.1f * static_cast<float>(i));
    tape.clear();
    const Var loss = tokenLoss(tape, model(tape, ids, 2, {.multipliers = multipliers, .rows = rows}), labels).loss;
    if (backward)
        tape.backward(loss);
    return static_cast<double>(tape.value(loss)(0, 0));
}

}  // namespace

void TestTransformer::theLlamasGradient_data()
{
    QTest::addColumn<bool>("causal");
    QTest::addColumn<double>("alpha");
    QTest::addRow("Llama") << true << 0.0;
    QTest::addRow("encoder") << false << 0.0;
    QTest::addRow("encoder with the cosine") << false << 6.0;
}

/// All weights together along random directions: the loss is known to 1e-7, a step of 0.02 leaves 1e-5 of noise and of
/// the next order. The encoders' loss is of some rows.
void TestTransformer::theLlamasGradient()
{
    QFETCH(bool, causal);
    QFETCH(double, alpha);
    LlamaShape shape = smallShape;
    shape.causal = causal;
    shape.alpha = alpha;
    const std::vector<int> rows = causal ? std::vector<int>() : std::vector<int>{2, 3, 9, 17};
    Llama model(shape, 3);
    Tape tape;
    lossOf(model, tape, true, rows);
    for (Weight* weight : model.weights()) {
        if (!weight->trained)
            continue;  // the gains of the cosine
        const Matrix gradient = weight->gradient, centre = weight->value,
                     way = sines(centre.rows(), centre.cols(), 5, 1) / std::sqrt(static_cast<float>(centre.size()));
        const auto at = [&](float h) {
            weight->value = centre + h * way;
            const double loss = lossOf(model, tape, false, rows);
            weight->value = centre;
            return loss;
        };
        const auto difference = [&](float h) { return (at(h) - at(-h)) / (2 * static_cast<double>(h)); };
        const double slope = (4 * difference(0.02f) - difference(0.04f)) / 3,
                     expected = gradient.cast<double>().cwiseProduct(way.cast<double>()).sum();
        QVERIFY2(std::abs(slope - expected) < 1e-4 + 1e-3 * std::abs(expected),
                 qPrintable(QString("%1: %2, by differences %3")
                                .arg(QString::fromStdString(weight->name))
                                .arg(expected)
                                .arg(slope)));
    }
}

void TestTransformer::logitsOfSomeRows()
{
    LlamaShape shape = smallShape;
    shape.causal = false;
    Llama model(shape, 3);
    const std::vector<int> ids = someIds(2 * 9, 11), rows{0, 5, 5, 17};
    Tape tape;
    const Matrix all = tape.value(model(tape, ids, 2));
    tape.clear();
    const Matrix some = tape.value(model(tape, ids, 2, {.rows = rows}));
    QCOMPARE(some.rows(), Index{4});
    for (Index i = 0; i < 4; ++i)
        QVERIFY((some.row(i) - all.row(rows[static_cast<std::size_t>(i)])).cwiseAbs().maxCoeff() < 1e-5f);
    std::vector<int> changed = ids;  // an encoder's first row sees the last token of its sequence, and none of the next
    changed[8] = (ids[8] + 1) % 11;
    tape.clear();
    const Matrix other = tape.value(model(tape, changed, 2));
    QVERIFY(other.row(0) != all.row(0));
    QVERIFY(other.bottomRows(9) == all.bottomRows(9));
}

/// Rotary scores depend on differences of positions alone: shifted ones change nothing, and 0, 1, ... are what stands
/// there without.
void TestTransformer::positionsOfTheirOwn()
{
    Llama model(smallShape, 3);
    const std::vector<int> ids = someIds(2 * 9, 11);
    std::vector<int> same, shifted, spread;
    for (int row = 0; row < 18; ++row) {
        same.push_back(row % 9);
        shifted.push_back(row % 9 + (row < 9 ? 5 : 40));
        spread.push_back(row % 9 * (row < 9 ? 1 : 3));
    }
    const auto logits = [&](const std::vector<int>& positions) {
        Tape tape;
        return Matrix(tape.value(model(tape, ids, 2, {.positions = positions})));
    };
    const Matrix plain = logits({}), further = logits(shifted), other = logits(spread);
    QVERIFY(logits(same) == plain);
    QVERIFY((further - plain).cwiseAbs().maxCoeff() < 1e-4f);
    QVERIFY(other.topRows(9) == plain.topRows(9));
    QVERIFY(other.row(9) == plain.row(9) && (other.row(17) - plain.row(17)).cwiseAbs().maxCoeff() > 1e-2f);
}

/// One head of one row of logits z = (2, 1, 0): with p = softmax z, H = -sum p ln p, the output is sum softmax(beta(H)
/// z) v.
void TestTransformer::temperatureByEntropy()
{
    Matrix q(3, 2), k(3, 2), v(3, 2);
    q << 0, 0, 0, 0, 1, 0;
    k << 2, 0, 1, 0, 0, 0;
    v << 1, 0, 0, 1, 5, 5;
    double sum = 0, mean = 0;
    for (const double z : {2.0, 1.0, 0.0}) {
        sum += std::exp(z);
        mean += z * std::exp(z);
    }
    const double entropy = std::log(sum) - mean / sum, beta = 1 + entropy;
    const double a = std::exp(2 * beta), b = std::exp(beta), total = a + b + 1;
    Tape tape;
    const Var out = selfAttention(tape, tape.constant(q), tape.constant(k), tape.constant(v),
                                  {.scale = {1.0f}, .beta = [](double h) {
                                       return Jet{1 + h, 1};
                                   }});
    QVERIFY(std::abs(static_cast<double>(tape.value(out)(2, 0)) - (a + 5) / total) < 1e-5);
    QVERIFY(std::abs(static_cast<double>(tape.value(out)(2, 1)) - (b + 5) / total) < 1e-5);
    QCOMPARE(tape.value(out)(0, 0), 1.0f);  // one key: nothing to sharpen
}

void TestTransformer::threadsGiveTheSameBits()
{
    const auto trainedOn = [](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        Llama model({.layers = 2, .width = 32, .inner = 48, .heads = 4, .keyHeads = 2, .vocabulary = 50}, 3);
        const std::vector<int> ids = someIds(8 * 96, 50), labels(ids.rbegin(), ids.rend());
        Adam adam({.rate = 1e-2});
        Tape tape;
        for (int step = 0; step < 3; ++step) {
            tape.clear();
            tape.backward(tokenLoss(tape, model(tape, ids, 8), labels).loss);
            clipGradients(model.weights(), 1);
            adam.step(model.weights());
        }
        std::vector<Matrix> values;
        for (const Weight* weight : model.weights())
            values.push_back(weight->value);
        return values;
    };
    const std::vector<Matrix> one = trainedOn(1);
    for (const std::size_t threads : {2, 3, 8})
        QVERIFY(trainedOn(threads) == one);
}

/// A cycle of words can be known for certain once it has been learned.
void TestTransformer::itLearns()
{
    Llama model(smallShape, 1);
    std::vector<int> ids, labels;
    for (int i = 0; i < 4 * 12; ++i) {
        ids.push_back(i * 3 % 11);
        labels.push_back((i + 1) * 3 % 11);
    }
    Adam adam({.rate = 2e-2});
    Tape tape;
    double loss = 0;
    for (int step = 0; step < 60; ++step) {
        tape.clear();
        const TokenLoss here = tokenLoss(tape, model(tape, ids, 4), labels);
        loss = static_cast<double>(tape.value(here.loss)(0, 0));
        if (step == 0)
            QVERIFY(std::abs(loss - std::log(11.0)) < 0.7);  // it begins near chance
        tape.backward(here.loss);
        adam.step(model.weights());
    }
    QVERIFY2(loss < 0.05, qPrintable(QString::number(loss)));
}

QTEST_GUILESS_MAIN(TestTransformer)
#include "test_transformer.moc"
