#pragma once
// The scale method entropy_measured within a model: a multiplier for every head, which brings the mean entropy of its
// rows at n back to that of the same text's first N tokens, where the multiplier is 1. The heads are measured in force:
// a layer sees what the layers below make of their own multipliers.

#include "core/base/error.h"
#include "core/model/architecture.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct HeadMultipliers {
    double trainLength = 1;    ///< N
    std::vector<double> keys;  ///< numbers of keys that a row sees, rising, above N; none: all multipliers are 1
    std::vector<std::vector<std::vector<double>>> values;  ///< layer, head, for each of `keys`

    /// 1 up to N keys; linear in ln(keys) between those that were measured; the last beyond them.
    double at(int layer, int head, double keysSeen) const;

    std::vector<std::vector<bool>> without = {};  ///< layer, head: no multiplier brings it back, and it keeps m = 1
    std::string why = {};                         ///< of the first of them
    /// "7 of 36 heads have no multiplier that keeps their entropy and run with m = 1; the first of them: ..."; or
    /// empty.
    std::string note() const;
};

struct Model;
struct Policy;

struct MeasureRequest {
    std::int64_t last = 0;  ///< rows of a window that count, as countedOf() has it
    int windows = 2;        ///< at most, of n tokens, as far apart as the text allows; multipliers are their mean
    std::string engine = "auto";
    std::stop_token stop;
};

/// The policy as if its method had measured 1 everywhere: what resolve() needs to check the rest of it.
Policy toBeMeasured(Policy policy, const Architecture& architecture);

/// The policy with its heads measured at n on these ids, where its method asks for that; any other as it is. A head
/// whose entropy no multiplier brings back keeps 1, and the multipliers' note counts it. Errors: Cancelled, those of
/// spreadWindows, resolve and Sequence::append.
Result<Policy> withMeasuredHeads(const Model& model, Policy policy, std::span<const int> ids, std::int64_t n,
                                 const MeasureRequest& request);

}  // namespace attnscope
