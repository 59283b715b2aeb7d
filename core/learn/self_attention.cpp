// Softmax attention over what each row sees, and its backward, some rows at a time. With z_ij = s_i q_i.k_j, L_i = ln
// sum_j e^z_ij, p_ij = e^(z_ij - L_i), o_i = sum_j p_ij v_j and g_i the gradient of o_i,
//
//     dv_j = sum_i p_ij g_i,   dz_ij = p_ij (g_i.v_j - g_i.o_i),
//     dq_i = s_i sum_j dz_ij k_j,   dk_j = sum_i dz_ij s_i q_i
//
// (Dao et al. 2022): of the forward pass only o and L are kept. Where the temperature follows the entropy, z' = beta(H)
// z takes the place of z in all of this, and with P = softmax(z) and H = -sum P ln(P + eps), since dH/dz_j = P_j (h_j -
// sum P h), h = -ln(P + eps) - P / (P + eps),
//
//     dz_ij = beta dz'_ij + beta'(H) (sum_k dz'_ik z_ik) P_ij (h_ij - sum_k P_ik h_ik);
//     eps = 0: h_ij - ... = -ln P - H
//
// A task is one key head of one sequence with all its query heads, so that nobody else adds to its dk and dv.

#include "core/arithmetic/arithmetic.h"
#include "core/learn/kernels/kernels.h"
#include "core/learn/parallel.h"
#include "core/learn/transformer.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr Index queriesOfTile = 64;

/// The keys [begin, end) that a row sees.
struct Seen {
    Index begin = 0, end = 0;
};

Seen keysOf(const SelfAttention& shape, Index set, Index row, Index n)
{
    Seen seen{0, shape.lengths.empty() ? n : shape.lengths[static_cast<std::size_t>(set)]};
    if (shape.causal)
        seen.end = std::min(seen.end, row + 1);
    if (shape.window > 0) {
        seen.begin = std::max<Index>(0, row - shape.window + 1);
        seen.end = std::min(seen.end, row + shape.window);
    }
    return seen;
}

/// Rows first .. first + count - 1 of all query heads of one key head, one head's after another's, against keys [from,
/// to).
class Tile {
public:
    Tile(const SelfAttention& shape, ConstMatrixView q, ConstMatrixView k, ConstMatrixView v, Index n, Index d)
        : m_shape(shape), m_q(q), m_k(k), m_v(v), m_n(n), m_d(d), m_group(shape.heads / shape.keyHeads)
    {
        m_stride = (n + 15) / 16 * 16;  // rows begin at multiples of 64 bytes
        const Index rows = m_group * queriesOfTile;
        m_queries = m_buffers[0].shape(rows, d).data();
        m_weights = m_buffers[1].shape(rows, m_stride).data();
        m_values = m_buffers[2].shape(rows, d).data();
    }

    /// The row's place in a matrix (batch n, heads d).
    template <class View>
    auto at(View& x, Index row) const
    {
        return x.data() + (m_set * m_n + place(row)) * x.cols() + queryHead(row) * m_d;
    }

    /// Where the tile's keys begin in a matrix (batch n, keyHeads d).
    template <class View>
    auto keyData(View& x) const
    {
        return x.data() + (m_set * m_n + m_from) * x.cols() + m_keyHead * m_d;
    }

    /// Takes the rows in and computes their logits.
    void begin(Index set, Index keyHead, Index first, Index count)
    {
        m_set = set, m_keyHead = keyHead, m_first = first, m_count = count;
        m_from = m_n, m_to = 0;
        for (Index i = 0; i < count; ++i) {
            const Seen seen = keysOf(m_shape, set, first + i, m_n);
            if (seen.begin >= seen.end)
                continue;
            m_from = std::min(m_from, seen.begin);
            m_to = std::max(m_to, seen.end);
        }
        m_from = std::min(m_from, m_to);
        gather(m_q, m_queries, true);
        product({m_queries, m_d, false}, keys(m_k, true), m_group * count, width(), m_d, m_weights, m_stride, false);
    }

