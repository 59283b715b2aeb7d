// Every scale method against golden.json (golden.py: the papers' formulae in 50 digits), its edges, what it counts, and
// the expressions that a user may write.

#include "core/scaling/expression.h"
#include "core/scaling/scale_method.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>
#include <set>
#include <thread>

using namespace attnscope;

namespace {

Choice choose(const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), scaleMethods(), "scale method");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return *choice;
}

Result<double> multiplier(const QString& text, const ScaleContext& context)
{
    return bindScale(choose(text)).and_then([&](const auto& scale) { return scale(context); });
}

/// The method's own count is n; the other one is a number that would show.
ScaleContext counting(const QString& text, double n, double N, int d)
{
    const bool row = countsOf(choose(text)) == Counts::Row;
    return {
        .keys = row ? 31337 : n, .rowKeys = row ? n : 31337, .position = n - 1, .nTrain = N, .d = d, .measured = {}};
}

std::string errorOf(const QString& text, const ScaleContext& context)
{
    const Result<double> m = multiplier(text, context);
    return m ? "" : m.error().message;
}

}  // namespace

class TestScaling : public QObject {
    Q_OBJECT
private slots:
    void golden_data();
    void golden();
    void everyMethodHasGoldenNumbers();
    void everyRowExplainsItself();
    void vanillaIsPlain();
    void rowOrSequence();
    void upToTheLongestLength();
    void undefinedSaysWhy_data();
    void undefinedSaysWhy();
    void measuredAsksTheTensors();
    void presetsAreChoices();
    void trainLengths();
    void learnedIsNearTheExact();
    void worked_data();
    void worked();
    void expressionIsRefused_data();
    void expressionIsRefused();
    void expressionFromManyThreads();
};

void TestScaling::golden_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("n");
    QTest::addColumn<double>("N");
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("m");  // NaN: undefined
    QFile file(TEST_DATA "/golden.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).array()) {
        const QJsonObject row = value.toObject();
        const QString method = row["method"].toString();
        const double n = row["n"].toDouble(), N = row["N"].toDouble();
        const int d = row["d"].toInt();
        QTest::addRow("%s n=%g N=%g d=%d", qPrintable(method), n, N, d)
            << method << n << N << d << row["m"].toDouble(NAN);
    }
}

void TestScaling::golden()
{
    QFETCH(QString, method);
    QFETCH(double, n);
    QFETCH(double, N);
    QFETCH(int, d);
    QFETCH(double, m);
    const Result<double> got = multiplier(method, counting(method, n, N, d));
    if (std::isnan(m)) {
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::Undefined);
        return;
    }
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QVERIFY2(std::abs(*got - m) <= 1e-13 * std::max(1.0, std::abs(m)),
             qPrintable(QString("%1 instead of %2").arg(*got, 0, 'g', 17).arg(m, 0, 'g', 17)));
}

void TestScaling::everyMethodHasGoldenNumbers()
{
    QFile file(TEST_DATA "/golden.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    std::set<std::string> tested{"entropy_measured", "entropy_exact",
                                 "eie"};  // solved or learned: they have tests of their own
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).array())
        tested.insert(value.toObject()["method"].toString().section(':', 0, 0).toStdString());
    for (const ScaleMethod& row : scaleMethods())
        QVERIFY2(tested.contains(row.id), row.id.c_str());
}

void TestScaling::everyRowExplainsItself()
{
    std::set<std::string> ids;
    for (const ScaleMethod& row : scaleMethods()) {
        QVERIFY(ids.insert(row.id).second);
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 40,
                 row.id.c_str());
        QCOMPARE(row.parameters.back().id == "row", row.counts != Counts::Nothing);
        for (const Parameter& p : row.parameters)
            QVERIFY2(p.help.size() > 10 && p.minimum <= p.byDefault && p.byDefault <= p.maximum,
                     (row.id + " " + p.id).c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
    }
}

