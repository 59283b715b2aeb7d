// Everything that the program saves, while the disk fills up in the middle of it: the old file is still there, whole, nothing
// is left beside it, and the error names the file.

#include "app/commands/command.h"
#include "core/learn/checkpoint.h"
#include "core/learn/layers.h"
#include "core/tensor/tensor_writer.h"
#include "program.h"
#include "tests/support/full_disk.h"
#include "ui/window/autosave.h"
#include "ui/window/document.h"
#include "ui/window/session_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <sstream>

using namespace attnscope;

namespace {

const QByteArray oldContent = "the old one";

/// What goes wrong, in words; empty: nothing did.
using Save = std::function<std::string(const std::string& path)>;

std::string fault(const Result<void>& saved) { return saved ? "" : saved.error().message; }

/// A subcommand, in this process; PATH stands for where it saves.
Save command(std::vector<std::string> arguments)
{
    return [arguments = std::move(arguments)](const std::string& path) {
        std::vector<std::string> words = arguments;
        for (std::string& word : words)
            if (word == "PATH")
                word = path;
        std::ostringstream out, err;
        return runCommand(words, {out, err}) == 0 ? std::string() : err.str();
    };
}

}  // namespace

Q_DECLARE_METATYPE(Save)

class TestSavingEverywhere : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(writeTestTensors(m_inputs.path())); }
    void anInterruptedSaveLeavesTheOldFile_data();
    void anInterruptedSaveLeavesTheOldFile();
    void anInterruptedAutosaveLeavesTheOldOne();

private:
    QTemporaryDir m_inputs;
};

void TestSavingEverywhere::anInterruptedSaveLeavesTheOldFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Save>("save");
    const std::string tensors = m_inputs.filePath("uniform.safetensors").toStdString();
    QTest::addRow("session") << "a.attnscope" << Save([](const std::string& path) { return fault(saveSession({}, QString::fromStdString(path))); });
    QTest::addRow("model") << "a.safetensors" << Save([](const std::string& path) {
        learn::Linear layer("line", 30, 20);
        return fault(learn::saveModel(path, {&layer.weight, &layer.bias}));
    });
    QTest::addRow("checkpoint of a training") << "a.safetensors" << Save([](const std::string& path) {
        learn::Linear layer("line", 30, 20);
        return fault(learn::saveTraining(path, {&layer.weight, &layer.bias}, learn::Adam()));
    });
    for (const char* ending : {"csv", "json", "npy"})
        QTest::addRow("row statistics, %s", ending) << QString("a.%1").arg(ending) << command({"stats", tensors, "--per-row", "-o", "PATH"});
    for (const char* ending : {"npy", "png", "pdf", "svg"})
        QTest::addRow("heatmap, %s", ending) << QString("a.%1").arg(ending) << command({"heatmap", "--source", "local", "--n", "64", "-o", "PATH"});
    for (const char* ending : {"pdf", "svg", "png"})
        QTest::addRow("figure, %s", ending) << QString("a.%1").arg(ending) << command({"figure", "adaptive_fit", "-o", "PATH"});
    QTest::addRow("data of a figure") << "a.csv" << command({"figure", "adaptive_fit", "-o", m_inputs.filePath("figure.svg").toStdString(), "--data", "PATH"});
}

void TestSavingEverywhere::anInterruptedSaveLeavesTheOldFile()
{
    QFETCH(QString, name);
    QFETCH(Save, save);
    QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(oldContent) == oldContent.size());
    file.close();
    std::string wrong;
    {
        const FullDisk full(100);
        wrong = save(file.fileName().toStdString());
    }
    QVERIFY2(!wrong.empty(), "it claims to have saved");
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), oldContent);
    file.close();

    wrong = save(file.fileName().toStdString());  // with room again it works
    QVERIFY2(wrong.empty(), wrong.c_str());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().size() > 100);
}

void TestSavingEverywhere::anInterruptedAutosaveLeavesTheOldOne()
{
    QTemporaryDir folder;
    Document document;
    Autosave autosave(document, folder.path(), [&] {
        Session session;
        session.scenario = document.scenario();
        return session;
    });
    document.edit("Length", [](Scenario& scenario) { scenario.n = 77; });
    autosave.saveNow();
    document.edit("Length", [](Scenario& scenario) { scenario.n = 78; });
    {
        const FullDisk full(100);
        autosave.saveNow();
    }
    const auto left = loadSession(folder.filePath("autosave.attnscope"));
    QVERIFY2(left, left ? "" : left.error().message.c_str());
    QCOMPARE(left->scenario.n, 77);
}

QTEST_MAIN(TestSavingEverywhere)
#include "test_saving_everywhere.moc"
