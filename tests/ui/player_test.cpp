// Playing a number of the scenario, and keeping the frames of a sweep.
#include "tests/ui/window_support.h"

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/player.h"
#include "ui/views/player_bar.h"
#include "ui/window/frame_recorder.h"
#include "ui/window/record_sheet.h"

#include <QActionGroup>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QImageReader>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>

#include <algorithm>
#include <optional>
#include <set>

using namespace attnscope;
using namespace attnscope::testing;

class PlayerTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void everyParameterCanBePlayed();
    void theListsBesideThePlayButtonChoose();
    void aSweepIsKeptAsNumberedFrames();
    void cancellingLeavesWholeFramesOnly();
    void aFolderThatIsNotThereEndsTheRecording();
    void aSweepBecomesAGif();
    void aNumberAtItsStartLosesNoFrame();
    void playingEndsARecording();
    void aRecordingsRangeIsInValues();
    void nothingIsSweptPastTheFile();
    void theFilesOfARunArePlayed();
    void whatIsGoneIsNoLongerPlayed();
    void theWindowSaysWhereTheFramesAre();
    void anErrorStaysVisible();
    void aMenuOfChoicesKeepsOneGroup();

private:
    /// A window whose temperature is played, as fast as it goes.
    struct Stage {
        std::unique_ptr<MainWindow> window = smallWindow({1100, 700});
        Player player{window->document(), window->analyser()};
        std::vector<double> temperatures;  ///< at every frame
        FrameRecorder recorder{player, window->bench().saves, [this] {
                                   temperatures.push_back(window->document().scenario().temperature);
                                   return window->grab().toImage();
                               }};
        Stage()
        {
            player.setPlayable(QStringLiteral("temperature"));
            player.setSpeed(100);
        }
    };
};

namespace {

/// Plays every number of the scenario to both ends; the first choice that its registry then refuses.
QString refusedBy(const Scenario& scenario)
{
    for (const Playable& one : playables(scenario))
        for (const double place : {0.0, 0.5, 1.0}) {
            Scenario moved = scenario;
            one.move(moved, place);
            if (std::abs(one.place(moved) - place) > 0.2)  // whole numbers step
                return one.label + QStringLiteral(" is not at %1 but at %2").arg(place).arg(one.place(moved));
            for (const Entry& entry : sourceEntries())
                if (entry.id == moved.source.id && !validate(entry, moved.source))
                    return one.label;
            if (!validate(**findRow(kernels(), moved.attention.kernel.id, "kernel"), moved.attention.kernel) ||
                !validate(**findRow(positions(), moved.attention.position.id, "position"), moved.attention.position) ||
                !validate(**findRow(masks(), moved.attention.mask.id, "mask"), moved.attention.mask) ||
                !validate(**findRow(normalisers(), moved.attention.normaliser.id, "normaliser"),
                          moved.attention.normaliser))
                return one.label;
            for (const Choice& method : moved.methods)
                if (!validate(**findRow(scaleMethods(), method.id, "scale method"), method))
                    return one.label;
        }
    return {};
}

QStringList filesIn(const QTemporaryDir& folder)
{
    return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
}

QString frameName(int frame) { return QStringLiteral("frame_%1.png").arg(frame, 4, 10, QLatin1Char('0')); }

}  // namespace

/// Whatever is picked from whatever registry, its numbers are among those that can be played, and stay inside their
/// ranges.
void PlayerTest::everyParameterCanBePlayed()
{
    const auto ids = [](const Scenario& scenario) {
        QStringList out;
        for (const Playable& one : playables(scenario))
            out << one.id;
        return out;
    };
    Scenario scenario = smallScenario();
    scenario.source = {"needle", {{"gap", 3}}, {}};
    scenario.attention.kernel = {"cosine", {}, {}};
    const QStringList some = ids(scenario);
    for (const char* wanted : {"n", "temperature", "nTrain", "d", "seed", "source/needle/gap", "kernel/cosine/alpha",
                               "method1/softmax_plus/B"})
        QVERIFY2(some.contains(QLatin1String(wanted)), wanted);
    QVERIFY2(!ids([&] {
                  Scenario theory = scenario;
                  theory.source = {"theory", {}, {}};
                  return theory;
              }())
                  .contains("seed"),
             "theory has no seed");

    for (const Entry& entry : sourceEntries()) {
        scenario.source = {entry.id, {}, {}};
        QVERIFY2(refusedBy(scenario).isEmpty(), qPrintable(refusedBy(scenario)));
    }
    scenario = smallScenario();
    const auto all = [&](auto rows, Choice& choice) {
        for (const auto& row : rows) {
            choice = {row.id, {}, {}};
            QVERIFY2(refusedBy(scenario).isEmpty(), qPrintable(refusedBy(scenario)));
        }
    };
    all(kernels(), scenario.attention.kernel);
    all(positions(), scenario.attention.position);
    all(masks(), scenario.attention.mask);
    all(normalisers(), scenario.attention.normaliser);
    all(scaleMethods(), scenario.methods.front());
}