/// Theory goes to 10^12 keys, and so does every method that has a value there.
void TestScaling::upToTheLongestLength()
{
    for (const ScaleMethod& method : scaleMethods()) {
        if (method.written || method.measured)
            continue;
        const auto bound = bindScale({method.id, {}, {}});
        QVERIFY2(bound.has_value(), method.id.c_str());
        for (const double n : {68719476735.0, 68719476737.0, 7e10, 1e12}) {
            const Result<double> m = (*bound)(lastRowOf(n, 512, 16));
            if (!m && m.error().kind == ErrorKind::Undefined && method.id != "entropy_exact")
                continue;  // a network knows the lengths that it was trained on
            QVERIFY2(m && std::isfinite(*m) && *m > 0,
                     qPrintable(QString("%1 at %2: %3")
                                    .arg(QString::fromStdString(method.id))
                                    .arg(n)
                                    .arg(QString::fromStdString(m ? "" : m.error().message))));
        }
    }
    QVERIFY(std::abs(*multiplier("entropy_exact", counting("entropy_exact", 1e12, 512, 64)) / (8 * 0.9414312095081488) -
                     1) < 1e-6);
}

void TestScaling::vanillaIsPlain()
{
    for (const ScaleMethod& row : scaleMethods()) {
        const QString id = QString::fromStdString(row.id);
        const bool vanilla = id == QLatin1String("vanilla");
        const QString text = row.written ? id + ":\"1\"" : id;
        QVERIFY(isVanilla(choose(text)) == vanilla && isVanilla(choose(text).id) == vanilla);
        QVERIFY(keepsOwnTemperature(choose(text)) == vanilla && factorOf(choose(text)) == 1);
        if (row.written)
            continue;
        QVERIFY(isVanilla(choose(id + ":alpha=1")) == vanilla && !isVanilla(choose(id + ":alpha=1.3")));
        QVERIFY(keepsOwnTemperature(choose(id + ":alpha=1.3")) == vanilla);
        QCOMPARE(factorOf(choose(id + ":alpha=1.3")), 1.3);
    }
}

void TestScaling::rowOrSequence()
{
    const ScaleContext context{.keys = 1024, .rowKeys = 32, .position = 31, .nTrain = 512, .d = 64, .measured = {}};
    QCOMPARE(*countsOf(choose("vanilla")), Counts::Nothing);
    QCOMPARE(*countsOf(choose("log_n")), Counts::Keys);
    QCOMPARE(*countsOf(choose("log_n:row=1")), Counts::Row);
    QCOMPARE(*countsOf(choose("ssmax")), Counts::Row);
    QCOMPARE(*countsOf(choose("ssmax:row=0")), Counts::Keys);
    QCOMPARE(*countsOf(choose("custom:log(n)")), Counts::Keys);
    QCOMPARE(*countsOf(choose("custom:log(i+1)")), Counts::Row);
    QCOMPARE(*multiplier("log_n", context), std::log(1024));
    QCOMPARE(*multiplier("log_n:row=1", context), std::log(32));
    QCOMPARE(*multiplier("ssmax", context), 0.43 * std::log(32));
    QCOMPARE(*multiplier("ssmax:row=0", context), 0.43 * std::log(1024));
    QCOMPARE(*multiplier("custom:log(i+1)", context), std::log(32));

    ScaleContext masked = context;
    masked.rowKeys = 0;  // nothing to scale: no error that would stop the other rows
    QCOMPARE(*multiplier("ssmax", masked), 0.0);
}

