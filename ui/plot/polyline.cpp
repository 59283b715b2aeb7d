#include "ui/plot/polyline.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace attnscope {

std::optional<QLineF> cut(QLineF line, const QRectF& box)
{
    double from = 0, to = 1;
    const double dx = line.dx(), dy = line.dy();
    for (const auto& [p, q] : {std::pair{-dx, line.x1() - box.left()},
                               {dx, box.right() - line.x1()},
                               {-dy, line.y1() - box.top()},
                               {dy, box.bottom() - line.y1()}}) {
        if (p == 0 && q < 0)
            return std::nullopt;
        if (p < 0)
            from = std::max(from, q / p);
        if (p > 0)
            to = std::min(to, q / p);
    }
    if (from > to)
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

QPolygonF cut(QPolygonF polygon, const QRectF& box)
{
    const auto keep = [&polygon](auto inward) {  // how far a point lies inside of one side
        QPolygonF kept;
        for (qsizetype i = 0; i < polygon.size(); ++i) {
            const QPointF from = polygon[(i + polygon.size() - 1) % polygon.size()], to = polygon[i];
            const double before = inward(from), at = inward(to);
            if ((before < 0) != (at < 0))
                kept << from + (to - from) * (before / (before - at));
            if (at >= 0)
                kept << to;
        }
        polygon = kept;
    };
    keep([&](QPointF p) { return p.x() - box.left(); });
    keep([&](QPointF p) { return box.right() - p.x(); });
    keep([&](QPointF p) { return p.y() - box.top(); });
    keep([&](QPointF p) { return box.bottom() - p.y(); });
    return polygon;
}

QPolygonF withoutStraight(const QPolygonF& points, double tolerance)
{
    QPolygonF kept;
    for (qsizetype from = 0; from < points.size();) {
        kept << points[from];
        // Directions from here that pass every point so far within the tolerance, as slopes across the way to the first
        // of them.
        qsizetype last = from + 1;
        if (last >= points.size())
            break;
        const QPointF way = points[last] - points[from];
        const double length = std::hypot(way.x(), way.y());
        const QPointF along = length > 0 ? way / length : QPointF(1, 0);
        double least = -std::numeric_limits<double>::infinity(), most = -least, farthest = 0;
        for (qsizetype i = last; i < points.size(); ++i) {
            const QPointF off = points[i] - points[from];
            const double forward = off.x() * along.x() + off.y() * along.y(),
                         across = off.y() * along.x() - off.x() * along.y();
            const double slope = across / forward;
            if (!(forward > farthest) || slope < least || slope > most)
                break;
            least = std::max(least, (across - tolerance) / forward);
            most = std::min(most, (across + tolerance) / forward);
            farthest = forward;
            last = i;
        }
        from = last;
    }
    return kept;
}

std::vector<QPolygonF> piecesOf(const std::vector<QPointF>& points, const QRectF& frame, double finest)
{
    std::vector<QPolygonF> pieces;
    QPolygonF piece;
    const auto finish = [&] {
        if (piece.size() > 1)
            pieces.push_back(piece);
        piece.clear();
    };
    QPointF before(std::nan(""), 0);
    for (size_t i = 0; i < points.size(); ++i) {
        const QPointF at = points[i];
        const bool last = i + 1 == points.size() || !isFinite(points[i + 1]);
        if (!isFinite(at) || !isFinite(before)) {
            if (!isFinite(at))
                finish();
            before = at;
            continue;
        }
        if (!last && std::hypot(at.x() - before.x(), at.y() - before.y()) < finest)
            continue;
        const std::optional<QLineF> inside = cut(QLineF(before, at), frame);
        before = at;
        if (!inside) {
            finish();
            continue;
        }
        if (piece.isEmpty() || QLineF(piece.back(), inside->p1()).length() > 1e-6) {
            finish();
            piece << inside->p1();
        }
        piece << inside->p2();
    }
    finish();
    return pieces;
}

}  // namespace attnscope
