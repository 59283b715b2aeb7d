// A temperature by entropy in training is the registry's, beta and slope, and its gradient the normaliser's own: where
// beta jumps too, as it does at a threshold where the polynomial is above 1.

#include "core/attention/normaliser.h"
#include "core/labs/language/language_network.h"
#include "core/learn/operations.h"
#include "core/learn/transformer.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <vector>

using namespace attnscope;

namespace {

constexpr double besideTheJump = 5e-6;  // less than what a central difference once looked to both sides

const Normaliser& adaptiveRow() { return **findRow(normalisers(), "adaptive", "normaliser"); }

/// Four logits of this spread.
std::vector<double> logitsOf(double spread)
{
    std::vector<double> logits;
    for (const double x : {1.0, 0.25, -0.5, -1.0})  // that float32 holds times any spread of 24 bits
        logits.push_back(static_cast<double>(static_cast<float>(spread)) * x);
    return logits;
}

double entropyOf(const std::vector<double>& logits)
{
    double sum = 0, mean = 0;
    for (const double x : logits) {
        sum += std::exp(x);
        mean += x * std::exp(x);
    }
    return std::log(sum) - mean / sum;
}

/// Logits of a row of this entropy, which falls in the spread.
std::vector<double> logitsOfEntropy(double entropy)
{
    double low = 0, high = 20;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (entropyOf(logitsOf(middle)) > entropy ? low : high) = middle;
    }
    return logitsOf(low);
}

}  // namespace

class TestTrainingAttention : public QObject {
    Q_OBJECT
private slots:
    void temperatureIsTheRegistrys_data() { thresholds(); }
    void temperatureIsTheRegistrys();
    void gradientIsTheNormalisers_data() { thresholds(); }
    void gradientIsTheNormalisers();

private:
    static void thresholds()
    {
        QTest::addColumn<double>("threshold");
        QTest::addColumn<bool>("lowestFirst");
        for (const double threshold : {0.5, 1.0, std::log(3)})
            for (const bool lowestFirst : {false, true})
                QTest::addRow("H0 = %g, %s first", threshold, lowestFirst ? "lowest" : "highest")
                    << threshold << lowestFirst;
    }
    static Choice choice()
    {
        QFETCH(double, threshold);
        QFETCH(bool, lowestFirst);
        return {"adaptive", {{"threshold", threshold}, {"lowest_first", lowestFirst ? 1 : 0}}, {}};
    }
};

/// A jump is there to be looked at from 1 on: the published polynomial passes 1 at about 0.85, and so does the other.
void TestTrainingAttention::temperatureIsTheRegistrys()
{
    const Choice adaptive = choice();
    const double threshold = adaptive.values.at("threshold");
    const Result<TrainingAttention> attention = trainingAttention(adaptive, {}, 64);
    QVERIFY2(attention && attention->beta, attention ? "" : attention.error().message.c_str());
    const Parameters parameters(adaptiveRow(), adaptive);
    const auto beta = [&](double entropy) { return adaptiveRow().softmaxForm->beta(entropy, parameters); };
    QCOMPARE(beta(threshold + besideTheJump) - beta(threshold - besideTheJump) > 0.1, threshold >= 1);

    int sloping = 0;
    for (const double entropy : {threshold - besideTheJump, threshold + besideTheJump, 0.1, threshold - 0.01,
                                 threshold + 0.01, 1.3, 2.0, 3.5}) {
        const learn::Jet jet = attention->beta(entropy);
        QCOMPARE(jet.value, beta(entropy));
        QCOMPARE(jet.slope, adaptiveRow().softmaxForm->slope(entropy, parameters));
        constexpr double h = 1e-7;  // smaller than the way to the jump: rounding adds 1e-9 to the slope, the cubic less
        const double quotient = (beta(entropy + h) - beta(entropy - h)) / (2 * h);
        QVERIFY2(
            std::abs(jet.slope - quotient) < 1e-7,
            qPrintable(QString("%1: %2 and %3").arg(entropy).arg(jet.slope, 0, 'g', 12).arg(quotient, 0, 'g', 12)));
        sloping += jet.slope != 0 ? 1 : 0;
    }
    QVERIFY(sloping >= 1);
}

/// The last row of a causal layer whose keys are the axes: its logits are its query, and dq is dz. In float32.
void TestTrainingAttention::gradientIsTheNormalisers()
{
    const Choice adaptive = choice();
    const Parameters parameters(adaptiveRow(), adaptive);
    const Result<TrainingAttention> attention = trainingAttention(adaptive, {}, 64);
    QVERIFY(attention);
    for (const double side : {-besideTheJump, besideTheJump}) {
        const std::vector<double> logits = logitsOfEntropy(adaptive.values.at("threshold") + side);
        const std::array<double, 4> along{0.5, -1.25, 2, 0.75};  // dL/dweights: the values, which the loss adds up

        std::vector<double> weights, wanted(along.begin(), along.end());
        const NormaliserState state = adaptiveRow().solve(logits, parameters);
        for (const double z : logits)
            weights.push_back(adaptiveRow().weight(z, state, parameters));
        adaptiveRow().gradient(logits, weights, wanted, parameters);

        learn::Weight queries("q", 4, 4);
        learn::Matrix keys = learn::Matrix::Identity(4, 4), values = learn::Matrix::Zero(4, 4),
                      lastRow = learn::Matrix::Zero(4, 4);
        for (Eigen::Index j = 0; j < 4; ++j) {
            queries.value(3, j) = static_cast<float>(logits[static_cast<std::size_t>(j)]);
            values(j, 0) = static_cast<float>(along[static_cast<std::size_t>(j)]);
        }
        lastRow(3, 0) = 16;  // a mean over 16
        learn::Tape tape;
        const learn::Var out = learn::selfAttention(tape, tape.weight(queries), tape.constant(keys),
                                                    tape.constant(values), {.scale = {1.0f}, .beta = attention->beta});
        tape.backward(learn::mean(tape, learn::multiply(tape, out, tape.constant(lastRow))));
        for (Eigen::Index j = 0; j < 4; ++j) {
            const double got = static_cast<double>(queries.gradient(3, j)),
                         should = wanted[static_cast<std::size_t>(j)];
            QVERIFY2(std::abs(got - should) < 1e-5,
                     qPrintable(
                         QString("key %1, %2 nats from H0: %3 in place of %4").arg(j).arg(side).arg(got).arg(should)));
        }
    }
}

QTEST_APPLESS_MAIN(TestTrainingAttention)
#include "test_training_attention.moc"
