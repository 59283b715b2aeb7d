#pragma once
// What tells methods apart, the same in every view: position k of the ticked list has colour k, dash k and marker k.
// Colours after Okabe and Ito (2008), darkened or lightened to at least 3 : 1 against the background; dashes and markers
// differ too, so no view relies on colour alone.

#include <QColor>
#include <QList>
#include <QPen>

class QPainter;

namespace attnscope {

enum class Marker { Circle, Square, Diamond, TriangleUp, TriangleDown, Cross, Plus, Star };

struct MethodStyle {
    QColor colour;
    QList<qreal> dash;   ///< in line widths, as QPen::setDashPattern takes it; empty: solid
    Marker marker = Marker::Circle;
};

/// Position from 0; positions past the end of the list start again with other dashes.
MethodStyle methodStyle(int position, bool dark);

QPen methodPen(const MethodStyle& style, double width);

/// Filled, its centre at `centre`.
void drawMarker(QPainter& painter, Marker marker, QPointF centre, double diameter, const QColor& fill);

}  // namespace attnscope
