#pragma once
// The part of a decoder that looks and points (Kool et al. 2019), of one instance at a time: for a choice's query q a
// glimpse g at the nodes by several heads, and how much each node is pointed at. With d = w / heads and P_j = O^T L h_j
//
//     g = [softmax(m q_h K_h^T / sqrt d) V_h]_h,    u_j = c tanh x_j,  x_j = P_j . g / sqrt w,    p = softmax(u)
//
// over the nodes allowed. With weight a of a choice's ln p[node chosen] the way back is
//
//     du = a (onehot - p),   dx = du (c - u^2 / c),   dg = dx P / sqrt(w),   dP = dx^T g / sqrt(w),
//
// and through each head's softmax as in core/learn/attention.cpp: all choices of an instance in one product each.

#include "core/arithmetic/arithmetic.h"
#include "core/learn/matrix.h"
#include "core/tensor/head_set.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace attnscope {

using Index = Eigen::Index;

constexpr float forbidden = -std::numeric_limits<float>::infinity();

/// c = op(a) op(b), or += that, the sum over `inner` terms.
void multiply(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c, bool accumulate = false);
inline Operand plain(const MatrixView& x) { return {x.data(), x.outerStride(), false}; }
inline Operand transposed(const MatrixView& x) { return {x.data(), x.outerStride(), true}; }

/// Of an instance's nodes, (n, w) each: K h, V h and O^T L h.
struct PointedNodes {
    MatrixView keys, values, pointers;
};

/// What a row chose, and the weight of its ln p in the loss; node < 0: nothing.
struct WeighedChoice {
    int node = -1;
    float weight = 0;
};

class GlimpsePointer {
public:
    /// For `rows` choices at a time. Buffers stay from instance to instance.
    GlimpsePointer(Index nodes, Index width, Index heads, Index rows);

    /// Another instance, whose matrices must stay where they are for goBack; `scale`: m where c nodes are allowed is
    /// scale[n - c], none: 1.
    void begin(const PointedNodes& nodes, std::span<const double> scale);

    /// Queries (count, w) of rows, to be set before point(), which changes them.
    learn::MatrixView queries(Index first, Index count) { return {m_query + first * m_width, count, m_width}; }
    /// Glimpses and u of `count` rows; `allowed`, whose first rows are theirs: 0, or -infinity where a choice may not
    /// fall. Entropies of rows that are `counted` count.
    void point(Index first, Index count, const Matrix& allowed, std::span<const std::uint8_t> counted);

    std::span<const float> logits(Index row) const
    {
        return {m_logits + row * m_nodes, static_cast<std::size_t>(m_nodes)};
    }  ///< u
    /// p of a row, which goBack takes too.
    std::span<const float> shares(Index row, const float* allowed);
    learn::MatrixView glimpses(Index first, Index count) { return {m_glimpse + first * m_width, count, m_width}; }
    Eigen::RowVectorXf weights(Index row) const;  ///< softmax(..) of the nodes, mean over heads
    std::vector<double> entropies() const;        ///< head: mean over the rows counted since begin(), nats

    /// Sets the gradients of the nodes' three matrices by the choices of rows 0, 1, ..; `toGlimpses` (rows, w) or
    /// nothing: what else the loss makes of the glimpses. The gradients of the queries, (rows, w).
    learn::MatrixView goBack(std::span<const WeighedChoice> choices, const float* toGlimpses, learn::MatrixView keys,
                             learn::MatrixView values, learn::MatrixView pointers);

private:
    void scaleQueries(Index first, Index count, const Matrix& allowed);
    void goBackThroughHead(Index head, learn::MatrixView scratch, learn::MatrixView dGlimpse, learn::MatrixView dQuery,
                           learn::MatrixView& keys, learn::MatrixView& values);

    Index m_nodes, m_width, m_heads, m_size, m_room;
    std::array<learn::Buffer, 8> m_buffers;
    float *m_query, *m_glimpse, *m_logits, *m_shares, *m_attention;  // the last (heads room, nodes)
    std::vector<float> m_factors;                                    // of the rows: m / sqrt d
    Operand m_nodeKeys, m_nodeValues, m_nodePointers;
    Matrix m_keys, m_values, m_pointers;  // (w, nodes): a step's products run along the nodes
    std::span<const double> m_scale;
    std::vector<double> m_entropies;
    std::int64_t m_rowsSeen = 0;
};

/// The first allowed node of the largest u.
int largestAllowed(std::span<const float> logits, const float* allowed);
/// The allowed place at which the sum of the shares passes a number from 0 to 1.
int drawnPlace(std::span<const float> shares, const float* allowed, double uniform);

}  // namespace attnscope
