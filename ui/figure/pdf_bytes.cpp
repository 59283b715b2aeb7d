#include "ui/figure/figure_file.h"

#include <QUuid>

namespace attnscope {

namespace {

/// The whole number at `at`, and where it ends.
qint64 numberAt(const QByteArray& pdf, qsizetype& at)
{
    while (at < pdf.size() && (pdf[at] == ' ' || pdf[at] == '\n' || pdf[at] == '\r'))
        ++at;
    qint64 value = 0;
    for (; at < pdf.size() && pdf[at] >= '0' && pdf[at] <= '9' && value < (qint64{1} << 40); ++at)
        value = value * 10 + (pdf[at] - '0');
    return value;
}

/// Where object `number` begins, or -1.
qsizetype objectAt(const QByteArray& pdf, qint64 number)
{
    return pdf.indexOf("\n" + QByteArray::number(number) + " 0 obj");
}

}  // namespace

bool replaceInPdf(QByteArray& pdf, const QByteArray& from, const QByteArray& to)
{
    const qsizetype found = pdf.indexOf(from);
    if (found < 0)
        return false;
    pdf.replace(found, from.size(), to);
    const qsizetype shift = to.size() - from.size();
    if (shift == 0)
        return true;
    // The table's rows are "oooooooooo ggggg n \n", 20 bytes each.
    const qsizetype table = pdf.lastIndexOf("\nxref\n") + 1, start = pdf.lastIndexOf("\nstartxref\n") + 11;
    if (table < 1 || start < 11)
        return false;
    qsizetype at = table + 5;
    numberAt(pdf, at);
    const qint64 count = numberAt(pdf, at);
    ++at;
    for (qint64 i = 0; i < count && at + 20 <= pdf.size(); ++i, at += 20)
        if (const qint64 offset = pdf.mid(at, 10).toLongLong(); offset > found)
            pdf.replace(at, 10, QByteArray::number(offset + shift).rightJustified(10, '0'));
    qsizetype end = start;
    const qint64 old = numberAt(pdf, end);
    pdf.replace(start, end - start, QByteArray::number(old > found ? old + shift : old));
    return true;
}

void normalisePdf(QByteArray& pdf, QSizeF points)
{
    for (const QByteArray box : {"/MediaBox [0 0 ", "/TrimBox [0 0 "})
        if (const qsizetype at = pdf.indexOf(box); at >= 0) {
            const QByteArray old = pdf.mid(at, pdf.indexOf(']', at) + 1 - at);
            const double top = old.mid(old.lastIndexOf(' ') + 1).chopped(1).toDouble();
            replaceInPdf(pdf, old,
                         box.chopped(5) + "[0 " + QByteArray::number(top - points.height(), 'f', 4) + " " +
                             QByteArray::number(points.width(), 'f', 4) + " " + QByteArray::number(top, 'f', 4) + "]");
        }
    for (const QByteArray date : {"/CreationDate (D:", "/ModDate (D:"})
        if (const qsizetype at = pdf.indexOf(date); at >= 0) {
            const qsizetype from = at + date.size(), end = pdf.indexOf(')', from);
            replaceInPdf(pdf, pdf.mid(at, end - at), date + "20000101000000Z");
        }
    // Since Qt 6.8 the metadata stand there as XML too, whose length is written before them.
    for (const QByteArray date : {"xmp:CreateDate=\"", "xmp:ModifyDate=\"", "xmp:MetadataDate=\""})
        if (const qsizetype at = pdf.indexOf(date); at >= 0) {
            const qsizetype from = at + date.size(), size = pdf.indexOf('"', from) - from;
            pdf.replace(from, size, QByteArray("2000-01-01T00:00:00+00:00").leftJustified(size, ' ', true));
        }
    const QByteArray mark = "xmpMM:DocumentID=\"uuid:";
    if (const qsizetype at = pdf.indexOf(mark); at >= 0) {  // a random one, here, and in hexadecimal at the end
        const QByteArray random = pdf.mid(at + mark.size(), QUuid().toByteArray(QUuid::WithoutBraces).size());
        const auto put = [&](const QByteArray& from, const QByteArray& to) {
            pdf.replace(from, to);
            pdf.replace(from.toHex(), to.toHex());
        };
        const QByteArray none = QUuid().toByteArray(QUuid::WithoutBraces);
        put(random, none);
        put(none, QUuid::createUuidV5(QUuid(), pdf).toByteArray(QUuid::WithoutBraces));
    }
}

std::optional<QByteArray> pdfAttachment(const QByteArray& pdf)
{
    constexpr qsizetype largest = 256 * 1024;  // compressed; a recipe takes a few hundred bytes
    const QByteArray mark = "/EF <</F ";
    qsizetype at = pdf.indexOf(mark);
    if (at < 0)
        return std::nullopt;
    at += mark.size();
    const qsizetype object = objectAt(pdf, numberAt(pdf, at));
    const qsizetype stream = pdf.indexOf("stream\n", object);
    const qsizetype length = pdf.indexOf("/Length ", object);
    if (object < 0 || stream < 0 || length < 0 || length > stream)
        return std::nullopt;
    at = length + 8;
    const qsizetype lengthObject = objectAt(pdf, numberAt(pdf, at));
    const qsizetype value = lengthObject < 0 ? -1 : pdf.indexOf("obj", lengthObject);
    if (value < 0)
        return std::nullopt;
    at = value + 3;
    const qint64 size = numberAt(pdf, at);
    if (size < 1 || size > largest || stream + 7 + size > pdf.size())
        return std::nullopt;
    const QByteArray data = pdf.mid(stream + 7, size);
    if (!pdf.mid(object, stream - object).contains("/FlateDecode"))
        return data;
    // qUncompress wants the expected size first; a wrong one is only a hint.
    const QByteArray text = qUncompress(QByteArray("\0\0\x40\0", 4) + data);
    return text.isEmpty() ? std::nullopt : std::optional(text);
}

}  // namespace attnscope
