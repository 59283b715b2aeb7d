#pragma once
// From the encoder to a decoder: the maps of nodes, and of weights, that both decoders ask.

#include "core/networks/attention_encoder.h"
#include "core/networks/glimpse_pointer.h"

namespace attnscope {

/// What a decoder's pointer asks of encoded nodes h (n, w): K h, V h and L h, O^T L h, F mean h.
struct ProjectedNodes {
    Matrix projected, pointers, fixed;  ///< (n, 3 w), (n, w), (1, w)

    ProjectedNodes(const AttentionEncoder& encoder, const MatrixView& h);
    PointedNodes pointed() const;
};

/// y = W x + b.
Matrix applied(const Linear& linear, const MatrixView& x);
/// The columns [first, first + count) of W, of float32, as a map of their own.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columnsOf(const Linear& linear, Index first, Index count);

}  // namespace attnscope
