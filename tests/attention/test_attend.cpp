// The outputs of attention: the reference engine against loops written out here, every engine against the reference,
// and what is promised beside numbers: edges, stopping, the same bits on any number of threads, errors as values.

#include "engine_cases.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/attention/row_detail.h"

#include <QTest>

#include <limits>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
#ifdef ATTNSCOPE_SANITISED
constexpr int oneIn = 13;  // combinations tried
#else
constexpr int oneIn = 1;
#endif

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

Matrix valuesOf(std::int64_t n, int size) { return normals(Stream::Other, 3, n, size); }

/// Scales that differ from row to row.
std::vector<double> someScales(std::int64_t m)
{
    std::vector<double> scale(static_cast<size_t>(m));
    for (size_t i = 0; i < scale.size(); ++i)
        scale[i] = 0.6 + 0.1 * static_cast<double>(i % 7);
    return scale;
}

Result<Matrix> outputs(const Engine& engine, const AttentionHead& head, const Choice& normaliser,
                       std::span<const double> scale, const MatrixView& values)
{
    Matrix output = Matrix::Constant(head.queryCount(), values.cols(), notANumber);
    return engine.attend(head, {normaliser, scale, values, output}, {}).map([&] { return output; });
}

/// One of a model's heads, written out.
struct Plain {
    std::int64_t m = 40, n = 100;  ///< the last m of n tokens
    int d = 16, turned = 0;        ///< coordinates that turn; 0: no rotary positions
    double base = 10000;
    bool halves = false;
    std::int64_t cap = 1 << 30;  ///< the largest distance
    double slope = 0, softCap = 0, sink = -infinity;
    std::int64_t window = 1 << 30;  ///< keys back, itself included
    bool causal = true;
    AttentionSpec spec = {};
};

double turnedProduct(const Plain& c, const Matrix& q, std::int64_t i, const Matrix& k, std::int64_t j,
                     std::int64_t distance)
{
    // q at `distance` against k at 0: scores depend on the difference alone.
    double sum = 0;
    for (int x = c.turned; x < c.d; ++x)
        sum += static_cast<double>(q(i, x)) * static_cast<double>(k(j, x));
    for (int p = 0; p < c.turned / 2; ++p) {
        const int a = c.halves ? p : 2 * p, b = c.halves ? p + c.turned / 2 : 2 * p + 1;
        const double angle = static_cast<double>(distance) * std::pow(c.base, -2.0 * p / c.turned);
        const double qa = static_cast<double>(q(i, a)), qb = static_cast<double>(q(i, b));
        sum += (qa * std::cos(angle) - qb * std::sin(angle)) * static_cast<double>(k(j, a)) +
               (qa * std::sin(angle) + qb * std::cos(angle)) * static_cast<double>(k(j, b));
    }
    return sum / std::sqrt(static_cast<double>(c.d));
}

std::vector<double> plainOutput(const Plain& c, const Matrix& q, const Matrix& k, const Matrix& v, std::int64_t i,
                                double scale)
{
    std::vector<double> output(static_cast<size_t>(v.cols()));
    double sum = std::exp(c.sink);
    const std::int64_t t = i + c.n - c.m;
    for (std::int64_t j = 0; j < c.n; ++j) {
        if ((c.causal && j > t) || t - j >= c.window)
            continue;
        double x = scale * turnedProduct(c, q, i, k, j, std::clamp(t - j, -c.cap, c.cap));
        if (c.softCap > 0)
            x = c.softCap * std::tanh(x / c.softCap);
        const double e = std::exp(x - c.slope * static_cast<double>(std::abs(t - j)));
        sum += e;
        for (size_t x2 = 0; x2 < output.size(); ++x2)
            output[x2] += e * static_cast<double>(v(j, static_cast<Eigen::Index>(x2)));
    }
    for (double& o : output)
        o /= sum;
    return output;
}

}  // namespace
Q_DECLARE_METATYPE(Plain)

class TestAttend : public QObject {
    Q_OBJECT
private slots:
    void loopsWrittenOut_data();
    void loopsWrittenOut();
    void weightsTimesValues_data();
    void weightsTimesValues();
    void edges();
    void oneKeyHasAllOfTheWeight();
    void partOfTheRows();
    void headsOfAGroupShareKeys();
    void stops();
    void sameOnOneThread();
    void badRequests();
};

