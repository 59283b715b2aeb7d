#include "ui/figure/figure_file.h"

#include "core/base/version.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/png_file.h"
#include "ui/plot/qt_text.h"

#include <QBuffer>
#include <QHash>
#include <QImageReader>
#include <QPainter>
#include <QPdfWriter>
#include <QScopeGuard>
#include <QSvgGenerator>
#include <QXmlStreamReader>

#include <cmath>

namespace attnscope {

namespace {

// Qt's painter knows no coordinate beyond 2^15; and what is painted must be read again, which takes 4 bytes a pixel.
constexpr double mostPixelsASide = 32767, mostPixels = 200e6;
constexpr int unitsPerInch = static_cast<int>(unitsPerPoint) * 72;
const QString recipeKey = u"attnscope-recipe"_s;

PlotStyle styleOf(const Recipe& recipe)
{
    PlotStyle style = printStyle(recipe.style).value_or(printStyles().front().style);
    style.methodColours = coloursOf(recipe.methodColours);
    return style;
}

/// Could the figure be made of it again? A chart that is saved from the screen has a size alone.
bool isWhole(const Recipe& recipe) { return !recipe.kind.empty(); }

QByteArray recipeText(const Recipe& recipe) { return QByteArray::fromStdString(writeRecipe(recipe)); }

QString titleOf(const Recipe& recipe)
{
    return QString::fromStdString(recipe.title.empty() ? recipe.name : recipe.title);
}

Result<void> checkPixels(double width, double height)
{
    if (width <= mostPixelsASide && height <= mostPixelsASide && width * height <= mostPixels)
        return {};
    const auto text = [](double pixels) { return QString::number(pixels, 'f', 0).toStdString(); };
    const std::string size =
        height > 1 ? text(width) + " x " + text(height) + " pixels" : "a width of " + text(width) + " pixels";
    return failure(ErrorKind::NotWritable,
                   "the picture would have " + size + ", more than " + text(mostPixelsASide) + " a side or " +
                       text(mostPixels / 1e6) +
                       " million in all; lower its width or its dpi, or save it as .pdf or .svg");
}

tl::unexpected<Error> noMemory()
{
    return failure(ErrorKind::NotWritable, "there is not enough memory to draw the figure; make it smaller");
}

struct Page {
    PlotStyle style;
    FigureLayout layout;
};
Result<Page> pageOf(const FigureContent& content, const Recipe& recipe)
{
    if (!hasRoomFor(writersNeed))  // the layout measures texts, which loads fonts
        return noMemory();
    const PlotStyle style = styleOf(recipe);
    return Page{style, layoutFigure(content, style, recipe.widthMm, recipe.heightMm)};
}

QString creator() { return QString::fromUtf8(versionedName()); }

}  // namespace

Result<QByteArray> figurePdf(const FigureContent& content, const Recipe& recipe)
{
    const auto [style, layout] = TRY(pageOf(content, recipe));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    // Qt's writer numbers the fonts in the order of a hash, which Qt seeds anew in every process.
    QHashSeed::setDeterministicGlobalSeed();
    const auto random = qScopeGuard([] { QHashSeed::resetRandomGlobalSeed(); });
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(unitsPerInch);
        writer.setPageSize(QPageSize(layout.size / unitsPerPoint, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins({});
        writer.setTitle(titleOf(recipe));
        writer.setCreator(creator());
        if (isWhole(recipe))
            writer.addFileAttachment(u"recipe.json"_s, recipeText(recipe), u"application/json"_s);
        QPainter painter(&writer);
        if (!painter.isActive())
            return noMemory();
        painter.setRenderHint(QPainter::LosslessImageRendering);
        paintFigure(painter, content, style, layout);
    }
    normalisePdf(bytes, layout.size / unitsPerPoint);
    return bytes;
}

Result<QByteArray> figureSvg(const FigureContent& content, const Recipe& recipe)
{
    const auto [style, layout] = TRY(pageOf(content, recipe));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(unitsPerInch);
        generator.setSize(layout.size.toSize());
        generator.setViewBox(QRectF({0, 0}, layout.size));
        generator.setTitle(titleOf(recipe).toHtmlEscaped());  // it writes what it is given
        generator.setDescription(QString::fromStdString(recipe.caption).toHtmlEscaped());
        QPainter painter(&generator);
        if (!painter.isActive())
            return noMemory();
        paintFigure(painter, content, style, layout);
    }
    // Qt rounds the size to its own units; the recipe goes where SVG has a place for such things.
    const auto millimetres = [](double units) { return QByteArray::number(units / unitsPerMillimetre, 'f', 4) + "mm"; };
    const qsizetype from = bytes.indexOf("<svg ") + 5, to = bytes.indexOf("viewBox", from);
    bytes.replace(from, to - from,
                  "width=\"" + millimetres(layout.size.width()) + "\" height=\"" + millimetres(layout.size.height()) +
                      "\"\n ");
    const qsizetype at = bytes.indexOf("<defs>");
    if (isWhole(recipe))
        bytes.insert(at, "<metadata id=\"attnscope-recipe\">" +
                             QString::fromUtf8(recipeText(recipe)).toHtmlEscaped().toUtf8() + "</metadata>\n");
    // Tokens and titles may hold control characters, which XML has none of.
    for (qsizetype i = 0; i < bytes.size(); ++i)
        if (const auto c = static_cast<unsigned char>(bytes[i]); c < ' ' && c != '\t' && c != '\n' && c != '\r')
            bytes.replace(i, 1, "\xEF\xBF\xBD");
    return tidySvg(bytes);
}

QSizeF figureSize(const FigureContent& content, const Recipe& recipe)
{
    return layoutFigure(content, styleOf(recipe), recipe.widthMm, recipe.heightMm).size / unitsPerMillimetre;
}

Result<QImage> figureImage(const FigureContent& content, const Recipe& recipe, double pixelsPerMillimetre)
{
    if (!hasRoomFor(writersNeed))
        return noMemory();
    const PlotStyle style = styleOf(recipe);
    const FigureLayout layout = layoutFigure(content, style, recipe.widthMm, recipe.heightMm);
    const double scale = pixelsPerMillimetre / unitsPerMillimetre;
    const QSizeF wanted = layout.size * scale;
    TRY(checkPixels(std::round(wanted.width()), std::round(wanted.height())));
    QImage image(wanted.toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    if (image.isNull())
        return noMemory();
    image.fill(style.background);
    QPainter painter(&image);
    if (!painter.isActive())
        return noMemory();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(image.width() / layout.size.width(), image.height() / layout.size.height());
    paintFigure(painter, content, style, layout);
    return image;
}

Result<void> checkPictureSize(const Recipe& recipe)
{
    const double perMillimetre = recipe.dpi / 25.4;
    return checkPixels(std::round(recipe.widthMm * perMillimetre),
                       std::max(1.0, std::round(recipe.heightMm * perMillimetre)));
}

Result<QByteArray> figurePng(const FigureContent& content, const Recipe& recipe)
{
    QImage image = TRY(figureImage(content, recipe, recipe.dpi / 25.4));
    const int dotsPerMetre = static_cast<int>(std::lround(recipe.dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    image.setText(u"Title"_s, titleOf(recipe));
    image.setText(u"Software"_s, creator());
    if (isWhole(recipe))
        image.setText(recipeKey, QString::fromUtf8(recipeText(recipe)));
    if (!hasRoomFor(writersNeed))
        return noMemory();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return noMemory();
    return bytes;
}

Result<std::string> embeddedRecipe(const QByteArray& file, const std::string& name)
{
    const auto none = [&] {
        return failure(
            ErrorKind::UnknownFormat,
            name + ": carries no recipe; give a recipe (.json), or a figure that Attnscope wrote as PDF, SVG or PNG");
    };
    if (file.startsWith("%PDF")) {
        if (const auto text = pdfAttachment(file))
            return text->toStdString();
    } else if (file.startsWith("\x89PNG")) {
        // QImageReader's own text() would join the lines and the blanks of the recipe.
        QImageReader::setAllocationLimit(static_cast<int>(4 * mostPixels / (1 << 20)) + 1);
        if (const QString text = QImage::fromData(file, "PNG").text(recipeKey); !text.isEmpty())
            return text.toStdString();
    } else if (file.left(4096).contains("<svg")) {
        QXmlStreamReader xml(file);
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == "metadata"_L1 &&
                xml.attributes().value("id"_L1) == QString(recipeKey))
                return xml.readElementText().toStdString();
    }
    return none();
}

}  // namespace attnscope