void PlayerTest::theListsBesideThePlayButtonChoose()
{
    const auto window = smallWindow();
    QVERIFY(window);
    auto* bar = window->findChild<PlayerBar*>();
    QVERIFY(bar && bar->isVisible());
    QCOMPARE(bar->numbers()->currentData().toString(), QStringLiteral("n"));
    const int temperature = bar->numbers()->findData(QStringLiteral("temperature"));
    QVERIFY(temperature > 0);
    bar->numbers()->setCurrentIndex(temperature);
    emit bar->numbers()->activated(temperature);
    bar->speeds()->setCurrentIndex(bar->speeds()->findData(4.0));
    emit bar->speeds()->activated(bar->speeds()->currentIndex());
    const Scenario before = window->document().scenario();
    window->play();
    QTRY_VERIFY(window->document().scenario().temperature != before.temperature);
    QCOMPARE(window->document().scenario().n, before.n);
    auto* player = window->findChild<Player*>();
    QCOMPARE(player->speed(), 4.0);
    player->pause();
    window->document().undo();
    QVERIFY2(window->document().scenario() == before, "all of a playing is one step of undo");
    window->document().edit(QStringLiteral("Source"), [](Scenario& scenario) { scenario.source = {"needle", {}, {}}; });
    QVERIFY2(bar->numbers()->findData(QStringLiteral("source/needle/gap")) > 0, "the list follows what is picked");
    QCOMPARE(bar->numbers()->currentData().toString(), QStringLiteral("temperature"));
}

void PlayerTest::aSweepIsKeptAsNumberedFrames()
{
    Stage stage;
    QTemporaryDir folder;
    QSignalSpy ended(&stage.recorder, &FrameRecorder::ended);
    stage.recorder.record({.path = folder.path()});
    QVERIFY(stage.recorder.isRecording());
    for (qsizetype before = -1; ended.isEmpty() && filesIn(folder).size() > before;) {  // as long as frames come
        before = filesIn(folder).size();
        ended.wait(patience);
    }
    QVERIFY(!ended.isEmpty());
    const int frames = ended.front().front().toInt();
    QCOMPARE(frames, Player::stepsPerSweep + 1);
    QCOMPARE(filesIn(folder).size(), frames);
    for (int frame = 0; frame < frames; ++frame) {
        const QImage kept(folder.filePath(frameName(frame)));
        QCOMPARE(kept.size(), QSize(1100, 700));
    }
    QCOMPARE(stage.temperatures.front(), 0.1);
    QCOMPARE(stage.temperatures.back(), 10.0);
    QVERIFY(std::is_sorted(stage.temperatures.begin(), stage.temperatures.end()));
    QVERIFY(QImage(folder.filePath(frameName(0))) != QImage(folder.filePath(frameName(frames - 1))));
    QVERIFY(!stage.player.isPlaying() && !stage.recorder.isRecording());
}

void PlayerTest::cancellingLeavesWholeFramesOnly()
{
    Stage stage;
    QTemporaryDir folder;
    const Scenario before = stage.window->document().scenario();
    QSignalSpy ended(&stage.recorder, &FrameRecorder::ended);
    stage.recorder.record({.path = folder.path()});
    QTRY_VERIFY(stage.temperatures.size() >= 7);
    stage.player.pause();
    QCOMPARE(ended.size(), 1);
    const int frames = ended.front().front().toInt();
    QVERIFY(frames >= 7 && frames < Player::stepsPerSweep);
    QTest::qWait(200);  // nothing comes after it
    const QStringList files = filesIn(folder);
    QCOMPARE(files.size(), frames);
    for (int frame = 0; frame < frames; ++frame) {
        QCOMPARE(files[frame], frameName(frame));
        QVERIFY(!QImage(folder.filePath(files[frame])).isNull());
    }
    stage.window->document().undo();
    QVERIFY(stage.window->document().scenario() == before);
}

