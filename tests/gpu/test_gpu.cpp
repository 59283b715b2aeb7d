// The tiles on the device against sums in double precision, and what happens where there is no such device. Failures
// close the device for the rest of the process, so each is looked at in a process of its own: this program, with a
// word.

#include "core/attention/engines.h"
#include "core/base/random.h"
#include "core/gpu/tiles.h"
#ifdef ATTNSCOPE_OPENGL
#include "core/gpu/worker.h"
#endif
#include "tests/support/patience.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;

namespace {

Matrix normals(Stream stream, std::int64_t rows, std::int64_t columns)
{
    Matrix matrix(rows, columns);
    for (std::int64_t r = 0; r < rows; ++r)
        Random(1, stream).normals(static_cast<std::uint64_t>(r),
                                  std::span(matrix.row(r).data(), static_cast<size_t>(columns)));
    return matrix;
}

/// Three queries that see all of n keys but the first five.
struct Example {
    std::int64_t n;
    Matrix query = normals(Stream::Queries, 3, 20), key;
    std::vector<gpu::Row> rows;

    explicit Example(std::int64_t keys) : n(keys), key(normals(Stream::Keys, keys, 20))
    {
        for (int r = 0; r < 3; ++r)
            rows.push_back({.scale = 0.3f,
                            .position = static_cast<std::int32_t>(n) - 3 + r,
                            .begin = 5,
                            .end = static_cast<std::int32_t>(n)});
        rows.resize(gpu::blockRows);
    }
    gpu::KeyView head() const { return {.keys = key.data(), .keyCount = n, .d = 20}; }
    gpu::QueryView queries() const { return {.near = query.data(), .count = 3}; }
    double logit(int row, std::int64_t j) const
    {
        return 0.3 * query.row(row).cast<double>().dot(key.row(j).cast<double>());
    }
};

/// How far rounding may take the device's sums from exact ones: first-order bounds on float32 arithmetic (Higham,
/// Accuracy and Stability of Numerical Algorithms, 3.1) in the order in which the shaders add, with the accuracy that
/// GLSL 4.60 (4.7.1) asks of a device: sums and products rounded to nearest, exp2(x) within 3 + 2 |x| units in the last
/// place.
struct Rounding {
    static constexpr double u = 0x1p-24;  ///< of one rounding; a unit in the last place is 2 u at most
    static constexpr double exp2(double x) { return (3 + 2 * std::abs(x)) * 2 * u; }

    std::vector<double> x, ofLogit;  ///< logits, and a bound on the error of each
    double largest = 0, ofAnyLogit = 0;
    double additions = 0;  ///< that a term goes through at most

    /// Of the keys that a row of the example sees.
    Rounding(const Example& example, int row)
    {
        const auto q = example.query.row(row).cast<double>().cwiseAbs();
        for (std::int64_t j = 5; j < example.n; ++j) {
            x.push_back(example.logit(row, j));
            // d products and sums, the scale and its own rounding
            const double roundings = static_cast<double>(example.key.cols()) + 3;
            ofLogit.push_back(roundings * u * 0.3 * q.dot(example.key.row(j).cast<double>().cwiseAbs()));
        }
        largest = *std::max_element(x.begin(), x.end());
        ofAnyLogit = *std::max_element(ofLogit.begin(), ofLogit.end());
        const double tiles = std::ceil(static_cast<double>(example.n) / gpu::tileKeys);
        // 64 keys a thread, six steps up the tree, and once more for each tile with the move of the shift before it
        additions = 64 + 6 + tiles;
        shiftMoves = tiles * (2 * exp2(logOf(3)) + 8 * u);
    }
    double shiftMoves = 0;  ///< relative error of all moves of the shift: largest logits of tiles differ by 3 at most

    static double logOf(double nats) { return nats / std::log(2.0); }
    /// v = log2(e) (x - largest) of a key, and the error of the computed one: of both logits, and four roundings.
    double v(size_t k) const { return logOf(x[k] - largest); }
    double ofV(size_t k) const { return logOf(ofLogit[k] + ofAnyLogit) + 4 * u * std::abs(v(k)); }
    /// Relative error of 2^(order v), made in one step.
    double ofPower(size_t k, double order) const { return order * (std::log(2.0) * ofV(k) + u) + exp2(order * v(k)); }

