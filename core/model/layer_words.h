#pragma once
// What is special in a layer, in the words of a tooltip.

#include "core/model/architecture.h"

#include <string>

namespace attnscope {

/// "RoPE, base 1e+06; window of 4096 keys; soft-cap 50; norms of queries and keys; 2 of 8 experts": positions, what it
/// sees, and what else it has of its own.
std::string layerInWords(const Architecture& architecture, int layer);

}  // namespace attnscope
