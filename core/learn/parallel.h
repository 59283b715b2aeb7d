#pragma once
// Work in chunks of a fixed size. What a chunk does depends on the size of the problem alone, never on the number of
// threads, and sums over chunks are taken in the order of the chunks: the same bits on one thread and on many.

#include "core/base/parallel.h"
#include "core/learn/matrix.h"

#include <algorithm>

namespace attnscope::learn {

/// body(begin, end, chunk) over [0, count) in chunks of `size`, on any thread, in any order.
template <class Body>
void forChunks(Index count, Index size, const Body& body)
{
    const Index chunks = (count + size - 1) / size;
    const auto one = [&](Index chunk) { body(chunk * size, std::min(count, (chunk + 1) * size), chunk); };
    if (chunks == 1)
        one(0);
    else if (chunks > 1)
        forEachInParallel(chunks, 1, one);
}

/// out = sum over chunks of what body(begin, end, part) writes to `part`, a matrix of out's shape; in the order of the
/// chunks.
template <class Body>
void sumChunks(Index count, Index size, MatrixView out, const Body& body)
{
    const Index chunks = (count + size - 1) / size;
    if (chunks <= 1) {
        body(Index{0}, count, out);
        return;
    }
    Buffer buffer;
    float* const parts = buffer.shape(chunks - 1, out.size()).data();
    forChunks(count, size, [&](Index begin, Index end, Index chunk) {
        body(begin, end, chunk == 0 ? out : MatrixView(parts + (chunk - 1) * out.size(), out.rows(), out.cols()));
    });
    for (Index chunk = 1; chunk < chunks; ++chunk)
        out += MatrixView(parts + (chunk - 1) * out.size(), out.rows(), out.cols());
}

}  // namespace attnscope::learn
