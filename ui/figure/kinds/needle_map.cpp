// The needle map: how often models find what was told once at a depth of a filler text, a field of depth against length
// for each scale method, a panel a position scheme. Of several models the mean of their shares.

#include "core/attention/positions.h"
#include "core/model/model.h"
#include "core/model/probes.h"
#include "core/model/study.h"
#include "ui/figure/kinds/kinds.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

struct NeedleMapOptions {
    std::vector<std::string> models, positions{std::string(ownPositions)};
    std::vector<std::int64_t> lengths;
    std::vector<double> depths{0, 0.25, 0.5, 0.75, 1};
    double samples = 8, keys = 1;
};

Result<NeedleMapOptions> readNeedleMapOptions(const Recipe& recipe)
{
    NeedleMapOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.texts("models", options.models);
    readLengths(reader, "lengths", options.lengths, "64:1024:x2");
    reader.numbers("depths", options.depths, 0, 1, 100);
    reader.texts("positions", options.positions);
    reader.number("samples", options.samples, 2, 10000);
    reader.number("keys", options.keys, 1, mostNeedleKeys);
    if (options.models.empty())
        reader.fail("parameters.models is empty; give models' folders, or names of models that come with the program");
    if (options.positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    if (options.depths.empty())
        reader.fail("parameters.depths is empty; give numbers from 0, the text's beginning, to 1, its end");
    TRY(reader.finish());
    return options;
}

Result<ProbeRequest> requestOf(const NeedleMapOptions& options, const Recipe& recipe)
{
    ProbeRequest request{.task = ProbeTask::Needle,
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

/// Shares found exactly, in the order of runProbe's cells, a list for each: one value a model that has one.
using FoundShares = std::vector<std::vector<double>>;

Result<FoundShares> sharesOfModels(const NeedleMapOptions& options, ProbeRequest request, std::stop_token stop)
{
    FoundShares shares;
    for (const std::string& folder : options.models) {
        const Model model = TRY(openModel(folder));
        request.words = needleWordsFor(model, true);
        const auto cells = TRY(runProbe(
            model, TRY(generatedTokens(model, static_cast<double>(fillerTokens(options.lengths)))), request,
            [](double) {}, stop));
        shares.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!cells[i].scores.empty())
                shares[i].push_back(meansOf(cells[i], nullptr).right.mean);
    }
    return shares;
}

/// Of the policies from `first` on, a group of columns each.
std::shared_ptr<const TableContent> fieldOf(const NeedleMapOptions& options, const std::vector<Choice>& methods,
                                            std::size_t policies, std::size_t first, const FoundShares& shares)
{
    auto table = std::make_shared<TableContent>();
    table->columns.push_back(QStringLiteral("Depth"));
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
                const auto& found = shares[(n * options.depths.size() + depth) * policies + first + method];
                const double share = meanOfRuns(found, NAN).mean;
                table->rows.back().push_back(std::isnan(share) ? QStringLiteral("–")
                                                               : QString::number(100 * share, 'f', 0));
                table->shades.back().push_back(share);
            }
    }
    return table;
}

}  // namespace

Result<FigureContent> buildNeedleMap(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readNeedleMapOptions(recipe));
    const std::vector<Choice>& methods = recipe.scenario.methods;
    if (methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    const auto request = TRY(requestOf(options, recipe));
    const auto shares = TRY(sharesOfModels(options, request, stop));
    FigureContent content;
    for (std::size_t p = 0; p < options.positions.size(); ++p) {
        Panel panel;
        panel.row = static_cast<int>(p);
        panel.table = fieldOf(options, methods, request.policies.size(), p * methods.size(), shares);
        panel.chart.x.hidden = panel.chart.y.hidden = true;
        panel.chart.legend = Legend::None;
        const std::optional<Choice>& position = request.policies[p * methods.size()].position;
        panel.chart.title = position ? symbolsIn(text(describeChoice(positions(), *position)))
                                     : QStringLiteral("Positions as the models learned them");
        content.panels.push_back(std::move(panel));
    }
    content.footnote =
        QStringLiteral(
            "Per cent of %1 needles a cell and model that are found exactly%2, at $n$ tokens (columns) and at "
            "a depth of the text (rows; 0: its beginning, 1: just before the question).")
            .arg(options.samples)
            .arg(options.models.size() > 1 ? QStringLiteral(", mean of %1 models").arg(options.models.size())
                                           : QString());
    return content;
}

}  // namespace attnscope
