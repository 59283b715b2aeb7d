// What models find again (core/model/probes.h), under scale methods and positions. The needle map: how often they find
// what was told once at a depth of a filler text, a field of depth against length for each method. Repeated tokens: how
// much of the second copy they know, against length, a line a method. A panel a position scheme; of several models the
// mean of their shares.

#include "core/attention/positions.h"
#include "core/model/model.h"
#include "core/model/probes.h"
#include "core/model/study.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/probe_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

struct ProbeOptions {
    std::vector<std::string> models, positions{std::string(ownPositions)};
    std::vector<std::int64_t> lengths;
    std::vector<double> depths{0, 0.25, 0.5, 0.75, 1};  ///< of needles
    double samples = 8, keys = 1;
};

Result<ProbeOptions> readProbeOptions(const Recipe& recipe, ProbeTask task)
{
    ProbeOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.texts("models", options.models);
    readLengths(reader, "lengths", options.lengths, "64:1024:x2");
    reader.texts("positions", options.positions);
    reader.number("samples", options.samples, 2, 10000);
    if (task == ProbeTask::Needle) {
        reader.numbers("depths", options.depths, 0, 1, 100);
        reader.number("keys", options.keys, 1, mostNeedleKeys);
    }
    if (options.models.empty())
        reader.fail("parameters.models is empty; give models' folders, or names of models that come with the program");
    if (options.positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    if (options.depths.empty())
        reader.fail("parameters.depths is empty; give numbers from 0, the text's beginning, to 1, its end");
    TRY(reader.finish());
    if (recipe.scenario.methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    return options;
}

Result<ProbeRequest> requestOf(const ProbeOptions& options, const Recipe& recipe, ProbeTask task)
{
    ProbeRequest request{.task = task,
                         .lengths = options.lengths,
                         .depths = options.depths,
                         .policies = {},
                         .samples = static_cast<int>(options.samples),
                         .keys = static_cast<int>(options.keys),
                         .words = {},
                         .seed = 1,
                         .engine = recipe.scenario.engine};
    for (const std::string& word : options.positions) {
        const auto position = parsePositions(word);
        if (!position)
            return failure(position.error().kind, "parameters.positions: " + position.error().message);
        for (const Choice& method : recipe.scenario.methods)
            request.policies.push_back({.method = method, .position = *position, .mask = {}, .layers = {}});
    }
    return request;
}

/// The cells of all models as one list, in the order of runProbe's: a score is a model's, the mean of its samples.
struct OfModels {
    std::vector<ProbeCell> cells;
    double trainLength = 0;  ///< N, if it is that of all
};

Result<OfModels> probeModels(const ProbeOptions& options, ProbeRequest request, std::stop_token stop)
{
    OfModels all;
    for (const std::string& folder : options.models) {
        const Model model = TRY(openModel(folder));
        std::vector<int> filler;
        if (request.task == ProbeTask::Needle)
            filler = TRY(generatedTokens(model, static_cast<double>(fillerTokens(request))));
        request.words = needleWordsFor(model, true);
        const auto cells = TRY(runProbe(
            model, filler, request, [](double) {}, stop));
        const auto trained = static_cast<double>(model.architecture.trainLength);
        const bool first = all.cells.empty();
        all.trainLength = first || all.trainLength == trained ? trained : 0;
        all.cells.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ProbeCell& cell = all.cells[i];
            cell.n = cells[i].n;
            cell.depth = cells[i].depth;
            cell.policy = cells[i].policy;
            if (cells[i].scores.empty())
                continue;
            const ProbeMeans means = meansOf(cells[i], nullptr);
            cell.scores.push_back(
                {.loss = means.loss.mean, .right = means.right.mean, .firstLoss = means.firstLoss.mean});
        }
    }
    return all;
}

QString titleOf(const std::optional<Choice>& position)
{
    return position ? symbolsIn(text(describeChoice(positions(), *position)))
                    : u"Positions as the models learned them"_s;
}

QString ofModels(const ProbeOptions& options)
{
    return options.models.size() > 1 ? u", mean of %1 models"_s.arg(options.models.size()) : QString();
}

/// Of the policies from `first` on, a group of columns each.
std::shared_ptr<const TableContent> fieldOf(const ProbeOptions& options, const std::vector<Choice>& methods,
                                            std::size_t first, std::span<const ProbeCell> cells)
{
    auto table = std::make_shared<TableContent>();
    table->columns.push_back(u"Depth"_s);
    for (const Choice& method : methods) {
        table->groups.push_back({methodLabel(method), static_cast<int>(options.lengths.size())});
        for (const std::int64_t n : options.lengths)
            table->columns.push_back(lengthText(static_cast<double>(n)));
    }
    table->scale = {.low = 0, .high = 1, .map = nullptr, .zeroIsBlank = false};
    for (std::size_t depth = 0; depth < options.depths.size(); ++depth) {
        table->rows.push_back({QString::number(options.depths[depth], 'g', 3)});
        table->shades.push_back({NAN});
        for (std::size_t method = 0; method < methods.size(); ++method)
            for (std::size_t n = 0; n < options.lengths.size(); ++n) {
                const ProbeCell* cell = cellOf(cells, options.lengths[n], options.depths[depth], first + method);
                const double share = cell ? meansOf(*cell, nullptr).right.mean : NAN;
                table->rows.back().push_back(std::isnan(share) ? u"–"_s : QString::number(100 * share, 'f', 0));
                table->shades.back().push_back(share);
            }
    }
    return table;
}

}  // namespace

