// What belongs to the first n tokens of a head is one thing wherever it is asked: pictures, lengths and the curve
// against n, under every mask, with as many queries as keys and with fewer or more.

#include "small_scenario.h"

#include "core/analysis/curve_sample.h"
#include "core/analysis/length_statistics.h"
#include "core/attention/masks.h"
#include "core/base/length_list.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <set>

using namespace attnscope;

namespace {

constexpr std::int64_t keys = 40;
constexpr int d = 8;

struct MaskCase {
    Choice mask;
    bool byPosition;  ///< what a query sees depends on where it stands
};

/// Every mask, with parameters that matter at 40 keys.
const MaskCase maskCases[] = {
    {{"full", {}, {}}, false},
    {{"causal", {}, {}}, true},
    {{"window", {{"w", 7}}, {}}, true},
    {{"window", {{"w", 7}, {"causal", 0}}, {}}, true},
    {{"sink_window", {{"w", 6}, {"sink", 2}}, {}}, true},
    {{"lambda", {{"w", 6}, {"sink", 2}}, {}}, true},
    {{"padding", {{"length", 25}}, {}}, false},
    {{"padding", {{"length", 25}, {"causal", 1}}, {}}, true},
    {{"documents", {{"length", 11}}, {}}, true},
};

std::vector<float> numbers(std::int64_t count, double salt)
{
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(2 * std::sin(salt + 1.7 * static_cast<double>(i * i % 97)));
    return values;
}

}  // namespace

class TestFirstTokens : public QObject {
    Q_OBJECT

private slots:
    void everyMaskIsHere()
    {
        std::set<std::string> ids;
        for (const MaskCase& one : maskCases)
            ids.insert(one.mask.id);
        for (const Mask& mask : masks())
            QVERIFY2(ids.contains(mask.id), mask.id.c_str());
    }

    void headsOfFiles_data()
    {
        QTest::addColumn<int>("mask");
        QTest::addColumn<qint64>("queries");
        for (int m = 0; m < std::ssize(maskCases); ++m)
            for (const qint64 queries : {qint64(keys), qint64(24), qint64(50)})
                QTest::addRow("%s, %lld queries", formatChoice(maskCases[m].mask).c_str(), queries) << m << queries;
    }

    void headsOfFiles()
    {
        QFETCH(int, mask);
        QFETCH(qint64, queries);
        const MaskCase& one = maskCases[mask];
        const std::string path = m_folder.filePath("heads.safetensors").toStdString();
        const std::vector<float> q = numbers(queries * d, 1), k = numbers(keys * d, 2);
        QVERIFY(
            writeSafetensors(path, std::vector{tensorView("q", {1, queries, d}, q), tensorView("k", {1, keys, d}, k)}));
        Scenario scenario = small("tensors");
        scenario.tensors = {.path = path, .query = "q", .key = "k", .layout = {}, .holds = {}};
        scenario.attention.mask = one.mask;
        scenario.nTrain = 20;
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
        scenario.view.curveFirst = 4;
        scenario.view.curveLast = keys;
        scenario.view.rows = RowSet::Kind::SeeingAboutN;
        const auto lengths = logSpacedLengths(4, keys, scenario.view.curvePoints);
        const auto heads = loadHeads(*TensorFile::open(path), scenario.tensors);
        QVERIFY(heads);
        const LengthRequest request{.attention = scenario.attention,
                                    .methods = scenario.methods,
                                    .lengths = lengths,
                                    .nTrain = scenario.nTrain,
                                    .engine = automaticEngineId};
        const auto statistics = lengthStatistics(*heads, 0, request, {});
        QVERIFY(statistics);
        const auto positionOf = [&](std::int64_t row) { return row + keys - queries; };
        const bool otherSequence = queries != keys && !one.byPosition;

        for (size_t m = 0; m < scenario.methods.size(); ++m) {
            Curve expected;
            for (size_t l = 0; l < lengths.size(); ++l) {
                const LengthStatistics& at = (*statistics)[m * lengths.size() + l];
                const std::int64_t n = lengths[l];
                // all queries of another sequence; else those at positions below n
                std::int64_t count = 0;
                for (std::int64_t row = 0; row < queries; ++row)
                    count += otherSequence || positionOf(row) < n ? 1 : 0;
                QCOMPARE(std::ssize(at.rows), count);
                // curve and picture look at all of them, or at those that see about n keys
                std::vector<RowSummary> near;
                for (std::int64_t row = 0; row < count; ++row)
                    if (!one.byPosition || positionOf(row) >= n - (n + 3) / 4)
                        near.push_back(at.rows[static_cast<size_t>(row)]);
                if (const RowMean mean = entropyMean(near); mean.count > 0)
                    expected.push_back({static_cast<double>(n), mean.mean, 0});

                // the picture of n tokens: as many queries, the same mean
                scenario.n = n;
                const Analysis picture = analysed(scenario);
                if (count == 0) {  // there is none of fewer tokens than have a query
                    QCOMPARE(picture.queryCount, std::int64_t(1));
                    QCOMPARE(picture.keyCount, keys - queries + 1);
                    QVERIFY(std::ranges::any_of(picture.notes, [](const std::string& note) {
                        return note.find("the queries are the last") != note.npos;
                    }));
                    continue;
                }
                QCOMPARE(picture.queryCount, count);
                QCOMPARE(picture.keyCount, n);
                QCOMPARE(picture.methods[m].entropy.count, entropyMean(near).count);
                if (picture.methods[m].entropy.count > 0)
                    QVERIFY(std::abs(picture.methods[m].entropy.mean - entropyMean(near).mean) < 1e-5);
            }
            const Curve measured = analysed(scenario).methods[m].measured;
            QCOMPARE(measured.size(), expected.size());
            for (size_t p = 0; p < expected.size(); ++p) {
                QVERIFY2(std::abs(measured[p].value - expected[p].value) < 1e-5,
                         qPrintable(QString("n = %1: %2 and not %3")
                                        .arg(expected[p].n)
                                        .arg(measured[p].value)
                                        .arg(expected[p].value)));
                QCOMPARE(measured[p].n, expected[p].n);
            }
        }
    }

