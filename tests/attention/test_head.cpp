// A prepared head: the cosine's bound, what permutations do, which rows stand where, finished logits and weights, and
// the notes on combinations that make no sense.

#include "head_fixtures.h"

#include "core/attention/engines.h"

#include <QtTest>

#include <cmath>

using namespace attnscope;
using namespace attnscope::fixtures;

class TestHead : public QObject {
    Q_OBJECT
private slots:
    void cosineIsBounded();
    void permutingKeysPermutesWeights_data();
    void permutingKeysPermutesWeights();
    void queriesAreTheLastPositions();
    void samplesKeepTheirPositions();
    void finishedLogitsAndWeights();
    void aHeadsOwnSink_data();
    void aHeadsOwnSink();
    void firstTokensAreShared();
    void maskedByValueIsNoted();
    void notes_data();
    void notes();
    void headsThatNobodyNeedsAreTaken();
    void refused();
};

void TestHead::cosineIsBounded()
{
    HeadSet heads = randomHeads(30, 40, 5);
    heads.queries[0].row(3).setZero();
    heads.keys[0] *= 1000;
    const AttentionHead head = prepare(heads, specOf("rope", "full", "cosine"));
    for (const std::int64_t i : {0, 3, 29})
        for (const double x : detail(head, i).logits)
            QVERIFY(std::abs(x) <= 128 * (1 + 1e-6) && (i != 3 || x == 0));

    // lengths whose reciprocal is beyond float32 are lengths like others
    HeadSet tiny = heads;
    tiny.queries[0] *= 1e-38f;
    const AttentionHead small = prepare(tiny, specOf("none", "full", "cosine")),
                        usual = prepare(heads, specOf("none", "full", "cosine"));
    for (const std::int64_t i : {0, 3, 29})
        QVERIFY(std::abs(logit(small, i, 9) - logit(usual, i, 9)) <
                1e-2);  // components of 1e-38 are subnormal: 16 bits or so

    // against the definition, with another alpha
    AttentionSpec spec = specOf("none", "full", "cosine");
    spec.kernel.values["alpha"] = 10;
    const auto q = heads.queries[0].row(7).cast<double>(), k = heads.keys[0].row(9).cast<double>();
    QVERIFY(std::abs(logit(prepare(heads, spec), 7, 9) - 10 * q.dot(k) / q.norm() / k.norm()) < 1e-5);
}

void TestHead::permutingKeysPermutesWeights_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<bool>("equivariant");
    QTest::addRow("none") << "none" << true;
    for (const QString position :
         {"rope", "pi", "ntk", "yarn_rope", "rerope:w=4", "alibi", "t5", "kerple_log", "kerple_power", "fire"})
        QTest::newRow(qPrintable(position)) << position << false;
}

/// Permuting the tokens permutes rows and columns of the weights, if and only if nothing depends on positions.
void TestHead::permutingKeysPermutesWeights()
{
    QFETCH(QString, position);
    QFETCH(bool, equivariant);
    const int n = 24;
    const HeadSet heads = randomHeads(n, n, 8);
    std::vector<int> order(n);
    for (int i = 0; i < n; ++i)
        order[static_cast<size_t>(i)] = i * 7 % n;
    const HeadSet permuted = headsOf(heads.queries[0](order, Eigen::all), heads.keys[0](order, Eigen::all));
    const AttentionHead a = prepare(heads, specOf(position)), b = prepare(permuted, specOf(position));
    double largest = 0;
    for (int i = 0; i < n; ++i) {
        const RowDetail before = detail(a, order[static_cast<size_t>(i)]), after = detail(b, i);
        for (int j = 0; j < n; ++j)
            largest = std::max(largest, std::abs(after.weights[static_cast<size_t>(j)] -
                                                 before.weights[static_cast<size_t>(order[static_cast<size_t>(j)])]));
    }
    QCOMPARE(largest < 1e-12, equivariant);
    QCOMPARE(largest > 1e-3, !equivariant);
}

