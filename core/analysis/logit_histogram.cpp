#include "core/analysis/logit_histogram.h"

#include "core/attention/row_detail.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

double LogitHistogram::mode() const
{
    return centre(static_cast<size_t>(std::max_element(share.begin(), share.end()) - share.begin()));
}

Result<LogitHistogram> logitHistogram(const AttentionHead& head, const Choice& normaliser, double scale,
                                      std::span<const std::int64_t> rows, double low, double high, int bins)
{
    if (rows.empty() || bins < 1 || !(low < high) || !(scale != 0))
        return failure(ErrorKind::InvalidArgument, "a histogram needs rows, bins, a scale and a range");
    LogitHistogram histogram{low, high, std::vector<double>(static_cast<size_t>(bins))};
    for (const std::int64_t row : rows) {
        const RowDetail detail = TRY(rowDetail(head, normaliser, row, head.keyCount, scale));
        double mass = 0;
        for (const double weight : detail.weights)
            mass += weight;
        for (size_t i = 0; i < detail.logits.size() && mass > 0; ++i) {
            const double bin = std::floor((detail.logits[i] / scale - low) / (high - low) * bins);
            if (bin >= 0 && bin < bins)
                histogram.share[static_cast<size_t>(bin)] +=
                    detail.weights[i] / mass / static_cast<double>(rows.size());
        }
    }
    return histogram;
}

}  // namespace attnscope
