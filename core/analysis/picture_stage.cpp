#include "core/analysis/mean_of_heads.h"
#include "core/analysis/method_notes.h"
#include "core/analysis/stages.h"
#include "core/rows/measured_multiplier.h"

#include "core/attention/engines.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/theory/bounds.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// The entropy of N on the rows that count, of all methods alike, and but for a preview the multiplier that keeps it.
/// None is no error.
Result<void> addKeepsEntropy(Stage& stage, std::vector<MethodAnalysis>& methods, const AttentionHead& head)
{
    const Scenario& scenario = stage.scenario;
    const RowSet rows{scenario.view.rows};
    const auto trained =
        TRY(ifDefined(entropyToKeep(head, scenario.attention.normaliser, scenario.nTrain, scenario.temperature,
                                    stage.engine, stage.stop, rowsToSolveOn(std::llround(scenario.nTrain)), rows)));
    std::optional<double> multiplier;
    if (!scenario.view.preview && scenario.view.table)
        multiplier = TRY(ifDefined(
            solveMultiplier(stage, {.head = headKey(scenario)}, head, static_cast<double>(scenario.n), rows)));
    for (MethodAnalysis& method : methods)
        if (method.absent.empty()) {
            method.entropyAtTrained = trained;
            method.keepsEntropy = multiplier;
        }
    return {};
}

/// Of the rows that were looked at, those that the means speak of.
RowSpan countedOf(const Stage& stage, const AttentionHead& head, const AttentionHead& looked)
{
    const RowSpan whole = rowsOf(head, {stage.scenario.view.rows}, head.keyCount);
    if (!stage.scenario.view.preview)
        return whole;
    const std::vector<std::int64_t> sampled =
        previewRows(stage.scenario.view.region, stage.scenario.view.pixels);  // of which `looked` is
    const auto placeOf = [&](std::int64_t row) { return std::ranges::lower_bound(sampled, row) - sampled.begin(); };
    return {placeOf(whole.first), std::min<std::int64_t>(placeOf(whole.end), looked.queryCount())};
}

/// Prop. 3.1 where the projections are known, for the whole matrix: a note with its numbers.
std::string gapNote(const Stage& stage, const Source& source)
{
    if (!source.projections || !isDotProduct(stage.scenario.attention.kernel))
        return {};
    const Projections& known = *source.projections;
    const double bound = largestGap(known.queryNorm, known.keyNorm, known.largestToken, known.largestToken,
                                    1 / std::sqrt(stage.scenario.d));
    return "Proposition 3.1 (Veličković et al. 2024): with the largest singular values " +
           formatNumber(known.queryNorm, 4) + " of W_Q and " + formatNumber(known.keyNorm, 4) +
           " of W_K, the logits z of any row lie within " + formatNumber(bound, 4) + " of each other";
}

/// Everything about one method that needs its rows.
Result<void> addRows(Stage& stage, MethodAnalysis& result, const MethodRows& rows, const AttentionHead& head,
                     const AttentionHead& looked)
{
    result.absent = rows.absent;
    if (!result.absent.empty())
        return {};
    result.partly = rows.partly;
    result.scale = rows.scale;
    result.rows = rows.rows;
    result.counted = countedOf(stage, head, looked);
    setMeans(result, countedRows(result), stage.measure);
    if (!needsJointMap(stage.scenario)) {
        const auto map = TRY(mapStage(stage, looked, result.method, rows));
        result.map = *map;
    }
    if (stage.scenario.view.preview || !stage.scenario.view.table)
        return {};
    return addMatrixStatistics(stage, result, head);
}

/// Heads of a layer often have the same to say.
void addNotes(Analysis& analysis, const std::vector<std::string>& notes)
{
    for (const std::string& note : notes)
        if (std::find(analysis.notes.begin(), analysis.notes.end(), note) == analysis.notes.end())
            analysis.notes.push_back(note);
}

