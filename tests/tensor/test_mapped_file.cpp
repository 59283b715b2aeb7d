// Files that are looked at where they lie, and what becomes of those that somebody cuts or writes meanwhile: a
// sentence, never a signal, and never a silent number.

#include "core/tensor/mapped_file.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace attnscope;

namespace {

constexpr std::size_t numbers = 1 << 20;  // 4 MiB: many pages

std::string content()
{
    return build::safetensors(
        "{" + build::field("a", "F32", "[" + std::to_string(numbers) + "]", "[0," + std::to_string(4 * numbers) + "]") +
            "}",
        build::counting(numbers));
}

}  // namespace

class TestMappedFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsGoneReadsAsZerosAndIsSaid();
    void itIsCutWhileManyRead();
    void aFileThatIsWrittenIsSaid_data();
    void aFileThatIsWrittenIsSaid();
    void anotherFileUnderItsNameIsNoChange();
    void otherBusErrorsEndTheProgram();
    void bytesInMemoryStay();

private:
    std::string write(const char* name)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        const std::string bytes = content();
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            qFatal("cannot write");
        return path.toStdString();
    }
    static double sumOf(std::span<const std::byte> bytes)
    {
        double sum = 0;
        for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
            float value;
            std::memcpy(&value, bytes.data() + i, sizeof value);
            sum += static_cast<double>(value);
        }
        return sum;
    }
    QTemporaryDir m_folder;
};

/// Cut to its first page after it was opened: what lies there stays, the rest are zeros, and check says so, also when
/// the file has its length again.
void TestMappedFile::whatIsGoneReadsAsZerosAndIsSaid()
{
    const std::string path = write("cut");
    const auto mapped = MappedTensors::open(path);
    QVERIFY2(mapped, mapped ? "" : mapped.error().message.c_str());
    QVERIFY(mapped->check());
    const auto bytes = mapped->bytes(mapped->file().tensors().front());
    QCOMPARE(bytes.size(), numbers * 4);
    QCOMPARE(::truncate(path.c_str(), 4096), 0);
    const double sum = sumOf(bytes);
    QVERIFY(sum < numbers);  // of the thousand numbers of a page
    const auto checked = mapped->check();
    QVERIFY(!checked);
    QCOMPARE(checked.error().kind, ErrorKind::Truncated);
    QVERIFY(checked.error().message.starts_with(path));
    write("cut");
    QVERIFY(!mapped->check());
    QVERIFY(MappedTensors::open(path)->check());
}

/// Eight threads read while the file is cut again and again; each file is a mapping of its own.
void TestMappedFile::itIsCutWhileManyRead()
{
    for (int round = 0; round < 6; ++round) {
        const std::string path = write("many");
        const auto mapped = MappedTensors::open(path);
        QVERIFY(mapped);
        const auto bytes = mapped->bytes(mapped->file().tensors().front());
        std::atomic<int> reading = 0;
        std::vector<std::thread> readers;
        for (int t = 0; t < 8; ++t)
            readers.emplace_back([&] {
                ++reading;
                for (int again = 0; again < 2; ++again)
                    sumOf(bytes);
            });
        while (reading == 0)
            std::this_thread::yield();
        QCOMPARE(::truncate(path.c_str(), 100 + round), 0);
        for (std::thread& reader : readers)
            reader.join();
        QVERIFY(!mapped->check());
    }
}

void TestMappedFile::aFileThatIsWrittenIsSaid_data()
{
    QTest::addColumn<QString>("how");
    for (const char* how : {"in place", "appended to", "cut and written again"})
        QTest::addRow("%s", how) << how;
}

void TestMappedFile::aFileThatIsWrittenIsSaid()
{
    QFETCH(QString, how);
    const std::string path = write("written");
    const auto mapped = MappedTensors::open(path);
    QVERIFY(mapped && mapped->check());
    QTest::qSleep(20);  // a clock of files ticks a few hundred times a second
    if (how == "cut and written again") {
        write("written");
    } else {
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(how == "in place" ? file.size() - 4 : file.size()));
        file.write("abcd");
    }
    QVERIFY(!mapped->check());
    const auto read = mapped->file().read<float>(mapped->file().tensors().front());
    QVERIFY(!read && read.error().message.starts_with(path));
}

void TestMappedFile::anotherFileUnderItsNameIsNoChange()
{
    const std::string path = write("removed");
    const auto mapped = MappedTensors::open(path);
    QVERIFY(mapped);
    QVERIFY(QFile::remove(QString::fromStdString(path)));
    write("removed");
    QVERIFY(mapped->check());
    const double n = numbers;
    QCOMPARE(sumOf(mapped->bytes(mapped->file().tensors().front())), n * (n - 1) / 2);
}

/// The guard takes what is its own; a fault elsewhere ends the program as it would without it.
void TestMappedFile::otherBusErrorsEndTheProgram()
{
    const std::string path = write("other");
    const auto mapped = MappedTensors::open(path);
    QVERIFY(mapped);
    const pid_t child = ::fork();
    if (child == 0) {
        struct rlimit none {};
        ::setrlimit(RLIMIT_CORE, &none);
        const int descriptor = ::open(path.c_str(), O_RDWR);
        const auto* own =
            static_cast<const volatile char*>(::mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE, descriptor, 0));
        if (::ftruncate(descriptor, 0) == 0)
            static_cast<void>(own[1 << 19]);
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
#ifdef ATTNSCOPE_SANITISED  // which reports it, and exits
    QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
#else
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
#endif
}

void TestMappedFile::bytesInMemoryStay()
{
    const std::string bytes = content();
    const auto mapped = MappedTensors::fromMemory(std::as_bytes(std::span(bytes)), nullptr, "here");
    QVERIFY(mapped && mapped->check());
    const double n = numbers;
    QCOMPARE(sumOf(mapped->bytes(mapped->file().tensors().front())), n * (n - 1) / 2);
    QVERIFY(!MappedTensors::fromMemory(std::as_bytes(std::span(bytes)).first(100), nullptr, "here"));
}

QTEST_APPLESS_MAIN(TestMappedFile)
#include "test_mapped_file.moc"
