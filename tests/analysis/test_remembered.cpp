// What an analysis remembers (other rows, scales, regions, lengths, files) gives the picture of a fresh start.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"

#include <QtTest>

#include <cmath>

#include <sys/inotify.h>
#include <unistd.h>

using namespace attnscope;

class TestRemembered : public QObject {
    Q_OBJECT
private slots:
    void cacheGivesTheSameAnswer();
    void draggedLengthsGiveTheSamePicture_data();
    void draggedLengthsGiveTheSamePicture();
    void sourcesAreNested();
    void fileWrittenAgainIsReadAgain();
    void filesBesideAreReadAgain();
    void networkWrittenAgainIsReadAgain();
    void biasFileThatIsWrittenAgain();
    void networkIsReadOnce();
    void rememberedBytesAreBounded();
};

void TestRemembered::cacheGivesTheSameAnswer()
{
    AnalysisCache cache;
    Scenario scenario = small("local");
    QVERIFY(analyse(scenario, {}, cache));
    for (int step = 0; step < 4; ++step) {
        switch (step) {
        case 0:
            scenario.view.row = 10;
            break;
        case 1:
            scenario.temperature = 2;
            break;
        case 2:
            scenario.view.region = {0, 48, 0, 48};
            break;
        case 3:
            scenario.view.measure.id = "max_weight";
            break;
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

// A cache that has seen other lengths takes the first tokens of what it has; the picture is that of a fresh start, bit
// for bit.
void TestRemembered::draggedLengthsGiveTheSamePicture_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("position");
    for (const SyntheticSource& source : syntheticSources())
        QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id) << QStringLiteral("none");
    for (const char* const position :
         {"rope", "rerope", "fire", "alibi"})  // turned; with far keys; a bias in n; a bias in |i - j|
        QTest::addRow("%s", position) << QStringLiteral("local") << QString::fromLatin1(position);
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
        const auto later = generate({source.id, {}, {}}, {.queries = 5, .keys = 18, .d = 8, .seed = 5, .first = 15});
        QVERIFY(shorter && longer && later);
        const auto columns = shorter->queries[0].cols();
        QVERIFY2(shorter->queries[0] == longer->queries[0].topLeftCorner(20, columns), source.id.c_str());
        QVERIFY2(later->queries[0] == shorter->queries[0].bottomRows(5).leftCols(later->queries[0].cols()),
                 source.id.c_str());
        if (shorter->keys.empty())
            continue;
        QVERIFY2(shorter->keys[0] == longer->keys[0].topRows(20), source.id.c_str());
        QVERIFY2(later->keys[0] == longer->keys[0].bottomRows(18), source.id.c_str());
    }
}

void TestRemembered::fileWrittenAgainIsReadAgain()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("heads.safetensors").toStdString();
    const auto write = [&](float factor, std::int64_t tokens) {
        const std::vector<float> values(static_cast<size_t>(tokens * 4), factor);
        const auto saved = writeSafetensors(
            path, std::vector<TensorView>{tensorView("q", {tokens, 4}, values), tensorView("k", {tokens, 4}, values)});
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

/// Keys beside queries, and labels of tokens beside both.
void TestRemembered::filesBesideAreReadAgain()
{
    QTemporaryDir folder;
    const auto path = [&](const char* name) { return folder.filePath(QLatin1String(name)).toStdString(); };
    const auto write = [&](const char* name, float factor) {
        std::vector<float> values(8 * 4);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = factor * std::sin(static_cast<float>(i));
        QVERIFY(writeNpy(path(name), tensorView("", {8, 4}, values)).has_value());
    };
    Scenario scenario = small("tensors");
    scenario.tensors.path = path("q.npy");
    AnalysisCache cache;
    write("q.npy", 1);
    write("k.npy", 1);
    const double before = analyse(scenario, {}, cache)->methods[0].entropy.mean;
    write("k.npy", 9);
    const auto after = analyse(scenario, {}, cache);
    QVERIFY(after && after->methods[0].entropy.mean < before - 0.1);
    QCOMPARE(after->methods[0].entropy.mean, analysed(scenario).methods[0].entropy.mean);
    QVERIFY(after->tokens.empty());
    QFile labels(folder.filePath(QStringLiteral("q.tokens.txt")));
    QVERIFY(labels.open(QIODevice::WriteOnly) && labels.write("a\nb\nc\nd\ne\nf\ng\nh\n") > 0);
    labels.close();
    QCOMPARE(analyse(scenario, {}, cache)->tokens.size(), size_t(8));
}

namespace {

/// A network of one unit for d = 16, N = 64, up to 1024: its slope is constant, `slope` in ln(n / N) / ln 16.
void writeNetwork(const std::string& path, float slope)
{
    const std::vector<float> zero(1, 0.0f), root(1, std::sqrt(slope));
    const std::vector<TensorView> tensors{tensorView("input.weight", {1, 1}, zero), tensorView("input.bias", {1}, zero),
                                          tensorView("output.weight", {1, 1}, zero),
                                          tensorView("output.bias", {1}, root)};
    const auto saved = writeSafetensors(
        path, tensors, {{"d", "16"}, {"n_train", "64"}, {"n_max", "1024"}, {"variable", "log"}, {"epsilon", "0"}});
    QVERIFY2(saved.has_value(), saved ? "" : saved.error().message.c_str());
}

}  // namespace

void TestRemembered::networkWrittenAgainIsReadAgain()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("scale.safetensors").toStdString();
    Scenario scenario = small();
    scenario.n = 256;
    scenario.methods = {{"eie", {}, path}};
    AnalysisCache cache;
    for (const float slope : {0.5f, 1.5f, 3.0f}) {
        writeNetwork(path, slope);
        const auto warm = analyse(scenario, {}, cache);
        QVERIFY2(warm.has_value(), warm ? "" : warm.error().message.c_str());
        // lambda(n) = 1 / sqrt d + slope ln(n / N) / ln 16, so m = 1 + 4 slope / 2 at n = 4 N
        QVERIFY(std::abs(static_cast<double>(warm->methods[0].scale.back()) - (1 + 2 * static_cast<double>(slope))) <
                1e-5);
        const Analysis cold = analysed(scenario);
        QCOMPARE(warm->methods[0].scale, cold.methods[0].scale);
        QCOMPARE(warm->methods[0].entropy.mean, cold.methods[0].entropy.mean);
        QCOMPARE(warm->methods[0].measured.back().value, cold.methods[0].measured.back().value);
        QCOMPARE(warm->methods[0].exact.back().value, cold.methods[0].exact.back().value);
    }
}

