// What an analysis remembers (other rows, scales, regions, lengths, files) gives the picture of a fresh start.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"

#include <QtTest>

#include <cmath>

using namespace attnscope;

class TestRemembered : public QObject {
    Q_OBJECT
private slots:
    void cacheGivesTheSameAnswer();
    void draggedLengthsGiveTheSamePicture_data();
    void draggedLengthsGiveTheSamePicture();
    void sourcesAreNested();
    void fileWrittenAgainIsReadAgain();
};

void TestRemembered::cacheGivesTheSameAnswer()
{
    AnalysisCache cache;
    Scenario scenario = small("local");
    QVERIFY(analyse(scenario, {}, cache));
    for (int step = 0; step < 4; ++step) {
        switch (step) {
        case 0: scenario.view.row = 10; break;
        case 1: scenario.temperature = 2; break;
        case 2: scenario.view.region = {0, 48, 0, 48}; break;
        case 3: scenario.view.measure.id = "max_weight"; break;
        }
        const auto warm = analyse(scenario, {}, cache);
        const Analysis cold = analysed(scenario);
        QVERIFY(warm.has_value());
        for (size_t m = 0; m < 2; ++m) {
            QCOMPARE(warm->methods[m].entropy.mean, cold.methods[m].entropy.mean);
            QCOMPARE(warm->methods[m].map.values, cold.methods[m].map.values);
            QCOMPARE(warm->methods[m].chosen.weights, cold.methods[m].chosen.weights);
            QCOMPARE(warm->methods[m].measured.size(), cold.methods[m].measured.size());
            for (size_t p = 0; p < cold.methods[m].measured.size(); ++p)
                QCOMPARE(warm->methods[m].measured[p].value, cold.methods[m].measured[p].value);
        }
    }
}

// A cache that has seen other lengths takes the first tokens of what it has; the picture is that of a fresh start, bit for bit.
void TestRemembered::draggedLengthsGiveTheSamePicture_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("position");
    for (const SyntheticSource& source : syntheticSources())
        QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id) << QStringLiteral("none");
    QTest::addRow("turned") << QStringLiteral("local") << QStringLiteral("rope");
}

void TestRemembered::draggedLengthsGiveTheSamePicture()
{
    QFETCH(QString, source);
    QFETCH(QString, position);
    AnalysisCache cache;
    for (const std::int64_t n : {200, 203, 96, 190, 211}) {  // upwards, down, and among what is there
        for (const bool preview : {true, false}) {
            Scenario scenario = small(source.toUtf8().constData());
            scenario.attention.position.id = position.toStdString();
            scenario.n = n;
            scenario.view.preview = preview;
            const auto dragged = analyse(scenario, {}, cache);
            const Analysis fresh = analysed(scenario);
            QVERIFY2(dragged.has_value(), dragged ? "" : dragged.error().message.c_str());
            QCOMPARE(dragged->queryCount, fresh.queryCount);
            QCOMPARE(dragged->keyCount, n);
            QCOMPARE(dragged->needleKey, fresh.needleKey);
            QCOMPARE(dragged->notes, fresh.notes);
            for (size_t m = 0; m < 2; ++m) {
                QCOMPARE(dragged->methods[m].map.values, fresh.methods[m].map.values);
                QCOMPARE(dragged->methods[m].chosen.logits, fresh.methods[m].chosen.logits);
                QCOMPARE(dragged->methods[m].chosen.weights, fresh.methods[m].chosen.weights);
                QCOMPARE(dragged->methods[m].rows.size(), fresh.methods[m].rows.size());
                for (size_t r = 0; r < fresh.methods[m].rows.size(); ++r)
                    QCOMPARE(dragged->methods[m].rows[r].entropy, fresh.methods[m].rows[r].entropy);
            }
        }
    }
}

void TestRemembered::sourcesAreNested()
{
    for (const SyntheticSource& source : syntheticSources()) {
        const auto shorter = generate({source.id, {}, {}}, {.queries = 20, .keys = 20, .d = 8, .seed = 5});
        const auto longer = generate({source.id, {}, {}}, {.queries = 33, .keys = 33, .d = 8, .seed = 5});
        const auto later = generate({source.id, {}, {}}, {.queries = 5, .keys = 20, .d = 8, .seed = 5, .firstQuery = 15});
        QVERIFY(shorter && longer && later);
        const auto columns = shorter->queries[0].cols();
        QVERIFY2(shorter->queries[0] == longer->queries[0].topLeftCorner(20, columns), source.id.c_str());
        QVERIFY2(later->queries[0] == shorter->queries[0].bottomRows(5), source.id.c_str());
        if (!shorter->keys.empty())
            QVERIFY2(shorter->keys[0] == longer->keys[0].topRows(20), source.id.c_str());
    }
}

void TestRemembered::fileWrittenAgainIsReadAgain()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("heads.safetensors").toStdString();
    const auto write = [&](float factor, std::int64_t tokens) {
        const std::vector<float> values(static_cast<size_t>(tokens * 4), factor);
        const auto saved = writeSafetensors(path, std::vector<TensorView>{tensorView("q", {tokens, 4}, values), tensorView("k", {tokens, 4}, values)});
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().message.c_str());
    };
    Scenario scenario = small("tensors");
    scenario.tensors.path = path;
    AnalysisCache cache;
    write(1, 8);
    QCOMPARE(analyse(scenario, {}, cache)->keyCount, std::int64_t(8));
    write(2, 12);
    QCOMPARE(analyse(scenario, {}, cache)->keyCount, std::int64_t(12));
}

QTEST_APPLESS_MAIN(TestRemembered)
#include "test_remembered.moc"
