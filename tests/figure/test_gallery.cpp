// Every figure at every width and in every style: it renders, and no words overlap, leave the page or are cut.

#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"

#include <QFile>
#include <QProcess>
#include <QRectF>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
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
    process.waitForFinished();
    QXmlStreamReader xml(process.readAllStandardOutput());
    Page page;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto number = [&](const char* name) { return xml.attributes().value(name).toDouble(); };
        if (xml.name() == QLatin1String("page"))
            page.size = {number("width"), number("height")};
        else if (xml.name() == QLatin1String("word"))
            page.words.push_back({QRectF(QPointF(number("xMin"), number("yMin")), QPointF(number("xMax"), number("yMax"))), xml.readElementText()});
    }
    return page;
}

/// Poppler's boxes reach from the font's ascent to its descent: the middle half of their shorter side is what letters fill.
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

}  // namespace

class TestGallery : public QObject {
    Q_OBJECT

private slots:
    void noWordsOverlapOrLeaveThePage_data()
    {
        QTest::addColumn<QString>("name");
        for (const GalleryRow& row : gallery())
            QTest::addRow("%s", row.name.c_str()) << QString::fromStdString(row.name);
    }
    void noWordsOverlapOrLeaveThePage()
    {
        QFETCH(QString, name);
        if (QProcess::execute("pdftotext", {"-v"}) != 0)
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = loadRecipe(name.toStdString()).value();
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        QTemporaryDir folder;
        QStringList problems;
        for (const PrintStyle& style : printStyles())
            for (double width : {70.0, 89.0, 120.0, 183.0}) {
                recipe.style = style.id;
                const double natural = recipe.widthMm;
                recipe.widthMm = width;
                QFile file(folder.filePath("figure.pdf"));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(*figurePdf(*content, recipe));
                file.close();
                recipe.widthMm = natural;
                const Page page = readWords(file.fileName());
                QVERIFY(page.words.size() >= 3);
                if (const QString wrong = problem(page); !wrong.isEmpty())
                    problems << QString("%1 at %2 mm: %3").arg(QString::fromStdString(style.id)).arg(width).arg(wrong);
            }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join("\n")));
    }

    void theWholeGalleryHasAnIndex()
    {
        const QString path = QStringLiteral(GALLERY);  // made before by `attnscope figure --all`
        QFile index(path + "/index.html");
        QVERIFY(index.open(QIODevice::ReadOnly));
        const QByteArray page = index.readAll();
        for (const GalleryRow& row : gallery())
            for (const char* ending : {".pdf", ".svg", ".png", ".csv"}) {
                const QByteArray name = QByteArray::fromStdString(row.name) + ending;
                QVERIFY(page.contains(name));
                QVERIFY2(QFile(path + "/" + name).size() > 100, name);
            }
    }
};

QTEST_MAIN(TestGallery)
#include "test_gallery.moc"