void PlayerTest::aFolderThatIsNotThereEndsTheRecording()
{
    Stage stage;
    QTemporaryDir folder;
    QSignalSpy failed(&stage.recorder, &FrameRecorder::failed), ended(&stage.recorder, &FrameRecorder::ended);
    stage.recorder.record({.path = folder.filePath(QStringLiteral("gone"))});
    QVERIFY(failed.wait(patience));
    QVERIFY(failed.front().front().toString().contains(QStringLiteral("frame_0000.png")));
    QCOMPARE(failed.front().back().toInt(), 0);
    QTRY_VERIFY(!stage.player.isPlaying());
    QCOMPARE(ended.size(), 0);
}

/// Of as many frames as were asked for, over the part of the range that was asked for, each as large as the first.
void PlayerTest::aSweepBecomesAGif()
{
    Stage stage;
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("sweep.gif"));
    QSignalSpy ended(&stage.recorder, &FrameRecorder::ended), saving(&stage.recorder, &FrameRecorder::saving);
    stage.recorder.record({.path = path, .gif = true, .framesPerSecond = 10, .sweep = {0.5, 0.25, 6}});
    QTRY_VERIFY(stage.temperatures.size() >= 2);
    stage.window->resize(820, 600);
    QVERIFY(ended.wait(patience));
    QCOMPARE(saving.size(), 1);
    QCOMPARE(ended.front().front().toInt(), 6);
    QCOMPARE(filesIn(folder), QStringList{QStringLiteral("sweep.gif")});
    QVERIFY(std::abs(stage.temperatures.front() - 1) < 1e-9);                  // the middle of 0.1 to 10 on a log scale
    QVERIFY(std::abs(stage.temperatures.back() - std::pow(10, -0.5)) < 1e-9);  // a quarter
    QImageReader reader(path);
    QCOMPARE(reader.imageCount(), 6);
    QCOMPARE(reader.read().size(), QSize(1100, 700));
    QVERIFY2(reader.loopCount() == -1, "it plays again and again");
}

/// The first frame is the start of the range, also where the number stands there before.
void PlayerTest::aNumberAtItsStartLosesNoFrame()
{
    Stage stage;
    QTemporaryDir folder;
    stage.window->document().edit(QStringLiteral("Temperature"),
                                  [](Scenario& scenario) { scenario.temperature = 0.1; });
    QVERIFY(settle(*stage.window));
    stage.recorder.record({.path = folder.path()});
    QTRY_VERIFY(stage.temperatures.size() >= 3);
    stage.player.pause();
    QCOMPARE(stage.temperatures[0], 0.1);
    QVERIFY(stage.temperatures[1] > 0.1 && stage.temperatures[1] < 0.105);  // 100^(1/120) times more
    QVERIFY(stage.temperatures[2] > stage.temperatures[1]);
}

/// What asks for a playing during a recording, like a button in a lesson, gets one; the frames so far are kept and no
/// more come.
void PlayerTest::playingEndsARecording()
{
    Stage stage;
    QTemporaryDir folder;
    QSignalSpy ended(&stage.recorder, &FrameRecorder::ended);
    stage.recorder.record({.path = folder.path()});
    QTRY_VERIFY(stage.temperatures.size() >= 3);
    stage.player.play();
    QVERIFY(stage.player.isPlaying() && !stage.recorder.isRecording());
    QCOMPARE(ended.size(), 1);
    const auto frames = stage.temperatures.size();
    const double then = stage.window->document().scenario().temperature;
    QTRY_VERIFY(stage.window->document().scenario().temperature > 1.2 * then);  // several steps
    QCOMPARE(stage.temperatures.size(), frames);
    QCOMPARE(filesIn(folder).size(), static_cast<qsizetype>(frames));
}

