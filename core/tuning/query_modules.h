#pragma once
// Where transformers computes a model's queries, and the hook there that multiplies them by a number a head.

#include "core/base/error.h"
#include "core/model/architecture.h"

#include <string>

namespace attnscope {

/// What stands first in the queries' tensor beside the batch.
enum class QueryAxes {
    Flat,         ///< (batch, tokens, heads * D and more)
    TokensFirst,  ///< (batch, tokens, heads, D)
    HeadsFirst    ///< (batch, heads, tokens, D)
};

struct QueryModule {
    std::string layers;  ///< an expression for the list of blocks, of `model`
    std::string module;  ///< one for the module, of `block`: what it gives is the queries, or begins with them
    QueryAxes axes = QueryAxes::Flat;
};

/// As modeling_*.py of transformers have it. Errors: Unavailable (no module gives them, or a norm or a bound comes
/// after it).
Result<QueryModule> queriesOf(const Architecture& architecture);

/// The lines of a hook (module, inputs, q) with a list m of a number a head and the size of a head D.
std::string hookOf(QueryAxes axes);

}  // namespace attnscope
