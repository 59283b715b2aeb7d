// stats: the attention of a file's heads over their first n tokens under each scale method, one row a head, method and
// length (the mean over its queries), or one a query with --per-row.

#include "app/commands/command.h"
#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/progress.h"
#include "core/analysis/length_statistics.h"
#include "core/analysis/method_notes.h"
#include "core/analysis/source.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace attnscope {

namespace {

struct StatsSettings {
    TensorSelection tensors;
    AttentionOptions attention;
    std::vector<Choice> methods{{"vanilla", {}, {}}};
    std::vector<std::int64_t> lengths;
    std::vector<BoundMeasure> measures;
    std::string heads = "all";
    double temperature = 1;
    std::string engine = "auto";
    bool perRow = false;
    bool compare = false;
    bool matrix = false;
    bool progress = false;
    std::optional<Format> format;
    std::string output;
};

/// A column: a measure of a row.
struct Statistic {
    std::string id;
    BoundMeasure measure;
    Shown shown = Shown::Always;
    bool spread = false;  ///< with the standard deviation between rows
};

struct StandardStatistic {
    const char* id;
    Choice measure;
    Shown shown = Shown::Always;
    bool spread = false;
};

const StandardStatistic standardStatistics[] = {
    {"entropy", {"shannon", {}, {}}, Shown::Always, true},
    {"effective_tokens", {"effective_tokens", {}, {}}},
    {"max_weight", {"max_weight", {}, {}}},
    {"top4_mass", {"top_mass", {{"k", 4}}, {}}},
    {"top16_mass", {"top_mass", {{"k", 16}}, {}}, Shown::Never},
    {"collision", {"collision", {}, {}}},
    {"sink_mass", {"sink_mass", {}, {}}},
    {"mean_distance", {"mean_distance", {}, {}}},
    {"normalised_entropy", {"normalised_entropy", {}, {}}, Shown::Never},
    {"logit_gap", {"logit_gap", {}, {}}, Shown::Never},
    {"mass", {"mass", {}, {}}, Shown::Never},  // last: statistics() shows it where weights need not sum to 1
};

Result<std::vector<Statistic>> statistics(const StatsSettings& settings, const std::string& normaliserId)
{
    std::vector<Statistic> all;
    for (const StandardStatistic& standard : standardStatistics) {
        const BoundMeasure measure = TRY(bindMeasure(standard.measure));
        all.push_back({standard.id, measure, standard.shown, standard.spread});
    }
    const auto normaliser = findRow(normalisers(), normaliserId, "normaliser");
    if (normaliser &&
        !(*normaliser)->sumsToOne)  // then the entropy is of the renormalised row, and this says of how much
        all.back().shown = Shown::Always;
    for (const BoundMeasure& measure : settings.measures)
        all.push_back({formatChoice(measure.choice), measure});
    return all;
}

std::vector<Column> columns(const StatsSettings& settings, const std::vector<Statistic>& statistics)
{
    std::vector<Column> all{"tensor", neverInTable("layer"), "head", "method", "n"};
    if (settings.perRow)
        all.insert(all.end(), {"query", neverInTable("position"), "keys", "multiplier", "argmax"});
    else
        all.insert(all.end(), {neverInTable("queries"), neverInTable("rows"), neverInTable("multiplier")});
    for (const Statistic& statistic : statistics) {
        const bool spread = !settings.perRow && statistic.spread;
        all.push_back({spread ? "entropy_mean" : statistic.id, statistic.shown});
        if (spread)
            all.push_back({"entropy_sd"});
    }
    if (settings.compare)
        all.insert(all.end(), {"kl", "total_variation"});
    if (settings.matrix)
        all.insert(all.end(), {"mean_row_entropy", "mutual_information"});
    all.push_back({"note", Shown::IfAny});
    return all;
}

/// "a; b", of those that are not empty.
Cell noteOf(std::vector<std::string> notes)
{
    std::erase(notes, "");
    return textCell(joined(notes, "; "));
}

std::vector<double> distances(const LengthStatistics& one, double RowDistance::*which)
{
    std::vector<double> values;
    for (const std::optional<RowDistance>& distance : one.fromFirst)
        if (distance)
            values.push_back(*distance.*which);
    return values;
}

/// Sparse rows: where the first method gives no weight to a key that this one attends to, KL is infinite.
std::string infiniteNote(std::int64_t infinite)
{
    return infinite == 0
               ? ""
               : fmt::format(
                     "kl is infinite in {}{}, where the first method gives no weight to keys that this one attends to",
                     infinite, infinite == 1 ? " row" : " rows");
}

class StatsRun {
public:
    StatsRun(const StatsSettings& settings, const Console& console) : m_settings(settings), m_console(console) {}

