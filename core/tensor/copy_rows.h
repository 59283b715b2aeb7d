#pragma once
// Rows of matrices, copied on all cores: at n = 131 072 a matrix of queries is 32 MB, and most of what copying it costs
// is that the system hands out fresh pages.

#include "core/base/parallel.h"
#include "core/tensor/head_set.h"

#include <algorithm>

namespace attnscope {

/// Of matrices of the same shape.
inline void copyRows(const MatrixView& from, Eigen::Ref<Matrix> to)
{
    constexpr std::int64_t atATime = 1024;
    forEachInParallel((from.rows() + atATime - 1) / atATime, 1, [&](std::int64_t block) {
        const std::int64_t begin = block * atATime, count = std::min(atATime, from.rows() - begin);
        to.middleRows(begin, count) = from.middleRows(begin, count);
    });
}

/// Rows 0 .. rows - 1.
inline Matrix firstRows(const MatrixView& all, std::int64_t rows)
{
    Matrix first(rows, all.cols());
    copyRows(all.topRows(rows), first);
    return first;
}

/// `below` under `above`, as wide as it.
inline Matrix stacked(const MatrixView& above, const MatrixView& below)
{
    Matrix both(above.rows() + below.rows(), above.cols());
    copyRows(above, both.topRows(above.rows()));
    copyRows(below, both.bottomRows(below.rows()));
    return both;
}

}  // namespace attnscope
