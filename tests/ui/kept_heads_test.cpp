// Files of queries and keys named by what is in them: nothing that refers to one comes to mean another, and what nobody
// refers to goes when there is too much.
#include "tests/model/small_models.h"

#include "core/model/shipped_heads.h"
#include "ui/workbench/kept_heads.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class KeptHeadsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theNameIsTheContents();
    void theSameHeadsAreTheSameFile();
    void otherHeadsAreAnotherFile();
    void theOldestThatNobodyMentionsGo();
    void whatTheStateMentions();

private:
    struct Opened {
        Model model;
        CapturedHeads heads;
    };
    Opened opened(const char* name, std::int64_t n, int first = 0);
    QTemporaryDir m_models;
};

void KeptHeadsTest::initTestCase()
{
    for (const char* name : {"llama", "gpt2"})
        QCOMPARE(writeModel(smallModel(name), m_models.filePath(QString::fromLatin1(name)).toStdString()),
                 std::string());
}

KeptHeadsTest::Opened KeptHeadsTest::opened(const char* name, std::int64_t n, int first)
{
    Opened made{openModel(m_models.filePath(QString::fromLatin1(name)).toStdString()).value(), {}};
    std::vector<int> ids;
    for (int i = 0; i <= n; ++i)
        ids.push_back((first + 7 * i) % 61);
    made.heads = captureHeads(made.model, windowOf(made.model.architecture, ids, 0, n).value(), {}).value();
    return made;
}

void KeptHeadsTest::theNameIsTheContents()
{
    QTemporaryDir folder;
    const Opened llama = opened("llama", 16);
    const auto path = keepHeadsIn(folder.filePath("deeper"), llama.model, llama.heads);
    QVERIFY2(path, path ? "" : path.error().message.c_str());
    const QString hash =
        QString::fromLatin1(QCryptographicHash::hash(contentOf(*path), QCryptographicHash::Sha256).toHex().left(16));
    QCOMPARE(QFileInfo(*path).fileName(), QStringLiteral("llama_16_%1.safetensors").arg(hash));
    QVERIFY(openHeadSource(path->toStdString()));
}

void KeptHeadsTest::theSameHeadsAreTheSameFile()
{
    QTemporaryDir folder;
    const Opened llama = opened("llama", 16);
    const QString path = keepHeadsIn(folder.path(), llama.model, llama.heads).value();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) &&
            file.setFileTime(QDateTime::currentDateTime().addDays(-3), QFileDevice::FileModificationTime));
    file.close();
    const QByteArray content = contentOf(path);
    const Opened again = opened("llama", 16);
    QCOMPARE(keepHeadsIn(folder.path(), again.model, again.heads).value(), path);
    QCOMPARE(contentOf(path), content);
    QVERIFY(QFileInfo(path).lastModified() > QDateTime::currentDateTime().addDays(-1));  // it is in use
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    QVERIFY(QFile::resize(path, 10));  // what was cut is written again
    QCOMPARE(keepHeadsIn(folder.path(), again.model, again.heads).value(), path);
    QCOMPARE(contentOf(path), content);
}

/// Another model, text or length.
void KeptHeadsTest::otherHeadsAreAnotherFile()
{
    QTemporaryDir folder;
    QStringList paths;
    for (const Opened& each : {opened("llama", 16), opened("gpt2", 16), opened("llama", 16, 3), opened("llama", 12)}) {
        const QString path = keepHeadsIn(folder.path(), each.model, each.heads).value();
        QVERIFY2(!paths.contains(path), qPrintable(path));
        paths << path;
    }
}

void KeptHeadsTest::theOldestThatNobodyMentionsGo()
{
    QTemporaryDir folder;
    const auto make = [&](const QString& name, int days) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(QByteArray(100, 'x')) == 100 && file.flush() &&
               file.setFileTime(QDateTime::currentDateTime().addDays(-days), QFileDevice::FileModificationTime);
    };
    for (int age = 1; age <= 5; ++age)
        QVERIFY(make(QStringLiteral("a_%1.safetensors").arg(age), 10 * age));
    QVERIFY(make("new.safetensors", 0));
    QVERIFY(make("a_9.txt", 100));
    const auto left = [&] { return QDir(folder.path()).entryList({"*.safetensors"}, QDir::Files, QDir::Name); };
    const QStringList mentions{"{\"path\": \"/x/a_5.safetensors\"}"};
    pruneKeptHeads(folder.path(), 600, mentions);
    QCOMPARE(left().size(), 6);
    pruneKeptHeads(folder.path(), 400, mentions);
    QCOMPARE(left(), (QStringList{"a_1.safetensors", "a_2.safetensors", "a_5.safetensors", "new.safetensors"}));
    pruneKeptHeads(folder.path(), 0, mentions);
    QCOMPARE(left(), (QStringList{"a_5.safetensors", "new.safetensors"}));
    QVERIFY(QFile::exists(folder.filePath("a_9.txt")));
}

/// Autosaves of every window, recent files and the sessions among them.
void KeptHeadsTest::whatTheStateMentions()
{
    QTemporaryDir state, elsewhere;
    const auto write = [](const QString& path, const QByteArray& text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(state.filePath("autosave.attnscope"), "one.safetensors"));
    QVERIFY(write(state.filePath("autosave-2.attnscope"), "two.safetensors"));
    QVERIFY(write(elsewhere.filePath("mine.attnscope"), "three.safetensors"));
    const QStringList mentions = mentionsInState(
        state.path(), {elsewhere.filePath("mine.attnscope"), "/y/four.safetensors", "/no/such.attnscope"});
    for (const char* name : {"one", "two", "three", "four"})
        QVERIFY(!mentions.filter(QString::fromLatin1(name) + ".safetensors").isEmpty());
}

QTEST_GUILESS_MAIN(KeptHeadsTest)
#include "kept_heads_test.moc"
