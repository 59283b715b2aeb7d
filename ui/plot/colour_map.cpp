#include "ui/plot/colour_map.h"

#include "core/base/choice.h"
#include "ui/plot/qt_text.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <vector>

// Resources of a static library are linked only where something names them.
void loadPlotResources() { Q_INIT_RESOURCE(plot); }

namespace attnscope {

namespace {

ColourMap readMap(std::string id, std::string about, bool diverging = false)
{
    ColourMap map{std::move(id), std::move(about), diverging, {}};
    QFile file(u":/colour_maps/%1.txt"_s.arg(QString::fromStdString(map.id)));
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
        return map;
    size_t row = 0;
    while (!file.atEnd() && row < map.colours.size()) {
        const QByteArray line = file.readLine().trimmed();
        if (!line.isEmpty() && !line.startsWith('#'))
            map.colours[row++] = 0xff000000u | line.toUInt(nullptr, 16);
    }
    return map;
}

}  // namespace

QRgb ColourMap::at(double t) const
{
    const double place = std::isnan(t) ? 0 : std::clamp(t, 0.0, 1.0);
    return colours[static_cast<size_t>(std::lround(place * 255))];
}

std::span<const ColourMap> colourMaps()
{
    static const std::vector<ColourMap> maps = [] {
        loadPlotResources();
        return std::vector<ColourMap>{readMap("viridis", "perceptually uniform, dark blue to yellow"),
                                      readMap("cividis", "perceptually uniform, the same to most colour-blind eyes"),
                                      readMap("magma", "perceptually uniform, black to cream"),
                                      readMap("diverging", "blue to white to red about a centre", true),
                                      readMap("diverging_dark", "blue to dark grey to red about a centre", true)};
    }();
    return maps;
}

Result<const ColourMap*> findColourMap(std::string_view id) { return findRow(colourMaps(), id, "colour map"); }

double ColourScale::place(double value) const
{
    const double t = log ? (std::log(std::max(value, low)) - std::log(low)) / (std::log(high) - std::log(low))
                         : (value - low) / (high - low);
    return std::clamp(std::isnan(t) ? 0 : t, 0.0, 1.0);
}

ColourScale aroundZero(double most)
{
    return {.low = -most, .high = most, .log = false, .map = *findColourMap("diverging"), .zeroIsBlank = false};
}

ColourScale gainScale(double most)
{
    ColourScale scale = aroundZero(most);
    std::swap(scale.low, scale.high);
    return scale;
}

ColourScale onGround(ColourScale scale, bool dark)
{
    if (scale.map && scale.map->diverging)
        scale.map = *findColourMap(dark ? "diverging_dark" : "diverging");
    return scale;
}

QRgb ColourScale::colour(double value) const
{
    if (std::isnan(value) || (value == 0 && zeroIsBlank))
        return 0;
    return (map ? *map : colourMaps().front()).at(place(value));
}

}  // namespace attnscope