/// The temperature is swept from 0.1 to 10 evenly in its logarithm: 1 is half way. A value that it cannot have is said,
/// and nothing recorded.
void PlayerTest::aRecordingsRangeIsInValues()
{
    Stage stage;
    RecordSheet sheet(stage.window.get(), stage.window->document(), stage.player);
    sheet.open();
    QCOMPARE(sheet.numbers()->currentData().toString(), QStringLiteral("temperature"));
    std::set<int> lefts, rights;  // of its fields: one grid
    for (const QWidget* field : sheet.findChildren<QWidget*>())
        if (field->isVisible() &&
            (qobject_cast<const QComboBox*>(field) || qobject_cast<const QAbstractSpinBox*>(field))) {
            lefts.insert(field->mapTo(&sheet, QPoint()).x());
            rights.insert(field->mapTo(&sheet, QPoint(field->width(), 0)).x());
        }
    lefts.insert(sheet.from()->mapTo(&sheet, QPoint()).x());
    rights.insert(sheet.to()->mapTo(&sheet, QPoint(sheet.to()->width(), 0)).x());
    QCOMPARE(lefts.size(), std::size_t(1));
    QCOMPARE(rights.size(), std::size_t(1));
    QCOMPARE(sheet.from()->text(), QStringLiteral("0.1"));
    QCOMPARE(sheet.to()->text(), QStringLiteral("10"));
    QSignalSpy asked(&sheet, &RecordSheet::asked);
    sheet.from()->setText(QStringLiteral("1"));
    sheet.start()->click();
    QCOMPARE(asked.size(), 1);
    const Sweep sweep = asked[0][0].value<Recording>().sweep;
    QVERIFY(std::abs(sweep.from - 0.5) < 1e-12 && sweep.to == 1);
    sheet.open();
    sheet.to()->setText(QStringLiteral("1000"));
    QVERIFY(!sheet.start()->isEnabled());
    sheet.numbers()->setCurrentIndex(sheet.numbers()->findData(QStringLiteral("n")));
    QVERIFY(sheet.start()->isEnabled());
    QCOMPARE(sheet.from()->text(), QStringLiteral("16"));
    sheet.to()->setText(QStringLiteral("1k"));
    QVERIFY(sheet.start()->isEnabled());
}

/// The largest n is what there is, where that is less than usual.
void PlayerTest::nothingIsSweptPastTheFile()
{
    Stage stage;
    RecordSheet sheet(stage.window.get(), stage.window->document(), stage.player);
    double longest = 512;
    stage.player.setFile([&] { return PlayableFile{.longest = longest}; });
    const auto toOf = [&] {
        sheet.open();
        sheet.numbers()->setCurrentIndex(sheet.numbers()->findData(QStringLiteral("n")));
        return sheet.to()->text();
    };
    QCOMPARE(toOf(), QStringLiteral("512"));
    sheet.to()->setText(QStringLiteral("600"));
    QVERIFY(!sheet.start()->isEnabled());
    longest = 100000;
    QCOMPARE(toOf(), QStringLiteral("4\u202F096"));
    for (const double few : {1.0, 2.0, 10.0, 20.0})
        QCOMPARE(playables(stage.window->document().scenario(), {.longest = few}).front().scale.maximum, few);
    stage.player.setFile({});
    stage.player.setPlayable(QStringLiteral("n"));
}

/// From the first to the last, each where its number of the sweep comes; of a file that is of none there is nothing to
/// play.
void PlayerTest::theFilesOfARunArePlayed()
{
    Scenario scenario;
    scenario.source = {"tensors", {}, {}};
    scenario.tensors.path = "/run/step-20.npz";
    const PlayableFile file{.longest = 64, .run = {"/run/step-3.npz", "/run/step-20.npz", "/run/step-100.npz"}};
    const auto ofFiles = [&](const PlayableFile& one) {
        const auto all = playables(scenario, one);
        const auto found = std::ranges::find(all, QStringLiteral("file"), &Playable::id);
        return found == all.end() ? std::optional<Playable>() : *found;
    };
    const auto played = ofFiles(file);
    QVERIFY(played);
    QCOMPARE(played->place(scenario), 0.5);
    QCOMPARE(played->words(scenario), QStringLiteral("step-20"));
    for (const auto& [place, path] :
         {std::pair(0.0, "/run/step-3.npz"), {0.5, "/run/step-20.npz"}, {1.0, "/run/step-100.npz"}}) {
        played->move(scenario, place);
        QCOMPARE(scenario.tensors.path, std::string(path));
    }
    QVERIFY(!ofFiles({.longest = 64}));
    QVERIFY(!ofFiles({.longest = 64, .run = {"/other/1.npz", "/other/2.npz"}}));
}

