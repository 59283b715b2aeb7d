// Positions and kernels put onto a head: frequency tables against golden.json, RoPE's relative property, distances held at
// a cap, ALiBi, the cosine's bound, what permutations do, and the notes on combinations that make no sense.

#include "core/attention/attention_head.h"
#include "core/attention/engine.h"
#include "core/attention/positions.h"
#include "core/base/random.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attnscope;

namespace {

template <class Row>
Choice choose(std::span<const Row> rows, const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), rows, "row");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return *choice;
}

AttentionSpec specOf(const QString& position, const char* mask = "full", const char* kernel = "dot")
{
    AttentionSpec spec;
    spec.position = choose(positions(), position);
    spec.mask = Choice{mask, {}, {}};
    spec.kernel = Choice{kernel, {}, {}};
    return spec;
}

Matrix gaussian(std::int64_t rows, int d, Stream stream)
{
    Matrix matrix(rows, d);
    for (std::int64_t r = 0; r < rows; ++r)
        Random(5, stream).normals(static_cast<std::uint64_t>(r), std::span<float>(matrix.row(r).data(), static_cast<size_t>(d)));
    return matrix;
}

HeadSet headsOf(Matrix queries, Matrix keys)
{
    HeadSet heads;
    heads.queries.push_back(std::move(queries));
    heads.keys.push_back(std::move(keys));
    return heads;
}

HeadSet randomHeads(std::int64_t m, std::int64_t n, int d) { return headsOf(gaussian(m, d, Stream::Queries), gaussian(n, d, Stream::Keys)); }

/// The same query at every position, and the same key.
HeadSet constantHeads(std::int64_t n, int d)
{
    return headsOf(gaussian(1, d, Stream::Queries).replicate(n, 1), gaussian(1, d, Stream::Keys).replicate(n, 1));
}

AttentionHead prepare(const HeadSet& heads, const AttentionSpec& spec, int index = 0)
{
    Result<AttentionHead> head = prepareHead(heads, index, spec);
    if (!head)
        qFatal("%s", head.error().message.c_str());
    return std::move(*head);
}

RowDetail detail(const AttentionHead& head, std::int64_t row, double scale = 1)
{
    const Result<RowDetail> found = rowDetail(head, Choice{"softmax", {}, {}}, row, head.keyCount, scale);
    if (!found)
        qFatal("%s", found.error().message.c_str());
    return *found;
}

double logit(const AttentionHead& head, std::int64_t row, std::int64_t key)
{
    const RowDetail found = detail(head, row);
    return found.logits[static_cast<size_t>(std::find(found.keys.begin(), found.keys.end(), key) - found.keys.begin())];
}

}  // namespace

class TestPositions : public QObject {
    Q_OBJECT
private slots:
    void frequencies_data();
    void frequencies();
    void scoresDependOnDistanceAlone_data();
    void scoresDependOnDistanceAlone();
    void rotationByHand();
    void distanceHeldAtCap_data();
    void distanceHeldAtCap();
    void alibi();
    void cosineIsBounded();
    void permutingKeysPermutesWeights_data();
    void permutingKeysPermutesWeights();
    void queriesAreTheLastPositions();
    void samplesKeepTheirPositions();
    void finishedLogitsAndWeights();
    void notes_data();
    void notes();
    void refused();
    void rowsExplainThemselves();
};

void TestPositions::frequencies_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("d");
    QTest::addColumn<QJsonArray>("theta");
    QFile file(TEST_DATA "/golden.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["frequencies"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("%s d=%d", qPrintable(row["position"].toString()), row["d"].toInt())
            << row["position"].toString() << row["d"].toInt() << row["theta"].toArray();
    }
}

void TestPositions::frequencies()
{
    QFETCH(QString, position);
    QFETCH(int, d);
    QFETCH(QJsonArray, theta);
    const Choice choice = choose(positions(), position);
    const Position& row = **findRow(positions(), choice.id, "position");
    const std::vector<double> got = row.frequencies(d, Parameters(row, choice));
    QCOMPARE(static_cast<qsizetype>(got.size()), theta.size());
    for (qsizetype p = 0; p < theta.size(); ++p)
        QVERIFY2(std::abs(got[static_cast<size_t>(p)] / theta[p].toDouble() - 1) < 1e-13, qPrintable(QString::number(p)));
}

