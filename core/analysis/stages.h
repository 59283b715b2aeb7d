#pragma once
// The stages of analyse(), in the order of the flow. Each looks into the cache first and leaves its result there.
//
//   source -> head -> rows of every method -> heatmaps
//                 \-> curves against n, measured on samples
//          \-> the table of all heads
//          \-> theory: exact curves, on a thread of its own beside all of these

#include "core/analysis/analysis_cache.h"
#include "core/analysis/length_statistics.h"
#include "core/statistics/measures.h"

namespace attnscope {

/// Above this n the mean row (a third look at every weight) is left out: it is then absent.
constexpr std::int64_t mostKeysForMatrixStatistics = 8192;

/// Of how many rows a preview solves for the multiplier that keeps the entropy; else it is rowsToSolveOn().
constexpr std::int64_t rowsForPreview = 128;

/// What every stage reads.
struct Stage {
    Scenario scenario;  ///< with n, d and the region as they are taken
    std::stop_token stop;
    AnalysisCache& cache;
    const Engine& engine;
    BoundMeasure measure;
    std::function<void(double)> progress;  ///< may be empty

    bool stopped() const { return stop.stop_requested(); }
};

template <class Value>
using Shared = std::shared_ptr<const Value>;

Result<Shared<Source>> sourceStage(Stage& stage);
Result<Shared<AttentionHead>> headStage(Stage& stage, const Shared<Source>& source);

/// Query rows that a preview looks at: the middle row of every pixel row.
std::vector<std::int64_t> previewRows(const Region& region, int pixels);

/// The rows of all methods that are not remembered yet, in one call of the engine per block of rows. `head` is `whole`
/// or, in a preview, its sampled rows.
Result<std::vector<Shared<MethodRows>>> rowsStage(Stage& stage, const AttentionHead& head, const AttentionHead& whole);

/// Is the heatmap of a mean over heads made of all of them at once? The largest cell of a mean is no mean over the
/// heads' maps; a preview's pixels are single cells.
bool needsJointMap(const Scenario& scenario);
/// That heatmap, of one method.
Result<void> addJointMap(Stage& stage, MethodAnalysis& mean, std::span<const MethodAnalysis> methods,
                         std::span<const Shared<AttentionHead>> heads);

/// Entropy of the mean row and mutual information, where n is not too large.
Result<void> addMatrixStatistics(Stage& stage, MethodAnalysis& result, const AttentionHead& head);

/// The chosen row of every method, alone: the rows before it may have no value, or be many.
Result<void> addChosenRows(Stage& stage, std::vector<MethodAnalysis>& methods, const AttentionHead& head);
/// By rank, and how far it is from the first method's.
void compareChosenRows(Analysis& analysis);

/// The heatmap of one method; `head` is the sampled one in a preview.
Result<Shared<PooledMap>> mapStage(Stage& stage, const AttentionHead& head, const Choice& method,
                                   const MethodRows& rows);

/// The heads that are looked at: one, or those whose mean is shown.
std::vector<int> headsOf(const TensorSelection& tensors);

/// The words of a method: label, formula with numbers, which n it counts. `head`: what row n of the scenario sees, or
/// null.
void describe(MethodAnalysis& result, const Scenario& scenario, const Choice& method, const AttentionHead* head);

/// Everything but curves and theory: the methods' rows, heatmaps and chosen rows, of one head or as the mean over
/// several; and the table of heads.
Result<void> addPictures(Stage& stage, Analysis& analysis, const Shared<Source>& source);

/// Whether curveStage would have nothing to compute.
bool knowsCurves(const Stage& stage);

/// Each method at the lengths of the curve, on the rows of curve_sample.h.
Result<std::vector<Shared<MethodCurves>>> curveStage(Stage& stage);

/// What theory says about a scenario.
struct Theory {
    std::string law;                            ///< empty: nothing
    std::vector<Shared<TheoryCurves>> methods;  ///< empty without a law
    std::vector<std::optional<ExpectedAtLength>>
        expected;                            ///< of the methods, where there are no queries and keys; else empty
    std::optional<double> entropyAtTrained;  ///< the expected entropy of N under m = 1, of the rows that count
    std::optional<double> keepsEntropy;      ///< the multiplier that keeps it at n
    std::string note;                        ///< why there is no exact curve, where there could be one; else empty
    std::string lacks;  ///< without queries and keys: what of the scenario theory does not cover, "positions: RoPE"
};

/// From the density of the source. Nothing where the source has none, or where theory does not know the measure, the
/// normaliser, the mask or the positions. Runs beside the other stages: of the cache it touches `theory` alone.
Result<Theory> theoryStage(const Stage& stage, const Source& source);

/// Every head of a file under the first method.
Result<Shared<std::vector<HeadAnalysis>>> headsStage(Stage& stage, const Source& source);

/// Remembers what measuredMultiplier solved: the multiplier at which the first n tokens of a head have the mean entropy
/// of N. `headKey` says which head it is. Errors: Undefined where none does; Cancelled.
/// `rows`: whose entropy that is.
Result<double> solveMultiplier(const Stage& stage, const SampleKey& headKey, const AttentionHead& head, double n,
                               RowSet rows = {});

/// The scale of one method for some rows of a head over its first n keys. entropy_measured solves on `whole`, the head
/// with all of its rows, which `wholeKey` names.
Result<RowScales> scalesOf(const Stage& stage, const AttentionHead& head, const Choice& method, const RowRange& rows,
                           const AttentionHead& whole, const SampleKey& wholeKey);

/// Cells of a map: one for every query and key of the region, or at most `pixels` a side.
struct MapCells {
    Region region;
    int pixels = 512;
    Pool pool = Pool::Mean;
    bool preview = false;
};
/// Of rows that were summarised over all keys with these scales. Errors: those of Engine::pool.
Result<PooledMap> mapOf(const Engine& engine, const AttentionHead& head, const Choice& normaliser,
                        std::span<const double> scale, const std::vector<RowSummary>& rows, const MapCells& cells,
                        const std::stop_token& stop);

std::vector<NormaliserState> statesOf(const std::vector<RowSummary>& rows);

/// What the means of pictures speak of.
std::span<const RowSummary> countedRows(const MethodAnalysis& method);
/// Entropy, View::measure, largest weight and top 4 of a method, over these rows.
void setMeans(MethodAnalysis& method, std::span<const RowSummary> rows, const BoundMeasure& measure);

}  // namespace attnscope