void TestHead::queriesAreTheLastPositions()
{
    const HeadSet square = randomHeads(12, 12, 6);
    const HeadSet tail = headsOf(square.queries[0].bottomRows(4), square.keys[0]);
    for (const char* position : {"rope", "alibi", "t5", "kerple_log", "fire:L=6"}) {
        const AttentionHead a = prepare(square, specOf(position, "causal")),
                            b = prepare(tail, specOf(position, "causal"));
        for (std::int64_t i = 0; i < 4; ++i) {
            QCOMPARE(b.visible(i, 12), a.visible(i + 8, 12));
            const RowDetail x = detail(a, i + 8), y = detail(b, i);
            for (size_t j = 0; j < x.logits.size(); ++j)
                QVERIFY(std::abs(x.logits[j] - y.logits[j]) < 1e-6);
        }
    }
}

void TestHead::samplesKeepTheirPositions()
{
    const AttentionHead head = prepare(randomHeads(50, 50, 8), specOf("rerope:w=6", "window"));
    const std::vector<std::int64_t> rows{0, 17, 49};
    const AttentionHead sample = sampleRows(head, rows);
    QCOMPARE(static_cast<int>(sample.queryCount()), 3);
    for (std::int64_t i = 0; i < 3; ++i) {
        QCOMPARE(sample.position(i), head.position(rows[static_cast<size_t>(i)]));
        QCOMPARE(detail(sample, i).logits, detail(head, rows[static_cast<size_t>(i)]).logits);
    }
}

void TestHead::finishedLogitsAndWeights()
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Weights;
    heads.queries.push_back(Matrix(2, 3));
    heads.queries[0] << 0.5F, 0.25F, 0.25F, 1, 0, 0;
    const AttentionHead head = prepare(heads, specOf("none"));
    QCOMPARE(static_cast<int>(head.keyCount), 3);
    const RowDetail first = detail(head, 0), second = detail(head, 1);
    QCOMPARE(first.weights.size(), size_t(3));
    for (size_t j = 0; j < 3; ++j)
        QVERIFY(std::abs(first.weights[j] - static_cast<double>(heads.queries[0](0, static_cast<int>(j)))) < 1e-7);
    double mass = 0;  // keys of weight 0 are as good as masked: absent, or there with weight 0
    for (size_t k = 0; k < second.keys.size(); ++k) {
        mass += second.weights[k];
        QVERIFY(second.keys[k] == 0 || second.weights[k] == 0);
    }
    QVERIFY(std::abs(mass - 1) < 1e-7);
    // Rows that do not sum to 1 keep what they sum to.
    HeadSet sinks = heads;
    sinks.queries[0] << 0.25F, 0.125F, 0.125F, 0.0625F, 0, 0;
    AttentionSpec spec = specOf("none");
    spec.normaliser.id = "as_given";
    const AttentionHead given = prepare(sinks, spec);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto rows =
            engine.summarise(given, {.normaliser = spec.normaliser, .passes = {{3, 0, 2, {1.0, 1.0}}}}, {});
        QVERIFY(rows && std::abs((*rows)[0][0].mass - 0.5) < 1e-7 && std::abs((*rows)[0][1].mass - 0.0625) < 1e-7);
        QVERIFY(std::abs((*rows)[0][0].entropy - 1.5 * std::log(2.0)) < 1e-6);  // of 1/2, 1/4, 1/4
    }
    heads.kind = HeadSet::Kind::Logits;
    QVERIFY(std::abs(logit(prepare(heads, specOf("none")), 0, 1) - 0.25) < 1e-12);
}

void TestHead::aHeadsOwnSink_data()
{
    QTest::addColumn<QString>("position");
    for (const char* position : {"none", "rope", "alibi", "t5", "kerple_log", "kerple_power", "fire:L=6"})
        QTest::addRow("%s", position) << position;
}