void TestAttend::loopsWrittenOut_data()
{
    QTest::addColumn<Plain>("c");
    const auto add = [](const char* name, Plain c, const char* position, const char* mask,
                        const char* normaliser = "softmax") {
        c.spec.position = *parseChoice(position, positions(), "position");
        c.spec.mask = *parseChoice(mask, masks(), "mask");
        c.spec.normaliser = *parseChoice(normaliser, normalisers(), "normaliser");
        c.spec.softCap = c.softCap;
        QTest::addRow("%s", name) << c;
    };
    add("encoder", {.causal = false}, "none", "full");
    add("whole sequence", {.m = 100}, "none", "causal");
    add("chunk at the end", {}, "none", "causal");
    add("one token", {.m = 1}, "none", "causal");
    add("rotary, pairs of neighbours", {.turned = 16}, "rope", "causal");
    add("rotary, halves, another base", {.turned = 16, .base = 500, .halves = true}, "rope:base=500,interleaved=0",
        "causal");
    add("a quarter turned, halves", {.turned = 4, .halves = true}, "rope:interleaved=0,dims=4", "causal");
    add("a quarter turned, neighbours", {.turned = 4}, "rope:dims=4", "causal");
    add("distances held", {.turned = 16, .cap = 9}, "rerope:w=9", "causal");
    add("distances held both ways, a part turned", {.turned = 8, .cap = 9, .causal = false}, "rerope:w=9,dims=8",
        "full");
    add("penalty on distance", {.slope = 0.25}, "alibi:slope=0.25", "causal");
    add("window", {.window = 12}, "none", "window:w=12");
    add("soft-cap", {.softCap = 1.5}, "none", "causal");
    add("silent key", {.sink = 0.7}, "none", "causal", "sink:s=0.7");
}

void TestAttend::loopsWrittenOut()
{
    QFETCH(const Plain, c);
    HeadSet heads;
    heads.queries.push_back(2 * normals(Stream::Queries, 1, c.m, c.d));
    heads.keys.push_back(normals(Stream::Keys, 1, c.n, c.d));
    const Matrix values = valuesOf(c.n, 5);
    const std::vector<double> scale = someScales(c.m);
    const auto head = prepareHead(heads, 0, c.spec);
    QVERIFY2(head.has_value(), head ? "" : head.error().message.c_str());
    const auto is = outputs(engines().front(), *head, c.spec.normaliser, scale, values);
    QVERIFY(is.has_value());
    for (std::int64_t i = 0; i < c.m; ++i) {
        const std::vector<double> should =
            plainOutput(c, heads.query(0), heads.key(0), values, i, static_cast<double>(scale[static_cast<size_t>(i)]));
        for (Eigen::Index x = 0; x < values.cols(); ++x)  // rotated queries and keys are float32: six digits
            QVERIFY2(std::abs(static_cast<double>((*is)(i, x)) - should[static_cast<size_t>(x)]) <= 5e-6,
                     qPrintable(QStringLiteral("row %1, %2: %3, should be %4")
                                    .arg(i)
                                    .arg(x)
                                    .arg(static_cast<double>((*is)(i, x)))
                                    .arg(should[static_cast<size_t>(x)])));
    }
}