    /// Of sum 2^(order v) factor: each term's own error, and that of adding.
    template <class Term, class Error>
    double ofSum(double order, Term term, Error relative) const
    {
        double error = 0, size = 0;
        for (size_t k = 0; k < x.size(); ++k) {
            const double t = std::abs(term(k));
            error += t * relative(k);
            size += t;
        }
        return 1.01 * (error + (additions * u + std::max(order, 1.0) * shiftMoves) * size);  // 1.01: products of errors
    }
};

bool noDevice() { return !gpu::device(); }

QByteArray reasonToSkip()
{
    return QByteArray::fromStdString("no OpenGL compute here: " + gpu::device().error().message);
}

/// What this program prints when it is started with a word in another environment.
QString outputOf(const QString& word, const QStringList& environment)
{
    QProcess process;
    QStringList all = QProcess::systemEnvironment();
    all += environment;
    process.setEnvironment(all);
    process.start(QCoreApplication::applicationFilePath(), {word});
    return process.waitForFinished(patienceWithPrograms) && process.exitStatus() == QProcess::NormalExit
               ? QString::fromUtf8(process.readAllStandardOutput())
               : QStringLiteral("it crashed");
}

}  // namespace

class TestGpu : public QObject {
    Q_OBJECT
private slots:
    void device();
    void sums_data();
    void sums();
    void nestedPrefixes();
    void pixels();
    void stopLeavesTheDevice();
    void brokenShader();
    void failures_data();
    void failures();
    void freshProcess();
};

void TestGpu::device()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    const gpu::Device found = *gpu::device();
    QVERIFY(!found.renderer.empty() && !found.version.empty());
    QVERIFY(found.largestBlock >= 1 << 24);  // what OpenGL 4.3 promises
}

void TestGpu::sums_data()
{
    QTest::addColumn<qint64>("n");
    for (const qint64 n : {6, 7, 69, 4095, 4096, 4097, 8193, 10000})
        QTest::addRow("n %lld", n) << n;
}

void TestGpu::sums()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    QFETCH(const qint64, n);
    const Example example(n);
    auto tiles = *gpu::Tiles::open(example.head());
    const std::vector<gpu::Step> steps{{0, 0, n, -1, 0}};
    const auto sums = tiles.statistics(example.queries(), example.rows, steps, 1, 3, {});
    QVERIFY(sums.has_value());
    for (int r = 0; r < 3; ++r) {
        const gpu::Sums& is = (*sums)[static_cast<size_t>(r)];
        std::vector<double> x;
        for (std::int64_t j = 5; j < n; ++j)
            x.push_back(example.logit(r, j));
        const auto largest = std::max_element(x.begin(), x.end());
        double e = 0, ev = 0, squares = 0, roots = 0, powers = 0, distances = 0;
        for (size_t k = 0; k < x.size(); ++k) {
            const double v = (x[k] - *largest) / std::log(2.0), w = std::exp2(v);
            e += w;
            ev += w * v;
            squares += w * w;
            roots += std::sqrt(w);
            powers += w * w * w;
            distances += w * std::abs(static_cast<double>(n - 3 + r) - static_cast<double>(k + 5));
        }
        const Rounding rounding(example, r);
        const auto close = [](const char* what, float a, double b, double allowed) {
            const bool good = std::abs(static_cast<double>(a) - b) <= allowed;
            if (!good)
                qWarning("%s: %.10g is not within %g of %.10g", what, static_cast<double>(a), allowed, b);
            return good;
        };
        const double ofLogit = rounding.ofAnyLogit;
        QVERIFY(close("largest", is.largest, *largest, ofLogit) &&
                close("smallest", is.smallest, *std::min_element(x.begin(), x.end()), ofLogit));
        // e = root^2, root = 2^(v/2)
        const auto ofRoot = [&](size_t k) { return rounding.ofPower(k, 0.5); };
        const auto ofE = [&](size_t k) { return 2 * ofRoot(k) + Rounding::u; };
        const auto weight = [&](double order) {
            return [&, order](size_t k) { return std::exp2(order * rounding.v(k)); };
        };
        const auto place = [&](size_t k) {
            return std::abs(static_cast<double>(n - 3 + r) - static_cast<double>(k + 5));
        };
        QVERIFY(close("e", is.e, e, rounding.ofSum(1, weight(1), ofE)));
        QVERIFY(close("ev", is.ev, ev,
                      rounding.ofSum(
                          1, [&](size_t k) { return weight(1)(k) * (std::abs(rounding.v(k)) + 1); },
                          [&](size_t k) {
                              return ofE(k) + Rounding::u + rounding.ofV(k);
                          })));  // a move of the shift adds multiples of e
        QVERIFY(close("squares", is.squares, squares,
                      rounding.ofSum(2, weight(2), [&](size_t k) { return 2 * ofE(k) + Rounding::u; })));
        QVERIFY(close("roots", is.roots, roots, rounding.ofSum(0.5, weight(0.5), ofRoot)));
        QVERIFY(close("powers", is.powers, powers,
                      rounding.ofSum(3, weight(3), [&](size_t k) { return rounding.ofPower(k, 3); })));
        QVERIFY(close(
            "distances", is.distances, distances,
            rounding.ofSum(
                1, [&](size_t k) { return weight(1)(k) * place(k); }, [&](size_t k) { return ofE(k) + Rounding::u; })));
        QCOMPARE(is.sinks, 0.0f);  // none of the first four is seen
        const std::ptrdiff_t first = largest - x.begin();
        std::sort(x.begin(), x.end(), std::greater<>());
        if (x.size() == 1 || x[0] - x[1] > 2 * ofLogit)  // else rounding decides
            QCOMPARE(static_cast<std::ptrdiff_t>(is.argmax), first + 5);
        for (size_t k = 0; k < std::min<size_t>(x.size(), gpu::topCount); ++k)
            QVERIFY(close("top", is.top[k], x[k], ofLogit));
    }
}

