// Every engine against the definition where nobody has looked: every parameter of every kernel, position scheme, mask,
// normaliser and measure at both ends of its range and at random inside it, rows without keys and without mass, logits
// from the smallest float32 to 1e30, one key to 5 000. Cases come from a fixed seed; ATTNSCOPE_CASES=20000 asks for
// more of them and ATTNSCOPE_CASE=17 for one alone.

#include "engine_cases.h"

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/statistics/measures.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

#ifdef ATTNSCOPE_SANITISED
constexpr int usualCases = 40;
#else
constexpr int usualCases = 400;
#endif

class Draw {
public:
    explicit Draw(int seed) : m_engine(static_cast<std::uint64_t>(seed)) {}

    double unit() { return static_cast<double>(m_engine() >> 11) * 0x1p-53; }
    bool chance(double p) { return unit() < p; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    double logBetween(double low, double high) { return low * std::pow(high / low, unit()); }
    std::int64_t whole(std::int64_t low, std::int64_t high)
    {
        return std::min(high, low + static_cast<std::int64_t>(unit() * static_cast<double>(high - low + 1)));
    }
    template <class Range>
    const auto& one(const Range& all)
    {
        return *(std::begin(all) + whole(0, std::ssize(all) - 1));
    }

    /// Its default, an end of its range, or anything inside, as often small as large.
    double value(const Parameter& parameter)
    {
        const double low = parameter.minimum, high = parameter.maximum;
        const int kind = static_cast<int>(whole(0, 5));
        if (kind == 0)
            return parameter.byDefault;
        if (kind == 1)
            return low;
        if (kind == 2)
            return high;
        const double small = std::max({low, high * 1e-12, 1e-12});
        const double inside = kind == 3 || small >= high ? between(low, high) : logBetween(small, high);
        return parameter.kind == Parameter::Kind::Real ? inside : std::clamp(std::round(inside), low, high);
    }

    template <class Row>
    Choice choice(std::span<const Row> rows)
    {
        const Row& row = one(rows);
        Choice choice{row.id, {}, row.textByDefault};
        for (const Parameter& parameter : row.parameters)
            choice.values[parameter.id] = value(parameter);
        return choice;
    }

private:
    std::mt19937_64 m_engine;
};

struct Drawn {
    HeadSet heads;
    AttentionSpec spec;
    SummaryRequest request;
    BoundMeasure measure;
    std::string text;
    Matrix values;
};

/// A whole number of tokens that a mask or a position scheme speaks of is a few of them as often as many.
void bringNear(Choice& choice, std::span<const Parameter> parameters, std::int64_t n, Draw& draw)
{
    for (const Parameter& parameter : parameters)
        if (parameter.kind == Parameter::Kind::Integer && parameter.maximum >= 1e6 && draw.chance(0.6))
            choice.values[parameter.id] = std::max(parameter.minimum, static_cast<double>(draw.whole(0, 2 * n)));
}

AttentionSpec drawnSpec(Draw& draw, std::int64_t n)
{
    AttentionSpec spec;
    spec.kernel = draw.chance(0.7) ? spec.kernel : draw.choice(kernels());
    spec.position = draw.chance(0.3) ? spec.position : draw.choice(positions());
    spec.mask = draw.choice(masks());
    spec.normaliser = draw.choice(normalisers());
    bringNear(spec.position, (*findRow(positions(), spec.position.id, "position"))->parameters, n, draw);
    bringNear(spec.mask, (*findRow(masks(), spec.mask.id, "mask"))->parameters, n, draw);
    spec.position.text.clear();  // files are other tests'
    if (spec.mask.id == "documents" && n > 2)
        spec.mask.text = "0," + std::to_string(draw.whole(1, n - 1));
    const std::vector<double> caps{0, 0, 0, smallestSoftCap, largestSoftCap, draw.logBetween(1e-6, 1e6), 30};
    spec.softCap = draw.one(caps);
    return spec;
}

/// Of logits, as a scale of normal ones; most are what a model has.
double drawnSize(Draw& draw)
{
    return draw.chance(0.6)   ? draw.between(0, 12)
           : draw.chance(0.5) ? draw.logBetween(1e-45, 1)
                              : draw.logBetween(1, 1e30);
}

void sprinkle(Matrix& logits, Draw& draw)
{
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> odd{-1e30f, -9.9e29f,
                                 1e30f,  -inf,
                                 inf,    std::numeric_limits<float>::quiet_NaN(),
                                 0,      1e-45f,
                                 -3e38f, std::numeric_limits<float>::lowest()};
    const std::int64_t count = draw.whole(0, std::min<std::int64_t>(logits.size(), 6));
    for (std::int64_t k = 0; k < count; ++k)
        logits(draw.whole(0, logits.rows() - 1), draw.whole(0, logits.cols() - 1)) = draw.one(odd);
    if (draw.chance(0.3))
        logits.row(draw.whole(0, logits.rows() - 1)).setConstant(draw.one(odd));
}

double drawnOrder(Draw& draw)
{
    const std::vector<double> some{0,
                                   0.5,
                                   1,
                                   2,
                                   10,
                                   1e-9,
                                   1 + 2e-9,
                                   1 - 1e-6,
                                   draw.logBetween(1e-9, 0.05),
                                   draw.between(0, 2),
                                   draw.between(0, 10),
                                   1 + draw.between(-0.2, 0.2)};
    return draw.one(some);
}

BoundMeasure drawnMeasure(Draw& draw)
{
    Choice choice = draw.choice(measures());
    for (const char* order : {"a", "q"})
        if (choice.values.contains(order) && draw.chance(0.8))
            choice.values[order] = drawnOrder(draw);
    return *bindMeasure(choice);
}

Drawn drawn(int seed)
{
    Draw draw(seed);
    Drawn c;
    const std::int64_t n = draw.chance(0.1) ? draw.whole(1, 3) : std::llround(draw.logBetween(1, 5000));
    const int d = draw.one(std::vector{1, 2, 3, 8, 16, 33, 64});
    const std::int64_t most = std::max<std::int64_t>(1, 400000 / (n * d));
    const std::int64_t m = std::min(most, draw.chance(0.2) ? n + draw.whole(0, 5) : draw.whole(1, n));
    c.spec = drawnSpec(draw, n);
    c.heads.kind = draw.chance(0.7)   ? HeadSet::Kind::QueryKey
                   : draw.chance(0.7) ? HeadSet::Kind::Logits
                                      : HeadSet::Kind::Weights;
    const bool finished = c.heads.kind != HeadSet::Kind::QueryKey;
    const double size = drawnSize(draw);
    Matrix queries = normals(Stream::Queries, static_cast<std::uint64_t>(seed), m, finished ? n : d);
    queries *= static_cast<float>(finished ? size : std::sqrt(size));
    if (c.heads.kind == HeadSet::Kind::Weights)
        queries = queries.cwiseAbs();
    if (c.heads.kind == HeadSet::Kind::Logits && draw.chance(0.5))
        sprinkle(queries, draw);
    c.heads.queries.push_back(std::move(queries));
    if (!finished)
        c.heads.keys.push_back(static_cast<float>(std::sqrt(size)) *
                               normals(Stream::Keys, static_cast<std::uint64_t>(seed), n, d));
    c.measure = drawnMeasure(draw);
    SummaryExtras extras = c.measure.extras;
    if (extras.order == SummaryExtras{}.order)
        extras.order = draw.chance(0.1) ? infinity : drawnOrder(draw);
    c.request = {.normaliser = c.spec.normaliser, .passes = {}, .extras = extras, .parallel = true};
    const std::vector<double> scales{1,     1,    1,     draw.between(0, 3),        0, -1, 1e-300,
                                     1e-30, 1e39, 1e100, draw.logBetween(1e-3, 1e3)};
    for (std::int64_t passes = draw.whole(1, 3); passes > 0; --passes) {
        Pass pass{.prefix = draw.chance(0.5) ? n : draw.whole(0, n), .firstRow = 0, .lastRow = m, .scale = {}};
        const double scale = draw.one(scales);
        const bool varies = draw.chance(0.3);
        for (std::int64_t row = 0; row < m; ++row)
            pass.scale.push_back(draw.chance(0.02) ? noScale : varies ? scale * draw.unit() : scale);
        c.request.passes.push_back(std::move(pass));
    }
    c.values = normals(Stream::Keys, static_cast<std::uint64_t>(seed) + 1000, n, 3);
    c.text = "m " + std::to_string(m) + ", n " + std::to_string(n) + ", d " + std::to_string(d) + ", kind " +
             std::to_string(static_cast<int>(c.heads.kind)) + ", size " + formatNumber(size) + ", " +
             formatChoice(c.spec.kernel) + ", " + formatChoice(c.spec.position) + ", " + formatChoice(c.spec.mask) +
             ", " + formatChoice(c.spec.normaliser) + ", soft-cap " + formatNumber(c.spec.softCap) + ", " +
             formatChoice(c.measure.choice) + ", order " + formatNumber(extras.order);
    return c;
}

}  // namespace

