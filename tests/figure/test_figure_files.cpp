// Figures as files: sizes, fonts, images, recipes inside, identical bytes, numbers. PDF is read by poppler's tools.

#include "core/theory/expected_row.h"
#include "core/theory/approximations.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/pdf_bytes.h"

#include <QFile>
#include <QHash>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace attnscope;

namespace {

QString output(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished() && process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

bool hasPoppler() { return !output("pdfinfo", {"-v"}).isNull() || QProcess::execute("pdfinfo", {"-v"}) == 0; }

Recipe recipeOf(const char* name, double width = 0)
{
    Recipe recipe = loadRecipe(name).value();
    if (width > 0)
        recipe.widthMm = width;
    return recipe;
}

QString saved(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes)
{
    QFile file(folder.filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    return file.fileName();
}

}  // namespace

class TestFigureFiles : public QObject {
    Q_OBJECT

private slots:
    void pdfPagesHaveTheirSizeInMillimetres_data()
    {
        QTest::addColumn<double>("width");
        for (double width : {89.0, 120.0, 183.0, 88.7, 101.6})
            QTest::addRow("%g mm", width) << width;
    }
    void pdfPagesHaveTheirSizeInMillimetres()
    {
        QFETCH(double, width);
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = recipeOf("adaptive_fit", width);
        recipe.heightMm = 61.3;
        const auto content = buildFigure(recipe, {});
        QVERIFY(content.has_value());
        QTemporaryDir folder;
        const QString info = output("pdfinfo", {saved(folder, "a.pdf", figurePdf(*content, recipe))});
        const auto size = QRegularExpression("Page size:\\s+([\\d.]+) x ([\\d.]+) pts").match(info);
        QVERIFY2(size.hasMatch(), qPrintable(info));
        QVERIFY(std::abs(size.captured(1).toDouble() * 25.4 / 72 - width) < 0.1);
        QVERIFY(std::abs(size.captured(2).toDouble() * 25.4 / 72 - 61.3) < 0.1);
        QVERIFY(info.contains(QRegularExpression("Pages:\\s+1\\b")));
    }

    void pdfFontsAreEmbeddedAndTextIsText()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        const Recipe recipe = recipeOf("approximations");
        const auto content = buildFigure(recipe, {});
        QVERIFY(content.has_value());
        QTemporaryDir folder;
        const QString file = saved(folder, "a.pdf", figurePdf(*content, recipe));
        const QStringList fonts = output("pdffonts", {file}).split('\n', Qt::SkipEmptyParts).mid(2);
        QVERIFY(!fonts.isEmpty());
        for (const QString& font : fonts)
            QVERIFY2(font.contains(QRegularExpression("TrueType.*\\byes\\b")), qPrintable(font));
        const QString text = output("pdftotext", {"-layout", file, "-"});
        for (const char* words : {"Expected entropy E H (nats)", "Sequence length n", "Scale λ", "Exact"})
            QVERIFY2(text.contains(words), qPrintable(QString(words) + " in " + text));
    }

    void largeHeatmapsAreLosslessImagesAndSmallOnesRectangles_data()
    {
        QTest::addColumn<int>("n");
        QTest::addColumn<bool>("image");
        QTest::addRow("64 cells") << 64 << false;
        QTest::addRow("128 cells") << 128 << true;
    }
    void largeHeatmapsAreLosslessImagesAndSmallOnesRectangles()
    {
        QFETCH(int, n);
        QFETCH(bool, image);
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = recipeOf("method_grid");
        recipe.scenario.n = recipe.scenario.view.pixels = n;
        recipe.scenario.methods.resize(2);
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content.has_value(), content ? "" : content.error().message.c_str());
        QTemporaryDir folder;
        const QByteArray bytes = figurePdf(*content, recipe);
        const QString images = output("pdfimages", {"-list", saved(folder, "a.pdf", bytes)});
        QVERIFY(!bytes.contains("DCTDecode"));
        QVERIFY(!images.contains("jpeg"));
        QCOMPARE(images.split('\n', Qt::SkipEmptyParts).size() > 2, image);
    }

    void svgIsXmlWithItsSizeAndItsText()
    {
        const Recipe recipe = recipeOf("adaptive_fit", 89);
        const auto content = buildFigure(recipe, {});
        QXmlStreamReader xml(figureSvg(*content, recipe));
        QStringList texts;
        bool first = true;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (first) {
                QCOMPARE(xml.name().toString(), QString("svg"));
                QCOMPARE(xml.attributes().value("width").toString(), QString("89.0000mm"));
                QVERIFY(xml.attributes().value("height").toString().endsWith("mm"));
                first = false;
            }
            if (xml.name() == QLatin1String("text"))
                texts << xml.readElementText().trimmed();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(texts.contains("Inverse temperature"));
        QVERIFY(texts.contains("β"));
    }

