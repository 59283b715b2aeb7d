#include "ui/window/views/chart_mark.h"

#include "ui/figure/analysis_charts.h"
#include "ui/window/views/cell_reading.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

ChartMark markAtLength(const ChartSpec& spec, double x)
{
    ChartMark mark{x, {}};
    const auto away = [&](const ChartPoint& point) { return spec.x.log ? std::abs(std::log(point.x / x)) : std::abs(point.x - x); };
    for (const ChartSeries& series : spec.series) {
        const bool marked = std::any_of(mark.points.begin(), mark.points.end(), [&](const ChartMark::Point& known) { return known.style == series.style; });
        if (series.style < 0 || marked)
            continue;
        const ChartPoint* nearest = nullptr;
        for (const ChartPoint& point : series.points)
            if (std::isfinite(point.y) && (!spec.y.log || point.y > 0) && (!nearest || away(point) < away(*nearest)))
                nearest = &point;
        if (nearest)
            mark.points.push_back({{nearest->x, nearest->y}, series.style});
    }
    return mark;
}

ChartMark markAtKey(const Analysis& analysis, std::int64_t key)
{
    ChartMark mark;
    for (std::size_t i = 0; i < analysis.methods.size(); ++i) {
        const RowDetail& chosen = analysis.methods[i].chosen;
        const auto found = std::lower_bound(chosen.keys.begin(), chosen.keys.end(), key);
        if (found == chosen.keys.end() || *found != key)
            continue;
        const double weight = chosen.weights[static_cast<std::size_t>(found - chosen.keys.begin())];
        const auto heavier = std::count_if(chosen.weights.begin(), chosen.weights.end(), [&](double other) { return other > weight; });
        if (weight > 0)
            mark.points.push_back({{double(heavier + 1), weight}, styleOf(analysis, static_cast<int>(i))});
    }
    return mark;
}

std::optional<double> pointedLength(const Analysis& analysis, const Pointed& at)
{
    if (at.length >= 1)
        return at.length;
    for (const MethodAnalysis& method : analysis.methods)
        if (const RowSummary* summary = at.row >= 0 ? summaryOfRow(analysis, method, at.row) : nullptr; summary && summary->visible > 0)
            return double(summary->visible);
    return {};
}

}  // namespace attnscope