    Index rows() const { return m_group * m_count; }
    Index width() const { return m_to - m_from; }
    Index queryHead(Index row) const { return m_keyHead * m_group + row / m_count; }
    Index place(Index row) const { return m_first + row % m_count; }
    float scale(Index row) const
    {
        return m_shape.scale.size() == 1 ? m_shape.scale[0] : m_shape.scale[static_cast<std::size_t>(place(row))];
    }
    float* weights(Index row) { return m_weights + row * m_stride; }
    float* values(Index row) { return m_values + row * m_d; }
    float* allValues() { return m_values; }

    /// The keys that the row sees, counted from the tile's first.
    Seen seen(Index row) const
    {
        const Seen all = keysOf(m_shape, m_set, place(row), m_n);
        return all.begin < all.end ? Seen{all.begin - m_from, all.end - m_from} : Seen{0, 0};
    }

    /// What the row does not see gets 0.
    void clearUnseen(float* weightsOfRow, Seen seen) const
    {
        std::fill(weightsOfRow, weightsOfRow + seen.begin, 0.0f);
        std::fill(weightsOfRow + seen.end, weightsOfRow + width(), 0.0f);
    }

    /// Rows of the heads in `x` to a block, times their scales if asked.
    void gather(ConstMatrixView x, float* block, bool scaled) const
    {
        for (Index row = 0; row < rows(); ++row) {
            const float* const from = at(x, row);
            const float factor = scaled ? scale(row) : 1.0f;
            for (Index j = 0; j < m_d; ++j)
                block[row * m_d + j] = factor * from[j];
        }
    }
    /// Keys or values of the tile.
    Operand keys(ConstMatrixView x, bool transposed = false) const { return {keyData(x), x.cols(), transposed}; }

    /// c (m, columns) = or += a b.
    static void product(Operand a, Operand b, Index m, Index columns, Index inner, float* c, Index stride,
                        bool accumulate)
    {
        if (m > 0 && columns > 0 && inner > 0)
            arithmetic().multiply(a, b, m, columns, inner, c, stride, accumulate);
    }
    Operand weightsOperand(bool transposed) const { return {m_weights, m_stride, transposed}; }
    Operand queriesOperand() const { return {m_queries, m_d, false}; }
    Index stride() const { return m_stride; }
    Index size() const { return m_d; }

private:
    const SelfAttention& m_shape;
    ConstMatrixView m_q, m_k, m_v;
    Index m_n, m_d, m_group, m_stride = 0;
    Index m_set = 0, m_keyHead = 0, m_first = 0, m_count = 0, m_from = 0, m_to = 0;
    Buffer m_buffers[3];
    float *m_queries = nullptr, *m_weights = nullptr, *m_values = nullptr;
};

/// What the temperature of a row rests on, before it: ln sum e^z, -sum P ln P, and beta with its slope at the entropy.
struct RowTemperature {
    float logSum = 0, plainEntropy = 0, beta = 1, slope = 0;
};

/// z becomes beta z.
RowTemperature sharpen(float* z, Index count, const InverseTemperature& beta, float* scratch)
{
    const float largest = kernels().largest(z, count, nullptr),
                sum = kernels().exponentials(z, count, largest, scratch);
    RowTemperature row;
    row.logSum = largest + std::log(sum);
    float mean = 0;
    for (Index j = 0; j < count; ++j)
        mean += scratch[j] * (z[j] - largest);
    row.plainEntropy = std::log(sum) - mean / sum;
    double entropy = static_cast<double>(row.plainEntropy);
    if (const float eps = static_cast<float>(beta.eps); eps > 0)
        for (Index j = 0; j < count; ++j)
            if (const float p = scratch[j] / sum; p > 0)
                entropy -= static_cast<double>(p * std::log1p(eps / p));
    const Jet jet = beta(entropy);
    row.beta = static_cast<float>(jet.value);
    row.slope = static_cast<float>(jet.slope);
    for (Index j = 0; j < count; ++j)
        z[j] *= row.beta;
    return row;
}

