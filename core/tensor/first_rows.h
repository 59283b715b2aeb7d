#pragma once
// The beginning of a matrix, copied on all cores: at n = 131 072 a matrix of queries is 32 MB, and most of what copying it
// costs is that the system hands out fresh pages.

#include "core/base/parallel.h"
#include "core/tensor/head_set.h"

#include <algorithm>

namespace attnscope {

/// Rows 0 .. rows - 1.
inline Matrix firstRows(const Matrix& all, std::int64_t rows)
{
    constexpr std::int64_t atATime = 1024;
    Matrix first(rows, all.cols());
    forEachInParallel((rows + atATime - 1) / atATime, 1, [&](std::int64_t block) {
        const std::int64_t begin = block * atATime, count = std::min(atATime, rows - begin);
        first.middleRows(begin, count) = all.middleRows(begin, count);
    });
    return first;
}

}  // namespace attnscope
