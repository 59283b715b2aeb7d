// What a model did travels with the queries and keys that are saved of it: every type of model that is run gives, from
// its file alone, the entropies that it had.

#include "tests/model/every_family.h"
#include "tests/model/small_gguf.h"

#include "core/attention/engines.h"
#include "core/attention/normaliser.h"
#include "core/attention/suggested_view.h"
#include "core/model/families/families.h"
#include "core/model/head_recorder.h"
#include "core/model/evaluation.h"
#include "core/rows/rows.h"
#include "core/tensor/head_file.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace attnscope;

namespace {

const std::string shared = SHARED;

std::vector<int> someIds(const Model& model, int count)
{
    std::vector<int> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back((i * i * 7 + i * 13 + 5) % model.architecture.vocabulary);
    return ids;
}

/// Mean entropies as the file says, head by head.
Result<std::vector<double>> fromFile(const TensorFile& file, const HeadCandidate& layer)
{
    TensorSelection selection{.path = {}, .query = layer.query, .key = layer.key, .layout = {}, .holds = {}};
    const HeadSizes sizes = TRY(sizesOf(file, selection));
    const AttentionSpec spec = suggestedAttention(factsOf(file, layer.query), sizes);
    const HeadSet heads = TRY(loadHeads(file, selection));
    std::vector<double> entropies;
    for (int head = 0; head < heads.headCount(); ++head) {
        const AttentionHead prepared = TRY(prepareHead(heads, head, spec));
        const auto n = prepared.keyCount;
        const Engine* engine = TRY(chooseEngine("reference"));
        const auto rows = TRY(summariesOf(prepared, spec.normaliser, *engine, n, 0,
                                          std::vector<double>(static_cast<std::size_t>(n), 1.0), {}));
        entropies.push_back(entropyMean(rows).mean);
    }
    return entropies;
}

}  // namespace

class TestCapturedHeads : public QObject {
    Q_OBJECT

private slots:
    void filesGiveWhatTheModelHad_data();
    void filesGiveWhatTheModelHad();
    void aHeadsOwnSink();
    void weightsAreNoQueriesAndKeys_data() { filesGiveWhatTheModelHad_data(); }
    void weightsAreNoQueriesAndKeys();

private:
    QTemporaryDir m_folder;
};

/// Every family that is run, every architecture of .gguf files, and what lies beside the checkout.
void TestCapturedHeads::filesGiveWhatTheModelHad_data()
{
    QTest::addColumn<QString>("path");
    std::vector<std::string> types{"llama3"};
    for (const Family& family : families())
        types.emplace_back(family.id);
    for (const std::string& type : types) {
        const QString folder = m_folder.filePath(QString::fromStdString(type)), file = folder + ".gguf";
        const auto small = writeFamily(type, folder.toStdString());
        QVERIFY2(small, small ? "" : (type + ": " + small.error()).c_str());
        QTest::addRow("%s", type.c_str()) << folder;
        if (!isOfGguf(type))
            continue;
        std::ofstream(file.toStdString(), std::ios::binary) << build::gguf(converted(*small).file);
        QTest::addRow("%s.gguf", type.c_str()) << file;
    }
    for (const char* beside : {"/data/models", "/data/gguf"}) {
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(shared + beside, ignored))
            QTest::addRow("../shared: %s", entry.path().filename().c_str()) << QString::fromStdString(entry.path());
    }
}

