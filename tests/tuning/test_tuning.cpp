// The search and its verdict on losses made by hand, where everything is known in closed form.

#include "core/base/fingerprint.h"
#include "core/base/random.h"
#include "core/tuning/head_gradients.h"
#include "core/tuning/line_search.h"
#include "core/tuning/tuning.h"
#include "core/tuning/verdict.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace attnscope;

namespace {

constexpr std::int64_t n = 2048, N = 512;

Architecture architectureOf()
{
    Architecture a;
    a.type = "llama";
    a.layers = 2;
    a.heads = a.keyHeads = 3;
    a.headSize = a.valueSize = 64;
    a.trainLength = N;
    a.specs.resize(2);
    return a;
}

/// m of a row that sees all `length` keys.
Result<double> multiplierAt(const Policy& policy, std::int64_t length)
{
    const auto scale = TRY(bindScale(policy.method));
    return scale(lastRowOf(static_cast<double>(length), N, 64)).map([&](double m) { return m / policy.temperature; });
}

/// Windows 0, 1, 2, ... in turn.
TuneProblem problemWith(int fitting, int verdict, std::function<double(double m, std::int64_t window)> loss)
{
    TuneProblem problem{.architecture = architectureOf(), .fitting = {}, .verdict = {}, .loss = {}};
    for (int i = 0; i < fitting; ++i)
        problem.fitting.push_back(i);
    for (int i = 0; i < verdict; ++i)
        problem.verdict.push_back(fitting + i);
    problem.loss = [loss](const Policy& policy, std::int64_t length, std::int64_t start) -> Result<WindowLoss> {
        const double m = TRY(multiplierAt(policy, length));
        if (!(m > 0))
            return failure(ErrorKind::Undefined, "no multiplier");
        return WindowLoss{.loss = loss(m, start)};
    };
    return problem;
}

/// A text whose windows have their optima at ln m = centre + spread times a normal number. Of a setting at x = ln m a
/// window's loss is a constant of its own + a (x - its optimum)^2, so that its difference from m = 1 is
/// a (x^2 - 2 x optimum): normal, with mean a (x^2 - 2 x centre).
struct PlantedText {
    static constexpr double a = 0.3, spread = 0.2;
    double centre = 0;
    Random random;

    double optimum(std::int64_t window) const
    {
        return centre + spread * random.normal(0, static_cast<std::uint64_t>(window));
    }
    double loss(double m, std::int64_t window) const
    {
        const double x = std::log(m) - optimum(window);
        return 2 + 0.5 * random.normal(1, static_cast<std::uint64_t>(window)) + a * x * x;
    }
    double meanDifference(double m) const { return a * std::log(m) * (std::log(m) - 2 * centre); }
};

}  // namespace

class TestTuning : public QObject {
    Q_OBJECT

private slots:
    void linesAreSearchedBeyondTheirEnds_data();
    void linesAreSearchedBeyondTheirEnds();
    void rulesGoOnAsTheySay();
    void verdictsAreStudentsAndHolms();
    void theOptimumIsFound();
    void intervalsCover();
    void whereNothingHelpsItIsSaid();
    void thePublishedIsTakenWhereItIsBetter();
    void whatPredictsWorseThanChanceGetsNoScale();
    void edgesOfTheSearchAreSaid();
    void theStrongestIsComparedWith();
    void gainsOfTokensAreToldAroundN();
    void gradientsAreThoseOfTheLoss();
    void headsThatGainAreFound();
    void headsAreFoundByTheBackwardPass();
    void aSlopeIsToldByEnoughWindows();
    void stoppedSearchesGoOn();
    void whatIsKnownOfHeadsIsKept();
    void aFileWithoutValuesIsNoVerdict();
    void timeIsKept();
    void whatEndsEarlyDoesNotSayThatNothingHelps();
    void multipliersOfRowsAreOfTheKeysThatTheySee();
    void costsAreAtShorterLengths();
    void changesAreOverTheSameWindows();
    void settingsAreMethods_data();
    void settingsAreMethods();
    void schemesTellTheirParameter();
    void mistakesSayWhatToDo();
};

void TestTuning::linesAreSearchedBeyondTheirEnds_data()
{
    QTest::addColumn<double>("least");
    for (const double least : {-1.9, -0.7, 0.0, 0.31, 0.95, 2.2})
        QTest::addRow("%g", least) << least;
}

/// cosh(x - c) has its least value at c; looked at first from -0.7 to 1.
void TestTuning::linesAreSearchedBeyondTheirEnds()
{
    QFETCH(double, least);
    int asked = 0;
    const auto found = minimise(
        {.from = -0.7, .to = 1, .points = 7, .least = -2.8, .most = 2.8}, [&](double x, bool exact) -> Result<double> {
            asked += exact ? 1 : 0;
            return std::cosh(x - least) +
                   (exact ? 0 : 0.05 * std::sin(9 * x));  // a look that is not exact may lead astray
        });
    QVERIFY(found.has_value());
    QVERIFY2(std::abs(*found - least) < 0.01, qPrintable(QString::number(*found)));
    QVERIFY2(asked <= 24, qPrintable(QString::number(asked)));
    const auto failed = minimise({}, [](double, bool exact) -> Result<double> {
        if (exact)
            return failure(ErrorKind::Cancelled, "stopped");
        return 1.0;
    });
    QVERIFY(!failed && failed.error().message == "stopped");
}

