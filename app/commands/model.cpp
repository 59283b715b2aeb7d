// model: how well a published model predicts a text at lengths n, with a scale method, positions, a mask or a
// normaliser put inside all its layers, and how long its rows of attention reach meanwhile.

#include "app/commands/command.h"
#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/model_options.h"
#include "app/commands/model_text.h"
#include "app/commands/progress.h"
#include "core/analysis/model_heads.h"
#include "core/attention/masks.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/model/generation.h"
#include "core/model/policy.h"
#include "core/model/head_recorder.h"
#include "core/model/logit_bounds.h"
#include "core/model/study.h"
#include "core/scaling/scale_method.h"
#include "core/tuning/head_gradients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace attnscope {

namespace {

/// Over the heads of a layer whose rows give weights.
double meanOfKnown(const std::vector<double>& heads)
{
    std::vector<double> known;
    std::ranges::copy_if(heads, std::back_inserter(known), [](double entropy) { return std::isfinite(entropy); });
    return sampleMean(known).mean;
}

class ModelRun {
public:
    ModelRun(const ModelSettings& settings, const Console& console) : m_settings(settings), m_console(console) {}

    Result<void> operator()()
    {
        if (m_settings.sample == 0)
            TRY(unused(m_settings.ofDraws, "--sample 0 takes the likeliest token"));
        TRY(checkRunLengths(m_settings.lengths));
        TRY(checkFiles(
            std::array{NamedFile{m_settings.output, "--output"}, NamedFile{m_settings.saveHeads, "--save-qk"}},
            {{m_settings.text, "--text"}, {m_settings.ids, "--ids"}, {m_settings.headFactors, "--head-factors"}},
            m_settings.folder));
        TRY(useProducts(m_settings.products));
        m_model = TRY(openModel(m_settings.folder));
        if (m_settings.products == Products::Integers)
            writeNotes(m_console, {noteOnIntegers()});
        writeNotes(m_console, notesOf(m_model));
        if (!m_settings.headFactors.empty())
            m_factors = TRY(readHeadTable(m_settings.headFactors, m_model.architecture).map_error(faultOfFile));
        if (m_settings.last > 0 && !m_model.architecture.causal)
            return failure(ErrorKind::InvalidArgument,
                           "--last is for models that predict the next token: this one finds hidden tokens, and all "
                           "of a window's count; leave it out");
        const Format format = TRY(formatFor(m_settings.format, m_settings.output, m_console));
        std::ostringstream file;
        ResultWriter writer(m_settings.output.empty() ? m_console.out : file, format, columns());
        TRY(m_settings.generate > 0 ? generate(writer) : evaluate(writer));
        writer.finish();
        return m_settings.output.empty() ? Result<void>{} : replaceFile(m_settings.output, file.str());
    }

private:
    std::string noteOnIntegers() const
    {
        const std::string dtypes = outlineOf(m_model).dtypes;
        const bool any = dtypes.find("Q8_0") != dtypes.npos || dtypes.find("Q4_0") != dtypes.npos;
        return any ? "products of Q8_0 and Q4_0 weights with activations rounded to eight bits: off by about half a "
                     "percent each"
                   : "--products integers changes nothing: of this model's weights, " + dtypes +
                         ", none are Q8_0 or Q4_0";
    }

    std::vector<Column> columns() const
    {
        std::vector<Column> all{"n", "positions", "method"};
        if (m_settings.generate > 0) {
            all.insert(all.end(), {neverInTable("tokens"), "text", ifAny("note")});
            return all;
        }
        if (m_settings.byPosition)
            all.insert(all.end(), {"first", "last"});
        if (m_settings.layers || m_settings.heads)
            all.push_back({"layer"});
        if (m_settings.heads)
            all.push_back({"head"});
        if (m_settings.layers || m_settings.heads)
            all.insert(all.end(), {"entropy_mean", "stderr"});
        if (m_settings.heads)
            for (const HeadMeasure* measure : measuresOfHeads())
                all.push_back({measure->column, measure->lengths > 1 ? Shown::IfAny : Shown::Always});
        if (m_settings.heads && m_settings.gradients)
            all.push_back({"gradient_by", Shown::Never});
        if (m_settings.heads && m_settings.bounds)
            all.push_back({"gap_bound"});
        if (!m_settings.layers && !m_settings.heads)
            all.insert(all.end(), {"nll", "perplexity", "accuracy", ifAny("stderr")});
        if (!m_settings.layers && !m_settings.heads && !m_settings.byPosition)
            all.push_back({"entropy_mean"});
        all.insert(all.end(), {neverInTable("windows"), neverInTable("predictions"), neverInTable("n_train"),
                               neverInTable("policy"), ifAny("note")});
        return all;
    }

