// Every engine against the reference engine, within the tolerance that its row of the table states.

#include "engine_cases.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"

#include <QTest>

#include <limits>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Sanitisers are some twenty times slower; the shapes below 100 already cross every edge of a tile.
#ifdef ATTNSCOPE_SANITISED
constexpr std::int64_t longest = 300;
#else
constexpr std::int64_t longest = 4097;
#endif

}  // namespace

class TestConformance : public QObject {
    Q_OBJECT
private:
    static void addShapes();
    static void addSpecs();
    static void addLogits();
    static void checkPools(const Case& c, const AttentionHead& head, const std::vector<RowSummary>& rows);
private slots:
    void conforms_data();
    void conforms();
    void irregularLogits();
    void sampledRows();
};

void TestConformance::addShapes()
{
    for (const std::int64_t n : {1, 2, 63, 64, 65, 1000, 4097})
        for (const int d : {1, 8, 64, 127, 128, 256}) {
            if (n > longest)
                continue;
            const std::int64_t m = n > 1000 ? 130 : n;  // the last queries of a long sequence
            QTest::addRow("n %d, d %d", static_cast<int>(n), d) << Case{.m = m, .n = n, .d = d};
        }
    QTest::addRow("more queries than keys") << Case{.m = 150, .n = 70};
    Case many{.m = 9000, .n = 40, .d = 8};  // several blocks of rows a band of pixels
    many.attention.mask.id = "full";
    QTest::addRow("many queries, few keys") << many;
    QTest::addRow("one query") << Case{.m = 1, .n = 257};
    QTest::addRow("grouped heads") << Case{.m = 65, .n = 65, .head = 2, .heads = 4, .keyHeads = 2};
}

void TestConformance::addSpecs()
{
    const std::int64_t n = std::min<std::int64_t>(longest, 600);
    const auto add = [n](const char* mask, const char* position) {
        Case c{.m = n, .n = n, .d = 32};
        c.attention.mask = *parseChoice(mask, masks(), "mask");
        c.attention.position = *parseChoice(position, positions(), "position");
        QTest::addRow("%s, %s", mask, position) << c;
    };
    for (const char* mask :
         {"full", "causal", "window:w=20", "window:w=20,causal=0", "sink_window:w=70,sink=4", "lambda:w=30,sink=5",
          "padding:length=100", "padding:length=0", "padding:length=100,causal=1"})
        for (const char* position : {"none", "rope", "rerope:w=40", "alibi"})
            add(mask, position);
    for (const char* mask : {"full", "causal", "sink_window:w=70,sink=4"})
        for (const char* position : {"t5:causal=0", "kerple_log", "kerple_power", "fire:L=100"})
            add(mask, position);
    for (const Normaliser& normaliser : normalisers())
        for (const char* mask : {"full", "causal"}) {
            Case c{.m = 90, .n = 290, .d = 16, .size = 3};
            c.attention.normaliser.id = normaliser.id;
            c.attention.mask.id = mask;
            QTest::addRow("%s, %s", normaliser.id.c_str(), mask) << c;
        }
    for (const double cap : {5.0, 50.0}) {
        Case c{.m = 100, .n = 300, .size = 8};
        c.attention.softCap = cap;
        QTest::addRow("soft-cap %g", cap) << c;
        c.attention.normaliser.id = "adaptive";
        c.attention.position.id = "alibi";
        QTest::addRow("soft-cap %g, adaptive, alibi", cap) << c;
    }
    Case cosine{.m = 100, .n = 300};
    cosine.attention.kernel = {"cosine", {{"alpha", 20}}, {}};
    QTest::addRow("cosine") << cosine;
}