    /// Of rows that see about n keys those of the last quarter of the first n tokens, of others any.
    void samplesOfSources_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("mask");
        for (const SyntheticSource& source : syntheticSources())
            for (int m = 0; m < std::ssize(maskCases); ++m)
                QTest::addRow("%s, %s", source.id.c_str(), formatChoice(maskCases[m].mask).c_str())
                    << QString::fromStdString(source.id) << m;
    }

    void samplesOfSources()
    {
        QFETCH(QString, source);
        QFETCH(int, mask);
        Scenario scenario = small(source.toUtf8().constData());
        scenario.attention.mask = maskCases[mask].mask;
        scenario.view.rows = RowSet::Kind::SeeingAboutN;
        scenario.view.curveFirst = 4;
        const auto sample = sampleForCurve(scenario);
        QVERIFY2(sample.has_value(), sample ? "" : sample.error().message.c_str());
        QCOMPARE(sample->ranges.size(), size_t(5));
        for (const RowRange& range : sample->ranges) {
            QVERIFY(range.begin < range.end);
            for (std::int64_t query = range.begin; query < range.end; ++query) {
                const std::int64_t position = sample->head.position(query);
                if (range.rows.empty() || std::ranges::binary_search(range.rows, query))
                    QVERIFY(position < range.length &&
                            (!maskCases[mask].byPosition || position >= range.length - (range.length + 3) / 4));
            }
        }
    }

    /// Of so few tokens every query that counts is looked at: the mean is the picture's and the table's.
    void pointsOfSourcesArePictures_data()
    {
        QTest::addColumn<int>("mask");
        for (int m = 0; m < std::ssize(maskCases); ++m)
            QTest::addRow("%s", formatChoice(maskCases[m].mask).c_str()) << m;
    }

    void pointsOfSourcesArePictures()
    {
        QFETCH(int, mask);
        Scenario scenario = small("local");
        scenario.attention.mask = maskCases[mask].mask;
        scenario.view.curveRows = 1;
        const Analysis curve = analysed(scenario);
        QCOMPARE(curve.methods[1].measured.size(), size_t(6));  // and at n
        for (const CurvePoint& point : curve.methods[1].measured) {
            QVERIFY(!isOfSomeRows(scenario, point.n));
            scenario.n = std::llround(point.n);
            const double mean = analysed(scenario).methods[1].entropy.mean;
            QVERIFY2(std::abs(point.value - mean) < 1e-5,
                     qPrintable(QString("n = %1: %2 and not %3").arg(point.n).arg(point.value).arg(mean)));
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestFirstTokens)
#include "test_first_tokens.moc"
