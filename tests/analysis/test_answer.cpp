// The sentence above the maps: its numbers are those of the analysis, which the table of the window shows, rounded.

#include "small_scenario.h"

#include "core/analysis/answer.h"
#include "core/theory/expected_row.h"

#include <QRegularExpression>
#include <QtTest>

#include <cmath>
#include <functional>
#include <utility>

using namespace attnscope;

namespace {

QString answer(const Analysis& analysis) { return QString::fromStdString(answerInWords(analysis)); }

/// The number after these words; NaN where they are not there.
double after(const QString& sentence, const QString& words)
{
    const auto found =
        QRegularExpression(QRegularExpression::escape(words) + QStringLiteral(" ([0-9.]+[0-9])")).match(sentence);
    return found.hasMatch() ? found.captured(1).toDouble() : std::nan("");
}

/// To three significant digits.
bool rounds(double said, double computed, double digits = 3)
{
    const double half = 0.51 * std::pow(10, std::floor(std::log10(std::abs(computed))) + 1 - digits);
    return std::abs(said - computed) <= half;
}

}  // namespace

class TestAnswer : public QObject {
    Q_OBJECT
private slots:
    /// Uniform keys disperse: both methods lie above H(N), or one below; the nearest is named first.
    void numbersAreTheAnalysiss()
    {
        for (const char* source : {"gaussian", "local"}) {
            const Analysis analysis = analysed(small(source));
            const QString words = answer(analysis);
            const MethodAnalysis &vanilla = analysis.methods[0], &plus = analysis.methods[1];
            const double trained = *vanilla.entropyAtTrained;
            const bool plusIsNearer = std::abs(plus.entropy.mean - trained) < std::abs(vanilla.entropy.mean - trained);
            QVERIFY2(words.startsWith(QStringLiteral("At n = 96 ") + (plusIsNearer ? "Softmax Plus" : "Vanilla")),
                     qPrintable(words));
            const QString first = QString::fromStdString(plusIsNearer ? plus.label : vanilla.label);
            const double entropy = plusIsNearer ? plus.entropy.mean : vanilla.entropy.mean;
            const double said = entropy < trained ? after(words, first + " keeps") : after(words, first + " has");
            QVERIFY2(rounds(said, entropy), qPrintable(words));
            QVERIFY2(words.contains("N = 64"), qPrintable(words));
            QVERIFY2(rounds(entropy < trained ? after(words, "of the") : after(words, "had"), trained),
                     qPrintable(words));
            if (vanilla.keepsEntropy)
                QVERIFY2(rounds(after(words, "; a multiplier m ="), *vanilla.keepsEntropy, 4), qPrintable(words));
            const ComparedMethod compared = comparedMethod(analysis, 1);
            QCOMPARE(compared.entropy, plus.entropy.mean);
            QCOMPARE(compared.atTrained, trained);
            QCOMPARE(compared.multiplier, double(plus.scale.back()));
        }
    }

    /// Numbers by hand: five methods, of which the nearest, Vanilla and the farthest are named.
    void threeAreNamed()
    {
        Analysis analysis;
        analysis.scenario.n = 4096;
        analysis.scenario.nTrain = 64;
        analysis.queryCount = 4096;
        const std::pair<const char*, double> all[] = {{"a", 2.5}, {"vanilla", 3.9}, {"b", 1.6}, {"c", 9}, {"d", 2.1}};
        for (const auto& [id, entropy] : all) {
            MethodAnalysis& method = analysis.methods.emplace_back();
            method.method.id = method.label = id;
            method.entropy.mean = entropy;
            method.entropyAtTrained = 2.25;
            method.keepsEntropy = 1.66;
        }
        QCOMPARE(answer(analysis), QStringLiteral("At n = 4\u202F096 d keeps 2.10 of the 2.25 nats of N = 64, vanilla "
                                                  "has 3.90, c 9.00; a multiplier m = 1.66 would keep them exactly"));
        analysis.methods[0].counted = {3072, 4096};  // of which it is solved on half
        QVERIFY(answer(analysis).endsWith("; a multiplier near m = 1.66, solved on 512 rows, would keep them"));
        analysis.methods[0].counted = {};
        std::erase_if(analysis.methods, [](const MethodAnalysis& method) { return method.label == "d"; });
        QCOMPARE(answer(analysis),
                 QStringLiteral("At n = 4\u202F096 a has 2.50 nats where N = 64 had 2.25, vanilla 3.90, "
                                "c 9.00; a multiplier m = 1.66 would keep them exactly"));
        analysis.methods.resize(1);
        analysis.methods[0].entropy.mean = 2.2504;
        analysis.methods[0].keepsEntropy.reset();
        QCOMPARE(answer(analysis),
                 QStringLiteral("At n = 4\u202F096 a keeps the 2.25 nats of N = 64; no multiplier keeps them exactly"));
        analysis.scenario.view.table = false;
        QCOMPARE(answer(analysis), QStringLiteral("At n = 4\u202F096 a keeps the 2.25 nats of N = 64"));
        analysis.methods[0].absent = "why";
        QCOMPARE(answer(analysis), QString());
    }

