#pragma once
// The operations of the tape. x is (rows, columns), one sample a row; every function returns a new node. Shapes must
// agree: that is the caller's to ensure (asserted).

#include "core/learn/tape.h"

#include <span>

namespace attnscope::learn {

// products
Var matmul(Tape& tape, Var a, Var b, bool transposeB = false);  ///< a b, or a b^T
Var linear(Tape& tape, Var x, Var weight, Var bias);  ///< x W^T + b: W (out, in), b (1, out); as torch.nn.Linear

// element by element
Var add(Tape& tape, Var a, Var b);  ///< b may be one row, added to every row of a
Var multiply(Tape& tape, Var a, Var b);
Var scale(Tape& tape, Var x, float factor);
Var square(Tape& tape, Var x);
Var gelu(Tape& tape, Var x);  ///< tanh form, as jax.nn.gelu and torch GELU("tanh")
Var relu(Tape& tape, Var x);
Var requ(Tape& tape, Var x);   ///< relu(x)^2 (Li et al. 2019)
Var requr(Tape& tape, Var x);  ///< relu(x)^2 - relu(x - 1/2)^2 (Yu et al. 2021)

/// y = f(x) element by element, for any function: `f(row, x)` returns {f, f'}. Slow; for losses.
struct Jet {
    double value = 0, slope = 0;
};
Var pointwise(Tape& tape, Var x, const std::function<Jet(Index element, double x)>& f);

/// Every element is 0 with probability `share`, else 1 / (1 - share) times itself, so that its mean stays (Srivastava
/// et al. 2014). Which ones are 0 is a function of seed and draw.
struct Dropout {
    double share = 0;
    std::uint64_t seed = 0, draw = 0;
};
Var dropout(Tape& tape, Var x, const Dropout& which);

// shape
Var reshape(Tape& tape, Var x, Index rows, Index columns);  ///< the same elements in the same order
Var columns(Tape& tape, Var x, Index first, Index count);   ///< a slice
Var mean(Tape& tape, Var x);                                ///< of all elements: 1 x 1
Var meanOfSets(Tape& tape, Var x, Index sets);  ///< of the rows of each set, one set after another: (sets, columns)

// normalisation: (x - mean) / sqrt(variance + eps) * gain + bias
Var layerNorm(Tape& tape, Var x, Var gain, Var bias, float eps = 1e-5f);  ///< over the columns of each row

// losses
/// Mean over the rows of -ln softmax(logits)[label]: 1 x 1.
Var softmaxCrossEntropy(Tape& tape, Var logits, std::span<const int> labels);

/// Softmax attention within each of `batch` sets and each of `heads`: q is (batch m, heads d), k (batch n, heads d), v
/// (batch n, heads e); the result (batch m, heads e) = softmax(scale q k^T) v.
struct AttentionShape {
    Index batch = 1;
    Index heads = 1;
    float scale = 1;
};
struct Attended {
    Var output;
    Var weights;  ///< (batch heads m, n), a constant: the rows of set 0 head 0 first
};
Attended attention(Tape& tape, Var q, Var k, Var v, const AttentionShape& shape);

}  // namespace attnscope::learn