    Result<void> operator()()
    {
        const Format format = TRY(formatFor(m_settings.format, m_settings.output, m_console));
        m_opened = TRY(openHeads(m_settings.tensors, m_settings.attention));
        m_statistics = TRY(statistics(m_settings, m_opened.attention.normaliser.id));
        TRY(checkOutput(m_opened, m_settings.output));
        const std::vector<int> heads = TRY(readHeads(m_settings.heads, m_opened.heads.headCount()));
        const AttentionHead prepared = TRY(prepareHead(m_opened.heads, heads.front(), m_opened.attention));
        for (const auto& notes :
             {prepared.notes, methodNotes(m_opened.attention, m_settings.methods, m_opened.heads.keyCount(),
                                          describeChoice(sourceEntries(), {sourceOfFiles, {}, {}}), {})})
            m_opened.notes.insert(m_opened.notes.end(), notes.begin(), notes.end());

        std::ostringstream file;
        ResultWriter writer(m_settings.output.empty() ? m_console.out : file, format,
                            columns(m_settings, m_statistics));
        {
            Progress progress(m_console, "stats", m_settings.progress);
            for (size_t h = 0; h < heads.size(); ++h) {
                TRY(writeHead(writer, heads[h], prepared));
                progress.update(static_cast<double>(h + 1) / static_cast<double>(heads.size()));
            }
        }
        writer.finish();
        addWhatRan(m_opened.notes, m_settings.engine, prepared, m_opened.attention.normaliser,
                   *extrasOf(m_settings.measures));
        writeNotes(m_console, m_opened.notes);
        return m_settings.output.empty() ? Result<void>{} : replaceFile(m_settings.output, file.str());
    }

private:
    Result<void> writeHead(ResultWriter& writer, int head, const AttentionHead& prepared)
    {
        const LengthRequest request{.attention = m_opened.attention,
                                    .methods = m_settings.methods,
                                    .lengths = m_settings.lengths.empty() ? std::vector{m_opened.heads.keyCount()}
                                                                          : m_settings.lengths,
                                    .nTrain = m_opened.nTrain,
                                    .temperature = m_settings.temperature,
                                    .extras = *extrasOf(m_settings.measures),
                                    .engine = m_settings.engine,
                                    .distances = m_settings.compare,
                                    .matrices = m_settings.matrix};
        const auto lengths = TRY(lengthStatistics(m_opened.heads, head, request, {}));
        for (const LengthStatistics& one : lengths) {
            const std::vector<Cell> start{m_opened.selection.query, cellOf(m_opened.layer), std::int64_t{head},
                                          formatChoice(m_settings.methods[one.method]), one.n};
            if (!one.absent.empty() || !m_settings.perRow)
                writeMean(writer, start, one);
            else
                writeRows(writer, start, one, prepared);
        }
        return {};
    }

    Cell multiplier(double scale) const { return hasScale(scale) ? Cell{scale * m_settings.temperature} : Cell{}; }

    /// What all rows share; absent where each has its own.
    Cell sharedMultiplier(const std::vector<double>& scale) const
    {
        const bool shared =
            !scale.empty() && std::all_of(scale.begin(), scale.end(), [&](double s) { return s == scale.front(); });
        return shared ? multiplier(scale.front()) : Cell{};
    }

    void writeMean(ResultWriter& writer, std::vector<Cell> cells, const LengthStatistics& one) const
    {
        const std::int64_t counted = meanOverRows(one.rows, m_statistics.front().measure).count;
        std::string others;
        if (m_settings.perRow)
            cells.insert(cells.end(), {Cell{}, Cell{}, Cell{}, Cell{}, Cell{}});
        else
            cells.insert(cells.end(),
                         {static_cast<std::int64_t>(one.rows.size()), counted, sharedMultiplier(one.scale)});
        for (const Statistic& statistic : m_statistics) {
            const RowMean mean = meanOverRows(one.rows, statistic.measure);
            cells.push_back(mean.count > 0 ? Cell{mean.mean} : Cell{});
            if (!m_settings.perRow && statistic.spread)
                cells.push_back(cellOf(mean.deviation));
            if (mean.count != counted && statistic.shown == Shown::Always)
                others += fmt::format("{}{} is over {} rows", others.empty() ? "" : "; ", statistic.id, mean.count);
        }
        for (double RowDistance::*which : {&RowDistance::kl, &RowDistance::variation})
            if (m_settings.compare) {
                const SampleMean mean = sampleMean(distances(one, which));
                cells.push_back(mean.count > 0 ? Cell{mean.mean} : Cell{});
            }
        if (m_settings.matrix)
            cells.insert(cells.end(), {one.matrix ? Cell{one.matrix->meanRowEntropy} : Cell{},
                                       one.matrix ? Cell{one.matrix->mutualInformation} : Cell{}});
        const auto infinite = std::count_if(one.fromFirst.begin(), one.fromFirst.end(),
                                            [](const auto& row) { return row && std::isinf(row->kl); });
        const bool unsaid = counted == 0 && one.absent.empty() && one.partly.empty(),
                   blind = std::ranges::all_of(one.rows, [](const RowSummary&row) { return row.visible == 0; });
        const std::string none = blind ? "no row sees a key" : "no row has a value of " + m_statistics.front().id;
        cells.push_back(noteOf({one.absent, one.partly, unsaid ? none : "", others, infiniteNote(infinite)}));
        writer.add(std::move(cells));
    }