class TestEveryParameter : public QObject {
    Q_OBJECT
private:
    static QString rowsStray(const Drawn& c, const AttentionHead& head, const Engine& engine,
                             const std::vector<std::vector<RowSummary>>& should);
    static QString mapStrays(const Drawn& c, const AttentionHead& head, const Engine& engine,
                             const std::vector<RowSummary>& rows);
    static QString outputsStray(const Drawn& c, const AttentionHead& head, const Engine& engine);
    static void sane(const std::vector<std::vector<RowSummary>>& rows, const Drawn& c);
private slots:
    void enginesAgree();
};

/// What every summary of the definition is, whatever it is of.
void TestEveryParameter::sane(const std::vector<std::vector<RowSummary>>& rows, const Drawn& c)
{
    for (const auto& pass : rows)
        for (const RowSummary& row : pass) {
            const double n = static_cast<double>(row.visible);
            QVERIFY2(row.visible >= 0 && row.mass >= 0 && std::isfinite(row.mass), c.text.c_str());
            QVERIFY2(row.entropy >= 0 && (row.visible == 0 || row.entropy <= std::log(n)), c.text.c_str());
            QVERIFY2(row.support <= row.visible && (row.support > 0) == (row.mass > 0), c.text.c_str());
            for (const double value : {row.sumSquares, row.sumRoots, row.sumPower, row.sinkMass, row.windowMass,
                                       row.meanDistance, static_cast<double>(row.top[0])})
                QVERIFY2(value >= 0 && std::isfinite(value), c.text.c_str());
        }
}

