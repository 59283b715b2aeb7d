// The folder of a lab's run: nothing in it is overwritten that was not asked for, and nothing goes on from a checkpoint
// that is not one.

#include "run_lab.h"

#include "core/base/folder_lock.h"
#include "core/labs/lab_record.h"
#include "core/labs/lab_support.h"
#include "core/learn/checkpoint.h"
#include "core/tensor/tensor_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace attnscope;

namespace {

const std::string checkpointName = "eie_d4_checkpoint.safetensors";

/// Every file, hidden ones too.
std::map<QString, QByteArray> filesIn(const QString& folder)
{
    std::map<QString, QByteArray> files;
    for (const QFileInfo& info : QDir(folder).entryInfoList(QDir::Files | QDir::Hidden)) {
        QFile file(info.filePath());
        files[info.fileName()] = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be opened)");
    }
    return files;
}

/// A few epochs of a small network.
LabRun smallRun(const QString& folder, int epochs, bool resume = false, const std::string& more = {})
{
    return {.choice = choose("eie:epochs=" + std::to_string(epochs) + ",steps=2,batch=8" + more + ",\"4:10:20\""),
            .folder = folder.toStdString(),
            .resume = resume};
}

/// The checkpoint with one element of a tensor, or a word of its metadata, changed, and the checksum that it then has.
bool change(const QString& folder, const std::string& tensor, float value, const std::string& key = {},
            const std::string& word = {})
{
    const std::string path = folder.toStdString() + "/" + checkpointName;
    const Result<TensorFile> file = TensorFile::open(path);
    if (!file)
        return false;
    std::vector<std::vector<float>> values;
    std::vector<TensorView> views;
    for (const TensorInfo& info : file->tensors()) {
        values.push_back(*file->read<float>(info));
        if (info.name == tensor)
            values.back().back() = value;
        views.push_back(tensorView(info.name, info.shape, values.back()));
    }
    std::map<std::string, std::string> metadata = file->metadata();
    if (!key.empty())
        metadata[key] = word;
    metadata[learn::checksumKey] = learn::checksumOf(views, metadata);
    return writeSafetensors(path, views, metadata).has_value();
}

}  // namespace

class TestLabFolders : public QObject {
    Q_OBJECT
private slots:
    void aRunIsNotOverwritten();
    void otherFilesAreNotOverwritten();
    void resumingOverwritesNoOtherFiles();
    void aRunOfAnotherLabIsNotResumed();
    void anotherTrainingIsNotResumed();
    void aStartThatFailedLeavesTheFolderFree();
    void twoRunsDoNotShareAFolder();
    void trainingsDoNotShareFiles();
    void aLongerTrainingIsNotShortened();
    void whatARunHadFoundStaysUntilItIsFoundAgain();
    void damagedCheckpointsAreRefused_data();
    void damagedCheckpointsAreRefused();
};