    /// Beside the mean entropy: all that is measured and not solved for, gradients where they are asked for.
    std::vector<const HeadMeasure*> measuresOfHeads() const
    {
        std::vector<const HeadMeasure*> all;
        for (const HeadMeasure& measure : modelHeadMeasures())
            if (!measure.solved && measure.id != std::string_view("entropy") &&
                (!measure.ofLosses || m_settings.gradients))
                all.push_back(&measure);
        return all;
    }

    std::vector<Policy> policies() const
    {
        std::vector<Policy> all;
        for (const std::optional<Choice>& position : m_settings.positions)
            for (const Choice& method : m_settings.methods)
                all.push_back({.method = method,
                               .position = position,
                               .mask = m_settings.mask,
                               .normaliser = m_settings.normaliser,
                               .kernel = m_settings.kernel,
                               .temperature = m_settings.temperature,
                               .trainLength = m_settings.nTrain,
                               .layers = m_settings.inLayers,
                               .factors = m_factors});
        return all;
    }

    bool isShipped() const { return shippedModelAt(m_model.folder) != nullptr; }

    /// Enough for the windows.
    double tokensToGenerate() const
    {
        std::int64_t last = 3;
        for (const std::int64_t window : m_settings.windows)
            last = std::max(last, window);
        const std::int64_t longest = *std::max_element(m_settings.lengths.begin(), m_settings.lengths.end());
        return static_cast<double>(last * (m_settings.windows.empty() ? longest : m_settings.stride) + longest + 1);
    }

    Result<void> generate(ResultWriter& writer) const
    {
        std::vector<int> prompt;
        if (m_model.architecture.beginToken)
            prompt.push_back(*m_model.architecture.beginToken);
        if (!m_settings.prompt.empty()) {
            if (!m_model.tokenizer)
                return failure(ErrorKind::Unavailable, m_model.withoutTokenizer);
            const auto ids = TRY(m_model.tokenizer->encode(m_settings.prompt));
            prompt.insert(prompt.end(), ids.begin(), ids.end());
        }
        for (const Policy& policy : policies()) {
            Progress progress(m_console, "model", m_settings.progress);
            const auto tokens =
                continueText(m_model, policy, prompt,
                             {.count = m_settings.generate, .temperature = m_settings.sample, .seed = m_settings.seed},
                             [&](double fraction) { progress.update(fraction); }, {});
            if (!tokens && tokens.error().kind != ErrorKind::Undefined)
                return tl::unexpected(tokens.error());
            const std::int64_t n = std::ssize(prompt) + m_settings.generate;
            std::vector<Cell> row{n, positionsShown(policy.position, m_model.architecture, n),
                                  formatChoice(policy.method)};
            const std::vector<int> made = tokens ? *tokens : std::vector<int>{};
            const std::string ids = joined(made, " ");
            std::vector<int> all = prompt;
            all.insert(all.end(), made.begin(), made.end());
            const Cell text = tokens && m_model.tokenizer ? Cell{m_model.tokenizer->decode(all)} : Cell{};
            row.insert(row.end(), {textCell(ids), text, tokens ? Cell{} : Cell{tokens.error().message}});
            writer.add(std::move(row));
        }
        return {};
    }