/// Softmax one takes the sink s of a head that has one, e^x / (e^s + sum e^x), whatever its positions add to the logits
/// x, which stay what they are; a sink of a number is that number's, and softmax has none.
void TestHead::aHeadsOwnSink()
{
    QFETCH(QString, position);
    const HeadSet plain = randomHeads(30, 30, 6);
    HeadSet heads = plain;
    heads.sinks = {2.5};
    const AttentionSpec spec = specOf(position, "causal");
    const std::vector<std::int64_t> kept{3, 29};
    const AttentionHead without = prepare(plain, spec), own = prepare(heads, spec), sample = sampleRows(own, kept),
                        first = firstTokens(own, 20, 20);
    QVERIFY(own.plain() == without.plain());
    const std::pair<Choice, std::optional<double>> asked[] = {{{"softmax1", {}, {}}, 2.5},
                                                              {{"sink", {{"s", 3}}, {}}, 3},
                                                              {{"sink", {{"s", 0}}, {}}, 0},
                                                              {{"softmax", {}, {}}, std::nullopt}};
    const std::vector<double> scale(30, 0.8);
    for (const auto& [normaliser, sink] : asked)
        for (const std::int64_t i : {3, 19, 29}) {
            const RowDetail row = *rowDetail(own, normaliser, i, 30, 0.8);
            const std::vector<double> x = rowDetail(without, {"softmax", {}, {}}, i, 30, 0.8)->logits;
            QCOMPARE(row.logits, x);
            double z = sink ? std::exp(*sink) : 0, mass = 0;
            for (const double logit : x)
                z += std::exp(logit);
            for (std::size_t j = 0; j < x.size(); ++j) {
                QVERIFY(std::abs(row.weights[j] - std::exp(x[j]) / z) < 1e-12);
                mass += std::exp(x[j]) / z;
            }
            for (const Engine& engine : engines()) {
                if (!engine.unavailable().empty())
                    continue;
                const auto massOf = [&, &choice = normaliser](const AttentionHead& head, std::int64_t at) {
                    const std::vector<double> ofRows(scale.begin(), scale.begin() + head.queryCount());
                    const auto rows = engine.summarise(
                        head, {.normaliser = choice, .passes = {{head.keyCount, 0, head.queryCount(), ofRows}}}, {});
                    return (*rows)[0][static_cast<std::size_t>(at)].mass;
                };
                QVERIFY2(std::abs(massOf(own, i) - mass) < 1e-4, engine.id.c_str());
                if (i != 19)
                    QVERIFY2(std::abs(massOf(sample, i == 29) - mass) < 1e-4, engine.id.c_str());
                if (i != 29)
                    QVERIFY2(std::abs(massOf(first, i) - mass) < 1e-4, engine.id.c_str());
            }
        }
    Matrix output(30, 30);
    const Matrix values = Matrix::Identity(30, 30);
    for (const Engine& engine : engines()) {  // outputs of one-hot values are the weights, and so are maps of cells
        if (!engine.unavailable().empty())
            continue;
        const Choice softmax1{"softmax1", {}, {}};
        QVERIFY(engine.attend(own, {.normaliser = softmax1, .scale = scale, .values = values, .output = output}, {}));
        const RowDetail row = *rowDetail(own, softmax1, 29, 30, 0.8);
        for (int j = 0; j < 30; ++j)
            QVERIFY2(std::abs(double(output(29, j)) - row.weights[std::size_t(j)]) < 1e-4, engine.id.c_str());
    }
}