Result<FigureContent> buildNeedleMap(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readProbeOptions(recipe, ProbeTask::Needle));
    const std::vector<Choice>& methods = recipe.scenario.methods;
    const auto request = TRY(requestOf(options, recipe, ProbeTask::Needle));
    const OfModels found = TRY(probeModels(options, request, stop));
    FigureContent content;
    for (std::size_t p = 0; p < options.positions.size(); ++p) {
        Panel panel;
        panel.row = static_cast<int>(p);
        panel.table = fieldOf(options, methods, p * methods.size(), found.cells);
        panel.chart.x.hidden = panel.chart.y.hidden = true;
        panel.chart.legend = Legend::None;
        panel.chart.title = titleOf(request.policies[p * methods.size()].position);
        content.panels.push_back(std::move(panel));
    }
    content.footnote =
        u"Per cent of %1 needles a cell and model that are found exactly%2, at $n$ tokens (columns) and at "
        "a depth of the text (rows; 0: its beginning, 1: just before the question)."_s.arg(options.samples)
            .arg(ofModels(options));
    return content;
}

Result<FigureContent> buildRepeatRecall(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readProbeOptions(recipe, ProbeTask::Repeat));
    const std::vector<Choice>& methods = recipe.scenario.methods;
    const std::vector<int> styles = methodStyles(methods);
    const auto request = TRY(requestOf(options, recipe, ProbeTask::Repeat));
    const OfModels found = TRY(probeModels(options, request, stop));
    FigureContent content;
    for (std::size_t p = 0; p < options.positions.size(); ++p) {
        std::vector<ProbeCell> cells;
        for (ProbeCell cell : found.cells)
            if (cell.policy / methods.size() == p) {
                cell.policy %= methods.size();
                cells.push_back(std::move(cell));
            }
        std::vector<ProbeLine> lines;
        for (std::size_t method = 0; method < methods.size(); ++method)
            lines.push_back({methodLabel(methods[method]), styles[method]});
        Panel panel;
        panel.column = static_cast<int>(p);
        panel.chart = recallChart(cells, lines, found.trainLength);
        panel.chart.title = titleOf(request.policies[p * methods.size()].position);
        panel.chart.y.range = {0, 100};
        content.panels.push_back(std::move(panel));
    }
    content.footnote =
        u"Per cent of the second copy's tokens that are the likeliest where they stand, of %1 "
        "sequences of $n$ tokens a model%2%3."_s.arg(options.samples)
            .arg(ofModels(options), options.models.size() > 1 ? u" with its standard error"_s : QString());
    return content;
}

}  // namespace attnscope
