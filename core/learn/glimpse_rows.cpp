#include "core/learn/glimpse_rows.h"

#include "core/learn/kernels/kernels.h"

#include <cmath>

namespace attnscope::learn {

namespace {

constexpr float clipOfLogits = 10;  // Kool et al. 2019, section 3.2
constexpr float farBelow = 1e9f;    // what logits of nodes that are not allowed are lowered by

void glimpseProduct(Operand a, Operand b, Index rows, Index columns, Index inner, float* c, Index stride)
{
    arithmetic().multiply(a, b, rows, columns, inner, c, stride, false);
}

}  // namespace

GlimpseRows::GlimpseRows(Index nodes, Index width, Index heads, Index room)
    : m_nodes(nodes), m_width(width), m_heads(heads), m_size(width / heads), m_room(room),
      m_scale(1 / std::sqrt(static_cast<float>(m_size))), m_query(m_buffers[0].shape(room, width).data()),
      m_glimpse(m_buffers[1].shape(room, width).data()), m_logits(m_buffers[2].shape(room, nodes).data()),
      m_shares(m_buffers[3].shape(room, nodes).data()), m_attention(m_buffers[4].shape(heads * room, nodes).data())
{
}

void GlimpseRows::begin(ConstMatrixView keys, ConstMatrixView values, ConstMatrixView pointers)
{
    m_nodeKeys = keys.data();
    m_nodeValues = values.data();
    m_nodePointers = pointers.data();
    // keys and pointers are transposed once: a step's products run along the nodes
    m_keys = keys.transpose();
    m_pointers = pointers.transpose() * (clipOfLogits / std::sqrt(static_cast<float>(m_width)));
}

void GlimpseRows::point(Index first, Index count, const float* allowed)
{
    queries(first, count) *= m_scale;
    for (Index head = 0; head < m_heads; ++head) {
        float* const weights = m_attention + (head * m_room + first) * m_nodes;
        glimpseProduct({m_query + first * m_width + head * m_size, m_width, false},
                       {m_keys.data() + head * m_size * m_nodes, m_nodes, false}, count, m_nodes, m_size, weights,
                       m_nodes);
        softmaxOfAllowed(weights, count, allowed);
        glimpseProduct({weights, m_nodes, false}, {m_nodeValues + head * m_size, m_width, false}, count, m_size,
                       m_nodes, m_glimpse + first * m_width + head * m_size, m_width);
    }
    float* const logits = m_logits + first * m_nodes;
    glimpseProduct({m_glimpse + first * m_width, m_width, false}, {m_pointers.data(), m_nodes, false}, count, m_nodes,
                   m_width, logits, m_nodes);
    arithmetic().softCap(logits, count * m_nodes, clipOfLogits);
    std::copy(logits, logits + count * m_nodes, m_shares + first * m_nodes);
    softmaxOfAllowed(m_shares + first * m_nodes, count, allowed);
}

/// All exponentials of the rows at once.
void GlimpseRows::softmaxOfAllowed(float* z, Index count, const float* allowed) const
{
    for (Index r = 0; r < count; ++r) {
        float* const row = z + r * m_nodes;
        for (Index node = 0; node < m_nodes; ++node)
            row[node] += (allowed[r * m_nodes + node] - 1) * farBelow;
        const float largest = kernels().largest(row, m_nodes, nullptr);
        for (Index node = 0; node < m_nodes; ++node)
            row[node] -= largest;
    }
    kernels().exponentials(z, count * m_nodes, 0, z);
    for (Index r = 0; r < count; ++r) {
        float* const row = z + r * m_nodes;
        float sum = 0;
        for (Index node = 0; node < m_nodes; ++node) {
            row[node] *= allowed[r * m_nodes + node];
            sum += row[node];
        }
        const float part = sum > 0 ? 1 / sum : 0;  // a finished tour may go nowhere
        for (Index node = 0; node < m_nodes; ++node)
            row[node] *= part;
    }
}

MatrixView GlimpseRows::goBack(std::span<const WeighedChoice> choices, const float* toGlimpses, MatrixView keys,
                               MatrixView values, MatrixView pointers)
{
    const Index rows = std::ssize(choices);
    MatrixView dLogits = m_buffers[5].shape(rows, m_nodes);
    MatrixView dGlimpse = m_buffers[6].shape(rows, m_width), dQuery = m_buffers[7].shape(rows, m_width);
    for (Index row = 0; row < rows; ++row) {
        const auto [node, weight] = choices[static_cast<std::size_t>(row)];
        const Eigen::Map<const Eigen::ArrayXf> u(m_logits + row * m_nodes, m_nodes),
            p(m_shares + row * m_nodes, m_nodes);
        auto d = dLogits.row(row).transpose().array();
        if (node < 0) {
            d.setZero();
            continue;
        }
        d = -p;
        d[node] += 1;
        d *= weight * (clipOfLogits - u.square() / clipOfLogits);
    }
    const float pointerScale = 1 / std::sqrt(static_cast<float>(m_width));
    glimpseProduct({dLogits.data(), m_nodes, false}, {m_nodePointers, m_width, false}, rows, m_width, m_nodes,
                   dGlimpse.data(), m_width);
    dGlimpse *= pointerScale;
    if (toGlimpses)
        dGlimpse += ConstMatrixView(toGlimpses, rows, m_width);
    glimpseProduct({dLogits.data(), m_nodes, true}, {m_glimpse, m_width, false}, m_nodes, m_width, rows,
                   pointers.data(), m_width);
    pointers *= pointerScale;
    for (Index head = 0; head < m_heads; ++head)
        goBackThroughHead(head, dLogits, dGlimpse, dQuery, keys, values);
    dQuery *= m_scale;
    return dQuery;
}

void GlimpseRows::goBackThroughHead(Index head, MatrixView scratch, MatrixView dGlimpse, MatrixView dQuery,
                                    MatrixView& keys, MatrixView& values)
{
    const Index column = head * m_size, rows = dQuery.rows();
    float* const weights = m_attention + head * m_room * m_nodes;
    const Operand outward{dGlimpse.data() + column, m_width, false};
    glimpseProduct({weights, m_nodes, true}, outward, m_nodes, m_size, rows, values.data() + column, m_width);
    glimpseProduct(outward, {m_nodeValues + column, m_width, true}, rows, m_nodes, m_size, scratch.data(), m_nodes);
    for (Index row = 0; row < rows; ++row) {
        float* const d = scratch.data() + row * m_nodes;
        const float* const p = weights + row * m_nodes;
        float inner = 0;
        for (Index node = 0; node < m_nodes; ++node)
            inner += p[node] * d[node];
        kernels().softmaxBack(p, d, m_nodes, inner, d);
    }
    glimpseProduct({scratch.data(), m_nodes, false}, {m_nodeKeys + column, m_width, false}, rows, m_size, m_nodes,
                   dQuery.data() + column, m_width);
    glimpseProduct({scratch.data(), m_nodes, true}, {m_query + column, m_width, false}, m_nodes, m_size, rows,
                   keys.data() + column, m_width);
}

}  // namespace attnscope::learn
