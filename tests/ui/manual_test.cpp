// The manual in the window: every page is reached, every link leads somewhere, snippets are copied whole.
#include "tests/ui/window_support.h"

#include "core/model/families/families.h"
#include "core/model/gguf_model.h"
#include "core/tensor/dtype.h"
#include "ui/learn/manual_view.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextList>
#include <QTextTable>

using namespace attnscope;

class ManualTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { attnscope::testing::prepareApplication(); }
    void itIsWholeAndItsLinksLead();
    void aPageIsLaidOutOnce();
    void itsLinksAreOfTheTheme();
    void paragraphsKeepTheirMeasure();
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

/// A document that is on the screen while it is made is laid out after every word: seconds for a long page.
void ManualTest::aPageIsLaidOutOnce()
{
    constexpr int few = 4;  // of its own, and as the scroll bar takes room and the part is sought
    // A theme comes as a palette, a font, the old sheet's end and the new sheet, to the page and its bar in any order.
    constexpr int fewOfATheme = 2 * few;
    ManualView manual;
    manual.resize(700, 500);
    manual.show();
    QVERIFY(QTest::qWaitForWindowExposed(&manual));
    int heights = 0;
    connect(manual.text()->verticalScrollBar(), &QScrollBar::rangeChanged, this, [&] { ++heights; });
    for (const ManualPart& part : manualParts()) {
        heights = 0;
        manual.openPart(part.page, part.title);
        QVERIFY2(heights <= few, qPrintable(QStringLiteral("%1: laid out %2 times").arg(part.page).arg(heights)));
    }
    heights = 0;
    applyTheme(*qApp, ThemeChoice::Dark);
    QVERIFY2(heights <= fewOfATheme, qPrintable(QString::number(heights)));
    applyTheme(*qApp, ThemeChoice::Light);
}

/// However wide the page is: lines of 60 to 80 letters are what one reads with ease.
void ManualTest::paragraphsKeepTheirMeasure()
{
    ManualView manual;
    manual.resize(700, 500);
    manual.show();
    QVERIFY(QTest::qWaitForWindowExposed(&manual));
    manual.openPage("labs");
    manual.resize(1400, 500);
    double letters = 0, lines = 0;
    for (QTextBlock block = manual.text()->document()->begin(); block.isValid(); block = block.next())
        if (!QTextCursor(block).currentTable() && !block.textList() && block.layout()->lineCount() > 2)
            for (int line = 0; line + 1 < block.layout()->lineCount(); ++line, ++lines)
                letters += block.layout()->lineAt(line).textLength();
    QVERIFY(lines > 20);
    const double mean = letters / lines;
    QVERIFY2(mean >= 60 && mean <= 80, qPrintable(QString::number(mean)));
}

/// Links, and the place that is read, on a page that was open as the theme changed.
void ManualTest::itsLinksAreOfTheTheme()
{
    ManualView manual;
    manual.resize(700, 500);
    manual.show();
    QVERIFY(QTest::qWaitForWindowExposed(&manual));
    manual.openPage("models");
    QScrollBar* bar = manual.text()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 800);
    bar->setValue(800);
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        applyTheme(*qApp, choice);
        const Theme& theme = choice == ThemeChoice::Dark ? darkTheme() : lightTheme();
        int links = 0;
        for (QTextBlock block = manual.text()->document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                if (const QTextCharFormat format = part.fragment().charFormat(); format.isAnchor()) {
                    ++links;
                    QCOMPARE(format.foreground().color(), theme.accent);
                }
        QVERIFY(links > 0);
        QCOMPARE(manual.page(), QString("models"));
        QCOMPARE(bar->value(), 800);
    }
}

void ManualTest::itNamesEveryModelType()
{
    ManualView manual;
    manual.openPage("models");
    const QStringList words = manual.text()->toPlainText().split(QRegularExpression("[^a-z0-9_-]+"));
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
