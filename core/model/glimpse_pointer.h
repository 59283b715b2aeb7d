#pragma once
// The part of a decoder that looks and points, of one instance: for queries q of some choices at a time a glimpse at
// the nodes, and how much each node is pointed at. What depends on the nodes alone is made once: keys, values and
// pointer keys, the last with the output projection and the clip's factor folded in.
//
//     g = [softmax(m q_h K_h^T / sqrt d) V_h]_h,     u_j = 10 tanh((L h_j) . (O g) / sqrt w)

#include "core/arithmetic/arithmetic.h"
#include "core/model/attention_encoder.h"

#include <limits>

namespace attnscope {

constexpr float forbidden = -std::numeric_limits<float>::infinity();

/// y = W x + b.
Matrix applied(const Linear& linear, const MatrixView& x);
/// The columns [first, first + count) of W as a map of their own.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columnsOf(const Linear& linear, Index first, Index count);
/// c = op(a) op(b), the sum over `inner` terms.
void multiply(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c);
inline Operand plain(const MatrixView& x) { return {x.data(), x.outerStride(), false}; }
inline Operand transposed(const MatrixView& x) { return {x.data(), x.outerStride(), true}; }

class GlimpsePointer {
public:
    /// `nodes` (n, w); `scale`: m where c nodes are allowed is scale[n - c], and must stay where it is.
    GlimpsePointer(const AttentionEncoder& encoder, const MatrixView& nodes, std::span<const double> scale);

    /// `queries` (choices, w), which it changes; `allowed` (choices, n): 0, or -infinity where the choice may not fall.
    /// u of every choice goes to `logits` (choices, n). A row that is not `counted` is computed, but its entropy is
    /// not.
    void operator()(Matrix& queries, const Matrix& allowed, std::span<const std::uint8_t> counted, Matrix& logits);

    const Matrix& glimpses() const { return m_mixed; }  ///< g of the last call's choices
    void keepWeights() { m_keepsWeights = true; }
    const Matrix& weights() const
    {
        return m_weights;
    }  ///< (choices, nodes) of the last call, if kept: softmax(..), mean over heads
    std::vector<double> entropies() const;  ///< head: mean over the rows counted, nats

private:
    const AttentionEncoder& m_encoder;
    std::span<const double> m_scale;
    Index m_count;
    Matrix m_keys, m_values, m_pointer;  // (w, nodes)
    Matrix m_mixed, m_weights;
    bool m_keepsWeights = false;
    std::vector<double> m_entropies;
    std::int64_t m_rowsSeen = 0;
};

/// The first allowed node of the largest u.
Index largestAllowed(const Matrix& logits, const Matrix& allowed, Index row);
/// One drawn from the softmax of u over those allowed by a number from 0 to 1, and its ln p; the row holds the softmax
/// then.
struct DrawnNode {
    Index node = -1;
    double logProbability = 0;
};
DrawnNode drawAllowed(Matrix& logits, const Matrix& allowed, Index row, double uniform);

}  // namespace attnscope
