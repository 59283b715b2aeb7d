#include "ui/figure/packing_paint.h"

#include "ui/plot/colour_map.h"
#include "ui/plot/plot_style.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <numbers>

namespace attnscope {

QSizeF isometricSize(const LabPackings& packings, int height)
{
    const double floor = packings.length + packings.width;
    return {floor * std::numbers::sqrt3 / 2, floor / 2 + height};
}

int highestTop(const LabPackings& packings)
{
    int top = 1;
    for (const LabPackings::Panel& panel : packings.panels)
        for (const LabPackings::Box& box : panel.boxes)
            top = std::max(top, box.at[2] + box.sides[2]);
    return top;
}

const LabPackings* packingsToShow(std::span<const LabPackings> all)
{
    constexpr std::size_t most = 100;
    const auto boxesOf = [](const LabPackings& one) {
        return one.panels.empty() ? 0 : one.panels.front().boxes.size();
    };
    const LabPackings* shown = nullptr;
    for (const LabPackings& one : all)
        if (boxesOf(one) > 0 &&
            (!shown || (boxesOf(one) <= most && (boxesOf(one) > boxesOf(*shown) || boxesOf(*shown) > most))))
            shown = &one;
    return shown;
}

void paintPacking(QPainter& painter, const PlotStyle& style, const LabPackings& packings, std::size_t panel,
                  std::size_t count, int height, const QRectF& where)
{
    const QSizeF size = isometricSize(packings, height);
    const double cell = std::min(where.width() / size.width(), where.height() / size.height());
    const double left = where.center().x() - size.width() * cell / 2 +
                        packings.width * std::numbers::sqrt3 / 2 * cell;  // of the floor's corner (0, 0)
    const double down = where.bottom() - (packings.length + packings.width) / 2.0 * cell;
    const auto at = [&](const std::array<double, 2>& point) {
        return QPointF(left + point[0] * cell, down - point[1] * cell);
    };
    const auto polygon = [&](const std::array<std::array<double, 2>, 4>& corners) {
        QPolygonF points;
        for (const std::array<double, 2>& corner : corners)
            points << at(corner);
        return points;
    };
    painter.setPen(QPen(style.grid, style.thin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(polygon({isometric(0, 0, 0), isometric(packings.length, 0, 0),
                                 isometric(packings.length, packings.width, 0), isometric(0, packings.width, 0)}));
    const std::vector<LabPackings::Box>& boxes = packings.panels[panel].boxes;
    const ColourMap& map = colourMaps().front();
    const QPen edge(style.background, style.thin / 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    for (const IsometricFace& face : isometricFaces(std::span(boxes).first(std::min(count, boxes.size())))) {
        const double share =
            0.15 +
            0.8 * (boxes.size() < 2 ? 0.0 : static_cast<double>(face.step) / static_cast<double>(boxes.size() - 1));
        const QColor colour(map.at(share)), shaded = face.side == IsometricFace::Side::Top     ? colour.lighter(112)
                                                     : face.side == IsometricFace::Side::Right ? colour.darker(112)
                                                                                               : colour.darker(140);
        const QPolygonF corners = polygon(face.corners);
        const bool whole = std::ranges::all_of(face.edges, [](bool is) { return is; });
        painter.setPen(whole ? edge : QPen(shaded, style.thin / 2));
        painter.setBrush(shaded);
        painter.drawPolygon(corners);
        painter.setPen(edge);
        for (int i = 0; i < 4 && !whole; ++i)
            if (face.edges[static_cast<std::size_t>(i)])
                painter.drawLine(corners[i], corners[(i + 1) % 4]);
    }
    painter.setBrush(Qt::NoBrush);
}

}  // namespace attnscope
