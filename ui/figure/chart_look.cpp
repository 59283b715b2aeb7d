#include "ui/figure/chart_look.h"

#include "core/scaling/scale_method.h"

#include <algorithm>

namespace attnscope {

std::string entropyChartName(const Scenario& scenario) { return "entropy:" + scenario.view.measure.id; }

std::string dispersionChartName(const std::string& kind) { return "dispersion:" + kind; }

std::string mapName(const std::vector<Choice>& methods, std::size_t place)
{
    const auto before = std::count_if(methods.begin(), methods.begin() + static_cast<std::ptrdiff_t>(place), [&](const Choice& other) { return other.id == methods[place].id; });
    return "map:" + methods[place].id + (before ? "#" + std::to_string(before + 1) : "");
}

std::string differenceMapName() { return "map:difference"; }

ChartNote chartNote(const Annotation& note, QPointF middle)
{
    return {note.x + middle.x(), note.y + middle.y(), QString::fromStdString(note.text), {}, ChartSeries::reference, QPointF(note.right, -note.up)};
}

ChartSpec withAnnotations(ChartSpec chart, const Look& look, const std::string& name, QPointF middle)
{
    for (const Annotation& note : look.annotations)
        if (note.chart == name)
            chart.notes.push_back(chartNote(note, middle));
    return chart;
}

ChartSpec withLook(ChartSpec chart, const Look& look, const std::string& name)
{
    chart = withAnnotations(std::move(chart), look, name);
    if (const auto zoom = look.zooms.find(name); zoom != look.zooms.end()) {
        chart.x.range = zoom->second.x;
        chart.y.range = zoom->second.y;
    }
    return chart;
}

std::map<int, QColor> coloursOf(const MethodColours& colours)
{
    std::map<int, QColor> byStyle;
    for (const auto& [id, colour] : colours)
        if (const auto method = findRow(scaleMethods(), id, "scale method"))
            byStyle[(*method)->style] = QColor(QString::fromStdString(colour));
    return byStyle;
}

}  // namespace attnscope
