#pragma once
// Rows of weights themselves, where an engine's summaries do not tell enough.

#include "core/attention/engine.h"

#include <vector>

namespace attnscope {

/// Logits x and weights w of one row over the first `prefix` keys, double precision; masked keys are absent, and with
/// noScale all are.
struct RowDetail {
    std::vector<std::int64_t> keys;
    std::vector<double> logits;
    std::vector<double> weights;
};
/// Under each of these scales; the products q.k are made once.
Result<std::vector<RowDetail>> rowDetails(const AttentionHead&, const Choice& normaliser, std::int64_t row,
                                          std::int64_t prefix, std::span<const double> scales);
Result<RowDetail> rowDetail(const AttentionHead&, const Choice& normaliser, std::int64_t row, std::int64_t prefix,
                            double scale);

/// Column means of the renormalised rows (H of the mean row, mutual information need it): n doubles.
Result<std::vector<double>> meanRow(const AttentionHead&, const Choice& normaliser, std::span<const double> scale,
                                    std::span<const RowSummary> rows, std::stop_token);

}  // namespace attnscope