void TestGpu::nestedPrefixes()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    // A slot for each prefix holds what a step over that prefix alone holds; one of them ends before any key is seen.
    const Example example(9000);
    auto tiles = *gpu::Tiles::open(example.head());
    const std::vector<std::int64_t> prefixes{3, 64, 4096, 5000, 9000};
    std::vector<gpu::Step> chain, alone;
    for (int k = 0; k < 5; ++k) {
        const std::int64_t before = k == 0 ? 0 : prefixes[static_cast<size_t>(k) - 1],
                           end = prefixes[static_cast<size_t>(k)];
        chain.push_back({0, before, end, k - 1, k});
        alone.push_back({0, 0, end, -1, k});
    }
    const auto nested = *tiles.statistics(example.queries(), example.rows, chain, 5, 0, {});
    const auto separate = *tiles.statistics(example.queries(), example.rows, alone, 5, 0, {});
    for (size_t slot = 0; slot < 5; ++slot)
        for (size_t r = 0; r < 3; ++r) {
            const gpu::Sums &a = nested[slot * gpu::blockRows + r], &b = separate[slot * gpu::blockRows + r];
            QCOMPARE(a.e == 0, slot == 0);
            QCOMPARE(a.largest, b.largest);
            QCOMPARE(a.argmax, b.argmax);
            // the same keys, added in another order and shifted by another logit: both are within the bound of their
            // exact sums
            const Rounding rounding(example, static_cast<int>(r));
            const double vMost = Rounding::logOf(30);  // of these logits, which are within 15 of 0
            const double relative = 2 * (rounding.additions * Rounding::u + rounding.shiftMoves +
                                         2 * Rounding::exp2(vMost / 2) + 8 * Rounding::u * vMost);
            const double e = static_cast<double>(b.e), ev = std::abs(static_cast<double>(b.ev));
            QVERIFY(std::abs(static_cast<double>(a.e) - e) <= relative * e &&
                    std::abs(static_cast<double>(a.ev) - static_cast<double>(b.ev)) <= relative * (ev + e));
            QVERIFY(std::equal(std::begin(a.top), std::end(a.top), std::begin(b.top)));
        }
}

void TestGpu::pixels()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    Example example(9000);
    for (gpu::Row& row : example.rows)
        row.shift = 5;
    auto tiles = *gpu::Tiles::open(example.head());
    const std::vector<std::int32_t> columns{2, 7, 8, 4000, 4100, 8999};
    for (const bool largest : {false, true}) {
        const auto pixels = *tiles.pixels(example.queries(), example.rows, columns, largest, {});
        QCOMPARE(pixels.size(), size_t{3 * 5});
        for (int r = 0; r < 3; ++r) {
            const Rounding rounding(example, r);
            for (size_t c = 0; c < 5; ++c) {
                double should = 0, allowed = 0;
                for (std::int64_t j = std::max(columns[c], 5); j < columns[c + 1]; ++j) {
                    const size_t k = static_cast<size_t>(j) - 5;
                    const double x = rounding.x[k], w = std::exp(x - 5), v = Rounding::logOf(x - 5);
                    // the logit, the difference, two products, exp2; then 64 keys a piece, 64 pieces a tile, and the
                    // tiles
                    const double relative = rounding.ofLogit[k] + 4 * Rounding::u * (std::abs(x) + 5) +
                                            Rounding::exp2(v) + (64 + 64 + 3) * Rounding::u;
                    should = largest ? std::max(should, w) : should + w;
                    allowed = largest ? std::max(allowed, w * relative) : allowed + w * relative;
                }
                QVERIFY(std::abs(static_cast<double>(pixels[static_cast<size_t>(r) * 5 + c]) - should) <=
                        1.01 * allowed);
            }
        }
    }
}