    Result<void> evaluate(ResultWriter& writer)
    {
        if (m_settings.lengths.empty() && isShipped())
            for (const std::int64_t times : {1, 2, 4, 8})
                m_settings.lengths.push_back(times * m_model.architecture.trainLength);
        if (m_settings.lengths.empty())
            return failure(ErrorKind::InvalidArgument,
                           "--n is needed: the lengths to test, as 512,1024,2048; or --generate N");
        if (m_settings.bounds && m_settings.kernel.id != "dot")
            return failure(ErrorKind::InvalidArgument, "--bounds is of the kernel dot: leave it or --kernel out");
        const LongestVectors longest = m_settings.bounds ? TRY(longestVectors(m_model, {})) : LongestVectors{};
        Progress progress(m_console, "model", m_settings.progress);
        m_report = [&](double fraction, const std::string& stage) { progress.update(fraction, stage); };
        m_report(0, "the text");
        const auto ids = TRY(readModelText(m_model, m_settings.text, m_settings.ids, tokensToGenerate()));
        for (size_t l = 0; l < m_settings.lengths.size(); ++l)
            TRY(evaluateLength(writer, ids, l));
        std::vector<std::string> ways;  // of the gradients, each once
        for (const StudyCell& cell : m_ofHeads.cells) {
            if (m_settings.gradients && !cell.windows.empty()) {
                m_gradients = TRY(gradientsAt(ids, cell));
                if (std::ranges::find(ways, m_gradients.by) == ways.end())
                    ways.push_back(m_gradients.by);
            }
            m_bounds.clear();
            if (m_settings.bounds && !cell.windows.empty())
                if (const auto rules = resolve(policies()[cell.policy], m_model.architecture, cell.n))
                    m_bounds = TRY(logitGapBounds(m_model.architecture, longest, *rules));
            write(writer, policies()[cell.policy], cell);
        }
        for (const std::string& way : ways)
            writeNotes(m_console, {"gradients by " + way});
        return {};
    }

    Result<HeadGradients> gradientsAt(std::span<const int> ids, const StudyCell& cell) const
    {
        const GradientRequest request{.policy = m_settings.captured ? Policy{} : policies()[cell.policy],
                                      .n = cell.n,
                                      .last = m_settings.last,
                                      .starts = starts(),
                                      .engine = m_settings.engine};
        return headGradients(m_model, ids, request, {}, [&](const HeadGradients& gradients, double fraction) {
            m_report(fraction, fmt::format("gradients by {}, n = {}", gradients.by, cell.n));
        });
    }

    std::vector<std::int64_t> starts() const
    {
        std::vector<std::int64_t> all;
        for (const std::int64_t window : m_settings.windows)
            all.push_back(window * m_settings.stride);
        return all;
    }

    /// Windows that share tokens are no sample of the text: their mean is one, its standard error is not known.
    bool windowsOverlap(std::int64_t n) const
    {
        std::vector<std::int64_t> all = starts();
        std::ranges::sort(all);
        return std::ranges::adjacent_find(all, [&](std::int64_t a, std::int64_t b) { return b - a < n; }) != all.end();
    }

    Cell errorOf(const std::optional<double>& standardError, std::int64_t n) const
    {
        return windowsOverlap(n) ? Cell{} : cellOf(standardError);
    }