void TestTuning::rulesGoOnAsTheySay()
{
    const TunedAt at{n, N};
    Setting setting{.rule = "log_ratio", .multiplier = 1.3};
    QVERIFY(std::abs(kappaOf(setting, at) - 0.3 / std::log(4.0)) < 1e-12);
    QCOMPARE(policyAt(setting, at, N).temperature, 1.0);
    QCOMPARE(policyAt(setting, at, N / 2).temperature, 1.0);
    QVERIFY(std::abs(policyAt(setting, at, n).temperature - 1 / 1.3) < 1e-12);
    QVERIFY(std::abs(1 / policyAt(setting, at, 1024).temperature - 1.15) < 1e-12);  // half of the way in ln n
    setting.rule = "log";
    QVERIFY(std::abs(kappaOf(setting, at) - 1.3 / std::log(2048.0)) < 1e-12);
    QVERIFY(std::abs(1 / policyAt(setting, at, N).temperature - 1.3 * 9 / 11) < 1e-12);  // 2^9 and 2^11
    setting.rule = "constant";
    QVERIFY(std::abs(1 / policyAt(setting, at, N).temperature - 1.3) < 1e-12);
    for (const auto& [rule, below] : {std::pair{"row_log_ratio", 1.0}, std::pair{"row_log", 1.3 * 8 / 11}}) {
        setting.rule = rule;
        const Policy policy = policyAt(setting, at, n);
        const std::vector<std::int64_t> rows{256, n};
        const auto m = rowMultipliers(policy.method, lastRowOf(n, N, 64), rows);
        QVERIFY(m.has_value());
        QVERIFY(std::abs((*m)[0] - below) < 1e-6);
        QVERIFY(std::abs((*m)[1] - 1.3) < 1e-6);
    }
    QCOMPARE(rounded(1.23456), 1.235);
    QCOMPARE(rounded(-0.000123444), -0.0001234);
}

/// Differences -1, -2, -3: mean -2, standard error 1/sqrt 3, t = 2 sqrt 3 with two degrees of freedom, whose law is
/// p = 1 - t / sqrt(t^2 + 2); the interval's t is 0.95 sqrt(2 / (1 - 0.95^2)).
void TestTuning::verdictsAreStudentsAndHolms()
{
    const TuneProblem problem = problemWith(1, 3, [](double m, std::int64_t window) {
        return m > 1.45 && m < 1.55 ? 5 - static_cast<double>(window) : m == 1 ? 5 : 50;
    });
    TuneReport report{.at = {n, 4 * n},
                      .tuned = {.multiplier = 1.5},
                      .published = {.setting = {.multiplier = 1.5}, .published = "X"},
                      .tried = {},
                      .comparisons = {},
                      .places = {},
                      .theory = {},
                      .heads = {},
                      .gainAndMeasured = {},
                      .gainAndDispersal = {},
                      .answer = {}};
    report.published.setting.multiplier = 1.48;
    const TuneWatch watch;
    Losses losses(problem, watch);
    QVERIFY(judge(problem, losses, {}, report).has_value());
    const Comparison* found = findComparison(report, "tuned", "as it is", n);
    QVERIFY(found);
    const double p = 1 - std::sqrt(12.0 / 14), half = 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)) / std::sqrt(3.0);
    QVERIFY(std::abs(found->difference.mean + 2) < 1e-12);
    QVERIFY(std::abs(*found->p - p) < 1e-12);
    QVERIFY(std::abs(found->low - (-2 - half)) < 1e-9 && std::abs(found->high - (-2 + half)) < 1e-9);
    QVERIFY(std::abs(*found->holm - 2 * p) < 1e-12);                           // of two tests with the same p
    QVERIFY(!findComparison(report, "tuned", "published", n)->p.has_value());  // the same losses: no test
    QVERIFY(!report.helps);
    QVERIFY(QString::fromStdString(answerOf(report)).startsWith("Nothing is shown to help here: at n = 2\u202F048"));
}

void TestTuning::theOptimumIsFound()
{
    for (const double centre : {-0.9, 0.2, 0.6, 1.9}) {
        int runs = 0;
        TuneProblem problem = problemWith(8, 4, [&](double m, std::int64_t window) {
            const double x = std::log(m) - centre - 0.1 * static_cast<double>(window % 3 - 1);
            return 2 + x * x / (1 + 0.1 * x * x);
        });
        const auto plain = problem.loss;
        problem.loss = [&](const Policy& policy, std::int64_t length, std::int64_t start) {
            runs += isVanilla(policy.method) && start < 8 ? 1 : 0;
            return plain(policy, length, start);
        };
        const auto report = tune(problem, {.n = n});
        QVERIFY(report.has_value());
        // windows 0 to 7 have -0.1, 0, 0.1 three, three and two times
        QVERIFY2(std::abs(std::log(report->tuned.multiplier) - (centre - 0.0125)) < 0.02,
                 qPrintable(QString::number(report->tuned.multiplier)));
        QVERIFY2(runs < 8 * 40, qPrintable(QString::number(runs)));
        QVERIFY(report->helps || centre == 0.2);  // whose gain four windows do not tell
    }
}

/// 200 texts whose best m is planted.
void TestTuning::intervalsCover()
{
    int covered = 0, helped = 0, beyond = 0;
    for (std::uint64_t text = 0; text < 200; ++text) {
        const PlantedText planted{0.6, Random(text, Stream::Other)};
        const auto report =
            tune(problemWith(6, 12, [&](double m, std::int64_t window) { return planted.loss(m, window); }), {.n = n});
        QVERIFY(report.has_value());
        const Comparison* found = findComparison(*report, "tuned", "as it is", n);
        if (!found)
            continue;
        const double truth = planted.meanDifference(report->tuned.multiplier);
        covered += found->low <= truth && truth <= found->high ? 1 : 0;
        helped += report->helps ? 1 : 0;
        beyond += found->low > truth ? 1 : 0;
    }
    QVERIFY2(covered >= 182, qPrintable(QString::number(covered)));  // fewer than 182 of 200 at 95 %: 1 in 200
    QVERIFY2(beyond <= 12, qPrintable(QString::number(beyond)));     // 5 expected on either side
    QVERIFY2(helped >= 180, qPrintable(QString::number(helped)));
}