/// Up to n = 10^12, what the theory goes to, every method has a number or says why not, and speaks of no other n. The
/// exact scale there is the root of the exact entropy at that n itself, 0.94143120950815 sqrt(64), which is found
/// without a series over n.
void TestScaling::undefinedSaysWhy_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("n");
    QTest::addColumn<double>("N");
    QTest::addColumn<QString>("why");
    QTest::addRow("n below e^eps") << "infoscale:eps=1" << 2.0 << 512.0
                                   << "infoscale: undefined below n = e^ε = 2.718 (n = 2)";
    QTest::addRow("N below e^eps") << "infoscale:eps=7" << 4096.0 << 512.0
                                   << "infoscale: undefined where N is not above e^ε = 1097 (N = 512)";
    QTest::addRow("infoscale, N = 1") << "infoscale" << 8.0 << 1.0
                                      << "infoscale: undefined where N is not above e^ε = 1 (N = 1)";
    QTest::addRow("row_log, N = 1") << "row_log" << 8.0 << 1.0 << "row_log: undefined for N = 1, where ln N is 0";
    QTest::addRow("longrope, N = 1") << "longrope" << 8.0 << 1.0 << "longrope: undefined for N = 1, where ln N is 0";
    QTest::addRow("negative power") << "log_power:gamma=-1" << 1.0 << 512.0 << "log_power: infinite at n = 1";
    QTest::addRow("no tensors") << "entropy_measured" << 8.0 << 512.0
                                << "entropy_measured: needs queries and keys to measure; it has a value where a source "
                                   "or tensors are looked at";
    QTest::addRow("custom pole") << "custom:1/log(n)" << 1.0 << 512.0 << "custom: infinite at n = 1";
    QTest::addRow("custom root") << "custom:sqrt(n-N)" << 1.0 << 512.0 << "custom: undefined at n = 1";
    QTest::addRow("custom of the position") << "custom:1/i" << 1.0 << 512.0 << "custom: infinite at n = 31337, i = 0";
    QTest::addRow("no training length") << "log_n" << 8.0 << 0.0
                                        << "log_n: the training length N and the head size d must be at least 1";
}

void TestScaling::undefinedSaysWhy()
{
    QFETCH(QString, method);
    QFETCH(double, n);
    QFETCH(double, N);
    QFETCH(QString, why);
    QCOMPARE(QString::fromStdString(errorOf(method, counting(method, n, N, 64))), why);
}

void TestScaling::measuredAsksTheTensors()
{
    ScaleContext context{.keys = 300, .rowKeys = 10, .position = 9, .nTrain = 512, .d = 64, .measured = {}};
    context.measured = [](double n) -> Result<double> { return n / 100; };
    QCOMPARE(*multiplier("entropy_measured:alpha=2", context), 6.0);
    context.measured = [](double) -> Result<double> { return failure(ErrorKind::Cancelled, "stopped"); };
    QCOMPARE(multiplier("entropy_measured", context).error().kind, ErrorKind::Cancelled);
}

void TestScaling::presetsAreChoices()
{
    for (const ScaleMethod& row : scaleMethods())
        for (const Preset& preset : row.presets) {
            const Result<Choice> choice = parseChoice(std::string_view(preset.text), scaleMethods(), "scale method");
            QVERIFY2(choice && choice->id == row.id, preset.text.c_str());
            QVERIFY2(!preset.source.empty() && !preset.label.empty(), preset.text.c_str());
        }
}

/// A network brings its own N; where there is none for this d, no N is used.
void TestScaling::trainLengths()
{
    const auto of = [](const char* method, int d) {
        return trainLengthOf(choose(method), {.nTrain = 512, .d = d, .measured = {}});
    };
    QVERIFY(of("infoscale", 16) == 512.0 && of("eie", 16) == 100.0 && of("eie", 32) == 120.0 && !of("eie", 64));
    QVERIFY(!of("eie:nowhere.safetensors", 16));
    QCOMPARE(trainLengthOf(choose("eie"), {.nTrain = 256, .d = 16, .measured = {}}),
             std::optional(256.0));  // the one that was trained for this N
}

/// What is learned is the exact scale of the same d and N, to half a per cent.
void TestScaling::learnedIsNearTheExact()
{
    const auto learned = bindScale(choose("eie")).value(), exact = bindScale(choose("entropy_exact")).value();
    for (const double N : {20.0, 100.0, 256.0})
        for (const double times : {2, 4, 8, 16}) {
            const ScaleContext context{.keys = times * N, .nTrain = N, .d = 16, .measured = {}};
            QVERIFY2(std::abs(*learned(context) / *exact(context) - 1) < 5e-3,
                     qPrintable(QString("N %1, n %2").arg(N).arg(times * N)));
        }
}

