// Saving replaces a file as a whole: whatever goes wrong on the way, the old one is still there and nothing else is.

#include "core/base/replace_file.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/full_disk.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
int umaskCalls = 0;
}

/// In place of the C library's, for the whole program: it would change the mask of every thread.
extern "C" mode_t umask(mode_t mask) noexcept
{
    ++umaskCalls;
    return static_cast<mode_t>(::syscall(SYS_umask, mask));
}

using namespace attnscope;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be opened)");
}

std::vector<float> counting(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

}  // namespace

class TestSaving : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadBack_data();
    void whatIsWrittenIsReadBack();
    void aWriteThatFailsInTheMiddleLeavesTheOldFile_data();
    void aWriteThatFailsInTheMiddleLeavesTheOldFile();
    void whatCannotBeWrittenSaysSo_data();
    void whatCannotBeWrittenSaysSo();
    void linksAndPermissionsStay();
    void newFilesHaveTheModeOfTheProcess();
    void aProgramKilledInTheMiddleLeavesNothing();
    void filesThatBelongTogetherAreWrittenTogether();
    void oneFileIsKnownByAllItsNames();
    void wrongTensorsAreRefused();
};

void TestSaving::whatIsWrittenIsReadBack_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("version");
    QTest::addRow(".npy 1.0") << "a.npy" << 1;
    QTest::addRow(".npy 2.0") << "a.npy" << 2;
    QTest::addRow(".safetensors") << "a.safetensors" << 0;
}

void TestSaving::whatIsWrittenIsReadBack()
{
    QFETCH(QString, name);
    QFETCH(int, version);
    QTemporaryDir folder;
    const std::string path = folder.filePath(name).toStdString();
    const std::vector<float> values = counting(24);
    const std::vector<double> others{0.1, -1e300};
    const auto written =
        version > 0
            ? writeNpy(path, tensorView("", {2, 3, 4}, values), version)
            : writeSafetensors(path, std::array{tensorView("q", {2, 3, 4}, values), tensorView("\"k\"\n", {2}, others)},
                               {{"model", "ours"}});
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    const auto file = TensorFile::open(path);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(describeTensor(file->tensors().front()), "F32 [2, 3, 4]");
    QCOMPARE(file->tensors().front().offset % 8, 0U);
    QCOMPARE(*file->read<float>(file->tensors().front()), values);
    if (version == 0) {
        QCOMPARE(*file->read<double>(**file->find("\"k\"\n")), others);
        QCOMPARE(file->metadata().at("model"), "ours");
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
}

void TestSaving::aWriteThatFailsInTheMiddleLeavesTheOldFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("exists");
    QTest::addRow(".npy over an old one") << "a.npy" << true;
    QTest::addRow(".safetensors over an old one") << "a.safetensors" << true;
    QTest::addRow("text over an old one") << "a.csv" << true;
    QTest::addRow(".npy, new") << "a.npy" << false;
}