/// 200 texts on which nothing that is tried does anything but noise, which a search will take for gains.
void TestTuning::whereNothingHelpsItIsSaid()
{
    int helped = 0, said = 0;
    for (std::uint64_t text = 0; text < 200; ++text) {
        const Random random(text, Stream::Sampling);
        const auto report =
            tune(problemWith(6, 12,
                             [&](double m, std::int64_t window) {
                                 const std::uint64_t which = fingerprint(std::as_bytes(std::span(&m, 1))) % 1000003;
                                 return 2 + 0.01 * random.normal(which, static_cast<std::uint64_t>(window));
                             }),
                 {.n = n});
        QVERIFY(report.has_value());
        helped += report->helps ? 1 : 0;
        said += QString::fromStdString(report->answer).startsWith("Nothing is shown to help here: at n = 2\u202F048")
                    ? 1
                    : 0;
    }
    QVERIFY2(helped <= 10, qPrintable(QString::number(helped)));
    QCOMPARE(said, 200 - helped);
}

/// Of n = 2048 and N = 512 ln n / ln N is 11/9: what Softmax Plus gives, and LongRoPE.
void TestTuning::thePublishedIsTakenWhereItIsBetter()
{
    const auto report =
        tune(problemWith(6, 8,
                         [](double m, std::int64_t window) {
                             const bool exact = std::abs(m - 11.0 / 9) < 1e-9;
                             return 2 + (exact ? -0.1 : 0.0) +
                                    0.001 * static_cast<double>((window * 7) % 5) * (exact ? 1.0 : -1.0);
                         }),
             {.n = n});
    QVERIFY(report.has_value());
    QVERIFY(report->helps && !report->tunedIsBest);
    QCOMPARE(report->published.published, std::string("Softmax Plus"));
    QVERIFY(
        QString::fromStdString(report->answer).startsWith("At n = 2\u202F048 use Softmax Plus, as it is published"));
    QVERIFY(report->use() == report->published.setting);
    // what it does at N is told too: up to there Softmax Plus is the model as it is
    QVERIFY(findComparison(*report, comparedPublished, comparedAsItIs, N));
    QVERIFY(QString::fromStdString(report->answer).contains("in windows of 512 = N it changes nothing"));
}

/// Equal odds of 296 tokens are ln 296 = 5.6904 nats.
void TestTuning::whatPredictsWorseThanChanceGetsNoScale()
{
    const auto reportOf = [](double level) {  // 0.3 lower at the best, ln m = 0.6
        TuneProblem problem = problemWith(4, 6, [level](double m, std::int64_t window) {
            const double x = std::log(m) - 0.6;
            return level + 0.3 * x * x / 0.36 + 0.001 * static_cast<double>(window % 3) * (m == 1 ? 1 : -1);
        });
        problem.architecture.vocabulary = 296;
        return tune(problem, {.n = n}).value();
    };
    const TuneReport lost = reportOf(8.9);
    const QString said = QString::fromStdString(lost.answer);
    QVERIFY(lost.worseThanChance && !lost.helps && !lost.tunedIsBest);
    QVERIFY2(said.startsWith(
                 "At n = 2\u202F048 this model predicts this text worse than chance (loss 9.2 nats, 8.9 with the "
                 "best that was tried, equal odds of its 296 tokens are 5.69): no scale is recommended"),
             qPrintable(said));
    QVERIFY(!said.contains(" use ") && !said.contains("m = "));
    // worse than chance as it is, and better with what was found: that is an answer
    const TuneReport saved = reportOf(5.5);
    QVERIFY(!saved.worseThanChance && saved.helps);
    QVERIFY(QString::fromStdString(saved.answer).startsWith("At n = 2\u202F048 use m = 1.8"));
}

/// m is searched up to e^2.8 = 16.44.
void TestTuning::edgesOfTheSearchAreSaid()
{
    for (const double best : {-3.5, 1.9, 3.5}) {
        const auto report = tune(problemWith(4, 6,
                                             [best](double m, std::int64_t window) {
                                                 return 2 + std::pow(std::log(m) - best, 2) +
                                                        0.01 * std::log(m) * static_cast<double>(window % 2);
                                             }),
                                 {.n = n});
        QVERIFY(report.has_value());
        const bool outside = std::abs(best) > 2.8;
        QCOMPARE(report->atEdge, outside);
        QCOMPARE(QString::fromStdString(report->answer).contains("at the edge of what was searched"), outside);
    }
}

/// All published methods have m near 1 or above: with the gain below 0.75 alone they are worse than the model as it is.
void TestTuning::theStrongestIsComparedWith()
{
    for (const double best : {-0.6, 0.3}) {
        const auto report = tune(problemWith(4, 8,
                                             [best](double m, std::int64_t window) {
                                                 const double x = std::log(m);
                                                 const double loss = best < 0 && m > 0.75 ? 0.36 + 0.1 * std::abs(x)
                                                                                          : std::pow(x - best, 2);
                                                 return 2 + loss + 0.01 * x * static_cast<double>(window % 2);
                                             }),
                                 {.n = n});
        QVERIFY(report && report->tunedIsBest);
        const QString said = QString::fromStdString(report->answer);
        QCOMPARE(said.contains("; the published one that did best in the search, "), best < 0);
        QCOMPARE(said.contains("against the published one that did best in the search"), best > 0);
    }
}

