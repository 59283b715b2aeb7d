#pragma once
// What a decoder that points at nodes computes, with the way back (core/model/attention_model.h has the formulas): a
// row is a choice with its query q, a glimpse g at the nodes by several heads, and p = softmax(10 tanh(g . P_j / sqrt
// w)) over the nodes allowed. All that an instance's rows computed is kept until its gradients are found, all rows
// together in one product each.
//
// With x = g.P / sqrt(w), u = c tanh x, and weight a of a row's ln p[choice], the way back is
//
//     du = a (onehot - p),   dx = du (c - u^2 / c),   dg = dx P / sqrt(w),   dP = dx^T g / sqrt(w),
//
// and through each head's softmax attention as in attention.cpp.

#include "core/arithmetic/arithmetic.h"
#include "core/learn/matrix.h"

#include <array>
#include <span>

namespace attnscope::learn {

/// What a row chose, and the weight of its ln p in the loss; node < 0: nothing.
struct WeighedChoice {
    int node = -1;
    float weight = 0;
};

class GlimpseRows {
public:
    GlimpseRows(Index nodes, Index width, Index heads, Index room);

    /// The nodes' keys, values and pointers, (nodes, w), which must stay where they are; rows count from 0 again.
    void begin(ConstMatrixView keys, ConstMatrixView values, ConstMatrixView pointers);

    /// A row's query, to be set before point().
    Eigen::Map<Eigen::RowVectorXf> query(Index row) { return {m_query + row * m_width, m_width}; }
    MatrixView queries(Index first, Index count) { return {m_query + first * m_width, count, m_width}; }
    /// Attention, glimpses and p of `count` rows, over nodes whose `allowed`, (count, nodes), is 1 and not 0.
    void point(Index first, Index count, const float* allowed);

    const float* shares(Index row) const { return m_shares + row * m_nodes; }                                ///< p
    MatrixView glimpses(Index first, Index count) { return {m_glimpse + first * m_width, count, m_width}; }  ///< g

    /// Sets the gradients of the nodes' three matrices by the rows' choices; `toGlimpses` (rows, w) or nothing: what
    /// else the loss makes of the glimpses. The gradients of the queries, (rows, w).
    MatrixView goBack(std::span<const WeighedChoice> choices, const float* toGlimpses, MatrixView keys,
                      MatrixView values, MatrixView pointers);

private:
    void softmaxOfAllowed(float* z, Index count, const float* allowed) const;
    void goBackThroughHead(Index head, MatrixView scratch, MatrixView dGlimpse, MatrixView dQuery, MatrixView& keys,
                           MatrixView& values);

    Index m_nodes, m_width, m_heads, m_size, m_room;
    float m_scale;  // 1 / sqrt(d)
    std::array<Buffer, 8> m_buffers;
    float *m_query, *m_glimpse, *m_logits, *m_shares, *m_attention;
    const float *m_nodeKeys = nullptr, *m_nodeValues = nullptr, *m_nodePointers = nullptr;
    Matrix m_keys, m_pointers;  // (w, nodes)
};

}  // namespace attnscope::learn