void TestHead::notes_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>(
        "heads");  // "even", "odd", "one", "two", "orderless", "rotated", "logits", "weights", "crossed"
    QTest::addColumn<QStringList>("about");
    QTest::addRow("nothing to say") << "rope"
                                    << "causal"
                                    << "dot"
                                    << "even" << QStringList{};
    QTest::addRow("plain") << "none"
                           << "full"
                           << "dot"
                           << "orderless" << QStringList{};
    QTest::addRow("no order") << "rope"
                              << "causal"
                              << "dot"
                              << "orderless" << QStringList{"without order"};
    QTest::addRow("alibi without order") << "alibi"
                                         << "causal"
                                         << "dot"
                                         << "orderless" << QStringList{"without order"};
    QTest::addRow("odd") << "rope"
                         << "causal"
                         << "dot"
                         << "odd" << QStringList{"odd head size"};
    QTest::addRow("one") << "rope"
                         << "causal"
                         << "dot"
                         << "one" << QStringList{"no pair"};
    QTest::addRow("ntk, two") << "ntk"
                              << "causal"
                              << "dot"
                              << "two" << QStringList{"below head size 4"};
    QTest::addRow("twice") << "rope"
                           << "causal"
                           << "dot"
                           << "rotated" << QStringList{"second time"};
    QTest::addRow("rotated, left alone") << "none"
                                         << "causal"
                                         << "dot"
                                         << "rotated" << QStringList{};
    QTest::addRow("alibi ahead") << "alibi"
                                 << "full"
                                 << "dot"
                                 << "even" << QStringList{"made for causal rows"};
    QTest::addRow("fire ahead") << "fire"
                                << "full"
                                << "dot"
                                << "even" << QStringList{"FIRE was made for causal rows"};
    QTest::addRow("t5 ahead") << "t5"
                              << "full"
                              << "dot"
                              << "even" << QStringList{};
    QTest::addRow("lambda without rotation") << "none"
                                             << "lambda"
                                             << "dot"
                                             << "even" << QStringList{"only hides keys"};
    QTest::addRow("logits") << "rope"
                            << "causal"
                            << "cosine"
                            << "logits" << QStringList{"Cosine (CosScale) has no effect", "RoPE has no effect"};
    QTest::addRow("weights") << "none"
                             << "causal"
                             << "dot"
                             << "weights" << QStringList{"logarithms"};
    QTest::addRow("more queries than keys") << "none"
                                            << "causal"
                                            << "dot"
                                            << "crossed" << QStringList{"more queries than keys"};
    QTest::addRow("more queries than keys, full") << "none"
                                                  << "full"
                                                  << "dot"
                                                  << "crossed" << QStringList{};
}

void TestHead::notes()
{
    QFETCH(QString, position);
    QFETCH(QString, mask);
    QFETCH(QString, kernel);
    QFETCH(QString, heads);
    QFETCH(QStringList, about);
    HeadSet set = randomHeads(heads == "crossed" ? 9 : 6, 6,
                              heads == "odd"   ? 5
                              : heads == "one" ? 1
                              : heads == "two" ? 2
                                               : 8);
    set.hasOrder = heads != "orderless";
    set.rotated = heads == "rotated";
    if (heads == "logits" || heads == "weights") {
        set.kind = heads == "logits" ? HeadSet::Kind::Logits : HeadSet::Kind::Weights;
        set.queries = {Matrix::Constant(6, 6, 0.5F)};
        set.keys.clear();
    }
    const AttentionHead head = prepare(set, specOf(position, qPrintable(mask), qPrintable(kernel)));
    QCOMPARE(static_cast<qsizetype>(head.notes.size()), about.size());
    for (qsizetype i = 0; i < about.size(); ++i)
        QVERIFY2(QString::fromStdString(head.notes[static_cast<size_t>(i)]).contains(about[i]),
                 head.notes[static_cast<size_t>(i)].c_str());
}

