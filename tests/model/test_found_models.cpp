// Models that other programs keep on this computer, in a home folder made for the test.

#include "core/model/found_models.h"
#include "core/model/model.h"
#include "tests/model/small_gguf.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace attnscope;

namespace {

const std::string digest = "0d0e647c7cc61c030d0e647c7cc61c030d0e647c7cc61c030d0e647c7cc61c03",
                  configDigest = "ab" + digest.substr(2), adapterDigest = "cd" + digest.substr(2);

std::string manifest(const std::string& type, const std::string& of)
{
    return R"({"schemaVersion": 2, "config": {"digest": "sha256:)" + configDigest +
           R"("}, "layers": [{"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:)" +
           adapterDigest + R"("}, {"mediaType": "application/vnd.ollama.image.)" + type + R"(", "digest": ")" + of +
           R"("}]})";
}

}  // namespace

class TestFoundModels : public QObject {
    Q_OBJECT

private slots:
    void init();
    void ollamasBlobsHaveTheirNames();
    void filesOfLlamaCppAndLmStudio();
    void snapshotsOfTheHub();
    void programsMayBeToldOtherFolders();
    void brokenDescriptionsAreNoModels();
    void quantisationsAreReadOffNames_data();
    void quantisationsAreReadOffNames();

private:
    std::string write(const std::string& path, const std::string& bytes)
    {
        const std::filesystem::path whole = std::filesystem::path(m_home->path().toStdString()) / path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole, std::ios::binary) << bytes;
        return whole.string();
    }
    std::unique_ptr<QTemporaryDir> m_home;
    std::string m_model = build::gguf(converted(smallModel("llama")).file);
};

void TestFoundModels::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("HOME", m_home->path().toUtf8());
    for (const char* variable : {"OLLAMA_MODELS", "LLAMA_CACHE", "HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"})
        qunsetenv(variable);
    const auto found = foundModels();
    if (std::ranges::any_of(found, [](const FoundModel& one) { return one.path.starts_with("/usr/share/ollama"); }))
        QSKIP("Ollama runs here as a service.");
    QVERIFY(found.empty());
}

void TestFoundModels::ollamasBlobsHaveTheirNames()
{
    const std::string models = ".ollama/models/", blob = write(models + "blobs/sha256-" + digest, m_model);
    write(models + "blobs/sha256-" + configDigest, R"({"model_format": "gguf", "file_type": "Q4_K_M"})");
    write(models + "blobs/sha256-" + adapterDigest, "a licence");
    const std::string registry = models + "manifests/registry.ollama.ai/";
    write(registry + "library/llama3.2/1b", manifest("model", "sha256:" + digest));
    write(registry + "someone/tuned/latest", manifest("model", "sha256:" + digest));
    write(models + "manifests/hf.co/someone/other-GGUF/Q8_0", manifest("model", "sha256:" + digest));
    write(registry + "library/adapter/latest", manifest("adapter", "sha256:" + digest));
    const auto found = foundModels();
    QCOMPARE(found.size(), std::size_t{3});
    QCOMPARE(found[0].name, std::string("hf.co/someone/other-GGUF:Q8_0"));
    QCOMPARE(found[1].name, std::string("llama3.2:1b"));
    QCOMPARE(found[2].name, std::string("someone/tuned:latest"));
    for (const FoundModel& one : found)
        QVERIFY((one == FoundModel{"Ollama", one.name, blob, m_model.size(), "Q4_K_M"}));
    QVERIFY(isModel(blob) && openModel(blob));
}

void TestFoundModels::filesOfLlamaCppAndLmStudio()
{
    const std::string studio = ".lmstudio/models/lmstudio-community/Small-GGUF/";
    const std::string path = write(studio + "Small-Q8_0.gguf", m_model);
    write(studio + "mmproj-Small-F16.gguf", m_model);  // of pictures
    write(studio + "README.md", "about it");
    const std::string first = write(".cache/llama.cpp/of-F16-00001-of-00002.gguf", m_model);
    write(".cache/llama.cpp/of-F16-00002-of-00002.gguf", "its other half");
    write(".cache/llama.cpp/manifest=x.json", "{}");
    const auto found = foundModels();
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY((found[0] == FoundModel{"LM Studio", "Small-Q8_0", path, m_model.size(), "Q8_0"}));
    QVERIFY((found[1] == FoundModel{"llama.cpp", "of-F16-00001-of-00002", first, m_model.size() + 14, "F16"}));
}

