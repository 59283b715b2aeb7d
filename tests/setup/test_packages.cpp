// What ./run and ./check do about packages, on machines that are not this one: dpkg-query, apt-get, id and sudo are
// replaced by small scripts on a PATH of their own, and each writes down how it was called.

#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

struct Outcome {
    int status = 0;
    QString said;   ///< on both outputs
    QString asked;  ///< the commands that apt-get was given, one a line
};

class Machine {
public:
    Machine()
    {
        QDir(m_root.path()).mkdir(u"bin"_s);
        for (const QString& tool :
             {u"bash"_s, u"sed"_s, u"grep"_s, u"env"_s, u"cat"_s, u"dirname"_s, u"readlink"_s, u"mkdir"_s})
            QVERIFY2(QFile::link(QStandardPaths::findExecutable(tool), m_root.filePath("bin/" + tool)),
                     qPrintable(tool));
        script(u"id"_s, u"echo 0"_s);
        aptGet(u""_s);
    }

    /// dpkg-query as dpkg 1.21 behaves: prints those that it knows, complains of the others and then ends with 1.
    void installed(const QStringList& packages)
    {
        script(u"dpkg-query"_s, u"shift 3; status=0\n"
                                "for p in \"$@\"; do case \" %1 \" in *\" $p \"*) echo \"$p installed\";; *) echo "
                                "\"dpkg-query: no packages found matching $p\" >&2; status=1;; esac; done\n"
                                "exit $status"_s.arg(packages.join(u' ')));
    }
    /// `lines` decide after the call was written down: `$1` is the subcommand.
    void aptGet(const QString& lines)
    {
        script(u"apt-get"_s, u"echo \"$@\" >> '%1'\n%2"_s.arg(m_root.filePath(u"asked"_s), lines));
    }
    /// apt-cache knows these packages, but where `lists` is false only after apt-get update.
    void known(const QStringList& packages, bool lists)
    {
        script(
            u"apt-cache"_s,
            u"%1 grep -q ^update '%2' 2>/dev/null || exit 100\ncase \" %3 \" in *\" ${@: -1} \"*) ;; *) exit 100;; esac"_s
                .arg(lists ? u"true ||"_s : QString(), m_root.filePath(u"asked"_s), packages.join(u' ')));
    }
    void script(const QString& name, const QString& body)
    {
        QFile file(m_root.filePath("bin/" + name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/usr/bin/env bash\n" + body.toUtf8() + '\n');
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    /// A script of the root sources the file under the same options as ./run and ./check.
    Outcome need(const QStringList& packages) const
    {
        return bash(u"set -euo pipefail; source '" SOURCE_FOLDER "/resources/setup/packages.sh'; needPackages "_s +
                    packages.join(u' ') + u"; echo went on"_s);
    }
    Outcome bash(const QString& line) const
    {
        QProcess process;
        QProcessEnvironment environment;
        environment.insert(u"PATH"_s, m_root.filePath(u"bin"_s));
        environment.insert(u"HOME"_s, m_root.path());
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(m_root.filePath(u"bin/bash"_s), {u"-c"_s, line});
        Outcome outcome{-1, {}, {}};
        if (!process.waitForFinished(patienceWithPrograms))
            return outcome;
        outcome.status = process.exitCode();
        outcome.said = QString::fromUtf8(process.readAll());
        QFile asked(m_root.filePath(u"asked"_s));
        if (asked.open(QIODevice::ReadOnly))
            outcome.asked = QString::fromUtf8(asked.readAll());
        return outcome;
    }

private:
    QTemporaryDir m_root;
};

const QString installBoth = u"install -y -qq --no-install-recommends g++ qt6-base-dev\n"_s;

}  // namespace

class TestPackages : public QObject {
    Q_OBJECT
private slots:
    void whatIsMissingIsInstalled_data()
    {
        QTest::addColumn<QStringList>("installed");
        QTest::addColumn<QString>("asked");
        QTest::newRow("nothing installed") << QStringList{} << "update -qq\n" + installBoth;
        QTest::newRow("some") << QStringList{u"g++"_s}
                              << u"update -qq\ninstall -y -qq --no-install-recommends qt6-base-dev\n"_s;
        QTest::newRow("a name that begins like one")
            << QStringList{u"g++-12"_s, u"qt6-base-dev-tools"_s} << "update -qq\n" + installBoth;
        QTest::newRow("all") << QStringList{u"g++"_s, u"qt6-base-dev"_s} << QString();
    }
    void whatIsMissingIsInstalled()
    {
        QFETCH(QStringList, installed);
        Machine machine;
        machine.installed(installed);
        const Outcome outcome = machine.need({u"g++"_s, u"qt6-base-dev"_s});
        QCOMPARE(outcome.status, 0);
        QTEST(outcome.asked, "asked");
        QVERIFY2(outcome.said.endsWith(u"went on\n"_s), qPrintable(outcome.said));
    }

    /// Of a package that was split or renamed, the first name that the release has is asked for, also where the release
    /// still has the other, which then lacks what is needed.
    void ofAlternativesTheFirstThatIsKnownIsInstalled_data()
    {
        QTest::addColumn<QStringList>("installed");
        QTest::addColumn<QStringList>("known");
        QTest::addColumn<bool>("lists");
        QTest::addColumn<QString>("asked");
        const QString install = u"update -qq\ninstall -y -qq --no-install-recommends %1\n"_s;
        const QStringList both{u"svg-plugins"_s, u"libsvg"_s}, old{u"libsvg"_s};
        QTest::newRow("a newer release") << QStringList{} << both << true << install.arg(u"svg-plugins"_s);
        QTest::newRow("without lists") << QStringList{} << both << false << install.arg(u"svg-plugins"_s);
        QTest::newRow("the other is there") << old << both << true << install.arg(u"svg-plugins"_s);
        QTest::newRow("an older release") << QStringList{} << old << true << install.arg(u"libsvg"_s);
        QTest::newRow("an older release that has it") << old << old << true << QString();
        QTest::newRow("installed, lists gone") << both << QStringList{} << false << QString();
    }
    void ofAlternativesTheFirstThatIsKnownIsInstalled()
    {
        QFETCH(QStringList, installed);
        QFETCH(QStringList, known);
        QFETCH(bool, lists);
        Machine machine;
        machine.installed(installed);
        machine.known(known, lists);
        const Outcome outcome = machine.need({u"'svg-plugins|libsvg'"_s});
        QTEST(outcome.asked, "asked");
        QVERIFY2(outcome.said.endsWith(u"went on\n"_s), qPrintable(outcome.said));
    }

    /// Whatever stops the installation, the script ends with 1 and a sentence of ours that says what to do.
    void aFailureSaysWhatToDo_data()
    {
        QTest::addColumn<QString>("aptGet");
        QTest::addColumn<QString>("said");
        QTest::newRow("a package unknown to apt")
            << u"[ $1 = update ] || { echo 'E: Unable to locate package qt6-base-dev' >&2; exit 100; }"_s
            << u"install them by hand: g++ qt6-base-dev"_s;
        QTest::newRow("apt fails altogether") << u"exit 100"_s << u"apt-get update failed"_s;
    }
    void aFailureSaysWhatToDo()
    {
        QFETCH(QString, aptGet);
        QFETCH(QString, said);
        Machine machine;
        machine.installed({});
        machine.aptGet(aptGet);
        const Outcome outcome = machine.need({u"g++"_s, u"qt6-base-dev"_s});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.said.contains(said), qPrintable(outcome.said));
        QVERIFY(!outcome.said.contains(u"went on"_s));
    }

    /// Lists of packages that are here already may do.
    void aFailedUpdateDoesNotKeepFromInstalling()
    {
        Machine machine;
        machine.installed({});
        machine.aptGet(u"[ $1 = install ]"_s);
        QCOMPARE(machine.need({u"g++"_s, u"qt6-base-dev"_s}).status, 0);
    }

    void withoutRootItAsksForIt()
    {
        Machine machine;
        machine.installed({});
        machine.script(u"id"_s, u"echo 1000"_s);
        const Outcome outcome = machine.need({u"g++"_s});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.said.contains(u"As root: apt-get install g++"_s), qPrintable(outcome.said));
        QCOMPARE(outcome.asked, QString());

        machine.script(u"sudo"_s, u"\"$@\""_s);
        QCOMPARE(machine.need({u"g++"_s}).status, 0);
    }

    void elsewhereItSaysWhatIsNeededAndGoesOn()
    {
        const Machine machine;  // no dpkg-query
        const Outcome outcome = machine.need({u"g++"_s});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.said.contains(u"not Debian or Ubuntu"_s), qPrintable(outcome.said));
    }

    /// The two commands of the README end with a word, whatever is missing.
    void theCommandsNeverEndInSilence_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("run") << u"run"_s;
        QTest::newRow("check") << u"check"_s;
    }
    void theCommandsNeverEndInSilence()
    {
        QFETCH(QString, command);
        Machine machine;
        machine.installed({});
        machine.aptGet(u"exit 100"_s);
        const Outcome outcome = machine.bash(u"" SOURCE_FOLDER "/"_s + command);
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.said.contains(u"install them by hand"_s), qPrintable(outcome.said));
        QVERIFY2(outcome.asked.contains(u"install -y"_s), qPrintable(outcome.asked));
    }
};

QTEST_GUILESS_MAIN(TestPackages)
#include "test_packages.moc"