void PlayerTest::whatIsGoneIsNoLongerPlayed()
{
    Stage stage;
    Document& document = stage.window->document();
    stage.player.setPlayable(QStringLiteral("method1/softmax_plus/B"));
    stage.player.play();
    QCOMPARE(stage.player.playable(), QStringLiteral("method1/softmax_plus/B"));
    document.edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 32; });
    QVERIFY2(stage.player.isPlaying(), "another number may change meanwhile");
    document.edit(QStringLiteral("Methods"), [](Scenario& scenario) { scenario.methods.resize(1); });
    QVERIFY(!stage.player.isPlaying());
}

void PlayerTest::theWindowSaysWhereTheFramesAre()
{
    const auto window = smallWindow();
    QVERIFY(window);
    auto* player = window->findChild<Player*>();
    auto* recorder = window->findChild<FrameRecorder*>();
    QVERIFY(player && recorder);
    emit recorder->kept(12, 121);
    QCOMPARE(window->statusBar()->currentMessage(), QStringLiteral("Frame 12 of 121"));
    emit recorder->swept();
    emit recorder->ended(121, QStringLiteral("/a %1 %2"));
    QCOMPARE(window->messages().message(), QStringLiteral("121 frames saved in /a %1 %2, from frame_0000.png"));
    QVERIFY(window->statusBar()->currentMessage().isEmpty());
    emit recorder->ended(1, QStringLiteral("/b"));
    QCOMPARE(window->messages().message(), QStringLiteral("1 frame saved in /b, frame_0000.png"));

    QTemporaryDir folder;
    recorder->record({.path = folder.path()});
    player->pause();
    QCOMPARE(window->messages().message(),
             QStringLiteral("Recording ended before its first frame; nothing is saved in %1").arg(folder.path()));

    QSignalSpy failed(recorder, &FrameRecorder::failed);
    recorder->record({.path = folder.filePath(QStringLiteral("gone %2"))});
    QVERIFY(failed.wait(patience));
    QVERIFY2(window->messages().message().contains(folder.filePath(QStringLiteral("gone %2/frame_0000.png"))),
             qPrintable(window->messages().message()));
    QVERIFY2(window->messages().message().endsWith(QStringLiteral("Recording ended; frames saved: 0.")),
             qPrintable(window->messages().message()));
}

/// Whatever ends a recording, what went wrong is not covered by how many frames there are, in whichever order the two
/// are said.
void PlayerTest::anErrorStaysVisible()
{
    const auto window = smallWindow();
    QVERIFY(window);
    auto* recorder = window->findChild<FrameRecorder*>();
    emit recorder->failed(QStringLiteral("no room"), 3);
    emit recorder->ended(3, QStringLiteral("/a"));
    QVERIFY(window->messages().message().startsWith(QStringLiteral("no room")));
    window->messages().hide();
    emit recorder->ended(3, QStringLiteral("/a"));
    QVERIFY(window->messages().message().startsWith(QStringLiteral("3 frames")));
    emit recorder->failed(QStringLiteral("no room"), 3);
    QVERIFY(window->messages().message().startsWith(QStringLiteral("no room")));
}

void PlayerTest::aMenuOfChoicesKeepsOneGroup()
{
    const auto window = smallWindow();
    QVERIFY(window);
    int menus = 0;
    for (QMenu* menu : window->findChildren<QMenu*>()) {
        const QString title = menu->title().remove(QLatin1Char('&'));
        if (title != QStringLiteral("What") && title != QStringLiteral("Speed"))
            continue;
        ++menus;
        for (int opening = 0; opening < 3; ++opening)
            emit menu->aboutToShow();
        const auto groups = menu->findChildren<QActionGroup*>();
        QCOMPARE(groups.size(), 1);
        QCOMPARE(groups.front()->actions(), menu->actions());
        QVERIFY(groups.front()->checkedAction());
    }
    QCOMPARE(menus, 2);
}

QTEST_MAIN(PlayerTest)
#include "player_test.moc"
