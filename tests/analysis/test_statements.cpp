// What the tables' texts say of numbers is so: each statement that a reader of a tooltip, the reference page or a
// caption could check is checked here, against the exact expectations or the row itself. Where a text is changed, so is
// its block.

#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "core/theory/expected_row.h"

#include <QtTest>

#include <cmath>
#include <numbers>

using namespace attnscope;

namespace {

double multiplier(const char* method, double n, double nTrain = 512, int d = 64)
{
    const auto scale = bindScale(*parseChoice(method, scaleMethods(), "scale method"));
    const auto m = (*scale)(lastRowOf(n, nTrain, d));
    return m ? *m : std::nan("");
}

double expected(const char* measure, const char* law, double n, double m, int d = 64)
{
    const auto density = logitDensity(*parseChoice(law, logitDensities(), "law"), d);
    return expectedCurve(*parseChoice(measure, expectedMeasures(), "measure"), *density, std::span(&n, 1),
                         m / std::sqrt(d))
        ->front();
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

template <class Row>
const Row& rowOf(std::span<const Row> rows, std::string_view id)
{
    return **findRow(rows, id, "row");
}
const std::string& aboutMethod(const char* id) { return rowOf(scaleMethods(), id).about; }

/// Of a key that leads each of n - 1 others by `lead`.
double weightOfLead(double lead, double m, double n) { return 1 / (1 + (n - 1) * std::exp(-m * lead)); }

const double lengths[] = {2, 3, 8, 64, 512, 2048, 65536, 1e6, 1e9, 1e12};

}  // namespace

class TestStatements : public QObject {
    Q_OBJECT
private slots:
    void aLeadOverEveryOtherKeyIsKept();
    void aLeadOverTheirMeanIsLost();
    void logOfNIsSharperFromThreeKeysOn();
    void suKappaOnTheSphere();
    void infoScaleIsBoundedAndNearARoot();
    void llama4ChangesFromTheFirstWholeBlock();
    void klFromUniformIsWhatAFixedScaleKeeps();
    void adaptiveTemperatureEndsWhereItSays();
    void sigmoidAndWindowsCount();
    void slowestPairTurnsOnce();
    void theMeanFieldAsksForTooLittle();
    void theCaptionOfAllMultipliers();
};

/// log_n: "a key that leads every other by 1 or more keeps over half of the weight however many there are"; ssmax: 1/s.
void TestStatements::aLeadOverEveryOtherKeyIsKept()
{
    QVERIFY(says(aboutMethod("log_n"), "leads every other by 1 or more keeps over half of the weight"));
    QVERIFY(says(aboutMethod("ssmax"), "1/s or more above every other's keeps over half of the weight"));
    for (const double n : lengths) {
        QVERIFY2(weightOfLead(1, multiplier("log_n", n), n) > 0.5, qPrintable(QString::number(n)));
        QVERIFY2(weightOfLead(1 / 0.43, multiplier("ssmax:s=0.43", n), n) > 0.5, qPrintable(QString::number(n)));
        QVERIFY(n < 64 || weightOfLead(0.8, multiplier("log_n", n), n) < 0.5);
    }
}

/// "Leading their mean is not enough": 2 above the mean under Log n, 3 > 1/0.43 above it under Scalable Softmax.
void TestStatements::aLeadOverTheirMeanIsLost()
{
    for (const auto& [method, law, first] :
         {std::tuple{"log_n", "needle:gap=2", 0.2}, std::tuple{"ssmax:s=0.43", "needle:gap=3", 0.4}}) {
        double before = 1;
        for (const double n : {64.0, 2048.0, 1e6}) {
            const double weight = expected("needle", law, n, multiplier(method, n));
            QVERIFY2(n > 64 ? weight < 0.2 * before : weight > first,
                     qPrintable(QString("%1 at %2: %3").arg(method).arg(n).arg(weight)));
            before = weight;
        }
        QVERIFY(before < 1e-3);
    }
}

/// "For N = 16 at n = 4096 it has m = 3.48 where 4.72 keeps the entropy", with heads of 64; and less so for longer N.
void TestStatements::theMeanFieldAsksForTooLittle()
{
    QVERIFY(says(aboutMethod("entropy_mean_field"), "for N = 16 at n = 4096 it has m = 3.48 where 4.72 keeps"));
    QVERIFY(std::abs(multiplier("entropy_mean_field", 4096, 16) - 3.48) < 0.005);
    QVERIFY(std::abs(multiplier("entropy_exact", 4096, 16) - 4.72) < 0.005);
    QVERIFY(std::abs(expected("shannon", "gaussian", 4096, 4.7224) - expected("shannon", "gaussian", 16, 1)) < 1e-3);
    double before = 0;
    for (const double trained : {16.0, 64.0, 512.0}) {
        const double share = multiplier("entropy_mean_field", 256 * trained, trained) /
                             multiplier("entropy_exact", 256 * trained, trained);
        QVERIFY(share > before && share < 1);
        before = share;
    }
}

void TestStatements::logOfNIsSharperFromThreeKeysOn()
{
    QVERIFY(says(aboutMethod("log_n"), "from 3 keys on"));
    QVERIFY(multiplier("log_n", 2) < 1);
    QVERIFY(multiplier("log_n", 3) > 1);
}

/// "At d = 64 that kappa (1/0.24) lets the entropy grow by about half a nat from 64 to 32 768 keys; kappa = 1 by more
/// than 5."
void TestStatements::suKappaOnTheSphere()
{
    QVERIFY(
        says(aboutMethod("su_kappa"), "about half a nat from 64 to 32 768 keys; κ = 1 lets it grow by more than 5"));
    const auto growth = [](const char* method) {
        return expected("shannon", "sphere", 32768, multiplier(method, 32768)) -
               expected("shannon", "sphere", 64, multiplier(method, 64));
    };
    const Preset& preset = rowOf(scaleMethods(), "su_kappa").presets.back();
    const double held = growth(preset.text.c_str()), grown = growth("su_kappa");
    QVERIFY2(std::abs(held - 0.5) < 0.1, qPrintable(QString::number(held)));
    QVERIFY2(grown > 5 && grown < 6, qPrintable(QString::number(grown)));
}

/// "close to the root of ln n / ln N with a large d, grows more slowly than ln n / ln N, never exceeds 1 / sqrt(1 -
/// N^(-2/d))."
void TestStatements::infoScaleIsBoundedAndNearARoot()
{
    QVERIFY(says(aboutMethod("infoscale"), "never exceeds 1/√(1 − N^(−2/d))"));
    for (const int d : {16, 64, 512})
        for (const double n : {1024.0, 65536.0, 1e6, 1e9, 1e12}) {
            const double m = multiplier("infoscale", n, 512, d), ratio = std::log(n) / std::log(512);
            QVERIFY(m < ratio);
            QVERIFY(m < 1 / std::sqrt(1 - std::pow(512, -2.0 / d)));
            if (d == 512)
                QVERIFY2(std::abs(m / std::sqrt(ratio) - 1) < 0.03, qPrintable(QString::number(m / std::sqrt(ratio))));
        }
}

void TestStatements::llama4ChangesFromTheFirstWholeBlock()
{
    QVERIFY(says(aboutMethod("llama4"), "nothing changes below a block of tokens, N of them unless a number is given"));
    for (const auto& [choice, block] : {std::pair("llama4", 512.0), std::pair("llama4:floor_scale=8192", 8192.0)}) {
        QCOMPARE(multiplier(choice, block - 1), 1.0);
        QVERIFY(multiplier(choice, block) > 1);
        QVERIFY(std::abs(multiplier(choice, 3 * block + 5) - (1 + 0.1 * std::log(4))) < 1e-12);
    }
}

/// "For random keys a fixed scale keeps it, while H grows like ln n; a scale that keeps H makes it grow instead."
void TestStatements::klFromUniformIsWhatAFixedScaleKeeps()
{
    QVERIFY(says(rowOf(measures(), "kl_uniform").about, "a fixed scale keeps it, while H grows like ln n"));
    const auto kl = [](double n, double m) { return std::log(n) - expected("shannon", "gaussian", n, m); };
    QVERIFY(std::abs(kl(1e3, 1) - kl(1e9, 1)) < 0.02);
    const double held = multiplier("entropy_exact", 1e9);
    QVERIFY(std::abs(expected("shannon", "gaussian", 1e9, held) - expected("shannon", "gaussian", 512, 1)) < 1e-6);
    QVERIFY(kl(1e9, held) > 10);
}

/// "is above 1 from H = 0.85 to 5.94 alone, so rows of more than about 380 effective tokens, and of fewer than about
/// 2.3, are left alone"; "never raises the entropy".
void TestStatements::adaptiveTemperatureEndsWhereItSays()
{
    const Normaliser& adaptive = rowOf(normalisers(), "adaptive");
    QVERIFY(says(adaptive.about, "H ≈ 5.94") && says(adaptive.about, "about 380 effective tokens"));
    const Choice asItIs{"adaptive", {}, {}};
    const Parameters parameters(adaptive, asItIs);  // which looks into it
    const auto beta = [&](int keys) {
        return adaptive.solve(std::vector<double>(static_cast<size_t>(keys), 0.0), parameters).scale;
    };
    QVERIFY(says(adaptive.about, "H ≈ 0.85") && says(adaptive.about, "fewer than about 2.3"));
    // the roots of p = 1
    const auto p = [](double h) { return (((-0.037 * h + 0.481) * h - 2.3) * h + 4.917) * h - 1.791; };
    QVERIFY(p(0.8485) < 1 && p(0.8487) > 1 && p(5.944) > 1 && p(5.945) < 1);
    QVERIFY(std::abs(std::exp(0.8486) - 2.336) < 1e-3 && std::abs(std::exp(5.9445) - 381.7) < 0.1);
    QCOMPARE(beta(2), 1.0);  // 0.69 nats: beyond the threshold, and the polynomial is 0.69
    QVERIFY(beta(3) > 1);
    QVERIFY(beta(370) > 1);
    QCOMPARE(beta(390), 1.0);
    for (int keys = 1; keys < 1000; keys += 7)
        QVERIFY(beta(keys) >= 1);
}

void TestStatements::sigmoidAndWindowsCount()
{
    const Normaliser& sigmoid = rowOf(normalisers(), "sigmoid");
    const Choice plain{"sigmoid", {}, {}};
    const Parameters parameters(sigmoid, plain);
    const std::vector<double> flat(1000, 0.0);
    QVERIFY(std::abs(1000 * sigmoid.weight(0, sigmoid.solve(flat, parameters), parameters) - 1) <
            0.01);  // "near that of softmax"
    const Mask& window = rowOf(masks(), "window");
    for (const bool causal : {true, false}) {
        const Choice choice{"window", {{"w", 10}, {"causal", causal ? 1.0 : 0.0}}, {}};
        QCOMPARE(window.visible(50, 100, Parameters(window, choice)).count(),
                 std::int64_t(causal ? 10 : 19));  // "and w - 1 ahead"
    }
}

/// positions: "The slowest pair turns once in 2 pi base^(1 - 2/d) tokens."
void TestStatements::slowestPairTurnsOnce()
{
    const Position& rope = rowOf(positions(), "rope");
    const double slowest = rope.frequencies(64, Parameters(rope, {"rope", {}, {}})).back();
    QVERIFY(std::abs(2 * std::numbers::pi / slowest - 2 * std::numbers::pi * std::pow(10000, 1 - 2.0 / 64)) < 1e-6);
}

/// The caption of all_multipliers: "fewer than 312 keys cannot have the entropy of 512", "five of the methods are
/// proportional to ln n at every length, LongRoPE's from 512 on".
void TestStatements::theCaptionOfAllMultipliers()
{
    QVERIFY(std::isnan(multiplier("entropy_exact", 311)));
    QVERIFY(!std::isnan(multiplier("entropy_exact", 312)));
    const auto proportional = [](const char* method, double first) {
        for (const double n : lengths)
            if (n >= first &&
                std::abs(multiplier(method, n) / multiplier(method, 4096) - std::log(n) / std::log(4096)) > 1e-12)
                return false;
        return true;
    };
    int count = 0;
    for (const char* method : {"vanilla", "log_n", "su_kappa", "softmax_plus", "infoscale", "yarn", "longrope",
                               "row_log", "ssmax", "llama4", "log_power", "entropy_mean_field", "entropy_exact"})
        count += proportional(method, 2);
    QCOMPARE(count, 5);
    QVERIFY(proportional("longrope", 512));
}

QTEST_APPLESS_MAIN(TestStatements)
#include "test_statements.moc"