    void writeRows(ResultWriter& writer, const std::vector<Cell>& start, const LengthStatistics& one,
                   const AttentionHead& prepared) const
    {
        for (size_t r = 0; r < one.rows.size(); ++r) {
            const RowSummary& row = one.rows[r];
            const auto query = static_cast<std::int64_t>(r);
            const std::int64_t keys = prepared.seenKeys(query, one.n);
            std::vector<Cell> cells = start;
            cells.insert(cells.end(), {query, prepared.position(query), keys, multiplier(one.scale[r]),
                                       row.argmax < 0 ? Cell{} : Cell{row.argmax}});
            for (const Statistic& statistic : m_statistics)
                cells.push_back(cellOf(statistic.measure(row)));
            const RowDistance* distance = r < one.fromFirst.size() && one.fromFirst[r] ? &*one.fromFirst[r] : nullptr;
            if (m_settings.compare)
                cells.insert(cells.end(),
                             {distance ? Cell{distance->kl} : Cell{}, distance ? Cell{distance->variation} : Cell{}});
            cells.push_back(noteOf({keys == 0                 ? "this query sees no key"
                                    : !hasScale(one.scale[r]) ? whyNone(one, prepared, query)
                                                              : "",
                                    infiniteNote(distance && std::isinf(distance->kl) ? 1 : 0)}));
            writer.add(std::move(cells));
        }
    }

    /// Why the method has no value for this row.
    std::string whyNone(const LengthStatistics& one, const AttentionHead& prepared, std::int64_t query) const
    {
        const Choice& method = m_settings.methods[one.method];
        const auto scale = bindScale(method);
        if (isMeasured(method) || !scale)
            return one.partly;
        const Result<double> m = (*scale)({.keys = static_cast<double>(unmaskedKeys(prepared.mask, one.n)),
                                           .rowKeys = static_cast<double>(prepared.seenKeys(query, one.n)),
                                           .position = static_cast<double>(prepared.position(query)),
                                           .nTrain = m_opened.nTrain,
                                           .d = sizeOfHeads(m_opened.heads),
                                           .temperature = m_settings.temperature,
                                           .measured = {}});
        return m ? one.partly : m.error().message;
    }

    const StatsSettings& m_settings;
    const Console& m_console;
    std::vector<Statistic> m_statistics;
    OpenedHeads m_opened;
};

void addMeasures(CLI::App& app, std::vector<BoundMeasure>& target)
{
    const auto read = [](const std::string& text, std::vector<BoundMeasure>& all) -> Result<void> {
        all.push_back(TRY(parseChoice(text, measures(), "measure").and_then(bindMeasure)));
        TRY(eachNamedOnce(each(all, &BoundMeasure::choice)));
        return extrasOf(all).map([](const SummaryExtras&) {});
    };
    addSeveral(app, "--measure", "MEASURE", target, read,
               "More columns: ids of `attnscope measures`, as renyi:0.5; of those with an order, one order at a time");
}

}  // namespace

Command statsCommand()
{
    return commandWith<StatsSettings>(
        "stats", "Entropy and other statistics of a file's heads, against n",
        {"stats model.safetensors --q layer2.q --k layer2.k --mask causal --method vanilla infoscale --n "
         "64,128,256,512",
         "stats model.safetensors --method vanilla infoscale --compare --matrix",
         "stats model.safetensors --head 0 --per-row -o rows.npy"},
        [](CLI::App& app, StatsSettings& settings) {
            addTensors(app, settings.tensors)->required();
            addHeads(app, settings.heads);
            addMethods(app, settings.methods)->default_str("vanilla");
            addLengths(app, settings.lengths)
                ->description(
                    "Lengths: the first n tokens for each n (LIST: 64,128 or 16:512:x2 or 16:512:40); without it all");
            addTrainLength(app, settings.attention.nTrain);
            addTemperature(app, settings.temperature);
            addAttention(app, settings.attention);
            addMeasures(app, settings.measures);
            CLI::Option* perRow = app.add_flag(
                "--per-row", settings.perRow,
                "One row a query, in place of means over the queries that have weights (column rows: how many)");
            app.add_flag("--compare", settings.compare,
                         "Two more columns, row by row against the first method on the same logits: kl, sum p ln(p/q) "
                         "in nats with q the first method's weights, and total_variation, half of sum |p - q|");
            app.add_flag("--matrix", settings.matrix,
                         "Two more columns, of each matrix: mean_row_entropy, H of the mean of its rows, and "
                         "mutual_information, that less the rows' mean entropy; in nats")
                ->excludes(perRow);
            addEngine(app, settings.engine);
            addFormat(app, settings.format);
            addOutput(app, settings.output);
            addProgress(app, settings.progress);
        },
        [](const StatsSettings& settings, const Console& console) { return StatsRun(settings, console)(); });
}

}  // namespace attnscope
