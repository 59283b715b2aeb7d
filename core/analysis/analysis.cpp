#include "core/analysis/analysis.h"

#include "core/analysis/length_statistics.h"
#include "core/analysis/stage_keys.h"
#include "core/analysis/stages.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/statistics/matrices.h"
#include "core/statistics/pairs.h"
#include "core/theory/bounds.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <new>

namespace attnscope {

namespace {

Result<void> check(const Scenario& scenario)
{
    const auto bad = [](std::string message) { return failure(ErrorKind::InvalidArgument, std::move(message)); };
    if (scenario.n < 1)
        return bad("n must be at least 1, not " + std::to_string(scenario.n));
    if (scenario.source.id != "theory" && scenario.n > (std::int64_t(1) << 22))
        return bad("n = " + std::to_string(scenario.n) + " is too long for queries and keys in memory; choose the source 'theory', which goes to 1e12");
    if (scenario.d < 1 || scenario.d > 4096)
        return bad("d must be from 1 to 4096, not " + std::to_string(scenario.d));
    if (!(scenario.temperature > 0) || !std::isfinite(scenario.temperature))
        return bad("the temperature must be above 0");
    if (!(scenario.nTrain >= 1) || !(scenario.nTrain <= 1e12))
        return bad("N must be from 1 to 1e12");
    if (scenario.methods.empty())
        return bad("no scale method is ticked; tick one");
    return {};
}

/// n, the region and the chosen row as they can be had.
void settle(Scenario& scenario, const Source& source)
{
    if (source.heads.headCount() == 0)
        return;
    scenario.n = source.heads.keyCount();
    if (source.heads.kind == HeadSet::Kind::QueryKey)
        scenario.d = source.heads.headSize();
    const std::int64_t queries = source.heads.queryCount();
    Region& region = scenario.view.region;
    if (region == Region{})
        region = {0, queries, 0, scenario.n};
    const auto clip = [](std::int64_t& begin, std::int64_t& end, std::int64_t extent) {
        begin = std::clamp<std::int64_t>(begin, 0, extent - 1);
        end = std::clamp<std::int64_t>(end, begin + 1, extent);
    };
    clip(region.rowBegin, region.rowEnd, queries);
    clip(region.columnBegin, region.columnEnd, scenario.n);
    scenario.view.pixels = std::clamp(scenario.view.pixels, 1, 4096);
    scenario.view.row = scenario.view.row < 0 ? queries - 1 : std::min(scenario.view.row, queries - 1);
    scenario.tensors.head = std::clamp(scenario.tensors.head, 0, source.heads.headCount() - 1);
}

void describe(MethodAnalysis& result, const Scenario& scenario, const Choice& method, const AttentionHead* head)
{
    // a padding mask hides keys from the count as well
    const double n = static_cast<double>(head ? unmaskedKeys(head->mask, scenario.n) : scenario.n);
    double rowKeys = n, position = n - 1;
    if (head && scenario.view.row >= 0) {
        rowKeys = static_cast<double>(head->visible(scenario.view.row, head->keyCount).count());
        position = static_cast<double>(head->position(scenario.view.row));
    }
    result.method = method;
    result.label = findRow(scaleMethods(), method.id, "scale method").map([&](const ScaleMethod* row) { return describeChoice(*row, method); }).value_or(method.id);
    result.counts = countsOf(method).value_or(Counts::Nothing);
    result.worked = workedScale(method, {.keys = n, .rowKeys = rowKeys, .position = position, .nTrain = scenario.nTrain, .d = scenario.d, .measured = {}}).value_or("");
}

Curve curveOf(const MethodCurves& curves, const BoundMeasure& measure)
{
    Curve curve;
    for (size_t l = 0; l < curves.lengths.size(); ++l)
        if (const Spread spread = spreadOf(curves.rows[l], measure); spread.count > 0)
            curve.push_back({curves.lengths[l], spread.mean, spread.standardError});
    return curve;
}

void addCurves(MethodAnalysis& result, const MethodCurves& curves, const BoundMeasure& measure)
{
    const auto bound = [](const char* id, std::map<std::string, double, std::less<>> values) { return *bindMeasure({id, std::move(values), {}}); };
    result.measured = curveOf(curves, measure);
    result.largest = curveOf(curves, bound("max_weight", {}));
    result.top4 = curveOf(curves, bound("top_mass", {{"k", 4}}));
    result.top16 = curveOf(curves, bound("top_mass", {{"k", 16}}));
    for (size_t l = 0; l < curves.needle.size(); ++l)
        result.needle.push_back({curves.lengths[l], curves.needle[l], 0});
}

/// The mean row is a heatmap of a few bands, one key wide; bands are weighed by their height. Normalisers whose rows do not
/// sum to 1 go the slow way, row by row.
Result<std::vector<double>> meanRowOf(const Stage& stage, const MethodAnalysis& result, const AttentionHead& head)
{
    constexpr int bands = 16;
    const Choice& choice = stage.scenario.attention.normaliser;
    const Result<const Normaliser*> normaliser = findRow(normalisers(), choice.id, "normaliser");
    const bool allRowsSeeKeys = std::all_of(result.rows.begin(), result.rows.end(), [](const RowSummary& row) { return row.visible > 0; });
    if (!normaliser || !(*normaliser)->sumsToOne || !allRowsSeeKeys)
        return meanRow(head, choice, result.scale, result.rows, stage.stop);
    const std::vector<NormaliserState> states = statesOf(result.rows);
    const std::int64_t queries = head.queryCount(), rows = std::min<std::int64_t>(bands, queries);
    const auto map = stage.engine.pool(head, {.normaliser = choice, .scale = result.scale, .states = states,
                                              .region = {0, queries, 0, head.keyCount}, .rows = static_cast<int>(rows),
                                              .columns = static_cast<int>(head.keyCount), .progress = {}}, stage.stop);
    if (!map)
        return tl::unexpected<Error>(map.error());
    std::vector<double> mean(static_cast<size_t>(head.keyCount));
    for (std::int64_t band = 0; band < rows; ++band) {
        const double share = static_cast<double>((band + 1) * queries / rows - band * queries / rows) / static_cast<double>(queries);
        for (size_t key = 0; key < mean.size(); ++key)
            mean[key] += share * map->at(static_cast<int>(band), static_cast<int>(key));
    }
    return mean;
}

Result<void> addMatrixStatistics(Stage& stage, MethodAnalysis& result, const AttentionHead& head)
{
    if (head.keyCount > mostKeysForMatrixStatistics)
        return {};
    const auto statistics = stage.cache.meanRows.get(rowsKey(stage.scenario, result.method), [&]() -> Result<std::optional<MatrixStatistics>> {
        const auto mean = meanRowOf(stage, result, head);
        if (!mean)
            return tl::unexpected<Error>(mean.error());
        return matrixStatistics(*mean, result.rows);
    });
    if (!statistics)
        return tl::unexpected<Error>(statistics.error());
    result.matrix = **statistics;
    return {};
}

/// The multiplier that keeps the entropy of N, on these rows. None is no error.
Result<void> addKeepsEntropy(Stage& stage, MethodAnalysis& result, const AttentionHead& head)
{
    if (head.keyCount > mostKeysForSolving)
        return {};
    const Scenario& scenario = stage.scenario;
    const auto kept = stage.cache.keeps.get(rowsKey(scenario, Choice{"vanilla", {}, {}}), [&]() -> Result<std::optional<double>> {
        const auto multiplier = measuredMultiplier(head, scenario.attention.normaliser, scenario.nTrain, scenario.temperature, stage.engine, stage.stop)(static_cast<double>(scenario.n));
        if (!multiplier && multiplier.error().kind == ErrorKind::Undefined)
            return std::optional<double>{};
        return multiplier.map([](double m) { return std::optional<double>(m); });
    });
    if (!kept)
        return tl::unexpected<Error>(kept.error());
    result.keepsEntropy = **kept;
    return {};
}

/// The chosen row alone: the rows before it may have no value, or be many.
Result<void> addChosenRow(Stage& stage, MethodAnalysis& result, const AttentionHead& head)
{
    const AttentionHead chosen = sampleRows(head, std::span(&stage.scenario.view.row, 1));
    const auto scale = scaleOf(stage, chosen, result.method, head.keyCount, 1, &head);
    if (!scale && scale.error().kind != ErrorKind::Undefined)
        return tl::unexpected<Error>(scale.error());
    if (!scale)
        return {};
    auto detail = rowDetail(chosen, stage.scenario.attention.normaliser, 0, head.keyCount, scale->front());
    if (!detail)
        return tl::unexpected<Error>(detail.error());
    result.chosen = std::move(*detail);
    return {};
}

/// How far the chosen row of every method is from the first method's.
void addDistances(Analysis& analysis)
{
    const std::vector<double>& first = analysis.methods.front().chosen.weights;
    for (MethodAnalysis& method : analysis.methods) {
        method.klFromFirst = klDivergence(method.chosen.weights, first);
        method.variationFromFirst = totalVariation(method.chosen.weights, first);
    }
}

/// Prop. 3.1 where the projections are known, for the whole matrix: a note with its numbers.
std::string gapNote(const Stage& stage, const Source& source)
{
    if (!source.projections || stage.scenario.attention.kernel.id != "dot")
        return {};
    const Projections& known = *source.projections;
    const double bound = largestGap(known.queryNorm, known.keyNorm, known.largestToken, known.largestToken, 1 / std::sqrt(stage.scenario.d));
    return "Proposition 3.1 (Velickovic 2024): with the largest singular values " + formatNumber(known.queryNorm, 4) + " of W_Q and " +
           formatNumber(known.keyNorm, 4) + " of W_K, the logits z of any row lie within " + formatNumber(bound, 4) + " of each other";
}

/// Everything about one method that needs its rows.
Result<void> addRows(Stage& stage, MethodAnalysis& result, const MethodRows& rows, const AttentionHead& head, const AttentionHead& looked)
{
    result.absent = rows.absent;
    if (!result.absent.empty())
        return {};
    result.scale = rows.scale;
    result.rows = rows.rows;
    result.entropy = spreadOf(rows.rows, *bindMeasure({"shannon", {}, {}}));
    result.measure = spreadOf(rows.rows, stage.measure);
    result.largestWeight = spreadOf(rows.rows, *bindMeasure({"max_weight", {}, {}}));
    result.top4Mass = spreadOf(rows.rows, *bindMeasure({"top_mass", {{"k", 4}}, {}}));
    const auto map = mapStage(stage, looked, result.method, rows);
    if (!map)
        return tl::unexpected<Error>(map.error());
    result.map = **map;

    if (const Result<void> added = addChosenRow(stage, result, head); !added)
        return added;
    if (stage.scenario.view.preview || !stage.scenario.view.table)
        return {};
    return addMatrixStatistics(stage, result, head).and_then([&] { return addKeepsEntropy(stage, result, head); });
}

Result<void> addPictures(Stage& stage, Analysis& analysis, const Source& source)
{
    const auto head = headStage(stage, source);
    if (!head)
        return tl::unexpected<Error>(head.error());
    analysis.notes.insert(analysis.notes.end(), (*head)->notes.begin(), (*head)->notes.end());

    AttentionHead sampled;
    const View& view = stage.scenario.view;
    if (view.preview) {
        analysis.sampledRows = previewRows(view.region, view.pixels);
        sampled = sampleRows(**head, analysis.sampledRows);
    }
    const AttentionHead& looked = view.preview ? sampled : **head;
    const auto rows = rowsStage(stage, looked);
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    for (size_t m = 0; m < analysis.methods.size(); ++m) {
        describe(analysis.methods[m], stage.scenario, stage.scenario.methods[m], head->get());
        if (const Result<void> added = addRows(stage, analysis.methods[m], *(*rows)[m], **head, looked); !added)
            return added;
        if (stage.progress)
            stage.progress(0.6 + 0.3 * static_cast<double>(m + 1) / static_cast<double>(analysis.methods.size()));
    }
    addDistances(analysis);
    if (std::string note = handOver(stage.engine.id, **head, stage.scenario.attention.normaliser); !note.empty()) {
        analysis.notes.push_back(std::move(note));
        analysis.engine = (*chooseEngine("auto"))->id;
    }
    if (std::string note = gapNote(stage, source); !note.empty())
        analysis.notes.push_back(std::move(note));
    if (stage.scenario.source.id == "tensors" && !view.preview) {
        const auto heads = headsStage(stage, source);
        if (!heads)
            return tl::unexpected<Error>(heads.error());
        analysis.heads = **heads;
    }
    return {};
}

/// A file that was written again since the last look is another file.
void forgetChangedFile(const Scenario& scenario, AnalysisCache& cache)
{
    if (scenario.source.id != "tensors")
        return;
    std::error_code failed;
    FileStamp stamp{scenario.tensors.path, std::filesystem::file_size(scenario.tensors.path, failed), {}};
    stamp.written = std::filesystem::last_write_time(scenario.tensors.path, failed);
    if (stamp == cache.file)
        return;
    AnalysisCache fresh;
    fresh.file = std::move(stamp);
    cache = std::move(fresh);
}

Result<Analysis> analyseInMemory(const Scenario& asked, std::stop_token stop, AnalysisCache& cache, const std::function<void(double)>& progress)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto fail = [](const auto& result) { return tl::unexpected<Error>(result.error()); };
    if (const Result<void> sound = check(asked); !sound)
        return fail(sound);
    const Result<const Engine*> engine = chooseEngine(asked.engine);
    if (!engine)
        return fail(engine);
    const Result<BoundMeasure> measure = bindMeasure(asked.view.measure);
    if (!measure)
        return fail(measure);

