// heatmap: the attention matrix of one head, or the mean of several heads', and one scale method, pooled to at most
// --size cells in each direction, as data (.npy), as a picture of one pixel a cell (.png), or as a figure with axes
// (.pdf, .svg).

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/offscreen.h"
#include "app/commands/progress.h"
#include "core/analysis/analysis_cache.h"
#include "core/analysis/length_statistics.h"
#include "core/analysis/stage_keys.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/png_file.h"

#include <QImage>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace attnscope {

namespace {

constexpr std::int64_t usualLength = 512;  // of a synthetic source

struct HeatmapSettings {
    Scenario scenario;
    AttentionOptions attention;
    std::optional<Choice> source;
    std::int64_t n = 0;  ///< 0: all of a file, usualLength of a source
    std::vector<Choice> methods{{"vanilla", {}, {}}};
    std::string heads = "0";
    std::string pool = "mean";
    std::string output;
    std::string colours = "viridis";
    bool linear = false;
    bool progress = false;
    Options ofColours;
};

/// What is looked at, as the window and a figure's recipe would say it.
Scenario scenarioOf(const HeatmapSettings& settings, const OpenedHeads& opened, const std::vector<int>& heads)
{
    Scenario scenario = settings.scenario;
    scenario.source = settings.source.value_or(Choice{sourceOfFiles, {}, {}});
    scenario.tensors.query = opened.selection.query;
    scenario.tensors.key = opened.selection.key;
    scenario.tensors.holds = opened.selection.holds;
    scenario.tensors.head = heads.front();
    if (heads.size() > 1)
        scenario.tensors.mean = heads;
    scenario.n = settings.n > 0 ? settings.n : settings.source ? usualLength : opened.heads.keyCount();
    scenario.nTrain = opened.nTrain;
    scenario.attention = opened.attention;
    scenario.methods = settings.methods;
    scenario.view.pool = settings.pool == "max" ? Pool::Max : Pool::Mean;
    scenario.view.curvePoints = 0;
    scenario.view.table = false;
    return scenario;
}

/// Heads that have been read are not read again: standard input could not be.
Result<Analysis> analysisOf(const Scenario& scenario, HeadSet heads, const Console& console, bool showProgress)
{
    AnalysisCache cache;
    if (scenario.ofFile())
        cache.sources.keep(sourceKey(scenario), sourceOf(std::move(heads), scenario.n, scenario.attention.mask));
    Progress progress(console, "heatmap", showProgress);
    return analyse(scenario, {}, cache, [&](double fraction) { progress.update(fraction); });
}

Recipe recipeOf(const Scenario& scenario, const HeatmapSettings& settings)
{
    Recipe recipe;
    recipe.name = "heatmap";
    recipe.kind = "method_grid";
    recipe.title = settings.source ? "Attention heatmap" : "Attention, " + describeHeads(scenario.tensors);
    recipe.source = "Attnscope";
    recipe.colours = settings.colours;
    recipe.scenario = scenario;
    recipe.parameters["log"] = !settings.linear;
    return recipe;
}

/// Numbers, a picture of one pixel a cell, or a figure with axes: all of the same analysis, the last two on the same
/// colour scale.
Result<void> write(const Analysis& analysis, const Recipe& recipe, const std::string& ending, const std::string& output)
{
    for (const MethodAnalysis& method : analysis.methods)
        if (!method.absent.empty())
            return failure(ErrorKind::Undefined, describeHeads(analysis.scenario.tensors) + ": " + method.absent);
    const PooledMap& map = analysis.methods.front().map;
    if (ending == ".npy")
        return writeNpy(output, tensorView("", {map.rows, map.columns}, map.values));
    const FigureContent content = TRY(methodGridContent(analysis, recipe));
    if (ending == ".png")
        return savePng(heatmapImage(*content.panels.front().map, content.panels.front().scale), output);
    ensureDrawing();
    return saveFigure(content, recipe, output);
}

Result<void> runHeatmap(const HeatmapSettings& settings, const Console& console)
{
    const std::string ending = std::filesystem::path(settings.output).extension().string();
    if (ending == ".npy")
        TRY(unused(settings.ofColours, "a .npy holds numbers, not colours"));
    if (settings.scenario.tensors.path.empty() == !settings.source)
        return failure(ErrorKind::InvalidArgument,
                       "give either a FILE of tensors or --source (attnscope sources lists them)");
    if (ending != ".npy" && ending != ".png" && ending != ".pdf" && ending != ".svg")
        return failure(ErrorKind::InvalidArgument,
                       "--output: expected a path that ends in .npy, .png, .pdf or .svg, got '{}'", settings.output);
    if (settings.methods.size() != 1 && (ending == ".npy" || ending == ".png"))
        return failure(ErrorKind::InvalidArgument,
                       "--method: one matrix has one method; several go into a .pdf or .svg");
    if (settings.scenario.tensors.path == "-" && (ending == ".pdf" || ending == ".svg"))
        return failure(ErrorKind::InvalidArgument, "a figure holds its recipe, and that names the file of tensors: "
                                                   "save standard input as a file and give its path");
    OpenedHeads opened = settings.source ? withoutFile(settings.attention)
                                         : TRY(openHeads(settings.scenario.tensors, settings.attention));
    TRY(checkOutput(opened, settings.output));
    std::vector<int> heads = TRY(readHeads(settings.heads, std::max(1, opened.heads.headCount())));
    std::sort(heads.begin(), heads.end());

    const Scenario scenario = scenarioOf(settings, opened, heads);
    if (!settings.source)
        TRY(checkLength(opened.heads, scenario.n));
    const Analysis analysis = TRY(analysisOf(scenario, std::move(opened.heads), console, settings.progress));
    TRY(write(analysis, recipeOf(scenario, settings), ending, settings.output));
    opened.notes.insert(opened.notes.end(), analysis.notes.begin(), analysis.notes.end());
    if (!analysis.ran.empty())
        opened.notes.push_back(analysis.ran);
    writeNotes(console, opened.notes);
    return {};
}

std::vector<std::string> coloursOfWeights()
{
    std::vector<std::string> ids;
    for (const ColourMap& map : colourMaps())
        if (!map.diverging)
            ids.push_back(map.id);
    return ids;
}

}  // namespace