void TestCapturedHeads::filesGiveWhatTheModelHad()
{
    QFETCH(QString, path);
    const auto model = openModel(path.toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    // beyond N of the models whose positions change there, and beyond all windows
    const int n =
        model->architecture.learnedPositions > 0 ? static_cast<int>(model->architecture.learnedPositions) : 48;
    Window window{.inputs = someIds(*model, n), .targets = std::vector<int>(n, -1)};
    HeadRecorder recorder(*model);
    const auto run = runWindow(*model, window,
                               {.policy = {},
                                .pictures = {{}},
                                .last = 0,
                                .engine = "reference",
                                .observe = [&](const LayerHeads& layer) { return recorder.take(layer); },
                                .progress = {},
                                .stop = {}});
    QVERIFY2(run, run ? "" : run.error().message.c_str());
    auto bytes = recorder.bytes("heads", window.inputs);
    QVERIFY(bytes);
    const auto file = TensorFile::fromBytes(std::move(*bytes), "heads");
    QVERIFY(file);
    const auto layers = layersAmong(findCandidates(*file));
    QCOMPARE(layers.size(), std::size_t(model->architecture.layers));
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto read = fromFile(*file, layers[layer]);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->size(), run->entropies[0][layer].size());
        for (std::size_t head = 0; head < read->size(); ++head)
            QVERIFY2(std::abs((*read)[head] - run->entropies[0][layer][head]) < 1e-5,
                     qPrintable(QString("layer %1 head %2: %3, the model had %4")
                                    .arg(layer)
                                    .arg(head)
                                    .arg((*read)[head])
                                    .arg(run->entropies[0][layer][head])));
    }
}

/// Weights and mass beside a head's own sink are those of `sink` with that number; softmax knows of none.
void TestCapturedHeads::aHeadsOwnSink()
{
    HeadSet heads;
    for (const float of : {1.0f, -0.5f}) {
        Matrix query(9, 4), key(9, 4);
        for (Eigen::Index i = 0; i < query.size(); ++i) {
            query.data()[i] = std::sin(static_cast<float>(3 * i + 1)) * of;
            key.data()[i] = std::cos(static_cast<float>(5 * i + 2));
        }
        heads.queries.push_back(query);
        heads.keys.push_back(key);
    }
    const HeadSet plain = heads;
    heads.sinks = {0.7, -1.3};
    const auto rows = [](const HeadSet& of, int head, const char* normaliser) {
        const Choice choice = *parseChoice(std::string_view(normaliser), normalisers(), "normaliser");
        const auto prepared = prepareHead(of, head, {.normaliser = choice});
        return chooseEngine("reference")
            .value()
            ->summarise(*prepared, {.normaliser = choice, .passes = {{9, 0, 9, std::vector<double>(9, 1.5)}}}, {})
            ->front();
    };
    for (int head = 0; head < 2; ++head) {
        const auto own = rows(heads, head, "softmax1"), given = rows(plain, head, head == 0 ? "sink:0.7" : "sink:-1.3"),
                   without = rows(heads, head, "softmax"), softmax = rows(plain, head, "softmax");
        for (std::size_t row = 0; row < 9; ++row) {
            QVERIFY(std::abs(own[row].mass - given[row].mass) < 1e-6 && own[row].mass < 0.99);
            QVERIFY(std::abs(own[row].entropy - given[row].entropy) < 1e-6);
            QVERIFY(std::abs(without[row].entropy - softmax[row].entropy) < 1e-6);
        }
    }
}

/// The weights of every family, whatever its layers are called, name no queries and keys of tokens: what the file is,
/// and that its folder is a model, is said instead. Named by hand they are read.
void TestCapturedHeads::weightsAreNoQueriesAndKeys()
{
    QFETCH(QString, path);
    const QStringList files = QDir(path).entryList({"*.safetensors"}, QDir::Files);
    if (files.isEmpty())
        return;  // a .gguf file is opened as a model whatever asks for it
    const std::string first = path.toStdString() + "/" + files.front().toStdString();
    const auto file = openHeadFile(first);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(findCandidates(*file).empty());
    const auto selection = resolveSelection(*file, {});
    QVERIFY(!selection);
    const QString said = QString::fromStdString(selection.error().message);
    QVERIFY2(said.startsWith(QString::fromStdString(first) + ": the weights of a model, not queries and keys") &&
                 said.contains("Its folder " + path + " is the model"),
             qPrintable(said));
    for (const TensorInfo& tensor : file->tensors())
        if (tensor.shape.size() == 2 && !tensor.unreadable) {
            QVERIFY(resolveSelection(
                *file, {.path = first, .query = tensor.name, .key = tensor.name, .layout = {}, .holds = {}}));
            break;
        }
}

QTEST_APPLESS_MAIN(TestCapturedHeads)
#include "test_captured_heads.moc"
