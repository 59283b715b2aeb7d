// Random actions over all workspaces, with real keys and a real pointer: whatever a person does, the program neither
// crashes nor hangs, nor does what was asked for never come. Each seed runs in a process of its own, so that what it
// did survives it.
//
//   ATTNSCOPE_MONKEY_ACTIONS=20000 ATTNSCOPE_MONKEY_SEED=7 test_monkey    a longer run of one seed
//   ATTNSCOPE_MONKEY_REPLAY=actions.txt test_monkey                        what a run that failed has left, again

#include "tests/ui/monkey.h"
#include "tests/ui/window_support.h"

#include <QProcess>

using namespace attnscope::testing;

namespace {

#ifdef ATTNSCOPE_SANITISED
constexpr int usualActions = 120;
#else
constexpr int usualActions = 200;
#endif
constexpr int said = 25;  // of the last actions, in the log of a failure

int actionsAsked() { return std::max(1, qEnvironmentVariableIntValue("ATTNSCOPE_MONKEY_ACTIONS")); }

}  // namespace

class MonkeyTest : public QObject {
    Q_OBJECT
private slots:
    void nothingBreaks_data();
    void nothingBreaks();
};

void MonkeyTest::nothingBreaks_data()
{
    QTest::addColumn<QStringList>("arguments");
    if (const QString replay = qEnvironmentVariable("ATTNSCOPE_MONKEY_REPLAY"); !replay.isEmpty()) {
        QTest::addRow("%s", qPrintable(replay)) << QStringList{QStringLiteral("--replay"), replay};
        return;
    }
    const QString seed = qEnvironmentVariable("ATTNSCOPE_MONKEY_SEED");
    const int actions = qEnvironmentVariableIsSet("ATTNSCOPE_MONKEY_ACTIONS") ? actionsAsked() : usualActions;
    for (const QString& one : seed.isEmpty() ? QStringList{"1", "2", "3"} : QStringList{seed})
        QTest::addRow("seed %s", qPrintable(one))
            << QStringList{QStringLiteral("--monkey"), one, QString::number(actions)};
}

void MonkeyTest::nothingBreaks()
{
    QFETCH(QStringList, arguments);
    QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        environment.insert(QString::fromLatin1(name), home.path());
    environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("qt.qpa.*=false"));  // what offscreen cannot
    environment.insert(QStringLiteral("MALLOC_PERTURB_"), QStringLiteral("165"));  // what is freed is not read for long
    QProcess monkey;
    monkey.setProcessEnvironment(environment);
    monkey.setProcessChannelMode(QProcess::MergedChannels);
    monkey.start(QCoreApplication::applicationFilePath(), arguments);
    QByteArray output;
    bool hangs = false;
    while (!hangs && monkey.state() != QProcess::NotRunning) {
        hangs = !monkey.waitForReadyRead(patience) && monkey.state() != QProcess::NotRunning;
        output += monkey.readAll();
    }
    if (hangs)
        monkey.kill();
    monkey.waitForFinished(patience);
    output += monkey.readAll();
    if (!hangs && monkey.exitStatus() == QProcess::NormalExit && monkey.exitCode() == 0) {
        qInfo("%lld actions", static_cast<long long>(output.count(Monkey::mark.toUtf8())));
        return;
    }
    QStringList actions, rest;
    for (const QString& line : QString::fromUtf8(output).split(QLatin1Char('\n')))
        (line.startsWith(Monkey::mark) ? actions : rest) << line;
    QFile kept(
        QDir::temp().filePath(QStringLiteral("attnscope_monkey_%1.txt").arg(QCoreApplication::applicationPid())));
    if (kept.open(QIODevice::WriteOnly))
        kept.write(actions.join(QLatin1Char('\n')).toUtf8() + '\n');
    const QString how = hangs ? QStringLiteral("hangs")
                        : monkey.exitStatus() == QProcess::CrashExit
                            ? QStringLiteral("crashed")
                            : QStringLiteral("failed (%1)").arg(monkey.exitCode());
    QFAIL(
        qPrintable(QStringLiteral("%1 after %2 actions; ATTNSCOPE_MONKEY_REPLAY=%3 does them again. The last:\n%4\n%5")
                       .arg(how)
                       .arg(actions.size())
                       .arg(kept.fileName(), actions.mid(std::max<qsizetype>(0, actions.size() - said)).join('\n'),
                            rest.mid(std::max<qsizetype>(0, rest.size() - 120)).join('\n'))));
}

/// With arguments of its own the program is the monkey.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--monkey"))
        return Monkey(arguments.value(2).toUInt()).run(arguments.value(3).toInt());
    if (arguments.value(1) == QLatin1String("--replay"))
        return Monkey(0).replay(arguments.value(2));
    MonkeyTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "monkey_test.moc"
