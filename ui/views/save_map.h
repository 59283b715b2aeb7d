#pragma once
// A map as a figure of its own: PDF, SVG and PNG of the part of it that stands on the screen, in print's type and with
// its colours named, or its cells as CSV. It carries no recipe: what Explore shows is exported with one.

#include "core/base/error.h"

#include <QString>

#include <functional>

namespace attnscope {

class HeatmapPlot;
class MapTile;
struct FigureContent;

/// What is known of it beside its cells.
struct MapWords {
    QString title = {};     ///< whose weights they are
    QString bar = {};       ///< what the colours are of
    QString footnote = {};  ///< of which head; empty: none
};
FigureContent mapFigure(const HeatmapPlot& plot, const MapWords& words);

/// The ending of `path` decides. Errors: UnknownFormat, NotWritable.
Result<void> saveMap(const FigureContent& map, const QString& path);

/// A line of the map's menu that asks for a file; how it went is said in the window. `words` but for the title.
void offerSaving(MapTile& tile, const std::function<MapWords()>& words);

}  // namespace attnscope
