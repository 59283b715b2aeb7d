#include "core/model/glimpse_pointer.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {
constexpr float clip = 10;  // Kool et al., section 3.2
}

Matrix applied(const Linear& linear, const MatrixView& x)
{
    Matrix y(x.rows(), linear.outputs());
    apply(linear, x, y, false, {});
    return y;
}

Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columnsOf(const Linear& linear, Index first, Index count)
{
    return {reinterpret_cast<const float*>(linear.weight.data) + first, linear.weight.rows, count,
            Eigen::OuterStride<>(linear.weight.columns)};
}

void multiply(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c)
{
    arithmetic().multiply(a, b, c.rows(), c.cols(), inner, c.data(), c.outerStride(), false);
}

GlimpsePointer::GlimpsePointer(const AttentionEncoder& encoder, const MatrixView& nodes, std::span<const double> scale)
    : m_encoder(encoder), m_scale(scale), m_count(nodes.rows()),
      m_entropies(static_cast<std::size_t>(encoder.heads), 0.0)
{
    const Index w = encoder.width;
    // what is kept is transposed, (w, nodes): a step's products run along the nodes
    const Matrix projected = applied(encoder.nodes, nodes);
    m_keys = projected.leftCols(w).transpose();
    m_values = projected.middleCols(w, w).transpose();
    Matrix pointer(m_count, w);
    multiply(plain(projected.rightCols(w)), plain(columnsOf(encoder.out, 0, w)), w, pointer);
    m_pointer = pointer.transpose() / std::sqrt(static_cast<float>(w));
}

void GlimpsePointer::operator()(Matrix& queries, const Matrix& allowed, std::span<const std::uint8_t> counted,
                                Matrix& logits)
{
    const Index d = m_encoder.headSize(), choices = queries.rows();
    m_mixed.resize(choices, m_encoder.width);
    logits.resize(choices, m_count);
    constexpr double largestFactor = 1e30;  // queries and keys are far from where float32 ends
    std::vector<float> factors;
    for (Index row = 0; row < choices; ++row) {
        const Index count = (allowed.row(row).array() == 0.0f).count();
        factors.push_back(count == 0
                              ? 0
                              : static_cast<float>(std::clamp(m_scale[static_cast<std::size_t>(m_count - count)] /
                                                                  std::sqrt(static_cast<double>(d)),
                                                              -largestFactor, largestFactor)));
        m_rowsSeen += counted[static_cast<std::size_t>(row)] != 0;
    }
    if (m_keepsWeights)
        m_weights.setZero(choices, m_count);
    queries.array().colwise() *= Eigen::Map<const Eigen::ArrayXf>(factors.data(), choices);
    for (Index head = 0; head < m_encoder.heads; ++head) {
        multiply(plain(queries.middleCols(head * d, d)), plain(m_keys.middleRows(head * d, d)), d, logits);
        for (Index row = 0; row < choices; ++row) {
            const double entropy = arithmetic().maskedSoftmax(logits.row(row).data(), allowed.row(row).data(), m_count);
            if (counted[static_cast<std::size_t>(row)])
                m_entropies[static_cast<std::size_t>(head)] += entropy;
        }
        if (m_keepsWeights)
            m_weights += logits / static_cast<float>(m_encoder.heads);
        multiply(plain(logits), transposed(m_values.middleRows(head * d, d)), m_count, m_mixed.middleCols(head * d, d));
    }
    multiply(plain(m_mixed), plain(m_pointer), m_encoder.width, logits);
    logits *= clip;  // softCap(10 x, 10) = 10 tanh x
    arithmetic().softCap(logits.data(), logits.size(), clip);
}

std::vector<double> GlimpsePointer::entropies() const
{
    std::vector<double> means = m_entropies;
    for (double& entropy : means)
        entropy /= static_cast<double>(std::max<std::int64_t>(1, m_rowsSeen));
    return means;
}

Index largestAllowed(const Matrix& logits, const Matrix& allowed, Index row)
{
    Index best = -1;
    for (Index node = 0; node < logits.cols(); ++node)
        if (allowed(row, node) != forbidden && (best < 0 || logits(row, node) > logits(row, best)))
            best = node;
    return best;
}

DrawnNode drawAllowed(Matrix& logits, const Matrix& allowed, Index row, double uniform)
{
    arithmetic().maskedSoftmax(logits.row(row).data(), allowed.row(row).data(), logits.cols());
    DrawnNode drawn;
    for (Index node = 0; node < logits.cols() && (drawn.node < 0 || uniform >= 0); ++node)
        if (allowed(row, node) != forbidden) {
            drawn.node = node;
            uniform -= static_cast<double>(logits(row, node));
        }
    drawn.logProbability = std::log(static_cast<double>(logits(row, drawn.node)));
    return drawn;
}

}  // namespace attnscope