void TestSaving::aWriteThatFailsInTheMiddleLeavesTheOldFile()
{
    QFETCH(QString, name);
    QFETCH(bool, exists);
    QTemporaryDir folder;
    const QString path = folder.filePath(name);
    if (exists)
        QVERIFY(replaceFile(path.toStdString(), "the old one"));
    const std::vector<float> values = counting(100'000);
    Result<void> written;
    {
        const FullDisk full(4096);
        const std::string to = path.toStdString();
        written = name.endsWith("npy")           ? writeNpy(to, tensorView("", {100'000}, values))
                  : name.endsWith("safetensors") ? writeSafetensors(to, std::array{tensorView("q", {100'000}, values)})
                                                 : replaceFile(to, std::string(100'000, 'x'));
    }
    QVERIFY(!written);
    QVERIFY2(written.error().kind == ErrorKind::NotWritable, written.error().message.c_str());
    QVERIFY(written.error().message.starts_with(path.toStdString()));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), exists ? QStringList{name} : QStringList{});
    if (exists)
        QCOMPARE(contentOf(path), QByteArray("the old one"));
}

void TestSaving::whatCannotBeWrittenSaysSo_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("says");
    QTest::addRow("a full device") << "/dev/full"
                                   << "No space left";
    QTest::addRow("a folder that is not there") << "absent/a.npy"
                                                << "No such file";
    QTest::addRow("a folder") << "."
                              << "Is a directory";
}

void TestSaving::whatCannotBeWrittenSaysSo()
{
    QFETCH(QString, path);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const auto written = replaceFile(QDir(folder.path()).absoluteFilePath(path).toStdString(), "text");
    QVERIFY(!written);
    QCOMPARE(written.error().kind, ErrorKind::NotWritable);
    QVERIFY2(written.error().message.find(says.toStdString()) != std::string::npos, written.error().message.c_str());
}

void TestSaving::linksAndPermissionsStay()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString(), link = folder.filePath("link").toStdString();
    QVERIFY(replaceFile(file, "old"));
    QCOMPARE(::chmod(file.c_str(), 0640), 0);
    QCOMPARE(::symlink("file", link.c_str()), 0);
    QVERIFY(replaceFile(link, "new"));
    struct stat status {};
    QCOMPARE(::lstat(link.c_str(), &status), 0);
    QVERIFY(S_ISLNK(status.st_mode));
    QCOMPARE(::stat(file.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777, 0640U);
    QCOMPARE(contentOf(QString::fromStdString(file)), QByteArray("new"));
}

void TestSaving::newFilesHaveTheModeOfTheProcess()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    const mode_t before = ::umask(027);
    umaskCalls = 0;
    const Result<void> written = replaceFile(file, "text");
    const int calls = umaskCalls;
    ::umask(before);
    QVERIFY(written);
    QCOMPARE(calls, 0);  // a file that another thread makes meanwhile would have the wrong mode
    struct stat status {};
    QCOMPARE(::stat(file.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777, 0640U);
}

/// The kernel kills a process at the byte where its file grows too large: as good as any other moment of a write.
void TestSaving::aProgramKilledInTheMiddleLeavesNothing()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("file").toStdString();
    const int nameless = ::open(folder.path().toStdString().c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (nameless < 0)
        QSKIP("this file system has no files without a name");
    ::close(nameless);
    QVERIFY(replaceFile(file, "old"));
    const std::string text(100'000, 'x');
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0}, little{4096, RLIM_INFINITY};
        ::setrlimit(RLIMIT_CORE, &none);
        std::signal(SIGXFSZ, SIG_DFL);
        ::setrlimit(RLIMIT_FSIZE, &little);
        ::_exit(replaceFile(file, text) ? 0 : 1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"file"});
    QCOMPARE(contentOf(QString::fromStdString(file)), QByteArray("old"));
}

void TestSaving::filesThatBelongTogetherAreWrittenTogether()
{
    QTemporaryDir folder;
    const std::string small = folder.filePath("small").toStdString(), large = folder.filePath("large").toStdString(),
                      much(10'000, 'x');
    const std::array files{FileText{small, "new"}, FileText{large, much}};
    QVERIFY(replaceFile(small, "old"));
    {
        const FullDisk full(4096);
        const Result<void> written = replaceFiles(files);
        QVERIFY(!written);
        QVERIFY2(written.error().message.starts_with(large), written.error().message.c_str());
    }
    QCOMPARE(contentOf(QString::fromStdString(small)), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"small"});
    QVERIFY(replaceFiles(files));
    QCOMPARE(contentOf(QString::fromStdString(small)), QByteArray("new"));
    QCOMPARE(contentOf(QString::fromStdString(large)).size(), 10'000);
}

void TestSaving::oneFileIsKnownByAllItsNames()
{
    QTemporaryDir folder;
    const auto in = [&](const char* name) { return folder.filePath(name).toStdString(); };
    QVERIFY(replaceFile(in("there"), "text") && replaceFile(in("other"), "text"));
    QCOMPARE(::symlink("there", in("link").c_str()), 0);
    QVERIFY(isSameFile(in("there"), in("there")));
    QVERIFY(isSameFile(in("there"), in("./there")));
    QVERIFY(isSameFile(in("there"), in("link")));
    QVERIFY(isSameFile(in("absent"), in("none/../absent")));
    QVERIFY(!isSameFile(in("there"), in("other")));
    QVERIFY(!isSameFile(in("there"), in("absent")));
    const Result<void> apart = checkApart(in("there"), "--output", in("link"), "--data");
    QVERIFY(!apart);
    QCOMPARE(apart.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(apart.error().message.starts_with("--output and --data are one file"), apart.error().message.c_str());
    QVERIFY(checkApart(in("there"), "--output", "", "--data"));
}

void TestSaving::wrongTensorsAreRefused()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("a").toStdString();
    const std::vector<float> values = counting(4);
    const std::array<std::uint16_t, 4> halves{};
    const TensorView good = tensorView("q", {4}, values);
    QCOMPARE(writeNpy(path, tensorView("", {5}, values)).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(writeNpy(path, {"", Dtype::BF16, {4}, std::as_bytes(std::span(halves))}).error().kind,
             ErrorKind::InvalidArgument);
    QCOMPARE(writeSafetensors(path, std::array{good, good}).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(writeSafetensors(path, std::array{tensorView("__metadata__", {4}, values)}).error().kind,
             ErrorKind::InvalidArgument);
    QVERIFY(!QFile::exists(QString::fromStdString(path)));
}

QTEST_APPLESS_MAIN(TestSaving)
#include "test_saving.moc"
