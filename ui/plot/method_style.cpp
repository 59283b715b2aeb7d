#include "ui/plot/method_style.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <array>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

struct Hue {
    QRgb onLight, onDark;
};

// Blue, vermilion, green, purple, amber, sky, grey, wine, indigo: one for each of the nine methods compared at most.
constexpr std::array<Hue, 9> hues{{{0xff0072b2, 0xff4aa8e8},
                                   {0xffd55e00, 0xffff8a3d},
                                   {0xff008a63, 0xff2ec492},
                                   {0xffb4558f, 0xffe08abf},
                                   {0xffb27a00, 0xfff0b429},
                                   {0xff2f92c9, 0xff8fd3ff},
                                   {0xff5b6470, 0xffaeb6c1},
                                   {0xff8c2d4c, 0xffd9728f},
                                   {0xff4b3fae, 0xffa596ff}}};

const QList<QList<qreal>>& dashes()
{
    static const QList<QList<qreal>> patterns{{}, {5, 2}, {1.2, 1.6}, {6, 2, 1.2, 2}, {9, 2.5}, {3, 1.5}, {6, 1.6, 1.2, 1.6, 1.2, 1.6}};
    return patterns;
}

}  // namespace

MethodStyle methodStyle(int position, bool dark)
{
    const auto k = static_cast<size_t>(std::max(0, position));
    const Hue& hue = hues[k % hues.size()];
    // 9 colours and 7 dashes: their combination repeats after 63 positions.
    return {QColor::fromRgb(dark ? hue.onDark : hue.onLight), dashes()[static_cast<qsizetype>(k % 7)], static_cast<Marker>(k % 8)};
}

QPen methodPen(const MethodStyle& style, double width)
{
    QPen pen(style.colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!style.dash.isEmpty())
        pen.setDashPattern(style.dash);
    return pen;
}

void drawMarker(QPainter& painter, Marker marker, QPointF centre, double diameter, const QColor& fill)
{
    const double r = diameter / 2;
    const auto polygon = [&](int corners, double turn, double inner = 1, double grow = 1) {
        QPolygonF shape;
        for (int i = 0; i < corners; ++i) {
            const double angle = turn + 2 * std::numbers::pi * i / corners, radius = r * grow * (i % 2 ? inner : 1);
            shape << centre + QPointF(radius * std::sin(angle), -radius * std::cos(angle));
        }
        painter.drawPolygon(shape);
    };
    painter.save();
    const bool hollow = fill.alpha() == 0;
    painter.setPen(hollow ? painter.pen() : QPen(Qt::NoPen));
    painter.setBrush(fill);
    const double bar = r * 0.36;
    switch (marker) {
    case Marker::Circle: painter.drawEllipse(centre, r, r); break;
    case Marker::Square: painter.drawRect(QRectF(centre - QPointF(r, r) * 0.88, QSizeF(2 * r, 2 * r) * 0.88)); break;
    case Marker::Diamond: polygon(4, 0, 1, 1.2); break;
    case Marker::TriangleUp: polygon(3, 0, 1, 1.2); break;
    case Marker::TriangleDown: polygon(3, std::numbers::pi, 1, 1.2); break;
    case Marker::Star: polygon(10, 0, 0.45, 1.3); break;
    case Marker::Plus:
    case Marker::Cross: {
        QPainterPath path;
        path.setFillRule(Qt::WindingFill);
        path.addRect(-r * 1.1, -bar, 2.2 * r, 2 * bar);
        path.addRect(-bar, -r * 1.1, 2 * bar, 2.2 * r);
        painter.translate(centre);
        painter.rotate(marker == Marker::Cross ? 45 : 0);
        painter.drawPath(path.simplified());
        break;
    }
    }
    painter.restore();
}

}  // namespace attnscope
