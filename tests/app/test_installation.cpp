// The program installed into an empty folder: it runs from there, away from its sources, and brings what a desktop, a
// shell and a reader of licences need.

#include "tests/support/patience.h"

#include "program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <QXmlStreamReader>

namespace {

struct Said {
    int status = -1;
    QByteArray output;
};

/// Runs a program in an empty environment and folder.
Said said(const QString& program, const QStringList& arguments, const QString& folder)
{
    QProcess process;
    QProcessEnvironment environment;
    environment.insert("HOME", folder);
    environment.insert("PATH", "/usr/bin:/bin");
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(patienceWithPrograms) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAll()};
    return {process.exitCode(), process.readAll()};
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool save(const QString& path, const QByteArray& content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

#ifdef INTER
/// The face with letters twice as large: unitsPerEm, 18 bytes into the table "head" (OpenType 1.9), is halved.
QByteArray withHalfTheUnits(QByteArray face)
{
    const int tables = qFromBigEndian<quint16>(face.constData() + 4);
    for (int table = 0; table < tables; ++table) {
        const char* entry = face.constData() + 12 + 16 * table;
        if (qstrncmp(entry, "head", 4) != 0)
            continue;
        char* units = face.data() + qFromBigEndian<quint32>(entry + 8) + 18;
        qToBigEndian<quint16>(qFromBigEndian<quint16>(units) / 2, units);
    }
    return face;
}
#endif

}  // namespace

class TestInstallation : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const Said installed =
            said(CMAKE_PROGRAM, {"--install", BUILD_TREE, "--prefix", m_prefix.path()}, m_empty.path());
        QVERIFY2(installed.status == 0, installed.output);
    }

    void itRunsAwayFromItsSources_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::addRow("version") << QStringList{"--version"} << QByteArray("attnscope ");
        QTest::addRow("help") << QStringList{"lab", "max-retrieval", "--help"} << QByteArray("--resume");
        QTest::addRow("a trained network")
            << QStringList{"scale", "--method", "eie", "--n", "200", "--d", "16", "--n-train", "100"}
            << QByteArray("0.40");
        QTest::addRow("figures") << QStringList{"figures"} << QByteArray("method_grid");
    }
    void itRunsAwayFromItsSources()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Said outcome = said(m_prefix.filePath("bin/attnscope"), arguments, m_empty.path());
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.output.contains(says), outcome.output);
    }

    void itDrawsTheSameFigure()
    {
        QTemporaryDir folder;
        const Said outcome =
            said(m_prefix.filePath("bin/attnscope"), {"figure", "method_grid", "-o", "a.pdf"}, folder.path());
        QVERIFY2(outcome.status == 0, outcome.output);
        QCOMPARE(runProgram({"figure", "method_grid", "-o", folder.filePath("b.pdf")}).status, 0);
        QVERIFY(!contentOf(folder.filePath("a.pdf")).isEmpty());
        QCOMPARE(contentOf(folder.filePath("a.pdf")), contentOf(folder.filePath("b.pdf")));
    }

    void nothingInItPointsToItsSources()
    {
#ifndef NDEBUG
        QSKIP("assertions name their source files");
#endif
        const QByteArray program = contentOf(m_prefix.filePath("bin/attnscope"));
        QVERIFY(program.size() > 1'000'000);
        QVERIFY(!program.contains(QDir(SOURCE_TREE).absolutePath().toUtf8() + '/'));
        QVERIFY(!program.contains(QDir(BUILD_TREE).absolutePath().toUtf8() + '/'));
    }

    void theDesktopKnowsIt()
    {
        const QString path = m_prefix.filePath("share/applications/attnscope.desktop");
        const QSettings entry(path, QSettings::IniFormat);
        QCOMPARE(entry.value("Desktop Entry/Type").toString(), QString("Application"));
        QCOMPARE(entry.value("Desktop Entry/Exec").toString(), QString("attnscope %f"));
        QVERIFY(QFileInfo(m_prefix.filePath("share/icons/hicolor/scalable/apps/" +
                                            entry.value("Desktop Entry/Icon").toString() + ".svg"))
                    .size() > 0);
        const QString type = entry.value("Desktop Entry/MimeType").toString().remove(';');
        QVERIFY(contentOf(m_prefix.filePath("share/mime/packages/attnscope.xml")).contains(type.toUtf8()));
        QVERIFY(contentOf(m_prefix.filePath("share/metainfo/attnscope.metainfo.xml")).contains(type.toUtf8()));
        if (const QString validate = QStandardPaths::findExecutable("desktop-file-validate"); !validate.isEmpty()) {
            const Said verdict = said(validate, {path}, m_empty.path());
            QVERIFY2(verdict.status == 0 && verdict.output.isEmpty(), verdict.output);
        }
        // The project has no domain whose name could begin the component's.
        if (const QString appstream = QStandardPaths::findExecutable("appstreamcli"); !appstream.isEmpty()) {
            const Said verdict = said(appstream,
                                      {"validate", "--no-net", "--override", "cid-desktopapp-is-not-rdns=info",
                                       m_prefix.filePath("share/metainfo/attnscope.metainfo.xml")},
                                      m_empty.path());
            QVERIFY2(verdict.status == 0, verdict.output);
        }
    }

    void sessionsHaveATypeOfTheirOwn()
    {
        for (const char* file : {"share/mime/packages/attnscope.xml", "share/metainfo/attnscope.metainfo.xml"}) {
            QXmlStreamReader xml(contentOf(m_prefix.filePath(file)));
            while (!xml.atEnd())
                xml.readNext();
            QVERIFY2(!xml.hasError(), file);
        }
        const QString update = QStandardPaths::findExecutable("update-mime-database");
        if (update.isEmpty())
            QSKIP("update-mime-database is not installed");
        QCOMPARE(said(update, {m_prefix.filePath("share/mime")}, m_empty.path()).status, 0);
        QVERIFY(
            contentOf(m_prefix.filePath("share/mime/globs2")).contains(":application/x-attnscope+json:*.attnscope\n"));
    }

    void shellsReadersAndLicencesAreServed()
    {
        const QString zsh = QFileInfo::exists("/etc/debian_version") ? "vendor-completions" : "site-functions";
        QCOMPARE(contentOf(m_prefix.filePath("share/bash-completion/completions/attnscope")),
                 runProgram({"completion", "bash"}).output);
        QCOMPARE(contentOf(m_prefix.filePath("share/zsh/" + zsh + "/_attnscope")),
                 runProgram({"completion", "zsh"}).output);
        QCOMPARE(contentOf(m_prefix.filePath("share/fish/vendor_completions.d/attnscope.fish")),
                 runProgram({"completion", "fish"}).output);
        QCOMPARE(said("gzip", {"-dc", m_prefix.filePath("share/man/man1/attnscope.1.gz")}, m_empty.path()).output,
                 runProgram({"manual-page"}).output);
        QVERIFY(contentOf(m_prefix.filePath("share/doc/attnscope/LICENSE")).contains("GNU GENERAL PUBLIC LICENSE"));
        QVERIFY(contentOf(m_prefix.filePath("share/doc/attnscope/copyright")).contains("GPL-3.0-or-later"));
#ifdef INTER
        QVERIFY(contentOf(m_prefix.filePath("share/doc/attnscope/licences/fonts-inter")).contains("Open Font License"));
#endif
    }

    void figuresHaveTheSameTypeWhateverInterIsInstalled()
    {
#ifndef INTER
        QSKIP("the program was built without Inter");
#else
        QTemporaryDir folder;
        const auto drawnWith = [&](const QString& name, const QByteArray& installed) {
            QVERIFY(QDir(folder.path()).mkdir(name));
            const QString fonts = folder.filePath(name);
            if (!installed.isEmpty())
                QVERIFY(save(fonts + "/Inter-Regular.otf", installed));
            QVERIFY(save(fonts + ".conf", "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><dir>" +
                                              fonts.toUtf8() + "</dir><cachedir>" + fonts.toUtf8() +
                                              "/cache</cachedir></fontconfig>"));
            const Said drawn = said("env",
                                    {"FONTCONFIG_FILE=" + fonts + ".conf", m_prefix.filePath("bin/attnscope"), "figure",
                                     "all_entropies", "-o", name + ".pdf"},
                                    folder.path());
            QVERIFY2(drawn.status == 0, drawn.output);
        };
        const QByteArray same = contentOf(INTER);
        drawnWith("none", {});
        drawnWith("same", same);
        drawnWith("another", withHalfTheUnits(same));
        const QByteArray figure = contentOf(folder.filePath("none.pdf"));
        QVERIFY(figure.contains("Inter"));
        QCOMPARE(contentOf(folder.filePath("same.pdf")), figure);
        QCOMPARE(contentOf(folder.filePath("another.pdf")), figure);
#endif
    }

private:
    QTemporaryDir m_prefix, m_empty;
};

QTEST_GUILESS_MAIN(TestInstallation)
#include "test_installation.moc"