    /// All rows of one length, as soon as they are known; those of heads in the end.
    Result<void> evaluateLength(ResultWriter& writer, std::span<const int> ids, size_t which)
    {
        const std::int64_t n = m_settings.lengths[which];
        const std::vector<Policy> asked = policies();
        StudyRequest request{.lengths = {n},
                             .captured = m_settings.captured,
                             .starts = starts(),
                             .last = m_settings.last,
                             .everyPrediction = false,
                             .strict = true,
                             .engine = m_settings.engine};
        request.policies = asked;
        HeadRecorder recorder(m_model);
        bool recorded = false;  // of the first run alone
        StudyWatch watch;
        watch.progress = [&](double fraction) {
            m_report((static_cast<double>(which) + fraction) / static_cast<double>(m_settings.lengths.size()),
                     fmt::format("n = {}", n));
        };
        if (!m_settings.saveHeads.empty() && which == 0)
            watch.observe = [&](const LayerHeads& layer) -> Result<void> {
                if (recorded)
                    return {};
                TRY(recorder.take(layer));
                recorded = layer.layer + 1 == m_model.architecture.layers;
                if (!recorded)
                    return {};
                const Window first =
                    TRY(windowOf(m_model.architecture, ids, request.starts.empty() ? 0 : request.starts.front(), n));
                return recorder.save(m_settings.saveHeads, first.inputs);
            };
        const StudyResult study = TRY(runStudy(m_model, ids, request, watch));
        if (m_settings.heads) {  // a slope needs all lengths
            m_ofHeads.cells.insert(m_ofHeads.cells.end(), study.cells.begin(), study.cells.end());
            return {};
        }
        for (const StudyCell& cell : study.cells)
            write(writer, asked[cell.policy], cell);
        return {};
    }

    void write(ResultWriter& writer, const Policy& asked, const StudyCell& cell) const
    {
        const std::vector<Cell> start{cell.n, positionsShown(asked.position, m_model.architecture, cell.n),
                                      formatChoice(asked.method)};
        if (cell.windows.empty()) {
            std::vector<Cell> row = start;
            row.resize(columns().size() - 1);
            row.push_back(Cell{cell.absent});
            writer.add(std::move(row));
        } else if (m_settings.layers || m_settings.heads) {
            writeLayers(writer, start, asked, cell);
        } else if (m_settings.byPosition) {
            writePositions(writer, start, asked, cell);
        } else {
            std::vector<Cell> row = start;
            add(row, *cell.quality(), cell.n, true);
            finish(row, asked, cell);
            writer.add(std::move(row));
        }
    }

    void add(std::vector<Cell>& row, const Quality& quality, std::int64_t n, bool entropy) const
    {
        row.insert(row.end(),
                   {quality.loss, std::exp(quality.loss), quality.accuracy, errorOf(quality.standardError, n)});
        if (entropy)
            row.push_back(quality.entropy);
    }

    void finish(std::vector<Cell>& row, const Policy& asked, size_t windows, std::int64_t predictions,
                const std::string& note) const
    {
        row.insert(row.end(), {static_cast<std::int64_t>(windows), predictions,
                               wholeCell(trainLengthOf(asked, m_model.architecture)),
                               std::string(m_settings.captured ? "captured" : "in-force"), textCell(note)});
    }

    void finish(std::vector<Cell>& row, const Policy& asked, const StudyCell& cell) const
    {
        finish(row, asked, cell.windows.size(), meanOf(cell.windows.front()->thatCount()).asked, noteOf(asked, cell));
    }

    std::string noteOf(const Policy& asked, const StudyCell& cell) const
    {
        std::vector<std::string> notes;
        if (!cell.partly.empty())
            notes.push_back(cell.partly);
        if (windowsOverlap(cell.n))
            notes.push_back("the windows overlap, so that there is no standard error");
        if (isMeasured(asked.method) && static_cast<double>(cell.n) <= trainLengthOf(asked, m_model.architecture))
            notes.push_back(fmt::format("{} is m = {} up to N", formatChoice(asked.method),
                                        formatNumber(factorOf(asked.method), 4)));
        if (const auto rowKeys = asked.mask ? keysOfRows(*asked.mask, cell.n) : std::vector<std::int64_t>())
            if (const auto blind = std::ranges::count(*rowKeys, 0); blind > 0)
                notes.push_back(
                    fmt::format("{} of {} rows see no key, and attention adds nothing to them", blind, cell.n));
        if (m_model.architecture.causal && asked.mask && looksAhead(*asked.mask))
            notes.push_back("rows see the tokens that they predict");
        return joined(notes, "; ");
    }

