// The engines against rows small enough to write down, and what they promise beside numbers: previews that are close,
// stopping, the same result on any number of threads, errors as values.
//
// Tolerances of rows that are written down: with u = 2^-24, a product of d terms errs by d u |q||k|, a weight by that
// much and the exponential's 1e-7, a sum of k weights by k u at most. Ten or two keys with logits about 1 stay below
// 1e-6; means and distances, which add up to 130 such terms or multiply them by places, below 1e-5.

#include "engine_cases.h"

#include "core/attention/row_detail.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace attnscope;
using namespace attnscope::test;

class TestEngines : public QObject {
    Q_OBJECT
private slots:
    void uniformRow();
    void twoKeys();
    void weightsStayWithinTheirBounds_data();
    void weightsStayWithinTheirBounds();
    void aKeyAloneHasAllWeight();
    void tinyLogitsKeepTheirDigits();
    void extremeScales();
    void previewIsClose();
    void meanRowIsMeanOfRows();
    void rowsWithoutScale_data();
    void rowsWithoutScale();
    void detailMatchesSummary();
    void stops();
    void sameOnOneThread();
    void fromTwoThreads();
    void badRequests();
    void choosing();
    void automaticIsTheFaster();
    void whatRunsIsSaid();
};

void TestEngines::uniformRow()
{
    // Scale 0: every visible key weighs the same. Causal row i has i + 1 keys.
    Case c{.m = 10, .n = 10, .d = 8, .scales = {0}};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto rows = engine.summarise(head, makeRequest(c), {});
        QVERIFY(rows.has_value());
        for (size_t i = 0; i < 10; ++i) {
            const RowSummary& row = (*rows)[0][i];
            const double keys = static_cast<double>(i + 1);
            QCOMPARE(row.visible, static_cast<std::int64_t>(i + 1));
            QVERIFY(std::abs(row.entropy - std::log(keys)) < 1e-6);
            QVERIFY(std::abs(row.sumSquares - 1 / keys) < 1e-6);
            QVERIFY(std::abs(row.sumRoots - std::sqrt(keys)) < 1e-5);
            QVERIFY(std::abs(row.meanDistance - static_cast<double>(i) / 2) < 1e-5);
            QVERIFY(std::abs(row.sinkMass - std::min(4.0, keys) / keys) < 1e-6);
            QCOMPARE(row.argmax, std::int64_t{0});
            QCOMPARE(row.logitMax, 0.0);
        }
    }
}

void TestEngines::twoKeys()
{
    // Logits 0 and ln 3: p = 1/4, 3/4.
    HeadSet heads;
    heads.kind = HeadSet::Kind::Logits;
    heads.queries.push_back(Matrix{{0.0f, std::log(3.0f)}});
    AttentionSpec spec;
    spec.mask = {"full", {}, {}};
    const AttentionHead head = *prepareHead(heads, 0, spec);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const RowSummary row =
            (*engine.summarise(head, {.passes = {{2, 0, 1, {1.0f}}}, .extras = {.order = 3}}, {}))[0][0];
        QVERIFY(std::abs(row.entropy - (std::log(4.0) - 0.75 * std::log(3.0))) < 1e-6);
        QVERIFY(std::abs(row.sumSquares - 0.625) < 1e-6);
        QVERIFY(std::abs(row.sumRoots - (0.5 + std::sqrt(0.75))) < 1e-6);
        QVERIFY(std::abs(row.sumPower - 28.0 / 64) < 1e-6);
        QVERIFY(std::abs(row.state.shiftFromZero() - std::log(4.0)) < 1e-6);
        QVERIFY(std::abs(row.top[0] - 0.75f) < 1e-6f && std::abs(row.top[1] - 0.25f) < 1e-6f && row.top[2] == 0);
        QCOMPARE(row.argmax, std::int64_t{1});
        QVERIFY(std::abs(row.meanDistance - 0.25) < 1e-6);  // the query stands at key 1
    }
}

void TestEngines::weightsStayWithinTheirBounds_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<double>("size");
    for (const char* normaliser : {"softmax", "adaptive", "adaptive:c4=1000", "softmax1", "sparsemax"})
        for (const double size : {0.0, 1e-4, 3.0, 60.0})
            QTest::addRow("%s, logits of size %g", normaliser, size) << normaliser << size;
}

