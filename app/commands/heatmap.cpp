// heatmap: the attention matrix of one head, or the mean of several heads', and one scale method, pooled to at most --size
// cells in each direction, as data (.npy), as a picture of one pixel a cell (.png), or as a figure with axes (.pdf, .svg).

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/offscreen.h"
#include "app/commands/progress.h"
#include "core/analysis/length_statistics.h"
#include "core/analysis/mean_map.h"
#include "core/analysis/method_notes.h"
#include "core/analysis/scenario.h"
#include "core/attention/engines.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"
#include "ui/figure/figure.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/png_file.h"

#include <QImage>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace attnscope {

namespace {

struct HeatmapSettings {
    Scenario scenario;
    AttentionOptions attention;
    std::optional<Choice> source;
    std::int64_t n = 0;  ///< 0: all of a file, 512 of a synthetic source
    std::vector<Choice> methods{{"vanilla", {}, {}}};
    std::string heads = "0";
    std::string pool = "mean";
    std::string output;
    std::string colours = "viridis";
    bool linear = false;
    bool progress = false;
};

Result<OpenedHeads> synthetic(const HeatmapSettings& settings)
{
    const std::int64_t n = settings.n > 0 ? settings.n : 512;
    const Choice& source = *settings.source;
    HeadSet heads = TRY(generate(source, {.queries = n, .keys = n, .d = settings.scenario.d, .seed = settings.scenario.seed}));
    OpenedHeads opened{.heads = std::move(heads), .selection = {}, .layer = {}, .attention = settings.attention.spec, .notes = {}};
    opened.attention.mask = settings.attention.mask.value_or(Choice{"causal", {}, {}});
    return opened;
}

std::int64_t tokensShown(const OpenedHeads& opened, const HeatmapSettings& settings) { return settings.n > 0 ? settings.n : opened.heads.keyCount(); }

/// A head with what its map needs to know. Row i of a shorter sequence has the logits of the longer one; only its normaliser
/// differs, so the weights are those of the whole head's region with the states of the shorter rows.
struct PreparedHead {
    AttentionHead head;
    std::vector<float> scale;
    std::vector<NormaliserState> states;
    Region region;
};

Result<PreparedHead> prepareMap(OpenedHeads& opened, int index, const HeatmapSettings& settings)
{
    const Scenario& scenario = settings.scenario;
    const LengthRequest request{.attention = opened.attention,
                                .methods = settings.methods,
                                .lengths = {tokensShown(opened, settings)},
                                .nTrain = scenario.nTrain,
                                .temperature = scenario.temperature,
                                .engine = scenario.engine};
    const auto rows = TRY(lengthStatistics(opened.heads, index, request, {}));
    const LengthStatistics& shown = rows.front();
    if (!shown.absent.empty())
        return failure(ErrorKind::Undefined, "head " + std::to_string(index) + ": " + shown.absent);
    AttentionHead head = TRY(prepareHead(opened.heads, index, opened.attention));
    if (!shown.partly.empty())
        opened.notes.push_back(shown.partly);

    PreparedHead prepared{std::move(head), shown.scale, {}, {0, static_cast<std::int64_t>(shown.rows.size()), 0, shown.n}};
    prepared.states.resize(static_cast<size_t>(prepared.head.queryCount()));
    std::transform(shown.rows.begin(), shown.rows.end(), prepared.states.begin(), [](const RowSummary& row) { return row.state; });
    prepared.scale.resize(prepared.states.size());
    return prepared;
}

/// Of one head, or of the mean over several, each counting alike; so it is in the window.
Result<PooledMap> poolHeads(OpenedHeads& opened, const std::vector<int>& heads, const HeatmapSettings& settings, const Console& console)
{
    const Engine* engine = TRY(chooseEngine(settings.scenario.engine));
    Progress progress(console, "heatmap", settings.progress);
    const auto count = static_cast<double>(heads.size());
    const bool largest = settings.pool == "max" && heads.size() > 1;
    std::vector<PreparedHead> prepared;
    std::vector<double> sum;
    std::optional<PooledMap> mean;
    PoolRequest request{.normaliser = opened.attention.normaliser, .scale = {}, .states = {}, .region = {}, .pool = settings.pool == "max" ? Pool::Max : Pool::Mean, .progress = {}};
    for (const int index : heads) {
        PreparedHead one = TRY(prepareMap(opened, index, settings));
        request.region = one.region;
        request.rows = static_cast<int>(std::min<std::int64_t>(settings.scenario.view.pixels, one.region.rowEnd));
        request.columns = static_cast<int>(std::min<std::int64_t>(settings.scenario.view.pixels, one.region.columnEnd));
        if (largest) {
            prepared.push_back(std::move(one));
            continue;
        }
        request.scale = one.scale;
        request.states = one.states;
        request.progress = [&, done = static_cast<double>(&index - heads.data())](double part) { progress.update((done + part) / count); };
        PooledMap map = TRY(engine->pool(one.head, request, {}));
        sum.resize(map.values.size());
        std::transform(sum.begin(), sum.end(), map.values.begin(), sum.begin(), std::plus<>());
        mean = std::move(map);
    }
    if (largest) {
        std::vector<HeadForMap> each;
        for (const PreparedHead& one : prepared)
            each.push_back({&one.head, one.scale, one.states});
        request.progress = [&](double part) { progress.update(part); };
        return poolMeanOfHeads(*engine, each, request, {});
    }
    std::transform(sum.begin(), sum.end(), mean->values.begin(), [&](double cell) { return static_cast<float>(cell / count); });
    return std::move(*mean);
}

Result<void> writePicture(const PooledMap& map, const HeatmapSettings& settings)
{
    const ColourMap* colours = TRY(findColourMap(settings.colours));
    const float largest = *std::max_element(map.values.begin(), map.values.end());
    constexpr double decades = 4;  // of weight, below the largest
    ColourScale scale{.low = settings.linear ? 0 : largest * std::pow(10.0, -decades), .high = largest, .log = !settings.linear, .map = colours};
    QImage image(map.columns, map.rows, QImage::Format_ARGB32);
    for (int r = 0; r < map.rows; ++r)
        for (int c = 0; c < map.columns; ++c)
            image.setPixel(c, r, map.at(r, c) > 0 ? scale.colour(map.at(r, c)) : qRgba(0, 0, 0, 0));
    return savePng(image, settings.output);
}

Result<void> writeFigure(const OpenedHeads& opened, const HeatmapSettings& settings)
{
    Recipe recipe;
    recipe.name = "heatmap";
    recipe.kind = "method_grid";
    recipe.title = settings.source ? "Attention heatmap" : "Attention, " + describeHeads(settings.scenario.tensors);
    recipe.source = "Attnscope";
    recipe.colours = settings.colours;
    recipe.scenario = settings.scenario;
    Scenario& scenario = recipe.scenario;
    scenario.source = settings.source.value_or(Choice{"tensors", {}, {}});
    scenario.n = tokensShown(opened, settings);
    scenario.attention = opened.attention;
    scenario.methods = settings.methods;
    scenario.view.pool = settings.pool == "max" ? Pool::Max : Pool::Mean;
    scenario.view.curvePoints = scenario.view.curveRows = 1;
    recipe.parameters["log"] = !settings.linear;
    ensureDrawing();
    return renderFigure(recipe, settings.output, {}, {});
}

Result<void> runHeatmap(HeatmapSettings& settings, const Console& console)
{
    if (settings.scenario.tensors.path.empty() == !settings.source)
        return failure(ErrorKind::InvalidArgument, "give either a FILE of tensors or --source (attnscope sources lists them)");
    const std::string ending = std::filesystem::path(settings.output).extension().string();
    if (ending != ".npy" && ending != ".png" && ending != ".pdf" && ending != ".svg")
        return failure(ErrorKind::InvalidArgument, "--output: expected a path that ends in .npy, .png, .pdf or .svg, got '" + settings.output + "'");
    if (settings.methods.size() != 1 && (ending == ".npy" || ending == ".png"))
        return failure(ErrorKind::InvalidArgument, "--method: one matrix has one method; several go into a .pdf or .svg");
    if (settings.scenario.tensors.path == "-" && (ending == ".pdf" || ending == ".svg"))
        return failure(ErrorKind::InvalidArgument, "a figure holds its recipe, and that names the file of tensors: save standard input as a file and give its path");
    OpenedHeads opened = TRY(settings.source ? synthetic(settings) : openHeads(settings.scenario.tensors, settings.attention));
    TRY(checkOutput(opened, settings.output));
    opened.attention = trainedAt(std::move(opened.attention), settings.scenario.nTrain);
    std::vector<int> heads = TRY(readHeads(settings.heads, opened.heads.headCount()));
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    TensorSelection& tensors = settings.scenario.tensors;
    tensors.query = opened.selection.query;
    tensors.key = opened.selection.key;
    tensors.holds = opened.selection.holds;
    tensors.head = heads.front();
    if (heads.size() > 1) {
        tensors.mean = heads;
        opened.notes.push_back("the " + describeHeads(tensors));
    }
    const AttentionHead prepared = TRY(prepareHead(opened.heads, heads.front(), opened.attention));
    for (const auto& notes : {prepared.notes, methodNotes(opened.attention, settings.methods, tokensShown(opened, settings))})
        opened.notes.insert(opened.notes.end(), notes.begin(), notes.end());

    Result<void> done;
    if (ending == ".pdf" || ending == ".svg") {
        done = writeFigure(opened, settings);
    } else {
        const PooledMap map = TRY(poolHeads(opened, heads, settings, console));
        done = ending == ".png" ? writePicture(map, settings) : writeNpy(settings.output, tensorView("", {map.rows, map.columns}, map.values));
    }
    addWhatRan(opened.notes, settings.scenario.engine, prepared, opened.attention.normaliser);
    if (done)
        writeNotes(console, opened.notes);
    return done;
}

}  // namespace

