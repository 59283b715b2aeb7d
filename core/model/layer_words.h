#pragma once
// What is said of a layer: what is special in it, in the words of a tooltip, and that there is none of this number.

#include "core/model/architecture.h"

#include <string>

namespace attnscope {

/// "RoPE, base 1e+06; window of 4096 keys; soft-cap 50; norms of queries and keys; 2 of 8 experts": positions, what it
/// sees, and what else it has of its own.
std::string layerInWords(const Architecture& architecture, int layer);

/// Errors: InvalidArgument, where there is no such layer.
Result<void> checkLayer(const Architecture& architecture, int layer);

}  // namespace attnscope