/// Every method on one head; `share` is the part of all progress that this is, from `begin` on.
Result<std::vector<MethodAnalysis>> methodsOfHead(Stage& stage, Analysis& analysis, const Shared<Source>& source,
                                                  double begin, double share)
{
    const auto head = TRY(headStage(stage, source));
    addNotes(analysis, head->notes);
    const WhatRuns runs =
        whatRuns(stage.scenario.engine, *head, stage.scenario.attention.normaliser, stage.measure.extras);
    analysis.engine = runs.engine;
    analysis.ran = runs.note;
    if (!runs.handOver.empty())
        addNotes(analysis, {runs.handOver});

    AttentionHead sampled;
    const View& view = stage.scenario.view;
    if (view.preview) {
        analysis.sampledRows = previewRows(view.region, view.pixels);
        sampled = sampleRows(*head, analysis.sampledRows);
    }
    const AttentionHead& looked = view.preview ? sampled : *head;
    const auto rows = TRY(rowsStage(stage, looked, *head));
    std::vector<MethodAnalysis> methods(stage.scenario.methods.size());
    for (size_t m = 0; m < methods.size(); ++m) {
        describe(methods[m], stage.scenario, stage.scenario.methods[m], head.get());
        TRY(addRows(stage, methods[m], *rows[m], *head, looked));
        if (!methods[m].partly.empty())
            addNotes(analysis, {methods[m].partly});
        addNotes(analysis, scaleNotes(methods[m].label, methods[m].scale));
        if (stage.progress)
            stage.progress(begin +
                           share * (0.6 + 0.3 * static_cast<double>(m + 1) / static_cast<double>(methods.size())));
    }
    if (stage.scenario.tensors.mean.empty())  // a multiplier is found for one head
        TRY(addKeepsEntropy(stage, methods, *head));
    TRY(addChosenRows(stage, methods, *head));
    if (!view.preview)
        addNotes(analysis, rowNotes(stage.scenario.attention.normaliser, methods.front().label, methods.front().rows));
    return methods;
}

}  // namespace

void describe(MethodAnalysis& result, const Scenario& scenario, const Choice& method, const AttentionHead* head)
{
    // a padding mask hides keys from the count as well
    const double n = static_cast<double>(head ? unmaskedKeys(head->mask, scenario.n) : scenario.n);
    ScaleContext context = lastRowOf(n, scenario.nTrain, scenario.d, scenario.temperature);
    if (head && scenario.view.row >= 0) {
        context.rowKeys = static_cast<double>(head->visible(scenario.view.row, head->keyCount).count());
        context.position = static_cast<double>(head->position(scenario.view.row));
    }
    result.method = method;
    result.label = describeChoice(scaleMethods(), method);
    result.counts = countsOf(method).value_or(Counts::Nothing);
    const auto worked = workedScale(method, context);
    result.worked = worked.value_or("");
    if (!head && !worked)  // theory alone: no rows will tell
        result.absent = worked.error().message;
}

std::vector<int> headsOf(const TensorSelection& tensors)
{
    return tensors.mean.empty() ? std::vector{tensors.head} : tensors.mean;
}

Result<void> addPictures(Stage& stage, Analysis& analysis, const Shared<Source>& source)
{
    const std::vector<int> heads = headsOf(stage.scenario.tensors);
    std::vector<std::vector<MethodAnalysis>> byMethod(stage.scenario.methods.size());
    for (size_t h = 0; h < heads.size(); ++h) {
        Stage ofHead = stage;  // the theory beside reads the stage
        ofHead.scenario.tensors.head = heads[h];
        const double share = 1 / static_cast<double>(heads.size());
        auto methods = TRY(methodsOfHead(ofHead, analysis, source, static_cast<double>(h) * share, share));
        for (size_t m = 0; m < methods.size(); ++m)
            byMethod[m].push_back(std::move(methods[m]));
    }
    std::vector<Shared<AttentionHead>> prepared;
    for (const int head : needsJointMap(stage.scenario) ? heads : std::vector<int>{}) {
        Stage ofHead = stage;
        ofHead.scenario.tensors.head = head;
        prepared.push_back(TRY(headStage(ofHead, source)));
    }
    for (size_t m = 0; m < byMethod.size(); ++m) {
        analysis.methods[m] = heads.size() == 1 && prepared.empty() ? std::move(byMethod[m].front())
                                                                    : meanOfHeads(byMethod[m], stage.measure);
        if (!prepared.empty())
            TRY(addJointMap(stage, analysis.methods[m], byMethod[m], prepared));
    }
    compareChosenRows(analysis);
    if (heads.size() > 1)
        analysis.notes.push_back("shown is the " + describeHeads(analysis.scenario.tensors));
    if (std::string note = gapNote(stage, *source); !note.empty())
        analysis.notes.push_back(std::move(note));
    if (stage.scenario.ofFile() && !stage.scenario.view.preview && stage.scenario.view.table) {
        const auto all = TRY(headsStage(stage, *source));
        analysis.heads = *all;
    }
    return {};
}

}  // namespace attnscope
