#pragma once
// The check that anyone can run: draw rows, normalise them, average a measure. The logits of a row are (m / tau) r x_j
// with the x_j independent (core/theory/logit_density.h), so no queries and keys are made; a row over n keys is the
// beginning of the same row over more keys, so one stream of x serves all lengths; and every method scales the same x
// (common random numbers), so methods differ by less than their standard errors say.

#include "core/base/choice.h"
#include "core/statistics/samples.h"
#include "core/theory/logit_density.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Keys of a drawn row: each is a float in memory.
inline constexpr std::int64_t longestSampled = std::int64_t{1} << 26;

struct MonteCarloRequest {
    LogitDensity density;
    std::vector<std::int64_t> n;              ///< lengths, 1 .. longestSampled, in any order
    std::vector<std::vector<double>> lambda;  ///< [method][length]: the factor on q.k
    Choice normaliser{"softmax", {}, {}};
    Choice measure{"shannon", {}, {}};  ///< of core/statistics; or `needle`: the needle's share of the row
    int rows = 4096;                    ///< rows drawn
    std::uint64_t seed = 1;
    bool parallel = true;
};

/// A mean whose error is worked out from the rows that were drawn: where few of them carry it, rarer ones that were not
/// drawn may carry more, and it says nothing of those.
struct DrawnMean : SampleMean {
    double effective = 0;  ///< number of rows that carry it, (sum |x|)^2 / sum x^2: all where all have the same value
    bool ofFew() const { return effective < fewRows && 2 * effective < static_cast<double>(count); }
    static constexpr double fewRows = 30;
};

/// [method][length], over the rows that have a value. The same numbers on one thread or many. Errors: UnknownName,
/// InvalidArgument, Cancelled.
Result<std::vector<std::vector<DrawnMean>>> monteCarlo(const MonteCarloRequest& request, std::stop_token stop);

}  // namespace attnscope
