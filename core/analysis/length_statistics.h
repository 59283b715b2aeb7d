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
#include "core/rows/measured_multiplier.h"
#include "core/rows/row_scales.h"
#include "core/rows/rows.h"
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
    std::string absent = {};            ///< not empty: why the method has no value here; scale and rows are then empty
    std::string partly = {};            ///< not empty: why some of the rows have none, and how many
    std::vector<double> scale = {};     ///< m_i / tau of the queries 0 .. rows.size() - 1, or noScale
    std::vector<RowSummary> rows = {};  ///< of the same queries, over the first n keys
    std::vector<std::optional<RowDistance>> fromFirst =
        {};  ///< of the same queries; absent where either method has no weights
    std::optional<MatrixStatistics> matrix = {};
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

/// Errors: InvalidArgument where the heads have fewer than n tokens.
Result<void> checkLength(const HeadSet& heads, std::int64_t n);

}  // namespace attnscope