    /// Predictions in at most 32 ranges of places of equal length.
    void writePositions(ResultWriter& writer, const std::vector<Cell>& start, const Policy& asked,
                        const StudyCell& cell) const
    {
        const std::int64_t counted = cell.windows.front()->counted, ranges = std::min<std::int64_t>(counted, 32);
        for (std::int64_t r = 0; r < ranges; ++r) {
            const std::int64_t begin = r * counted / ranges, end = (r + 1) * counted / ranges;
            std::vector<WindowQuality> parts;
            std::int64_t predictions = 0;  // of the first window that has any here
            for (const auto& window : cell.windows)
                if (const MeanPrediction mean = meanOf(
                        window->thatCount().subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
                    mean.asked > 0) {
                    predictions = parts.empty() ? mean.asked : predictions;
                    parts.push_back({mean.loss, mean.accuracy});
                }
            if (parts.empty())
                continue;
            std::vector<Cell> row = start;
            row.insert(row.end(), {cell.n - counted + begin, cell.n - counted + end - 1});
            add(row, qualityOf(parts), cell.n, false);
            finish(row, asked, parts.size(), predictions, noteOf(asked, cell));
            writer.add(std::move(row));
        }
    }

    void writeLayers(ResultWriter& writer, const std::vector<Cell>& start, const Policy& asked,
                     const StudyCell& cell) const
    {
        const HeadValues& shape = cell.windows.front()->entropies;
        std::vector<std::vector<HeadNumbers>> numbers;
        if (m_settings.heads)
            numbers = headNumbers(m_model.architecture, m_ofHeads, cell.n, cell.policy);
        for (size_t layer = 0; layer < shape.size(); ++layer)
            for (size_t head = 0; head < (m_settings.heads ? shape[layer].size() : 1); ++head) {
                std::vector<double> values;
                for (const auto& window : cell.windows) {
                    const std::vector<double>& heads = window->entropies[layer];
                    values.push_back(m_settings.heads ? heads[head] : meanOfKnown(heads));
                }
                std::vector<Cell> row = start;
                row.push_back(static_cast<std::int64_t>(layer));
                if (m_settings.heads)
                    row.push_back(static_cast<std::int64_t>(head));
                const SampleMean mean = sampleMean(values);
                row.insert(row.end(), {mean.mean, errorOf(mean.standardError, cell.n)});
                if (!m_gradients.of.empty() && m_gradients.of[layer][head])
                    numbers[layer][head].gradient = m_gradients.of[layer][head]->mean;
                if (m_settings.heads)
                    for (const HeadMeasure* measure : measuresOfHeads())
                        row.push_back(cellOf(measure->value(numbers[layer][head])));
                if (m_settings.heads && m_settings.gradients)
                    row.push_back(m_gradients.by);
                if (m_settings.heads && m_settings.bounds)
                    row.push_back(m_bounds.empty() ? Cell{} : Cell{m_bounds[layer][head]});
                finish(row, asked, cell);
                writer.add(std::move(row));
            }
    }

    ModelSettings m_settings;
    const Console& m_console;
    Model m_model;
    StudyResult m_ofHeads;                       ///< of all lengths, where rows are of heads
    HeadGradients m_gradients;                   ///< of the cell that is written
    std::vector<std::vector<double>> m_bounds;   ///< of its heads' gaps; empty: the method measures
    std::vector<std::vector<double>> m_factors;  ///< of layers and heads; empty: 1
    std::function<void(double, const std::string&)> m_report;
};

}  // namespace

Command modelCommand()
{
    return commandWith<ModelSettings>(
        "model", "How well a published model predicts a text, against n, with any scale and positions inside",
        {"model", "model --positions rope yarn_rope rerope --method vanilla infoscale:row=1",
         "model stories --generate 60",
         "model TinyLlama --text book.txt --n 1024:8192:x2 --method vanilla row_log:clamp_at_one=1 --positions ntk "
         "yarn_rope",
         "model TinyLlama --text book.txt --n 4096 --method infoscale:row=1 --heads --policy captured",
         "model TinyLlama --generate 100 --prompt \"Once upon a time\""},
        addModelOptions,
        [](const ModelSettings& settings, const Console& console) { return ModelRun(settings, console)(); });
}

}  // namespace attnscope
