#pragma once
// Lines as painters need them: cut to a frame by hand, since Qt's SVG knows no clipping, and without points that nobody
// would see.

#include <QLineF>
#include <QPolygonF>
#include <QRectF>

#include <cmath>
#include <optional>
#include <vector>

namespace attnscope {

inline bool isFinite(QPointF point) { return std::isfinite(point.x()) && std::isfinite(point.y()); }

/// What of a segment lies inside the box (Liang and Barsky 1984).
std::optional<QLineF> cut(QLineF line, const QRectF& box);

/// What of a polygon lies inside the box (Sutherland and Hodgman 1974); parts of it hang together along the box's
/// sides, which no filling shows.
QPolygonF cut(QPolygonF polygon, const QRectF& box);

/// A polyline cut to the frame: the pieces that are inside, points closer than `finest` dropped. A point that is not
/// finite ends a piece.
std::vector<QPolygonF> piecesOf(const std::vector<QPointF>& points, const QRectF& frame, double finest);

/// The polyline without the points that lie on the way from their neighbour before to one after, as near as `tolerance`
/// (Reumann and Witkam's strip, begun anew wherever the curve leaves it): the screen shows the same, and strokes a
/// tenth of the segments.
QPolygonF withoutStraight(const QPolygonF& points, double tolerance);

}  // namespace attnscope
