#pragma once
// The output of one row, o = sum over j of w_j v_j, in double precision: the definition, and what the fast engines fall
// back on where float32 cannot tell.

#include "core/attention/attention_head.h"
#include "core/attention/normaliser.h"

namespace attnscope {

/// `values` (n, d_v), `output` (d_v). A key without weight adds nothing, whatever its value; with noScale the output is
/// 0.
void attendRow(const AttentionHead& head, std::int64_t row, double scale, const Normaliser&, const Parameters&,
               const MatrixView& values, Eigen::Ref<Eigen::RowVectorXf> output);

}  // namespace attnscope
