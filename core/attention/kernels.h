#pragma once
// Kernels: how a query and a key become the number z that scale methods multiply. Each is a factor on the queries and
// one on the keys, row by row, so that z stays an inner product whatever the engine.
//
//   dot:     z = q.k / sqrt(d)            cosine:  z = alpha q.k / (|q| |k|)

#include "core/base/choice.h"
#include "core/tensor/head_set.h"

#include <span>

namespace attnscope {

struct Kernel : Entry {
    void (*prepareQueries)(Matrix& queries, const Parameters&);  ///< (m, d), in place
    void (*prepareKeys)(Matrix& keys, const Parameters&);        ///< (n, d), in place; null: keys stay as they are
};

std::span<const Kernel> kernels();

bool isDotProduct(const Choice& kernel);
bool isCosine(const Choice& kernel);

}  // namespace attnscope
