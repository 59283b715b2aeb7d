// Runs of a lab, from the folders that they were kept in: the charts that the window shows, with the same lines in
// front of the others, side by side where there are several runs.

#include "ui/figure/kinds/support.h"
#include "ui/figure/lab_charts.h"
#include "ui/figure/packing_paint.h"

#include <filesystem>

namespace attnscope {

namespace {

/// The packings that the window shows of a run, each a panel.
std::vector<Panel> packingPanels(const LabRecord& record)
{
    std::vector<Panel> panels;
    const LabPackings* shown = packingsToShow(record.packings);
    const auto packings = shown ? std::make_shared<const LabPackings>(*shown) : nullptr;
    for (std::size_t i = 0; packings && i < packings->panels.size(); ++i) {
        const QSizeF cells = isometricSize(*packings, highestTop(*packings));
        Panel panel = panelWithoutAxes(text(packings->panels[i].title + " (" + packings->title + ")"));
        panel.packings = packings;
        panel.packing = i;
        panel.aspect = cells.height() / cells.width();
        panels.push_back(std::move(panel));
    }
    return panels;
}

/// The tours that the window shows of a run, each a panel.
std::vector<Panel> tourPanels(const LabRecord& record)
{
    std::vector<Panel> panels;
    const LabTours* shown = toursToShow(record.tours);
    for (std::size_t i = 0; shown && i < shown->panels.size(); ++i) {
        panels.push_back(tourPanel({*shown, i, {}}));
        panels.back().chart.title = text(shown->panels[i].title + " (" + shown->title + ")");
    }
    return panels;
}

}  // namespace

Result<FigureContent> buildLabRun(const Recipe& recipe, std::stop_token)
{
    std::vector<std::string> folders;
    double columns = 2;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("columns", columns, 1, 6);
    reader.texts("folders", folders);
    if (folders.empty())
        reader.fail("parameters.folders is missing; give a list of folders that attnscope lab --out made");
    TRY(reader.finish());

    std::vector<LabRecord> records;
    for (const std::string& folder : folders) {
        auto record = TRY(readRecord(folder));
        if (!records.empty() && record.choice.id != records.front().choice.id)
            return failure(ErrorKind::InvalidArgument, "parameters.folders: " + folder + " holds a run of " +
                                                           record.choice.id + ", the first one of " +
                                                           records.front().choice.id);
        records.push_back(std::move(record));
    }
    std::vector<ShownRun> runs;
    for (size_t i = 0; i < records.size(); ++i)
        runs.push_back({text(std::filesystem::path(folders[i]).lexically_normal().filename().string()), &records[i]});

    FigureContent content;
    const auto add = [&](Panel panel) {
        const size_t place = content.panels.size(), across = static_cast<size_t>(columns);
        addPanel(content, std::move(panel), place / across, place % across);
    };
    std::vector<ChartSpec> charts = labCharts(**findRow(labs(), records.front().choice.id, "lab"), runs);
    const std::set<int> inFront = firstInFront(charts);
    for (ChartSpec& chart : charts) {
        putBehind(chart.series, inFront);
        Panel panel;
        panel.chart = std::move(chart);
        add(std::move(panel));
    }
    for (Panel& panel : packingPanels(records.front()))
        add(std::move(panel));
    for (Panel& panel : tourPanels(records.front())) {
        add(std::move(panel));
        content.footnote = meaningOfTours(false);
    }
    if (content.panels.empty())
        return failure(ErrorKind::DataError, folders.front() + " holds a run without results so far");
    return content;
}

}  // namespace attnscope
