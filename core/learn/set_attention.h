#pragma once
// Attention of one query a set, in steps that one may come between: logits, weights by any function of a row, their
// sums.

#include "core/learn/operations.h"

#include <functional>
#include <span>

namespace attnscope::learn {

/// logits (sets, n): q (sets, d) with each of the n rows of its set in h (sets n, d), one set after another.
Var setLogits(Tape& tape, Var q, Var h);

/// (sets, d): the rows of each set in h (sets n, d) summed with the weights p (sets, n).
Var setSums(Tape& tape, Var p, Var h);

/// y = f(z) of a row, and g = dL/dz in place of dL/dy.
struct RowFunction {
    std::function<void(std::span<const double> z, std::span<double> y)> value;
    std::function<void(std::span<const double> z, std::span<const double> y, std::span<double> g)> back;
};
/// Row by row, in double precision.
Var mapRows(Tape& tape, Var z, RowFunction f);

/// H = -sum p ln p of each row of p, nats: (rows, 1). dH/dp = -(ln p + 1); of weights that are 0, as those outside a
/// sparse support, 0.
Var rowEntropies(Tape& tape, Var p);

}  // namespace attnscope::learn
