#pragma once
// Where the weight of attention sits on the axis of logits: the histogram of z = q.k as the kernel gives it, each key
// counted with its weight. With the cosine kernel z / alpha is the cosine of the angle between query and key, and the
// histogram is InfoScale's figure 6; its mode is what eq. 18 predicts.

#include "core/attention/attention_head.h"
#include "core/base/error.h"

#include <span>
#include <vector>

namespace attnscope {

struct LogitHistogram {
    double low = 0, high = 1;
    std::vector<double>
        share;  ///< of the rows' weight in each of equal bins from low to high; sums to 1 less what lies outside
    double centre(size_t bin) const
    {
        return low + (high - low) * (static_cast<double>(bin) + 0.5) / static_cast<double>(share.size());
    }
    double mode() const;  ///< centre of the fullest bin
};

/// Mean over the given rows, each over all keys that it sees, at one scale m / tau. Errors: InvalidArgument (no rows,
/// no bins, low >= high), and those of rowDetail.
Result<LogitHistogram> logitHistogram(const AttentionHead& head, const Choice& normaliser, double scale,
                                      std::span<const std::int64_t> rows, double low, double high, int bins);

}  // namespace attnscope
