// heads: every head of every layer of a file in one table, the one whose entropy moves most first.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/progress.h"
#include "core/analysis/head_numbers.h"
#include "core/attention/masks.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

namespace attnscope {

namespace {

struct HeadsSettings {
    TensorSelection tensors;
    AttentionOptions attention;
    Choice method{"vanilla", {}, {}};
    std::int64_t n = 0;
    double temperature = 1;
    std::string engine = "auto", by = "keeps_entropy", rows = "all";
    int top = 0;
    bool progress = false;
    std::optional<Format> format;
};

struct Row {
    OpenedHeads of;  ///< without its tensors
    int head = 0;
    std::int64_t n = 0;
    HeadNumbers numbers;
};

/// The pairs of the file that are named, or all; each a selection. Where the names are of no pair that is found, they
/// themselves.
Result<std::vector<TensorSelection>> layersOf(const TensorSelection& asked)
{
    const TensorFile file = TRY(openTensors(asked.path));
    std::vector<TensorSelection> layers;
    for (const HeadCandidate& candidate : layersAmong(findCandidates(file)))
        if ((asked.query.empty() || candidate.query == asked.query) &&
            (asked.key.empty() || candidate.key == asked.key) &&
            (asked.holds.empty() || candidate.holds == asked.holds)) {
            TensorSelection layer = asked;
            layer.query = candidate.query;
            layer.key = candidate.key;
            layer.holds = candidate.holds;
            layer.batch += candidate.batch;
            layers.push_back(std::move(layer));
        }
    if (layers.empty())
        layers.push_back(asked);  // what is wrong with it is said where it is opened
    return layers;
}

Result<void> runHeads(HeadsSettings settings, const Console& console)
{
    if (settings.tensors.path == "-")
        return failure(ErrorKind::InvalidArgument,
                       "heads reads its file several times; save standard input to a file first");
    const auto layers = TRY(layersOf(settings.tensors));
    const RowSet set{.kind = settings.rows == "all" ? RowSet::Kind::All : RowSet::Kind::SeeingAboutN};
    std::vector<Row> rows;
    std::vector<std::string> notes;
    {
        Progress progress(console, "heads", settings.progress);
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            OpenedHeads opened = TRY(openHeads(layers[layer], settings.attention));
            const std::int64_t n = settings.n > 0 ? settings.n : opened.heads.keyCount();
            const auto numbers = TRY(headNumbers(opened.heads,
                                                 {.attention = opened.attention,
                                                  .method = settings.method,
                                                  .n = n,
                                                  .nTrain = opened.nTrain,
                                                  .temperature = settings.temperature,
                                                  .engine = settings.engine,
                                                  .rows = set},
                                                 {}));
            notes.insert(notes.end(), opened.notes.begin(), opened.notes.end());
            opened.heads = {};
            for (const HeadNumbers& head : numbers)
                if (!head.ran.empty())
                    notes.push_back(head.ran);
            for (std::size_t head = 0; head < numbers.size(); ++head)
                rows.push_back({opened, static_cast<int>(head), n, numbers[head]});
            progress.update(static_cast<double>(layer + 1) / static_cast<double>(layers.size()));
        }
    }
    const HeadMeasure& by =
        *std::ranges::find_if(headMeasures(), [&](const HeadMeasure& one) { return settings.by == one.column; });
    if (std::ranges::none_of(rows, [&](const Row& row) { return by.value(row.numbers).has_value(); }))
        notes.push_back(
            fmt::format("no head here has a value of {}{}: they stand in the order of the file", by.column,
                        by.column == std::string_view("induction") ? ", which needs the tokens of the file" : ""));
    const auto telling = [&](const Row& row) {  // those without a value last
        const auto value = by.value(row.numbers);
        return !value ? -std::numeric_limits<double>::infinity() : by.telling ? by.telling(*value) : *value;
    };
    std::ranges::stable_sort(rows, std::greater(), telling);
    if (settings.top > 0 && rows.size() > static_cast<std::size_t>(settings.top))
        rows.erase(rows.begin() + settings.top, rows.end());

    std::vector<Column> columns{"tensor", neverInTable("layer"), "head", "n", neverInTable("rows")};
    for (const HeadMeasure& measure : headMeasures())
        columns.push_back({measure.column});
    columns.push_back({"note", Shown::IfAny});
    ResultWriter writer(console.out, formatFor(settings.format, console), std::move(columns));
    for (const Row& row : rows) {
        std::vector<Cell> cells{row.of.selection.query, row.of.layer ? Cell{*row.of.layer} : Cell{},
                                std::int64_t{row.head}, row.n,
                                labelOf(looksAtPositions(row.of.attention.mask) ? set : RowSet{})};
        for (const HeadMeasure& measure : headMeasures())
            cells.push_back(cellOf(measure.value(row.numbers)));
        const bool noSlope = row.numbers.absent.empty() && !row.numbers.slope;
        std::vector<std::string> lacks{row.numbers.absent, row.numbers.notKept,
                                       !noSlope                        ? ""
                                       : headLengths(row.n).size() < 2 ? "a slope needs 16 tokens"
                                                                       : "no slope: fewer tokens have no entropy"};
        std::erase(lacks, "");
        cells.push_back(lacks.empty() ? Cell{} : Cell{joined(lacks, "; ")});
        writer.add(std::move(cells));
    }
    writer.finish();
    writeNotes(console, notes);
    return {};
}

}  // namespace

Command headsCommand()
{
    return {
        "heads",
        "Every head of every layer of a file, the one whose entropy moves most first",
        {"heads model.safetensors --n 1024 --n-train 512", "heads model.safetensors --by slope --top 10",
         "heads model.safetensors --by sinks --top 10"},
        [](CLI::App& app) -> Action {
            const auto settings = std::make_shared<HeadsSettings>();
            addTensors(app, settings->tensors)->required();
            addNumber(app, "--n", settings->n, {.minimum = 1, .maximum = 1e9, .whole = true},
                      "Look at the first n tokens; without it all")
                ->default_str("");
            addTrainLength(app, settings->attention.nTrain);
            addChoice(app, "--method", settings->method, scaleMethods(), "scale method",
                      "The scale method: an id of `attnscope methods`");
            addWord(
                app, "--by", settings->by,
                eachOnce(headMeasures(), [](const HeadMeasure& measure) { return std::string(measure.column); }),
                "Sort by: how far the multiplier that keeps the mean entropy of N is from 1, up or down (above 2048 "
                "tokens from 512 rows), how steep the mean entropy is over ln n, up or down; and from the largest, the "
                "mean entropy, its share of ln of the keys seen, or the "
                "mean weight on the first token, on the first four (sinks), on the previous token, on itself, "
                "fewer than 8 tokens away, on what followed the last token like this one (induction, where the file "
                "has its "
                "tokens), the distance of the largest weight, e^H over the keys seen (spread), the largest "
                "logit less the smallest (gap)");
            addWord(app, "--rows", settings->rows, {"all", "about-n"},
                    "The rows that count: all of the first n tokens, or those that see about n keys (under a causal "
                    "mask the last quarter)");
            addNumber(app, "--top", settings->top, {.minimum = 0, .maximum = 1e6, .whole = true},
                      "At most so many heads; 0: all");
            addTemperature(app, settings->temperature);
            addAttention(app, settings->attention);
            addEngine(app, settings->engine);
            addFormat(app, settings->format);
            app.add_flag("--progress", settings->progress, "Show progress even where standard error is no terminal");
            return [settings](const Console& console) { return runHeads(*settings, console); };
        }};
}

}  // namespace attnscope
