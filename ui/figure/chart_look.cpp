#include "ui/figure/chart_look.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <map>

namespace attnscope {

std::string entropyChartName(const Scenario& scenario) { return "entropy:" + scenario.view.measure.id; }

std::string dispersionChartName(const std::string& kind) { return "dispersion:" + kind; }

std::string mapName(const std::vector<Choice>& methods, std::size_t place)
{
    return "map:" + methodName(methods, place);
}

std::vector<Annotation> notesWithout(std::size_t place, const std::vector<Choice>& methods,
                                     const std::vector<Annotation>& notes)
{
    std::vector<Choice> left = methods;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(place));
    if (std::ranges::find(left, methods[place].id, &Choice::id) == left.end())
        return notes;  // they wait for it to come back
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < methods.size(); ++i)
        if (i != place)
            names[mapName(methods, i)] = mapName(left, i < place ? i : i - 1);
    std::vector<Annotation> kept;
    for (const Annotation& note : notes)
        if (note.chart != mapName(methods, place)) {
            kept.push_back(note);
            if (const auto name = names.find(note.chart); name != names.end())
                kept.back().chart = name->second;
        }
    return kept;
}

std::string differenceMapName() { return "map:difference"; }

ChartNote chartNote(const Annotation& note, QPointF middle)
{
    return {note.x + middle.x(),    note.y + middle.y(),          text(note.text), {},
            ChartSeries::reference, QPointF(note.right, -note.up)};
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
        const auto fits = [](const ChartAxis& axis, const auto& range) { return !axis.log || range.first > 0; };
        if (fits(chart.x, zoom->second.x) && fits(chart.y, zoom->second.y)) {
            chart.x.range = zoom->second.x;
            chart.y.range = zoom->second.y;
        }
    }
    return chart;
}

std::map<int, QColor> coloursOf(const MethodColours& colours)
{
    std::map<int, QColor> byStyle;
    for (const auto& [id, colour] : colours)
        if (const auto method = findRow(scaleMethods(), id, "scale method"))
            byStyle[(*method)->style] = QColor(text(colour));
    return byStyle;
}

}  // namespace attnscope
