#include "ui/views/chart_mark.h"

#include "ui/figure/analysis_charts.h"
#include "ui/plot/chart_readout.h"
#include "ui/views/cell_reading.h"

#include <algorithm>

namespace attnscope {

ChartMark markAtLength(const ChartSpec& spec, const ChartLayout& layout, double x)
{
    ChartMark mark{x, {}};
    for (const ChartReadout::Line& line : readoutOf(spec, layout, x).lines)
        for (const auto& value : {line.curve, line.points})
            if (value && spec.series[static_cast<std::size_t>(value->series)].style >= 0)
                mark.points.push_back({{x, value->y}, spec.series[static_cast<std::size_t>(value->series)].style});
    return mark;
}

ChartMark markAtKey(const Analysis& analysis, std::int64_t key)
{
    ChartMark mark;
    for (std::size_t i = 0; i < analysis.methods.size(); ++i) {
        const RowDetail& chosen = analysis.methods[i].chosen;
        const auto place = placeOf(chosen, key);
        if (!place)
            continue;
        const double weight = chosen.weights[*place];
        const auto heavier =
            std::count_if(chosen.weights.begin(), chosen.weights.end(), [&](double other) { return other > weight; });
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
        if (const RowSummary* summary = at.row >= 0 ? summaryOfRow(analysis, method, at.row) : nullptr;
            summary && summary->visible > 0)
            return double(summary->visible);
    return {};
}

}  // namespace attnscope
