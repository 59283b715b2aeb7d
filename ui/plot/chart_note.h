#pragma once
// Notes in a chart: a few words beside a point, and annotations, whose text stands away from its point and has an arrow
// to it.

#include "ui/plot/chart.h"

namespace attnscope {

/// Of the note's text, in painter units: where it may be taken hold of.
QRectF boxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

/// Of the text of a note without an arrow, where it stands beside its point.
QRectF textBoxOfNote(const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

/// Where the text of a note with this point stands best, as ChartNote::away: of eight directions the one where it is in
/// the frame, on no other words, and on the fewest lines; the note's own before others that are as good.
QPointF freePlace(const ChartNote& note, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout);

/// Nothing where its point lies outside the frame and it has an arrow.
void paintNote(QPainter& painter, const ChartNote& note, const PlotStyle& style, const ChartLayout& layout);

}  // namespace attnscope
