// Everything that the program saves, while the disk fills up in the middle of it: the old file is still there, whole,
// nothing is left beside it, and the error names the file. Every writer of a file must have a row here.

#include "app/commands/command.h"
#include "core/labs/lab_record.h"
#include "core/learn/checkpoint.h"
#include "core/learn/layers.h"
#include "program.h"
#include "tests/support/full_disk.h"
#include "tests/ui/window_support.h"
#include "ui/plot/png_file.h"
#include "ui/window/autosave.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/player.h"
#include "ui/workbench/document.h"
#include "ui/workbench/session_file.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/window/record_sheet.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QJsonDocument>
#include <QMap>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <sstream>

using namespace attnscope;

namespace {

const QByteArray oldContent = "the old one";

/// What goes wrong, in words; empty: nothing did.
using Save = std::function<std::string(const std::string& path)>;

using WindowSave = std::function<std::string(MainWindow& window, const std::string& path)>;

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

/// Trains a small head into the folder PATH, going on with what is there.
Save smallLab(int steps)
{
    return command({"lab", "max-retrieval", "--set", "steps=" + std::to_string(steps), "--set", "batch=8", "--set",
                    "width=16", "--set", "sets=8", "--set", "most_items=16", "--out", "PATH", "--resume"});
}

QAction* actionOf(QWidget& where, const QString& words)
{
    for (QAction* action : where.findChildren<QAction*>())
        if (action->text().remove('&').startsWith(words))
            return action;
    return nullptr;
}

/// The context menu's line of the first map.
std::string saveCells(MainWindow& window, const std::string& path)
{
    QSignalSpy said(&window.explore().heatmaps(), &HeatmapPanel::saidAbout);
    HeatmapPlot* plot = window.explore().heatmaps().tiles().front()->plot();
    emit plot->customContextMenuRequested(QPoint(20, 20));
    QAction* save = actionOf(*plot, "Save the cells");
    if (!save)
        return "there is no line in the menu";
    attnscope::testing::answerDialog(path);
    save->trigger();
    if (QWidget* menu = QApplication::activePopupWidget())
        menu->close();
    return said.size() != 1 ? "nothing was said" : said[0][1].toBool() ? said[0][0].toString().toStdString() : "";
}

/// One frame is enough: `path` is that of the first, in a folder that holds another recording's.
std::string recordFrames(MainWindow& window, const std::string& path)
{
    const QFileInfo old(QString::fromStdString(path)),
        frame(old.dir().filePath(QStringLiteral("recording 2/") + old.fileName()));
    window.messages().hide();
    attnscope::testing::answerDialog(QFileInfo(QString::fromStdString(path)).path().toStdString());
    QAction* record = actionOf(window, "Record");
    auto* sheet = window.findChild<RecordSheet*>();
    if (!record || !sheet)
        return "there is no line in the menu";
    record->trigger();
    sheet->formats()->setCurrentIndex(sheet->formats()->findData(false));
    sheet->start()->click();
    const bool kept = QTest::qWaitFor(
        [&] { return window.messages().showsError() || QFileInfo::exists(frame.filePath()); }, patience);
    const std::string wrong = window.messages().showsError() ? window.messages().message().toStdString() : "";
    window.findChild<Player*>()->pause();
    return kept ? wrong : "no frame came";
}

/// Not one that was cut off: what its format says of its end is there.
bool isWhole(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray bytes = file.readAll();
    if (path.endsWith(".safetensors"))
        return TensorFile::open(path.toStdString()).has_value();
    if (path.endsWith(".json"))
        return QJsonDocument::fromJson(bytes).isObject();
    static const QRegularExpression quoted(QStringLiteral("\"[^\"]*\""));  // what may hold commas of its own
    const QStringList lines = QString::fromUtf8(bytes).remove(quoted).split(u'\n');
    return path.endsWith(".csv") && lines.last().isEmpty() && lines.size() > 2 &&
           lines[lines.size() - 2].count(u',') == lines.front().count(u',');
}

}  // namespace

