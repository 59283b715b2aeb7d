// Sessions come back as they were saved, and lessons open at every step.
#include "core/attention/masks.h"
#include "core/scaling/scale_method.h"
#include "ui/job/save_queue.h"
#include "ui/window/autosave.h"
#include "ui/workbench/document.h"
#include "ui/workbench/lesson.h"
#include "ui/workbench/session_file.h"
#include "ui/figure/analysis_charts.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <random>

using namespace attnscope;

Q_DECLARE_METATYPE(attnscope::Session)

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void saveLoadSaveGivesTheSameBytes();
    void whatControlsAcceptIsReadBack_data();
    void whatControlsAcceptIsReadBack();
    void whatWouldNotOpenIsNotSaved();
    void olderSessionsLoadWithDefaults();
    void aLaterSessionSaysWhatWroteIt();
    void rejects_data();
    void rejects();
    void anUnreadablePathIsAnError();
    void aKilledWindowIsGivenBack();
    void aCleanEndLeavesTheState();
    void everyOpenWindowHasAPlace();
    void nothingLeftIsLost();
    void previousStatesAreKept();
    void thereAreEightLessons();
    void everyStepOpens_data();
    void everyStepOpens();
    void aBrokenLessonSaysWhere();
};

namespace {

Session randomSession(std::mt19937& random)
{
    Session session;
    Scenario& s = session.scenario;
    s.n = static_cast<std::int64_t>(2 + random() % 100000);
    s.d = 1 + static_cast<int>(random() % 256);
    s.nTrain = double(2 + random() % 5000);
    s.temperature = 0.05 + double(random() % 1000) / 77;
    s.seed = random();
    s.attention.mask = {masks()[random() % masks().size()].id, {}, {}};
    s.methods.clear();
    for (const ScaleMethod& method : scaleMethods())
        if (random() % 3 == 0)
            s.methods.push_back({method.id, {}, {}});
    s.view.row = random() % 2 ? -1 : static_cast<std::int64_t>(random() % 100);
    if (random() % 2)
        s.view.region = {1, 20, 3, 40};
    s.tensors.path = "/tmp/ä b.safetensors";
    MapLook& maps = session.look.maps;
    maps.log = random() % 2 == 1;
    maps.difference = random() % 2 == 1;
    maps.colourMap = random() % 2 ? "magma" : "cividis";
    if (random() % 2)
        maps.pinned = {double(random() % 1000) / 7e6, 0.1 + double(random() % 1000) / 3};
    if (maps.pinned)
        maps.pinnedDifference = {-double(1 + random() % 90) / 7, double(1 + random() % 90) / 7};
    if (const auto& methods = scaleMethods(); random() % 2)
        maps.sides = MethodPair(methods[random() % methods.size()].id, methods[random() % methods.size()].id + "#2");
    session.look.model.positions =
        random() % 2 ? std::vector<std::string>{"own", "yarn_rope:s=4"} : std::vector<std::string>{"rope"};
    session.look.model.probing = random() % 2 == 1;
    if (random() % 2)
        session.look.model.beside = Combination{static_cast<int>(random() % 3), static_cast<int>(random() % 9)};
    ProbeLook& probe = session.look.model.probe;
    probe.task = random() % 2 ? ProbeTask::Needle : ProbeTask::Repeat;
    probe.samples = 2 + static_cast<int>(random() % 30);
    probe.keys = 1 + static_cast<int>(random() % 12);
    probe.depths.assign(1 + random() % 5, double(random() % 1000) / 999);
    probe.probability = random() % 2 == 1;
    probe.difference = random() % 2 == 1;
    session.look.approximations = random() % 2 == 1;
    session.look.allHeads = random() % 2 == 1;
    if (random() % 2)
        session.file = "/tmp/ö.attnscope";
    for (int i = 0; i < 40; ++i)
        session.docks += static_cast<char>('A' + random() % 26);
    return session;
}

}  // namespace

void SessionTest::saveLoadSaveGivesTheSameBytes()
{
    std::mt19937 random(3);
    QTemporaryDir folder;
    for (int i = 0; i < 50; ++i) {
        const Session session = randomSession(random);
        const QString path = folder.filePath("a.attnscope");
        QVERIFY(saveSession(session, path));
        const auto loaded = loadSession(path);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QVERIFY(*loaded == session);
        QCOMPARE(writeSession(*loaded), writeSession(session));
    }
}