Command heatmapCommand()
{
    return {"heatmap",
            "The attention matrix of a head, or the mean of several, pooled, as numbers, a picture or a figure",
            {"heatmap model.safetensors --q layer2.q --k layer2.k --head 3 -o head3.png", "heatmap model.safetensors --head 0,3,5 --size 512 -o mean.npy",
             "heatmap --source needle --n 4096 --pool max --size 256 -o needle.npy"},
            [](CLI::App& app) -> Action {
                const auto settings = std::make_shared<HeatmapSettings>();
                Scenario& scenario = settings->scenario;
                scenario.nTrain = 512;
                addTensors(app, scenario.tensors);
                addChoice(app, "--source", settings->source, syntheticSources(), "source", "A synthetic source instead of a file: local, needle:gap=6, ... (`attnscope sources`)")->type_name("SOURCE");
                app.add_option("-o,--output", settings->output, "File to write: .npy (numbers), .png (one pixel a cell), .pdf or .svg (a figure)")->type_name("FILE")->required();
                addNumber(app, "--size", scenario.view.pixels, {.minimum = 1, .maximum = 4096, .whole = true}, "Cells in each direction, at most");
                addWord(app, "--pool", settings->pool, {"mean", "max"}, "What a cell shows of the weights in it");
                addNumber(app, "--n", settings->n, {.minimum = 1, .maximum = 1e9, .whole = true}, "Tokens: the first n of a file (else all), or so many of a source (else 512)")->default_str("");
                addMethods(app, settings->methods)->default_str("vanilla");
                addHeads(app, settings->heads)->description("Head, from 0; several as in 0,3,5 or all of them, as their mean");
                addHeadSize(app, scenario.d)->description("Head size d of a source");
                addTrainLength(app, scenario.nTrain);
                addTemperature(app, scenario.temperature);
                addSeed(app, scenario.seed);
                addAttention(app, settings->attention);
                addWord(app, "--colours", settings->colours, {"viridis", "cividis", "magma"}, "Colour map");
                app.add_flag("--linear", settings->linear, "Colour in proportion to the weight, not to its logarithm");
                addEngine(app, scenario.engine);
                app.add_flag("--progress", settings->progress, "Show progress even where standard error is no terminal");
                return [settings](const Console& console) { return runHeatmap(*settings, console); };
            }};
}

}  // namespace attnscope