void TestAttend::weightsTimesValues_data()
{
    QTest::addColumn<Case>("c");
    QTest::addColumn<int>("size");
    const auto add = [](const char* name, const Case& c, int size = 24) { QTest::addRow("%s", name) << c << size; };
    int combination = 0;
    for (const Normaliser& normaliser : normalisers())
        for (const char* mask : {"full", "causal", "window:w=20", "window:w=20,causal=0", "sink_window:w=70,sink=4",
                                 "lambda:w=30,sink=5", "padding:length=100"})
            for (const Position& position : positions()) {
                if (combination++ % oneIn != 0)
                    continue;
                Case c{.m = 66, .n = 262, .d = 8, .size = 3};  // past the edges of a block and a tile
                c.attention.normaliser.id = normaliser.id;
                c.attention.mask = *parseChoice(mask, masks(), "mask");
                c.attention.position.id = position.id;
                if (position.id == "rerope")
                    c.attention.position.values["w"] = 40;
                add(qPrintable(QStringLiteral("%1, %2, %3")
                                   .arg(QString::fromStdString(normaliser.id), QLatin1String(mask),
                                        QString::fromStdString(position.id))),
                    c);
            }
    for (const std::int64_t n : {1, 2, 63, 64, 65, 257, 1000})
        for (const int size : {1, 7, 64, 100, 128, 257})
            add(qPrintable(QStringLiteral("n %1, values of size %2").arg(n).arg(size)),
                {.m = std::min<std::int64_t>(n, 130), .n = n}, size);
    for (const std::int64_t m : {1, 2, 4, 9, 16, 17, 33})
        add(qPrintable(QStringLiteral("%1 tokens after others").arg(m)), {.m = m, .n = 300});
    add("more queries than keys", {.m = 150, .n = 70});
    for (const double cap : {5.0, 50.0}) {
        Case c{.m = 100, .n = 300, .size = 8};
        c.attention.softCap = cap;
        c.attention.position.id = "alibi";
        add(qPrintable(QStringLiteral("soft-cap %1").arg(cap)), c);
    }
    for (const double size : {0.0, 1e-3, 30.0, 200.0, 3000.0})
        add(qPrintable(QStringLiteral("logits of size %1").arg(size)), {.m = 100, .n = 300, .size = size});
    for (const auto kind : {HeadSet::Kind::Logits, HeadSet::Kind::Weights})
        add(qPrintable(QStringLiteral("finished, kind %1").arg(static_cast<int>(kind))),
            {.m = 100, .n = 300, .size = 2, .kind = kind});
    Case cosine{.m = 100, .n = 300};
    cosine.attention.kernel = {"cosine", {{"alpha", 20}}, {}};
    add("cosine", cosine);
}

/// The reference engine's outputs are the weights of rowDetail times the values; the others agree with them.
void TestAttend::weightsTimesValues()
{
    QFETCH(const Case, c);
    QFETCH(const int, size);
    const auto head = prepareHead(makeHeads(c), c.head, c.attention);
    QVERIFY2(head.has_value(), head ? "" : head.error().message.c_str());
    const Matrix wide = valuesOf(c.n, size + 3);
    const auto values = wide.middleCols(2, size);  // as a model's heads lie beside each other
    const std::vector<double> scale = someScales(c.m);
    Eigen::MatrixXd should = Eigen::MatrixXd::Zero(c.m, size), unit = should;  // unit: what a tolerance is relative to
    for (std::int64_t i = 0; i < c.m; ++i) {
        const RowDetail row =
            *rowDetail(*head, c.attention.normaliser, i, c.n, static_cast<double>(scale[static_cast<size_t>(i)]));
        for (size_t k = 0; k < row.keys.size(); ++k) {
            const Eigen::RowVectorXd v = values.row(row.keys[k]).cast<double>();
            should.row(i) += row.weights[k] * v;
            if (isSoftmaxLike(c.attention.normaliser))
                unit.row(i) += row.weights[k] * v.cwiseAbs();
            else
                unit.row(i) = unit.row(i).cwiseMax(std::max(1.0, row.weights[k]) * v.cwiseAbs());
        }
    }
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto is = outputs(engine, *head, c.attention.normaliser, scale, values);
        QVERIFY2(is.has_value(), is ? "" : is.error().message.c_str());
        for (std::int64_t i = 0; i < c.m; ++i)
            for (Eigen::Index x = 0; x < size; ++x)
                QVERIFY2(std::abs(static_cast<double>((*is)(i, x)) - should(i, x)) <=
                             std::max(engine.tolerance, 1e-6) * unit(i, x) + 1e-30,
                         qPrintable(QStringLiteral("%1, row %2, %3: %4, should be %5")
                                        .arg(QString::fromStdString(engine.id))
                                        .arg(i)
                                        .arg(x)
                                        .arg(static_cast<double>((*is)(i, x)))
                                        .arg(should(i, x))));
    }
}