void TestConformance::addLogits()
{
    for (const double size : {0.0, 1e-3, 30.0, 200.0, 3000.0})
        for (const char* mask : {"full", "causal"}) {
            Case c{.m = 100, .n = 300, .size = size};
            c.attention.mask.id = mask;
            QTest::addRow("logits of size %g, %s", size, mask) << c;
        }
    const std::vector<std::int64_t> nested{0, 1, 2, 3, 64, 100, 257, 300};
    for (const char* mask : {"full", "causal", "window", "padding"}) {
        Case c{.m = 300, .n = 300, .d = 16, .scales = {1, 0.5, -1, 0, 2.5}, .prefixes = nested};
        c.attention.mask.id = mask;
        QTest::addRow("scales and prefixes, %s", mask) << c;
        c.attention.normaliser.id = "adaptive";
        QTest::addRow("scales and prefixes, %s, adaptive", mask) << c;
    }
    for (const double order : {0.0, 0.1, 0.5, 1.0, 1.5, 3.0, 8.0, infinity})
        QTest::addRow("order %g", order) << Case{.m = 100, .n = 300, .size = 4, .order = order};
    for (const char* mask : {"full", "causal", "sink_window:w=70,sink=4"})
        for (const std::int64_t window : {1, 40, 1000}) {
            Case c{
                .m = 100, .n = 400, .d = 16, .size = 2, .scales = {1, 2}, .prefixes = {50, 257, 400}, .window = window};
            c.attention.mask = *parseChoice(mask, masks(), "mask");
            QTest::addRow("largest of a window of %d, %s", static_cast<int>(window), mask) << c;
            c.attention.normaliser.id = "sparsemax";
            c.attention.position.id = "alibi";
            QTest::addRow("largest of a window of %d, %s, sparsemax, alibi", static_cast<int>(window), mask) << c;
        }
    for (const auto kind : {HeadSet::Kind::Logits, HeadSet::Kind::Weights})
        QTest::addRow("finished, kind %d", static_cast<int>(kind)) << Case{.m = 100, .n = 300, .size = 2, .kind = kind};
}

void TestConformance::conforms_data()
{
    QTest::addColumn<Case>("c");
    addShapes();
    addSpecs();
    addLogits();
}

void TestConformance::conforms()
{
    QFETCH(const Case, c);
    const auto head = prepareHead(makeHeads(c), c.head, c.attention);
    QVERIFY2(head.has_value(), head ? "" : head.error().message.c_str());
    const SummaryRequest request = makeRequest(c);
    const auto should = engines().front().summarise(*head, request, {});
    QVERIFY(should.has_value());
    for (const Engine* engine : fastEngines()) {
        const auto is = engine->summarise(*head, request, {});
        QVERIFY2(is.has_value(), is ? "" : is.error().message.c_str());
        QCOMPARE(is->size(), should->size());
        for (size_t pass = 0; pass < is->size(); ++pass) {
            QCOMPARE((*is)[pass].size(), (*should)[pass].size());
            for (size_t row = 0; row < (*is)[pass].size(); ++row) {
                const QString message = strays((*is)[pass][row], (*should)[pass][row], engine->tolerance,
                                               isSoftmaxLike(c.attention.normaliser));
                if (!message.isEmpty())
                    QFAIL(qPrintable(QStringLiteral("%1, pass %2, row %3: %4")
                                         .arg(QString::fromStdString(engine->id))
                                         .arg(pass)
                                         .arg(row)
                                         .arg(message)));
            }
        }
    }
    if (c.prefixes.empty() && c.n <= 600)
        checkPools(c, *head, should->front());
}

