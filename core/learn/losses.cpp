#include "core/learn/operations.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

Var softmaxCrossEntropy(Tape& tape, Var logits, std::span<const int> labels)
{
    assert(static_cast<Index>(labels.size()) == tape.rows(logits));
    const Index rows = tape.rows(logits);
    const Var excess = tape.constant(rows, tape.columns(logits));  // softmax - onehot: the gradient, up to 1 / rows
    const Var loss = tape.node(1, 1, {logits}, [=, out = tape.nextNode()](Tape& t) {
        t.addGradient(logits, (t.gradient(out)(0, 0) / static_cast<float>(rows)) * t.value(excess));
    });
    MatrixView p = tape.fill(excess);
    const ConstMatrixView z = tape.value(logits);
    double sum = 0;
    for (Index row = 0; row < rows; ++row) {
        const int label = labels[static_cast<std::size_t>(row)];
        assert(label >= 0 && label < z.cols());
        const float largest = z.row(row).maxCoeff();
        p.row(row) = (z.row(row).array() - largest).exp();
        const float total = p.row(row).sum();
        sum += std::log(static_cast<double>(total)) + largest - z(row, label);
        p.row(row) /= total;
        p(row, label) -= 1;
    }
    tape.fill(loss)(0, 0) = static_cast<float>(sum / static_cast<double>(rows));
    return loss;
}

}  // namespace attnscope::learn
