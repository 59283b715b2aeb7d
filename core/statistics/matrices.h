#pragma once
// Of a whole attention matrix with renormalised rows p_i: the mean row p = (1/m) sum p_i, its entropy, and the mutual
// information between a query drawn at random and the key it looks at, I = H(p) - (1/m) sum H(p_i) >= 0 (nats).

#include "core/attention/row_summary.h"
#include "core/tensor/head_set.h"

#include <optional>
#include <span>

namespace attnscope {

/// -sum p ln p of a row renormalised to sum 1; no value where it has no mass.
std::optional<double> entropyOf(std::span<const double> weights);

/// Mean entropy of softmax(m z) over the rows z of finite logits, nats.
double meanSoftmaxEntropy(const Matrix& logits, double m);

struct MatrixStatistics {
    double meanRowEntropy = 0;     ///< H(p)
    double mutualInformation = 0;  ///< I; rounding never makes it negative
};

/// `meanRow` as engine.h's meanRow gives it, over the rows with mass. No value where no row has any.
std::optional<MatrixStatistics> matrixStatistics(std::span<const double> meanRow, std::span<const RowSummary> rows);

/// sigma of Prop. 3.1's bound (core/theory/bounds.h, largestGap): the root of the largest eigenvalue of W^T W.
double largestSingularValue(const Matrix& weights);

}  // namespace attnscope