/// Snapshots hold links to blobs; a model that is not run is not offered.
void TestFoundModels::snapshotsOfTheHub()
{
    const std::string hub = ".cache/huggingface/hub/", model = hub + "models--someone--Small/",
                      snapshot = model + "snapshots/c0ffee";
    SmallModel small = smallModel("llama");
    small.config["torch_dtype"] = "bfloat16";
    const auto folder = std::filesystem::path(m_home->path().toStdString()) / snapshot;
    std::filesystem::create_directories(folder);
    QCOMPARE(writeModel(small, folder.string()), std::string());
    const auto blobs = folder.parent_path().parent_path() / "blobs";
    std::filesystem::create_directories(blobs);
    std::filesystem::rename(folder / "model.safetensors", blobs / "ab");
    std::filesystem::create_symlink("../../blobs/ab", folder / "model.safetensors");
    write(model + "refs/main", "c0ffee");
    write(model + "snapshots/older/config.json", small.config.dump());
    write(hub + "models--openai--whisper-tiny/refs/main", "1");
    write(hub + "models--openai--whisper-tiny/snapshots/1/config.json", R"({"model_type": "whisper"})");
    write(hub + "models--openai--whisper-tiny/snapshots/1/model.safetensors", "weights");
    write(hub + "models--someone--Small-GGUF/refs/main", "2");
    const std::string file = write(hub + "models--someone--Small-GGUF/snapshots/2/small.Q8_0.gguf", m_model);
    write(hub + "models--no--ref/snapshots/3/small.gguf", m_model);
    write(hub + "models--bad--ref/refs/main", "../../..");
    const auto found = foundModels();
    QCOMPARE(found.size(), std::size_t{2});
    const auto bytes = std::filesystem::file_size(blobs / "ab");
    QVERIFY((found[0] == FoundModel{"Hugging Face", "someone/Small", folder.string(), bytes, "BF16"}));
    QVERIFY((found[1] == FoundModel{"Hugging Face", "small.Q8_0", file, m_model.size(), "Q8_0"}));
    QVERIFY(openModel(found[0].path) && openModel(found[1].path));
}

void TestFoundModels::programsMayBeToldOtherFolders()
{
    const std::string path = write("elsewhere/llama/a.gguf", m_model);
    qputenv("LLAMA_CACHE", QByteArray::fromStdString(std::filesystem::path(path).parent_path().string()));
    QCOMPARE(foundModels().size(), std::size_t{1});
    QCOMPARE(foundModels().front().path, path);
}

void TestFoundModels::brokenDescriptionsAreNoModels()
{
    const std::string manifests = ".ollama/models/manifests/registry.ollama.ai/library/";
    write(".ollama/models/blobs/sha256-" + digest, m_model);
    write(manifests + "a/1", "no JSON");
    write(manifests + "b/1", "[1, 2]");
    write(manifests + "c/1", R"({"layers": {"digest": 3}})");
    write(manifests + "d/1", R"({"layers": [1, "x", null, {"mediaType": 7}]})");
    write(manifests + "e/1", manifest("model", "sha256:../../../../../../etc/passwd"));
    write(manifests + "f/1", manifest("model", "sha256:" + adapterDigest));  // which is not there
    write(manifests + "g/1", std::string(2 << 20, '['));
    QVERIFY(foundModels().empty());
    qunsetenv("HOME");
    QVERIFY(foundModels().empty());
}

void TestFoundModels::quantisationsAreReadOffNames_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("quantisation");
    const std::pair<const char*, const char*> rows[]{{"Llama-3.2-1B-Instruct-Q4_K_M", "Q4_K_M"},
                                                     {"phi.q8_0", "Q8_0"},
                                                     {"gemma-3-1b-it-BF16", "BF16"},
                                                     {"gpt-oss-20b-mxfp4", "MXFP4"},
                                                     {"some-IQ4_NL", "IQ4_NL"},
                                                     {"Qwen3-0.6B", ""},
                                                     {"Q", ""},
                                                     {"", ""}};
    for (const auto& [name, quantisation] : rows)
        QTest::addRow("'%s'", name) << name << quantisation;
}

void TestFoundModels::quantisationsAreReadOffNames()
{
    QFETCH(QString, name);
    QFETCH(QString, quantisation);
    QCOMPARE(quantisationIn(name.toStdString()), quantisation.toStdString());
}

QTEST_APPLESS_MAIN(TestFoundModels)
#include "test_found_models.moc"
