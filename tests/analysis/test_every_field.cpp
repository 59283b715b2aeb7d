// Warm equals cold: whichever field of a scenario changes, an analysis with everything remembered is that of a fresh
// start, and so is the one of the way back. A field that no change here names does not compile.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/analysis/curve_sample.h"
#include "core/tensor/tensor_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace attnscope;

namespace {

/// Everything that an Analysis holds and that is the same at every run: words, and numbers.
class Record {
public:
    explicit Record(bool curves) : m_curves(curves) {}
    std::vector<std::string> words;
    std::vector<double> numbers;

    template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    void add(Number value) { numbers.push_back(static_cast<double>(value)); }
    void add(const std::string& text) { words.push_back(text); }
    template <class Element>
    void add(const std::vector<Element>& all)
    {
        add(all.size());
        for (const auto& one : all)
            add(one);
    }
    template <class Value>
    void add(const std::optional<Value>& value)
    {
        add(value.has_value());
        if (value)
            add(*value);
    }
    void add(const Choice& choice) { add(formatChoice(choice)); }
    void add(const Region& region) { addAll(region.rowBegin, region.rowEnd, region.columnBegin, region.columnEnd); }
    void add(const PooledMap& map) { addAll(map.region, map.rows, map.columns, map.pool, map.exact, map.values); }
    void add(const RowMean& mean)
    {
        addAll(mean.count, mean.deviation);
        if (mean.count > 0)
            add(mean.mean);
        if (mean.count > 1)
            addAll(mean.low, mean.high);
    }
    void add(const CurvePoint& point)
    {
        addAll(point.n, point.value, point.sampling);
        if (std::isfinite(point.low))
            addAll(point.low, point.high);
    }
    void add(const RankedWeight& weight) { addAll(weight.rank, weight.weight); }
    void add(const RowDetail& row) { addAll(row.keys, row.logits, row.weights); }
    void add(const RowDistance& distance) { addAll(distance.kl, distance.variation); }
    void add(const MatrixStatistics& matrix) { addAll(matrix.meanRowEntropy, matrix.mutualInformation); }
    void add(const ExpectedAtLength& expected)
    {
        addAll(expected.multiplier, expected.entropy, expected.entropyAtTrained);
    }
    void add(const ApproximationCurve& one)
    {
        addAll(one.id, one.label, one.curve, one.ofSphere, std::vector<char>(one.close.begin(), one.close.end()));
    }
    void add(const RowSummary& row)
    {
        addAll(row.visible, row.mass, row.entropy, row.sumSquares, row.sumRoots, row.sumPower, row.support,
               row.logitMax, row.logitMin, row.argmax, row.sinkMass, row.windowMass, row.meanDistance,
               std::vector(row.top.begin(), row.top.end()));
    }
    void add(const HeadAnalysis& head)
    {
        const HeadNumbers& numbers = head.numbers;
        addAll(head.head, head.map, numbers.entropy, numbers.share, numbers.keepsEntropy, numbers.notKept, numbers.ran,
               numbers.slope, numbers.absent, numbers.maxWeight,
               std::vector<double>(numbers.roles.values.begin(), numbers.roles.values.end()), numbers.meanDistance,
               numbers.curve);
    }
    void add(const MethodAnalysis& method)
    {
        addAll(method.method, method.label, method.worked, method.counts, method.absent, method.partly, method.scale,
               method.rows, method.map, method.chosen, method.ranked, method.chosenSummary, method.fromFirst,
               method.entropy, method.measure, method.largestWeight, method.top4Mass, method.exact, method.exactNeedle,
               method.expected, method.matrix, method.entropyAtTrained, method.keepsEntropy);
        if (m_curves)
            addAll(method.measured, method.largest, method.top4, method.top16, method.needle);
    }
    void add(const Analysis& analysis)
    {
        addAll(analysis.queryCount, analysis.keyCount, analysis.headCount, analysis.needleKey, analysis.sampledRows,
               analysis.tokens, analysis.theory, analysis.theoryComes, analysis.methods, analysis.heads,
               analysis.approximations, analysis.exactSphere, analysis.theoryKeepsEntropy, analysis.notes,
               analysis.engine, analysis.ran);
    }

private:
    template <class... Values>
    void addAll(const Values&... values)
    {
        (add(values), ...);
    }
    bool m_curves;  ///< of a fresh preview there are none yet
};

/// Empty: the two are the same.
std::string difference(const Result<Analysis>& warm, const Result<Analysis>& cold)
{
    if (!warm || !cold)
        return (warm ? "" : warm.error().message) == (cold ? "" : cold.error().message) ? "" : "another error";
    if (warm->scenario != cold->scenario)
        return "another scenario";
    Record one(!cold->curvesCome), other(!cold->curvesCome);
    one.add(*warm);
    other.add(*cold);
    if (one.words != other.words || one.numbers.size() != other.numbers.size())
        return "other words";
    // methods that are computed in one call share sums, so the last digits depend on what was remembered; a root of
    // such entropies has fewer digits
    constexpr double tolerance = 1e-4;
    for (size_t i = 0; i < one.numbers.size(); ++i) {
        const double a = one.numbers[i], b = other.numbers[i];
        const bool same =
            a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
        if (!same)
            return "other numbers: " + formatNumber(a) + " and not " + formatNumber(b);
    }
    return "";
}

struct Change {
    const char* field;
    std::function<void(Scenario&)> make;
};

/// One or more of every field, in the order of the structs: a field more or fewer does not bind.
std::vector<Change> changes(const std::string& otherFile)
{
    [[maybe_unused]] Scenario all;
    [[maybe_unused]] auto& [source, tensors, n, dimension, nTrain, temperature, seed, attention, methods, engine,
                            view] = all;
    [[maybe_unused]] auto& [path, query, key, layout, holds, head, mean, batch, headCount] = tensors;
    [[maybe_unused]] auto& [kernel, position, mask, normaliser, softCap] = attention;
    [[maybe_unused]] auto& [row, region, pixels, preview, pool, rows, table, measure, curveFirst, curveLast,
                            curvePoints, curveRows] = view;
    [[maybe_unused]] auto& [rowBegin, rowEnd, columnBegin, columnEnd] = region;
    return {
        {"source",
         [](Scenario& s) {
             s.source = {"needle", {{"gap", 5}}, {}};
         }},
        {"source's parameter",
         [](Scenario& s) {
             if (s.ofTheory())
                 s.source.values["sphere"] = 1;
         }},
        {"path", [otherFile](Scenario& s) { s.tensors.path = otherFile; }},
        {"query", [](Scenario& s) { s.tensors.query = "layer1.q"; }},
        {"key", [](Scenario& s) { s.tensors.key = "layer1.k"; }},
        {"layout", [](Scenario& s) { s.tensors.layout = "batch_tokens_heads_dim"; }},
        {"head_count", [](Scenario& s) { s.tensors.headCount = 4; }},
        {"holds",
         [](Scenario& s) {
             s.tensors.query = "scores", s.tensors.key.clear(),
             s.tensors.holds = s.tensors.holds == "logits" ? "weights" : "logits";
         }},
        {"head", [](Scenario& s) { s.tensors.head = 1; }},
        {"mean",
         [](Scenario& s) {
             s.tensors.mean = {0, 2};
         }},
        {"mean, largest",
         [](Scenario& s) {
             s.tensors.mean = {0, 1}, s.view.pool = Pool::Max;
         }},
        {"batch", [](Scenario& s) { s.tensors.batch = 1; }},
        {"n", [](Scenario& s) { s.n = 30; }},
        {"n, longer", [](Scenario& s) { s.n = 50; }},
        {"d", [](Scenario& s) { s.d = 10; }},
        {"nTrain", [](Scenario& s) { s.nTrain = 12; }},
        {"temperature", [](Scenario& s) { s.temperature = 0.7; }},
        {"seed", [](Scenario& s) { s.seed = 2; }},
        {"kernel",
         [](Scenario& s) {
             s.attention.kernel = {"cosine", {}, {}};
         }},
        {"position",
         [](Scenario& s) {
             s.attention.position = {"rope", {}, {}};
         }},
        {"position that counts N",
         [](Scenario& s) {
             s.attention.position = {"yarn_rope", {}, {}};
         }},
        {"mask",
         [](Scenario& s) {
             s.attention.mask = {"full", {}, {}};
         }},
        {"mask's parameter",
         [](Scenario& s) {
             s.attention.mask = {"window", {{"w", 9}}, {}};
         }},
        {"normaliser",
         [](Scenario& s) {
             s.attention.normaliser = {"sparsemax", {}, {}};
         }},
        {"softCap", [](Scenario& s) { s.attention.softCap = 2; }},
        {"methods",
         [](Scenario& s) {
             s.methods = {{"softmax_plus", {}, {}}, {"vanilla", {}, {}}};
         }},
        {"methods, measured",
         [](Scenario& s) {
             s.methods.push_back({"entropy_measured", {}, {}});
         }},
        {"methods, one", [](Scenario& s) { s.methods.resize(1); }},
        {"engine", [](Scenario& s) { s.engine = "reference"; }},
        {"row", [](Scenario& s) { s.view.row = 7; }},
        {"rowBegin",
         [](Scenario& s) {
             s.view.region = {8, 40, 0, 40};
         }},
        {"rowEnd",
         [](Scenario& s) {
             s.view.region = {0, 20, 0, 40};
         }},
        {"columnBegin",
         [](Scenario& s) {
             s.view.region = {0, 40, 8, 40};
         }},
        {"columnEnd",
         [](Scenario& s) {
             s.view.region = {0, 40, 0, 20};
         }},
        {"pixels", [](Scenario& s) { s.view.pixels = 5; }},
        {"preview", [](Scenario& s) { s.view.preview = !s.view.preview; }},
        {"pool", [](Scenario& s) { s.view.pool = Pool::Max; }},
        {"rows that see about n keys", [](Scenario& s) { s.view.rows = RowSet::Kind::SeeingAboutN; }},
        {"table", [](Scenario& s) { s.view.table = false; }},
        {"measure",
         [](Scenario& s) {
             s.view.measure = {"max_weight", {}, {}};
         }},
        {"measure that asks the engine",
         [](Scenario& s) {
             s.view.measure = {"renyi", {{"alpha", 0.5}}, {}};
         }},
        {"curveFirst", [](Scenario& s) { s.view.curveFirst = 5; }},
        {"curveLast", [](Scenario& s) { s.view.curveLast = 33; }},
        {"curvePoints", [](Scenario& s) { s.view.curvePoints = 6; }},
        {"curvePoints, none", [](Scenario& s) { s.view.curvePoints = 0; }},
        {"curveRows", [](Scenario& s) { s.view.curveRows = 3; }},
    };
}

std::vector<float> numbers(std::int64_t count, double salt)
{
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(2 * std::sin(salt + 1.7 * static_cast<double>(i * i % 97)));
    return values;
}

}  // namespace

