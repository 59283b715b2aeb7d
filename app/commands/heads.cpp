// heads: every head of every layer of a file in one table, the one whose entropy moves most first.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/progress.h"
#include "core/analysis/head_numbers.h"
#include "core/attention/masks.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/numbered_files.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>

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
    bool run = false, progress = false;
    std::optional<Format> format;
};

struct Row {
    std::optional<double> number;  ///< of its file in a run
    OpenedHeads of;                ///< without its tensors
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

/// The file, or all of its run.
Result<std::vector<NumberedFile>> filesOf(const HeadsSettings& settings)
{
    const std::string& path = settings.tensors.path;
    if (path == "-")
        return failure(ErrorKind::InvalidArgument,
                       "heads reads its file several times; save standard input to a file first");
    if (!settings.run)
        return std::vector{NumberedFile{.path = path}};
    std::vector<NumberedFile> files = numberedFiles(path);
    if (files.empty())
        return failure(ErrorKind::InvalidArgument,
                       "{}: no other file has its name but for one number, as step-100.npz and step-200.npz have, or "
                       "checkpoint-100/qk.npz and checkpoint-200/qk.npz; leave --run out, or name the files so",
                       path);
    return files;
}

/// Of every head of one file, the one that tells most by `by` first.
Result<std::vector<Row>> rowsOf(const HeadsSettings& settings, const NumberedFile& file, const RowSet& set,
                                const HeadMeasure& by, std::vector<std::string>& notes,
                                const std::function<void(double)>& progress)
{
    TensorSelection asked = settings.tensors;
    asked.path = file.path;
    const auto layers = TRY(layersOf(asked));
    std::vector<Row> rows;
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
            rows.push_back({settings.run ? std::optional(file.number) : std::nullopt, opened, static_cast<int>(head), n,
                            numbers[head]});
        progress(static_cast<double>(layer + 1) / static_cast<double>(layers.size()));
    }
    const auto telling = [&](const Row& row) {  // those without a value last
        const auto value = by.value(row.numbers);
        return !value ? -std::numeric_limits<double>::infinity() : by.telling ? by.telling(*value) : *value;
    };
    std::ranges::stable_sort(rows, std::greater(), telling);
    return rows;
}

Result<void> runHeads(const HeadsSettings& settings, const Console& console)
{
    const auto files = TRY(filesOf(settings));
    const RowSet set{.kind = settings.rows == "all" ? RowSet::Kind::All : RowSet::Kind::SeeingAboutN};
    const HeadMeasure& by =
        *std::ranges::find_if(headMeasures(), [&](const HeadMeasure& one) { return settings.by == one.column; });
    std::vector<Row> rows;
    std::vector<std::string> notes;
    {
        Progress progress(console, "heads", settings.progress);
        for (std::size_t at = 0; at < files.size(); ++at) {
            auto ofFile = rowsOf(settings, files[at], set, by, notes, [&](double done) {
                progress.update((static_cast<double>(at) + done) / static_cast<double>(files.size()));
            });
            if (!ofFile && !settings.run)
                return tl::unexpected(ofFile.error());
            if (!ofFile) {
                notes.push_back("left out: " + ofFile.error().message);
                continue;
            }
            if (settings.top > 0 && ofFile->size() > static_cast<std::size_t>(settings.top))
                ofFile->erase(ofFile->begin() + settings.top, ofFile->end());
            rows.insert(rows.end(), std::move_iterator(ofFile->begin()), std::move_iterator(ofFile->end()));
        }
    }
    if (std::ranges::none_of(rows, [&](const Row& row) { return by.value(row.numbers).has_value(); }))
        notes.push_back(
            fmt::format("no head here has a value of {}{}: they stand in the order of the file", by.column,
                        by.column == std::string_view("induction") ? ", which needs the tokens of the file" : ""));

    std::vector<Column> columns;
    if (settings.run)
        columns.push_back({"number"});
    columns.insert(columns.end(), {"tensor", neverInTable("layer"), "head", "n", neverInTable("rows")});
    for (const HeadMeasure& measure : headMeasures())
        columns.push_back({measure.column});
    columns.push_back({"note", Shown::IfAny});
    ResultWriter writer(console.out, formatFor(settings.format, console), std::move(columns));
    for (const Row& row : rows) {
        std::vector<Cell> cells;
        if (row.number)
            cells.push_back(*row.number);
        cells.insert(cells.end(), {row.of.selection.query, cellOf(row.of.layer), std::int64_t{row.head}, row.n,
                                   labelOf(looksAtPositions(row.of.attention.mask) ? set : RowSet{})});
        for (const HeadMeasure& measure : headMeasures())
            cells.push_back(cellOf(measure.value(row.numbers)));
        const bool noSlope = row.numbers.absent.empty() && !row.numbers.slope;
        std::vector<std::string> lacks{row.numbers.absent, row.numbers.notKept,
                                       !noSlope                        ? ""
                                       : headLengths(row.n).size() < 2 ? "a slope needs 16 tokens"
                                                                       : "no slope: fewer tokens have no entropy"};
        std::erase(lacks, "");
        cells.push_back(textCell(joined(lacks, "; ")));
        writer.add(std::move(cells));
    }
    writer.finish();
    writeNotes(console, notes);
    return {};
}

}  // namespace

Command headsCommand()
{
    return commandWith<HeadsSettings>(
        "heads", "Every head of every layer of a file, the one whose entropy moves most first",
        {"heads model.safetensors --n 1024 --n-train 512", "heads model.safetensors --by slope --top 10",
         "heads model.safetensors --by sinks --top 10", "heads step-100.safetensors --run --by induction --top 3"},
        [](CLI::App& app, HeadsSettings& settings) {
            addTensors(app, settings.tensors)->required();
            addNumber(app, "--n", settings.n, {.minimum = 1, .maximum = 1e9, .whole = true},
                      "Look at the first n tokens; without it all")
                ->default_str("");
            addTrainLength(app, settings.attention.nTrain);
            addChoice(app, "--method", settings.method, scaleMethods(), "scale method",
                      "The scale method: an id of `attnscope methods`");
            addWord(
                app, "--by", settings.by,
                eachOnce(headMeasures(), [](const HeadMeasure& measure) { return std::string(measure.column); }),
                "Sort by: how far the multiplier that keeps the mean entropy of N is from 1, up or down (above 2048 "
                "tokens from 512 rows), how steep the mean entropy is over ln n, up or down; and from the largest, the "
                "mean entropy, its share of ln of the keys seen, or the mean weight on the first token, on the first "
                "four (sinks), on the previous token, on itself, fewer than 8 tokens away, on what followed the last "
                "token like this one (induction, where the file has its tokens), the distance of the largest weight, "
                "e^H over the keys seen (spread), the largest logit less the smallest (gap)");
            addWord(app, "--rows", settings.rows, {"all", "about-n"},
                    "The rows that count: all of the first n tokens, or those that see about n keys (under a causal "
                    "mask the last quarter)");
            addNumber(app, "--top", settings.top, {.minimum = 0, .maximum = 1e6, .whole = true},
                      "At most so many heads of a file; 0: all");
            app.add_flag("--run", settings.run,
                         "The other files of its run too, one after the other: those whose names, or whose folders' "
                         "names, differ from its in one number, which is `number`");
            addTemperature(app, settings.temperature);
            addAttention(app, settings.attention);
            addEngine(app, settings.engine);
            addFormat(app, settings.format);
            addProgress(app, settings.progress);
        },
        runHeads);
}

}  // namespace attnscope
