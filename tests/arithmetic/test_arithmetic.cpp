// The loops of every instruction set against the standard library in double precision.

#include "core/arithmetic/arithmetic.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace attnscope;

namespace {

/// sin(i * step) * height: numbers of all signs that no two places share.
std::vector<float> sines(std::size_t count, double step, double height)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(std::sin(static_cast<double>(i + 1) * step) * height);
    return values;
}

}  // namespace

class TestArithmetic : public QObject {
    Q_OBJECT

private slots:
    void productsAreSums_data() { tables(); }
    void productsAreSums();
    void activationsAreTheirFormulae_data() { tables(); }
    void activationsAreTheirFormulae();
    void softmaxLeavesOutWhatIsMasked_data() { tables(); }
    void softmaxLeavesOutWhatIsMasked();
    void narrowNumbersWiden_data() { tables(); }
    void narrowNumbersWiden();
    void numbersOfEightBitsWiden_data() { tables(); }
    void numbersOfEightBitsWiden();
    void aScaleThatIsNoNumberMakesNone_data() { tables(); }
    void aScaleThatIsNoNumberMakesNone();
    void blocksAreThoseOfGgml_data() { tables(); }
    void blocksAreThoseOfGgml();

private:
    static void tables()
    {
        QTest::addColumn<const Arithmetic*>("table");
        QTest::addRow("baseline") << &baselineArithmetic;
        QTest::addRow("avx2") << &avx2Arithmetic;
        QTest::addRow("avx512") << &avx512Arithmetic;
    }
    /// Can this machine run it? The best table runs, and so do those before it.
    static bool runs(const Arithmetic* table)
    {
        const Arithmetic* best = &arithmetic();
        return table == &baselineArithmetic || table == best || best == &avx512Arithmetic;
    }
};

Q_DECLARE_METATYPE(const Arithmetic*)

#define ATTNSCOPE_TABLE                                                                                                \
    QFETCH(const Arithmetic*, table);                                                                                  \
    if (!runs(table))                                                                                                  \
    QSKIP("this machine lacks the instructions")

void TestArithmetic::productsAreSums()
{
    ATTNSCOPE_TABLE;
    const int m = 70, n = 41, inner = 33;
    for (const bool left : {false, true})
        for (const bool right : {false, true})
            for (const bool accumulate : {false, true}) {
                const std::vector<float> a = sines(m * inner, 0.7, 1), b = sines(n * inner, 1.3, 1);
                std::vector<float> c(m * n, 2.0f);
                table->multiply({a.data(), left ? m : inner, left}, {b.data(), right ? inner : n, right}, m, n, inner,
                                c.data(), n, accumulate);
                for (int i = 0; i < m; ++i)
                    for (int j = 0; j < n; ++j) {
                        double sum = accumulate ? 2 : 0;
                        for (int k = 0; k < inner; ++k)
                            sum += static_cast<double>(a[static_cast<std::size_t>(left ? k * m + i : i * inner + k)]) *
                                   static_cast<double>(b[static_cast<std::size_t>(right ? j * inner + k : k * n + j)]);
                        // 33 terms of at most 1 and their partial sums, rounded: 33 * 35 * 2^-24 at the most
                        QVERIFY(std::abs(static_cast<double>(c[static_cast<std::size_t>(i * n + j)]) - sum) < 7e-5);
                    }
            }
}