    forgetChangedFile(asked, cache);
    Stage stage{.scenario = asked, .stop = stop, .cache = cache, .engine = **engine, .measure = *measure, .progress = progress};
    const auto source = sourceStage(stage);
    if (!source)
        return fail(source);
    settle(stage.scenario, **source);

    Analysis analysis;
    analysis.scenario = stage.scenario;
    analysis.queryCount = (*source)->heads.queryCount();
    analysis.keyCount = (*source)->heads.keyCount();
    analysis.headCount = std::max(1, (*source)->heads.headCount());
    analysis.tokens = (*source)->heads.tokens;
    analysis.needleKey = (*source)->needleKey < analysis.keyCount ? (*source)->needleKey : -1;
    analysis.theory = (*source)->density ? (*source)->density->label : "";
    analysis.notes = (*source)->notes;
    analysis.engine = (*engine)->id;
    analysis.methods.resize(stage.scenario.methods.size());
    for (size_t m = 0; m < analysis.methods.size(); ++m)
        describe(analysis.methods[m], stage.scenario, stage.scenario.methods[m], nullptr);
    if ((*source)->heads.headCount() > 0)
        if (const Result<void> added = addPictures(stage, analysis, **source); !added)
            return fail(added);

    if (!stage.scenario.view.preview) {
        const auto curves = curveStage(stage);
        if (!curves)
            return fail(curves);
        for (size_t m = 0; m < analysis.methods.size(); ++m)
            addCurves(analysis.methods[m], *(*curves)[m], *measure);
    }
    if (const Result<void> added = addTheory(stage, analysis, **source); !added)
        return fail(added);
    if (stop.stop_requested())
        return failure(ErrorKind::Cancelled, "stopped");
    analysis.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return analysis;
}

}  // namespace

Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop)
{
    AnalysisCache cache;
    return analyse(scenario, stop, cache);
}

Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop, AnalysisCache& cache, const std::function<void(double)>& progress)
try {
    return analyseInMemory(scenario, stop, cache, progress);
} catch (const std::bad_alloc&) {
    AnalysisCache fresh;
    cache = std::move(fresh);
    return failure(ErrorKind::Unavailable, "there is not enough memory for n = " + std::to_string(scenario.n) + " and d = " + std::to_string(scenario.d) +
                                               "; choose a smaller n, or the source 'theory'");
}

}  // namespace attnscope
