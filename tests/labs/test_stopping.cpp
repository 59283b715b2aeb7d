// A lab that is asked to stop returns, wherever its run is: at sizes whose parts take minutes to make, learn and test,
// it does so between them and within them. And what it has half done is as if it had not begun.

#include "run_lab.h"

#include "core/analysis/monte_carlo.h"
#include "core/labs/eie/eie_trainer.h"
#include "tests/support/patience.h"

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <future>
#include <set>
#include <thread>

using namespace attnscope;
using namespace std::chrono_literals;

namespace {

/// A run on a thread of its own that is asked to stop after a while. That it comes back at all is what is tested.
Result<LabResult> stoppedRun(const LabRun& run, std::chrono::milliseconds after)
{
    std::stop_source stop;
    auto result = std::async(std::launch::async, [&] { return runLab(run, stop.get_token()); });
    if (result.wait_for(after) != std::future_status::ready)
        stop.request_stop();
    if (result.wait_for(std::chrono::milliseconds(static_cast<int>(patience))) != std::future_status::ready)
        qFatal("%s does not hear that it is to stop", formatChoice(run.choice).c_str());
    return result.get();
}

}  // namespace

class TestStopping : public QObject {
    Q_OBJECT
private slots:
    void everyLabHearsIt_data();
    void everyLabHearsIt();
    void halfAnEpochIsNone();
    void drawnRowsHaveALongestLength();
};

void TestStopping::everyLabHearsIt_data()
{
    QTest::addColumn<QString>("choice");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("after");  // ms
    std::set<std::string> tried;
    const auto add = [&](const char* choice, const char* text = "") {
        tried.insert(choose(choice).id);
        for (const int after : {100, 2000})
            QTest::addRow("%s %s, %d ms", choice, text, after) << QString(choice) << QString(text) << after;
    };
    add("eie:monte_carlo=1,epochs=1,steps=1,batch=2", "16:300000:67000000");
    add("eie:monte_carlo=1,rows=4096,batch=65536", "16:2:100000");
    add("eie:steps=10000,batch=65536");
    add("max-retrieval:sets=65536,seeds=100,most_items=65536");
    add("max-retrieval:steps=10000000,heads=100");
    add("max-retrieval:steps=10000000,\"vanilla @ log_n\"");
    add("max-retrieval:steps=1,sets=65536,most_items=65536,\"vanilla @ log_n\"");
    add("causal-lm:steps=10000000,megabytes=200,vocabulary=65536");
    add("causal-lm:steps=0,windows=1000,most=64");
    add("masked-lm:steps=10000000,megabytes=200,vocabulary=65536");
    add("masked-lm:steps=1,megabytes=0.2,tokens=100000000");
    add("routing:steps=10000000");
    add("routing:sets=10000,most=16");
    add("packing:steps=10000000");
    add("packing:sets=10000,samples=1024");
    add("algorithms:steps=10000000,networks=100");
    add("algorithms:steps=1,problems=1000000");
    add("recall:steps=10000000,networks=100");
    add("recall:steps=1,sequences=1000000,most=1024");
    for (const Lab& lab : labs())
        if (!tried.contains(lab.id))
            qFatal("%s is not tried", lab.id.c_str());
}

void TestStopping::everyLabHearsIt()
{
    QFETCH(QString, choice);
    QFETCH(QString, text);
    QFETCH(int, after);
    const Result<LabResult> stopped = stoppedRun({.choice = choose(choice, text)}, std::chrono::milliseconds(after));
    QVERIFY(!stopped);
    QVERIFY2(stopped.error().kind == ErrorKind::Cancelled, stopped.error().message.c_str());
}

/// An epoch that is stopped leaves the trainer as it was, and the checkpoint at the end of the epoch before.
void TestStopping::halfAnEpochIsNone()
{
    for (const bool monteCarlo : {false, true}) {
        const EieSettings settings{.d = 8, .nTrain = 4, .nMax = 30, .monteCarlo = monteCarlo, .batch = 16, .steps = 3};
        Result<EieTrainer> stopped = EieTrainer::make(settings), whole = EieTrainer::make(settings);
        QVERIFY(stopped && whole && stopped->epoch() && whole->epoch());
        std::stop_source stop;
        stop.request_stop();
        const auto none = stopped->epoch(stop.get_token());
        QVERIFY(!none && none.error().kind == ErrorKind::Cancelled);
        QCOMPARE(stopped->epochs(), std::int64_t{1});
        QCOMPARE(stopped->lambda({7, 30}), whole->lambda({7, 30}));
        QCOMPARE(*stopped->epoch(), *whole->epoch());
        QCOMPARE(stopped->lambda({7, 30}), whole->lambda({7, 30}));
        QCOMPARE(EieTrainer::make(settings, stop.get_token()).error().kind, ErrorKind::Cancelled);
    }

    QTemporaryDir folder;
    const Choice choice = choose(QString("eie:epochs=2,steps=600,batch=1024"), "16:20:200");
    const LabRun run{.choice = choice, .folder = folder.filePath("run").toStdString()};
    const Result<LabResult> stopped = stoppedRun(run, 500ms);
    LabRun again = run;
    again.resume = !stopped;
    const LabResult resumed = stopped ? *stopped : runOrFail(again), whole = runOrFail({.choice = choice});
    const auto losses = tableOf(resumed, "training"), wanted = tableOf(whole, "training");
    QCOMPARE(losses.size(), wanted.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
        QCOMPARE(losses[i].number("loss"), wanted[i].number("loss"));
}

/// The same as for the rows that `entropy` draws.
void TestStopping::drawnRowsHaveALongestLength()
{
    const QString longest = QString::number(longestSampled), longer = QString::number(longestSampled + 1);
    const QString drawn = "eie:monte_carlo=1,epochs=1,steps=1,batch=2";
    QCOMPARE(notRefused(choose(drawn, "16:100:200 32:100:" + longer), "must be at most " + longest), QString());
    const Result<LabResult> stopped = stoppedRun({.choice = choose(drawn, "16:100:" + longest)}, 0ms);
    QVERIFY(stopped || stopped.error().kind == ErrorKind::Cancelled);
}

QTEST_GUILESS_MAIN(TestStopping)
#include "test_stopping.moc"