/// p at most 1, 0 <= H <= ln n and what follows from them, to the last bit; and as the reference has it, where a factor
/// of a thousand comes after float32 too.
void TestEngines::weightsStayWithinTheirBounds()
{
    QFETCH(QString, normaliser);
    QFETCH(double, size);
    Case c{.m = 150, .n = 150, .d = 16, .size = size, .order = 3};
    c.attention.normaliser = *parseChoice(std::string_view(normaliser.toStdString()), normalisers(), "normaliser");
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const auto should = engines().front().summarise(head, makeRequest(c), {});
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto rows = *engine.summarise(head, makeRequest(c), {});
        std::vector<NormaliserState> states;
        for (size_t i = 0; i < rows[0].size(); ++i) {
            const RowSummary& row = rows[0][i];
            const double n = static_cast<double>(row.visible);
            QVERIFY2(row.entropy >= 0 && row.entropy <= std::log(n), engine.id.c_str());
            QVERIFY(row.top[0] <= 1 && row.sumSquares <= 1 && row.sumSquares >= 1 / n && row.sumPower <= 1 &&
                    row.sinkMass <= 1);
            QVERIFY(row.sumRoots >= 1 && row.sumRoots <= std::sqrt(n));
            const QString message =
                strays(row, (*should)[0][i], std::max(engine.tolerance, 1e-12), isSoftmaxLike(c.attention.normaliser));
            QVERIFY2(message.isEmpty(), qPrintable(QString::fromStdString(engine.id) + ": " + message));
            states.push_back(row.state);
        }
        const std::vector<double> scale(150, 1.0f);
        for (const Pool pool : {Pool::Mean, Pool::Max}) {
            const PooledMap map = *engine.pool(
                head, {c.attention.normaliser, scale, states, {0, 150, 0, 150}, 150, 150, pool, false, true, {}}, {});
            QVERIFY2(std::ranges::all_of(map.values, [](float w) { return w >= 0 && w <= 1; }), engine.id.c_str());
        }
    }
}

/// The first row of a causal matrix: p is 1 and not nearly 1, whatever the logit.
void TestEngines::aKeyAloneHasAllWeight()
{
    for (const double size : {1.0, 30.0, 150.0}) {
        const Case c{.m = 70, .n = 70, .d = 16, .size = size};
        const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
        for (const Engine& engine : engines()) {
            if (!engine.unavailable().empty())
                continue;
            const auto rows = *engine.summarise(head, makeRequest(c), {});
            const RowSummary& alone = rows[0][0];
            QCOMPARE(alone.visible, std::int64_t{1});
            QVERIFY2(alone.top[0] == 1 && alone.entropy == 0 && alone.sumSquares == 1 && alone.sumRoots == 1 &&
                         alone.sinkMass == 1 && alone.meanDistance == 0,
                     engine.id.c_str());
            std::vector<NormaliserState> states;
            for (const RowSummary& row : rows[0])
                states.push_back(row.state);
            const std::vector<double> scale(70, 1.0f);
            const PooledMap map = *engine.pool(
                head, {c.attention.normaliser, scale, states, {0, 1, 0, 70}, 1, 70, Pool::Mean, false, true, {}}, {});
            QCOMPARE(map.at(0, 0), 1.0f);
        }
    }
}

/// Squared rectifiers tell logits of any size apart: products that float32 can hardly hold are made again in double
/// precision.
void TestEngines::tinyLogitsKeepTheirDigits()
{
    for (const char* normaliser : {"relu2", "softpick:eps=0"}) {
        Case c{.m = 40, .n = 60, .d = 16};
        c.attention.normaliser = *parseChoice(std::string_view(normaliser), normalisers(), "normaliser");
        HeadSet heads = makeHeads(c);
        heads.queries[0] *= 1e-22f;
        heads.keys[0] *= 1e-22f;
        const AttentionHead head = *prepareHead(heads, 0, c.attention);
        const auto should = *engines().front().summarise(head, makeRequest(c), {});
        for (const Engine* engine : fastEngines()) {
            const auto is = *engine->summarise(head, makeRequest(c), {});
            for (size_t i = 0; i < 40; ++i)
                QVERIFY2(std::abs(is[0][i].top[0] - should[0][i].top[0]) <= 1e-6f,
                         qPrintable(QStringLiteral("%1: %2, should be %3")
                                        .arg(QString::fromStdString(engine->id))
                                        .arg(is[0][i].top[0])
                                        .arg(should[0][i].top[0])));
        }
    }
}