Command heatmapCommand()
{
    return commandWith<HeatmapSettings>(
        "heatmap", "The attention matrix of a head, or the mean of several, pooled, as numbers, a picture or a figure",
        {"heatmap model.safetensors --q layer2.q --k layer2.k --head 3 -o head3.png",
         "heatmap model.safetensors --head 0,3,5 --size 512 -o mean.npy",
         "heatmap --source needle --n 4096 --pool max --size 256 -o needle.npy"},
        [](CLI::App& app, HeatmapSettings& settings) {
            Scenario& scenario = settings.scenario;
            CLI::Option* file = addTensors(app, scenario.tensors);
            CLI::Option* source =
                addChoice(app, "--source", settings.source, syntheticSources(), "source",
                          "A synthetic source instead of a file: local, needle:gap=6, ... (`attnscope sources`)")
                    ->type_name("SOURCE");
            for (const char* ofFile : {"--q", "--k", "--layout", "--holds", "--head-count", "--batch"})
                source->excludes(app.get_option(ofFile));
            app.add_option("-o,--output", settings.output,
                           "File to write: .npy (numbers), .png (one pixel a cell), .pdf or .svg (a figure)")
                ->type_name("FILE")
                ->required();
            addNumber(app, "--size", scenario.view.pixels, {.minimum = 1, .maximum = 4096, .whole = true},
                      "Cells in each direction, at most");
            addWord(app, "--pool", settings.pool, {"mean", "max"}, "What a cell shows of the weights in it");
            addNumber(app, "--n", settings.n, {.minimum = 1, .maximum = 1e9, .whole = true},
                      "Tokens: the first n of a file (else all), or so many of a source (else 512)")
                ->default_str("");
            addMethods(app, settings.methods)->default_str("vanilla");
            addHeads(app, settings.heads)
                ->description("Head, from 0; several as in 0,3,5 or all of them, as their mean");
            addHeadSize(app, scenario.d)->description("Head size d of a source")->excludes(file);
            addTrainLength(app, settings.attention.nTrain);
            addTemperature(app, scenario.temperature);
            addSeed(app, scenario.seed)->description("Seed of a source")->excludes(file);
            addAttention(app, settings.attention);
            settings.ofColours = {
                addWord(app, "--colours", settings.colours, coloursOfWeights(), "Colour map"),
                app.add_flag("--linear", settings.linear, "Colour in proportion to the weight, not to its logarithm")};
            addEngine(app, scenario.engine);
            addProgress(app, settings.progress);
        },
        runHeatmap);
}

}  // namespace attnscope