void TestAttend::edges()
{
    // Rows without a scale and rows that see nothing are zeros; -inf and NaN are masked keys; +inf takes all; what is
    // not seen, or has no weight, may be anything.
    const float inf = std::numeric_limits<float>::infinity();
    HeadSet heads = makeHeads({.m = 70, .n = 70, .kind = HeadSet::Kind::Logits});
    heads.queries[0].row(3).setConstant(-inf);
    heads.queries[0](10, 4) = inf;
    heads.queries[0](20, 5) = notANumber;
    heads.queries[0].row(30).leftCols(31).setConstant(notANumber);
    Matrix values = valuesOf(70, 6);
    values.row(69).setConstant(notANumber);
    values.row(68).setConstant(inf);
    const AttentionHead head = *prepareHead(heads, 0, {});
    std::vector<double> scale(70, 1.0f);
    scale[40] = noScale;
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        for (const Normaliser& normaliser : normalisers()) {
            const Matrix output = *outputs(engine, head, {normaliser.id, {}, {}}, scale, values);
            for (const int row : {3, 30, 40})
                QVERIFY2(output.row(row).isZero(0),
                         qPrintable(QStringLiteral("%1, row %2").arg(QString::fromStdString(normaliser.id)).arg(row)));
            QVERIFY(output.topRows(68).allFinite());
            QVERIFY(std::isnan(output(69, 0)) || normaliser.softmaxForm == std::nullopt);
        }
        const Matrix output = *outputs(engine, head, {"softmax", {}, {}}, scale, values);
        QVERIFY((output.row(10) - values.row(4)).cwiseAbs().maxCoeff() < 1e-6f);
        QCOMPARE(output(68, 0), inf);
        Eigen::RowVectorXd should = Eigen::RowVectorXd::Zero(6);
        double sum = 0;
        for (int j = 0; j <= 20; ++j)
            if (j != 5) {
                const double e = std::exp(static_cast<double>(heads.queries[0](20, j)));
                sum += e;
                should += e * values.row(j).cast<double>();
            }
        QVERIFY((output.row(20).cast<double>() - should / sum).cwiseAbs().maxCoeff() < 1e-5);
    }

    // keys that are not finite, and queries
    HeadSet vectors = makeHeads({.m = 70, .n = 70});
    vectors.queries[0](9, 3) = inf;
    vectors.keys[0](50, 3) = notANumber;
    const AttentionHead odd = *prepareHead(vectors, 0, {});
    const Matrix should = *outputs(engines().front(), odd, {"softmax", {}, {}}, scale, values.cwiseMin(3).cwiseMax(-3));
    for (const Engine* engine : fastEngines()) {
        const Matrix is = *outputs(*engine, odd, {"softmax", {}, {}}, scale, values.cwiseMin(3).cwiseMax(-3));
        QVERIFY((is - should).topRows(68).cwiseAbs().maxCoeff() < 1e-3f);
    }
}

/// Its weight is 1, not nearly: the row is its value, bit by bit, under every scale.
void TestAttend::oneKeyHasAllOfTheWeight()
{
    constexpr std::int64_t n = 70;
    for (const Engine& engine : engines())
        for (const Choice& mask : {Choice{"causal", {}, {}}, Choice{"window", {{"w", 1}}, {}}}) {
            if (!engine.unavailable().empty())
                continue;
            const std::int64_t rows = mask.id == "window" ? n : 1;
            const AttentionHead head = *prepareHead(makeHeads({.m = n, .n = n}), 0, {.mask = mask});
            const Matrix values = valuesOf(n, 24);
            for (const double m : {0.3, 1.0, 2.7, 17.3}) {
                const std::vector<double> scale(static_cast<std::size_t>(n), m);
                const auto output = outputs(engine, head, {"softmax", {}, {}}, scale, values);
                QVERIFY2(output, engine.id.c_str());
                for (std::int64_t row = 0; row < rows; ++row)
                    QVERIFY2(output->row(row) == values.row(row), engine.id.c_str());
            }
        }
}

void TestAttend::partOfTheRows()
{
    const Case c{.m = 200, .n = 300, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const Matrix values = valuesOf(c.n, 10);
    const std::vector<double> scale = someScales(c.m);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const Matrix all = *outputs(engine, head, {"softmax", {}, {}}, scale, values);
        Matrix wide = Matrix::Constant(90, 14, 7.0f);  // into columns of a wider matrix
        QVERIFY(
            engine
                .attend(head, {.scale = scale, .values = values, .output = wide.middleCols(3, 10), .firstRow = 70}, {})
                .has_value());
        QVERIFY((wide.middleCols(3, 10) - all.middleRows(70, 90)).cwiseAbs().maxCoeff() < 1e-6f);
        QVERIFY((wide.leftCols(3).array() == 7.0f).all() && (wide.rightCols(1).array() == 7.0f).all());
    }
}

