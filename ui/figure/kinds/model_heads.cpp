// Every head of a model by a measure, and the attention of one of them on the first window of a text: under one policy,
// or under two with what the second has more. What the Model workspace shows.

#include "core/analysis/model_heads.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "core/tuning/head_gradients.h"
#include "ui/figure/extent.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_figures.h"
#include "ui/figure/model_text.h"

#include <algorithm>

namespace attnscope {

namespace {

struct ModelHeadsOptions {
    ModelAsked asked;
    std::vector<std::int64_t> lengths;
    std::vector<std::string> positions{std::string(ownPositions)};  ///< one, or one a method
    double n = 0, windows = 4, last = 0, layer = 0, head = 0;
    bool captured = false, log = true;
    std::string measure = "entropy";
};

Result<ModelHeadsOptions> readModelHeadsOptions(const Recipe& recipe)
{
    ModelHeadsOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    options.asked.read(reader);
    readLengths(reader, "lengths", options.lengths, "256:1024:x2");
    reader.texts("positions", options.positions);
    reader.number("n", options.n, 0, 1e9);
    reader.number("windows", options.windows, 1, 10000);
    reader.number("last", options.last, 0, 1e9);
    reader.number("layer", options.layer, 0, 1e6);
    reader.number("head", options.head, 0, 1e6);
    reader.boolean("captured", options.captured);
    reader.boolean("log", options.log);
    reader.text("measure", options.measure);
    reader.require("measure", headMeasure(options.measure).id == options.measure,
                   "be one of the measures of heads, such as entropy, not '" + options.measure + "'");
    TRY(reader.finish());
    if (options.n == 0)
        options.n = static_cast<double>(options.lengths.back());
    const std::size_t methods = recipe.scenario.methods.size();
    if (methods < 1 || methods > 2)
        return failure(ErrorKind::InvalidArgument, "scenario.methods: name one scale method, or two to compare");
    if (options.positions.size() != 1 && options.positions.size() != methods)
        return failure(ErrorKind::InvalidArgument,
                       "parameters.positions: give one scheme of positions, or one for each method");
    options.positions.resize(methods, options.positions.front());
    return options;
}

struct HeadsRun {
    const Model& model;
    const std::vector<int>& ids;
    const ModelHeadsOptions& options;
    std::vector<Policy> policies;
    std::string engine;
    std::stop_token stop;

    std::int64_t n() const { return static_cast<std::int64_t>(options.n); }
    std::int64_t last() const { return static_cast<std::int64_t>(options.last); }
    int layer() const { return static_cast<int>(options.layer); }

    Result<CapturedHeads> captured(std::size_t policy) const
    {
        return captureFirstWindow(model, ids, n(), last(),
                                  {.policy = policies[policy],
                                   .captured = options.captured,
                                   .layer = layer(),
                                   .engine = engine,
                                   .stop = stop});
    }
};

/// [layer][head] of a policy; NaN where there is none.
Result<HeadValues> measuredHeads(const HeadsRun& run, const StudyResult& study, std::size_t policy)
{
    const HeadMeasure& measure = headMeasure(run.options.measure);
    auto numbers = headNumbers(run.model.architecture, study, run.n(), policy);
    if (measure.solved) {
        const CapturedHeads heads = TRY(run.captured(policy));
        for (std::size_t layer = 0; layer < numbers.size(); ++layer)
            if (heads.has(static_cast<int>(layer))) {
                const auto kept =
                    TRY(keepsEntropy(heads, static_cast<int>(layer),
                                     static_cast<double>(run.model.architecture.trainLength), run.engine, run.stop));
                for (std::size_t head = 0; head < numbers[layer].size(); ++head)
                    numbers[layer][head].keepsEntropy = kept[head];
            }
    }
    if (measure.ofLosses) {
        const HeadGradients gradients =
            TRY(headGradients(run.model, run.ids,
                              {.policy = run.options.captured ? Policy{} : run.policies[policy],
                               .n = run.n(),
                               .last = run.last(),
                               .engine = run.engine},
                              run.stop));
        for (std::size_t layer = 0; layer < numbers.size(); ++layer)
            for (std::size_t head = 0; head < numbers[layer].size(); ++head)
                if (gradients.of[layer][head])
                    numbers[layer][head].gradient = gradients.of[layer][head]->mean;
    }
    HeadValues values;
    for (const auto& layer : numbers) {
        values.emplace_back();
        for (const HeadNumbers& head : layer)
            values.back().push_back(measure.value(head).value_or(std::nan("")));
    }
    return values;
}

/// Layers down, heads to the right.
Panel headsPanel(const HeadValues& values, bool difference, const HeadMeasure& measure, const Recipe& recipe)
{
    auto map = std::make_shared<PooledMap>();
    map->rows = static_cast<int>(values.size());
    for (const auto& layer : values)
        map->columns = std::max(map->columns, static_cast<int>(layer.size()));
    map->region = {0, map->rows, 0, map->columns};
    Extent seen;
    for (const auto& layer : values)
        for (std::size_t head = 0; head < static_cast<std::size_t>(map->columns); ++head) {
            const double value = head < layer.size() ? layer[head] : std::nan("");
            map->values.push_back(static_cast<float>(value));
            seen.take(value);
        }
    const auto [low, high] = seen;
    const ColourScale scale = difference || measure.hasSign
                                  ? aroundZero(std::max({std::abs(low), std::abs(high), 1e-9}))
                                  : ColourScale{.low = low,
                                                .high = std::max(high, low + 1e-9),
                                                .log = false,
                                                .map = findColourMap(recipe.colours).value_or(nullptr),
                                                .zeroIsBlank = false};
    Panel panel = mapPanel(std::move(map), scale, text(measure.title) + (difference ? u", change"_s : QString()));
    const auto number = [](ChartAxis& axis, int count) {  // in the middle of their cells
        for (int i = 0; i < count; ++i)
            axis.words.push_back({i + 0.5, QString::number(i)});
    };
    number(panel.chart.x, panel.map->columns);
    number(panel.chart.y, panel.map->rows);
    panel.chart.x.title = u"Head"_s;
    panel.chart.y.title = u"Layer"_s;
    return panel;
}

/// "Vanilla", "Vanilla, ReRoPE w = 64".
std::string labelOf(const Policy& policy)
{
    const std::string method = describeChoice(scaleMethods(), policy.method);
    return policy.position ? method + ", " + describeChoice(positions(), *policy.position) : method;
}

Result<Analysis> headAnalysis(const HeadsRun& run, std::size_t policy, const Recipe& recipe)
{
    const CapturedHeads heads = TRY(run.captured(policy));
    const PreparedHead prepared = TRY(prepareCaptured(heads, run.layer(), static_cast<int>(run.options.head)));
    ModelHeadView view{.method = run.policies[policy].method,
                       .tokens = {},
                       .region = recipe.scenario.view.region,
                       .pixels = recipe.scenario.view.pixels,
                       .engine = run.engine};
    for (const int id : heads.window.inputs)
        view.tokens.push_back(shownToken(run.model, id).toStdString());
    Analysis analysis = TRY(analyseModelHead(prepared, std::move(view), run.stop));
    analysis.methods.front().label = labelOf(run.policies[policy]);
    return analysis;
}

}  // namespace

Result<FigureContent> buildModelHeads(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readModelHeadsOptions(recipe));
    const HeadMeasure& measure = headMeasure(options.measure);
    const Model model = TRY(openModel(options.asked.model));
    const std::vector<int> ids = TRY(tokensOf(
        model, options.asked, options.windows * static_cast<double>(*std::ranges::max_element(options.lengths) + 1)));
    HeadsRun run{model, ids, options, {}, recipe.scenario.engine, stop};
    for (std::size_t i = 0; i < options.positions.size(); ++i)
        run.policies.push_back(TRY(policiesOf({{recipe.scenario.methods[i]}, {options.positions[i]}})).front());

