// Positions: frequency tables against golden.json, RoPE's relative property, distances held at a cap, ALiBi.
//
// Tolerances: a turned component is two products and a sum in float32 of numbers about 1, 3 u = 2e-7; a logit of d of
// them errs by d times that over sqrt d; angles and logits themselves are computed in double precision.

#include "head_fixtures.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attnscope;
using namespace attnscope::fixtures;

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
    void numbersOfPairsAndFactors();
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
        QVERIFY2(std::abs(got[static_cast<size_t>(p)] / theta[p].toDouble() - 1) < 1e-13,
                 qPrintable(QString::number(p)));
}

void TestPositions::scoresDependOnDistanceAlone_data()
{
    QTest::addColumn<QString>("position");
    QTest::addColumn<int>("d");
    for (const QString position : {"rope", "rope:interleaved=0", "pi", "ntk:interleaved=0", "yarn_rope", "rerope:w=10",
                                   "rerope:w=10,interleaved=0"})
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
            QVERIFY2(std::abs(logit(head, i, i - distance) - logit(head, i + shift, i + shift - distance)) < 2e-6 * d,
                     qPrintable(QString::number(distance)));
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
        QVERIFY(std::abs(static_cast<double>(neighbours(0, column)) - expectedNeighbours[static_cast<size_t>(column)]) <
                1e-6);
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
    QTest::addRow("rerope, full") << "rerope:w=7"
                                  << "full" << 7;
    QTest::addRow("rerope, causal") << "rerope:w=7"
                                    << "causal" << 7;
    QTest::addRow("lambda") << "rope"
                            << "lambda" << 64;
    QTest::addRow("both") << "rerope:w=7"
                          << "lambda" << 7;
    QTest::addRow("lambda, interpolated") << "pi:interleaved=0"
                                          << "lambda" << 64;
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
            const AttentionHead pair = prepare(headsOf(heads.queries[0].row(i).replicate(2 * cap + 1, 1),
                                                       heads.keys[0].row(j).replicate(2 * cap + 1, 1)),
                                               specOf(plain));
            QVERIFY2(std::abs(logit(head, i, j) - logit(pair, cap, cap - distance)) < 2e-5,
                     qPrintable(QString("query %1, key %2").arg(i).arg(j)));
        }
    }
}

/// LongRoPE's pairs turn by theta_p / lambda_p, m makes what turns longer on both sides, and a ramp whose
/// ends are rounded reaches from the whole pair below to the one above.
void TestPositions::numbersOfPairsAndFactors()
{
    const auto angles = [](const char* text, int d) {
        const Choice choice = *parseChoice(std::string_view(text), positions(), "position");
        return rotationOf(**findRow(positions(), choice.id, "position"), choice, d).frequencies;
    };
    const std::vector<double> plain = angles("rope:base=100", 6), divided = angles("long_rope:base=100,\"1,2.5,4\"", 6);
    QCOMPARE(divided, (std::vector<double>{plain[0], plain[1] / 2.5, plain[2] / 4}));
    QCOMPARE(angles("long_rope:base=100", 6), plain);

    const auto kept = [&](const char* rounded, std::size_t pair) {  // the part of a pair that is not slowed by s = 2
        const QByteArray text = QByteArray("yarn_rope:by_index=1,s=2,N=512,beta_fast=4,base=1000,rounded=") + rounded;
        return 2 * angles(text, 16)[pair] / angles("rope:base=1000", 16)[pair] - 1;
    };
    const auto index = [](double turns) { return 16 * std::log(512 / (2 * M_PI * turns)) / (2 * std::log(1000)); };
    const double first = index(4), last = index(1);
    for (const std::size_t pair : {std::size_t(4), std::size_t(5)}) {
        const double at = static_cast<double>(pair);
        QVERIFY(std::abs(kept("0", pair) - (1 - std::clamp((at - first) / (last - first), 0.0, 1.0))) < 1e-12);
        QVERIFY(std::abs(kept("1", pair) -
                         (1 - std::clamp((at - std::floor(first)) / (std::ceil(last) - std::floor(first)), 0.0, 1.0))) <
                1e-12);
    }

    // two of the four coordinates turn, and m = 3 makes their part of a score nine times as large
    HeadSet heads;
    heads.queries.assign(1, Matrix::Ones(1, 4));
    heads.keys = heads.queries;
    QCOMPARE(prepare(heads, specOf("long_rope:dims=2,m=3", "causal")).query.rows(), 1);
    const AttentionHead longer = prepare(heads, specOf("long_rope:dims=2,m=3", "causal"));
    QVERIFY(std::abs((*longer.query).row(0).dot((*longer.key).row(0)) - (2 * 9 + 2) / 2.0f) < 1e-5f);
    QVERIFY(!prepareHead(heads, 0, {.position = {"long_rope", {}, "1,x"}}));

    // YaRN's own temperature: queries and keys are 1 + 0.1 ln s times as long
    const AttentionHead warmer = prepare(heads, specOf("yarn_rope:dims=2,s=8,m=0", "causal"));
    const float yarn = 1 + 0.1f * std::log(8.0f);
    QVERIFY(std::abs((*warmer.query).row(0).dot((*warmer.key).row(0)) - (2 * yarn * yarn + 2) / 2) < 1e-5f);
}

