#pragma once
// The inner loops of the fast engines, one table of plain functions for each instruction set. How they work together:
//
// A block is 64 query rows. Its logits are made a tile at a time: 64 rows by up to 256 keys, 64 KB of float32 that
// stays in the second-level cache between the four things done with it:
//
//   product     z = q.k, from a register block of keys by rows. The queries are stored across (d, 64), so that a packet
//               holds the same coordinate of 16 rows and no sum ever runs across lanes; keys are read as they lie.
//   mask        only on tiles that an edge of the mask crosses: what a row does not see becomes `unseen`.
//   rank        largest, smallest, and the 16 largest z. A row's order is the same for every scale > 0, so one ranking
//               serves all methods. Groups of 8 keys in which nothing exceeds the 16th so far are passed over whole;
//               else a packet of keys, one a row, goes through 16 maxima and minima at once.
//   accumulate  once for each set of scales: with v = (x - shift) / (2 ln 2) one exponential r = 2^v gives sqrt(p), and
//               p = r^2, up to a factor; six sums follow: p, p v, p^2, sqrt p, p |i - j| (and p^order when asked).
//
// Outputs, o = sum w v, need only the first two of these and
//
//   weigh       z becomes e = exp(x - shift), and its sum is taken: an online softmax (Milakov & Gimelshein 2018).
//   mix         o += e v, the same register block as `product`: e is stored across (keys, 64) as the queries were.
//
// A tile's sums are float32, 256 terms at most; a row's are double. The shift follows the running maximum, so nothing
// overflows. Products of one tile serve every pass of the call; equal scales serve every prefix.
//
// Each table lives in an object of its own, compiled for its instruction set. Only plain structs and pointers cross,
// and Eigen is renamed there, so that no function compiled for AVX-512 can be linked into code for an older machine.

#include <cstddef>
#include <cstdint>
#include <limits>

namespace attnscope::fast {

constexpr int blockRows = 64;
constexpr int tileKeys = 256;
constexpr int groupKeys = 8;
/// z of a key that a row does not see: the lowest number, so that a factor of 0 does not make a NaN of it. Rows that
/// may have such a z themselves are irregular (query_block.h).
constexpr float unseen = std::numeric_limits<float>::lowest();
constexpr int topCount = 16;

/// Order statistics of a block's z, so far.
struct alignas(64) Ranking {
    float smallest[blockRows];
    float top[topCount][blockRows];  ///< falling
    std::int64_t argmax[blockRows];  ///< first key of the largest z, or -1
};

/// Which powers of e are summed. Near order 1 only their differences from e tell anything: a sum of them over one of e
/// is 1 but for a few of float32's last digits.
enum class Powers { None, Plain, NearOne };

/// Sums over the keys of e = 2^(2v), v = a z - b; b is the row's shift.
struct alignas(64) Sums {
    double e[blockRows];
    double ev[blockRows];
    double squares[blockRows];    ///< e^2
    double roots[blockRows];      ///< 2^v
    double powers[blockRows];     ///< e^order, or e^order - e where the order is near 1
    double distances[blockRows];  ///< e |i - j|
};

/// An online softmax of 64 rows, e = 2^(a z - b), so far. In the beginning `largest` is unseen, the rest 0.
struct alignas(64) Online {
    float largest[blockRows];  ///< of the z that a row has seen, or unseen
    float b[blockRows];        ///< at most `slack` below the largest a z
    float factor[blockRows];   ///< by which the last tile has changed what was summed before it
    double total[blockRows];   ///< sum e
};

/// A tile's keys stand at first + stride c, c = 0..count-1.
struct Keys {
    std::int64_t first = 0;
    std::int64_t stride = 1;
    int count = 0;
};

/// Row by row, relative to the first key of a tile: a row sees c < sinkEnd and begin <= c < end.
struct alignas(64) Bounds {
    float sinkEnd[blockRows], begin[blockRows], end[blockRows];
};

/// Where a kernel takes `rows`, only the block's first rows are worked on: a token at a time is a block of one.
struct TileKernels {
    /// z[c][row] = sum over i of query[i][row] key[c * keyStride + i].
    void (*product)(const float* query, const float* key, std::ptrdiff_t keyStride, int d, int count, int rows,
                    float* z);
    /// z = unseen where the row does not see the key.
    void (*mask)(float* z, const Bounds&, float stride, int count, int rows);
    /// x = softCap(scale z) - slope |t - c stride|; largest[row] = max |scale z|. softCap = 0: none.
    void (*transform)(const float* z, const float* scale, const float* t, float stride, int count, int rows,
                      float softCap, float slope, float* x, float* largest);
    /// `tileLargest` [row]: largest z of this tile.
    void (*rank)(const float* z, Keys keys, bool masked, int rows, Ranking&, float* tileLargest);
    /// `t` [row]: position of the query relative to the tile's first key. Near order 1 `order` is what it has above 1.
    void (*accumulate)(const float* z, const float* a, const float* b, const float* t, float stride, int count,
                       int rows, Powers powers, float order, Sums&);
    /// losses[row] += sum p ln(1 + eps / p), p = 2^(2 (a z - b)), where b takes the row's whole sum away.
    void (*soften)(const float* z, const float* a, const float* b, int count, int rows, float eps, double* losses);
    /// pixels[pixelOf[c]][row] += (or max=) 2^(a z - b); pixelOf rises.
    void (*pixels)(const float* z, const float* a, const float* b, const int* pixelOf, int count, int rows,
                   bool largest, float* pixels);
    /// z = e; a > 0. Was anything seen so large that b moved? Then outputs summed so far are to be multiplied with
    /// `factor`.
    bool (*weigh)(float* z, const float* a, int count, int rows, Online&);
    /// out[x][row] = out[x][row] factor[row] + sum over c of e[c][row] value[c * valueStride + x], x < size. factor
    /// null: 1.
    void (*mix)(const float* e, const float* value, std::ptrdiff_t valueStride, int count, int size, int rows,
                const float* factor, float* out);
    /// What a tile must cost at least, for benchmarks: the product by Eigen's general matrix product, and Eigen's
    /// exponential of each z.
    void (*bound)(const float* query, const float* key, std::ptrdiff_t keyStride, int d, int count, float* z);
};

extern const TileKernels baselineKernels, avx2Kernels, avx512Kernels;

}  // namespace attnscope::fast