void TestGpu::stopLeavesTheDevice()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    const Example example(5000);
    auto tiles = *gpu::Tiles::open(example.head());
    std::stop_source stopped;
    stopped.request_stop();
    const std::vector<gpu::Step> steps{{0, 0, 5000, -1, 0}};
    QCOMPARE(tiles.statistics(example.queries(), example.rows, steps, 1, 0, stopped.get_token()).error().kind,
             ErrorKind::Cancelled);
    QVERIFY(tiles.statistics(example.queries(), example.rows, steps, 1, 0, {}).has_value());
}

void TestGpu::brokenShader()
{
#ifdef ATTNSCOPE_OPENGL
    if (noDevice())
        QSKIP(reasonToSkip());
    Result<unsigned> compiled;
    QVERIFY(gpu::Worker::instance().run([&](gpu::Workplace&) -> Result<void> {
        compiled = gpu::compileShader("broken.comp", "layout(local_size_x = 1) in; void main() { nonsense }");
        return {};
    }));
    QVERIFY(!compiled.has_value());
    QCOMPARE(compiled.error().kind, ErrorKind::Unavailable);
    const QString message = QString::fromStdString(compiled.error().message);
    QVERIFY2(message.contains(QLatin1String("broken.comp")) && !message.contains(QLatin1Char('\n')),
             qPrintable(message));
#else
    QSKIP("built without OpenGL");
#endif
}

void TestGpu::failures_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QString>("says");
    QTest::addRow("no driver") << "engine"
                               << "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json"
                               << "EGL";
    QTest::addRow("an old driver") << "engine"
                                   << "MESA_GL_VERSION_OVERRIDE=3.3"
                                   << "4.3";
    QTest::addRow("no memory") << "starve"
                               << ""
                               << "memory";
}

void TestGpu::failures()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    if (gpu::device()->version.find("Mesa") == std::string::npos)
        QSKIP("only Mesa's drivers can be told to fail");
    QFETCH(const QString, word);
    QFETCH(const QString, environment);
    QFETCH(const QString, says);
    const QStringList lines = outputOf(word, environment.split(QLatin1Char(' '), Qt::SkipEmptyParts))
                                  .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QVERIFY2(lines.size() == 2 && lines[0].startsWith(QLatin1String("OpenGL cannot be used: ")) &&
                 lines[0].contains(says),
             qPrintable(lines.join(QLatin1Char('|'))));
    QCOMPARE(lines[1], QStringLiteral("as the processor"));
}

void TestGpu::freshProcess()
{
    if (noDevice())
        QSKIP(reasonToSkip());
    const QStringList lines = outputOf(QStringLiteral("engine"), {}).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines, QStringList{QStringLiteral("as the processor")});  // nothing was handed over
}

namespace {

/// Prints what the engine hands over, if anything, and whether its rows are those of the processor's engine.
void runEngine()
{
    HeadSet heads;
    heads.queries.push_back(normals(Stream::Queries, 40, 16));
    heads.keys.push_back(normals(Stream::Keys, 40, 16));
    const AttentionHead head = *prepareHead(heads, 0, {});
    const SummaryRequest request{.passes = {{40, 0, 40, std::vector<double>(40, 1.0)}}};
    const auto rows = (*chooseEngine("opengl"))->summarise(head, request, {}),
               should = processorEngine().summarise(head, request, {});
    if (const std::string note = whatRuns("opengl", head, {"softmax", {}, {}}).handOver; !note.empty())
        std::puts(note.c_str());
    bool same = rows.has_value();
    for (size_t r = 0; same && r < 40; ++r)
        same = std::abs((*rows)[0][r].entropy - (*should)[0][r].entropy) < 1e-4;
    std::puts(same ? "as the processor" : "different");
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string word = argc > 1 ? argv[1] : "";
    if (word == "starve")  // 4 TB of keys: refused before anything is read
        (void)gpu::Tiles::open({.keyCount = std::int64_t{1} << 36, .d = 16});
    if (word == "starve" || word == "engine") {
        runEngine();
        return 0;
    }
    const QCoreApplication application(argc, argv);
    TestGpu test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_gpu.moc"
