#include "core/attention/attend_row.h"

#include "core/attention/row_logits.h"

#include <cmath>

namespace attnscope {

void attendRow(const AttentionHead& head, std::int64_t row, double scale, const Normaliser& normaliser,
               const Parameters& parameters, const MatrixView& values, Eigen::Ref<Eigen::RowVectorXf> output)
{
    output.setZero();
    if (std::isnan(scale))
        return;
    thread_local RowLogits logits;
    readRowLogits(head, row, head.keyCount, scale, logits);
    const NormaliserState state = normaliser.solve(logits.logits, parameters);
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(output.size());
    for (std::int64_t index = 0; index < std::ssize(logits.logits); ++index)
        if (const double w = normaliser.weight(logits.logits[static_cast<size_t>(index)], state, parameters); w != 0)
            sum += w * values.row(logits.key(index)).cast<double>();
    output = sum.cast<float>();
}

}  // namespace attnscope
