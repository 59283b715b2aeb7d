// Figures as files: sizes, fonts, images, recipes inside, identical bytes, numbers. PDF is read by poppler's tools.

#include "core/analysis/analysis.h"
#include "core/theory/expected_row.h"
#include "core/theory/approximations.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/published.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QPdfWriter>
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
    return process.waitForFinished(patienceWithPrograms) && process.exitCode() == 0
               ? QString::fromUtf8(process.readAllStandardOutput())
               : QString();
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
        static const FigureContent content = buildFigure(recipe, {}).value();  // it does not depend on the paper
        QTemporaryDir folder;
        const QString info = output("pdfinfo", {saved(folder, "a.pdf", *figurePdf(content, recipe))});
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
        const QString file = saved(folder, "a.pdf", *figurePdf(*content, recipe));
        const QStringList fonts = output("pdffonts", {file}).split('\n', Qt::SkipEmptyParts).mid(2);
        QVERIFY(!fonts.isEmpty());
        for (const QString& font : fonts)
            QVERIFY2(font.contains(QRegularExpression("TrueType.*\\byes\\b")), qPrintable(font));
        const QString text = output("pdftotext", {"-layout", file, "-"});
        for (const char* words : {"Expected entropy E H (nats)", "Sequence length n", "Scale λ", "Exact"})
            QVERIFY2(text.contains(words), qPrintable(QString(words) + " in " + text));
    }

    /// Fonts put other glyphs for a sign beside a digit or a capital, and those had no name to be read back by.
    void signsBesideDigitsAndCapitalsReadBack()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        QTemporaryDir folder;
        const QString file = folder.filePath("signs.pdf");
        QStringList lines;
        for (const QChar sign : QStringLiteral("()[]{}<>=+-*/:;@~|±×÷·–—−→≤≥≈#%&!?'\""))
            for (const char* beside : {"5_5 A_A a_a _5 5_", "x _ 5 B _ B"})
                lines << QString(beside).replace(QLatin1Char('_'), sign);
        lines << QStringLiteral(">500 <0.1 E H (nats) n = 512 N=512")
              << QStringLiteral("m(n)=1 4x4 16 x 16 -> => 3-5 A-B");
        {
            QPdfWriter writer(file);
            writer.setPageSize(QPageSize(QSizeF(120, 8.0 * static_cast<double>(lines.size())), QPageSize::Millimeter));
            writer.setPageMargins({});
            writer.setResolution(254);  // 10 units a millimetre
            QPainter painter(&writer);
            const QFont font = printStyle("paper")->font(36);
            for (qsizetype i = 0; i < lines.size(); ++i)
                Typeset(lines[i], font).draw(painter, QPointF(50, 60 + 80 * static_cast<double>(i)));
        }
        const auto close = [](QString text) { return text.remove(QRegularExpression("\\s")); };
        const QString read = close(output("pdftotext", {"-raw", file, "-"}));
        for (const QString& line : lines)
            QVERIFY2(read.contains(close(line)), qPrintable(line + " in " + read));
    }

    void boundsOfPublishedTablesReadBack()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        const Recipe recipe = recipeOf("infoscale_table1");
        QTemporaryDir folder;
        const QString text =
            output("pdftotext", {"-layout", saved(folder, "a.pdf", *figurePdf(*buildFigure(recipe, {}), recipe)), "-"});
        const auto table = publishedTable("infoscale_table1");
        for (const char* bound : {">500", "<0.1"}) {
            qsizetype printed = 0;
            for (const PublishedRow& row : table->rows)
                printed += std::count(row.cells.begin(), row.cells.end(), bound);
            QVERIFY(printed > 0);
            QCOMPARE(text.count(QLatin1String(bound)), printed);
        }
    }

    void chartsSayWhichBoundsTheyLeaveOut()
    {
        const auto content = buildFigure(recipeOf("infoscale_tables"), {});
        QVERIFY(content.has_value());
        QHash<QString, int> left;
        for (const char* id : {"infoscale_table9", "infoscale_table10"}) {
            const auto table = publishedTable(id);
            for (const PublishedRow& row : table->rows)
                for (size_t c = 0; c < row.cells.size(); ++c)
                    if (!row.number(c) && !row.cells[c].empty())
                        ++left[QString::fromStdString(row.cells[c])];
        }
        QVERIFY(!left.isEmpty());
        for (auto bound = left.begin(); bound != left.end(); ++bound)
            QVERIFY2(content->footnote.contains(QStringLiteral("%1 (%2 cell").arg(bound.key()).arg(*bound)),
                     qPrintable(content->footnote));
        QVERIFY(!buildFigure(recipeOf("su_table"), {})->footnote.contains("Not drawn"));
    }

    void largeHeatmapsAreLosslessImagesAndSmallOnesRectangles_data()
    {
        QTest::addColumn<int>("n");
        QTest::addColumn<bool>("image");
        QTest::addRow("24 cells") << 24 << false;
        QTest::addRow("64 cells") << 64 << true;
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
        const QByteArray bytes = *figurePdf(*content, recipe);
        const QString images = output("pdfimages", {"-list", saved(folder, "a.pdf", bytes)});
        QVERIFY(!bytes.contains("DCTDecode"));
        QVERIFY(!images.contains("jpeg"));
        QCOMPARE(images.split('\n', Qt::SkipEmptyParts).size() > 2, image);
    }

    void imagesInPdfsHaveSharpExactCells()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = recipeOf("method_grid");
        recipe.scenario.methods.resize(1);
        const auto content = buildFigure(recipe, {});
        const PooledMap& map = *content->panels.front().map;
        QCOMPARE(map.columns, 64);
        QTemporaryDir folder;
        output("pdfimages", {"-png", saved(folder, "a.pdf", *figurePdf(*content, recipe)), folder.filePath("image")});
        const QImage image(folder.filePath("image-000.png"));
        QVERIFY(!image.isNull());
        QCOMPARE(image.width() % map.columns, 0);
        const int size = image.width() / map.columns;
        QVERIFY(size >= 2);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const float value = map.at(y / size, x / size); !std::isnan(value))
                    QCOMPARE(image.pixel(x, y), content->panels.front().scale.colour(static_cast<double>(value)));
    }

    void subscriptsGreekAndRootsReadBackAsText()
    {
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        Recipe recipe = recipeOf("adaptive_fit", 120);
        recipe.panels = {{.title = "$x_{max}$ $10^3$ $\\lambda = m/\\sqrt{d}$ $\\kappa \\ln n$",
                          .xTitle = "$\\frac{\\ln n}{\\ln N}$",
                          .yTitle = {},
                          .xRange = {},
                          .yRange = {}}};
        const auto content = buildFigure(recipe, {});
        QTemporaryDir folder;
        const QString text = output("pdftotext", {"-raw", saved(folder, "a.pdf", *figurePdf(*content, recipe)), "-"});
        const QString close = QString(text).remove(QRegularExpression("\\s"));
        for (const char* words : {"xmax", "103", "λ=m/√d", "κlnn"})
            QVERIFY2(close.contains(words), qPrintable(QString(words) + " in " + text));
        QVERIFY2(text.contains("ln n") && text.contains("ln N"), qPrintable(text));
    }

    void svgIsXmlWithItsSizeAndItsText()
    {
        const Recipe recipe = recipeOf("adaptive_fit", 89);
        const auto content = buildFigure(recipe, {});
        QXmlStreamReader xml(*figureSvg(*content, recipe));
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
        const QImage image = QImage::fromData(*figurePng(*content, recipe), "PNG");
        QCOMPARE(image.width(), qRound(89 / 25.4 * recipe.dpi));
        QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - recipe.dpi) < 0.1);
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
        const std::string first = folder.filePath("first." + ending).toStdString(),
                          second = folder.filePath("second." + ending).toStdString();
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

    /// The size is that of the file: of a PDF its page, in points of 1/72 inch.
    void theSizeIsThatOfThePage()
    {
        for (const auto& [size, fits] : {std::pair(QSizeF(210, 297), true),
                                         {QSizeF(297, 210), true},
                                         {QSizeF(183, 298), false},
                                         {QSizeF(211, 211), false}})
            QCOMPARE(fitsA4(size), fits);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("tall.pdf"));
        FigureOptions options;
        options.settings = {"height_mm=401.5"};
        const auto size = renderFigure("adaptive_fit", path.toStdString(), options, {});
        QVERIFY2(size.has_value(), size ? "" : size.error().message.c_str());
        QVERIFY(std::abs(size->height() - 401.5) < 1e-6 && !fitsA4(*size));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto box = QRegularExpression(QStringLiteral("/MediaBox \\[0 (-?[0-9.]+) ([0-9.]+) ([0-9.]+)\\]"))
                             .match(QString::fromLatin1(file.readAll()));
        QVERIFY(box.hasMatch());
        QVERIFY(std::abs((box.captured(3).toDouble() - box.captured(1).toDouble()) / 72 * 25.4 - 401.5) < 0.01);
    }

    void theDataAreCoresNumbers()
    {
        const Recipe recipe = recipeOf("approximations");
        const auto content = buildFigure(recipe, {});
        const QStringList lines = QString::fromStdString(dataTable(*content)).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.front(), QString("panel,title,series,x_name,x,y_name,y,low,high,value"));
        const auto density = logitDensity("gaussian", 64), sphere = logitDensity("sphere", 64);
        const QString label = QString::fromStdString(approximations().front().label);
        int exact = 0, meanField = 0, distances = 0;
        for (const QString& line : lines.mid(1)) {
            if (line.startsWith("a,"))
                continue;
            const auto quoted = QRegularExpression("\"([^\"]*)\"").match(line);  // a name with a comma in it
            QVERIFY2(quoted.hasMatch(), qPrintable(line));
            const QString name = quoted.captured(1);
            const QStringList cells = QString(line).replace(quoted.captured(), "name").split(',');
            const double n = cells[4].toDouble(), value = cells[6].toDouble();
            if (line.startsWith("c,")) {  // from its own law's exact value
                distances += name == "Laplace, sphere" && n == 1 << 20 && std::abs(value - 0.0148) < 1e-4 ? 1 : 0;
                distances += name == "Laplace, last term dropped, sphere" && n == 1 << 20 && value < 4e-4 ? 1 : 0;
            } else if (name == "Exact, Gaussian q and k" || name == "Exact, sphere") {
                ++exact;
                QVERIFY(std::abs(value - expectedEntropy(name == "Exact, sphere" ? *sphere : *density, n, 0.125)) <
                        1e-9);
            } else if (name == label + ", Gaussian q and k") {
                ++meanField;
                QVERIFY(std::abs(value - (std::log(n) - 0.5)) < 1e-6 ||
                        cells[6] == "");  // ln n - lambda^2 d / 2, lambda^2 = 1/64
            }
        }
        QVERIFY(exact >= 60);
        QVERIFY(meanField >= 30);
        QCOMPARE(distances, 2);
    }

    void theDataOfATableAreNumbers()
    {
        TableContent table;
        table.columns = {u"Method"_s, u"Gain"_s};
        for (const char16_t* cell : {u"\u22120.5 \u00B1 0.1*", u"78.3 (1.3)", u"1.1 \u00B1 0.1", u"+16", u"\u2013",
                                     u"12\u202F300", u"2.5 of 4"})
            table.rows.push_back({u"a"_s, QString::fromUtf16(cell)});
        FigureContent content;
        content.panels.push_back(tablePanel(std::make_shared<const TableContent>(std::move(table))));
        const QStringList lines = QString::fromStdString(dataTable(content)).split('\n', Qt::SkipEmptyParts);
        QStringList ends;
        for (const QString& line : lines.mid(1))
            ends << line.section(',', -3);
        QCOMPARE(ends, (QStringList{"-0.6,-0.4,-0.5", ",,1", "77.0,79.6,78.3", "1.0,1.2,1.1", ",,16", ",,", ",,12300",
                                    ",,2.5 of 4"}));
    }

    void theDataOfAHeatmapAreItsWeights()
    {
        Recipe recipe = recipeOf("method_grid");
        const auto content = buildFigure(recipe, {});
        const auto analysis = analyse(recipe.scenario, {});
        double sum = 0;
        int cells = 0;
        for (const QString& line : QString::fromStdString(dataTable(*content)).split('\n', Qt::SkipEmptyParts))
            if (line.startsWith("a,")) {
                const QString value = line.section(',', -1);
                if (value.isEmpty())
                    continue;
                ++cells;
                sum += value.toDouble();
                const int key = line.section(',', 4, 4).toInt(), query = line.section(',', 6, 6).toInt();
                QVERIFY(std::abs(value.toDouble() - static_cast<double>(analysis->methods.front().map.at(query, key))) <
                        1e-7);
            }
        QCOMPARE(cells, 64 * 65 / 2);        // what a causal mask lets be seen
        QVERIFY(std::abs(sum - 64) < 1e-4);  // every row sums to 1
    }

    void tidiedSvgSaysTheSame()
    {
        const QByteArray svg =
            tidySvg("<svg xmlns=\"http://www.w3.org/2000/svg\"><g fill=\"none\" stroke=\"black\"><g fill=\"#ff0000\" "
                    "fill-opacity=\"1\" stroke=\"none\" font-size=\"9\"></g>"
                    "<g fill=\"#ff0000\" stroke=\"none\" font-size=\"9\" transform=\"matrix(1,0,0,1,5,0)\"><rect "
                    "x=\"1\" y=\"2\" width=\"3\" height=\"4\"/></g></g></svg>");
        QVERIFY2(svg.contains("<rect fill=\"#ff0000\" height=\"4\" stroke=\"none\" transform=\"matrix(1,0,0,1,5,0)\" "
                              "width=\"3\" x=\"1\" y=\"2\"/>"),
                 svg.constData());
        QCOMPARE(svg.count("<g "), 1);
    }

    void replacingInAPdfKeepsItsTable()
    {
        const Recipe recipe = recipeOf("adaptive_fit");
        QByteArray pdf = *figurePdf(*buildFigure(recipe, {}), recipe);
        QVERIFY(replaceInPdf(pdf, "/Creator (", "/Creator (a longer text than before "));
        QVERIFY(!replaceInPdf(pdf, "no such text", "x"));
        if (!hasPoppler())
            QSKIP("poppler-utils is not installed.");
        QTemporaryDir folder;
        QProcess process;
        process.start("pdfinfo", {saved(folder, "a.pdf", pdf)});
        QVERIFY(process.waitForFinished(patienceWithPrograms));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QCOMPARE(QByteArray::fromStdString(*embeddedRecipe(pdf, "a.pdf")),
                 QByteArray::fromStdString(toJson(recipe).dump(1)) + "\n");
    }
};

QTEST_MAIN(TestFigureFiles)
#include "test_figure_files.moc"
