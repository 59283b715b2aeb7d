// Everything that was asked for is written, whoever still listens.
#include "ui/job/save_queue.h"

#include "core/base/replace_file.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <new>
#include <semaphore>

using namespace attnscope;

class SaveQueueTest : public QObject {
    Q_OBJECT
private slots:
    void itIsBusyUntilEverythingIsHeardOf();
    void whoIsGoneHearsNothingAndTheFileIsThere();
    void whatIsShortDoesNotWaitForWhatIsLong();
    void whatIsThrownIsAnError();
};

void SaveQueueTest::itIsBusyUntilEverythingIsHeardOf()
{
    SaveQueue queue;
    QSignalSpy emptied(&queue, &SaveQueue::emptied);
    QStringList heard;
    for (const char* name : {"a", "b", "c"})
        queue.add(
            QString::fromLatin1(name), this, []() -> Result<void> { return {}; },
            [&heard, name](const Result<void>&) { heard << QString::fromLatin1(name); });
    QCOMPARE(queue.waiting(), (QStringList{"a", "b", "c"}));
    QTRY_VERIFY(!queue.isBusy());
    QCOMPARE(heard, (QStringList{"a", "b", "c"}));
    QCOMPARE(emptied.size(), 1);
}

void SaveQueueTest::whoIsGoneHearsNothingAndTheFileIsThere()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.txt"));
    bool heard = false;
    {
        SaveQueue queue;
        auto listener = std::make_unique<QObject>();
        std::binary_semaphore goOn{0};
        queue.add(
            path, listener.get(),
            [&goOn, path] {
                goOn.acquire();
                return replaceFile(path.toStdString(), "whole");
            },
            [&heard](const Result<void>&) { heard = true; });
        listener.reset();
        goOn.release();
    }
    QCoreApplication::processEvents();
    QVERIFY(!heard);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("whole"));
}

void SaveQueueTest::whatIsShortDoesNotWaitForWhatIsLong()
{
    SaveQueue queue;
    std::binary_semaphore goOn{0};
    QStringList heard;
    queue.add(
        QStringLiteral("film"), this,
        [&goOn]() -> Result<void> {
            goOn.acquire();
            return {};
        },
        [&heard](const Result<void>&) { heard << QStringLiteral("film"); }, SaveQueue::Line::Long);
    queue.add(
        QStringLiteral("session"), this, []() -> Result<void> { return {}; },
        [&heard](const Result<void>&) { heard << QStringLiteral("session"); });
    QTRY_COMPARE(heard, QStringList{"session"});
    QCOMPARE(queue.waiting(), QStringList{"film"});
    goOn.release();
    QTRY_COMPARE(heard, (QStringList{"session", "film"}));
}

void SaveQueueTest::whatIsThrownIsAnError()
{
    SaveQueue queue;
    Result<int> heard = 0;
    queue.add(
        QStringLiteral("a"), this, []() -> Result<int> { throw std::bad_alloc(); },
        [&heard](const Result<int>& made) { heard = made; });
    QTRY_VERIFY(!heard);
    QVERIFY(!queue.isBusy());
}

QTEST_GUILESS_MAIN(SaveQueueTest)
#include "save_queue_test.moc"