void TestScaling::worked_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("n");
    QTest::addColumn<QString>("text");
    QTest::addRow("vanilla") << "vanilla" << 1024.0 << "m = 1";
    QTest::addRow("softmax plus") << "softmax_plus" << 1024.0 << "m = ln 1024 / ln 512 = 1.111";
    QTest::addRow("with floor") << "softmax_plus:floor=16" << 4.0 << "m = ln 16 / ln 512 = 0.4444";
    QTest::addRow("alpha") << "log_n:alpha=2" << 1.0 << "m = 2 · (ln 1) = 0";
    QTest::addRow("clamped") << "row_log:clamp_at_one=1" << 64.0 << "m = max(1, ln 64 / ln 512) = 1";
    QTest::addRow("yarn") << "yarn" << 1024.0 << "m = (1 + 0.1 · ln max(1024/512, 1))² = 1.143";
    QTest::addRow("whole numbers stay whole") << "log_n" << 1048576.0 << "m = ln 1048576 = 13.86";
    QTest::addRow("minus") << "log_power:delta=2,beta=-0.25" << 1024.0 << "m = 2 − 0.25 · (ln 1024)^1 = 0.2671";
    QTest::addRow("infoscale") << "infoscale" << 1024.0 << "m = √((1 − 1024^(−2/64)) / (1 − 512^(−2/64))) = 1.049";
    QTest::addRow("infoscale, wide") << "infoscale:heads=8" << 512.0
                                     << "m = √((1 − 512^(−2/512)) / (1 − 512^(−2/512))) = 1";
    QTest::addRow("custom") << "custom:\"log(n)/log(N) + n0\"" << 1024.0 << "";
    QTest::addRow("custom, numbers") << "custom:\"log(n)/log(N)\"" << 1024.0 << "m = log(1024)/log(512) = 1.111";
}

void TestScaling::worked()
{
    QFETCH(QString, method);
    QFETCH(double, n);
    QFETCH(QString, text);
    const Result<std::string> got = workedScale(choose(method), counting(method, n, 512, 64));
    QCOMPARE(QString::fromStdString(got.value_or("")), text);
}

void TestScaling::expressionIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");  // its beginning
    QTest::addRow("unknown name") << "log(n)/foo"
                                  << "column 8: unknown name 'foo'; known: n, N, d, i, log";
    QTest::addRow("unknown function") << "sum(n)"
                                      << "column 1: unknown name 'sum'";
    QTest::addRow("assignment") << "n=5"
                                << "column 2: assignment";
    QTest::addRow("assignment in brackets") << "log(N = 1)"
                                            << "column 7: assignment";
    QTest::addRow("two expressions") << "n, N"
                                     << "column 2: one expression, not 2";
    QTest::addRow("text") << "\"n"
                          << "column 1: an expression holds no text";
    QTest::addRow("open bracket") << "log(n"
                                  << "column 6: ";
    QTest::addRow("ends early") << "n +"
                                << "column 4: the expression ends too early";
    QTest::addRow("empty") << " "
                           << "column ";
    QTest::addRow("built-in constant") << "_pi"
                                       << "column 1: unknown name";
    QTest::addRow("statement") << "n; n"
                               << "column 2: ";
    QTest::addRow("hex call") << "system(n)"
                              << "column 1: unknown name 'system'";
    QTest::addRow("long") << QString("n+").repeated(600) + "n"
                          << "column 1001: an expression has at most 1000 characters";
}

void TestScaling::expressionIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const Result<Expression> compiled = Expression::compile(text.toStdString());
    QVERIFY(!compiled);
    QCOMPARE(compiled.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(QString::fromStdString(compiled.error().message).startsWith(message), compiled.error().message.c_str());
}

void TestScaling::expressionFromManyThreads()
{
    const Result<Expression> compiled = Expression::compile("sqrt(n)*N + d - i");
    QVERIFY(compiled);
    std::array<bool, 4> right{};
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
            bool all = true;
            for (int n = 1; n < 2000; ++n)
                all = all &&
                      (*compiled)(n, 2, static_cast<double>(t), 1) == std::sqrt(n) * 2 + static_cast<double>(t) - 1;
            right[t] = all;
        });
    threads.clear();
    for (const bool all : right)
        QVERIFY(all);
}

QTEST_GUILESS_MAIN(TestScaling)
#include "test_scaling.moc"
