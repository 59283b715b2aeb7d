#pragma once
// The stages of analyse(), in the order of the flow. Each looks into the cache first and leaves its result there.
//
//   source -> head -> rows of every method -> heatmaps
//                 \-> curves against n: measured on samples, exact from theory
//          \-> the table of all heads

#include "core/analysis/analysis_cache.h"
#include "core/statistics/measures.h"

namespace attnscope {

/// Above this n the mean row (a third look at every weight) is left out, and so is the multiplier that keeps the entropy (a
/// dozen looks): both are then absent.
constexpr std::int64_t mostKeysForMatrixStatistics = 8192;
constexpr std::int64_t mostKeysForSolving = 2048;

/// What every stage reads.
struct Stage {
    Scenario scenario;                      ///< with n, d and the region as they are taken
    std::stop_token stop;
    AnalysisCache& cache;
    const Engine& engine;
    BoundMeasure measure;
    std::function<void(double)> progress;   ///< may be empty

    bool stopped() const { return stop.stop_requested(); }
};

template <class Value>
using Shared = std::shared_ptr<const Value>;

Result<Shared<Source>> sourceStage(Stage& stage);
Result<Shared<AttentionHead>> headStage(Stage& stage, const Source& source);

/// Query rows that a preview looks at: the middle row of every pixel row.
std::vector<std::int64_t> previewRows(const Region& region, int pixels);

/// The rows of all methods that are not remembered yet, in one call of the engine per block of rows.
Result<std::vector<Shared<MethodRows>>> rowsStage(Stage& stage, const AttentionHead& head);

/// The heatmap of one method; `head` is the sampled one in a preview.
Result<Shared<PooledMap>> mapStage(Stage& stage, const AttentionHead& head, const Choice& method, const MethodRows& rows);

/// Each method at the lengths of the curve, on the rows of curve_sample.h.
Result<std::vector<Shared<MethodCurves>>> curveStage(Stage& stage);

/// The exact curves of every method, the approximations of the papers and the scale that keeps the expected entropy, from
/// the density of the source. Nothing where the source has none, or where theory does not know the measure, the normaliser,
/// the mask or the positions.
Result<void> addTheory(Stage& stage, Analysis& analysis, const Source& source);

/// Every head of a file under the first method.
Result<Shared<std::vector<HeadAnalysis>>> headsStage(Stage& stage, const Source& source);

/// The scale of one method for the rows [0, rowEnd) of a head over its first n keys. `whole`, if given, is the head with all
/// of its rows, on which entropy_measured solves.
Result<std::vector<float>> scaleOf(const Stage& stage, const AttentionHead& head, const Choice& method, std::int64_t n, std::int64_t rowEnd,
                                   const AttentionHead* whole = nullptr);

std::vector<NormaliserState> statesOf(const std::vector<RowSummary>& rows);

Spread spreadOf(const std::vector<RowSummary>& rows, const BoundMeasure& measure);

}  // namespace attnscope