/// In every window the tokens up to N gain 0.1 (ln m)^2 a^-2 and those beyond 0.3, where m = e^a.
void TestTuning::gainsOfTokensAreToldAroundN()
{
    TuneProblem problem = problemWith(4, 6, [](double, std::int64_t) { return 0.0; });
    problem.loss = [](const Policy& policy, std::int64_t length, std::int64_t window) -> Result<WindowLoss> {
        const double x = std::log(TRY(multiplierAt(policy, length))) - 0.4;
        const double gained = 1 - x * x / 0.16;  // 1 at the best, 0 at m = 1
        WindowLoss loss{.loss = 2 - 0.25 * gained + 1e-4 * x * static_cast<double>(window % 2)};
        std::int64_t first = 0;
        for (const std::int64_t end : placeRanges(length, N)) {
            loss.places.push_back(2 - (first < N ? 0.1 : 0.3) * gained);
            first = end;
        }
        return loss;
    };
    const auto report = tune(problem, {.n = n});
    QVERIFY(report && report->tunedIsBest);
    QVERIFY2(QString::fromStdString(report->answer)
                 .contains("of a window's tokens those up to N gain 0.1 nats each, those beyond gain 0.3"),
             report->answer.c_str());
}

namespace {

/// sum over heads of weight (ln m - wish)^2, plus what a window adds to each slope.
struct HeadsText {
    static constexpr double wish[2][3] = {{0.3, 0, -0.2}, {0, 0.5, 0}};
    static constexpr double weight[2][3] = {{0.2, 0.1, 0.3}, {0.2, 0.1, 0.2}};

    double operator()(const Policy& policy, std::int64_t window) const
    {
        double sum = 3;
        for (std::size_t layer = 0; layer < 2; ++layer)
            for (std::size_t head = 0; head < 3; ++head) {
                const double factor = policy.factors.empty() ? 1 : policy.factors[layer][head],
                             x = std::log(factor / policy.temperature);
                sum += weight[layer][head] * (x - wish[layer][head]) * (x - wish[layer][head]) +
                       0.004 * x * static_cast<double>(window % 2 == 0 ? 1 : -1);
            }
        return sum;
    }
};

TuneProblem problemOfHeads()
{
    TuneProblem problem = problemWith(4, 6, [](double, std::int64_t) { return 0.0; });
    problem.loss = [](const Policy& policy, std::int64_t, std::int64_t start) -> Result<WindowLoss> {
        if (!isVanilla(policy.method))
            return WindowLoss{.loss = 4};
        return WindowLoss{.loss = HeadsText()(policy, start)};
    };
    problem.heads = []() -> Result<HeadLook> {
        return HeadLook{.multipliers = {{1.4, 1.1, 0.8}, {1, 1.2, 1.15}},
                        .entropyAtTrain = {{1, 1, 1}, {1, 1, 1}},
                        .entropyAtN = {{2, 1.5, 0.5}, {1.2, 2.2, 1.3}}};
    };
    return problem;
}

}  // namespace

/// dL / d ln m at m = 1 is -2 weight wish: the differences are of a parabola, and exact.
void TestTuning::gradientsAreThoseOfTheLoss()
{
    const auto report = tune(problemOfHeads(), {.n = n, .gradients = true});
    QVERIFY(report.has_value());
    QCOMPARE(report->heads.size(), std::size_t{6});
    for (const HeadRow& row : report->heads) {
        const double expected = -2 * HeadsText::weight[row.layer][row.head] * HeadsText::wish[row.layer][row.head];
        QVERIFY2(std::abs(*row.gradient - expected) < 1e-4, qPrintable(QString::number(*row.gradient - expected)));
        QVERIFY(std::abs(*row.error - 0.004 / std::sqrt(3.0)) < 1e-5);  // +-0.004, twice each: s^2 = 4 * 0.004^2 / 3
    }
    // by gain: (1, 0.1 or 0.12 ...): ranks of gain -g and of the measured multipliers, by hand
    QVERIFY(report->gainAndMeasured && report->gainAndMeasured->points == 6);
    QVERIFY(report->gainAndMeasured->rho > 0.7);
    QVERIFY(report->gainAndDispersal->rho > 0.7);
}

/// Newton on the diagonal is exact for a sum of parabolas.
void TestTuning::headsThatGainAreFound()
{
    const auto heads = tune(problemOfHeads(), {.n = n, .over = TuneOver::Heads});
    QVERIFY(heads.has_value());
    for (const HeadRow& row : heads->heads)
        QVERIFY2(std::abs(std::log(row.multiplier) - HeadsText::wish[row.layer][row.head]) < 0.03,
                 qPrintable(QString::number(row.multiplier)));
    QVERIFY(heads->helps && heads->tunedIsBest);
    // a layer's optimum is the mean of its heads' wishes by weight: 0.06 / 0.6 - 0.06 / 0.6 = 0, and 0.05 / 0.5
    const auto layers = tune(problemOfHeads(), {.n = n, .over = TuneOver::Layers});
    QVERIFY(layers.has_value());
    QCOMPARE(layers->heads.size(), std::size_t{2});
    QVERIFY(std::abs(std::log(layers->heads[0].multiplier)) < 0.03);
    QVERIFY(std::abs(std::log(layers->heads[1].multiplier) - 0.1) < 0.03);
}

/// 2.5 standard errors: outside of Student's interval of 20 windows (2.09), within that of 4 (3.18). Of one there is
/// none.
void TestTuning::aSlopeIsToldByEnoughWindows()
{
    const auto isTold = [](std::int64_t windows, std::optional<double> error) {
        return LossSlope{.gradient = {windows, 1, error}, .curvature = 0}.isTold();
    };
    QVERIFY(isTold(20, 0.4) && !isTold(4, 0.4) && isTold(4, 0.3) && !isTold(2, 0.1) && !isTold(1, {}));
}

