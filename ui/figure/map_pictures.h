#pragma once
// The pictures of an analysis's maps under one look: values, colours and images, made wherever there is time for it.
// What the window puts on its screen for a step of a drag, its worker has made already.

#include "core/analysis/analysis.h"
#include "core/document/look.h"
#include "ui/plot/absent_rows.h"
#include "ui/plot/heatmap_paint.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace attnscope {

struct Panel;

struct MapPicture {
    std::shared_ptr<const PooledMap> map;           ///< NaN where it is masked
    std::shared_ptr<const PooledMap> weights = {};  ///< of a method, as they were computed: 0 where they are masked
    ColourScale scale;
    QImage image;                 ///< heatmapImage()
    std::vector<RowBand> absent;  ///< rows without a value
    Beyond beyond = {};           ///< of the difference
};

struct MapPictures {
    std::shared_ptr<const Analysis> analysis;  ///< whose maps these are, which keeps them alive
    MapLook look;
    bool dark = false;                     ///< the ground that they stand on
    ColourScale scale;                     ///< all methods share it
    Beyond beyond;                         ///< of the values of all of them
    std::vector<MapPicture> methods;       ///< one a method, empty where it has no map
    std::optional<MapPicture> difference;  ///< of the look's sides; empty: fewer than two methods
    /// Are they what `other` looks like under this look, on this ground?
    bool are(const std::shared_ptr<const Analysis>& other, const MapLook& wanted, bool onDark) const
    {
        return analysis == other && look == wanted && dark == onDark;
    }
};

/// Of the maps of all methods. Log: from what the largest weight of the rows can give a cell if the part in sight had
/// 512 of them across (a mean of b keys is at most 1/b of what the row gives all), whatever pixels it is pooled to, so
/// that a head looks the same in a larger window, in print and in its preview. Linear: from 0 to the largest cell but
/// for the outermost hundredth of them.
/// `decades` 0: as many as show that a row disperses. The look's own range goes before.
ColourScale weightScaleOf(const Analysis& analysis, const MapLook& look, double decades = 0);

std::shared_ptr<const MapPictures> mapPictures(std::shared_ptr<const Analysis> analysis, const MapLook& look,
                                               bool dark);

/// The places of the difference's two methods: of those that were chosen, while both are ticked.
std::pair<std::size_t, std::size_t> sidesOf(const Analysis& analysis, const MapLook& look);

/// In words, between their names: " over " of a ratio, " minus ".
QString betweenSides(bool isRatio);

/// Where these two differ: with a logarithmic scale their ratio. Without cells where they have no map in common.
MapPicture differencePicture(const Analysis& analysis, const MapLook& look, bool dark);

/// Has it a map to draw? Theory has none, nor a method without a value at this n.
bool hasMap(const MethodAnalysis& method);

/// Cells that no query of theirs can see are absent (NaN), so that a weight of 0, or one too small for a float, is not
/// taken for a mask. Draw it with a scale that paints zeros.
std::shared_ptr<const PooledMap> maskedMap(const Analysis& analysis, const MethodAnalysis& method);

/// What the colours of printed maps are of: of weights, and of the difference of two methods' weights.
QString weightsTitle(bool means);
QString differenceTitle(bool isRatio);

/// A token's text at each key and query of the panel's map, for where they have room; none where a cell is several
/// tokens.
void nameTokens(Panel& panel, const std::vector<std::string>& keys, const std::vector<std::string>& queries);

}  // namespace attnscope
