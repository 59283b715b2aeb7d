#include "ui/plot/typeset.h"

#include <QPainter>
#include <QStringList>

namespace attnscope {

namespace {

constexpr double leading = 1.3;

}  // namespace

std::vector<Typeset> wrapped(const QString& markup, const QFont& font, double width)
{
    QStringList words(QString{});
    bool math = false;
    for (QChar c : markup) {
        math = math != (c == QLatin1Char('$'));
        if (c == QLatin1Char(' ') && !math)
            words << QString();
        else
            words.back() += c;
    }
    std::vector<Typeset> lines;
    QString line;
    for (const QString& word : words) {
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (!line.isEmpty() && Typeset(longer, font).width() > width) {
            lines.emplace_back(line, font);
            line = word;
        } else {
            line = longer;
        }
    }
    lines.emplace_back(line, font);
    return lines;
}

double wrappedHeight(const QString& markup, const QFont& font, double width)
{
    return static_cast<double>(wrapped(markup, font, width).size()) * leading * font.pixelSize();
}

void paintWrapped(QPainter& painter, const QString& markup, const QFont& font, const QRectF& box)
{
    double y = box.top();
    for (const Typeset& line : wrapped(markup, font, box.width())) {
        line.draw(painter, {box.left(), y}, Qt::AlignLeft | Qt::AlignTop);
        y += leading * font.pixelSize();
    }
}

}  // namespace attnscope
