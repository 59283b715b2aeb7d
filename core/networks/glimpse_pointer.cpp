#include "core/networks/glimpse_pointer.h"

#include "core/learn/kernels/kernels.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {
constexpr float clip = 10;  // c, Kool et al., section 3.2
}

void multiply(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c, bool accumulate)
{
    arithmetic().multiply(a, b, c.rows(), c.cols(), inner, c.data(), c.outerStride(), accumulate);
}

GlimpsePointer::GlimpsePointer(Index nodes, Index width, Index heads, Index rows)
    : m_nodes(nodes), m_width(width), m_heads(heads), m_size(width / heads), m_room(rows),
      m_query(m_buffers[0].shape(rows, width).data()), m_glimpse(m_buffers[1].shape(rows, width).data()),
      m_logits(m_buffers[2].shape(rows, nodes).data()), m_shares(m_buffers[3].shape(rows, nodes).data()),
      m_attention(m_buffers[4].shape(heads * rows, nodes).data()), m_factors(static_cast<std::size_t>(rows))
{
}

void GlimpsePointer::begin(const PointedNodes& nodes, std::span<const double> scale)
{
    m_nodeKeys = plain(nodes.keys);
    m_nodeValues = plain(nodes.values);
    m_nodePointers = plain(nodes.pointers);
    m_keys = nodes.keys.transpose();
    m_values = nodes.values.transpose();
    m_pointers = nodes.pointers.transpose() / std::sqrt(static_cast<float>(m_width));
    m_scale = scale;
    m_entropies.assign(static_cast<std::size_t>(m_heads), 0.0);
    m_rowsSeen = 0;
}

void GlimpsePointer::scaleQueries(Index first, Index count, const Matrix& allowed)
{
    constexpr double largestFactor = 1e30;  // queries and keys are far from where float32 ends
    for (Index row = 0; row < count; ++row) {
        const Index choices = m_scale.empty() ? 1 : (allowed.row(row).array() == 0.0f).count();
        const double m = m_scale.empty() ? 1 : choices == 0 ? 0 : m_scale[static_cast<std::size_t>(m_nodes - choices)];
        m_factors[static_cast<std::size_t>(first + row)] =
            static_cast<float>(std::clamp(m / std::sqrt(static_cast<double>(m_size)), -largestFactor, largestFactor));
    }
    queries(first, count).array().colwise() *= Eigen::Map<const Eigen::ArrayXf>(m_factors.data() + first, count);
}

void GlimpsePointer::point(Index first, Index count, const Matrix& allowed, std::span<const std::uint8_t> counted)
{
    scaleQueries(first, count, allowed);
    const learn::MatrixView query = queries(first, count);
    learn::MatrixView glimpse = glimpses(first, count);
    m_rowsSeen += std::ranges::count_if(counted.first(static_cast<std::size_t>(count)),
                                        [](std::uint8_t one) { return one != 0; });
    for (Index head = 0; head < m_heads; ++head) {
        const Index column = head * m_size;
        learn::MatrixView weights(m_attention + (head * m_room + first) * m_nodes, count, m_nodes);
        multiply(plain(query.middleCols(column, m_size)), plain(m_keys.middleRows(column, m_size)), m_size, weights);
        for (Index row = 0; row < count; ++row) {
            const double entropy =
                arithmetic().maskedSoftmax(weights.row(row).data(), allowed.row(row).data(), m_nodes);
            if (counted[static_cast<std::size_t>(row)])
                m_entropies[static_cast<std::size_t>(head)] += entropy;
        }
        multiply(plain(weights), transposed(m_values.middleRows(column, m_size)), m_nodes,
                 glimpse.middleCols(column, m_size));
    }
    learn::MatrixView logits(m_logits + first * m_nodes, count, m_nodes);
    multiply(plain(glimpse), plain(m_pointers), m_width, logits);
    logits *= clip;  // softCap(10 x, 10) = 10 tanh x
    arithmetic().softCap(logits.data(), logits.size(), clip);
}

std::span<const float> GlimpsePointer::shares(Index row, const float* allowed)
{
    float* const p = m_shares + row * m_nodes;
    std::ranges::copy(logits(row), p);
    arithmetic().maskedSoftmax(p, allowed, m_nodes);
    return {p, static_cast<std::size_t>(m_nodes)};
}