void TestLabFolders::aRunIsNotOverwritten()
{
    QTemporaryDir folder;
    runOrFail(smallRun(folder.path(), 3));
    const auto before = filesIn(folder.path());
    QVERIFY(before.contains("run.json") && before.contains(QString::fromStdString(checkpointName)));
    const Result<LabResult> again = runLab(smallRun(folder.path(), 1));
    QVERIFY(!again);
    QCOMPARE(again.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(again.error().message.starts_with(folder.path().toStdString() + " holds a run already"),
             again.error().message.c_str());
    QVERIFY(filesIn(folder.path()) == before);
    // nor where its record is gone
    QVERIFY(QFile::remove(folder.filePath("run.json")));
    QVERIFY(!runLab(smallRun(folder.path(), 1)));
    QCOMPARE(filesIn(folder.path()).size(), before.size() - 1);
}

void TestLabFolders::otherFilesAreNotOverwritten()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("lambda.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    const Result<LabResult> run = runLab(smallRun(folder.path(), 1));
    QVERIFY(!run);
    QVERIFY2(run.error().message.find("is not empty") != std::string::npos, run.error().message.c_str());
    QCOMPARE(filesIn(folder.path()).size(), std::size_t{1});
    QVERIFY(file.rename(folder.filePath(".hidden")));
    QVERIFY(runLab(smallRun(folder.path(), 1)));
}

/// Nor by a run to be resumed that is not there. A folder with this lab's checkpoint alone goes on.
void TestLabFolders::resumingOverwritesNoOtherFiles()
{
    QTemporaryDir folder, other, own, empty;
    QFile file(folder.filePath("lambda.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    const auto refused = [&] {
        const auto before = filesIn(folder.path());
        const Result<LabResult> run = runLab(smallRun(folder.path(), 1, true));
        return !run && run.error().message.find("holds no run of eie to resume") != std::string::npos &&
               filesIn(folder.path()) == before;
    };
    QVERIFY(refused());
    runOrFail(smallRun(other.path(), 1));
    QVERIFY(change(other.path(), {}, 0, "lab", "recall"));
    QVERIFY(QFile::copy(other.filePath(checkpointName.c_str()), folder.filePath(checkpointName.c_str())));
    QVERIFY(holdsCheckpoint(folder.path().toStdString()) && refused());  // another lab's
    const LabResult whole = runOrFail(smallRun(own.path(), 3));
    QVERIFY(QFile::remove(own.filePath("run.json")));
    const LabResult again = runOrFail(smallRun(own.path(), 3, true));
    QVERIFY(again.rows.size() == whole.rows.size() && QFile::exists(own.filePath("run.json")));
    QVERIFY(runLab(smallRun(empty.path(), 1, true)));  // nothing to resume there, and nothing to lose
}

void TestLabFolders::aRunOfAnotherLabIsNotResumed()
{
    QTemporaryDir folder;
    runOrFail(smallRun(folder.path(), 1));
    const auto before = filesIn(folder.path());
    const Result<LabResult> other =
        runLab({.choice = choose("max-retrieval:steps=2,batch=4,width=8,seeds=2,sets=16,most_items=16,\"vanilla\""),
                .folder = folder.path().toStdString(),
                .resume = true});
    QVERIFY(!other);
    QVERIFY2(other.error().message.find("holds a run of eie, not of max-retrieval") != std::string::npos,
             other.error().message.c_str());
    QVERIFY(filesIn(folder.path()) == before);
}

void TestLabFolders::anotherTrainingIsNotResumed()
{
    QTemporaryDir folder;
    const auto run = [&](const std::string& parameters, bool resume) {
        return runLab({.choice = choose("max-retrieval:" + parameters +
                                        "batch=4,width=8,seeds=2,sets=16,most_items=16,\"vanilla\""),
                       .folder = folder.path().toStdString(),
                       .resume = resume});
    };
    QVERIFY(run("steps=2,seed=3,", false));
    const auto before = filesIn(folder.path());
    const Result<LabResult> seed = run("steps=2,seed=4,", true),
                            shipped = runLab({.choice = choose("max-retrieval:steps=0"),
                                              .folder = folder.path().toStdString(),
                                              .resume = true});
    QVERIFY(!seed && !shipped);
    QVERIFY2(seed.error().message.find("no max_retrieval_seed4_checkpoint.safetensors") != std::string::npos,
             seed.error().message.c_str());
    QVERIFY2(shipped.error().message.find("steps = 0") != std::string::npos, shipped.error().message.c_str());
    QVERIFY(filesIn(folder.path()) == before);
    QVERIFY(run("steps=4,heads=2,seed=3,", true));  // the second head has no checkpoint yet
}

void TestLabFolders::aStartThatFailedLeavesTheFolderFree()
{
    QTemporaryDir folder;
    LabRun wrong = smallRun(folder.path(), 1);
    wrong.choice.text = "nonsense";
    QVERIFY(!runLab(wrong));
    QVERIFY(runLab(smallRun(folder.path(), 1)));
}

void TestLabFolders::twoRunsDoNotShareAFolder()
{
    QTemporaryDir folder;
    {
        const Result<FolderLock> other = FolderLock::take(folder.path().toStdString());
        QVERIFY(other);
        const Result<LabResult> run = runLab(smallRun(folder.path(), 1));
        QVERIFY(!run);
        QVERIFY2(run.error().message.find("another run is writing there") != std::string::npos,
                 run.error().message.c_str());
        QVERIFY(filesIn(folder.path()).empty());
    }
    QVERIFY(runLab(smallRun(folder.path(), 1)));
}

void TestLabFolders::trainingsDoNotShareFiles()
{
    QTemporaryDir folder;
    LabRun run = smallRun(folder.path(), 1);
    run.choice.text = "4:10:20 4:10:40";
    const Result<LabResult> both = runLab(run);
    QVERIFY(!both);
    QVERIFY2(both.error().message.find("d = 4") != std::string::npos, both.error().message.c_str());
    run.folder.clear();
    QVERIFY(runLab(run));
}

void TestLabFolders::aLongerTrainingIsNotShortened()
{
    QTemporaryDir folder;
    runOrFail(smallRun(folder.path(), 3));
    const auto before = filesIn(folder.path());
    const Result<LabResult> fewer = runLab(smallRun(folder.path(), 2, true));
    QVERIFY(!fewer);
    QCOMPARE(fewer.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(fewer.error().message.find(
                 "has been trained for 3 epochs, more than the 2 asked for; set epochs to 3 or more") !=
                 std::string::npos,
             fewer.error().message.c_str());
    QVERIFY(filesIn(folder.path()) == before);
    QVERIFY(runLab(smallRun(folder.path(), 3, true)));
    QVERIFY(runLab(smallRun(folder.path(), 4, true)));
}

/// Tests have no checkpoint: a run that goes on makes them again, and keeps those that were there if it is stopped
/// earlier; in the end it has those of a run that was never stopped, each once.
void TestLabFolders::whatARunHadFoundStaysUntilItIsFoundAgain()
{
    const QTemporaryDir folder, whole;
    const Choice choice = choose("max-retrieval:most_items=1024,sets=128,seeds=2,\"vanilla; infoscale\"");
    const auto rowsOf = [](const LabRecord& record) {
        std::map<std::string, int> rows;
        for (const LabRow& row : record.rows)
            ++rows[row.table];
        return rows;
    };
    LabRun run{.choice = choice, .folder = folder.path().toStdString(), .resume = false};
    const auto stoppedAfter = [&](std::size_t rows) {
        std::stop_source stop;
        std::size_t seen = 0;
        const auto result = runLab(run, stop.get_token(), [&](const LabUpdate& update) {
            if ((seen += update.rows.size()) >= rows)
                stop.request_stop();
        });
        return !result && result.error().kind == ErrorKind::Cancelled;
    };
    QVERIFY(stoppedAfter(1));
    const auto had = rowsOf(readRecord(run.folder).value());
    QVERIFY(!had.empty());
    run.resume = true;
    QVERIFY(stoppedAfter(0));
    QCOMPARE(rowsOf(readRecord(run.folder).value()), had);
    QVERIFY(runLab(run, {}, {}));
    QVERIFY(runLab({.choice = choice, .folder = whole.path().toStdString()}, {}, {}));
    QCOMPARE(rowsOf(readRecord(run.folder).value()), rowsOf(readRecord(whole.path().toStdString()).value()));
}

void TestLabFolders::damagedCheckpointsAreRefused_data()
{
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<float>("value");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("says");
    constexpr float infinity = std::numeric_limits<float>::infinity();
    QTest::addRow("NaN in a weight") << "output.bias" << std::nanf("") << ""
                                     << ""
                                     << "'output.bias' holds NaN or infinity";
    QTest::addRow("infinity in a weight") << "input.weight" << infinity << ""
                                          << ""
                                          << "'input.weight' holds NaN or infinity";
    QTest::addRow("infinity in a moment") << "optimizer.exp_avg.input.weight" << -infinity << ""
                                          << ""
                                          << "'optimizer.exp_avg.input.weight' holds NaN or infinity";
    QTest::addRow("a mean of squares below 0") << "optimizer.exp_avg_sq.input.weight" << -1.0F << ""
                                               << ""
                                               << "numbers below 0";
    QTest::addRow("two thousand million steps") << "" << 0.0F << "optimizer.steps"
                                                << "2000000000"
                                                << "2000000000 steps, and its training curve 3 epochs";
    QTest::addRow("half an epoch") << "" << 0.0F << "optimizer.steps"
                                   << "5"
                                   << "5 steps, and its training curve 3 epochs";
    QTest::addRow("fewer steps than its curve") << "" << 0.0F << "optimizer.steps"
                                                << "4"
                                                << "4 steps, and its training curve 3 epochs";
    QTest::addRow("steps below 0") << "" << 0.0F << "optimizer.steps"
                                   << "-2"
                                   << "'-2' is not a number of training steps";
    QTest::addRow("no curve") << "" << 0.0F << "lab.history"
                              << ""
                              << "training curve";
    QTest::addRow("another curve") << "" << 0.0F << "lab.history"
                                   << "0 0 0 1 0.5 0.5 2 0.5 0.5"
                                   << "6 steps, and its training curve 2 epochs";
}

void TestLabFolders::damagedCheckpointsAreRefused()
{
    QFETCH(QString, tensor);
    QFETCH(float, value);
    QFETCH(QString, key);
    QFETCH(QString, word);
    QFETCH(QString, says);
    QTemporaryDir folder;
    runOrFail(smallRun(folder.path(), 3));
    QVERIFY(change(folder.path(), tensor.toStdString(), value, key.toStdString(), word.toStdString()));
    const auto before = filesIn(folder.path());
    const Result<LabResult> resumed = runLab(smallRun(folder.path(), 4, true));
    QVERIFY(!resumed);
    const QString message = QString::fromStdString(resumed.error().message);
    QVERIFY2(message.contains(says) && message.contains(QString::fromStdString(checkpointName)), qPrintable(message));
    QVERIFY(filesIn(folder.path()) == before);
}

QTEST_GUILESS_MAIN(TestLabFolders)
#include "test_lab_folders.moc"