/// Temperatures near both ends of what float32 holds: rows are one-hot, or uniform over what they see and nothing else.
void TestEngines::extremeScales()
{
    const Case c{.m = 70, .n = 70, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    QCOMPARE(scaleOf(1, 1e-39), 1e39);
    QCOMPARE(scaleOf(-1, 1e-300), -1e100);
    QCOMPARE(scaleOf(1, 0), 1e100);
    QVERIFY(!hasScale(scaleOf(std::nan(""), 1)));
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        for (const double temperature : {1e-300, 1e-39, 1e-30, 1e26, 1e30, 1e37, 1e300}) {
            const std::vector<double> scale(70, scaleOf(1, temperature));
            const auto rows = *engine.summarise(head, {.passes = {{70, 0, 70, scale}}}, {});
            std::vector<NormaliserState> states;
            for (size_t i = 0; i < 70; ++i) {
                const double expected = temperature < 1 ? 0 : std::log(static_cast<double>(i + 1));
                QVERIFY2(std::abs(rows[0][i].entropy - expected) < 1e-5,
                         qPrintable(QStringLiteral("%1 at %2: %3, should be %4")
                                        .arg(QString::fromStdString(engine.id))
                                        .arg(temperature)
                                        .arg(rows[0][i].entropy)
                                        .arg(expected)));
                states.push_back(rows[0][i].state);
            }
            const PooledMap map = *engine.pool(
                head, {c.attention.normaliser, scale, states, {0, 70, 0, 70}, 70, 70, Pool::Mean, false, true, {}}, {});
            for (int i = 0; i < 70; ++i)
                for (int k = 0; k < 70; ++k) {
                    const double is = static_cast<double>(map.at(i, k));
                    QVERIFY(k > i             ? is == 0
                            : temperature < 1 ? is == 0 || is == 1
                                              : std::abs(is - 1.0 / (i + 1)) < 1e-5);
                }
        }
    }
}

void TestEngines::previewIsClose()
{
    // The preview shows the middle row and key of each pixel: exactly, while rows are short enough to be solved.
    const Case c{.m = 200, .n = 200, .d = 16, .size = 2};
    for (const char* id : {"softmax", "adaptive", "sparsemax", "sink"}) {
        AttentionSpec spec;
        spec.normaliser.id = id;
        const AttentionHead head = *prepareHead(makeHeads(c), 0, spec);
        const std::vector<double> scale(200, 1.0f);
        const PoolRequest request{spec.normaliser, scale, {}, {0, 200, 0, 200}, 40, 50, Pool::Mean, true, true, {}};
        for (const Engine& engine : engines()) {
            if (!engine.unavailable().empty())
                continue;
            const auto map = engine.pool(head, request, {});
            QVERIFY(map.has_value());
            QVERIFY(!map->exact);
            for (int r = 0; r < 40; ++r) {
                const RowDetail row = *rowDetail(head, spec.normaliser, 5 * r + 2, 200, 1.0);
                for (int k = 0; k < 50; ++k) {
                    const size_t key = static_cast<size_t>(4 * k + 1);  // the middle of 4 is the second
                    const double should = key < row.weights.size() ? row.weights[key] : 0;
                    QVERIFY(std::abs(static_cast<double>(map->at(r, k)) - should) <= 1e-4);
                }
            }
        }
    }
}

void TestEngines::meanRowIsMeanOfRows()
{
    const Case c{.m = 50, .n = 130, .d = 16};
    for (const char* id : {"softmax", "sink", "sparsemax"}) {
        AttentionSpec spec;
        spec.normaliser.id = id;
        const AttentionHead head = *prepareHead(makeHeads(c), 0, spec);
        SummaryRequest request = makeRequest(c);
        request.normaliser = spec.normaliser;
        const auto rows = engines().front().summarise(head, request, {});
        const auto mean = meanRow(head, spec.normaliser, request.passes[0].scale, (*rows)[0], {});
        QVERIFY(mean.has_value());
        std::vector<double> should(130, 0.0);
        for (std::int64_t i = 0; i < 50; ++i) {
            const RowDetail row = *rowDetail(head, spec.normaliser, i, 130, 1.0);
            double mass = 0;
            for (const double w : row.weights)
                mass += w;
            for (size_t j = 0; j < row.keys.size(); ++j)
                should[static_cast<size_t>(row.keys[j])] += row.weights[j] / mass / 50;
        }
        for (size_t j = 0; j < 130; ++j)
            QVERIFY2(std::abs((*mean)[j] - should[j]) <= 1e-5,
                     qPrintable(QStringLiteral("%1: %2, should be %3").arg(j).arg((*mean)[j]).arg(should[j])));
    }
}