Q_DECLARE_METATYPE(Save)
Q_DECLARE_METATYPE(WindowSave)

class TestSavingEverywhere : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        attnscope::testing::prepareApplication();
        QVERIFY(writeTestTensors(m_inputs.path()));
    }
    void anInterruptedSaveLeavesTheOldFile_data();
    void anInterruptedSaveLeavesTheOldFile();
    void anInterruptedAutosaveLeavesTheOldOne();
    void anInterruptedLabLeavesWholeFiles_data();
    void anInterruptedLabLeavesWholeFiles();
    void anInterruptedLabLeavesItsOldTables();
    void aWindowThatCannotSaveLeavesTheOldFile_data();
    void aWindowThatCannotSaveLeavesTheOldFile();

private:
    QTemporaryDir m_inputs;
};

void TestSavingEverywhere::anInterruptedSaveLeavesTheOldFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Save>("save");
    const std::string tensors = m_inputs.filePath("uniform.safetensors").toStdString();
    QTest::addRow("session") << "a.attnscope" << Save([](const std::string& path) {
        return fault(saveSession({}, QString::fromStdString(path)));
    });
    QTest::addRow("model") << "a.safetensors" << Save([](const std::string& path) {
        learn::Linear layer("line", 30, 20);
        return fault(learn::saveModel(path, {&layer.weight, &layer.bias}));
    });
    QTest::addRow("checkpoint of a training") << "a.safetensors" << Save([](const std::string& path) {
        learn::Linear layer("line", 30, 20);
        return fault(learn::saveTraining(path, {&layer.weight, &layer.bias}, learn::Adam()));
    });
    for (const char* ending : {"csv", "json", "npy"})
        QTest::addRow("row statistics, %s", ending)
            << QString("a.%1").arg(ending) << command({"stats", tensors, "--per-row", "-o", "PATH"});
    for (const char* ending : {"npy", "png", "pdf", "svg"})
        QTest::addRow("heatmap, %s", ending)
            << QString("a.%1").arg(ending) << command({"heatmap", "--source", "local", "--n", "64", "-o", "PATH"});
    for (const char* ending : {"pdf", "svg", "png"})
        QTest::addRow("figure, %s", ending)
            << QString("a.%1").arg(ending) << command({"figure", "adaptive_fit", "-o", "PATH"});
    QTest::addRow("picture") << "a.png" << Save([](const std::string& path) {
        QImage noise(64, 64, QImage::Format_RGB32);
        for (int i = 0; i < 64 * 64; ++i)
            noise.setPixel(i % 64, i / 64, static_cast<uint>(i) * 2654435761U);
        return fault(savePng(noise, path));
    });
    QTest::addRow("record of a lab") << "run.json" << Save([](const std::string& path) {
        LabRecord record{.choice = {"eie", {}, {}}};
        record.rows.assign(20, {"curve", {{"n", std::int64_t{100}}, {"loss", 0.5}}});
        return fault(saveRecord(QFileInfo(QString::fromStdString(path)).path().toStdString(), record));
    });
    QTest::addRow("data of a figure") << "a.csv"
                                      << command({"figure", "adaptive_fit", "-o",
                                                  m_inputs.filePath("figure.svg").toStdString(), "--data", "PATH"});
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
    SaveQueue saves;
    Autosave autosave(folder.path(), saves);
    autosave.watch(document, [&] {
        Session session;
        session.scenario = document.scenario();
        return session;
    });
    document.edit("Length", [](Scenario& scenario) { scenario.n = 77; });
    QSignalSpy failed(&autosave, &Autosave::failed);
    autosave.saveNow();
    QTRY_VERIFY(!saves.isBusy());
    document.edit("Length", [](Scenario& scenario) { scenario.n = 78; });
    {
        const FullDisk full(100);
        autosave.saveNow();
        QTRY_VERIFY(!saves.isBusy());
    }
    QCOMPARE(failed.size(), 1);  // and it is said
    const auto left = loadSession(folder.filePath("autosave.attnscope"));
    QVERIFY2(left, left ? "" : left.error().message.c_str());
    QCOMPARE(left->scenario.n, 77);
}

