#include "core/networks/projected_nodes.h"

namespace attnscope {

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

ProjectedNodes::ProjectedNodes(const AttentionEncoder& encoder, const MatrixView& h)
    : projected(applied(encoder.nodes, h)), pointers(h.rows(), encoder.width),
      fixed(applied(encoder.fixed, h.colwise().mean()))
{
    const Index w = encoder.width;
    multiply(plain(projected.rightCols(w)), plain(columnsOf(encoder.out, 0, w)), w, pointers);
}

PointedNodes ProjectedNodes::pointed() const
{
    const Index w = pointers.cols();
    return {projected.leftCols(w), projected.middleCols(w, w), pointers};
}

}  // namespace attnscope
