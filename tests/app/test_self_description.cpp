// The manual page and the completions of shells name every command and every option that --help shows, and shells and
// troff read them without complaint.

#include "app/commands/command.h"
#include "core/labs/lab.h"
#include "program.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

/// "-o", "--output" of the text of --help: options begin their lines.
QStringList optionsInHelp(const QByteArray& help)
{
    QStringList names;
    const QRegularExpression line("^  (-[^ ]+)", QRegularExpression::MultilineOption);
    for (auto found = line.globalMatch(QString::fromUtf8(help)); found.hasNext();)
        names += found.next().captured(1).split(',');
    return names;
}

QByteArray completionFor(const char* shell) { return runProgram({"completion", shell}).output; }

/// What a command prints, standard error too, on a file of the given content; its last argument becomes the file.
QString said(const QString& program, const QStringList& arguments, const QByteArray& content)
{
    QTemporaryDir folder;
    QFile file(folder.filePath("script"));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return "the script could not be written";
    file.close();
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments + QStringList{file.fileName()});
    process.waitForFinished(patienceWithPrograms);
    return QString("status %1\n").arg(process.exitCode()) + QString::fromUtf8(process.readAll());
}

/// What bash would offer for the words of a command line, the last of which is being typed.
QSet<QString> offered(const QStringList& words)
{
    QByteArray script = completionFor("bash");
    script += "COMP_WORDS=(";
    for (const QString& word : words)
        script += "'" + word.toUtf8() + "' ";
    script += ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_attnscope\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const QStringList lines = said("bash", {"--norc"}, script).split('\n').mid(1);
    return {lines.begin(), lines.end()};
}

}  // namespace

class TestSelfDescription : public QObject {
    Q_OBJECT

private slots:
    void everyCommandIsWholeEverywhere_data()
    {
        QTest::addColumn<QString>("name");
        for (const attnscope::Command& command : attnscope::commands())
            QTest::addRow("%s", command.name.c_str()) << QString::fromStdString(command.name);
    }
    void everyCommandIsWholeEverywhere()
    {
        QFETCH(QString, name);
        const QStringList options = optionsInHelp(runProgram({name, "--help"}).output);
        QVERIFY(options.contains("--help"));

        QString page = QString::fromUtf8(runProgram({"manual-page"}).output).replace("\\-", "-");
        const qsizetype from = page.indexOf("\n.SS " + name + "\n");
        QVERIFY(from >= 0);
        page = page.mid(from + 1, page.indexOf("\n.S", from + 1) - from);
        const QString bash = QString::fromUtf8(completionFor("bash")), zsh = QString::fromUtf8(completionFor("zsh")),
                      fish = QString::fromUtf8(completionFor("fish"));
        const qsizetype inZsh = zsh.indexOf("\n    " + name + ")\n");
        QVERIFY(inZsh >= 0);
        const QString zshPart = zsh.mid(inZsh, zsh.indexOf(";;", inZsh) - inZsh);
        QVERIFY(zsh.contains("'" + name + ":"));
        QVERIFY(fish.contains("-a " + name + " "));
        QVERIFY(offered({"attnscope", name.left(2)}).contains(name));
        const QSet<QString> inBash = offered({"attnscope", name, "-"});
        for (const QString& option : options) {
            QVERIFY2(page.contains("\\fB" + option + "\\fR"), qPrintable("manual page: " + option));
            QVERIFY2(inBash.contains(option), qPrintable("bash: " + option));
            QVERIFY2(zshPart.contains(QRegularExpression("[ '{,]" + option + "[\\[},]")), qPrintable("zsh: " + option));
            const QString inFish = option.startsWith("--") ? " -l " + option.mid(2) : " -s " + option.mid(1);
            QVERIFY2(fish.contains(QRegularExpression("from " + name + "'[^\\n]*" + inFish + "\\b")),
                     qPrintable("fish: " + option));
        }
    }

    void theManualHasEveryCommandAndEveryLab()
    {
        const auto page = [](const char* name) {
            QFile file(QString(TEST_DATA "/../../resources/manual/%1.md").arg(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray commands = page("command_line"), labs = page("labs");
        for (const attnscope::Command& command : attnscope::commands())
            QVERIFY2(commands.contains('`' + QByteArray::fromStdString(command.name) + '`'), command.name.c_str());
        for (const attnscope::Lab& lab : attnscope::labs())
            QVERIFY2(labs.contains("\n## `" + QByteArray::fromStdString(lab.id) + "`: "), lab.id.c_str());
    }

    void bashOffersWhatAnOptionTakes()
    {
        QVERIFY(offered({"attnscope", "scale", "--method", "info"}).contains("infoscale"));
        QVERIFY(offered({"attnscope", "scale", "--method", "vanilla", "info"}).contains("infoscale"));
        QVERIFY(!offered({"attnscope", "scale", "--d", "info"}).contains("infoscale"));
        QVERIFY(offered({"attnscope", "stats", "x.npy", "--format", ""}).contains("json"));
        QVERIFY(offered({"attnscope", "figure", "method_"}).contains("method_grid"));
        QVERIFY(offered({"attnscope", "lab", "max"}).contains("max-retrieval"));
        QVERIFY(offered({"attnscope", "completion", ""}).contains("fish"));
    }

    void shellsReadTheirScripts_data()
    {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"bash", "zsh", "fish"})
            QTest::addRow("%s", shell) << shell;
    }
    void shellsReadTheirScripts()
    {
        QFETCH(QString, shell);
        if (QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP("this shell is not installed");
        QCOMPARE(said(shell, {"-n"}, completionFor(qPrintable(shell))), QString("status 0\n"));
    }

    void troffReadsTheManualPage()
    {
        if (QStandardPaths::findExecutable("groff").isEmpty())
            QSKIP("groff is not installed");
        QCOMPARE(said("groff", {"-man", "-Tutf8", "-ww", "-z", "-Kutf8"}, runProgram({"manual-page"}).output),
                 QString("status 0\n"));
    }
};

QTEST_GUILESS_MAIN(TestSelfDescription)
#include "test_self_description.moc"
