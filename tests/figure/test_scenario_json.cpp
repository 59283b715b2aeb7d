// Scenarios as JSON: what is written reads back, and what is wrong is named.

#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"
#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/random.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"

#include <QTest>

using namespace attnscope;
using nlohmann::json;

namespace {

/// Draws that depend on the case alone.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_random(seed, Stream::Other) {}
    double real() { return m_random.uniform(0, m_next++); }
    std::int64_t whole(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(real() * static_cast<double>(high - low));
    }

    /// A valid choice: every parameter at a random place of its range, texts where they are taken.
    template <class Row>
    Choice from(std::span<const Row> rows)
    {
        const Row& row = rows[static_cast<size_t>(whole(0, static_cast<std::int64_t>(rows.size())))];
        Choice choice{row.id, {}, {}};
        for (const Parameter& parameter : row.parameters) {
            double value = parameter.minimum + real() * (parameter.maximum - parameter.minimum);
            if (parameter.kind != Parameter::Kind::Real)
                value = std::round(value);
            if (real() < 0.5 && value != parameter.byDefault)
                choice.values[parameter.id] = value;
        }
        return choice;
    }

private:
    Random m_random;
    std::uint64_t m_next = 0;
};

Scenario drawn(std::uint64_t seed)
{
    Draw draw(seed);
    Scenario s;
    s.source = draw.from(sourceEntries());
    s.tensors = {.path = "a \"file\"\n.npz",
                 .query = "q",
                 .key = "k",
                 .layout = "heads_tokens_dim",
                 .holds = "",
                 .head = static_cast<int>(draw.whole(0, 40)),
                 .mean = {0, static_cast<int>(draw.whole(1, 9))},
                 .batch = draw.whole(0, 9)};
    s.n = draw.whole(1, 1000000000000);
    s.d = static_cast<int>(draw.whole(1, 4096));
    s.nTrain = 1 + draw.real() * 1e6;
    s.temperature = draw.real() * 10 + 1e-3;
    s.seed = static_cast<std::uint64_t>(draw.real() * 1e18) * 17;
    s.attention = {draw.from(kernels()), draw.from(positions()), draw.from(masks()), draw.from(normalisers()),
                   draw.real() * 50};
    s.methods.clear();
    for (std::int64_t k = draw.whole(0, 6); k > 0; --k)
        s.methods.push_back(draw.from(scaleMethods()));
    s.engine = "reference";
    s.view.row = draw.whole(-1, 1000);
    s.view.region = {draw.whole(0, 10), draw.whole(10, 100), draw.whole(0, 10), draw.whole(10, 100)};
    s.view.pixels = static_cast<int>(draw.whole(1, 2048));
    s.view.preview = draw.real() < 0.5;
    s.view.pool = draw.real() < 0.5 ? Pool::Max : Pool::Mean;
    s.view.measure = draw.from(measures());
    s.view.curveFirst = draw.whole(1, 100);
    s.view.curveLast = draw.whole(100, 1000000);
    s.view.curvePoints = static_cast<int>(draw.whole(1, 100));
    s.view.curveRows = static_cast<int>(draw.whole(1, 1000));
    return s;
}

}  // namespace