void TestPositions::scoresDependOnDistanceAlone_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("d");
    for (const QString position : {"rope", "rope:interleaved=0", "pi", "ntk:interleaved=0", "yarn_rope", "rerope:w=10", "rerope:w=10,interleaved=0"})
        for (const int d : {2, 7, 16})
            QTest::newRow(qPrintable(position + QString(" d=%1").arg(d))) << position << d;
}

void TestPositions::scoresDependOnDistanceAlone()
{
    QFETCH(QString, position);
    QFETCH(int, d);
    const AttentionHead head = prepare(constantHeads(100, d), specOf(position));
    for (const std::int64_t distance : {-60, -11, -10, -9, -1, 0, 1, 3, 9, 10, 11, 40})
        for (const std::int64_t shift : {1, 13, 30}) {
            const std::int64_t i = distance < 0 ? 5 : 60;  // query i and key i - distance, and both further on
            QVERIFY2(std::abs(logit(head, i, i - distance) - logit(head, i + shift, i + shift - distance)) < 2e-6 * d, qPrintable(QString::number(distance)));
        }
    if (d > 2)
        QVERIFY(std::abs(logit(head, 50, 50) - logit(head, 50, 47)) > 1e-3);
}

/// d = 4: pair 0 turns by 1 radian a token, pair 1 by 1/100.
void TestPositions::rotationByHand()
{
    Matrix q(1, 4);
    q << 1, 2, 3, 4;
    const std::vector<double> theta{1, 0.01};
    const std::vector<std::int64_t> at{3};
    Matrix neighbours = q, halves = q;
    rotate(neighbours, at, theta, Pairing::Interleaved);
    rotate(halves, at, theta, Pairing::Halves);
    const double c = std::cos(3.0), s = std::sin(3.0), c1 = std::cos(0.03), s1 = std::sin(0.03);
    const std::array expectedNeighbours{c - 2 * s, s + 2 * c, 3 * c1 - 4 * s1, 3 * s1 + 4 * c1};
    const std::array expectedHalves{c - 3 * s, 2 * c1 - 4 * s1, s + 3 * c, 2 * s1 + 4 * c1};
    for (int column = 0; column < 4; ++column) {
        QVERIFY(std::abs(static_cast<double>(neighbours(0, column)) - expectedNeighbours[static_cast<size_t>(column)]) < 1e-6);
        QVERIFY(std::abs(static_cast<double>(halves(0, column)) - expectedHalves[static_cast<size_t>(column)]) < 1e-6);
    }
    Matrix all = q;
    rotateAll(all, 3, theta, Pairing::Halves);
    QVERIFY((all - halves).cwiseAbs().maxCoeff() < 1e-6F);

    // step by step over many rows as at once
    Matrix many = q.replicate(1000, 1), last = q;
    std::vector<std::int64_t> places(1000);
    std::iota(places.begin(), places.end(), 100000);
    rotate(many, places, theta, Pairing::Interleaved);
    rotateAll(last, 100999, theta, Pairing::Interleaved);
    QVERIFY((many.row(999) - last).cwiseAbs().maxCoeff() < 1e-6F);
}

void TestPositions::distanceHeldAtCap_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("cap");
    QTest::addRow("rerope, full") << "rerope:w=7" << "full" << 7;
    QTest::addRow("rerope, causal") << "rerope:w=7" << "causal" << 7;
    QTest::addRow("lambda") << "rope" << "lambda" << 64;
    QTest::addRow("both") << "rerope:w=7" << "lambda" << 7;
    QTest::addRow("lambda, interpolated") << "pi:interleaved=0" << "lambda" << 64;
}

/// Beyond the cap every distance gives the score of the cap; below it, that of plain rotation.
void TestPositions::distanceHeldAtCap()
{
    QFETCH(QString, position);
    QFETCH(QString, mask);
    QFETCH(int, cap);
    const HeadSet heads = randomHeads(150, 150, 16);
    const AttentionHead head = prepare(heads, specOf(position, qPrintable(mask)));
    const QString plain = position.startsWith("rerope") ? "rope" : position;
    for (const std::int64_t i : {0, 3, 80, 149}) {
        const VisibleKeys keys = head.visible(i, 150);
        for (std::int64_t j = 0; j < 150; ++j) {
            if (!keys.sees(j))
                continue;
            const std::int64_t distance = std::clamp<std::int64_t>(i - j, -cap, cap);
            // one query at cap, one key at cap - distance, turned plainly
            const AttentionHead pair = prepare(headsOf(heads.queries[0].row(i).replicate(2 * cap + 1, 1), heads.keys[0].row(j).replicate(2 * cap + 1, 1)), specOf(plain));
            QVERIFY2(std::abs(logit(head, i, j) - logit(pair, cap, cap - distance)) < 2e-5, qPrintable(QString("query %1, key %2").arg(i).arg(j)));
        }
    }
}

