#pragma once
// Normalisers that heads can learn with: those of the registry, with the way back.

#include "core/base/choice.h"
#include "core/learn/set_attention.h"

namespace attnscope {

/// Weights of a row as the registry has them. Back: where the weights are the gradient of a convex function of the logits, as those of
/// softmax, entmax and sigmoid are, their Jacobian is symmetric, so J^T g is the weights' derivative along g, a central difference in double
/// precision. Where the temperature follows the entropy, the formula of core/learn/self_attention.cpp.
/// Errors: UnknownName, InvalidArgument (a normaliser of neither kind).
Result<learn::RowFunction> trainedRows(const Choice& normaliser);

}  // namespace attnscope