    StudyRequest request{.lengths = {run.n()},
                         .policies = run.policies,
                         .captured = options.captured,
                         .windows = static_cast<int>(options.windows),
                         .last = run.last(),
                         .strict = true,
                         .engine = run.engine};
    if (measure.lengths > 1)
        request.lengths = options.lengths;
    const StudyResult study = TRY(runStudy(model, ids, request, {.stop = stop}));
    HeadValues values = TRY(measuredHeads(run, study, 0));
    Analysis analysis = TRY(headAnalysis(run, 0, recipe));
    if (run.policies.size() > 1) {
        const HeadValues second = TRY(measuredHeads(run, study, 1));
        for (std::size_t layer = 0; layer < values.size(); ++layer)
            for (std::size_t head = 0; head < values[layer].size(); ++head)
                values[layer][head] = second[layer][head] - values[layer][head];
        Analysis other = TRY(headAnalysis(run, 1, recipe));
        analysis.methods.push_back(std::move(other.methods.front()));
        analysis.scenario.methods.push_back(run.policies[1].method);
    }

    const auto isKnown = [](double value) { return std::isfinite(value); };
    if (std::ranges::none_of(values, [&](const auto& layer) { return std::ranges::any_of(layer, isKnown); }))
        return failure(ErrorKind::Undefined, std::string(measure.label) + " says nothing of these heads here: " +
                                                 (measure.solved ? "up to N m = 1 keeps every entropy; take a longer n"
                                                  : measure.lengths > 1 ? "it needs two lengths"
                                                                        : "no window was measured"));

    FigureContent content;
    content.panels.push_back(headsPanel(values, run.policies.size() > 1, measure, recipe));
    content.bars.push_back({content.panels.front().scale, run.policies.size() > 1 ? u"$\\Delta$"_s : u"Heads"_s});
    Look look;
    look.maps.log = options.log;
    std::optional<MethodPair> sides;
    if (const auto& methods = analysis.scenario.methods; methods.size() > 1)
        sides = MethodPair(methodName(methods, 1), methodName(methods, 0));
    TRY(addMapPanels(content, analysis, look, sides, 0, recipe));
    for (std::size_t i = 0; i < content.panels.size(); ++i) {
        content.panels[i].row = static_cast<int>(i / 2);
        content.panels[i].column = static_cast<int>(i % 2);
        content.panels[i].chart.letter = panelLetter(i);
    }
    const StudyCell* cell = nullptr;
    for (const StudyCell& one : study.cells)
        if (one.n == run.n() && one.policy == 0)
            cell = &one;
    content.footnote =
        u"%1. Layer %2, head %3, both counted from 0, on the first %4 tokens; every head: %5%6."_s
            .arg(options.asked.inWords())
            .arg(options.layer)
            .arg(options.head)
            .arg(run.n())
            .arg(symbolsIn(text(measure.label)),
                 cell && !measure.solved && !measure.ofLosses ? u", "_s + text(headRowsInWords(*cell)) : QString());
    return content;
}

}  // namespace attnscope
