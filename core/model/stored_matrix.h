#pragma once
// A matrix of weights as it lies in its file, of any dtype that isWeight, widened to float32 a few rows at a time; and
// the affine map y = x W^T + b that networks are made of.

#include "core/tensor/head_set.h"
#include "core/tensor/tensor_file.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope {

using Index = Eigen::Index;
using MutableView = Eigen::Ref<Matrix>;  ///< a matrix or some columns or rows of one

/// What numbers of eight bits are multiplied with: one factor for every rectangle of the matrix, row-major.
struct ScaleGrid {
    Index rows = 1, columns = 1;  ///< of a rectangle; at the edges it may be cut
    Index acrossColumns = 1;      ///< rectangles beside each other
    std::vector<float> factors;
};

struct StoredMatrix {
    const std::byte* data = nullptr;
    Dtype dtype = Dtype::F32;
    Index rows = 0, columns = 0;                   ///< row-major; a row is whole blocks
    std::shared_ptr<const ScaleGrid> scales = {};  ///< null: all 1
    const std::byte* exponents = nullptr;  ///< e a byte for every 32 numbers of a row, times 2^(e - 127); 255: NaN
    Index firstRow = 0;                    ///< of the matrix that `scales` and `exponents` are of

    /// The rows as float32, where they lie if they are that already; else in `room`, which is made large enough.
    const float* floats(Index first, Index count, std::vector<float>& room) const;

    /// Some of its rows as a matrix.
    StoredMatrix rowsOf(Index first, Index count) const;
};

/// Are all of them numbers, neither NaN nor infinite?
bool isFinite(const Matrix& values);

struct Linear {
    StoredMatrix weight;           ///< (outputs, inputs); (inputs, outputs) where `inputFirst`
    bool inputFirst = false;       ///< GPT-2's "Conv1D"
    std::vector<float> bias = {};  ///< empty: none
    Index parts = 1;               ///< of inputFirst: matrices (inputs, outputs / parts), one below the other

    Index inputs() const { return inputFirst ? weight.rows / parts : weight.columns; }
    Index outputs() const { return inputFirst ? weight.columns * parts : weight.rows; }
};

/// y (T, outputs) = or += x W^T + b for x (T, inputs), in tiles over the threads. False if stopped, y then half done.
bool apply(const Linear& linear, const MatrixView& x, MutableView y, bool accumulate, const std::stop_token& stop);

}  // namespace attnscope