    void pngHasItsSizeAndResolution()
    {
        const Recipe recipe = recipeOf("adaptive_fit", 89);
        const auto content = buildFigure(recipe, {});
        const QImage image = QImage::fromData(figurePng(*content, recipe), "PNG");
        QCOMPARE(image.width(), qRound(89 / 25.4 * recipe.dpi));
        QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - recipe.dpi) < 0.1);
    }

    void twoRunsGiveTheSameBytes_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"method_grid", "all_multipliers", "approximations", "su_table"})
            QTest::addRow("%s", name) << name;
    }
    void twoRunsGiveTheSameBytes()
    {
        QFETCH(QString, name);
        const Recipe recipe = recipeOf(qPrintable(name));
        const auto first = buildFigure(recipe, {}), second = buildFigure(recipe, {});
        const QByteArray pdf = figurePdf(*first, recipe);
        QTest::qWait(1100);  // a date in the file would now differ
        QHashSeed::resetRandomGlobalSeed();  // as another process would
        QVERIFY(pdf == figurePdf(*second, recipe));
        QVERIFY(figureSvg(*first, recipe) == figureSvg(*second, recipe));
        QVERIFY(figurePng(*first, recipe) == figurePng(*second, recipe));
        QVERIFY(dataTable(*first) == dataTable(*second));
    }

    void aFigureMakesItselfAgain_data()
    {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {"pdf", "svg", "png"})
            QTest::addRow("%s", ending) << ending;
    }
    void aFigureMakesItselfAgain()
    {
        QFETCH(QString, ending);
        QTemporaryDir folder;
        const std::string first = folder.filePath("first." + ending).toStdString(), second = folder.filePath("second." + ending).toStdString();
        FigureOptions options;
        options.settings = {"title=Ünïcode < & > \"quotes\""};
        options.widthMm = 101.5;
        options.style = "dark";
        QVERIFY(renderFigure("adaptive_fit", first, options, {}).has_value());
        const auto again = renderFigure(first, second, {}, {});
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        QFile a(QString::fromStdString(first)), b(QString::fromStdString(second));
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QVERIFY(a.readAll() == b.readAll());
    }

    void theDataAreCoresNumbers()
    {
        const Recipe recipe = recipeOf("approximations");
        const auto content = buildFigure(recipe, {});
        const QStringList lines = QString::fromStdString(dataTable(*content)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.front(), QString("panel,title,series,x_name,x,y_name,y,low,high,value"));
        const auto density = logitDensity("gaussian", 64);
        int exact = 0, meanField = 0;
        for (const QString& line : lines.mid(1)) {
            if (!line.startsWith("b,"))
                continue;
            const QStringList cells = line.split(',');
            const double n = cells[4].toDouble(), value = cells[6].toDouble();
            if (cells[2] == "Exact") {
                ++exact;
                QVERIFY(std::abs(value - expectedEntropy(*density, n, 0.125)) < 1e-9);
            } else if (cells[2] == QString::fromStdString(approximations().front().label)) {
                ++meanField;
                QVERIFY(std::abs(value - (std::log(n) - 0.5)) < 1e-6 || cells[6] == "");  // ln n - lambda^2 d / 2, lambda^2 = 1/64
            }
        }
        QVERIFY(exact >= 30);
        QVERIFY(meanField >= 30);
    }

    void replacingInAPdfKeepsItsTable()
    {
        const Recipe recipe = recipeOf("adaptive_fit");
        QByteArray pdf = figurePdf(*buildFigure(recipe, {}), recipe);
        QVERIFY(replaceInPdf(pdf, "/Creator (", "/Creator (a longer text than before "));
        QVERIFY(!replaceInPdf(pdf, "no such text", "x"));
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        QTemporaryDir folder;
        QProcess process;
        process.start("pdfinfo", {saved(folder, "a.pdf", pdf)});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QCOMPARE(QByteArray::fromStdString(*embeddedRecipe(pdf, "a.pdf")), QByteArray::fromStdString(toJson(recipe).dump(1)) + "\n");
    }
};

QTEST_MAIN(TestFigureFiles)
#include "test_figure_files.moc"