void TestSavingEverywhere::anInterruptedLabLeavesWholeFiles_data()
{
    QTest::addColumn<int>("room");
    for (const int bytes : {50, 400, 2000, 8000, 30000})
        QTest::addRow("%d bytes", bytes) << bytes;
}

/// A lab keeps several files, large and small, so the disk is full at one or the other: each is the old one or a new
/// one.
void TestSavingEverywhere::anInterruptedLabLeavesWholeFiles()
{
    QFETCH(int, room);
    QTemporaryDir folder;
    std::string wrong = smallLab(20)(folder.path().toStdString());
    QVERIFY2(wrong.empty(), wrong.c_str());
    const QStringList names = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
    QVERIFY(names.contains("table1.csv") && names.contains("max_retrieval_seed1_checkpoint.safetensors"));
    qint64 largest = 0;
    for (const QString& name : names) {
        largest = std::max(largest, QFileInfo(folder.filePath(name)).size());
        QVERIFY2(isWhole(folder.filePath(name)), qPrintable(name));
    }
    QVERIFY2(largest > room, "nothing is too large for this disk");
    {
        const FullDisk full(static_cast<rlim_t>(room));
        wrong = smallLab(40)(folder.path().toStdString());
    }
    QVERIFY2(!wrong.empty(), "it claims to have saved");
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), names);
    for (const QString& name : names)
        QVERIFY2(isWhole(folder.filePath(name)), qPrintable(name));
}

/// One table that cannot be written leaves all of them as they were.
void TestSavingEverywhere::anInterruptedLabLeavesItsOldTables()
{
    QTemporaryDir folder;
    std::string wrong = smallLab(20)(folder.path().toStdString());
    QVERIFY2(wrong.empty(), wrong.c_str());
    const QString blocked = folder.filePath("table1.csv");
    QVERIFY(QFile::remove(blocked) && QDir().mkdir(blocked));
    QMap<QString, QByteArray> before;
    for (const QString& name : QDir(folder.path()).entryList({"*.csv"}, QDir::Files)) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        before[name] = file.readAll();
    }
    QVERIFY(before.size() > 1);
    wrong = smallLab(40)(folder.path().toStdString());
    QVERIFY2(QString::fromStdString(wrong).contains("table1.csv"), wrong.c_str());
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        QFile file(folder.filePath(it.key()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), it.value());
    }
}

void TestSavingEverywhere::aWindowThatCannotSaveLeavesTheOldFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<WindowSave>("save");
    QTest::addColumn<QString>("saved");
    QTest::addRow("cells of a map") << "cells.npy" << WindowSave(saveCells) << "cells.npy";
    QTest::addRow("frames") << "frame_0000.png" << WindowSave(recordFrames) << "recording 2/frame_0000.png";
}

void TestSavingEverywhere::aWindowThatCannotSaveLeavesTheOldFile()
{
    QFETCH(QString, name);
    QFETCH(WindowSave, save);
    QFETCH(QString, saved);
    QTemporaryDir folder;
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(oldContent) == oldContent.size());
    file.close();
    const auto window = attnscope::testing::smallWindow();
    QVERIFY(window);
    std::string wrong;
    {
        const FullDisk full(100);
        wrong = save(*window, file.fileName().toStdString());
    }
    QVERIFY2(QString::fromStdString(wrong).contains(folder.path()), wrong.c_str());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), oldContent);
    file.close();

    wrong = save(*window, file.fileName().toStdString());  // with room again it works
    QVERIFY2(wrong.empty(), wrong.c_str());
    QVERIFY(QFileInfo(folder.filePath(saved)).size() > 100);
}

QTEST_MAIN(TestSavingEverywhere)
#include "test_saving_everywhere.moc"
