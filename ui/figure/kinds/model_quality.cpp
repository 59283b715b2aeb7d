// Quality of a model against length, with scale methods put inside its layers: a panel a position scheme, a line a
// method, standard errors over windows of a text.

#include "core/attention/positions.h"
#include "core/model/generated_text.h"
#include "core/model/study.h"
#include "core/tensor/byte_source.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_charts.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

constexpr std::uint64_t longestStudyText = 1ULL << 30;
constexpr std::array<std::string_view, 2> qualityWords{"perplexity", "nll"};

struct ModelQualityOptions {
    std::string model = shippedModel, text = generatedTextName;
    std::vector<std::int64_t> lengths;
    std::vector<std::string> positions{std::string(ownPositions)};
    double windows = 4, last = 0;
    size_t quality = 0;
};

Result<ModelQualityOptions> readModelQualityOptions(const Recipe& recipe)
{
    ModelQualityOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.text("model", options.model);
    reader.text("text", options.text);
    readLengths(reader, "lengths", options.lengths, "512:4096:x2");
    reader.texts("positions", options.positions);
    reader.number("windows", options.windows, 1, 10000);
    reader.number("last", options.last, 0, 1e9);
    reader.word("quality", options.quality, qualityWords);
    if (options.positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    if (options.model.empty())
        reader.fail(
            "parameters.model is empty; give a model's folder (the manual's page on models says what it holds), or " +
            std::string(shippedModel));
    if (options.text.empty())
        reader.fail("parameters.text is empty; give a file for the model to predict, or " +
                    std::string(generatedTextName));
    return reader.finish().map([&] { return options; });
}

/// Generated: enough for windows of the longest length that share no token.
Result<std::vector<int>> tokensToPredict(const Model& model, const ModelQualityOptions& options)
{
    if (options.text == generatedTextName)
        return generatedTokens(model,
                               options.windows * static_cast<double>(*std::ranges::max_element(options.lengths) + 1));
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    return model.tokenizer->encode(TRY(readText(options.text, longestStudyText)));
}

/// All panels have the same ordinate, so that they can be compared.
void shareOrdinate(std::vector<Panel>& panels)
{
    double low = INFINITY, high = -INFINITY;
    for (const Panel& panel : panels)
        for (const ChartSeries& series : panel.chart.series)
            for (const ChartPoint& point : series.points)
                for (const double y : {point.y, point.low, point.high})
                    if (std::isfinite(y)) {
                        low = std::min(low, y);
                        high = std::max(high, y);
                    }
    if (!(low <= high))
        return;
    for (Panel& panel : panels) {
        const double room = panel.chart.y.log ? std::pow(high / low, 0.06) : 0.06 * (high - low);
        panel.chart.y.range = panel.chart.y.log ? std::pair(low / std::max(room, 1.02), high * std::max(room, 1.02))
                                                : std::pair(low - room, high + room);
    }
}

}  // namespace

Result<FigureContent> buildModelQuality(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readModelQualityOptions(recipe));
    const std::vector<Choice>& methods = recipe.scenario.methods;
    if (methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    StudyRequest request{.lengths = options.lengths,
                         .policies = {},
                         .windows = static_cast<int>(options.windows),
                         .last = static_cast<std::int64_t>(options.last),
                         .engine = recipe.scenario.engine};
    for (const std::string& word : options.positions) {
        const auto position = parsePositions(word);
        if (!position)
            return failure(position.error().kind, "parameters.positions: " + position.error().message);
        for (const Choice& method : methods)
            request.policies.push_back({.method = method, .position = *position, .mask = {}, .layers = {}});
    }
    const auto model = TRY(openModel(options.model));
    const std::vector<int> ids = TRY(tokensToPredict(model, options));
    const auto study = TRY(runStudy(model, ids, request, {.stop = stop}));

    FigureContent content;
    const auto trained = static_cast<double>(model.architecture.trainLength);
    for (size_t p = 0; p < options.positions.size(); ++p) {
        std::vector<StudyLine> lines;
        const std::vector<int> styles = methodStyles(methods);
        std::vector<StudyCell> cells;
        for (size_t m = 0; m < methods.size(); ++m)
            lines.push_back({methodLabel(methods[m]), styles[m], false});
        for (StudyCell cell : study.cells)
            if (cell.policy / methods.size() == p) {
                cell.policy %= methods.size();
                cells.push_back(std::move(cell));
            }
        Panel panel;
        panel.column = static_cast<int>(p);
        panel.sharesAxes = true;
        panel.chart = qualityChart(cells, lines, options.quality == 0, trained);
        if (panel.chart.series.empty())
            for (const StudyCell& cell : cells)
                if (!cell.absent.empty())
                    return failure(ErrorKind::Undefined, cell.absent);
        panel.chart.legend = Legend::None;
        if (options.positions.size() > 1)
            panel.chart.letter = panelLetter(p);
        const auto position = parsePositions(options.positions[p]);
        const Choice shown = position->value_or(model.architecture.position());
        panel.chart.title =
            model.architecture.learnedPositions > 0 && !*position
                ? u"Learned"_s
                : symbolsIn(text(describeChoice(positions(), *position ? shown : Choice{shown.id, {}, {}})));
        content.panels.push_back(std::move(panel));
    }
    shareOrdinate(content.panels);
    content.legend = content.panels.front().chart.series;
    return content;
}

}  // namespace attnscope
