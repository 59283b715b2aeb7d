// The manual in the window: every page is reached, every link leads somewhere, snippets are copied whole.
#include "tests/ui/window_support.h"

#include "core/model/families/families.h"
#include "core/model/gguf_model.h"
#include "core/tensor/dtype.h"
#include "ui/window/views/manual_view.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>

using namespace attnscope;

class ManualTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { attnscope::testing::prepareApplication(); }
    void itIsWholeAndItsLinksLead();
    void itNamesEveryModelType();
    void itNamesWhatFilesHold();
};

void ManualTest::itIsWholeAndItsLinksLead()
{
    ManualView manual;
    QSet<QString> seen;
    QStringList waiting{"index"};
    while (!waiting.isEmpty()) {
        const QString page = waiting.takeFirst();
        if (seen.contains(page))
            continue;
        seen << page;
        manual.openPage(page);
        QCOMPARE(manual.page(), page);
        QVERIFY(manual.text()->toPlainText().size() > 100);
        for (QTextBlock block = manual.text()->document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const QString link = part.fragment().charFormat().anchorHref();
                if (link.endsWith(".md")) {
                    QVERIFY2(QFile::exists(":/manual/" + link), qPrintable(page + " -> " + link));
                    waiting << link.chopped(3);
                }
            }
    }
    QCOMPARE(seen.size(), QDir(":/manual").entryList({"*.md"}).size());
    manual.openPage("tensors_numpy");
    QVERIFY(manual.snippets().size() >= 3);
    QVERIFY(manual.snippets().front().startsWith("import numpy as np\n"));
    emit manual.text()->anchorClicked(QUrl("copy:0"));
    QCOMPARE(QApplication::clipboard()->text(), manual.snippets().front());
    manual.back();
    QVERIFY(manual.page() != "tensors_numpy");
}

void ManualTest::itNamesEveryModelType()
{
    ManualView manual;
    manual.openPage("models");
    const QStringList words = manual.text()->toPlainText().split(QRegularExpression("[^a-z0-9_]+"));
    for (const Family& type : families())
        QVERIFY2(words.contains(QLatin1String(type.id.data(), type.id.size())), type.label);
}

/// Architectures of .gguf files, and what numbers are stored in.
void ManualTest::itNamesWhatFilesHold()
{
    ManualView manual;
    manual.openPage("models");
    const QStringList words = manual.text()->toPlainText().split(QRegularExpression("[^A-Za-z0-9_-]+"));
    for (const std::string_view id : ggufArchitectures())
        QVERIFY2(words.contains(QLatin1String(id.data(), qsizetype(id.size()))), std::string(id).c_str());
    for (int number = 0; number < int(Dtype::Unknown); ++number)
        if (const auto dtype = Dtype(number); isWeight(dtype)) {
            const std::string name(dtypeName(dtype));
            QVERIFY2(words.contains(QString::fromStdString(name)), name.c_str());
        }
}

QTEST_MAIN(ManualTest)
#include "manual_test.moc"