/// What eps adds to h = -ln P - 1: -ln(1 + eps / P) + eps / (P + eps).
float addedByEps(float p, float eps) { return p > 0 ? eps / (p + eps) - std::log1p(eps / p) : 0; }

/// dL/dz in place of dL/dz', by z.
void passTemperatureBack(const float* z, float* g, Index count, const RowTemperature& row, float eps)
{
    float along = 0, added = 0;
    for (Index j = 0; j < count; ++j)
        along += g[j] * z[j];
    along *= row.slope;
    for (Index j = 0; j < count && eps > 0; ++j)
        if (const float p = std::exp(z[j] - row.logSum); p > 0)
            added += p * addedByEps(p, eps);
    for (Index j = 0; j < count; ++j) {
        const float logWeight = z[j] - row.logSum, p = std::exp(logWeight);
        const float ofEps = eps > 0 ? addedByEps(p, eps) - added : 0;
        g[j] = row.beta * g[j] - along * p * (logWeight + row.plainEntropy - ofEps);
    }
}

struct Pass {
    SelfAttention shape;
    Index n, d;

    /// body(tile, set, key head) for every sequence and key head, and tiles of their rows in order.
    template <class Body>
    void operator()(ConstMatrixView q, ConstMatrixView k, ConstMatrixView v, const Body& body) const
    {
        forChunks(shape.batch * shape.keyHeads, 1, [&](Index task, Index, Index) {
            Tile tile(shape, q, k, v, n, d);
            body(tile, task / shape.keyHeads, task % shape.keyHeads);
        });
    }
    /// body() for tiles of rows.
    template <class Body>
    void forRows(Tile& tile, Index set, Index keyHead, const Body& body) const
    {
        for (Index first = 0; first < n; first += queriesOfTile) {
            tile.begin(set, keyHead, first, std::min(queriesOfTile, n - first));
            body();
        }
    }
};

}  // namespace

