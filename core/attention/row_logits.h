#pragma once
// The logits of one row, x_ij = softCap(scale_i z_ij) - slope |t - j| + b(t, j) (attention_head.h), in double precision
// over the keys that the row sees. The definition that every engine is held against.

#include "core/attention/attention_head.h"

#include <cstdint>
#include <vector>

namespace attnscope {

struct RowLogits {
    VisibleKeys visible;
    std::vector<double> logits;  ///< of keys [0, sinkEnd), then [begin, end)

    std::int64_t key(std::int64_t index) const
    {
        return index < visible.sinkEnd ? index : index - visible.sinkEnd + visible.begin;
    }
};

/// x of one key, visible or not; -inf, a masked key, where it is not a number.
double logitOf(const AttentionHead& head, std::int64_t row, std::int64_t key, double scale);

/// What is left to do to x = scale z: soft-cap and bias.
double biasedLogit(const AttentionHead& head, std::int64_t row, std::int64_t key, double x);

/// The products z that the scale multiplies, in the place of the logits; on all cores where there are many.
void readRowProducts(const AttentionHead& head, std::int64_t row, std::int64_t prefix, RowLogits& out);

/// Overwrites `out`, so that a loop over rows allocates once.
void readRowLogits(const AttentionHead& head, std::int64_t row, std::int64_t prefix, double scale, RowLogits& out);

}  // namespace attnscope
