// The version is that of project(VERSION) in CMakeLists.txt, wherever the program says it.

#include "core/document/recipe.h"
#include "core/document/session.h"
#include "program.h"
#include "tests/ui/window_support.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace attnscope;

namespace {

QString projectVersion()
{
    QFile file(TEST_DATA "/../../CMakeLists.txt");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QRegularExpression("project\\(attnscope VERSION ([0-9.]+)")
        .match(QString::fromUtf8(file.readAll()))
        .captured(1);
}

QString writerOf(const std::string& json)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(json))["written_by"].toString();
}

}  // namespace

class TestVersion : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        attnscope::testing::prepareApplication();
        QVERIFY(!projectVersion().isEmpty());
        m_name = "attnscope " + projectVersion();
    }

    void theProgramPrintsIt()
    {
        const Outcome outcome = runProgram({"--version"});
        QCOMPARE(outcome.status, 0);
        QCOMPARE(QString::fromUtf8(outcome.output), m_name + "\n");
    }

    void savedFilesSayWhatWroteThem()
    {
        QCOMPARE(writerOf(writeSession({})), m_name);
        QCOMPARE(writerOf(writeRecipe({})), m_name);
        QTemporaryDir folder;
        QCOMPARE(runProgram({"figure", "adaptive_fit", "-o", folder.filePath("a.png"), "--set", "dpi=50"}).status, 0);
        QCOMPARE(QImage(folder.filePath("a.png")).text("Software"), m_name);
    }

    void theWindowSaysItUnderHelp()
    {
        attnscope::testing::WholeWindow window(attnscope::testing::smallScenario());
        const auto actions = window.findChildren<QAction*>();
        const auto about = std::find_if(actions.begin(), actions.end(),
                                        [](const QAction* action) { return action->text().contains("About"); });
        QVERIFY(about != actions.end());
        (*about)->trigger();
        QVERIFY2(window.messages().message().startsWith("Attnscope " + projectVersion() + ","),
                 qPrintable(window.messages().message()));
    }

private:
    QString m_name;
};

QTEST_MAIN(TestVersion)
#include "test_version.moc"