void TestPositions::alibi()
{
    HeadSet heads = randomHeads(20, 20, 8);
    for (int h = 1; h < 8; ++h) {
        heads.queries.push_back(heads.queries.front());
        heads.keys.push_back(heads.keys.front());
    }
    for (const int h : {0, 3, 7}) {
        const AttentionHead plain = prepare(heads, specOf("none", "causal"), h),
                            biased = prepare(heads, specOf("alibi", "causal"), h);
        QCOMPARE(biased.slope, std::exp2(-(h + 1)));  // 2^(-8h/H), H = 8
        const RowDetail a = detail(plain, 19, 1.5), b = detail(biased, 19, 1.5);
        for (size_t j = 0; j < 20; ++j)
            QVERIFY(std::abs(b.logits[j] - (a.logits[j] - biased.slope * static_cast<double>(19 - j))) < 1e-12);
    }
    QCOMPARE(prepare(heads, specOf("alibi:0.25", "causal")).slope, 0.25);

    // What get_slopes of the authors' code gives for other numbers of heads: of 12, 8 of 8 and then 4 of 16.
    const auto slopes = [&](size_t count, const char* position = "alibi") {
        HeadSet some = randomHeads(2, 2, 2);
        some.queries.resize(count, some.queries.front());
        some.keys.resize(count, some.keys.front());
        std::vector<double> all;
        for (size_t h = 0; h < count; ++h)
            all.push_back(
                std::round(-1e9 * std::log2(prepare(some, specOf(position, "causal"), static_cast<int>(h)).slope)) /
                1e9);
        return all;
    };
    QCOMPARE(slopes(12), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5}));
    QCOMPARE(slopes(3), (std::vector<double>{4, 8, 2}));
    QCOMPARE(slopes(1), (std::vector<double>{8}));
    QCOMPARE(slopes(4), (std::vector<double>{2, 4, 6, 8}));
    // alibi_bias_max = 16 of MPT's build_alibi_bias, 12 heads: 16 (1..16) / 16, of which every second one, then the
    // rest
    QCOMPARE(slopes(12, "alibi:max=16"), (std::vector<double>{2, 4, 6, 8, 10, 12, 14, 16, 1, 3, 5, 7}));
}

void TestPositions::rowsExplainThemselves()
{
    for (const Position& row : positions()) {
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 40,
                 row.id.c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
        for (const Preset& preset : row.presets)
            QVERIFY2(parseChoice(std::string_view(preset.text), positions(), "position"), preset.text.c_str());
    }
}

QTEST_GUILESS_MAIN(TestPositions)
#include "test_positions.moc"
