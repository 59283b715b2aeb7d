#pragma once
// How quantised weights are multiplied: widened, exactly, a panel at a time, in float32; or, where their blocks are of
// 32 integers and a scale (Q8_0, Q4_0), as those integers, with what they are multiplied with rounded to eight bits. As
// llama.cpp does: several times as fast, and a product is off by about half a percent (root mean square).

#include "core/base/error.h"

namespace attnscope {

enum class Products { Exact, Integers };

/// Of the process, for whoever opens models, before one runs. Errors: Unavailable, where the processor has no such
/// instructions.
Result<void> useProducts(Products products);

}  // namespace attnscope