void TestAttend::headsOfAGroupShareKeys()
{
    for (const char* position : {"rope", "rerope:w=10", "alibi", "none"})
        for (const char* kernel : {"dot", "cosine"}) {
            const Case c{.m = 30, .n = 40, .d = 8, .heads = 6, .keyHeads = 3};
            AttentionSpec spec;
            spec.position = *parseChoice(position, positions(), "position");
            spec.kernel.id = kernel;
            const auto heads = prepareHeads(makeHeads(c), spec);
            QVERIFY(heads.has_value());
            QCOMPARE(heads->size(), size_t{6});
            for (int h = 0; h < 6; ++h) {
                const AttentionHead& is = (*heads)[static_cast<size_t>(h)];
                const AttentionHead should = *prepareHead(makeHeads(c), h, spec);
                QVERIFY(*is.query == *should.query && *is.key == *should.key);
                QCOMPARE(is.slope, should.slope);
                QCOMPARE(is.keyCount, should.keyCount);
                QCOMPARE(is.far != nullptr, should.far != nullptr);
                QVERIFY(!is.far || (*is.far->queryBefore == *should.far->queryBefore &&
                                    *is.far->key == *should.far->key && is.far->cap == should.far->cap));
                if (h % 2 == 1)
                    QCOMPARE((*is.key).data(), (*(*heads)[static_cast<size_t>(h - 1)].key).data());
            }
        }
    QVERIFY(!prepareHeads(makeHeads({.heads = 3, .keyHeads = 2}), {}).has_value());
    QCOMPARE(prepareHeads(makeHeads({.m = 5, .n = 7, .kind = HeadSet::Kind::Logits, .heads = 2}), {})->back().keyCount,
             std::int64_t{7});
}

void TestAttend::stops()
{
    const Case c{.m = 300, .n = 300, .d = 16};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const Matrix values = valuesOf(c.n, 8);
    const std::vector<double> scale = someScales(c.m);
    std::stop_source source;
    source.request_stop();
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        Matrix output(c.m, 8);
        const auto done = engine.attend(head, {.scale = scale, .values = values, .output = output}, source.get_token());
        QVERIFY(!done.has_value());
        QCOMPARE(done.error().kind, ErrorKind::Cancelled);
    }
}

void TestAttend::sameOnOneThread()
{
    const Case c{.m = 500, .n = 700, .d = 32};
    const Matrix values = valuesOf(c.n, 40);
    const std::vector<double> scale = someScales(c.m);
    for (const char* normaliser : {"softmax", "adaptive", "entmax15"}) {
        const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
        for (const Engine& engine : engines()) {
            if (!engine.unavailable().empty())
                continue;
            const Matrix many = *outputs(engine, head, {normaliser, {}, {}}, scale, values);
            Matrix one(c.m, 40);
            QVERIFY(engine
                        .attend(head,
                                {.normaliser = {normaliser, {}, {}},
                                 .scale = scale,
                                 .values = values,
                                 .output = one,
                                 .parallel = false},
                                {})
                        .has_value());
            QVERIFY((one.array() == many.array()).all());
        }
    }
}

void TestAttend::badRequests()
{
    const Case c{.m = 5, .n = 7, .d = 4};
    const AttentionHead head = *prepareHead(makeHeads(c), 0, c.attention);
    const std::vector<double> scale(5, 1.0), few(4, 1.0f);
    const Matrix values = valuesOf(7, 3), fewValues = valuesOf(6, 3);
    Matrix output(5, 3), narrow(5, 2), tall(6, 3);
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto refuses = [&](const AttendRequest& request, ErrorKind kind) {
            const auto done = engine.attend(head, request, {});
            return !done && done.error().kind == kind;
        };
        QVERIFY(refuses({.scale = few, .values = values, .output = output}, ErrorKind::InvalidArgument));
        QVERIFY(refuses({.scale = scale, .values = fewValues, .output = output}, ErrorKind::InvalidArgument));
        QVERIFY(refuses({.scale = scale, .values = values, .output = narrow}, ErrorKind::InvalidArgument));
        QVERIFY(refuses({.scale = scale, .values = values, .output = tall}, ErrorKind::InvalidArgument));
        QVERIFY(
            refuses({.scale = scale, .values = values, .output = output, .firstRow = 1}, ErrorKind::InvalidArgument));
        QVERIFY(
            refuses({.scale = scale, .values = values, .output = output, .firstRow = -1}, ErrorKind::InvalidArgument));
        QVERIFY(refuses({.normaliser = {"hardest", {}, {}}, .scale = scale, .values = values, .output = output},
                        ErrorKind::UnknownName));
    }
}

QTEST_APPLESS_MAIN(TestAttend)
#include "test_attend.moc"