/// The same by gradients alone; and stopped after every so many, with what was found written and read again, the same
/// bytes are kept.
void TestTuning::headsAreFoundByTheBackwardPass()
{
    TuneProblem problem = problemOfHeads();
    int runs = 0, passes = 0;
    problem.loss = [&, plain = problem.loss](const Policy& policy, std::int64_t length, std::int64_t start) {
        ++runs;
        return plain(policy, length, start);
    };
    const TuneRequest request{.n = n, .over = TuneOver::Heads};
    const auto differences = tune(problem, request);
    QVERIFY(differences && QString::fromStdString(differences->gradientsBy).startsWith("central differences"));
    const int byDifferences = std::exchange(runs, 0);
    problem.slopes = [&](const Policy& policy, std::int64_t, std::int64_t start) -> Result<WindowLoss> {
        ++passes;
        const HeadsText text;
        HeadValues slopes(2, std::vector<double>(3));
        for (std::size_t layer = 0; layer < 2; ++layer)
            for (std::size_t head = 0; head < 3; ++head) {
                const double factor = policy.factors.empty() ? 1 : policy.factors[layer][head],
                             x = std::log(factor / policy.temperature);
                slopes[layer][head] =
                    2 * text.weight[layer][head] * (x - text.wish[layer][head]) + 0.004 * (start % 2 == 0 ? 1 : -1);
            }
        return WindowLoss{.loss = text(policy, start), .slopes = slopes};
    };
    const auto whole = tune(problem, request);
    QVERIFY(whole && whole->helps && whole->tunedIsBest);
    QCOMPARE(whole->gradientsBy, "the backward pass");
    QVERIFY2(runs + passes < byDifferences,
             qPrintable(QStringLiteral("%1 + %2, %3").arg(runs).arg(passes).arg(byDifferences)));
    for (const HeadRow& row : whole->heads)
        QVERIFY2(std::abs(std::log(row.multiplier) - HeadsText::wish[row.layer][row.head]) < 0.06,
                 qPrintable(QString::number(std::log(row.multiplier))));
    const int needed = std::exchange(runs, 0), passed = std::exchange(passes, 0);
    LossTable all;
    QVERIFY(tune(problem, request,
                 {.onLoss = [&](const std::string& key, const WindowLoss& loss) { all.emplace(key, loss); }}));
    runs = passes = 0;
    std::string file = writeLosses({}, "this");
    for (int legs = 0;; ++legs) {
        QVERIFY(legs < 100);
        std::stop_source stop;
        int here = 0;
        TuneWatch watch{.known = readLosses(file, "search.json", "this").value(), .stop = stop.get_token()};
        LossTable table = watch.known;
        watch.onLoss = [&](const std::string& key, const WindowLoss& loss) {
            table.emplace(key, loss);
            file = writeLosses(table, "this");
            if (++here == 13)
                stop.request_stop();
        };
        const auto part = tune(problem, request, watch);
        if (!part)
            continue;
        QVERIFY(legs > 3);
        QCOMPARE(part->answer, whole->answer);
        QVERIFY(part->tuned == whole->tuned);
        break;
    }
    QCOMPARE(runs, needed);
    QCOMPARE(passes, passed);
    QCOMPARE(QByteArray::fromStdString(file), QByteArray::fromStdString(writeLosses(all, "this")));

    for (const HeadValues& slopes : {HeadValues{{0.1}}, HeadValues{{0.1, 0.2, 0.3}}, HeadValues()}) {  // of another
        LossTable damaged = all;
        for (auto& [key, loss] : damaged)
            if (key.starts_with("slopes "))
                loss.slopes = slopes;
        const auto refused = tune(problem, request, {.known = damaged});
        QVERIFY(!refused && refused.error().kind == ErrorKind::InvalidArgument);
    }
    LossTable without = all;
    for (auto& [key, loss] : without)
        if (key.starts_with("slopes "))
            loss = {.undefined = true};
    const auto instead = tune(problem, request, {.known = without});
    QVERIFY(instead && QString::fromStdString(instead->gradientsBy).startsWith("central differences"));
}

/// With every loss and the heads at hand nothing is run or measured again; heads of another model are none.
void TestTuning::whatIsKnownOfHeadsIsKept()
{
    TuneProblem problem = problemOfHeads();
    LossTable all;
    const TuneRequest request{.n = n};
    const auto whole = tune(
        problem, request, {.onLoss = [&](const std::string& key, const WindowLoss& loss) { all.emplace(key, loss); }});
    QVERIFY(whole.has_value());
    problem.heads = []() -> Result<HeadLook> { return failure(ErrorKind::Cancelled, "measured again"); };
    problem.loss = [](const Policy&, std::int64_t, std::int64_t) -> Result<WindowLoss> {
        return failure(ErrorKind::Cancelled, "run again");
    };
    const auto again = tune(problem, request, {.known = *readLosses(writeLosses(all, "this"), "search.json", "this")});
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QCOMPARE(again->answer, whole->answer);
    QCOMPARE(again->theory.size(), whole->theory.size());
    QCOMPARE(again->theory.back().multiplier, 1.125);  // the median of 0.8, 1, 1.1, 1.15, 1.2, 1.4
    QCOMPARE(again->heads.size(), std::size_t{6});
    QCOMPARE(again->heads[2].measured, std::optional(0.8));
    QCOMPARE(again->heads[3].entropyAtTrain, std::optional(1.0));
    QCOMPARE(again->heads[4].entropyAtN, std::optional(2.2));
    all["heads"].slopes.pop_back();
    const auto refused = tune(problem, request, {.known = all});
    QVERIFY(!refused && refused.error().kind == ErrorKind::InvalidArgument);
}