class TestEveryField : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const double salt : {1.0, 2.0}) {
            const std::string path = fileOf(salt == 1 ? "heads.safetensors" : "others.safetensors");
            std::vector<std::vector<float>> values;
            for (int tensor = 0; tensor < 4; ++tensor)
                values.push_back(numbers(2 * 3 * 40 * 8, salt + tensor));
            values.push_back(numbers(3 * 40 * 40, salt));
            for (float& score : values.back())
                score = std::abs(score);  // logits, and weights too
            std::vector<TensorView> all{tensorView("scores", {3, 40, 40}, values[4])};
            const char* const names[] = {"layer0.q", "layer0.k", "layer1.q", "layer1.k"};
            for (size_t tensor = 0; tensor < 4; ++tensor)
                all.push_back(tensorView(names[tensor], {2, 3, 40, 8}, values[tensor]));
            QVERIFY(writeSafetensors(path, all));
        }
    }

    void warmEqualsCold_data()
    {
        QTest::addColumn<QString>("base");
        for (const char* const base : {"local", "gaussian", "heads", "logits", "theory", "preview", "long"})
            QTest::addRow("%s", base) << QString::fromLatin1(base);
    }

    void warmEqualsCold()
    {
        QFETCH(QString, base);
        const Scenario before = baseOf(base);
        const auto cold = analyse(before, {});
        QVERIFY2(cold.has_value(), cold ? "" : cold.error().message.c_str());
        AnalysisCache cache;
        QCOMPARE(difference(analyse(before, {}, cache), cold), std::string());
        for (const Change& change : changes(fileOf("others.safetensors"))) {
            Scenario after = before;
            change.make(after);
            const std::string there = difference(analyse(after, {}, cache), analyse(after, {})),
                              back = difference(analyse(before, {}, cache), cold);
            QVERIFY2(there.empty(), (std::string(change.field) + ": " + there).c_str());
            QVERIFY2(back.empty(), (std::string(change.field) + ", and back: " + back).c_str());
        }
    }

    /// The comparison tells: for each field there is a base for which its change changes the answer.
    void everyChangeMatters()
    {
        for (const Change& change : changes(fileOf("others.safetensors"))) {
            bool matters = false;
            for (const char* const base : {"local", "heads", "preview", "theory", "long"}) {
                if (matters)
                    break;
                Scenario after = baseOf(QString::fromLatin1(base));
                const auto before = analyse(after, {});
                change.make(after);
                auto changed = analyse(after, {});
                if (before && changed)
                    changed->scenario = before->scenario;
                matters = !difference(changed, before).empty();
            }
            QVERIFY2(matters, change.field);
        }
    }

private:
    std::string fileOf(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    Scenario baseOf(const QString& name) const
    {
        Scenario scenario = small(name == "gaussian" || name == "theory" ? name.toUtf8().constData() : "local");
        scenario.n = 40;
        scenario.d = 8;
        scenario.nTrain = 20;
        scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
        scenario.view.curveFirst = 6;
        scenario.view.curveLast = name == "long" ? curveCountsAllRowsUpTo + 1 : 40;
        scenario.view.curvePoints = 4;
        scenario.view.curveRows = 5;
        scenario.view.pixels = 10;
        scenario.view.preview = name == "preview";
        if (name == "gaussian")
            scenario.attention.normaliser.id = "sigmoid";  // theory takes its time: it is here under "theory"
        if (name == "heads" || name == "logits") {
            scenario.source.id = sourceOfFiles;
            scenario.attention.mask = {"window", {{"w", 30}}, {}};
            const bool logits = name == "logits";
            scenario.tensors = {.path = fileOf("heads.safetensors"),
                                .query = logits ? "scores" : "layer0.q",
                                .key = logits ? "" : "layer0.k",
                                .layout = {},
                                .holds = logits ? "logits" : ""};
        }
        return scenario;
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestEveryField)
#include "test_every_field.moc"