Var selfAttention(Tape& tape, Var q, Var k, Var v, SelfAttention shape)
{
    const Index n = tape.rows(q) / shape.batch, d = tape.columns(q) / shape.heads;
    assert(n * shape.batch == tape.rows(q) && tape.rows(k) == tape.rows(q) && tape.rows(v) == tape.rows(q));
    assert(tape.columns(k) == shape.keyHeads * d && tape.columns(v) == shape.keyHeads * d &&
           shape.heads % shape.keyHeads == 0);
    assert(shape.scale.size() == 1 || shape.scale.size() == static_cast<std::size_t>(n));
    const Pass pass{std::move(shape), n, d};
    const Var logSums = tape.constant(tape.rows(q), pass.shape.heads);

    const Var output = tape.node(tape.rows(q), tape.columns(q), {q, k, v}, [=, out = tape.nextNode()](Tape& t) {
        Buffer unwanted[3];
        const auto cleared = [&](Var x, Buffer& other) -> MatrixView {
            Tape::Slot slot = t.needsGradient(x) ? t.slot(x) : Tape::Slot{other.shape(t.rows(x), t.columns(x)), false};
            if (!slot.accumulate)
                slot.view.setZero();
            return slot.view;
        };
        MatrixView dq = cleared(q, unwanted[0]), dk = cleared(k, unwanted[1]), dv = cleared(v, unwanted[2]);
        const ConstMatrixView gradient = t.gradient(out), result = t.value(out), sums = t.value(logSums);
        pass(t.value(q), t.value(k), t.value(v), [&](Tile& tile, Index set, Index keyHead) {
            Buffer buffers[4];
            float* const dp =
                buffers[0].shape(pass.shape.heads / pass.shape.keyHeads * queriesOfTile, tile.stride()).data();
            float* const dz = buffers[1].shape(pass.shape.heads / pass.shape.keyHeads * queriesOfTile, d).data();
            float* const logits = pass.shape.beta ? buffers[2].shape(1, tile.stride()).data() : nullptr;
            float* const scratch = pass.shape.beta ? buffers[3].shape(1, tile.stride()).data() : nullptr;
            pass.forRows(tile, set, keyHead, [&] {
                tile.gather(gradient, tile.allValues(), false);
                Tile::product({tile.allValues(), d, false}, tile.keys(t.value(v), true), tile.rows(), tile.width(), d,
                              dp, tile.stride(), false);
                for (Index row = 0; row < tile.rows(); ++row) {
                    const Seen seen = tile.seen(row);
                    float *const p = tile.weights(row), *const g = dp + row * tile.stride();
                    const float logSum = sums(set * n + tile.place(row), tile.queryHead(row));
                    RowTemperature temperature;
                    if (pass.shape.beta && seen.begin < seen.end) {
                        std::copy(p + seen.begin, p + seen.end, logits);
                        temperature = sharpen(p + seen.begin, seen.end - seen.begin, pass.shape.beta, scratch);
                    }
                    kernels().exponentials(p + seen.begin, seen.end - seen.begin, logSum, p + seen.begin);
                    tile.clearUnseen(p, seen);
                    const float *const o = tile.at(result, row), *const go = tile.values(row);
                    float inner = 0;
                    for (Index j = 0; j < d; ++j)
                        inner += go[j] * o[j];
                    kernels().softmaxBack(p, g, tile.width(), inner, g);
                    if (temperature.beta != 1 || temperature.slope != 0)
                        passTemperatureBack(logits, g + seen.begin, seen.end - seen.begin, temperature,
                                            static_cast<float>(pass.shape.beta.eps));
                }
                Tile::product(tile.weightsOperand(true), {tile.allValues(), d, false}, tile.width(), d, tile.rows(),
                              tile.keyData(dv), dv.cols(), true);
                Tile::product({dp, tile.stride(), true}, tile.queriesOperand(), tile.width(), d, tile.rows(),
                              tile.keyData(dk), dk.cols(), true);
                std::fill(dz, dz + tile.rows() * d, 0.0f);
                Tile::product({dp, tile.stride(), false}, tile.keys(t.value(k)), tile.rows(), d, tile.width(), dz, d,
                              false);
                for (Index row = 0; row < tile.rows(); ++row) {
                    float* const to = tile.at(dq, row);
                    for (Index j = 0; j < d; ++j)
                        to[j] += tile.scale(row) * dz[row * d + j];
                }
            });
        });
    });

    MatrixView result = tape.fill(output), sums = tape.fill(logSums);
    const ConstMatrixView values = tape.value(v);
    pass(tape.value(q), tape.value(k), values, [&](Tile& tile, Index set, Index keyHead) {
        pass.forRows(tile, set, keyHead, [&] {
            Buffer inverses, scratch;
            float* const inverse = inverses.shape(1, tile.rows()).data();
            for (Index row = 0; row < tile.rows(); ++row) {
                const Seen seen = tile.seen(row);
                float* const z = tile.weights(row);
                float& logSum = sums(set * n + tile.place(row), tile.queryHead(row));
                inverse[row] = logSum = 0;
                if (seen.begin < seen.end) {
                    if (pass.shape.beta)
                        sharpen(z + seen.begin, seen.end - seen.begin, pass.shape.beta,
                                scratch.shape(1, tile.stride()).data());
                    const float largest = kernels().largest(z + seen.begin, seen.end - seen.begin, nullptr);
                    const float sum =
                        kernels().exponentials(z + seen.begin, seen.end - seen.begin, largest, z + seen.begin);
                    logSum = largest + std::log(sum);
                    inverse[row] = 1 / sum;
                }
                tile.clearUnseen(z, seen);
            }
            std::fill(tile.allValues(), tile.allValues() + tile.rows() * d, 0.0f);
            Tile::product(tile.weightsOperand(false), tile.keys(values), tile.rows(), d, tile.width(), tile.allValues(),
                          d, false);
            for (Index row = 0; row < tile.rows(); ++row) {
                float* const to = tile.at(result, row);
                for (Index j = 0; j < d; ++j)
                    to[j] = inverse[row] * tile.values(row)[j];
            }
        });
    });
    return output;
}

}  // namespace attnscope::learn
