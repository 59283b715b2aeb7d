// Every figure: another process makes it of the same bytes, its lines and type keep the rules of print, and at every
// width and in every style no words overlap, leave the page or are cut.

#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/plot_style.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QProcess>
#include <QRectF>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <map>
#include <vector>

using namespace attnscope;

namespace {

struct Word {
    QRectF box;
    QString text;
};

struct Page {
    QSizeF size;
    std::vector<Word> words;
};

/// What poppler reads back, in points.
Page readWords(const QString& file)
{
    QProcess process;
    process.start("pdftotext", {"-bbox", file, "-"});
    process.waitForFinished(patienceWithPrograms);
    QXmlStreamReader xml(process.readAllStandardOutput());
    Page page;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto number = [&](const char* name) { return xml.attributes().value(name).toDouble(); };
        if (xml.name() == QLatin1String("page"))
            page.size = {number("width"), number("height")};
        else if (xml.name() == QLatin1String("word"))
            page.words.push_back(
                {QRectF(QPointF(number("xMin"), number("yMin")), QPointF(number("xMax"), number("yMax"))),
                 xml.readElementText()});
    }
    return page;
}

/// Poppler's boxes reach from the font's ascent to its descent: the middle half of their shorter side is what letters
/// fill.
QRectF core(const QRectF& box)
{
    const double pad = 0.25 * std::min(box.width(), box.height());
    return box.adjusted(pad, pad, -pad, -pad);
}

QString problem(const Page& page)
{
    const QRectF paper(QPointF(0, 0), page.size);
    for (size_t i = 0; i < page.words.size(); ++i) {
        if (!paper.contains(core(page.words[i].box)))
            return "'" + page.words[i].text + "' leaves the page";
        for (size_t j = 0; j < i; ++j)
            if (core(page.words[i].box).intersects(core(page.words[j].box)))
                return "'" + page.words[i].text + "' lies on '" + page.words[j].text + "'";
    }
    return {};
}

/// What a figure shows, made once for all the tests: it does not depend on the paper.
const FigureContent& contentOf(const Recipe& recipe)
{
    static std::map<std::string, FigureContent> made;
    const auto [place, isNew] = made.try_emplace(recipe.name);
    if (isNew)
        place->second = buildFigure(recipe, {}).value();
    return place->second;
}