class TestScenarioJson : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenReadsBack()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const Scenario scenario = drawn(seed);
            const std::string text = toJson(scenario).dump();
            const auto parsed = parseJson(text, "scenario");
            QVERIFY(parsed.has_value());
            const auto back = scenarioFromJson(*parsed);
            QVERIFY2(back.has_value(), back ? "" : (back.error().message + "\n" + text).c_str());
            QVERIFY2(*back == scenario, text.c_str());
        }
    }

    void aLineHoldsWhatDiffersAndReadsBack()
    {
        Scenario changed;
        QCOMPARE(scenarioLine(changed), std::string(R"({"version":2})"));
        changed.n = 2048;
        changed.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
        changed.view.pool = Pool::Max;
        QCOMPARE(scenarioLine(changed),
                 std::string(R"({"methods":["vanilla","infoscale"],"n":2048,"version":2,"view":{"pool":"max"}})"));
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const std::string line = scenarioLine(drawn(seed));
            QVERIFY(line.find('\n') == std::string::npos);
            const auto again = scenarioFromLine(line);
            QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
            QVERIFY(*again == drawn(seed));
        }
        QVERIFY(scenarioFromLine("n = 2048").error().kind == ErrorKind::InvalidHeader);
        QVERIFY(scenarioFromLine(R"({"lenght":1})").error().message.find("lenght") != std::string::npos);
    }

    void absentFieldsAreTheDefaults()
    {
        QCOMPARE(*scenarioFromJson(json::object()), Scenario{});
        const auto some = scenarioFromJson({{"n", 99}, {"methods", {"softmax_plus:B=64"}}});
        QVERIFY(some.has_value());
        QCOMPARE(some->n, std::int64_t(99));
        QCOMPARE(some->methods, (std::vector<Choice>{{"softmax_plus", {{"B", 64}}, {}}}));
        QCOMPARE(some->d, Scenario{}.d);
    }

    /// A Softmax Plus without a number had B = 512, and YaRN's N was 512, whatever the setting's.
    void version1HadNumbersOfItsOwn()
    {
        const json old = {{"version", 1},
                          {"n_train", 64},
                          {"methods", {"softmax_plus", "softmax_plus:B=64"}},
                          {"attention", {{"position", "yarn_rope"}}}};
        const auto read = scenarioFromJson(old);
        QVERIFY(read.has_value());
        QCOMPARE(read->methods,
                 (std::vector<Choice>{{"softmax_plus", {{"B", 512}}, {}}, {"softmax_plus", {{"B", 64}}, {}}}));
        QCOMPARE(read->attention.position, (Choice{"yarn_rope", {{"N", 512}}, {}}));
        json now = old;
        now["version"] = 2;
        QCOMPARE(scenarioFromJson(now)->methods.front(), (Choice{"softmax_plus", {}, {}}));
        QCOMPARE(scenarioFromJson(now)->attention.position, (Choice{"yarn_rope", {}, {}}));
    }

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        QTest::addRow("no object") << "[]"
                                   << "scenario must be an object";
        QTest::addRow("unknown field") << R"({"nn": 3})"
                                       << "unknown field scenario.nn; there are: version, source, n,";
        QTest::addRow("unknown inner field") << R"({"view": {"pixel": 3}})"
                                             << "scenario.view.pixel";
        QTest::addRow("text for a number") << R"({"n": "many"})"
                                           << "scenario.n must be a whole number from 1";
        QTest::addRow("fraction") << R"({"n": 1.5})"
                                  << "not 1.5";
        QTest::addRow("zero keys") << R"({"n": 0})"
                                   << "scenario.n";
        QTest::addRow("too large for an integer") << R"({"d": 1e300})"
                                                  << "scenario.d";
        QTest::addRow("negative seed") << R"({"seed": -1})"
                                       << "scenario.seed";
        QTest::addRow("unknown method") << R"({"methods": ["vanilla", "nosuch"]})"
                                        << "scenario.methods[1]: unknown scale method 'nosuch'";
        QTest::addRow("parameter out of range") << R"({"methods": ["softmax_plus:B=-3"]})"
                                                << "B must be";
        QTest::addRow("methods is no list") << R"({"methods": "vanilla"})"
                                            << "scenario.methods must be a list";
        QTest::addRow("unknown mask") << R"({"attention": {"mask": "nosuch"}})"
                                      << "scenario.attention.mask";
        QTest::addRow("pool") << R"({"view": {"pool": "median"}})"
                              << R"(one of "mean", "max")";
        QTest::addRow("region ends early") << R"({"view": {"region": {"row_begin": 5, "row_end": 4}}})"
                                           << "scenario.view.region.row_end must not be less than row_begin";
        QTest::addRow("newer version") << R"({"version": 3})"
                                       << "newer";
        QTest::addRow("not true or false") << R"({"view": {"preview": 1}})"
                                           << "true or false";
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, named);
        const auto parsed = parseJson(text.toStdString(), "scenario");
        QVERIFY(parsed.has_value());
        const auto scenario = scenarioFromJson(*parsed);
        QVERIFY(!scenario.has_value());
        QVERIFY2(QString::fromStdString(scenario.error().message).contains(named), scenario.error().message.c_str());
    }

    void badJsonIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("named");
        QTest::addRow("empty") << QByteArray() << "line 1";
        QTest::addRow("second line") << QByteArray("{\n \"n\": }") << "line 2";
        QTest::addRow("twice") << QByteArray(R"({"n": 1, "n": 2})") << "'n' comes twice";
        QTest::addRow("twice inside") << QByteArray(R"({"a": {"b": 1, "b": 2}})") << "'b' comes twice";
        QTest::addRow("deep") << QByteArray(100000, '[') << "deeper than 32";
        QTest::addRow("bad UTF-8") << QByteArray("{\"\xff\": 1}") << "no valid JSON";
        QTest::addRow("trailing") << QByteArray("{} {}") << "no valid JSON";
    }
    void badJsonIsRefusedWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, named);
        const auto parsed = parseJson(text.toStdString(), "recipe x.json");
        QVERIFY(!parsed.has_value());
        const QString message = QString::fromStdString(parsed.error().message);
        QVERIFY2(message.startsWith("recipe x.json: ") && message.contains(named), qPrintable(message));
    }

    void theSameNameInTwoObjectsIsFine()
    {
        QVERIFY(parseJson(R"({"a": {"n": 1}, "b": {"n": 2}, "n": 3})", "x").has_value());
    }
};

QTEST_APPLESS_MAIN(TestScenarioJson)
#include "test_scenario_json.moc"
