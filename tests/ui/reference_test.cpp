// The reference page: complete, with the scenario's numbers in it, and drawn.

#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/papers.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"
#include "ui/widgets/theme.h"
#include "ui/learn/reference_page.h"
#include "ui/learn/reference_view.h"
#include "tests/support/patience.h"

#include <QScrollBar>
#include <QTest>

#include <set>

using namespace attnscope;

namespace {

Scenario scenario()
{
    Scenario scenario;
    scenario.n = 1024;
    scenario.nTrain = 512;
    return scenario;
}

std::vector<const Entry*> everything()
{
    std::vector<const Entry*> all;
    const auto add = [&](const auto& rows) {
        for (const Entry& row : rows)
            all.push_back(&row);
    };
    add(scaleMethods());
    add(kernels());
    add(positions());
    add(masks());
    add(normalisers());
    add(measures());
    add(sourceEntries());
    return all;
}

/// The text as a reader sees it.
QString textOf(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

/// Addresses of the formulae, in order.
QStringList formulae(const QString& html)
{
    QStringList found;
    static const QRegularExpression image("src='(formula:[^']*)'");
    for (auto match = image.globalMatch(html); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

}  // namespace

class ReferenceTest : public QObject {
    Q_OBJECT
private slots:
    void tellsEverything();
    void switchesAreWords();
    void numbersArePutIn();
    void formulaeAreDrawn();
    void papersAreCited();
    void followsTheScenario();
    void nothingReachesOutOfThePage_data();
    void nothingReachesOutOfThePage();
};

void ReferenceTest::tellsEverything()
{
    const QString text = textOf(referencePage(scenario(), nullptr)).simplified();
    for (const Entry* row : everything()) {
        for (const std::string& part : {row->label, row->id, row->about, row->source})
            QVERIFY2(text.contains(QString::fromStdString(part).simplified()), (row->id + ": " + part).c_str());
        for (const Parameter& parameter : row->parameters)
            QVERIFY2(text.contains(QString::fromStdString(parameter.help).simplified()),
                     (row->id + " " + parameter.id).c_str());
        for (const Preset& preset : row->presets)
            QVERIFY2(text.contains(QString::fromStdString(preset.text)) &&
                         text.contains(QString::fromStdString(preset.source)),
                     preset.text.c_str());
    }
}

void ReferenceTest::switchesAreWords()
{
    const QString page = referencePage(scenario(), nullptr);
    QVERIFY(page.contains("counts the keys") && page.contains("counts the row"));
    QVERIFY(page.contains("<td style='padding-right:14px'>on</td>") &&
            page.contains("<td style='padding-right:14px'>off</td>"));
    QVERIFY(!page.contains("interleaved = 0<"));
}

void ReferenceTest::numbersArePutIn()
{
    const QString page = QUrl::fromPercentEncoding(referencePage(scenario(), nullptr).toUtf8());
    QVERIFY(page.contains("m = ln 1024 / ln 512 = 1.111"));
    QVERIFY(page.contains("q·k / √64"));
    QVERIFY(page.contains("θ_p = 10000^(−2p/64)"));
    QVERIFY(page.contains("i − 64 < j ≤ i"));
    QVERIFY(page.contains("z − 0.003906 |i − j|"));  // ALiBi's 2^-8 for one head
    Analysis analysis;
    MethodAnalysis solved;
    solved.method.id = "entropy_measured";
    solved.worked = "m = 1.234";
    analysis.methods.push_back(solved);
    QVERIFY(QUrl::fromPercentEncoding(referencePage(scenario(), &analysis).toUtf8()).contains("m = 1.234"));
    QVERIFY(textOf(page).contains("2048"));  // the table's 4 N
}

void ReferenceTest::formulaeAreDrawn()
{
    const QStringList addresses = formulae(referencePage(scenario(), nullptr));
    QVERIFY(addresses.size() > 60);
    for (const QString& address : addresses) {
        const QImage picture = formulaImage(QUrl(address), 500, 2);
        QVERIFY2(picture.width() > 16 && picture.height() > 16 && picture.deviceIndependentSize().width() <= 520,
                 qPrintable(address));
        bool ink = false;
        for (int y = 0; y < picture.height() && !ink; ++y)
            for (int x = 0; x < picture.width() && !ink; ++x)
                ink = qAlpha(picture.pixel(x, y)) > 128;
        QVERIFY2(ink, qPrintable(address));
    }
    QVERIFY(formulaImage(QUrl("formula:nothing"), 500, 1).isNull());
}

/// Every paper of the list is cited by some row, and has a target for the links.
void ReferenceTest::papersAreCited()
{
    std::string sources;
    for (const Entry* row : everything())
        sources += row->source + "|";
    std::set<std::string> keys;
    const QString page = referencePage(scenario(), nullptr);
    for (const Paper& paper : papers()) {
        QVERIFY(keys.insert(paper.key).second);
        QVERIFY2(sources.find(paper.key) != std::string::npos, paper.key.c_str());
        QVERIFY2(paper.address.empty() || paper.address.starts_with("https://"), paper.key.c_str());
        const QString anchor = QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(paper.key)));
        QVERIFY2(page.contains("name='" + anchor + "'") && page.contains("href='#" + anchor + "'"), paper.key.c_str());
    }
}

void ReferenceTest::followsTheScenario()
{
    Document document(scenario());
    Analyser analyser(document);
    ReferenceView view(document, analyser);
    view.resize(700, 600);
    view.show();
    QVERIFY(view.toHtml().contains("1024") || QUrl::fromPercentEncoding(view.toHtml().toUtf8()).contains("ln 1024"));
    document.edit("n", [](Scenario& changed) { changed.n = 4096; });
    QTRY_VERIFY(QUrl::fromPercentEncoding(view.toHtml().toUtf8()).contains("ln 4096"));
}

void ReferenceTest::nothingReachesOutOfThePage_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {560, 760, 1100})
        QTest::addRow("%d", width) << width;
}

/// A line of text has a measure; a formula that is wider has the page.
void ReferenceTest::nothingReachesOutOfThePage()
{
    QFETCH(int, width);
    applyTheme(*qApp, ThemeChoice::Light);
    Document document(scenario());
    Analyser analyser(document);
    ReferenceView view(document, analyser);
    view.resize(width, 600);
    view.show();
    QTest::qWait(300);  // it is made anew once its width is known
    QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
    QVERIFY(view.verticalScrollBar()->maximum() > 10 * view.height());
}

QTEST_MAIN(ReferenceTest)
#include "reference_test.moc"
