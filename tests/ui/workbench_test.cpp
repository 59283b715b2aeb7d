// What outlives the window: it can go at any time, and what was asked for is on the disk before it does.
#include "tests/support/full_disk.h"
#include "tests/ui/window_support.h"

#include "ui/window/autosave.h"
#include "ui/workbench/lab_runner.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/player.h"
#include "ui/window/frame_recorder.h"
#include "ui/labs/lab_page.h"
#include "ui/model/model_page.h"
#include "ui/explore/learn_view.h"
#include "ui/window/record_sheet.h"
#include "ui/window/workspaces.h"

#include <QFileInfo>
#include <QImageReader>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <functional>

using namespace attnscope;
using namespace attnscope::testing;

class WorkbenchTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void aWindowMayGoAtAnyTime_data();
    void aWindowMayGoAtAnyTime();
    void closingWhileALabTrainsSaysWhatStays();
    void closingWaitsForAFilm_data();
    void closingWaitsForAFilm();
    void aSecondFilmLeavesTheFirst();
    void aFilmWithoutATemporaryFolderIsSaid();
    void framesAreNotReplaced();
    void anAutosaveKnowsNothingOfARecording();
    void aFullDiskIsSaidAndTheWindowStays();
    void closingKeepsTheRunThatTrains();
    void whatAnAnswerAsksForIsStillToCome();

private:
    /// As the sheet asks for it: a sweep of the temperature.
    void film(MainWindow& window, const QString& path, int frames);
};

void WorkbenchTest::film(MainWindow& window, const QString& path, int frames)
{
    auto* player = window.findChild<Player*>();
    player->setPlayable(QStringLiteral("temperature"));
    player->setSpeed(100);
    answerDialog(path.toStdString());
    emit window.findChild<RecordSheet*>()->asked(
        {.path = {}, .gif = true, .framesPerSecond = 10, .sweep = {0.5, 0.75, frames}});
}

void WorkbenchTest::aWindowMayGoAtAnyTime_data()
{
    QTest::addColumn<QString>("shown");
    for (const Workspace& one : workspaces())
        QTest::addRow("%s", one.id.c_str()) << QString::fromStdString(one.id);
}

/// It is on the screen, a lesson is open, a model and a lab run, and everything was looked at.
void WorkbenchTest::aWindowMayGoAtAnyTime()
{
    QFETCH(QString, shown);
    auto window = smallWindow();
    QVERIFY(window);
    for (const Workspace& one : workspaces())
        window->setWorkspace(QString::fromStdString(one.id));
    window->labs().setChoice(*parseChoice("eie:epochs=100000,steps=2,batch=16,\"4:10:20\"", labs(), "lab"));
    window->labs().start();
    window->openModel(QStringLiteral("masked"));
    window->showDock(QStringLiteral("learn"));
    window->explore().learn().openLesson(1);
    window->pins().pin();
    window->setWorkspace(shown);
    QTest::qWait(50);
    QVERIFY(window->isVisible() && window->bench().lab.isRunning());
    const QString run = QString::fromStdString(window->bench().lab.run().folder);
    window.reset();
    QVERIFY(QDir(run).removeRecursively());
}

void WorkbenchTest::closingWhileALabTrainsSaysWhatStays()
{
    const auto window = smallWindow();
    QVERIFY(window);
    LabRunner& lab = window->bench().lab;
    QTemporaryDir folder;
    const QString run = folder.filePath(QStringLiteral("run 7"));
    lab.start({*parseChoice("eie:epochs=100000,steps=2,batch=16,\"4:10:20\"", labs(), "lab"), run.toStdString()});
    window->close();
    QVERIFY2(window->messages().message().contains("run 7") && window->messages().message().contains("Resume goes on"),
             qPrintable(window->messages().message()));
    QTRY_VERIFY(!window->isVisible());
    QVERIFY(!lab.isRunning() && QFileInfo::exists(run));
}