void TestPositions::alibi()
{
    HeadSet heads = randomHeads(20, 20, 8);
    for (int h = 1; h < 8; ++h) {
        heads.queries.push_back(heads.queries.front());
        heads.keys.push_back(heads.keys.front());
    }
    for (const int h : {0, 3, 7}) {
        const AttentionHead plain = prepare(heads, specOf("none", "causal"), h), biased = prepare(heads, specOf("alibi", "causal"), h);
        QCOMPARE(biased.slope, std::exp2(-(h + 1)));  // 2^(-8h/H), H = 8
        const RowDetail a = detail(plain, 19, 1.5), b = detail(biased, 19, 1.5);
        for (size_t j = 0; j < 20; ++j)
            QVERIFY(std::abs(b.logits[j] - (a.logits[j] - biased.slope * static_cast<double>(19 - j))) < 1e-12);
    }
    QCOMPARE(prepare(heads, specOf("alibi:0.25", "causal")).slope, 0.25);
}

void TestPositions::cosineIsBounded()
{
    HeadSet heads = randomHeads(30, 40, 5);
    heads.queries[0].row(3).setZero();
    heads.keys[0] *= 1000;
    const AttentionHead head = prepare(heads, specOf("rope", "full", "cosine"));
    for (const std::int64_t i : {0, 3, 29})
        for (const double x : detail(head, i).logits)
            QVERIFY(std::abs(x) <= 128 * (1 + 1e-6) && (i != 3 || x == 0));

    // against the definition, with another alpha
    AttentionSpec spec = specOf("none", "full", "cosine");
    spec.kernel.values["alpha"] = 10;
    const auto q = heads.queries[0].row(7).cast<double>(), k = heads.keys[0].row(9).cast<double>();
    QVERIFY(std::abs(logit(prepare(heads, spec), 7, 9) - 10 * q.dot(k) / q.norm() / k.norm()) < 1e-5);
}

void TestPositions::permutingKeysPermutesWeights_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<bool>("equivariant");
    QTest::addRow("none") << "none" << true;
    for (const QString position : {"rope", "pi", "ntk", "yarn_rope", "rerope:w=4", "alibi"})
        QTest::newRow(qPrintable(position)) << position << false;
}

/// Permuting the tokens permutes rows and columns of the weights, if and only if nothing depends on positions.
void TestPositions::permutingKeysPermutesWeights()
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
            largest = std::max(largest, std::abs(after.weights[static_cast<size_t>(j)] - before.weights[static_cast<size_t>(order[static_cast<size_t>(j)])]));
    }
    QCOMPARE(largest < 1e-12, equivariant);
    QCOMPARE(largest > 1e-3, !equivariant);
}

void TestPositions::queriesAreTheLastPositions()
{
    const HeadSet square = randomHeads(12, 12, 6);
    const HeadSet tail = headsOf(square.queries[0].bottomRows(4), square.keys[0]);
    for (const char* position : {"rope", "alibi"}) {
        const AttentionHead a = prepare(square, specOf(position, "causal")), b = prepare(tail, specOf(position, "causal"));
        for (std::int64_t i = 0; i < 4; ++i) {
            QCOMPARE(b.visible(i, 12), a.visible(i + 8, 12));
            const RowDetail x = detail(a, i + 8), y = detail(b, i);
            for (size_t j = 0; j < x.logits.size(); ++j)
                QVERIFY(std::abs(x.logits[j] - y.logits[j]) < 1e-6);
        }
    }
}

void TestPositions::samplesKeepTheirPositions()
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