void TestArithmetic::activationsAreTheirFormulae()
{
    ATTNSCOPE_TABLE;
    struct Row {
        void (*loop)(float*, std::ptrdiff_t);
        std::function<double(double)> formula;
    };
    const Row rows[] = {
        {table->silu, [](double x) { return x / (1 + std::exp(-x)); }},
        {table->gelu, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
        {table->geluTanh,
         [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }},
    };
    for (const Row& row : rows) {
        const std::vector<float> x = sines(2500, 0.37, 12);
        std::vector<float> y = x;
        row.loop(y.data(), static_cast<std::ptrdiff_t>(y.size()));
        for (std::size_t i = 0; i < x.size(); ++i)
            QVERIFY(std::abs(static_cast<double>(y[i]) - row.formula(static_cast<double>(x[i]))) <
                    2e-6 * (1 + std::abs(static_cast<double>(x[i]))));
    }
    const std::vector<float> x = sines(2500, 0.37, 12);
    std::vector<float> y = x;
    table->softCap(y.data(), static_cast<std::ptrdiff_t>(y.size()), 5);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        QVERIFY(std::abs(static_cast<double>(y[i]) - 5 * std::tanh(static_cast<double>(x[i]) / 5)) < 5e-6);
        sum += std::exp(static_cast<double>(x[i]) - 12);
    }
    QVERIFY(std::abs(table->sumOfExponentials(x.data(), static_cast<std::ptrdiff_t>(x.size()), 12) / sum - 1) < 1e-5);
}

/// Against sums in double precision, every third element hidden; the lowest are 200 below the largest.
void TestArithmetic::softmaxLeavesOutWhatIsMasked()
{
    ATTNSCOPE_TABLE;
    constexpr float never = -std::numeric_limits<float>::infinity();
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{2500}}) {
        std::vector<float> x = sines(count, 0.37, 100), mask(count, 0.0f);
        for (std::size_t i = 2; i < count; i += 3)
            mask[i] = never;
        const std::vector<float> before = x;
        double sum = 0, moment = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (mask[i] == 0) {
                const double z = static_cast<double>(before[i]) - 100, e = std::exp(z);
                sum += e;
                moment += z * e;
            }
        const double entropy = table->maskedSoftmax(x.data(), mask.data(), static_cast<std::ptrdiff_t>(count));
        QVERIFY(std::abs(entropy - (std::log(sum) - moment / sum)) < 1e-4);
        for (std::size_t i = 0; i < count; ++i) {
            const double weight = mask[i] == 0 ? std::exp(static_cast<double>(before[i]) - 100) / sum : 0;
            QVERIFY(mask[i] == 0 ? std::abs(static_cast<double>(x[i]) - weight) < 2e-6 : x[i] == 0);
        }
        mask.assign(count, never);
        QCOMPARE(table->maskedSoftmax(x.data(), mask.data(), static_cast<std::ptrdiff_t>(count)), 0.0);
        QVERIFY(std::ranges::all_of(x, [](float weight) { return weight == 0; }));
    }
}

/// All finite halves, and bfloat16 of as many numbers, from an odd address.
void TestArithmetic::narrowNumbersWiden()
{
    ATTNSCOPE_TABLE;
    std::vector<std::byte> bytes(1 + 2 * 65536);
    for (int i = 0; i < 65536; ++i) {
        bytes[static_cast<std::size_t>(1 + 2 * i)] = static_cast<std::byte>(i & 255);
        bytes[static_cast<std::size_t>(2 + 2 * i)] = static_cast<std::byte>(i >> 8);
    }
    std::vector<float> half(65536), brain(65536);
    table->widen(NumberFormat::Half, bytes.data() + 1, 65536, half.data());
    table->widen(NumberFormat::Bfloat16, bytes.data() + 1, 65536, brain.data());
    for (std::uint32_t i = 0; i < 65536; ++i) {
        QCOMPARE(std::bit_cast<std::uint32_t>(brain[i]), i << 16);
        const std::uint32_t exponent = i >> 10 & 31, fraction = i & 1023;
        if (exponent == 31)
            continue;
        const double size =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
        QCOMPARE(static_cast<double>(half[i]), i >> 15 ? -size : size);
    }
}

