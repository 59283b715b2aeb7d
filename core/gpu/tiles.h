#pragma once
// Row statistics and pixels by compute shaders (resources/shaders). Plain structs go in and out; what they mean for a
// head of attention is core/attention/opengl's business.
//
// A block is 256 query rows, a tile their products with 4096 keys: 4 MB of float32, which stays in the cache of most
// devices, is a small part of the smallest storage block that OpenGL 4.3 allows (16 MB), and is about a millisecond of
// work on a small device. Between tiles a stop is looked for, with at most one tile in flight. For each tile
//
//   products     z = q.k, 64 x 64 a workgroup; positions are already in q and k. Done once for all tracks.
//   statistics   once for each track (a set of scales): one workgroup a row, two looks at z. The sums of a track go
//                from slot to slot: a slot for each prefix that somebody asked for, so nested prefixes cost nothing
//                more.
//   pixels       or: the weights, summed over the keys of each column of pixels.
//
// The keys are uploaded once, and a shader sees one tile of them at a time, so any n fits. Only sums come back: 108
// bytes a row and slot, or a number a row and column of pixels.

#include "core/gpu/device.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope::gpu {

constexpr int blockRows = 256;
constexpr int tileKeys = 4096;
constexpr int topCount = 16;
constexpr int sinkCount = 4;

/// x = softCap(scale z) - slope |position - key|, for keys [0, sinkEnd) and [begin, end). Laid out as rows.glsl has it.
struct Row {
    float scale = 0;
    float beta = 1;  ///< statistics: e = exp(beta (x - largest)); pixels: w = exp(beta x - shift)
    float shift = 0;
    std::int32_t position = 0, sinkEnd = 0, begin = 0, end = 0;
};

/// Statistics of a row's keys, as statistics.comp has it. e = 2^v, v = log2(e) beta (x - largest).
struct Sums {
    float largest, smallest, product;
    std::int32_t argmax;
    float e, ev, squares, roots, powers, distances, sinks;
    float top[topCount];
};

/// The keys of a head, borrowed. Without keys (d = 0) the query rows hold finished products.
struct KeyView {
    const float* keys = nullptr;     ///< (keyCount, d)
    const float* farKeys = nullptr;  ///< (keyCount, d), for distances of at least `cap`; null: none
    std::int64_t keyCount = 0;
    int d = 0;
    std::int64_t cap = 0;
    float softCap = 0, slope = 0;
};

/// Up to 256 query rows, borrowed.
struct QueryView {
    const float* near = nullptr;    ///< (count, d), or (count, keyCount) finished products
    const float* before = nullptr;  ///< (count, d), for far keys before the query
    const float* after = nullptr;   ///< and after it; null: there are none
    int count = 0;
};

/// Adds keys [begin, end) under the scales of `track` to the sums of slot `source` (-1: to nothing) and leaves them in
/// `target`.
struct Step {
    int track = 0;
    std::int64_t begin = 0, end = 0;
    int source = -1, target = 0;
};

class Tiles {
public:
    struct Buffers;
    /// Uploads the keys. Errors: Unavailable.
    static Result<Tiles> open(const KeyView& head);
    Tiles(Tiles&&) noexcept;
    ~Tiles();

    /// rows: (tracks, 256). Steps: those of a track in order, and sources before what they lead to. (slots, 256).
    /// Errors: Unavailable, Cancelled.
    Result<std::vector<Sums>> statistics(const QueryView& queries, std::span<const Row> rows,
                                         std::span<const Step> steps, int slots, double order,
                                         const std::stop_token& stop);
    /// columns: first key of each column of pixels, rising, and the end of the last. (count, columns).
    /// Errors: Unavailable, Cancelled.
    Result<std::vector<float>> pixels(const QueryView& queries, std::span<const Row> rows,
                                      std::span<const std::int32_t> columns, bool largest, const std::stop_token& stop);

private:
    Tiles(KeyView head, std::unique_ptr<Buffers> buffers);
    KeyView m_head;
    std::unique_ptr<Buffers> m_buffers;
};

}  // namespace attnscope::gpu