void TestPositions::finishedLogitsAndWeights()
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Weights;
    heads.queries.push_back(Matrix(2, 3));
    heads.queries[0] << 0.5F, 0.25F, 0.25F, 1, 0, 0;
    const AttentionHead head = prepare(heads, specOf("none"));
    QCOMPARE(static_cast<int>(head.keyCount), 3);
    const RowDetail first = detail(head, 0), second = detail(head, 1);
    for (size_t j = 0; j < 3; ++j) {
        QVERIFY(std::abs(first.weights[j] - static_cast<double>(heads.queries[0](0, static_cast<int>(j)))) < 1e-7);
        QVERIFY(std::abs(second.weights[j] - (j == 0 ? 1 : 0)) < 1e-7);
    }
    heads.kind = HeadSet::Kind::Logits;
    QVERIFY(std::abs(logit(prepare(heads, specOf("none")), 0, 1) - 0.25) < 1e-12);
}

void TestPositions::notes_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("heads");  // "even", "odd", "one", "two", "orderless", "rotated", "logits", "weights", "crossed"
    QTest::addColumn<QStringList>("about");
    QTest::addRow("nothing to say") << "rope" << "causal" << "dot" << "even" << QStringList{};
    QTest::addRow("plain") << "none" << "full" << "dot" << "orderless" << QStringList{};
    QTest::addRow("no order") << "rope" << "causal" << "dot" << "orderless" << QStringList{"without order"};
    QTest::addRow("alibi without order") << "alibi" << "causal" << "dot" << "orderless" << QStringList{"without order"};
    QTest::addRow("odd") << "rope" << "causal" << "dot" << "odd" << QStringList{"odd head size"};
    QTest::addRow("one") << "rope" << "causal" << "dot" << "one" << QStringList{"no pair"};
    QTest::addRow("ntk, two") << "ntk" << "causal" << "dot" << "two" << QStringList{"below head size 4"};
    QTest::addRow("twice") << "rope" << "causal" << "dot" << "rotated" << QStringList{"second time"};
    QTest::addRow("rotated, left alone") << "none" << "causal" << "dot" << "rotated" << QStringList{};
    QTest::addRow("alibi ahead") << "alibi" << "full" << "dot" << "even" << QStringList{"made for causal rows"};
    QTest::addRow("lambda without rotation") << "none" << "lambda" << "dot" << "even" << QStringList{"only hides keys"};
    QTest::addRow("logits") << "rope" << "causal" << "cosine" << "logits" << QStringList{"Cosine (CosScale) has no effect", "RoPE has no effect"};
    QTest::addRow("weights") << "none" << "causal" << "dot" << "weights" << QStringList{"logarithms"};
    QTest::addRow("more queries than keys") << "none" << "causal" << "dot" << "crossed" << QStringList{"more queries than keys"};
    QTest::addRow("more queries than keys, full") << "none" << "full" << "dot" << "crossed" << QStringList{};
}

void TestPositions::notes()
{
    QFETCH(QString, position);
    QFETCH(QString, mask);
    QFETCH(QString, kernel);
    QFETCH(QString, heads);
    QFETCH(QStringList, about);
    HeadSet set = randomHeads(heads == "crossed" ? 9 : 6, 6, heads == "odd" ? 5 : heads == "one" ? 1 : heads == "two" ? 2 : 8);
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
        QVERIFY2(QString::fromStdString(head.notes[static_cast<size_t>(i)]).contains(about[i]), head.notes[static_cast<size_t>(i)].c_str());
}

void TestPositions::refused()
{
    const HeadSet heads = randomHeads(4, 4, 8);
    AttentionSpec spec;
    spec.mask.id = "moon";
    QCOMPARE(prepareHead(heads, 0, spec).error().kind, ErrorKind::UnknownName);
    spec = {};
    spec.softCap = -1;
    QCOMPARE(prepareHead(heads, 0, spec).error().kind, ErrorKind::InvalidArgument);
    spec = {};
    spec.position = Choice{"pi", {{"s", 0}}, {}};
    QCOMPARE(prepareHead(heads, 0, spec).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(prepareHead(heads, 1, {}).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(prepareHead(headsOf(gaussian(4, 8, Stream::Queries), gaussian(4, 6, Stream::Keys)), 0, {}).error().kind, ErrorKind::BadShape);
}

void TestPositions::rowsExplainThemselves()
{
    for (const Position& row : positions()) {
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 40, row.id.c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
        for (const Preset& preset : row.presets)
            QVERIFY2(parseChoice(std::string_view(preset.text), positions(), "position"), preset.text.c_str());
    }
}

QTEST_GUILESS_MAIN(TestPositions)
#include "test_positions.moc"
