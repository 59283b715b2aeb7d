#pragma once
// Attention of one head over its first n tokens, for several n and several scale methods at once: what the paper
// figures call "entropy against n". All (method, n) are passes of one engine call, so the products q.k are computed
// once. Entropies are in nats.
//
// The first n tokens are the first n keys and the queries that belong to them (queriesWithin): whoever looks at a part
// of a sequence asks here. Curves look at those of them that see about n keys (curve_sample.h).

#include "core/attention/attention_head.h"
#include "core/attention/engine.h"
#include "core/attention/row_summary.h"
#include "core/base/choice.h"
#include "core/base/error.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/matrices.h"
#include "core/statistics/measures.h"
#include "core/statistics/pairs.h"
#include "core/statistics/samples.h"
#include "core/tensor/head_set.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct LengthRequest {
    AttentionSpec attention;
    std::vector<Choice> methods;
    std::vector<std::int64_t> lengths;  ///< n; each from 1 to the number of keys
    double nTrain = usualTrainLength;   ///< N
    double temperature = 1;             ///< tau
    SummaryExtras extras = {};
    std::string engine = automaticEngineId;  ///< of engines(), or that
    std::function<Result<double>(double n)> measured =
        {};                  ///< solves for entropy_measured; empty: measuredMultiplier, on all rows
    bool distances = false;  ///< also of every row, how far it is from the first method's: O(n^2 d) in double precision
    bool matrices = false;   ///< also of every matrix, its mean row's entropy and the mutual information
};

/// One method at one length.
struct LengthStatistics {
    size_t method = 0;  ///< index into LengthRequest::methods
    std::int64_t n = 0;
    std::string absent;            ///< not empty: why the method has no value here; scale and rows are then empty
    std::string partly;            ///< not empty: why some of the rows have none, and how many
    std::vector<double> scale;     ///< m_i / tau of the queries 0 .. rows.size() - 1, or noScale
    std::vector<RowSummary> rows;  ///< of the same queries, over the first n keys
    std::vector<std::optional<RowDistance>>
        fromFirst;  ///< of the same queries; absent where either method has no weights
    std::optional<MatrixStatistics> matrix;
};

/// Every method at every length, methods outermost. Errors: InvalidArgument (a head or a length that is not there, a
/// temperature not above 0), UnknownName, Unavailable, Cancelled.
Result<std::vector<LengthStatistics>> lengthStatistics(const HeadSet& heads, int head, const LengthRequest& request,
                                                       std::stop_token stop);
/// The same of a head that has been prepared with the request's attention, of size d.
Result<std::vector<LengthStatistics>> lengthStatistics(const AttentionHead& head, int d, const LengthRequest& request,
                                                       std::stop_token stop);
/// The head size d as scale methods count it, of finished logits too.
int sizeOfHeads(const HeadSet& heads);

/// How many of the queries, from the first on, belong to the first n tokens. Queries are the last of the keys'
/// positions, and those below n belong; where there are fewer or more of them than keys and the mask does not look at
/// positions they are another sequence, and all belong.
std::int64_t queriesWithin(std::int64_t queries, std::int64_t keys, const Choice& mask, std::int64_t n);
std::int64_t queriesWithin(const AttentionHead& head, std::int64_t n);

/// What a method needs besides the head: see ScaleContext.
struct ScaleSetting {
    double nTrain = usualTrainLength;
    double temperature = 1;
    int d = 64;
    std::function<Result<double>(double n)> measured;  ///< empty where there are no tensors
};

/// m_i / tau of queries, and noScale for those that see no key or for which the method has no value.
struct RowScales {
    std::vector<double> scale;
    std::string partly;  ///< not empty: "2 of 512 rows have no value: ", and why the first of them has none; or that m
                         ///< is interpolated
    std::string absent = {};  ///< not empty: why the method has a value for none of them; `scale` is then empty
};

/// Of the head's queries [firstRow, rowEnd) over its first n keys. Errors: those of bindScale and of the method.
Result<RowScales> rowScales(const AttentionHead& head, const Choice& method, const ScaleSetting& setting,
                            std::int64_t n, std::int64_t firstRow, std::int64_t rowEnd);

/// Solves on these tensors: the multiplier m for which the mean row entropy of the first n tokens is that of the first
/// N tokens under m = 1, at the same temperature. Means are over all rows, or over at most `mostRows` of them, evenly
/// spread. Remembers what it has solved; `head` must outlive it. Errors of the result: Undefined where the head has
/// fewer than N or n tokens or no multiplier reaches that entropy; Cancelled.
std::function<Result<double>(double n)> measuredMultiplier(const AttentionHead& head, const Choice& normaliser,
                                                           double nTrain, double temperature, const Engine& engine,
                                                           std::stop_token stop, std::int64_t mostRows = 0);

/// Of how many rows a head's multiplier is solved at n tokens, which takes a dozen looks: 0, all, up to 2 048 tokens;
/// then 512.
constexpr std::int64_t rowsToSolveOn(std::int64_t n) { return n > 2048 ? 512 : 0; }

/// For rows of every length up to `longest`: asks `measured` at N 2^(k/4) and at `longest` alone, and interpolates
/// linearly in ln n between them.
std::function<Result<double>(double n)> betweenSolvedLengths(std::function<Result<double>(double n)> measured,
                                                             double nTrain, double longest);

/// Errors: InvalidArgument where the heads have fewer than n tokens.
Result<void> checkLength(const HeadSet& heads, std::int64_t n);

/// Over the rows that have a value.
SampleMean meanOverRows(const std::vector<RowSummary>& rows,
                        const std::function<std::optional<double>(const RowSummary&)>& value);

/// Over the rows whose value is finite.
SampleMean finiteMean(const std::vector<RowSummary>& rows, const BoundMeasure& measure);
/// The same of Shannon's entropy, nats.
SampleMean entropyMean(const std::vector<RowSummary>& rows);

}  // namespace attnscope