/// null where the model as it is, or what was found, was judged: no verdict, and what to do. Of a published setting, or
/// in shorter windows: that is not compared, and the rest is as it was.
void TestTuning::aFileWithoutValuesIsNoVerdict()
{
    const PlantedText planted{0.8, Random(7, Stream::Other)};
    const TuneProblem problem =
        problemWith(6, 12, [&](double m, std::int64_t window) { return planted.loss(m, window); });
    const TuneRequest request{.n = n};
    LossTable all;
    const auto whole = tune(
        problem, request, {.onLoss = [&](const std::string& key, const WindowLoss& loss) { all.emplace(key, loss); }});
    QVERIFY(whole && whole->helps && whole->tunedIsBest);
    QCOMPARE(whole->comparisons.size(), std::size_t{5});
    const auto without = [&](const Setting& setting, std::int64_t length, std::int64_t start) {
        LossTable table = all;
        table.at(lossKey(length, start, keyOf(policyAt(setting, whole->at, length)))) = {.undefined = true};
        return tune(problem, request, {.known = *readLosses(writeLosses(table, "this"), "search.json", "this")});
    };
    const std::int64_t fitting = problem.fitting.front(), judging = problem.verdict[3];
    for (const auto& refused :
         {without(untuned(0), n, fitting), without(untuned(0), n, judging), without(whole->tuned, n, judging)}) {
        QVERIFY(!refused && refused.error().kind == ErrorKind::Undefined);
        QVERIFY2(refused.error().message.find("start anew") != std::string::npos, refused.error().message.c_str());
    }
    const auto compared = [&](const Result<TuneReport>& report, const std::string& missing) {
        QStringList others;
        for (const Comparison& one : whole->comparisons) {
            const Comparison* same = findComparison(*report, one.what, one.against, one.n);
            if (!same)
                others << QStringLiteral("%1 %2").arg(QString::fromStdString(one.what)).arg(one.n);
            else
                QCOMPARE(same->difference.mean, one.difference.mean);
        }
        QCOMPARE(others.join(u',').toStdString(), missing);
    };
    const auto published = without(whole->published.setting, n, judging);
    QVERIFY(published && published->tunedIsBest);
    compared(published, "tuned 2048,published 2048");
    const auto shorter = without(untuned(0), N, judging);
    QVERIFY(shorter && shorter->tunedIsBest);
    compared(shorter, "tuned 512");
}

/// Stopped after every so many losses, with what was found written and read again: the same report, and nothing is run
/// twice.
void TestTuning::stoppedSearchesGoOn()
{
    const PlantedText planted{0.35, Random(7, Stream::Other)};
    int runs = 0;
    TuneProblem problem = problemWith(6, 12, [&](double m, std::int64_t window) {
        ++runs;
        return planted.loss(m, window);
    });
    const TuneRequest request{.n = n, .rules = {"constant", "row_log"}};
    const auto whole = tune(problem, request);
    QVERIFY(whole.has_value());
    const int needed = std::exchange(runs, 0);
    std::string file = writeLosses({}, "this");
    for (int legs = 0;; ++legs) {
        QVERIFY(legs < 100);
        std::stop_source stop;
        int here = 0;
        TuneWatch watch{.known = readLosses(file, "search.json", "this").value(), .stop = stop.get_token()};
        LossTable table = watch.known;
        watch.onLoss = [&](const std::string& key, const WindowLoss& loss) {
            table.emplace(key, loss);
            file = writeLosses(table, "this");
            if (++here == 17)
                stop.request_stop();
        };
        const auto part = tune(problem, request, watch);
        if (!part) {
            QCOMPARE(part.error().kind, ErrorKind::Cancelled);
            continue;
        }
        QVERIFY(legs > 3);
        QCOMPARE(part->answer, whole->answer);
        QVERIFY(part->tuned == whole->tuned);
        QCOMPARE(part->tried.size(), whole->tried.size());
        for (std::size_t i = 0; i < part->tried.size(); ++i)
            QCOMPARE(part->tried[i].loss, whole->tried[i].loss);
        QCOMPARE(part->comparisons.front().low, whole->comparisons.front().low);
        break;
    }
    QCOMPARE(runs, needed);
    QVERIFY(QString::fromStdString(readLosses(file, "search.json", "that").error().message).contains("another search"));
    QVERIFY(!readLosses("[]", "search.json", "this").has_value());
}

/// A window takes a second.
void TestTuning::timeIsKept()
{
    double seconds = 0;
    const PlantedText planted{0.35, Random(7, Stream::Other)};
    const TuneProblem problem = problemWith(6, 12, [&](double m, std::int64_t window) {
        ++seconds;
        return planted.loss(m, window);
    });
    TuneWatch watch;
    watch.clock = [&] { return seconds; };
    const auto whole = tune(problem, {.n = n}, watch);
    QVERIFY(whole && !whole->outOfTime);
    const double needed = std::exchange(seconds, 0);
    QVERIFY(needed > 150);
    const auto part = tune(problem, {.n = n, .budget = 180}, watch);
    QVERIFY(part && part->outOfTime);
    QVERIFY2(seconds <= 180 && seconds > 80, qPrintable(QString::number(seconds)));
    QVERIFY(!part->answer.empty());
}

