#include "ui/plot/chart_note.h"

#include "ui/plot/method_style.h"
#include "ui/plot/typeset.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Typeset textOf(const ChartNote& note, const PlotStyle& style)
{
    return {note.text, style.font(note.away ? style.text : style.small)};
}

/// From the edge of the box to just before the point, with two strokes for a head; none where the point lies in the
/// box.
void paintArrow(QPainter& painter, const QRectF& box, QPointF point, const PlotStyle& style)
{
    const QPointF centre = box.center(), way = point - centre;
    const double across = std::abs(way.x()) / (box.width() / 2), up = std::abs(way.y()) / (box.height() / 2),
                 leaves = std::max(across, up);
    const double length = std::hypot(way.x(), way.y());
    if (leaves <= 1 || length * (1 - 1 / leaves) < style.gap)
        return;
    const QPointF along = way / length, beside(-along.y(), along.x()), from = centre + way / leaves,
                  tip = point - along * style.marker * 0.7;
    const double head = 0.8 * style.marker;
    // with an edge of paper, so that it is seen on a map too
    for (const QPen& pen : {QPen(style.background, 3 * style.thin, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin),
                            QPen(style.ink, style.thin, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)}) {
        painter.setPen(pen);
        painter.drawLine(QLineF(from, tip));
        for (const double side : {0.45, -0.45})
            painter.drawLine(QLineF(tip, tip - (along + beside * side) * head));
    }
}

}  // namespace

QRectF textBoxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout)
{
    const Typeset text = textOf(note, style);
    const QPointF point = layout.place(note.x, note.y);
    QRectF box(point, QSizeF(text.width(), text.height()));
    if (note.alignment & Qt::AlignRight)
        box.moveRight(point.x());
    else if (note.alignment & Qt::AlignHCenter)
        box.moveLeft(point.x() - box.width() / 2);
    if (note.alignment & Qt::AlignBottom)
        box.moveBottom(point.y());
    else if (note.alignment & Qt::AlignVCenter)
        box.moveTop(point.y() - box.height() / 2);
    return box;
}

QRectF boxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout)
{
    const Typeset text = textOf(note, style);
    const QPointF point = layout.place(note.x, note.y);
    const double pad = style.gap * 0.6;
    const QSizeF size(text.width() + 2 * pad, text.height() + pad);
    QRectF box(QPointF(0, 0), size);
    box.moveCenter(note.away ? point + *note.away * style.text : point);
    // The text stays in the frame, wherever its point is and however small the chart.
    const QRectF& frame = layout.frame;
    box.moveLeft(std::clamp(box.left(), frame.left(), std::max(frame.left(), frame.right() - size.width())));
    box.moveTop(std::clamp(box.top(), frame.top(), std::max(frame.top(), frame.bottom() - size.height())));
    return box;
}

void paintNote(QPainter& painter, const ChartNote& note, const PlotStyle& style, const ChartLayout& layout)
{
    const QPointF point = layout.place(note.x, note.y);
    const Typeset text = textOf(note, style);
    if (!note.away) {
        if (note.alignment == Qt::AlignCenter) {  // at the end of its line, which ends at the paper about it
            const QRectF own = textBoxOfNote(note, style, layout).adjusted(-1, 0, 1, 0), &frame = layout.frame;
            const QRectF box = own.translated(std::min(0.0, frame.right() - own.right()),
                                              std::min(0.0, frame.bottom() - own.bottom()));
            painter.fillRect(box, style.background);
            painter.setPen(methodStyle(note.style, style).colour);
            return text.draw(painter, QPointF(box.left() + 1, box.top() + text.ascent()));
        }
        painter.setPen(note.style == ChartSeries::reference ? style.quiet : methodStyle(note.style, style).colour);
        return text.draw(painter, point, note.alignment);
    }
    if (!layout.frame.adjusted(-1, -1, 1, 1).contains(point))
        return;
    const QRectF box = boxOfNote(note, style, layout);
    paintArrow(painter, box, point, style);
    QColor paper = style.background;
    paper.setAlphaF(0.85F);
    painter.fillRect(box, paper);
    painter.setPen(style.ink);
    text.draw(painter, QPointF(box.left() + style.gap * 0.6, box.top() + style.gap * 0.3 + text.ascent()));
}

}  // namespace attnscope
