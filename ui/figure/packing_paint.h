#pragma once
// A packing in isometry, on screen and in print: the bin's floor, and boxes in colours from the first put to the last.

#include "ui/figure/isometry.h"

#include <QRectF>

class QPainter;

namespace attnscope {

struct PlotStyle;

/// Width and height in cells of a bin with boxes up to a height.
QSizeF isometricSize(const LabPackings& packings, int height);
/// The highest top of all panels.
int highestTop(const LabPackings& packings);

/// Of packings of several instances those with most boxes, but no more than can be told apart; null: there are none.
const LabPackings* packingsToShow(std::span<const LabPackings> all);

/// The first `count` boxes of a panel, as large as they fit into the rectangle with `height` cells of height, at its
/// lower edge.
void paintPacking(QPainter&, const PlotStyle&, const LabPackings& packings, std::size_t panel, std::size_t count,
                  int height, const QRectF& where);

}  // namespace attnscope