QString TestEveryParameter::rowsStray(const Drawn& c, const AttentionHead& head, const Engine& engine,
                                      const std::vector<std::vector<RowSummary>>& should)
{
    const auto is = engine.summarise(head, c.request, {});
    if (!is)
        return QString::fromStdString(is.error().message);
    for (size_t pass = 0; pass < is->size(); ++pass)
        for (size_t row = 0; row < (*is)[pass].size(); ++row) {
            const RowSummary &a = (*is)[pass][row], &b = should[pass][row];
            QString text = strays(a, b, engine.tolerance, isSoftmaxLike(c.spec.normaliser));
            const auto x = c.measure(a), y = c.measure(b);
            // Of ln n nats, of tokens, of powers of up to n^(1 - order): relative where the value is large.
            const double allowed = 10 * engine.tolerance * std::max(1.0, std::abs(y.value_or(0)));
            if (x.has_value() != y.has_value() || (x && *x != *y && !(std::abs(*x - *y) <= allowed)))
                text += QStringLiteral("the measure is %1, should be %2; ")
                            .arg(x.value_or(-1), 0, 'g', 10)
                            .arg(y.value_or(-1), 0, 'g', 10);
            if (!text.isEmpty())
                return QStringLiteral("pass %1 (prefix %2, scale %3), row %4: %5")
                    .arg(pass)
                    .arg(c.request.passes[pass].prefix)
                    .arg(c.request.passes[pass].scale[row])
                    .arg(row)
                    .arg(text);
        }
    return {};
}

QString TestEveryParameter::mapStrays(const Drawn& c, const AttentionHead& head, const Engine& engine,
                                      const std::vector<RowSummary>& rows)
{
    std::vector<NormaliserState> states;
    double most = 0;
    for (const RowSummary& row : rows) {
        states.push_back(row.state);
        most = std::max(most, row.mass * static_cast<double>(row.top[0]));
    }
    const std::int64_t height = head.queryCount(), width = head.keyCount;
    const PoolRequest request{c.spec.normaliser,
                              c.request.passes.front().scale,
                              states,
                              {0, height, 0, width},
                              static_cast<int>(std::min<std::int64_t>(height, 40)),
                              static_cast<int>(std::min<std::int64_t>(width, 40)),
                              height % 2 == 0 ? Pool::Mean : Pool::Max,
                              false,
                              true,
                              {}};
    const auto should = engines().front().pool(head, request, {}), is = engine.pool(head, request, {});
    if (!should || !is)
        return "no map";
    for (size_t i = 0; i < is->values.size(); ++i) {
        const double a = static_cast<double>(is->values[i]), b = static_cast<double>(should->values[i]);
        if (a != b && !(std::abs(a - b) <= engine.tolerance * std::max(b, std::min(1.0, most)) + 1e-37))
            return QStringLiteral("pixel %1 of the first pass, scale %4, is %2, should be %3")
                .arg(i)
                .arg(a)
                .arg(b)
                .arg(request.scale[0]);
    }
    return {};
}