void WorkbenchTest::closingWaitsForAFilm_data()
{
    QTest::addColumn<int>("frames");
    QTest::addRow("all frames are there") << 4;
    QTest::addRow("frames are still taken") << 4000;
}

void WorkbenchTest::closingWaitsForAFilm()
{
    QFETCH(int, frames);
    QTemporaryDir folder;
    const auto window = smallWindow({1000, 620});
    QVERIFY(window);
    const Scenario before = window->document().scenario();
    auto* recorder = window->findChild<FrameRecorder*>();
    QSignalSpy kept(recorder, &FrameRecorder::kept), swept(recorder, &FrameRecorder::swept);
    const QString path = folder.filePath(QStringLiteral("sweep.gif"));
    film(*window, path, frames);
    QTRY_VERIFY(frames < 10 ? swept.size() == 1 : kept.size() >= 3);
    window->close();
    QVERIFY(swept.size() == 1 && window->document().scenario() == before);
    QTRY_VERIFY(!window->isVisible());
    QCOMPARE(QImageReader(path).imageCount(), static_cast<int>(kept.size()));
}

/// Nor does it take what the first had moved for what was there before.
void WorkbenchTest::aSecondFilmLeavesTheFirst()
{
    QTemporaryDir folder;
    const auto window = smallWindow({1000, 620});
    QVERIFY(window);
    const Scenario before = window->document().scenario();
    const Look look = window->document().look();
    auto* recorder = window->findChild<FrameRecorder*>();
    QSignalSpy kept(recorder, &FrameRecorder::kept), ended(recorder, &FrameRecorder::ended);
    film(*window, folder.filePath(QStringLiteral("first.gif")), 4000);
    QTRY_VERIFY(kept.size() >= 3);
    film(*window, folder.filePath(QStringLiteral("second.gif")), 3);
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(QImageReader(folder.filePath(QStringLiteral("first.gif"))).imageCount() >= 3);
    QCOMPARE(QImageReader(folder.filePath(QStringLiteral("second.gif"))).imageCount(), 3);
    QVERIFY(window->document().scenario() == before);
    QVERIFY(window->document().look() == look);
}

/// The frames of a film need a folder for a while; without one nothing is recorded, and it is said which.
void WorkbenchTest::aFilmWithoutATemporaryFolderIsSaid()
{
    QTemporaryDir folder;
    const auto window = smallWindow({1000, 620});
    QVERIFY(window);
    const Scenario before = window->document().scenario();
    const QByteArray usual = qgetenv("TMPDIR");
    const QString missing = folder.filePath(QStringLiteral("missing"));
    qputenv("TMPDIR", missing.toUtf8());
    film(*window, folder.filePath(QStringLiteral("film.gif")), 3);
    usual.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", usual);
    QVERIFY(window->messages().showsError());
    QVERIFY2(window->messages().message().contains(missing), qPrintable(window->messages().message()));
    QVERIFY(!window->findChild<FrameRecorder*>()->isRecording());
    QVERIFY(window->document().scenario() == before && window->session().toKeep().scenario == before);
}

/// The frames of one recording stay when another goes to the same folder.
void WorkbenchTest::framesAreNotReplaced()
{
    QTemporaryDir folder;
    QFile old(folder.filePath(QStringLiteral("frame_0001.png")));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const auto window = smallWindow({1000, 620});
    QVERIFY(window);
    QSignalSpy ended(window->findChild<FrameRecorder*>(), &FrameRecorder::ended);
    auto* player = window->findChild<Player*>();
    player->setPlayable(QStringLiteral("temperature"));
    player->setSpeed(100);
    answerDialog(folder.path().toStdString());
    emit window->findChild<RecordSheet*>()->asked(
        {.path = {}, .gif = false, .framesPerSecond = 10, .sweep = {0.5, 0.75, 3}});
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(old.size(), 3);
    const QString made = ended[0][1].toString();
    QVERIFY(made != folder.path() && made.startsWith(folder.path()));
    QCOMPARE(QDir(made).entryList(QDir::Files).size(), 3);
}