/// A window takes a second, and the time is up after every number of them: where something helps (Su kappa, or ln m =
/// 0.35) and where nothing does.
void TestTuning::whatEndsEarlyDoesNotSayThatNothingHelps()
{
    for (const bool helpful : {false, true}) {
        double seconds = 0;
        const PlantedText planted{helpful ? 0.35 : 0.0, Random(7, Stream::Other)};
        const TuneProblem problem = problemWith(4, 6, [&](double m, std::int64_t window) {
            ++seconds;
            return helpful ? planted.loss(m, window)
                           : 2 + std::pow(std::log(m), 2) + 0.01 * std::log(m) * static_cast<double>(window % 2);
        });
        TuneWatch watch;
        watch.clock = [&] { return seconds; };
        const auto whole = tune(problem, {.n = n}, watch);
        QVERIFY(whole && !whole->outOfTime && (helpful || !whole->helps));
        const double needed = std::exchange(seconds, 0);
        int early = 0, empty = 0, published = 0;
        for (double budget = 1; budget < needed + 9 * 6 + 2; budget += 1, seconds = 0) {
            const auto part = tune(problem, {.n = n, .budget = budget}, watch);
            QVERIFY(part);
            const QString said = QString::fromStdString(part->answer);
            early += part->outOfTime ? 1 : 0;
            QVERIFY2(!said.startsWith("Nothing is shown to help") || !part->outOfTime, qPrintable(said));
            QCOMPARE(said.contains("the time was up", Qt::CaseInsensitive), part->outOfTime);
            if (!part->outOfTime) {
                QCOMPARE(part->answer, whole->answer);
                continue;
            }
            // what ran on all windows is compared, and nothing is said of the rest
            double least = INFINITY;
            for (const TriedSetting& tried : part->tried)
                if (!tried.published.empty() && tried.windows == part->fitting)
                    least = std::min(least, tried.loss);
            published += std::isfinite(least) ? 1 : 0;
            QCOMPARE(findComparison(*part, comparedPublished, comparedAsItIs, n) != nullptr, std::isfinite(least));
            if (std::isfinite(least))
                QCOMPARE(part->published.loss, least);
            if (part->comparisons.empty()) {
                ++empty;
                QVERIFY2(said.contains("nothing is known of the others"), qPrintable(said));
            }
        }
        QVERIFY(early > 50 && empty > 10 && published > 10);
    }
}

/// Under a window of 64 keys no row has more than kappa ln 64.
void TestTuning::multipliersOfRowsAreOfTheKeysThatTheySee()
{
    Architecture a = architectureOf();
    for (LayerSpec& spec : a.specs)
        spec.mask = {"window", {{"w", 64}}, {}};
    const auto largest = [&](const Setting& setting, const TunedAt& at) {
        double most = 0;
        for (int layer = 0; layer < a.layers; ++layer) {
            const LayerRule rule = resolveLayer(policyAt(setting, at, n), a, layer, n).value();
            most = std::max(most, std::ranges::max(rule.scales.front()));
        }
        return most;
    };
    for (const double multiplier : {1.37, 0.8}) {
        const TunedAt narrow = tunedAt(a, n, N);
        QCOMPARE(narrow.mostKeys(), std::int64_t{64});
        const Setting setting{.rule = "row_log", .multiplier = multiplier};
        const double most = largest(setting, narrow), unit = largest(Setting{}, narrow);
        QVERIFY(std::abs(most / unit - multiplier) < 1e-6);
        QVERIFY(std::abs(*multiplierAt(setting, narrow, 64) - multiplier) < 1e-6);
        const QString said = QString::fromStdString(describe(setting, narrow));
        QVERIFY2(said.contains(QString::fromStdString(formatNumber(multiplier, 4)) + " where a row sees most, 64 keys"),
                 qPrintable(said));
        Setting method;
        method.policy.method = {"ssmax", {{"s", 0.6325}}, {}};
        QVERIFY(std::abs(*multiplierAt(method, narrow, 64) - 0.6325 * std::log(64.0)) < 1e-9);
    }
    a.specs.back().mask = {"causal", {}, {}};  // a layer that sees all
    QCOMPARE(tunedAt(a, n, N).mostKeys(), n);
    TuneProblem problem = problemWith(4, 8, [](double, std::int64_t) { return 1.0; });
    for (LayerSpec& spec : problem.architecture.specs)
        spec.mask = {"window", {{"w", 64}}, {}};
    const auto refused = tune(problem, {.n = n, .rules = {"row_log_ratio"}});
    QVERIFY(!refused && QString::fromStdString(refused.error().message).contains("keys that a row sees"));
}

void TestTuning::costsAreAtShorterLengths()
{
    TuneProblem problem = problemWith(4, 8, {});
    problem.loss = [](const Policy& policy, std::int64_t length, std::int64_t window) -> Result<WindowLoss> {
        const double x = std::log(TRY(multiplierAt(policy, length)));
        const double best = length == n ? 0.4 : 0;
        return WindowLoss{.loss = 2 + (x - best) * (x - best) + 0.01 * x * static_cast<double>(window % 3)};
    };
    const auto constant = tune(problem, {.n = n});
    QVERIFY(constant && constant->tunedIsBest);
    const double x = std::log(constant->tuned.multiplier);
    const Comparison* cost = findComparison(*constant, "tuned", "as it is", N);
    QVERIFY(cost && std::abs(cost->difference.mean - x * x) < 0.02 * x);
    QVERIFY(QString::fromStdString(constant->answer).contains("in windows of 512 = N it costs 0.1"));
    const auto ratio = tune(problem, {.n = n, .rules = {"log_ratio"}});
    QVERIFY(ratio.has_value());
    QCOMPARE(ratio->tuned.multiplier, constant->tuned.multiplier);
    QCOMPARE(findComparison(*ratio, "tuned", "as it is", N)->difference.mean, 0.0);
    QVERIFY(QString::fromStdString(ratio->answer).contains("in windows of 512 = N it changes nothing"));
}

