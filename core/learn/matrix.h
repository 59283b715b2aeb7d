#pragma once
// Matrices of the learning engine: float32, row-major, one sample a row. Buffers keep their memory when they are given a
// new shape, so that a training step allocates nothing once the largest batch has been seen.

#include <cstddef>
#include <memory>

#include <Eigen/Core>

namespace attnscope::learn {

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;

class Buffer {
public:
    /// Room for rows x columns floats, undefined unless the buffer was that large already.
    MatrixView shape(Index rows, Index columns)
    {
        const std::size_t needed = static_cast<std::size_t>(rows * columns);
        if (needed > m_capacity) {
            m_storage.reset(new float[needed]);
            m_capacity = needed;
        }
        return {m_storage.get(), rows, columns};
    }

private:
    std::unique_ptr<float[]> m_storage;
    std::size_t m_capacity = 0;
};

}  // namespace attnscope::learn
