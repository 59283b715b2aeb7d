#pragma once
// Notes in a chart: a few words beside a point, and annotations, whose text stands away from its point and has an arrow
// to it.

#include "ui/plot/chart.h"

namespace attnscope {

/// Of the note's text, in painter units: where it may be taken hold of.
QRectF boxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

/// Of the text of a note without an arrow, where it stands beside its point.
QRectF textBoxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

/// Nothing where its point lies outside the frame and it has an arrow.
void paintNote(QPainter& painter, const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

}  // namespace attnscope
