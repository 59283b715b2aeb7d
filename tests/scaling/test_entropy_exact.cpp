// entropy_exact is the entropy-invariant scale of the theory at every length, whether the series that usually gives it
// holds there or not: the same value as the root at that length alone, or none and a reason that names the length.

#include "core/scaling/scale_method.h"
#include "core/theory/entropy_scale.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace attnscope;

class TestEntropyExact : public QObject {
    Q_OBJECT
private slots:
    void isTheRootAtEveryLength_data();
    void isTheRootAtEveryLength();
    void rowsOfThreeValuesByCounting();
};

void TestEntropyExact::isTheRootAtEveryLength_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("d");
    std::vector<std::string> sources{"finite:-1,0,1", "finite:0,1", "uniform:lo=-100,hi=100", "needle:gap=3"};
    for (const LogitDensityRow& row : logitDensities())
        sources.push_back(formatChoice({row.id, {}, {}}));
    for (const std::string& source : sources)
        for (const int d : {1, 3, 16})
            QTest::addRow("%s, d = %d", source.c_str(), d) << QString::fromStdString(source) << d;
}

/// Two ways to the root: scalesKeeping() looks at one length alone, and with the expectation of the measure in place of
/// the entropy's own. Both find roots to 1e-10, the series to its own 1e-8.
void TestEntropyExact::isTheRootAtEveryLength()
{
    QFETCH(QString, source);
    QFETCH(int, d);
    const Result<LogitDensity> density = logitDensity(std::string_view(source.toStdString()), d);
    QVERIFY2(density, density ? "" : density.error().message.c_str());
    const auto method = bindScale({"entropy_exact", {}, source.toStdString()});
    QVERIFY2(method, method ? "" : method.error().message.c_str());
    for (const double nTrain : {8.0, 20.0}) {
        const std::vector<double> lengths{5, 16, 17, 21, 256, 257, 1e5};
        const Result<KeptMeasure> kept = scalesKeeping({"shannon", {}, {}}, *density, lengths, nTrain);
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const Result<double> m = (*method)(lastRowOf(lengths[i], nTrain, d));
            const Result<double>& lambda = kept->scales[i];
            const auto at = [&](const std::string& says) {
                return QString("N = %1, n = %2: %3").arg(nTrain).arg(lengths[i]).arg(QString::fromStdString(says));
            };
            if (m && !lambda)
                QFAIL(qPrintable(at(formatNumber(*m, 6) + ", where solving finds none: " + lambda.error().message)));
            if (!m && lambda)
                QFAIL(qPrintable(at("solving finds " + formatNumber(*lambda, 6) + ": " + m.error().message)));
            if (m) {
                const double root = *lambda * std::sqrt(d);
                QVERIFY2(std::abs(*m - root) <= 2e-8 * std::max(1.0, root),
                         qPrintable(at(formatNumber(*m, 12) + " in place of " + formatNumber(root, 12))));
            } else {
                QCOMPARE(m.error().kind, ErrorKind::Undefined);
                QVERIFY2(m.error().message.find(formatNumber(lengths[i], 6)) != std::string::npos,
                         qPrintable(at(m.error().message)));
            }
        }
    }
}

/// Logits -m, 0 and m with chances of a third each: the mean over all counts of them, by the multinomial law.
double entropyOfThree(int n, double m)
{
    double mean = 0;
    for (int low = 0; low <= n; ++low)
        for (int high = 0; low + high <= n; ++high) {
            const int middle = n - low - high;
            const std::pair<int, double> keys[] = {{low, -m}, {middle, 0}, {high, m}};
            const double largest = high > 0 ? m : middle > 0 ? 0 : -m;
            double total = 0, entropy = 0;
            for (const auto& [count, z] : keys)
                total += count > 0 ? count * std::exp(z - largest) : 0;
            for (const auto& [count, z] : keys)
                if (count > 0)
                    entropy += count * std::exp(z - largest) / total * (std::log(total) - z + largest);
            mean += entropy * std::exp(std::lgamma(n + 1) - std::lgamma(low + 1) - std::lgamma(middle + 1) -
                                       std::lgamma(high + 1) - n * std::log(3));
        }
    return mean;
}

/// The next power of 16 has no scale there: a row of 256 such keys keeps more than 1.84 nats, however large the scale.
void TestEntropyExact::rowsOfThreeValuesByCounting()
{
    const auto method = bindScale({"entropy_exact", {}, "finite:-1,0,1"});
    QVERIFY(method);
    for (const int n : {8, 10, 15, 16, 17, 18, 19}) {
        const Result<double> m = (*method)(lastRowOf(n, 8, 7));
        QVERIFY2(m, m ? "" : m.error().message.c_str());
        QVERIFY2(std::abs(entropyOfThree(n, *m) - entropyOfThree(8, 1)) < 1e-8, qPrintable(QString::number(*m)));
    }
    const Result<double> none = (*method)(lastRowOf(20, 8, 7));
    QVERIFY(!none && entropyOfThree(20, 1000) > entropyOfThree(8, 1));
    QVERIFY2(none.error().message.find("20 keys") != std::string::npos, none.error().message.c_str());
}

QTEST_APPLESS_MAIN(TestEntropyExact)
#include "test_entropy_exact.moc"