void TestEngines::rowsWithoutScale_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<double>("softCap");
    for (const Normaliser& row : normalisers())
        QTest::addRow("%s", row.id.c_str()) << QString::fromStdString(row.id) << 0.0;
    QTest::addRow("softmax, soft-cap") << "softmax" << 20.0;
}

/// A row without a scale is a fully masked one: nothing is said of it, it has no weights, and the other rows are what
/// they were.
void TestEngines::rowsWithoutScale()
{
    QFETCH(QString, normaliser);
    QFETCH(double, softCap);
    const Case c{.m = 70, .n = 90, .d = 16, .size = 2};
    AttentionSpec spec;
    spec.normaliser.id = normaliser.toStdString();
    spec.softCap = softCap;
    const AttentionHead head = *prepareHead(makeHeads(c), 0, spec);
    std::vector<double> whole(70), some(70);
    for (size_t i = 0; i < 70; ++i) {
        whole[i] = 0.5f + 0.01f * static_cast<float>(i);
        some[i] = i < 3 || i == 65 ? noScale : whole[i];
    }
    const auto statesOf = [](const std::vector<RowSummary>& rows) {
        std::vector<NormaliserState> states;
        for (const RowSummary& row : rows)
            states.push_back(row.state);
        return states;
    };
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto rows = engine.summarise(
            head, {.normaliser = spec.normaliser, .passes = {{90, 0, 70, some}, {90, 0, 70, whole}}}, {});
        QVERIFY(rows.has_value());
        const std::vector<NormaliserState> states = statesOf((*rows)[0]), wholeStates = statesOf((*rows)[1]);
        const auto mapOf = [&](const std::vector<double>& scale, const std::vector<NormaliserState>& of, bool preview) {
            return *engine.pool(
                head, {spec.normaliser, scale, of, {0, 70, 0, 90}, 70, 90, Pool::Mean, preview, true, {}}, {});
        };
        const PooledMap map = mapOf(some, states, false), wholeMap = mapOf(whole, wholeStates, false),
                        preview = mapOf(some, {}, true);
        for (int i = 0; i < 70; ++i) {
            const bool has = hasScale(some[static_cast<size_t>(i)]);
            const RowSummary &row = (*rows)[0][static_cast<size_t>(i)], &other = (*rows)[1][static_cast<size_t>(i)];
            QVERIFY(has || (row.visible == 0 && row.mass == 0 && row.argmax == -1));
            if (has)
                QVERIFY2(strays(row, other, 1e-6, true).isEmpty(), qPrintable(strays(row, other, 1e-6, true)));
            for (int k = 0; k < 90; ++k) {
                QVERIFY(map.at(i, k) == (has ? wholeMap.at(i, k) : 0));
                QVERIFY(has || preview.at(i, k) == 0);
            }
        }
    }
    QVERIFY(rowDetail(head, spec.normaliser, 1, 90, static_cast<double>(noScale))->keys.empty());

    const auto rows =
        engines().front().summarise(head, {.normaliser = spec.normaliser, .passes = {{90, 0, 70, some}}}, {});
    const auto mean = meanRow(head, spec.normaliser, some, (*rows)[0], {});
    QVERIFY(mean.has_value());
    double counted = 0, total = 0;
    for (const RowSummary& row : (*rows)[0])
        counted += row.mass > 0 ? 1 : 0;
    for (const double p : *mean)
        total += p;
    QVERIFY(counted > 0 && counted <= 66 && std::abs(total - 1) < 1e-5);  // of the rows that have weights alone
}

