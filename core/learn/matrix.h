#pragma once
// Matrices of the learning engine: float32, row-major, one sample a row. Buffers keep their memory when they are given
// a new shape, so that a training step in float32 allocates nothing once the largest batch has been seen. They begin at
// a multiple of 64 bytes: vector code treats the elements before such a boundary differently, and so would give other
// bits from run to run.

#include <cstddef>
#include <memory>
#include <new>

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
            m_storage.reset(static_cast<float*>(::operator new[](needed * sizeof(float), alignment)));
            m_capacity = needed;
        }
        return {m_storage.get(), rows, columns};
    }

private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(float* storage) const { ::operator delete[](storage, alignment); }
    };
    std::unique_ptr<float[], Free> m_storage;
    std::size_t m_capacity = 0;
};

}  // namespace attnscope::learn