    void nothingIsSaidOfNWithoutIt()
    {
        Scenario shorter = small();
        shorter.n = 32;  // N is 64: these keys are too few
        const QString words = answer(analysed(shorter));
        QVERIFY2(words.startsWith("At n = 32 Vanilla has ") && !words.contains("N ="), qPrintable(words));
        Scenario equal = small();
        equal.n = 64;
        const QString there = answer(analysed(equal));
        QVERIFY2(there.startsWith("At n = N = 64 ") && !there.contains("m ="), qPrintable(there));
    }

    /// Methods that are 1 at N have one entropy there; ln n is not.
    void methodsThatAreAlikeAtNAreSaidOnce()
    {
        Scenario scenario = small();
        scenario.n = 64;
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
        const QString alike = answer(analysed(scenario));
        QVERIFY2(alike.startsWith("At n = N = 64 all have ") && alike.contains("differ at other n"), qPrintable(alike));
        scenario.methods.push_back({"log_n", {}, {}});
        const QString others = answer(analysed(scenario));
        QVERIFY2(others.startsWith("At n = N = 64 Vanilla has "), qPrintable(others));
        scenario.methods = {{"vanilla", {}, {}}};
        QVERIFY(answer(analysed(scenario)).startsWith("At n = N = 64 Vanilla has "));
    }

    /// While n is dragged the entropy of N is known, the same as afterwards, and the multiplier is still to come.
    void followsADrag()
    {
        Scenario scenario = small();
        const Analysis whole = analysed(scenario);
        scenario.view.preview = true;
        scenario.view.table = false;
        const Analysis preview = analysed(scenario);
        QCOMPARE(*preview.methods[1].entropyAtTrained, *whole.methods[1].entropyAtTrained);
        QVERIFY(!preview.methods[1].keepsEntropy);
        QVERIFY2(!answer(preview).contains("multiplier"), qPrintable(answer(preview)));
        QVERIFY2(answer(whole).contains("; a multiplier m = "), qPrintable(answer(whole)));
    }

    /// Expectations alone: those of the exact theory.
    void ofTheory()
    {
        Scenario scenario = small("theory");
        scenario.n = 4096;
        const Analysis analysis = analysed(scenario);
        QVERIFY(analysis.methods[0].expected);
        const QString words = answer(analysis);
        QVERIFY2(rounds(after(words, "Vanilla has"), analysis.methods[0].expected->entropy) ||
                     rounds(after(words, "Vanilla"), analysis.methods[0].expected->entropy),
                 qPrintable(words));
        QVERIFY2(analysis.theoryKeepsEntropy &&
                     rounds(after(words, "; a multiplier m ="), *analysis.theoryKeepsEntropy, 4),
                 qPrintable(words));
    }

    /// Whatever theory does not cover: no number is said, and what it is.
    void whatTheoryDoesNotKnowIsNoNumber()
    {
        const std::pair<const char*, std::function<void(AttentionSpec&)>> all[] = {
            {"positions: RoPE",
             [](AttentionSpec& of) {
                 of.position = {"rope", {}, {}};
             }},
            {"positions: Position interpolation",
             [](AttentionSpec& of) {
                 of.position = {"pi", {}, {}};
             }},
            {"mask: Sliding window",
             [](AttentionSpec& of) {
                 of.mask = {"window", {}, {}};
             }},
            {"normaliser: Adaptive temperature",
             [](AttentionSpec& of) {
                 of.normaliser = {"adaptive", {}, {}};
             }},
            {"soft-cap: 5", [](AttentionSpec& of) { of.softCap = 5; }}};
        for (const auto& [said, change] : all) {
            Scenario scenario = small("theory");
            scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
            change(scenario.attention);
            for (const std::int64_t n : {64, 512}) {
                scenario.n = n;
                const Analysis analysis = analysed(scenario);
                QVERIFY2(std::isnan(comparedMethod(analysis, 0).entropy), said);
                const QString words = answer(analysis);
                QVERIFY2(words.contains(QLatin1String(said)) && words.startsWith("Theory knows no exact entropy here"),
                         qPrintable(words));
            }
        }
        Scenario known = small("theory");
        QVERIFY(analysed(known).theoryLacks.empty());
    }

    /// H(N) is that of m = 1, whatever a method has at N: ln n has m = 6.2 there, which would make it 0.2 nats.
    void ofTheoryHasTheEntropyOfNWithoutAMethod()
    {
        Scenario scenario = small("theory");
        scenario.d = 64;
        scenario.nTrain = 512;
        scenario.n = 8192;
        scenario.methods = {{"vanilla", {}, {}}, {"log_n", {}, {}}, {"softmax_plus", {}, {}}};
        const Analysis analysis = analysed(scenario);
        const double trained = expectedEntropy(*logitDensity("gaussian", 64), 512, 1.0 / 8);
        for (size_t m = 0; m < 3; ++m)
            QVERIFY(std::abs(comparedMethod(analysis, m).atTrained - trained) < 1e-6);
        QVERIFY(comparedMethod(analysis, 1).entropy < 1);
        QVERIFY2(rounds(after(answer(analysis), "where N = 512 had"), trained) ||
                     rounds(after(answer(analysis), "of the"), trained),
                 qPrintable(answer(analysis)));
    }
};

QTEST_GUILESS_MAIN(TestAnswer)
#include "test_answer.moc"