void TestEngines::detailMatchesSummary()
{
    const Case c{.m = 40, .n = 100, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const auto rows = engines().front().summarise(head, makeRequest(c), {});
    const RowDetail row = *rowDetail(head, c.attention.normaliser, 11, 100, 1.0);
    double mass = 0, entropy = 0;
    for (const double w : row.weights) {
        mass += w;
        entropy -= w * std::log(w);
    }
    QCOMPARE(row.keys.size(), size_t{72});  // query 11 of 40 stands at key 71
    QCOMPARE(row.keys.back(), std::int64_t{71});
    QVERIFY(std::abs(mass - 1) < 1e-12);
    QVERIFY(std::abs(entropy - (*rows)[0][11].entropy) < 1e-12);
    QVERIFY(!rowDetail(head, c.attention.normaliser, 40, 100, 1.0).has_value());
}

void TestEngines::stops()
{
    // Not timed: an engine that has been stopped before it starts does nothing, and one stopped on the way says so.
    const Case c{.m = 200, .n = 200, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const std::vector<double> scale(200, 1.0f);
    const std::vector<NormaliserState> states(200);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        std::stop_source stopped;
        stopped.request_stop();
        const auto rows = engine.summarise(head, makeRequest(c), stopped.get_token());
        QVERIFY(!rows.has_value());
        QCOMPARE(rows.error().kind, ErrorKind::Cancelled);

        std::stop_source onTheWay;
        std::atomic<int> calls = 0;
        const PoolRequest request{{"softmax", {}, {}},
                                  scale,
                                  states,
                                  {0, 200, 0, 200},
                                  200,
                                  10,
                                  Pool::Mean,
                                  false,
                                  true,
                                  [&](double fraction) {
                                      QVERIFY(fraction > 0 && fraction <= 1);
                                      ++calls;
                                      onTheWay.request_stop();
                                  }};
        const auto map = engine.pool(head, request, onTheWay.get_token());
        QVERIFY(!map.has_value());
        QCOMPARE(map.error().kind, ErrorKind::Cancelled);
        QVERIFY(calls >= 1);
    }
}

void TestEngines::sameOnOneThread()
{
    const Case c{.m = 200, .n = 200, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        SummaryRequest request = makeRequest(c);
        const auto many = engine.summarise(head, request, {});
        request.parallel = false;
        const auto one = engine.summarise(head, request, {});
        for (size_t row = 0; row < 200; ++row) {
            QCOMPARE((*many)[0][row].entropy, (*one)[0][row].entropy);
            QCOMPARE((*many)[0][row].meanDistance, (*one)[0][row].meanDistance);
        }
    }
}

void TestEngines::fromTwoThreads()
{
    // Two analyses at once, one of which is stopped on the way, do not disturb each other.
    const Case c{.m = 600, .n = 600, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto alone = *engine.summarise(head, makeRequest(c), {});
        std::stop_source stopped;
        std::jthread other([&] {
            for (int turn = 0; turn < 3; ++turn)
                (void)engine.summarise(head, makeRequest(c), stopped.get_token());
        });
        const auto beside = engine.summarise(head, makeRequest(c), {});
        stopped.request_stop();
        QVERIFY(beside.has_value());
        for (size_t row = 0; row < 600; ++row)
            QCOMPARE((*beside)[0][row].entropy, alone[0][row].entropy);
    }
}

void TestEngines::badRequests()
{
    const Case c{.m = 10, .n = 20, .d = 8};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const std::vector<double> scale(10, 1.0f);
    for (const Engine& engine : engines()) {
        for (const Pass& pass :
             {Pass{21, 0, 10, scale}, Pass{20, 0, 11, scale}, Pass{20, 0, 9, scale}, Pass{-1, 0, 10, scale}})
            QCOMPARE(engine.summarise(head, {.passes = {pass}}, {}).error().kind, ErrorKind::InvalidArgument);
        QCOMPARE(engine.summarise(head, {.normaliser = {"nosuch", {}, {}}, .passes = {}}, {}).error().kind,
                 ErrorKind::UnknownName);
        const PoolRequest noStates{{"softmax", {}, {}}, scale, {}, {0, 10, 0, 20}, 10, 20, Pool::Mean, false, true, {}};
        QCOMPARE(engine.pool(head, noStates, {}).error().kind, ErrorKind::InvalidArgument);
        PoolRequest outside = noStates;
        outside.preview = true;
        outside.region.columnEnd = 21;
        QCOMPARE(engine.pool(head, outside, {}).error().kind, ErrorKind::InvalidArgument);
    }
}

void TestEngines::choosing()
{
    QCOMPARE((*chooseEngine("reference"))->id, std::string("reference"));
    QVERIFY((*chooseEngine("auto"))->id != "reference");
    QCOMPARE((*chooseEngine("auto"))->runsOn == nullptr, qEnvironmentVariable("ATTNSCOPE_ENGINE") != "opengl");
    QCOMPARE(chooseEngine("").error().kind, ErrorKind::UnknownName);
    QCOMPARE(chooseEngine("nosuch").error().kind, ErrorKind::UnknownName);
    for (const Engine& engine : engines()) {
        const auto chosen = chooseEngine(engine.id);
        QCOMPARE(chosen.has_value(), engine.unavailable().empty() || engine.handsOver != nullptr);
        if (!chosen)
            QCOMPARE(chosen.error().kind, ErrorKind::Unavailable);
    }
}

/// The device's engine is automatic if it is hardware and won; software is never even tried.
void TestEngines::automaticIsTheFaster()
{
    Engine processor, software, hardware;
    software.hasDevice = [] { return false; };
    hardware.hasDevice = [] { return true; };
    using Seconds = std::optional<double>;
    int trials = 0;
    const auto chosen = [&](const Engine& device, Seconds ofDevice, Seconds ofProcessor) {
        trials = 0;
        return &automaticEngine(processor, device, [&](const Engine& tried) {
            ++trials;
            return &tried == &device ? ofDevice : ofProcessor;
        });
    };
    QCOMPARE(chosen(hardware, 0.001, 0.002), &hardware);
    QCOMPARE(trials, 2);
    QCOMPARE(chosen(hardware, 0.002, 0.001), &processor);
    QCOMPARE(chosen(hardware, 0.001, 0.001), &processor);
    QCOMPARE(chosen(hardware, std::nullopt, 0.001), &processor);  // the device was lost
    QCOMPARE(trials, 1);
    QCOMPARE(chosen(hardware, 0.001, std::nullopt), &processor);
    QCOMPARE(chosen(software, 0.001, 0.002), &processor);
    QCOMPARE(trials, 0);
    Engine none;
    QCOMPARE(chosen(none, 0.001, 0.002), &processor);
    QCOMPARE(trials, 0);

    // The trial itself, and the row of the table that it is for.
    const Seconds seconds = secondsOfTrial(processorEngine());
    QVERIFY(seconds && *seconds > 0);
    QVERIFY(processorEngine().runsOn == nullptr);
    for (const Engine& engine : engines())
        QCOMPARE(engine.hasDevice != nullptr, engine.runsOn != nullptr);
}

/// Whoever asks for an engine by name is told what computes; whoever does not is not bothered.
void TestEngines::whatRunsIsSaid()
{
    const AttentionHead head = *prepareHead(makeHeads({.m = 10, .n = 20, .d = 8}), 0, {});
    const Choice softmax{"softmax", {}, {}}, sparsemax{"sparsemax", {}, {}};
    const std::string processor = processorEngine().id;
    for (const Engine& engine : engines()) {
        if (!chooseEngine(engine.id))
            continue;
        const WhatRuns runs = whatRuns(engine.id, head, softmax);
        QVERIFY(!runs.note.empty());
        QCOMPARE(runs.engine, runs.handOver.empty() ? engine.id : processor);
        QCOMPARE(runs.handOver.empty(), engine.unavailable().empty());
    }
    QCOMPARE(whatRuns("opengl", head, sparsemax).engine, processor);
    QVERIFY(whatRuns("opengl", head, sparsemax).note.find("OpenGL") != std::string::npos);
    QCOMPARE(whatRuns("opengl", head, softmax, {.window = 3, .windowTop = 2}).engine, processor);
    QCOMPARE(whatRuns("auto", head, softmax).engine, (*chooseEngine("auto"))->id);
    QVERIFY(whatRuns("auto", head, softmax).note.empty() && whatRuns("auto", head, sparsemax).handOver.empty());
}

QTEST_APPLESS_MAIN(TestEngines)
#include "test_engines.moc"