/// The figure's file in the gallery, which `attnscope figure --all` made before.
QByteArray inGallery(const QString& name)
{
    QFile file(QStringLiteral(GALLERY) + "/" + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void addFigures()
{
    QTest::addColumn<QString>("name");
    for (const GalleryRow& row : gallery())
        QTest::addRow("%s", row.name.c_str()) << QString::fromStdString(row.name);
}

}  // namespace

class TestGallery : public QObject {
    Q_OBJECT

private slots:
    void anotherProcessMakesTheSameBytes_data() { addFigures(); }
    void anotherProcessMakesTheSameBytes()
    {
        QFETCH(QString, name);
        const Recipe recipe = loadRecipe(name.toStdString()).value();
        const FigureContent& content = contentOf(recipe);
        QVERIFY(inGallery(name + ".pdf") == *figurePdf(content, recipe));
        QVERIFY(inGallery(name + ".svg") == *figureSvg(content, recipe));
        QVERIFY(inGallery(name + ".png") == *figurePng(content, recipe));
        QVERIFY(inGallery(name + ".csv") == QByteArray::fromStdString(dataTable(content)));
    }

    void noWordsOverlapOrLeaveThePage_data() { addFigures(); }
    void noWordsOverlapOrLeaveThePage()
    {
        QFETCH(QString, name);
        if (QProcess::execute("pdftotext", {"-v"}) != 0)
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = loadRecipe(name.toStdString()).value();
        const FigureContent& content = contentOf(recipe);
        QTemporaryDir folder;
        QStringList problems;
        for (const PrintStyle& style : printStyles())
            for (double width : {70.0, 89.0, 120.0, 183.0}) {
                recipe.style = style.id;
                const double natural = recipe.widthMm;
                recipe.widthMm = width;
                QFile file(folder.filePath("figure.pdf"));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(*figurePdf(content, recipe));
                file.close();
                recipe.widthMm = natural;
                const Page page = readWords(file.fileName());
                QVERIFY(page.words.size() >= 3);
                if (const QString wrong = problem(page); !wrong.isEmpty())
                    problems << QString("%1 at %2 mm: %3").arg(QString::fromStdString(style.id)).arg(width).arg(wrong);
            }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join("\n")));
    }

    void aDarkPageIsThatOfTheLightOne_data() { addFigures(); }
    void aDarkPageIsThatOfTheLightOne()
    {
        QFETCH(QString, name);
        const Recipe recipe = loadRecipe(name.toStdString()).value();
        const FigureContent& content = contentOf(recipe);
        for (const double width : {89.0, 183.0}) {
            const auto page = [&](const char* style) {
                Recipe of = recipe;
                of.widthMm = width;
                of.style = style;
                return figureSize(content, of);
            };
            QCOMPARE(page("dark"), page("paper"));
            QCOMPARE(page("dark-slide"), page("slide"));
        }
    }

    void linesAndTypeOnPaperKeepThePrintRules_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("width");
        for (const GalleryRow& row : gallery())
            for (double width : {89.0, 183.0})
                QTest::addRow("%s, %g mm", row.name.c_str(), width) << QString::fromStdString(row.name) << width;
    }
    void linesAndTypeOnPaperKeepThePrintRules()
    {
        QFETCH(QString, name);
        QFETCH(double, width);
        Recipe recipe = loadRecipe(name.toStdString()).value();
        recipe.widthMm = width;
        const QByteArray svg = *figureSvg(contentOf(recipe), recipe);
        QVERIFY2(svg.size() < 1000000, qPrintable(QString("%1 bytes").arg(svg.size())));
        QXmlStreamReader xml(svg);
        xml.setNamespaceProcessing(false);
        int texts = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            const auto points = [&](const char* key) {
                return xml.attributes().value(QLatin1String(key)).toDouble() / unitsPerPoint;
            };
            if (xml.attributes().hasAttribute(QStringLiteral("stroke-width")) && xml.name() != QLatin1String("g"))
                QVERIFY2(points("stroke-width") > 0.499 && points("stroke-width") < 1.501,
                         qPrintable(QString("a line of %1 pt").arg(points("stroke-width"))));
            if (xml.name() == QLatin1String("text")) {
                ++texts;
                const double size = points("font-size");
                const QString words = xml.readElementText();
                const bool root = words == QStringLiteral("√");  // as high as what it covers
                QVERIFY2(size >= 4.99 && size < (root ? 12 : 8.01),
                         qPrintable(QString("%1 pt: %2").arg(size).arg(words)));
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(texts > 2);
    }

    /// In titles, notes and what stands below; a root mean square and a mean field are none. Or the footnote says it.
    void aMeanSaysOfWhat_data() { addFigures(); }
    void aMeanSaysOfWhat()
    {
        QFETCH(QString, name);
        const FigureContent& content = contentOf(loadRecipe(name.toStdString()).value());
        QStringList said(content.columnTitles.begin(), content.columnTitles.end());
        said << QStringList(content.rowTitles.begin(), content.rowTitles.end());
        said << content.footnote.split(QStringLiteral(". "));
        for (const FigureBar& bar : content.bars)
            said << bar.title;
        for (const Panel& panel : content.panels) {
            said << panel.chart.title << panel.chart.x.title << panel.chart.y.title;
            for (const ChartSeries& series : panel.chart.series)
                said << series.label;
            for (const auto& note : panel.chart.notes)
                said << note.text;
            if (panel.table)
                for (const QString& column : panel.table->columns)
                    said << column;
        }
        static const QRegularExpression mean("\\b[Mm]eans?\\b(?! square| field)"),
            ofWhat("\\b(rows|heads|networks|models|customers|windows|tours|boxes|runs|instances|sets|problems|places)"
                   "\\b");
        for (const QString& one : said)
            QVERIFY2(!one.contains(mean) || one.contains(ofWhat) ||
                         content.footnote.contains(QLatin1String(" rows of ")),
                     qPrintable(one));
        if (name == "dispersion_theorem")  // under full attention; 65 536 tokens at most
            QCOMPARE(
                content.footnote,
                QStringLiteral("Against $n$: means over all rows; of more than 1\u202F024 tokens over some of them."));
    }

    void theWholeGalleryHasAnIndex()
    {
        const QByteArray page = inGallery("index.html");
        for (const GalleryRow& row : gallery())
            for (const char* ending : {".pdf", ".svg", ".png", ".csv"}) {
                const QByteArray name = QByteArray::fromStdString(row.name) + ending;
                QVERIFY(page.contains(name));
                QVERIFY2(inGallery(name).size() > 100, name);
            }
    }
};

QTEST_MAIN(TestGallery)
#include "test_gallery.moc"
