#pragma once
// Normalisers that heads can learn with: those of the registry, with the way back.

#include "core/base/choice.h"
#include "core/learn/set_attention.h"

namespace attnscope {

/// Errors: UnknownName, and those of validate().
Result<learn::RowFunction> trainedRows(const Choice& normaliser);

}  // namespace attnscope