void SessionTest::whatControlsAcceptIsReadBack_data()
{
    QTest::addColumn<Session>("session");
    const auto add = [](const char* name, auto change) {
        Session session;
        change(session);
        QTest::addRow("%s", name) << session;
    };
    add("heads of 65536 numbers, from a file", [](Session& s) { s.scenario.d = 65536; });
    add("a trillion keys", [](Session& s) { s.scenario.n = s.scenario.view.curveLast = 1'000'000'000'000; });
    add("a formula that begins with a quote", [](Session& s) {
        s.scenario.methods = {{"custom", {}, "\"log(n"}, {"custom", {}, "a\",\"\""}};
    });
    add("a note of 500 Chinese characters", [](Session& s) {
        std::string text;
        for (int i = 0; i < 500; ++i)
            text += "\u6ce8";
        s.look.annotations = {{"entropy:shannon", 1e300, -1e300, 100, -100, text}};
    });
    add("lengths of a model", [](Session& s) {
        s.look.model.lengths.assign(100, 1'000'000'000'000);
        s.look.model.n = s.look.model.tunedAt = s.look.model.lengths.back();
    });
    add("a text as long as can be typed", [](Session& s) {
        for (int i = 0; i < ModelLook::mostTyped; ++i)
            s.look.model.typed += "\u6ce8";
    });
    add("counts of a model", [](Session& s) {
        s.look.model.windows = 10000;
        s.look.model.last = 10000;
        s.look.model.probe.samples = 10000;
    });
    add("more methods than a hundred", [](Session& s) {
        s.scenario.methods.assign(200, {"vanilla", {}, {}});
        s.look.maps.sides = MethodPair("infoscale#12", "vanilla");
    });
}

void SessionTest::whatControlsAcceptIsReadBack()
{
    QFETCH(Session, session);
    QTemporaryDir folder;
    const QString path = folder.filePath("a.attnscope");
    const auto saved = saveSession(session, path);
    QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
    const auto loaded = loadSession(path);
    QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
    QVERIFY(*loaded == session);
}

/// It is said, and what was in the file stays; of an autosave too.
void SessionTest::whatWouldNotOpenIsNotSaved()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("autosave.attnscope");
    QVERIFY(saveSession(Session(), path));
    Session wrong;
    wrong.scenario.d = 70000;
    const auto saved = saveSession(wrong, path);
    QVERIFY(!saved);
    QVERIFY2(QString::fromStdString(saved.error().message).contains("session.scenario.d"),
             saved.error().message.c_str());
    QVERIFY(*loadSession(path) == Session());

    Document document;
    SaveQueue saves;
    Autosave autosave(folder.path(), saves);
    autosave.watch(document, [&] { return wrong; });
    QSignalSpy failed(&autosave, &Autosave::failed);
    autosave.saveNow();
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(*loadSession(path) == Session());
}

