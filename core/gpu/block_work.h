#pragma once
// One block of query rows on its way through the tiles of keys: what is dispatched for each. On the worker's thread.

#include "core/gpu/buffer.h"
#include "core/gpu/programs.h"
#include "core/gpu/tiles.h"

#include <algorithm>

namespace attnscope::gpu {

/// Keys [begin, end).
struct Keys {
    std::int64_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};

inline Keys common(Keys a, Keys b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// From the first key that any of these rows sees to the last.
Keys seenBy(std::span<const Row> rows);

/// What a head has on the device.
struct Tiles::Buffers {
    Buffer keys, farKeys;                                             ///< of all keys
    Buffer queries, before, after, rows, products, results, columns;  ///< of one block
    void giveBack();
};

class BlockWork {
public:
    BlockWork(const KeyView& head, Tiles::Buffers& buffers, const Programs& programs, const QueryView& queries,
              std::span<const Row> rows);
    /// z of the keys, all within one tile.
    void products(Keys keys) const;
    /// The keys, perhaps none, added to slot `source` (-1: to nothing) and left in the step's target.
    void statistics(const Step& step, int source, Keys keys, double order) const;
    void pixels(std::span<const std::int32_t> columns, bool largest, Keys keys) const;

private:
    class Uniforms;
    void multiply(const Buffer& queries, const Buffer& keys, Keys which, int sign, std::int64_t cap) const;
    Uniforms logits(unsigned program, Keys keys) const;

    const KeyView& m_head;
    Tiles::Buffers& m_buffers;
    const Programs& m_programs;
    const QueryView& m_queries;
    std::int64_t m_earliest, m_latest;  ///< positions
};

}  // namespace attnscope::gpu