/// All 256, by the definitions of arXiv 2209.05433, table 1.
void TestArithmetic::numbersOfEightBitsWiden()
{
    ATTNSCOPE_TABLE;
    std::vector<std::byte> bytes(256);
    for (int i = 0; i < 256; ++i)
        bytes[static_cast<std::size_t>(i)] = static_cast<std::byte>(i);
    std::vector<float> e4m3(256), e5m2(256);
    table->widen(NumberFormat::F8E4M3, bytes.data(), 256, e4m3.data());
    table->widen(NumberFormat::F8E5M2, bytes.data(), 256, e5m2.data());
    const auto size = [](int bits, int fractionBits, int bias) {
        const int exponent = bits >> fractionBits, fraction = bits & ((1 << fractionBits) - 1);
        const double part = static_cast<double>(fraction) / (1 << fractionBits);
        return exponent == 0 ? std::pow(2.0, 1 - bias) * part : std::pow(2.0, exponent - bias) * (1 + part);
    };
    for (std::size_t i = 0; i < 256; ++i) {
        const int bits = static_cast<int>(i & 127);
        const double sign = i < 128 ? 1 : -1;
        if (bits == 127)
            QVERIFY(std::isnan(e4m3[i]));
        else
            QCOMPARE(static_cast<double>(e4m3[i]), sign * size(bits, 3, 7));
        if (bits > 124)
            QVERIFY(std::isnan(e5m2[i]));
        else
            QCOMPARE(static_cast<double>(e5m2[i]), bits == 124 ? sign * INFINITY : sign * size(bits, 2, 15));
    }
    QCOMPARE(e4m3[126], 448.0f);
    QCOMPARE(e5m2[123], 57344.0f);
}

/// OCP Microscaling Formats 1.0, 5.4.1: of the bytes of an E8M0 scale all but 255 are powers of two.
void TestArithmetic::aScaleThatIsNoNumberMakesNone()
{
    ATTNSCOPE_TABLE;
    for (const int e : {0, 1, 127, 254, 255}) {
        std::vector<std::byte> block(17, std::byte{0x20});  // codes 0 and 2: 0 and 1
        block[0] = static_cast<std::byte>(e);
        std::vector<float> values(32);
        table->widen(NumberFormat::Mxfp4, block.data(), 32, values.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (e == 255)
                QVERIFY(std::isnan(values[i]));
            else
                QCOMPARE(values[i], i < 16 ? 0.0f : std::ldexp(1.0f, e - 127));
    }
}

/// Random blocks, and what ggml's library makes of them (blocks.json, made by blocks.py), to the bit; from an odd
/// address.
void TestArithmetic::blocksAreThoseOfGgml()
{
    ATTNSCOPE_TABLE;
    QFile file(TEST_DATA "/blocks.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject rows = QJsonDocument::fromJson(file.readAll()).object();
    const std::pair<const char*, NumberFormat> formats[] = {
        {"Q8_0", NumberFormat::Q8_0}, {"Q4_0", NumberFormat::Q4_0},     {"Q4_1", NumberFormat::Q4_1},
        {"Q5_0", NumberFormat::Q5_0}, {"Q5_1", NumberFormat::Q5_1},     {"Q2_K", NumberFormat::Q2_K},
        {"Q3_K", NumberFormat::Q3_K}, {"Q4_K", NumberFormat::Q4_K},     {"Q5_K", NumberFormat::Q5_K},
        {"Q6_K", NumberFormat::Q6_K}, {"IQ4_NL", NumberFormat::IQ4_NL}, {"MXFP4", NumberFormat::Mxfp4}};
    QCOMPARE(rows.size(), static_cast<qsizetype>(std::size(formats)));
    for (const auto& [name, format] : formats) {
        const QJsonObject row = rows[QLatin1String(name)].toObject();
        const QByteArray bytes = "x" + QByteArray::fromHex(row["bytes"].toString().toLatin1());
        const QStringList bits = row["bits"].toString().split(' ');
        std::vector<float> values(static_cast<std::size_t>(bits.size()), 7.0f);
        table->widen(format, reinterpret_cast<const std::byte*>(bytes.data()) + 1,
                     static_cast<std::ptrdiff_t>(values.size()), values.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY2(std::bit_cast<std::uint32_t>(values[i]) == bits[static_cast<qsizetype>(i)].toUInt(nullptr, 16),
                     qPrintable(QStringLiteral("%1 %2").arg(name).arg(i)));
    }
}

QTEST_APPLESS_MAIN(TestArithmetic)
#include "test_arithmetic.moc"
