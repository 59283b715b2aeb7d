#include "core/base/parallel.h"  // first: Qt's "emit" is a name of oneTBB

#include "ui/figure/map_pictures.h"

#include "ui/figure/difference_map.h"
#include "ui/plot/qt_text.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr double cellsAcross = 512;  // about as many as a map has pixels

std::vector<RowBand> rowsWithoutValueOf(const Analysis& analysis, const MethodAnalysis& method)
{
    return rowsWithoutValue(method.rows, analysis.sampledRows, analysis.queryCount);
}

/// Of a preview all: it has no others.
std::span<const RowSummary> inSight(const Analysis& analysis, const MethodAnalysis& method)
{
    const Region& part = analysis.scenario.view.region;
    const bool some = part.rowEnd > part.rowBegin && std::ssize(method.rows) == analysis.queryCount;
    const auto end = std::min<std::int64_t>(part.rowEnd, analysis.queryCount);
    return !some || part.rowBegin >= end
               ? std::span(method.rows)
               : std::span(method.rows)
                     .subspan(static_cast<std::size_t>(part.rowBegin), static_cast<std::size_t>(end - part.rowBegin));
}

}  // namespace

ColourScale weightScaleOf(const Analysis& analysis, const MapLook& look, double decades)
{
    const View& view = analysis.scenario.view;
    const Region& part = view.region;
    const std::int64_t across =
        part.columnEnd > part.columnBegin ? part.columnEnd - part.columnBegin : analysis.keyCount;
    const double ofCell =
        view.pool == Pool::Mean ? cellsAcross / static_cast<double>(std::max<std::int64_t>(1, across)) : 1;
    double largest = 0;
    std::vector<const PooledMap*> maps;
    for (const MethodAnalysis& method : analysis.methods) {
        maps.push_back(&method.map);
        for (const RowSummary& row : inSight(analysis, method))
            largest = std::max(largest, row.mass * std::min<double>(row.top.front(), ofCell));
    }
    if (!look.log)
        largest = allButOutermost(maps);
    else if (!analysis.scenario.tensors.mean.empty())  // a mean of heads: its mass and its largest weight are two means
        largest = std::max(largest, largestOf(maps));
    if (largest == 0)
        largest = 1;
    ColourScale scale = weightScale(largest, look.log, findColourMap(look.colourMap).value_or(nullptr),
                                    decades > 0 ? decades : decadesFor(analysis.keyCount));
    scale.zeroIsBlank = false;  // masked cells are NaN; a weight below the smallest float is a weight
    return pinnedScale(scale, look.pinned);
}

std::pair<std::size_t, std::size_t> sidesOf(const Analysis& analysis, const MapLook& look)
{
    return placesOfDifference(analysis.scenario.methods, look.sides);
}

QString weightsTitle(bool means) { return means ? u"Mean weight"_s : u"Weight"_s; }

QString differenceTitle(bool isRatio) { return isRatio ? u"$\\log_{10}$ ratio"_s : u"$\\Delta$"_s; }

QString betweenSides(bool isRatio) { return isRatio ? u" over "_s : u" minus "_s; }

MapPicture differencePicture(const Analysis& analysis, const MapLook& look, bool dark)
{
    const auto [first, second] = sidesOf(analysis, look);
    const bool others = look.sides && !placesOfMethods(analysis.scenario.methods, look.sides);  // than were chosen
    const MethodAnalysis &one = analysis.methods[first], &other = analysis.methods[second];
    auto map = differenceMap(*maskedMap(analysis, one), *maskedMap(analysis, other),
                             look.log ? Difference::LogRatio : Difference::Linear);
    MapPicture picture;
    picture.map = std::make_shared<const PooledMap>(map ? std::move(*map) : PooledMap{});
    picture.scale =
        pinnedScale(onGround(differenceScale(*picture.map, findColourMap("diverging").value_or(nullptr)), dark),
                    others ? std::nullopt : look.pinnedDifference);
    picture.scale.zeroIsBlank = false;  // that two weights are equal can be seen
    picture.absent = joined(rowsWithoutValueOf(analysis, one), rowsWithoutValueOf(analysis, other));
    picture.image = heatmapImage(*picture.map, picture.scale);
    picture.beyond = differencesBeyond(*picture.map, picture.scale);
    return picture;
}

std::shared_ptr<const MapPictures> mapPictures(std::shared_ptr<const Analysis> analysis, const MapLook& look, bool dark)
{
    auto pictures = std::make_shared<MapPictures>();
    pictures->look = look;
    pictures->dark = dark;
    const ColourScale scale = weightScaleOf(*analysis, look);
    const std::int64_t count = std::ssize(analysis->methods);
    pictures->methods.resize(analysis->methods.size());
    forEachInParallel(look.difference && count >= 2 ? count + 1 : count, 1, [&](std::int64_t i) {
        if (i == count) {
            pictures->difference = differencePicture(*analysis, look, dark);
            return;
        }
        const MethodAnalysis& method = analysis->methods[static_cast<std::size_t>(i)];
        MapPicture& picture = pictures->methods[static_cast<std::size_t>(i)];
        picture.map = maskedMap(*analysis, method);
        picture.weights = std::shared_ptr<const PooledMap>(analysis, &method.map);
        picture.scale = scale;
        picture.image = heatmapImage(*picture.map, scale);
        picture.absent = rowsWithoutValueOf(*analysis, method);
    });
    pictures->scale = scale;
    std::vector<const PooledMap*> maps;
    for (const MapPicture& picture : pictures->methods)
        maps.push_back(picture.map.get());
    pictures->beyond = valuesBeyond(maps, scale);
    pictures->analysis = std::move(analysis);
    return pictures;
}

}  // namespace attnscope
