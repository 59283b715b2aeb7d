// The numbers of every head of a layer, where they have a closed form: rows that look everywhere alike.

#include "core/analysis/head_numbers.h"

#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

/// Head 0: queries of 0, so uniform rows. Head 1: the key itself is worth `own` more than any other.
HeadSet twoHeads(int n, float own)
{
    HeadSet heads;
    Matrix one = Matrix::Zero(n, n);
    one.diagonal().setConstant(own * std::sqrt(static_cast<float>(n)));
    heads.queries = {Matrix::Zero(n, n), one};
    heads.keys = {Matrix::Identity(n, n), Matrix::Identity(n, n)};
    return heads;
}

}  // namespace

class TestHeadNumbers : public QObject {
    Q_OBJECT
private slots:
    /// Causal and uniform: H_i = ln(i + 1), whose mean is ln(n!) / n.
    void uniformRowsAreLogarithms()
    {
        constexpr int n = 64;
        const auto numbers = headNumbers(twoHeads(n, 3), {.attention = {}, .n = n, .nTrain = 32}, {});
        QVERIFY(numbers && numbers->size() == 2);
        const auto mean = [](double length) { return std::lgamma(length + 1) / length; };
        const HeadNumbers& uniform = numbers->front();
        QVERIFY(std::abs(uniform.entropy - mean(n)) < 1e-5);  // entropies are float32 sums
        QVERIFY(std::abs(uniform.share - 1) < 1e-5);
        QVERIFY(!uniform.keepsEntropy);       // no m makes equal logits differ
        double x = 0, y = 0, xy = 0, xx = 0;  // lengths 8, 16, 32, 64: n/16 is below 8
        const std::vector<double> lengths{8, 16, 32, 64};
        for (const double length : lengths) {
            x += std::log(length) / 4;
            y += mean(length) / 4;
        }
        for (const double length : lengths) {
            xy += (std::log(length) - x) * (mean(length) - y);
            xx += (std::log(length) - x) * (std::log(length) - x);
        }
        QVERIFY(uniform.slope && std::abs(*uniform.slope - xy / xx) < 1e-5);
    }

    /// The same of the last quarter of rows alone: those from row 3n/4 on, at every length of the slope too.
    void rowsThatSeeAboutNKeysCountAlone()
    {
        constexpr int n = 64;
        const HeadNumbersRequest request{
            .attention = {}, .n = n, .nTrain = 32, .rows = {.kind = RowSet::Kind::SeeingAboutN}};
        const auto numbers = headNumbers(twoHeads(n, 3), request, {});
        QVERIFY(numbers && numbers->size() == 2);
        const auto mean = [](int length) {
            const int first = length - (length + 3) / 4;
            double sum = 0;
            for (int row = first; row < length; ++row)
                sum += std::log(row + 1) / (length - first);
            return sum;
        };
        QVERIFY(std::abs(numbers->front().entropy - mean(n)) < 1e-5);
        QVERIFY(std::abs(numbers->front().share - 1) < 1e-5);
        for (const CurvePoint& point : numbers->front().curve)
            QVERIFY(std::abs(point.value - mean(int(point.n))) < 1e-5);
        // row i of the other has one weight e^3m / (e^3m + i): solved by bisection over the same rows
        const auto entropy = [](int length, double m) {
            const int first = length - (length + 3) / 4;
            double sum = 0;
            for (int i = first; i < length; ++i) {
                const double all = std::exp(3 * m) + i;
                sum += (std::log(all) - 3 * m * std::exp(3 * m) / all) / (length - first);
            }
            return sum;
        };
        double low = 1, high = 4;
        for (int step = 0; step < 60; ++step)
            (entropy(n, (low + high) / 2) > entropy(32, 1) ? low : high) = (low + high) / 2;
        QVERIFY(numbers->back().keepsEntropy && std::abs(*numbers->back().keepsEntropy - low) < 1e-4);
        // what a head is for too: its weight on itself
        double itself = 0;
        for (int i = n - (n + 3) / 4; i < n; ++i)
            itself += std::exp(3.0) / (std::exp(3.0) + i) / std::ceil(n / 4.0);
        QVERIFY(std::abs(numbers->back().roles[HeadRole::Itself] - itself) < 1e-5);
    }

    /// Of whichever rows count, and where each row is asked by its own keys too, which are many.
    void aMethodThatMeasuresKeepsThem()
    {
        constexpr int n = 600;
        for (const RowSet& rows : {RowSet{}, RowSet{.kind = RowSet::Kind::SeeingAboutN}}) {
            HeadNumbersRequest request{.attention = {}, .n = 64, .nTrain = 64, .rows = rows};
            const auto trained = headNumbers(twoHeads(n, 3), request, {});
            request.n = n;
            request.method = {"entropy_measured", {}, {}};
            const auto kept = headNumbers(twoHeads(n, 3), request, {});
            QVERIFY(trained && kept);
            QVERIFY(std::abs(kept->back().entropy - trained->back().entropy) < 1e-4);
            request.method.values["row"] = 1;
            const auto byRow = headNumbers(twoHeads(n, 3), request, {});
            QVERIFY(byRow && byRow->back().absent.empty());
        }
    }

    /// Row i of head 1 has one weight e^3 / (e^3 + i) and i of 1 / (e^3 + i). With m in place of 1 it is e^3m: that m
    /// is solved here by bisection.
    void theMultiplierKeepsTheEntropyOfN()
    {
        constexpr int n = 64;
        const auto entropy = [](int length, double m) {
            double sum = 0;
            for (int i = 0; i < length; ++i) {
                const double all = std::exp(3 * m) + i;
                sum += std::log(all) - 3 * m * std::exp(3 * m) / all;
            }
            return sum / length;
        };
        double low = 1, high = 4;
        for (int step = 0; step < 60; ++step)
            (entropy(n, (low + high) / 2) > entropy(32, 1) ? low : high) = (low + high) / 2;
        const auto numbers = headNumbers(twoHeads(n, 3), {.attention = {}, .n = n, .nTrain = 32}, {});
        QVERIFY(numbers);
        const HeadNumbers& sharp = numbers->back();
        QVERIFY(std::abs(sharp.entropy - entropy(n, 1)) < 1e-5);
        QVERIFY(sharp.keepsEntropy && std::abs(*sharp.keepsEntropy - low) < 1e-4);
        const auto within = headNumbers(twoHeads(n, 3), {.attention = {}, .n = 16, .nTrain = 32}, {});
        QVERIFY(within && !within->back().keepsEntropy && within->back().notKept == belowTrainLength);
    }

    void whatCannotBeIsSaid()
    {
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(headNumbers(twoHeads(16, 3), {.attention = {}, .n = 16, .nTrain = 8}, stop.get_token()).error().kind,
                 ErrorKind::Cancelled);
        QCOMPARE(headNumbers(twoHeads(16, 3), {.attention = {}, .n = 17, .nTrain = 8}, {}).error().kind,
                 ErrorKind::InvalidArgument);
        const auto none = headNumbers(
            twoHeads(16, 3), {.attention = {}, .method = {"infoscale", {{"eps", 5}}, {}}, .n = 16, .nTrain = 8}, {});
        QVERIFY(none && !none->front().absent.empty());
    }
};

QTEST_APPLESS_MAIN(TestHeadNumbers)
#include "test_head_numbers.moc"