Eigen::RowVectorXf GlimpsePointer::weights(Index row) const
{
    Eigen::RowVectorXf mean = Eigen::RowVectorXf::Zero(m_nodes);
    for (Index head = 0; head < m_heads; ++head)
        mean += Eigen::Map<const Eigen::RowVectorXf>(m_attention + (head * m_room + row) * m_nodes, m_nodes) /
                static_cast<float>(m_heads);
    return mean;
}

std::vector<double> GlimpsePointer::entropies() const
{
    std::vector<double> means = m_entropies;
    for (double& entropy : means)
        entropy /= static_cast<double>(std::max<std::int64_t>(1, m_rowsSeen));
    return means;
}

learn::MatrixView GlimpsePointer::goBack(std::span<const WeighedChoice> choices, const float* toGlimpses,
                                         learn::MatrixView keys, learn::MatrixView values, learn::MatrixView pointers)
{
    const Index rows = std::ssize(choices);
    learn::MatrixView dLogits = m_buffers[5].shape(rows, m_nodes), dGlimpse = m_buffers[6].shape(rows, m_width),
                      dQuery = m_buffers[7].shape(rows, m_width);
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
        d *= weight * (clip - u.square() / clip);
    }
    const float pointerScale = 1 / std::sqrt(static_cast<float>(m_width));
    multiply(plain(dLogits), m_nodePointers, m_nodes, dGlimpse);
    dGlimpse *= pointerScale;
    if (toGlimpses)
        dGlimpse += learn::ConstMatrixView(toGlimpses, rows, m_width);
    multiply(transposed(dLogits), plain(glimpses(0, rows)), rows, pointers);
    pointers *= pointerScale;
    for (Index head = 0; head < m_heads; ++head)
        goBackThroughHead(head, dLogits, dGlimpse, dQuery, keys, values);
    dQuery.array().colwise() *= Eigen::Map<const Eigen::ArrayXf>(m_factors.data(), rows);
    return dQuery;
}

void GlimpsePointer::goBackThroughHead(Index head, learn::MatrixView scratch, learn::MatrixView dGlimpse,
                                       learn::MatrixView dQuery, learn::MatrixView& keys, learn::MatrixView& values)
{
    const Index column = head * m_size, rows = dQuery.rows();
    const learn::MatrixView weights(m_attention + head * m_room * m_nodes, rows, m_nodes);
    const auto outward = dGlimpse.middleCols(column, m_size);
    const auto ofHead = [&](Operand nodes, bool isTransposed) {
        return Operand{nodes.data + column, nodes.stride, isTransposed};
    };
    multiply(transposed(weights), plain(outward), rows, values.middleCols(column, m_size));
    multiply(plain(outward), ofHead(m_nodeValues, true), m_size, scratch);
    for (Index row = 0; row < rows; ++row) {
        float* const d = scratch.row(row).data();
        const float* const p = weights.row(row).data();
        float inner = 0;
        for (Index node = 0; node < m_nodes; ++node)
            inner += p[node] * d[node];
        learn::kernels().softmaxBack(p, d, m_nodes, inner, d);
    }
    multiply(plain(scratch), ofHead(m_nodeKeys, false), m_nodes, dQuery.middleCols(column, m_size));
    multiply(transposed(scratch), plain(queries(0, rows).middleCols(column, m_size)), rows,
             keys.middleCols(column, m_size));
}

int largestAllowed(std::span<const float> logits, const float* allowed)
{
    int best = -1;
    for (int node = 0; node < std::ssize(logits); ++node)
        if (allowed[node] != forbidden &&
            (best < 0 || logits[static_cast<std::size_t>(node)] > logits[static_cast<std::size_t>(best)]))
            best = node;
    return best;
}

int drawnPlace(std::span<const float> shares, const float* allowed, double uniform)
{
    int last = -1;
    for (int place = 0; place < std::ssize(shares) && (last < 0 || uniform >= 0); ++place)
        if (allowed[place] != forbidden) {
            last = place;
            uniform -= static_cast<double>(shares[static_cast<std::size_t>(place)]);
        }
    return last;
}

}  // namespace attnscope
