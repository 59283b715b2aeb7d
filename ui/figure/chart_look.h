#pragma once
// What a look adds to a chart or map of an analysis, in the window and in print alike: the annotations that belong to
// it and the part of it that is looked at.

#include "core/document/look.h"
#include "ui/plot/chart.h"

#include <string>

namespace attnscope {

/// Annotation::chart of the chart against n of a measure, and of a kind of dispersion.
std::string entropyChartName(const Scenario& scenario);
std::string dispersionChartName(const std::string& kind);

/// Of the map of the scale method at `place` (variants of a method are told apart by their order), and of the map of a
/// difference. There x is a key and y a query, and a note points at the middle of their cell.
std::string mapName(const std::vector<Choice>& methods, std::size_t place);
std::string differenceMapName();
/// The notes when the method at `place` goes and other variants of it stay: those on its map go with it, the others
/// keep to theirs.
std::vector<Annotation> notesWithout(std::size_t place, const std::vector<Choice>& methods,
                                     const std::vector<Annotation>& notes);
constexpr QPointF cellMiddle{0.5, 0.5};

/// An annotation as it is drawn; it points at its place moved by `middle`.
ChartNote chartNote(const Annotation& note, QPointF middle = {});

/// The annotations follow the chart's own notes, in their order.
ChartSpec withAnnotations(ChartSpec chart, const Look& look, const std::string& name, QPointF middle = {});
/// And over the part that is looked at; without a zoom of this chart its axes stay.
ChartSpec withLook(ChartSpec chart, const Look& look, const std::string& name);

/// PlotStyle::methodColours of a look or a recipe.
std::map<int, QColor> coloursOf(const MethodColours& colours);

}  // namespace attnscope