/// Relative to sum w |v|, or max |v| where weights may be zero beside each other.
QString TestEveryParameter::outputsStray(const Drawn& c, const AttentionHead& head, const Engine& engine)
{
    const std::vector<double>& scale = c.request.passes.front().scale;
    const Matrix sizes = c.values.cwiseAbs();
    const auto outputs = [&](const Engine& of, const Matrix& values) {
        Matrix output = Matrix::Constant(head.queryCount(), values.cols(), std::numeric_limits<float>::quiet_NaN());
        return of.attend(head, {c.spec.normaliser, scale, values, output}, {}).map([&] { return output; });
    };
    const auto should = outputs(engines().front(), c.values), bounds = outputs(engines().front(), sizes),
               is = outputs(engine, c.values);
    if (!should || !bounds || !is)
        return "no outputs";
    for (Eigen::Index i = 0; i < is->size(); ++i) {
        const double a = static_cast<double>(is->data()[i]), b = static_cast<double>(should->data()[i]);
        double bound = static_cast<double>(bounds->data()[i]);
        if (!isSoftmaxLike(c.spec.normaliser))
            bound = std::max(bound, static_cast<double>(sizes.maxCoeff()));
        if (a != b && !(std::abs(a - b) <= engine.tolerance * bound + 1e-37))
            return QStringLiteral("output %1 is %2, should be %3").arg(i).arg(a).arg(b);
    }
    return {};
}

void TestEveryParameter::enginesAgree()
{
    const bool alone = qEnvironmentVariableIsSet("ATTNSCOPE_CASE");
    const int asked = qEnvironmentVariableIntValue("ATTNSCOPE_CASES"),
              one = qEnvironmentVariableIntValue("ATTNSCOPE_CASE");
    const bool all = qEnvironmentVariableIsSet("ATTNSCOPE_CASES");  // says all that it finds
    std::vector<int> seeds(static_cast<std::size_t>(alone ? 1 : asked > 0 ? asked : usualCases));
    std::iota(seeds.begin(), seeds.end(), alone ? one : 0);
    if (!alone)  // what a longer run once found: factors, large products and small remainders beyond float32
        seeds.insert(seeds.end(), {1618, 1811, 3102, 3645, 3985, 5403, 8330, 13750});
    int found = 0;
    for (const int seed : seeds) {
        const Drawn c = drawn(seed);
        const auto head = prepareHead(c.heads, 0, c.spec);
        QVERIFY2(head.has_value(), head ? "" : (c.text + ": " + head.error().message).c_str());
        const auto should = engines().front().summarise(*head, c.request, {});
        QVERIFY2(should.has_value(), should ? "" : should.error().message.c_str());
        sane(*should, c);
        if (QTest::currentTestFailed())
            return;
        // Of all keys, as a map wants it.
        SummaryRequest whole = c.request;
        whole.passes = {c.request.passes.front()};
        whole.passes.front().prefix = head->keyCount;
        const auto rows = engines().front().summarise(*head, whole, {});
        for (const Engine* engine : fastEngines()) {
            QString wrong = rowsStray(c, *head, *engine, *should);
            if (wrong.isEmpty())
                wrong = mapStrays(c, *head, *engine, rows->front());
            if (wrong.isEmpty())
                wrong = outputsStray(c, *head, *engine);
            if (wrong.isEmpty())
                continue;
            const QString message = QStringLiteral("case %1, %2 (%3): %4")
                                        .arg(seed)
                                        .arg(QString::fromStdString(engine->id), QString::fromStdString(c.text), wrong);
            if (!all)
                QFAIL(qPrintable(message));
            ++found;
            qWarning("%s", qPrintable(message));
            break;
        }
    }
    QCOMPARE(found, 0);
}

QTEST_APPLESS_MAIN(TestEveryParameter)
#include "test_every_parameter.moc"
