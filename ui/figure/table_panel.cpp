#include "ui/figure/table_panel.h"

#include "ui/plot/typeset.h"

#include <QPainter>

#include <algorithm>

namespace attnscope {

namespace {

double rowHeight(const PlotStyle& style) { return 1.6 * style.small; }

bool isBold(const TableContent& table, size_t row, size_t column)
{
    return row < table.bold.size() && column < table.bold[row].size() && table.bold[row][column];
}

struct Widths {
    double names = 0, cell = 0;  ///< of the first column and of the widest other, with white space
};

Widths widthsOf(const TableContent& table, const PlotStyle& style)
{
    Widths widths;
    const auto add = [&](const std::vector<QString>& texts, const QFont& font) {
        for (size_t column = 0; column < texts.size(); ++column) {
            double& width = column == 0 ? widths.names : widths.cell;
            width = std::max(width, Typeset(texts[column], font).width() + 2 * style.gap);
        }
    };
    const QFont bold = style.font(style.small, true);
    add(table.columns, bold);
    for (const auto& row : table.rows)
        add(row, bold);
    return widths;
}

}  // namespace

QMarginsF tableMargins(const Panel& panel, const PlotStyle& style)
{
    const bool titled = !panel.chart.title.isEmpty() || !panel.chart.letter.isEmpty();
    return {0, titled ? style.label + 1.5 * style.gap : style.gap, 0, style.gap};
}

double tableHeight(const TableContent& table, const PlotStyle& style)
{
    return rowHeight(style) * static_cast<double>(table.rows.size() + 1);
}

void paintTable(QPainter& painter, const TableContent& table, const PlotStyle& style, const QRectF& frame)
{
    const Widths natural = widthsOf(table, style);
    const auto others = static_cast<double>(std::max<size_t>(1, table.columns.size() - 1));
    // A table that is asked to be narrower than its words gets smaller type.
    const double size = style.small * std::min(1.0, frame.width() / (natural.names + others * natural.cell));
    const QFont plain = style.font(size), bold = style.font(size, true);
    const double names = natural.names * size / style.small;
    const double height = frame.height() / static_cast<double>(table.rows.size() + 1);
    const double step = (frame.width() - names) / others;

    const auto rule = [&](double y, double width) {
        painter.setPen(QPen(style.ink, width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QLineF(frame.left(), y, frame.right(), y));
    };
    const auto cells = [&](const std::vector<QString>& texts, double middle, auto fontOf) {
        painter.setPen(style.ink);
        for (size_t column = 0; column < texts.size(); ++column) {
            const Typeset text(texts[column], fontOf(column));
            if (column == 0)
                text.draw(painter, {frame.left(), middle}, Qt::AlignLeft | Qt::AlignVCenter);
            else
                text.draw(painter, {frame.left() + names + step * (static_cast<double>(column) - 0.5), middle}, Qt::AlignHCenter | Qt::AlignVCenter);
        }
    };
    cells(table.columns, frame.top() + height / 2, [&](size_t) { return bold; });
    for (size_t row = 0; row < table.rows.size(); ++row) {
        const double top = frame.top() + height * static_cast<double>(row + 1);
        cells(table.rows[row], top + height / 2, [&](size_t column) { return isBold(table, row, column) ? bold : plain; });
        if (row > 0 && row < table.ruleAbove.size() && table.ruleAbove[row])
            rule(top, style.thin * 0.7);
    }
    rule(frame.top(), style.thin * 1.4);
    rule(frame.top() + height, style.thin);
    rule(frame.bottom(), style.thin * 1.4);
}

}  // namespace attnscope