void SessionTest::olderSessionsLoadWithDefaults()
{
    const auto session = readSession(R"({"schema": "attnscope_session/1", "scenario": {"n": 99}})");
    QVERIFY(session);
    QCOMPARE(session->scenario.n, 99);
    QCOMPARE(session->scenario.d, Scenario{}.d);
    QCOMPARE(session->look.dispersion, std::string("sorted"));
    QCOMPARE(readSession(R"({"schema": "attnscope_session/6", "scenario": {"engine": ""}})")->scenario.engine,
             std::string("auto"));  // once the word for it

    // what maps of needles were of before one could choose
    for (const auto& [probe, probability] :
         {std::pair(R"({"samples": 8})", true), std::pair(R"({"samples": 8, "probability": false})", false)})
        QCOMPARE(readSession(R"({"schema": "attnscope_session/8", "look": {"model": {"probe": )" + std::string(probe) +
                             "}}}")
                     ->look.model.probe.probability,
                 probability);
    QVERIFY(!session->look.model.probe.probability && !session->unchanged);

    // as version 1 wrote it
    const auto first = readSession(
        R"({"schema": "attnscope_session/1", "scenario": {"n": 300, "methods": ["vanilla", "softmax_plus:B=64"]},
        "look": {"colours": "magma", "log": false, "difference": false, "dispersion": "needle"}, "layout": {"geometry": "AAE=", "docks": "/w=="}})");
    QVERIFY2(first, first ? "" : first.error().message.c_str());
    QCOMPARE(first->scenario.methods.size(), size_t(2));
    QCOMPARE(first->look.maps.colourMap, std::string("magma"));
    QVERIFY(!first->look.maps.log && !first->look.maps.difference && !first->look.maps.pinned);
    QVERIFY(!first->look.maps.sides);

    // until version 10 sides were places in the list
    const auto places = [](const std::string& sides) {
        const auto old = readSession(
            R"({"schema": "attnscope_session/10", "scenario": {"methods": ["log_n", "ssmax:s=0.2", "ssmax:s=0.4"]},
            "look": {"sides": )" +
            sides + "}}");
        return old ? old->look.maps.sides.value_or(MethodPair()) : MethodPair("error", old.error().message);
    };
    QVERIFY((places("[2, 0]") == MethodPair("ssmax#2", "log_n")));
    QVERIFY((places("[1, 7]") == MethodPair("ssmax", "ssmax#2")));  // beyond it: the last
    QVERIFY(places("[2, 2]") == MethodPair());
    const auto ofOne = readSession(
        R"({"schema": "attnscope_session/10", "scenario": {"methods": ["vanilla"]}, "look": {"sides": [1, 0]}})");
    QVERIFY(ofOne && !ofOne->look.maps.sides);  // so every session had it: nobody has chosen
    QCOMPARE(first->look.dispersion, std::string("needle"));
}

void SessionTest::aLaterSessionSaysWhatWroteIt()
{
    const auto session =
        readSession(R"({"schema": "attnscope_session/99", "written_by": "attnscope 9.8.7", "new": 1})");
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains("attnscope 9.8.7"),
             session.error().message.c_str());
}

void SessionTest::rejects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    QTest::addRow("empty") << QByteArray() << int(ErrorKind::InvalidHeader);
    QTest::addRow("no JSON") << QByteArray("hello") << int(ErrorKind::InvalidHeader);
    QTest::addRow("no session") << QByteArray("{}") << int(ErrorKind::UnknownFormat);
    QTest::addRow("another kind") << QByteArray(R"({"schema": "attnscope_figure/1"})") << int(ErrorKind::UnknownFormat);
    QTest::addRow("later version") << QByteArray(R"({"schema": "attnscope_session/99"})")
                                   << int(ErrorKind::UnknownFormat);
    QTest::addRow("falling range") << QByteArray(R"({"schema": "attnscope_session/2", "look": {"pinned": [2, 1]}})")
                                   << int(ErrorKind::InvalidArgument);
    QTest::addRow("positions nobody has")
        << QByteArray(R"({"schema": "attnscope_session/2", "look": {"model": {"positions": ["own", "sideways"]}}})")
        << int(ErrorKind::InvalidArgument);
    QTest::addRow("no pair") << QByteArray(R"({"schema": "attnscope_session/2", "look": {"sides": [1]}})")
                             << int(ErrorKind::InvalidArgument);
    QTest::addRow("a side that nobody has")
        << QByteArray(R"({"schema": "attnscope_session/11", "look": {"sides": ["nosuch", "vanilla"]}})")
        << int(ErrorKind::InvalidArgument);
    QTest::addRow("a variant that cannot be")
        << QByteArray(R"({"schema": "attnscope_session/11", "look": {"sides": ["ssmax#1", "vanilla"]}})")
        << int(ErrorKind::InvalidArgument);
    QTest::addRow("unknown field") << QByteArray(R"({"schema": "attnscope_session/1", "x": 1})")
                                   << int(ErrorKind::UnknownName);
    QTest::addRow("wrong type") << QByteArray(R"({"schema": "attnscope_session/1", "look": {"log": 3}})")
                                << int(ErrorKind::InvalidArgument);
    QTest::addRow("unknown method") << QByteArray(
                                           R"({"schema": "attnscope_session/1", "scenario": {"methods": ["nosuch"]}})")
                                    << int(ErrorKind::UnknownName);
    QTest::addRow("unknown colours") << QByteArray(
                                            R"({"schema": "attnscope_session/1", "look": {"colours": "rainbow"}})")
                                     << int(ErrorKind::UnknownName);
    QTest::addRow("unknown chart") << QByteArray(R"({"schema": "attnscope_session/1", "look": {"dispersion": "pie"}})")
                                   << int(ErrorKind::UnknownName);
}

