#include "ui/widgets/save_picture.h"

#include "core/base/csv.h"
#include "core/base/replace_file.h"
#include "ui/figure/figure_file.h"
#include "ui/plot/png_file.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QPointer>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QWidget>

namespace attnscope {

namespace {

constexpr int pixelsPerInch = 96, finer = 3;  // pixels of a PNG for one of the screen, a side

std::string asCsv(const QString& numbers)
{
    std::string csv;
    for (const QString& line : numbers.trimmed().split(QLatin1Char('\n'))) {
        const char* before = "";
        for (const QString& cell : line.split(QLatin1Char('\t'))) {
            csv += before + csvText(cell.toStdString());
            before = ",";
        }
        csv += '\n';
    }
    return csv;
}

/// What the view is called, as a file's name.
QString fileNameOf(const QWidget& view)
{
    static const QRegularExpression others(u"[^a-z0-9]+"_s);
    const QString name = view.accessibleName().toLower().replace(others, u" "_s).trimmed().replace(u' ', u'_');
    return name.isEmpty() ? u"picture"_s : name;
}

tl::unexpected<Error> noMemory()
{
    return failure(ErrorKind::NotWritable, "there is not enough memory to draw the picture; make the window smaller");
}

Result<QByteArray> pdfOf(const SeenPicture& seen)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QSizeF points = QSizeF(seen.size) * 72 / pixelsPerInch;
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(pixelsPerInch);
        writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins({});
        QPainter painter(&writer);
        if (!painter.isActive())
            return noMemory();
        painter.setRenderHint(QPainter::LosslessImageRendering);
        painter.drawPicture(0, 0, seen.picture);
    }
    normalisePdf(bytes, points);
    return bytes;
}

Result<QByteArray> svgOf(const SeenPicture& seen)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(pixelsPerInch);
    generator.setSize(seen.size);
    generator.setViewBox(QRect({0, 0}, seen.size));
    QPainter painter(&generator);
    if (!painter.isActive())
        return noMemory();
    painter.drawPicture(0, 0, seen.picture);
    painter.end();
    return bytes;
}

}  // namespace

QString savingWords(bool numbers)
{
    return numbers ? u"Save as PDF, SVG, PNG or numbers\u2026"_s : u"Save as PDF, SVG or PNG\u2026"_s;
}

SeenPicture seenPicture(QWidget& view, const QString& numbers)
{
    SeenPicture seen{QPicture(), view.size(), numbers};
    QPainter painter(&seen.picture);
    painter.fillRect(view.rect(), currentTheme().surface);
    view.render(&painter, {}, {}, QWidget::DrawChildren);
    return seen;
}

Result<void> savePicture(const SeenPicture& seen, const QString& path)
{
    const auto ends = [&](QLatin1String with) { return path.endsWith(with, Qt::CaseInsensitive); };
    const std::string name = path.toStdString();
    if (!hasRoomFor(writersNeed))
        return noMemory();
    if (ends(".csv"_L1) && !seen.numbers.isEmpty())
        return replaceFile(name, asCsv(seen.numbers));
    if (ends(".pdf"_L1))
        return replaceFile(name, TRY(pdfOf(seen)).toStdString());
    if (ends(".svg"_L1))
        return replaceFile(name, TRY(svgOf(seen)).toStdString());
    if (!ends(".png"_L1))
        return failure(ErrorKind::UnknownFormat, name + ": is no picture; end its name in .pdf, .svg or .png" +
                                                     (seen.numbers.isEmpty() ? "" : ", or in .csv"));
    QImage image(finer * seen.size, QImage::Format_RGB32);
    QPainter painter(&image);
    if (!painter.isActive())
        return noMemory();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(finer, finer);
    painter.drawPicture(0, 0, seen.picture);
    painter.end();
    return savePng(image, name);
}

void askAndSave(QWidget& view, const QString& name, bool numbers,
                const std::function<Result<void>(const QString& path)>& save)
{
    const QPointer<QWidget> window = view.window();
    const QString path =
        fileToSave(view, u"Save the picture"_s, name + u".pdf"_s,
                   u"PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"_s + (numbers ? u";;Numbers (*.csv)"_s : QString()));
    if (path.isEmpty())
        return;
    const Result<void> saved = save(path);
    if (auto* messages = window ? window->findChild<MessageBar*>() : nullptr)
        messages->say(saved ? MessageBar::Kind::Done : MessageBar::Kind::Error,
                      saved ? u"Saved %1."_s.arg(path) : text(saved.error().message));
}

void askAndSavePicture(QWidget& view, const QString& numbers)
{
    askAndSave(view, fileNameOf(view), !numbers.isEmpty(),
               [seen = seenPicture(view, numbers)](const QString& path) { return savePicture(seen, path); });
}

}  // namespace attnscope