/// Of four query heads that share two key heads: the same head, in the memory that held it.
void TestHead::headsThatNobodyNeedsAreTaken()
{
    HeadSet heads;
    for (const Stream stream : {Stream::Queries, Stream::Keys, Stream::Structure, Stream::Other})
        heads.queries.push_back(gaussian(5, 8, stream));
    heads.keys = {gaussian(7, 8, Stream::Keys), gaussian(7, 8, Stream::Queries)};
    for (const char* position : {"none", "rope", "rerope:w=2"}) {
        const AttentionSpec spec = specOf(position);
        const AttentionHead copied = prepare(heads, spec, 2);
        HeadSet given = heads;
        const float *queries = given.query(2).data(), *keys = given.key(2).data();
        const Result<AttentionHead> taken = prepareHead(std::move(given), 2, spec);
        QVERIFY(taken.has_value());
        QCOMPARE(taken->keyCount, std::int64_t(7));
        QVERIFY(*taken->query == *copied.query && *taken->key == *copied.key);
        QCOMPARE((*taken->query).data(), queries);
        if (std::string_view(position) == "none")  // not turned
            QCOMPARE((*taken->key).data(), keys);
    }
}

/// The first tokens of a head are those of a shorter sequence, and no copies. Keys that nothing turns are the source's
/// own.
void TestHead::firstTokensAreShared()
{
    const auto whole =
        std::make_shared<const HeadSet>(headsOf(gaussian(9, 8, Stream::Queries), gaussian(9, 8, Stream::Keys)));
    const HeadSet first = headsOf(whole->query(0).topRows(6), whole->key(0).topRows(6));
    for (const char* position : {"none", "rope", "rerope:w=2", "rerope:w=7"}) {
        const AttentionHead copied = prepare(first, specOf(position), 0);
        const Result<AttentionHead> all = prepareHead(whole, 0, specOf(position));
        QVERIFY(all.has_value());
        const AttentionHead shared = firstTokens(*all, 6, 6);
        QCOMPARE(shared.keyCount, std::int64_t(6));
        QCOMPARE(shared.position(5), std::int64_t(5));
        QVERIFY(*shared.query == *copied.query && *shared.key == *copied.key);
        QVERIFY((*shared.query).data() == (*all->query).data() && (*shared.key).data() == (*all->key).data());
        QCOMPARE((*shared.key).data() == whole->key(0).data(), std::string_view(position) == "none");
        QCOMPARE(shared.far != nullptr, copied.far != nullptr);
        if (shared.far)
            QVERIFY(*shared.far->queryBefore == *copied.far->queryBefore && *shared.far->key == *copied.far->key);
    }
}

void TestHead::maskedByValueIsNoted()
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Logits;
    heads.queries.push_back(Matrix{{0.0f, -std::numeric_limits<float>::infinity(), 1.0f}});
    AttentionSpec spec;
    spec.mask = {"full", {}, {}};
    QVERIFY(prepare(heads, spec).notes.empty());
    heads.maskedByValue = 1;
    QCOMPARE(prepare(heads, spec).notes.front().substr(0, 47),
             std::string("1 logit of the file counts as a masked key: it "));
    heads.maskedByValue = 12;
    QVERIFY(prepare(heads, spec).notes.front().starts_with("12 logits of the file count as masked keys"));
}

void TestHead::refused()
{
    const HeadSet heads = randomHeads(4, 4, 8);
    AttentionSpec spec;
    spec.mask.id = "moon";
    QCOMPARE(prepareHead(heads, 0, spec).error().kind, ErrorKind::UnknownName);
    spec = {};
    for (const double cap : {-1.0, 1e-40, 1e-7, 1e39, HUGE_VAL,
                             std::nan("")}) {  // float32 has no reciprocal of these, or none with digits
        spec.softCap = cap;
        const auto bad = prepareHead(heads, 0, spec);
        QVERIFY(!bad && bad.error().message.find("0 (none) or from 1e-06 to 1") != std::string::npos);
    }
    spec = {};
    spec.position = Choice{"pi", {{"s", 0}}, {}};
    QCOMPARE(prepareHead(heads, 0, spec).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(prepareHead(heads, 1, {}).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(prepareHead(headsOf(gaussian(4, 8, Stream::Queries), gaussian(4, 6, Stream::Keys)), 0, {}).error().kind,
             ErrorKind::BadShape);
}

QTEST_GUILESS_MAIN(TestHead)
#include "test_head.moc"