void SessionTest::rejects()
{
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    QTemporaryDir folder;
    QFile file(folder.filePath("a.attnscope"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    const auto session = loadSession(file.fileName());
    QVERIFY(!session);
    QCOMPARE(int(session.error().kind), kind);
    QVERIFY(!session.error().message.empty());
}

void SessionTest::anUnreadablePathIsAnError()
{
    const auto session = loadSession("/nowhere/at/all.attnscope");
    QVERIFY(!session);
    QVERIFY(QString::fromStdString(session.error().message).contains("/nowhere/at/all.attnscope"));
    QVERIFY(!saveSession({}, "/nowhere/at/all.attnscope"));
}

namespace {

Session atLength(std::int64_t n)
{
    Session session;
    session.scenario.n = n;
    return session;
}

/// The lock of a process that is no more.
bool leaveLock(const QString& path)
{
    QProcess process;
    process.start(QStringLiteral("true"), QStringList());
    if (!process.waitForStarted())
        return false;
    const qint64 id = process.processId();
    process.waitForFinished(patience);
    QFile lock(path);
    return lock.open(QIODevice::WriteOnly) &&
           lock.write(QStringLiteral("%1\ntest\n%2\n").arg(id).arg(QSysInfo::machineHostName()).toUtf8()) > 0;
}

}  // namespace

void SessionTest::aKilledWindowIsGivenBack()
{
    QTemporaryDir folder;
    QVERIFY(saveSession(atLength(321), folder.filePath("autosave.attnscope")));
    QVERIFY(leaveLock(folder.filePath("autosave.lock")));
    SaveQueue saves;
    const Autosave autosave(folder.path(), saves);
    QVERIFY(autosave.left());
    QCOMPARE(autosave.left()->scenario.n, 321);
    QVERIFY(autosave.wasKilled());
}

/// A clean end leaves the state too, and the next window has it without a word.
void SessionTest::aCleanEndLeavesTheState()
{
    QTemporaryDir folder;
    Document document;
    const auto take = [&] {
        Session session;
        session.scenario = document.scenario();
        session.file = "/a/b.attnscope";
        return session;
    };
    {
        SaveQueue saves;
        Autosave autosave(folder.path(), saves);
        QVERIFY(!autosave.left() && !autosave.wasKilled());
        autosave.watch(document, take);
        document.edit("Length", [](Scenario& s) { s.n = 77; });
        autosave.saveNow();
    }
    SaveQueue saves;
    const Autosave next(folder.path(), saves);
    QVERIFY(next.left() && !next.wasKilled());
    QCOMPARE(next.left()->scenario.n, 77);
    QCOMPARE(next.left()->file, std::string("/a/b.attnscope"));
}

/// Each with a state of its own; none takes another's.
void SessionTest::everyOpenWindowHasAPlace()
{
    QTemporaryDir folder;
    Document document;
    for (int round = 0; round < 2; ++round) {
        SaveQueue saves;
        std::vector<std::unique_ptr<Autosave>> open;
        for (int window = 0; window < 3; ++window) {
            open.push_back(std::make_unique<Autosave>(folder.path(), saves));
            QCOMPARE(open.back()->left().has_value(), round == 1);
            if (round == 1)
                QCOMPARE(open.back()->left()->scenario.n, 100 + window);
            open.back()->watch(document, [window] { return atLength(100 + window); });
            open.back()->saveNow();
        }
    }
}

/// What was left is moved, not overwritten, where a window begins with something else or cannot read it.
void SessionTest::nothingLeftIsLost()
{
    QTemporaryDir folder;
    Document document;
    QVERIFY(saveSession(atLength(55), folder.filePath("autosave.attnscope")));
    {
        SaveQueue saves;
        Autosave autosave(folder.path(), saves);
        autosave.setAside();
        QVERIFY(!autosave.left());
        autosave.watch(document, [] { return atLength(66); });
        autosave.saveNow();
    }
    QCOMPARE(Autosave::previousPaths(folder.path()).size(), 1);
    QCOMPARE(loadSession(Autosave::previousPaths(folder.path()).front())->scenario.n, 55);
    QCOMPARE(loadSession(folder.filePath("autosave.attnscope"))->scenario.n, 66);

    const QByteArray later = R"({"schema": "attnscope_session/999"})";
    QFile file(folder.filePath("autosave.attnscope"));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(later) == later.size());
    file.close();
    {
        SaveQueue saves;
        Autosave autosave(folder.path(), saves);
        QVERIFY(!autosave.left());
        QVERIFY2(autosave.unreadable().startsWith(folder.filePath("autosave.attnscope.unreadable")),
                 qPrintable(autosave.unreadable()));
        autosave.watch(document, [] { return atLength(77); });
        autosave.saveNow();
    }
    QFile kept(folder.filePath("autosave.attnscope.unreadable"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), later);
}

/// The last five of them, the newest first; one that an older program left is the oldest.
void SessionTest::previousStatesAreKept()
{
    QTemporaryDir folder;
    QVERIFY(saveSession(atLength(10), folder.filePath("previous.attnscope")));
    const auto kept = [&] {
        std::vector<std::int64_t> lengths;
        for (const QString& path : Autosave::previousPaths(folder.path()))
            lengths.push_back(loadSession(path)->scenario.n);
        return lengths;
    };
    for (const int n : {20, 30, 40}) {
        QVERIFY(saveSession(atLength(n), folder.filePath("autosave.attnscope")));
        SaveQueue saves;
        Autosave(folder.path(), saves).setAside();
    }
    QVERIFY((kept() == std::vector<std::int64_t>{40, 30, 20, 10}));
    SaveQueue saves;
    Autosave autosave(folder.path(), saves);
    for (const int n : {50, 60, 60})  // the same twice is kept once
        autosave.keepAlso(atLength(n));
    QTRY_VERIFY(!saves.isBusy());
    QVERIFY((kept() == std::vector<std::int64_t>{60, 50, 40, 30, 20}));
}

void SessionTest::thereAreEightLessons()
{
    QCOMPARE(lessons().size(), size_t(8));
    for (const Lesson& lesson : lessons()) {
        QVERIFY2(lesson.steps.size() >= 5 && lesson.steps.size() <= 8, qPrintable(lesson.id));
        QVERIFY(!lesson.title.isEmpty() && !lesson.about.isEmpty());
    }
}

void SessionTest::everyStepOpens_data()
{
    QTest::addColumn<int>("lesson");
    QTest::addColumn<int>("step");
    for (int lesson = 0; lesson < std::ssize(lessons()); ++lesson)
        for (int step = 0; step < std::ssize(lessons()[static_cast<size_t>(lesson)].steps); ++step)
            QTest::addRow("%s, %d", qPrintable(lessons()[static_cast<size_t>(lesson)].id), step) << lesson << step;
}

void SessionTest::everyStepOpens()
{
    QFETCH(int, lesson);
    QFETCH(int, step);
    const LessonStep& shown = lessons()[static_cast<size_t>(lesson)].steps[static_cast<size_t>(step)];
    QVERIFY(!shown.title.isEmpty());
    QVERIFY2(shown.text.contains("**Try:**"), "every step asks the reader to try something");
    const auto kinds = dispersionKinds();
    QVERIFY(shown.dispersion.isEmpty() || std::any_of(kinds.begin(), kinds.end(), [&](const DispersionKind& kind) {
                return kind.id == shown.dispersion;
            }));
    if (!shown.scenario)
        return;
    for (const Choice& method : shown.scenario->methods) {
        const auto row = findRow(scaleMethods(), method.id, "scale method");
        QVERIFY(row);
        QVERIFY(validate(**row, method));
    }
}

void SessionTest::aBrokenLessonSaysWhere()
{
    const auto lesson = readLesson("mine", "# Title\nAbout.\n## First step\nText\n```scenario\n{\"n\": -4}\n```\n");
    QVERIFY(!lesson);
    QVERIFY(lesson.error().message.find("mine, step \"First step\"") == 0);
    QVERIFY(!readLesson("mine", "no title"));
}

QTEST_MAIN(SessionTest)
#include "session_test.moc"
