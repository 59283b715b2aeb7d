// Which files are of one run: those whose names, or whose folders' names, differ in one number.

#include "core/tensor/numbered_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

class NumberedFilesTest : public QObject {
    Q_OBJECT
private slots:
    void namesThatDifferInOneNumber_data();
    void namesThatDifferInOneNumber();
    void theStampTellsAFileThatWasWrittenAgain();
};

void NumberedFilesTest::namesThatDifferInOneNumber_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QStringList>("run");
    QTest::addColumn<QList<double>>("numbers");
    using Names = QStringList;
    const auto row = [](const char* name, const Names& names, const char* asked, const Names& run,
                        const QList<double>& numbers) {
        QTest::addRow("%s", name) << names << QString::fromLatin1(asked) << run << numbers;
    };
    row("by number, not by letters", {"qk-1000.npz", "qk-50.npz", "qk-200.npz"}, "qk-200.npz",
        {"qk-50.npz", "qk-200.npz", "qk-1000.npz"}, {50, 200, 1000});
    row("zeros before it", {"s0001.npy", "s0010.npy"}, "s0010.npy", {"s0001.npy", "s0010.npy"}, {1, 10});
    row("another word is another run", {"a-1.npz", "a-2.npz", "b-3.npz", "a-4.npy", "a.npz"}, "a-1.npz",
        {"a-1.npz", "a-2.npz"}, {1, 2});
    row("of two numbers the one that most differ in",
        {"70m-step1.npz", "70m-step2.npz", "70m-step3.npz", "160m-step1.npz", "160m-step9.npz"}, "70m-step1.npz",
        {"70m-step1.npz", "70m-step2.npz", "70m-step3.npz"}, {1, 2, 3});
    row("folders", {"checkpoint-9/qk.npz", "checkpoint-10/qk.npz", "checkpoint-11/other.npz"}, "checkpoint-9/qk.npz",
        {"checkpoint-9/qk.npz", "checkpoint-10/qk.npz"}, {9, 10});
    row("its own name comes first", {"run-1/s-1.npz", "run-1/s-2.npz", "run-2/s-1.npz"}, "run-1/s-1.npz",
        {"run-1/s-1.npz", "run-1/s-2.npz"}, {1, 2});
    row("alone", {"qk-1.npz", "config.json"}, "qk-1.npz", {}, {});
    row("no number", {"a.npz", "b.npz"}, "a.npz", {}, {});
    const QByteArray digits(400, '7');
    row("a number beyond all numbers", {"qk-1.npz", "qk-" + digits.first(200) + ".npz", "qk-2.npz"}, "qk-1.npz",
        {"qk-1.npz", "qk-2.npz", "qk-" + digits.first(200) + ".npz"}, {1, 2, digits.first(200).toDouble()});
}

void NumberedFilesTest::namesThatDifferInOneNumber()
{
    QFETCH(QStringList, names);
    QFETCH(QString, asked);
    QTemporaryDir folder;
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        QVERIFY(QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly));
    }
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("qk-3.npz")));  // a folder is no file
    QStringList run;
    QList<double> numbers;
    for (const NumberedFile& file : numberedFiles(folder.filePath(asked).toStdString())) {
        run << QDir(folder.path()).relativeFilePath(QString::fromStdString(file.path));
        numbers << file.number;
        QVERIFY(file.stamp.exists);
    }
    QTEST(run, "run");
    QTEST(numbers, "numbers");
}

void NumberedFilesTest::theStampTellsAFileThatWasWrittenAgain()
{
    QTemporaryDir folder;
    for (const char* name : {"1.npz", "2.npz"}) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const std::string one = folder.filePath(QStringLiteral("1.npz")).toStdString();
    const auto before = numberedFiles(one);
    QCOMPARE(before.size(), std::size_t(2));
    QVERIFY(numberedFiles(one) == before);
    QFile file(folder.filePath(QStringLiteral("2.npz")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("more") == 4);
    file.close();
    const auto after = numberedFiles(one);
    QVERIFY(after[0] == before[0] && after[1] != before[1]);
}

QTEST_GUILESS_MAIN(NumberedFilesTest)
#include "test_numbered_files.moc"