/// A setting that was tried on few windows is compared with the model as it is on those alone; progress tells the same.
void TestTuning::changesAreOverTheSameWindows()
{
    const PlantedText planted{0.3, Random(4, Stream::Other)};
    const TuneProblem problem =
        problemWith(8, 4, [&](double m, std::int64_t window) { return planted.loss(m, window); });
    std::vector<TriedSetting> told;
    int heard = 0;
    const auto report = tune(problem, {.n = n}, {.progress = [&](const TuneProgress& progress) {
                                 ++heard;
                                 QVERIFY(progress.tried.size() >= told.size());
                                 told.assign(progress.tried.begin(), progress.tried.end());
                             }});
    QVERIFY(report.has_value());
    QVERIFY(heard > 8 && told.size() == report->tried.size());
    for (const TriedSetting& tried : report->tried) {
        const auto m = multiplierAt(tried.setting, report->at, 64);
        if (!m || !std::isfinite(tried.loss))
            continue;
        double change = 0;
        for (std::size_t w = 0; w < tried.windows; ++w)
            change += planted.loss(*m, std::int64_t(w)) - planted.loss(1, std::int64_t(w));
        QVERIFY2(std::abs(tried.change - change / double(tried.windows)) < 1e-9,
                 describe(tried.setting, report->at).c_str());
    }
}

void TestTuning::settingsAreMethods_data()
{
    QTest::addColumn<QString>("rule");
    for (const ScaleRule& rule : scaleRules())
        QTest::addRow("%s", rule.id.c_str()) << QString::fromStdString(rule.id);
}

/// The method does at every length what the setting does, on the last row.
void TestTuning::settingsAreMethods()
{
    QFETCH(QString, rule);
    Setting setting;
    setting.rule = rule.toStdString();
    setting.multiplier = 1.37;
    const TunedAt at{n, N};
    Architecture own = architectureOf();
    const auto method = methodOf(setting, at, own);
    QVERIFY2(method.has_value(), method ? "" : method.error().message.c_str());
    Policy policy;
    policy.method = *method;
    for (const std::int64_t length : {N / 2, N, n, 2 * n})
        QVERIFY(std::abs(*multiplierAt(policy, length) - *multiplierAt(policyAt(setting, at, length), length)) < 1e-9);
    QVERIFY(std::abs(*multiplierAt(setting, at, 64) - 1.37) < 1e-12);
    QVERIFY(isVanilla(methodOf(Setting{}, at, own).value()));
    own.specs.back().method = {"llama4", {}, {}};  // on which a multiplier stands, and which a method replaces
    QCOMPARE(methodOf(setting, at, own).has_value(), rule.startsWith("row_"));
    QVERIFY(isVanilla(methodOf(Setting{}, at, own).value()));
    setting.policy.factors = {{1, 2}};
    QVERIFY(!methodOf(setting, at, architectureOf()) && !multiplierAt(setting, at, 64));
}

void TestTuning::schemesTellTheirParameter()
{
    const TunedAt at{n, N};
    QCOMPARE(schemeParameter(untuned(0, Choice{"ntk", {{"s", 3.5}}, {}}), at)->value, 3.5);
    QCOMPARE(schemeParameter(untuned(0, Choice{"pi", {}, {}}), at)->value, double(n) / N);
    QCOMPARE(schemeParameter(untuned(0, Choice{"rope", {{"base", 5e5}}, {}}), at)->parameter, std::string("base"));
    QCOMPARE(schemeParameter(untuned(0, Choice{"rerope", {}, {}}), at)->value, 128.0);  // below N
    QCOMPARE(schemeParameter(untuned(0, Choice{"rerope", {}, {}}), {n, 64})->value, 64.0);
    QVERIFY(!schemeParameter(untuned(0), at));
}

void TestTuning::mistakesSayWhatToDo()
{
    const TuneProblem problem = problemWith(4, 8, [](double, std::int64_t) { return 1.0; });
    const auto says = [&](const TuneProblem& of, const TuneRequest& request) {
        const auto report = tune(of, request);
        return report ? QString() : QString::fromStdString(report.error().message);
    };
    QVERIFY(says(problem, {.n = N, .rules = {"log_ratio"}}).contains("changes nothing up to N = 512"));
    QVERIFY(says(problem, {.n = n, .rules = {"nosuch"}}).contains("known: constant"));
    QVERIFY(says(problem, {.n = n, .over = TuneOver::Positions}).contains("search over scale, layers or heads"));
    QVERIFY(says(problem, {.n = n, .schemes = {"alibi"}}).contains("not over scale"));
    QVERIFY(says(problem, {.n = n, .over = TuneOver::Both, .schemes = {"alibi"}}).contains("rope, pi, ntk"));
    QVERIFY(says(problem, {.n = n, .rules = {"constant", "log"}}).contains("the same multiplier at n"));
    QVERIFY(says(problem, {.n = n, .over = TuneOver::Both, .rules = {"log", "row_log"}}).contains("one rule"));
    QVERIFY(says(problemWith(4, 1, [](double, std::int64_t) { return 1.0; }), {.n = n}).contains("a longer text"));
    TuneProblem broken = problem;
    broken.loss = [](const Policy&, std::int64_t, std::int64_t) -> Result<WindowLoss> {
        return failure(ErrorKind::DataError, "the file was cut");
    };
    QCOMPARE(says(broken, {.n = n}), QString("the file was cut"));
}

QTEST_GUILESS_MAIN(TestTuning)
#include "test_tuning.moc"
