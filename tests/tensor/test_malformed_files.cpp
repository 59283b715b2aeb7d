// Every row of the table of malformed files gets its own error, whether it is read from memory or from the disk.

#include "core/tensor/head_file.h"
#include "tests/support/file_builder.h"
#include "tests/support/malformed_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <set>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace attnscope;

Q_DECLARE_METATYPE(MalformedFile)

namespace {

/// Opens the file, reads all of it, and takes its heads: the first error on the way, or none.
Error firstError(const Result<TensorFile>& file, const std::string& holds)
{
    if (!file)
        return file.error();
    for (const TensorInfo& tensor : file->tensors())
        if (const auto values = file->read<float>(tensor); !values)
            return values.error();
    const auto heads = loadHeads(*file, {.path = file->path(), .query = {}, .key = {}, .layout = {}, .holds = holds});
    return heads ? Error{ErrorKind::Cancelled, "no error"} : heads.error();
}

std::vector<MalformedFile> allMalformed()
{
    std::vector<MalformedFile> all;
    for (const auto& part : {malformedSafetensors(), malformedGguf(), malformedNpy(), malformedNpz(), malformedHeads()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

class TestMalformedFiles : public QObject {
    Q_OBJECT

private slots:
    void eachRowIsRejectedWithItsOwnError_data();
    void eachRowIsRejectedWithItsOwnError();
    void theTableIsLongAndItsRowsDiffer();
    void namesGoIntoMessagesAsOneSafeLine();
    void whatIsNoRegularFileIsNotOpened_data();
    void whatIsNoRegularFileIsNotOpened();
    void aFileThatShrinksWhileItIsReadIsTruncated();
};

void TestMalformedFiles::eachRowIsRejectedWithItsOwnError_data()
{
    QTest::addColumn<MalformedFile>("file");
    for (const MalformedFile& file : allMalformed())
        QTest::addRow("%s: %s", file.extension.c_str(), file.name.c_str()) << file;
}

void TestMalformedFiles::eachRowIsRejectedWithItsOwnError()
{
    QFETCH(MalformedFile, file);
    QTemporaryDir folder;
    const std::string path = folder.filePath(QString::fromStdString("hostile." + file.extension)).toStdString();
    QFile disk(QString::fromStdString(path));
    QVERIFY(disk.open(QIODevice::WriteOnly));
    QCOMPARE(disk.write(file.bytes.data(), static_cast<qint64>(file.bytes.size())),
             static_cast<qint64>(file.bytes.size()));
    disk.close();

    const Error error = firstError(TensorFile::open(path), file.holds);
    QVERIFY2(error.kind == file.kind, error.message.c_str());
    QVERIFY2(error.message.find(file.says) != std::string::npos, error.message.c_str());
    QVERIFY2(error.message.starts_with(path), error.message.c_str());
    QVERIFY2(error.message.find('\n') == std::string::npos && !error.message.ends_with('.'), error.message.c_str());
    QVERIFY(error == firstError(TensorFile::fromBytes(build::bytes(file.bytes), path), file.holds));
}

void TestMalformedFiles::theTableIsLongAndItsRowsDiffer()
{
    const auto all = allMalformed();
    std::set<std::pair<std::string, std::string>> contents;
    std::set<std::string> names;
    for (const MalformedFile& file : all) {
        QVERIFY2(contents.emplace(file.extension, file.bytes).second, file.name.c_str());
        QVERIFY2(names.insert(file.extension + file.name).second, file.name.c_str());
    }
    QVERIFY(all.size() >= 60);
}

void TestMalformedFiles::namesGoIntoMessagesAsOneSafeLine()
{
    const std::string name = "evil\\n\\u001b[31m" + std::string(1000, 'x');
    const auto file = TensorFile::fromBytes(
        build::bytes(build::safetensors("{" + build::field(name, "F32", "[2]", "[0,4]") + "}", "abcd")),
        "a.safetensors");
    QVERIFY(!file);
    QVERIFY(file.error().message.find("'evil\\x0a\\x1b[31mxxx") != std::string::npos);
    QVERIFY(file.error().message.size() < 400);
}

void TestMalformedFiles::whatIsNoRegularFileIsNotOpened_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::addRow("FIFO") << "fifo" << ErrorKind::NotRegularFile << "this is a pipe";
    QTest::addRow("device") << "/dev/zero" << ErrorKind::NotRegularFile << "this is a device";
    QTest::addRow("directory") << "." << ErrorKind::NotRegularFile << "this is a directory";
    QTest::addRow("socket") << "socket" << ErrorKind::NotRegularFile << "this is a socket";
    QTest::addRow("link to a device") << "link" << ErrorKind::NotRegularFile << "this is a device";
    QTest::addRow("nothing") << "absent.npy" << ErrorKind::NotFound << "no such file";
    QTest::addRow("a file as a folder") << "text.txt/q.npy" << ErrorKind::NotFound << "no such file";
    QTest::addRow("links in a circle") << "circle" << ErrorKind::NotReadable << "cannot be opened";
    QTest::addRow("text") << "text.txt" << ErrorKind::UnknownFormat << "no .safetensors, .npy, .npz or .gguf";
}

void TestMalformedFiles::whatIsNoRegularFileIsNotOpened()
{
    QFETCH(QString, what);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const auto in = [&](const char* name) { return folder.filePath(name).toStdString(); };
    QCOMPARE(::mkfifo(in("fifo").c_str(), 0600), 0);
    QCOMPARE(::symlink("/dev/zero", in("link").c_str()), 0);
    QCOMPARE(::symlink("circle", in("circle").c_str()), 0);
    QFile text(folder.filePath("text.txt"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("some notes, not tensors");
    text.close();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, in("socket").c_str(), sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);

    const auto file = TensorFile::open(QDir(folder.path()).absoluteFilePath(what).toStdString());
    ::close(socket);
    QVERIFY(!file);
    QVERIFY2(file.error().kind == kind, file.error().message.c_str());
    QVERIFY2(file.error().message.find(says.toStdString()) != std::string::npos, file.error().message.c_str());
}

void TestMalformedFiles::aFileThatShrinksWhileItIsReadIsTruncated()
{
    QTemporaryDir folder;
    QFile disk(folder.filePath("q.npy"));
    QVERIFY(disk.open(QIODevice::WriteOnly));
    const std::string bytes = build::npy(build::npyDict("<f4", "(1000,)"), build::counting(1000));
    disk.write(bytes.data(), static_cast<qint64>(bytes.size()));
    disk.close();
    const auto file = TensorFile::open(disk.fileName().toStdString());
    QVERIFY(file);
    QVERIFY(disk.resize(static_cast<qint64>(bytes.size() - 5)));
    const auto values = file->read<float>(file->tensors().front());
    QVERIFY(!values);
    QVERIFY2(values.error().kind == ErrorKind::Truncated, values.error().message.c_str());
}

QTEST_APPLESS_MAIN(TestMalformedFiles)
#include "test_malformed_files.moc"