void TestRemembered::biasFileThatIsWrittenAgain()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("bias.safetensors").toStdString();
    Scenario scenario = small("local");
    scenario.attention.position = {"t5", {}, path};
    AnalysisCache cache;
    std::vector<double> entropies;
    for (const float slope : {0.0f, 0.25f, 1.0f}) {
        std::vector<float> table;
        for (int bucket = 0; bucket < 32; ++bucket)
            table.push_back(-slope * static_cast<float>(bucket));
        const std::vector<TensorView> tensors{tensorView("relative_attention_bias.weight", {32, 1}, table)};
        QVERIFY(writeSafetensors(path, tensors).has_value());
        const auto warm = analyse(scenario, {}, cache);
        QVERIFY2(warm.has_value(), warm ? "" : warm.error().message.c_str());
        QCOMPARE(warm->methods[0].entropy.mean, analysed(scenario).methods[0].entropy.mean);
        entropies.push_back(warm->methods[0].entropy.mean);
    }
    QVERIFY(entropies[0] > entropies[1] && entropies[1] > entropies[2]);  // ever fewer keys are near
}

void TestRemembered::networkIsReadOnce()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("scale.safetensors").toStdString();
    writeNetwork(path, 1);
    const int watch = inotify_init1(IN_NONBLOCK);
    QVERIFY(watch >= 0 && inotify_add_watch(watch, path.c_str(), IN_OPEN | IN_CLOSE) >= 0);
    Scenario scenario = small();
    scenario.n = 256;
    scenario.methods = {{"eie", {}, path}};
    (void)analysed(scenario);
    alignas(inotify_event) char events[4096];  // opened and closed in turn: the kernel would join two of a kind
    const ssize_t length = read(watch, events, sizeof events);
    close(watch);
    QVERIFY(length > 0);
    int opened = 0;
    for (ssize_t at = 0; at < length;
         at += static_cast<ssize_t>(sizeof(inotify_event)))  // a watched file's events have no name
        opened += reinterpret_cast<const inotify_event*>(events + at)->mask & IN_OPEN ? 1 : 0;
    QCOMPARE(opened, 1);
}

void TestRemembered::rememberedBytesAreBounded()
{
    constexpr size_t most = 6 << 20;
    MemoBase::rememberAtMost(most);
    AnalysisCache cache, other;
    Scenario scenario = small("local");
    scenario.n = 1024;
    scenario.methods = {{"vanilla", {}, {}}};
    for (int step = 0; step < 40; ++step) {
        scenario.temperature = 0.5 + 0.05 * step;
        AnalysisCache& used = step % 2 == 0 ? cache : other;
        const auto warm = analyse(scenario, {}, used);
        QVERIFY(warm.has_value());
        QVERIFY2(MemoBase::remembered() <= most, qPrintable(QString::number(MemoBase::remembered())));
        if (step % 10 == 9)
            QCOMPARE(warm->methods[0].map.values, analysed(scenario).methods[0].map.values);
    }
    QVERIFY(MemoBase::remembered() > most / 4);  // it does remember
    cache.clear();
    other.clear();
    QCOMPARE(MemoBase::remembered(), size_t(0));
    MemoBase::rememberAtMost(size_t(1) << 30);
}

QTEST_APPLESS_MAIN(TestRemembered)
#include "test_remembered.moc"
