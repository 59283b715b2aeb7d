#include "ui/plot/plot_style.h"

#include "core/base/choice.h"
#include "ui/plot/fonts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

QFont PlotStyle::font(double pixels, bool bold) const
{
    QFont font;
    font.setFamilies(fontFamilies());
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setWeight(bold ? QFont::Bold : QFont::Normal);
    if (print)
        font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

namespace {

/// Relative, WCAG 2.1.
double luminance(const QColor& colour)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor inkOn(const QColor& field)
{
    const QColor black(Qt::black), white(Qt::white);
    return contrast(black, field) >= contrast(white, field) ? black : white;
}

PlotStyle windowStyle(bool dark)
{
    PlotStyle style;
    style.dark = dark;
    style.background = dark ? QColor(0x17, 0x1b, 0x23) : QColor(0xff, 0xff, 0xff);
    style.ink = dark ? QColor(0xe6, 0xe8, 0xeb) : QColor(0x1c, 0x1f, 0x24);
    style.quiet = dark ? QColor(0x98, 0xa0, 0xab) : QColor(0x67, 0x6e, 0x79);
    style.grid = dark ? QColor(0x2a, 0x2f, 0x37) : QColor(0xe6, 0xe9, 0xed);
    return style;
}

namespace {

PlotStyle onPaper(double text, double line, bool dark)
{
    PlotStyle style = windowStyle(dark);
    style.print = true;
    if (!dark)
        style.ink = Qt::black;
    style.text = text * unitsPerPoint;
    style.small = (text - (text > 8 ? 1.5 : 0.5)) * unitsPerPoint;
    style.label = (text + 1) * unitsPerPoint;
    style.line = line * unitsPerPoint;
    style.thin = std::max(0.5, line * 0.55) * unitsPerPoint;
    style.tick = 0.36 * style.text;
    style.gap = 0.4 * style.text;
    style.marker = 0.5 * style.text;
    return style;
}

}  // namespace

std::span<const PrintStyle> printStyles()
{
    static const std::array<PrintStyle, 4> styles{{
        {"paper", "for a journal: text of 6.5 to 7 pt, lines of 0.5 to 1 pt, on white", onPaper(7, 1, false)},
        {"slide", "for a talk: text of 8.5 to 10 pt, lines of 1.5 pt, on white", onPaper(10, 1.5, false)},
        {"dark", "as paper, on a dark background", onPaper(7, 1, true)},
        {"dark-slide", "as slide, on a dark background", onPaper(10, 1.5, true)},
    }};
    return styles;
}

Result<PlotStyle> printStyle(std::string_view id)
{
    return findRow(printStyles(), id, "style").map([](const PrintStyle* row) { return row->style; });
}

}  // namespace attnscope
