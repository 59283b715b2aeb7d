// The latest request wins: nothing stale is shown, whatever the order in which things end.
#include "ui/job/latest_job.h"
#include "tests/support/patience.h"

#include <QSignalSpy>
#include <QTest>

#include <semaphore>

using namespace attnscope;

namespace {
/// A number that no request of these tests publishes.
int thrown(const Error&) { return -1; }
}  // namespace

class LatestJobTest : public QObject {
    Q_OBJECT
private slots:
    void showsWhatWasPublishedInOrder();
    void showsThatMemoryEnded();
    void dropsWhatASupersededRequestPublishes();
    void dropsWhatWasDeliveredBeforeANewerRequest();
    void stopsTheRunningRequest();
    void skipsRequestsThatNeverRan();
    void showsNothingAfterCancel();
    void canBeDestroyedWhileRunning();
    void canBeDestroyedWithDeliveriesWaiting();
    void manyRequestsShowOnlyRisingOnesAndTheLast();
};

void LatestJobTest::showsWhatWasPublishedInOrder()
{
    QList<int> shown;
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    job.start([](std::stop_token, const auto& publish) {
        publish(1);
        publish(2);
    });
    QTRY_COMPARE(shown, (QList<int>{1, 2}));
}

/// And goes on with the next request.
void LatestJobTest::showsThatMemoryEnded()
{
    QStringList shown;
    LatestJob<QString> job([&](const QString& text) { shown << text; },
                           [](const Error& error) { return QString::fromStdString(error.message); });
    job.start([](std::stop_token, const auto& publish) {
        publish(QStringLiteral("before"));
        throw std::bad_alloc();
    });
    QTRY_COMPARE(shown.size(), 2);
    QVERIFY2(shown[1].contains("not enough memory"), qPrintable(shown[1]));
    job.start([](std::stop_token, const auto&) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    });
    QTRY_COMPARE(shown.size(), 3);
    QVERIFY2(shown[2].contains("no further thread"), qPrintable(shown[2]));
    job.start([](std::stop_token, const auto& publish) { publish(QStringLiteral("after")); });
    QTRY_COMPARE(shown.size(), 4);
    QCOMPARE(shown[3], QStringLiteral("after"));
}

void LatestJobTest::dropsWhatASupersededRequestPublishes()
{
    QList<int> shown;
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    std::binary_semaphore running{0}, superseded{0};
    job.start([&](std::stop_token, const auto& publish) {
        running.release();
        superseded.acquire();
        publish(1);
    });
    running.acquire();
    job.start([](std::stop_token, const auto& publish) { publish(2); });
    superseded.release();
    QTRY_COMPARE(shown, QList<int>{2});
    QTest::qWait(20);
    QCOMPARE(shown, QList<int>{2});
}

void LatestJobTest::dropsWhatWasDeliveredBeforeANewerRequest()
{
    QList<int> shown;
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    std::binary_semaphore published{0};
    job.start([&](std::stop_token, const auto& publish) {
        publish(1);
        published.release();
    });
    published.acquire();  // the delivery of 1 waits in the event queue now
    job.start([](std::stop_token, const auto& publish) { publish(2); });
    QTRY_COMPARE(shown, QList<int>{2});
}

void LatestJobTest::stopsTheRunningRequest()
{
    std::atomic<bool> stopped = false;
    std::binary_semaphore running{0};
    LatestJob<int> job([](int) {}, thrown);
    job.start([&](std::stop_token stop, const auto&) {
        running.release();
        while (!stop.stop_requested())
            std::this_thread::yield();
        stopped = true;
    });
    running.acquire();
    job.start([](std::stop_token, const auto&) {});
    QTRY_VERIFY(stopped);
}

void LatestJobTest::skipsRequestsThatNeverRan()
{
    QList<int> shown;
    std::atomic<int> ran = 0;
    std::binary_semaphore running{0}, go{0};
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    job.start([&](std::stop_token, const auto&) {
        running.release();
        go.acquire();
    });
    running.acquire();
    for (int i = 1; i <= 5; ++i)
        job.start([&ran, i](std::stop_token, const auto& publish) {
            ++ran;
            publish(i);
        });
    go.release();
    QTRY_COMPARE(shown, QList<int>{5});
    QCOMPARE(ran.load(), 1);
}

void LatestJobTest::showsNothingAfterCancel()
{
    QList<int> shown;
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    std::binary_semaphore published{0};
    job.start([&](std::stop_token, const auto& publish) {
        publish(1);
        published.release();
    });
    published.acquire();
    job.cancel();
    QTest::qWait(20);
    QCOMPARE(shown, QList<int>{});
}

void LatestJobTest::canBeDestroyedWhileRunning()
{
    QList<int> shown;
    std::binary_semaphore running{0};
    {
        LatestJob<int> job([&](int value) { shown << value; }, thrown);
        job.start([&](std::stop_token stop, const auto& publish) {
            running.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
            publish(1);
        });
        running.acquire();
    }
    QTest::qWait(20);
    QCOMPARE(shown, QList<int>{});
}

void LatestJobTest::canBeDestroyedWithDeliveriesWaiting()
{
    auto shown = std::make_unique<QList<int>>();
    std::binary_semaphore published{0};
    {
        LatestJob<int> job([list = shown.get()](int value) { *list << value; }, thrown);
        job.start([&](std::stop_token, const auto& publish) {
            publish(1);
            published.release();
        });
        published.acquire();
    }
    shown.reset();  // a delivery that still ran would write into freed memory
    QTest::qWait(20);
}

void LatestJobTest::manyRequestsShowOnlyRisingOnesAndTheLast()
{
    QList<int> shown;
    LatestJob<int> job([&](int value) { shown << value; }, thrown);
    constexpr int last = 2000;
    for (int i = 1; i <= last; ++i) {
        job.start([i](std::stop_token, const auto& publish) { publish(i); });
        if (i % 7 == 0)
            QCoreApplication::processEvents();
    }
    QTRY_VERIFY(!shown.isEmpty() && shown.back() == last);
    QVERIFY(std::is_sorted(shown.begin(), shown.end()));
}

QTEST_GUILESS_MAIN(LatestJobTest)
#include "latest_job_test.moc"