void WorkbenchTest::anAutosaveKnowsNothingOfARecording()
{
    QTemporaryDir folder;
    const auto window = smallWindow({1000, 620});
    QVERIFY(window);
    const Session before = window->session().toKeep();
    QSignalSpy kept(window->findChild<FrameRecorder*>(), &FrameRecorder::kept);
    bool always = true;
    connect(&window->document(), &Document::changed, this, [&] {
        const Session now = window->session().toKeep();
        always = always && now.scenario == before.scenario && now.look == before.look;
    });
    film(*window, folder.filePath(QStringLiteral("sweep.gif")), 6);
    QTRY_VERIFY(!window->bench().saves.isBusy() && kept.size() == 6);
    QVERIFY(always && window->session().toKeep().scenario == before.scenario);
}

void WorkbenchTest::aFullDiskIsSaidAndTheWindowStays()
{
    QTemporaryDir folder;
    const auto window = smallWindow();
    QVERIFY(window);
    Autosave autosave(folder.path(), window->bench().saves);
    autosave.watch(window->document(), [&] { return window->session().toKeep(); });
    connect(window.get(), &MainWindow::closing, &autosave, &Autosave::saveNow);
    connect(&autosave, &Autosave::failed, window.get(), &MainWindow::sayNotKept);
    QSignalSpy stays(window.get(), &MainWindow::staysOpen);
    {
        const FullDisk full(100);
        for (int times = 0; times < 2; ++times) {  // and again, when one tries again
            window->messages().hide();
            window->close();
            QTRY_VERIFY(!window->bench().saves.isBusy());
            QVERIFY(window->isVisible() && window->messages().showsError());
            QCOMPARE(stays.size(), times + 1);  // so that what was stopped for it is offered again
        }
        window->messages().sayAlso(MessageBar::Kind::Note, QStringLiteral("And this."), {});
        QVERIFY(window->messages().showsError() && window->messages().message().endsWith(QStringLiteral("And this.")));
        window->messages().buttons().front()->click();  // that it is to close all the same
        QTRY_VERIFY(!window->isVisible());
    }
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("autosave.attnscope"))));
}

void WorkbenchTest::closingKeepsTheRunThatTrains()
{
    const auto window = smallWindow();
    QVERIFY(window);
    window->labs().setChoice(*parseChoice("eie:epochs=100000,steps=2,batch=16,\"4:10:20\"", labs(), "lab"));
    window->labs().start();
    LabRunner& lab = window->bench().lab;
    QTRY_VERIFY(lab.record().fraction > 0);
    QVERIFY2(!window->close(), "the checkpoint is not there yet");
    QTRY_VERIFY(!window->isVisible());
    QVERIFY(!lab.isRunning());
    const auto record = readRecord(lab.run().folder);
    QVERIFY(record && !record->finished && record->fraction > 0);
    QVERIFY(QDir(QString::fromStdString(lab.run().folder)).removeRecursively());
}

/// A view that sees the last answer, and asks for other pixels at once.
void WorkbenchTest::whatAnAnswerAsksForIsStillToCome()
{
    Workbench bench;
    Analyser& analyser = bench.analyser;
    QList<int> pixels;
    connect(&analyser, &Analyser::arrived, this, [&](const AnalysisPtr& analysis) {
        pixels << analysis->scenario.view.pixels;
        analyser.setPixels(32);
    });
    QSignalSpy busy(&analyser, &Analyser::busyChanged);
    bench.document.edit(QStringLiteral("Length n"), [](Scenario& scenario) {
        scenario.n = 64;
        scenario.view.table = false;  // one answer, or another before it that has no theory yet
        scenario.view.pixels = 64;
    });
    QTRY_VERIFY(analyser.isSettled());
    QVERIFY(pixels.size() >= 2 && pixels.front() == 64 && pixels.back() == 32);
    QVERIFY(std::ranges::is_sorted(pixels, std::greater()));
    QCOMPARE(busy.size(), 2);  // once on, once off
}

QTEST_MAIN(WorkbenchTest)
#include "workbench_test.moc"
