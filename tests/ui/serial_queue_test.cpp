// Nothing that is asked for is lost, and everything is done in order.
#include "ui/job/serial_queue.h"
#include "tests/support/patience.h"

#include <QTest>

#include <new>
#include <semaphore>

using namespace attnscope;

namespace {
int failed(const Error&) { return -1; }
}  // namespace

class SerialQueueTest : public QObject {
    Q_OBJECT
private slots:
    void everythingIsDoneInOrder();
    void isBusyUntilTheLastIsShown();
    void destroyingItFinishesWhatWaits();
    void nothingIsShownAfterItIsDestroyed();
    void whatIsThrownIsShownAndTheRestIsDone();
};

void SerialQueueTest::everythingIsDoneInOrder()
{
    QList<int> shown, wanted;
    SerialQueue<int> queue([&](int value) { shown << value; }, failed);
    for (int i = 0; i < 200; ++i) {
        queue.add([i] { return i; });
        wanted << i;
    }
    QTRY_COMPARE(shown, wanted);
}

void SerialQueueTest::isBusyUntilTheLastIsShown()
{
    int shown = 0;
    SerialQueue<int> queue([&](int) { ++shown; }, failed);
    QVERIFY(!queue.isBusy());
    std::binary_semaphore goOn{0};
    queue.add([&] {
        goOn.acquire();
        return 1;
    });
    queue.add([] { return 2; });
    QVERIFY(queue.isBusy());
    goOn.release();
    QTRY_COMPARE(shown, 2);
    QVERIFY(!queue.isBusy());
}

void SerialQueueTest::destroyingItFinishesWhatWaits()
{
    int done = 0;
    std::binary_semaphore goOn{0};
    {
        SerialQueue<int> queue([](int) {}, failed);
        queue.add([&] {
            goOn.acquire();
            return ++done;
        });
        for (int i = 0; i < 5; ++i)
            queue.add([&] { return ++done; });
        goOn.release();
    }
    QCOMPARE(done, 6);
}

void SerialQueueTest::nothingIsShownAfterItIsDestroyed()
{
    int shown = 0;
    {
        SerialQueue<int> queue([&](int) { ++shown; }, failed);
        queue.add([] { return 1; });
    }
    QTest::qWait(20);
    QCOMPARE(shown, 0);
}

void SerialQueueTest::whatIsThrownIsShownAndTheRestIsDone()
{
    QList<int> shown;
    SerialQueue<int> queue([&](int value) { shown << value; }, failed);
    queue.add([]() -> int { throw std::bad_alloc(); });
    queue.add([] { return 7; });
    QTRY_COMPARE(shown, (QList<int>{-1, 7}));
}

QTEST_GUILESS_MAIN(SerialQueueTest)
#include "serial_queue_test.moc"
