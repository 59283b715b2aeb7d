#pragma once
// analyse() turns a Scenario into an immutable Analysis: the one function that the window, the command line, the
// figures, the tests and the benchmarks call. Whatever a view draws is in here; a view computes nothing.

#include "core/analysis/curve.h"
#include "core/analysis/head_numbers.h"
#include "core/analysis/scenario.h"
#include "core/attention/row_detail.h"
#include "core/attention/row_summary.h"
#include "core/base/error.h"
#include "core/rows/rows.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/matrices.h"
#include "core/statistics/pairs.h"
#include "core/statistics/ranked_weights.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// What theory alone says of a method, without a row of attention: at the scenario's n.
struct ExpectedAtLength {
    double multiplier = 0;        ///< m
    double entropy = 0;           ///< E H at n, nats
    double entropyAtTrained = 0;  ///< E H at N under m = 1, nats
};

/// An entropy that differs from that of N by no more than this share of it is kept, roughly.
inline constexpr double keptShare = 0.1;

struct MethodAnalysis {
    Choice method;
    std::string label;   ///< "Softmax Plus (B = 64)"
    std::string worked;  ///< "m = ln 1024 / ln 512 = 1.111"
    Counts counts = Counts::Nothing;
    std::string absent;            ///< not empty: why the method has no value here; everything below is then empty
    std::string partly;            ///< not empty: why it has no value for some of the rows, and how many
    std::vector<double> scale;     ///< m_i / tau of the same rows as `rows`, or noScale
    std::vector<RowSummary> rows;  ///< over the n keys, of every query row, or in a preview of Analysis::sampledRows
    PooledMap map;
    RowDetail chosen;                  ///< the chosen row, keys in order; empty where the method has no value for it
    std::vector<RankedWeight> ranked;  ///< its p, which sum to 1, from the largest on
    RowSummary chosenSummary;          ///< of the same row, in a preview too
    std::optional<RowDistance> fromFirst;      ///< of the chosen row: KL(this | first method), total variation
    RowSpan counted;                           ///< the rows that the means speak of: View::rows
    RowMean entropy;                           ///< over them, nats
    RowMean measure;                           ///< over them, of View::measure
    RowMean largestWeight, top4Mass;           ///< over them
    Curve measured;                            ///< View::measure against n, from these queries and keys
    Curve exact;                               ///< its exact expectation, where the source has one; else empty
    Curve largest;                             ///< mean of the largest weight against n
    Curve top4, top16;                         ///< mean mass of the top k against n
    Curve needle;                              ///< mean p of the matching key against n, where the source has one
    Curve exactNeedle;                         ///< its exact expectation
    std::optional<ExpectedAtLength> expected;  ///< where there are no queries and keys, and the method has a value at n
    std::optional<MatrixStatistics>
        matrix;  ///< H of the mean row, mutual information; empty for large n and in previews
    std::optional<double> entropyAtTrained;  ///< mean entropy at N of the rows that count there, under m = 1
    std::optional<double> keepsEntropy;      ///< the multiplier that would keep it; empty: none does
    std::optional<Reach> keeps;              ///< how far from N the mean entropy stays within keptShare of it
};

/// An approximation that is no farther from the exact value of its law is close to it.
inline constexpr double closeNats = 0.05;

/// A paper's approximation of the expected entropy under the first method, against n.
struct ApproximationCurve {
    std::string id, label;
    Curve curve;
    bool ofSphere = false;    ///< beside Analysis::exactSphere, where the source's law is another
    std::vector<bool> close;  ///< of every point: to the exact value of the law that it is of
};

/// One head of a file under the first ticked method: a row of the heads' table.
struct HeadAnalysis {
    int head = 0;
    HeadNumbers numbers;
    PooledMap map;  ///< a thumbnail; empty where the method has no value
};

struct Analysis {
    Scenario scenario;  ///< what was asked for, n, d and row as they were taken
    std::int64_t queryCount = 0, keyCount = 0;
    int headCount = 1;
    std::int64_t needleKey = -1;            ///< the matching key of the chosen row, or -1
    std::vector<std::int64_t> sampledRows;  ///< of a preview: the query rows that were looked at, rising; else empty
    std::vector<std::string> tokens;        ///< a label a key, or empty
    std::vector<std::string> queryTokens;   ///< a label a query: its own, or the last keys'; or empty
    std::string theory;        ///< what the exact curves assume: "Gaussian q and k, d = 64"; empty: there are none
    std::string theoryLacks;   ///< why theory alone knows nothing here: "positions: RoPE"; else empty
    bool curvesCome = false;   ///< of a preview: curves against n are not known yet, and left out here
    bool theoryComes = false;  ///< the exact curves and all else of theory are still being computed, and left out here
    std::vector<MethodAnalysis> methods;
    std::vector<HeadAnalysis> heads;                 ///< for tensors
    std::vector<ApproximationCurve> approximations;  ///< where the source has a density and the measure is shannon
    Curve exactSphere;  ///< what those of the sphere approximate, where the source's law is another; else empty
    std::optional<double>
        theoryKeepsEntropy;          ///< the multiplier that keeps the expected entropy of N at n, of that density
    std::string failed;              ///< why there is nothing of this scenario; else empty
    std::vector<std::string> notes;  ///< what the reader should know: sampling, combinations that make no sense
    std::string engine;              ///< id of the engine that ran
    std::string ran;                 ///< what computed the pictures, where the engine was asked for by name; else empty
    double milliseconds = 0;         ///< of this call
};

/// Stages are memoised by the values that they depend on, so a new chosen row or a zoom recomputes only what it shows.
class AnalysisCache;

/// Errors: everything that a scenario can get wrong, and Cancelled.
Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop);

/// With what earlier calls computed, and a call of `progress` now and then with the fraction done. Theory is computed
/// beside the pictures; if it takes longer, `early` is called with everything else, so that pictures never wait for it.
/// One cache may be used from one call at a time.
Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop, AnalysisCache& cache,
                         const std::function<void(double)>& progress = {},
                         const std::function<void(const Analysis&)>& early = {});

/// The same for who is typing: methods that cannot be made ready, such as one whose formula is not whole yet, are
/// absent and say why; the others are there. Errors: those of analyse() where none can.
Result<Analysis> analyseWhatCan(const Scenario& scenario, std::stop_token stop, AnalysisCache& cache,
                                const std::function<void(double)>& progress = {},
                                const std::function<void(const Analysis&)>& early = {});

/// The first of its methods that has a value; null: none has.
const MethodAnalysis* firstPresent(const Analysis& analysis);

}  // namespace attnscope
