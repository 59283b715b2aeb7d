// The program where memory is little: it does what it is asked, or says in one line that it cannot and exits 1, and
// what was there stays. It never crashes.

#include "program.h"

#include "core/tensor/tensor_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

class TestLittleMemory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isEnoughOrIsSaid_data();
    void isEnoughOrIsSaid();

private:
    static constexpr std::uint64_t step = 8 << 20, fine = 1 << 20;
    QTemporaryDir m_folder;
    std::uint64_t m_least = 0;  ///< in which its libraries can be loaded at all
};

void TestLittleMemory::initTestCase()
{
    // 16 MiB of queries and keys: more than is left where the program can just tell its version
    constexpr std::int64_t heads = 2, tokens = 16384, dim = 64;
    const std::vector<float> zeros(heads * tokens * dim);
    const std::vector tensors{attnscope::tensorView("q", {heads, tokens, dim}, zeros),
                              attnscope::tensorView("k", {heads, tokens, dim}, zeros)};
    QVERIFY(attnscope::writeSafetensors(m_folder.filePath("long.safetensors").toStdString(), tensors));
    for (m_least = step; runProgram({"--version"}, {}, m_least).status != 0; m_least += fine)
        QVERIFY2(m_least < (std::uint64_t{16} << 30), "it needs more than 16 GiB to tell its version");
}

void TestLittleMemory::isEnoughOrIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("output");
    const QString tensors = m_folder.filePath("long.safetensors");
    QTest::addRow("figure, pdf") << QStringList{"figure", "adaptive_fit", "-o", "OUTPUT"} << "a.pdf";
    QTest::addRow("figure, png") << QStringList{"figure",  "su_table", "-o",    "OUTPUT",
                                                "--width", "183mm",    "--set", "dpi=600"}
                                 << "a.png";
    QTest::addRow("figure with heatmaps")
        << QStringList{"figure", "method_grid", "-o", "OUTPUT", "--set", "scenario.n=64"} << "a.svg";
    QTest::addRow("heatmap") << QStringList{"heatmap", "--source", "local", "--n", "512", "-o", "OUTPUT"} << "a.npy";
    QTest::addRow("statistics") << QStringList{"stats", tensors, "--per-row", "-o", "OUTPUT"} << "a.csv";
}

void TestLittleMemory::isEnoughOrIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, output);
    const QString path = m_folder.filePath(output);
    arguments.replaceInStrings("OUTPUT", path);
    const QByteArray old = "the old one";
    int refused = 0, enough = 0;
    for (std::uint64_t memory = m_least; enough < 2; memory += step) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(old) == old.size());
        file.close();
        const Outcome outcome = runProgram(arguments, {}, memory);
        const QString what =
            QString("%1 MiB: status %2, %3").arg(memory >> 20).arg(outcome.status).arg(outcome.errorLines.join(" / "));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const bool isOld = file.readAll() == old;
        if (outcome.status == 0) {
            QVERIFY2(!isOld, qPrintable(what));
            ++enough;
            continue;
        }
        ++refused;
        QVERIFY2(outcome.status == 1 && outcome.errorLines.size() == 1 && outcome.errorLines[0].startsWith("attnscope"),
                 qPrintable(what));
        QVERIFY2(outcome.errorLines[0].contains("memory"), qPrintable(what));
        QVERIFY2(isOld, qPrintable(what));
        QVERIFY2(memory < m_least + 64 * step, "it needs half a gigabyte more than to tell its version");
    }
    QVERIFY2(refused > 0, "there was no little memory");
    QCOMPARE(QDir(m_folder.path()).entryList({output + "*"}, QDir::Files | QDir::Hidden), QStringList{output});
}

QTEST_GUILESS_MAIN(TestLittleMemory)
#include "test_little_memory.moc"