void TestConformance::checkPools(const Case& c, const AttentionHead& head, const std::vector<RowSummary>& rows)
{
    const std::vector<double> scale(static_cast<size_t>(c.m), c.scales.front());
    std::vector<NormaliserState> states;
    for (const RowSummary& row : rows)
        states.push_back(row.state);
    double most = 0;  // of all weights
    for (const RowSummary& row : rows)
        most = std::max(most, row.mass * static_cast<double>(row.top[0]));
    const Region whole{0, c.m, 0, c.n}, part{c.m / 3, c.m, c.n / 4, c.n - c.n / 5};
    for (const Region& region : {whole, part})
        for (const Pool pool : {Pool::Mean, Pool::Max})
            for (const std::int64_t pixels : {7, 700, 10000}) {
                const std::int64_t height = region.rowEnd - region.rowBegin,
                                   width = region.columnEnd - region.columnBegin;
                if (pixels == 700 && height <= pixels)
                    continue;  // as at 10000
                const PoolRequest request{c.attention.normaliser,
                                          scale,
                                          states,
                                          region,
                                          static_cast<int>(std::min(height, pixels)),
                                          static_cast<int>(std::min(width, pixels)),
                                          pool,
                                          false,
                                          true,
                                          {}};
                const auto should = engines().front().pool(head, request, {});
                QVERIFY(should.has_value());
                for (const Engine* engine : fastEngines()) {
                    const auto is = engine->pool(head, request, {});
                    QVERIFY(is.has_value());
                    QVERIFY(is->exact);
                    QCOMPARE(is->values.size(), should->values.size());
                    size_t worst = 0;
                    double deviation = 0;
                    for (size_t i = 0; i < is->values.size(); ++i) {
                        const double a = static_cast<double>(is->values[i]), b = static_cast<double>(should->values[i]);
                        const double relative = a == b ? 0 : std::abs(a - b) / std::max(b, std::min(1.0, most));
                        if (!(relative <= deviation)) {
                            worst = i;
                            deviation = relative;
                        }
                    }
                    QVERIFY2(deviation <= engine->tolerance,
                             qPrintable(QStringLiteral("%1, pixel %2: %3, should be %4")
                                            .arg(QString::fromStdString(engine->id))
                                            .arg(worst)
                                            .arg(static_cast<double>(is->values[worst]))
                                            .arg(static_cast<double>(should->values[worst]))));
                }
            }
}

void TestConformance::irregularLogits()
{
    // -inf and NaN are masked keys; +inf takes all; keys and queries that are not finite are no reason to crash.
    HeadSet heads = makeHeads({.m = 70, .n = 70, .kind = HeadSet::Kind::Logits});
    const float inf = std::numeric_limits<float>::infinity();
    heads.queries[0].row(3).setConstant(-inf);
    heads.queries[0](10, 4) = inf;
    heads.queries[0](20, 5) = std::numeric_limits<float>::quiet_NaN();
    heads.queries[0](30, 6) = -inf;
    HeadSet vectors = makeHeads({.m = 70, .n = 70});
    vectors.queries[0](9, 3) = inf;
    HeadSet badKeys = vectors;
    badKeys.keys[0](9, 3) = std::numeric_limits<float>::quiet_NaN();
    for (const HeadSet& set : {heads, vectors, badKeys}) {
        const AttentionHead head = *prepareHead(set, 0, {});
        const SummaryRequest request{.passes = {{70, 0, 70, std::vector<double>(70, 1.0)}}};
        const auto should = engines().front().summarise(head, request, {});
        for (const Engine* engine : fastEngines()) {
            const auto is = engine->summarise(head, request, {});
            for (size_t row = 0; row < 70; ++row) {
                const QString message = strays((*is)[0][row], (*should)[0][row], engine->tolerance, true);
                if (!message.isEmpty())
                    QFAIL(qPrintable(QStringLiteral("row %1: %2").arg(row).arg(message)));
            }
        }
    }
}

void TestConformance::sampledRows()
{
    const Case c{.m = 300, .n = 300, .d = 16};
    const std::vector<std::int64_t> rows{0, 7, 100, 101, 299};
    for (const char* mask : {"causal", "window"}) {
        AttentionSpec spec;
        spec.mask.id = mask;
        const AttentionHead head = *prepareHead(makeHeads(c), 0, spec), sample = sampleRows(head, rows);
        for (const Engine* engine : fastEngines()) {
            const auto all = engine->summarise(head, makeRequest(c), {});
            const auto some = engine->summarise(sample, {.passes = {{300, 0, 5, std::vector<double>(5, 1.0)}}}, {});
            for (size_t i = 0; i < rows.size(); ++i) {
                const QString message = strays((*some)[0][i], (*all)[0][static_cast<size_t>(rows[i])], 1e-5, true);
                QVERIFY2(message.isEmpty(), qPrintable(message));
            }
        }
    }
}
QTEST_APPLESS_MAIN(TestConformance)
#include "test_conformance.moc"
