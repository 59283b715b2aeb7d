#pragma once
// Reads a box of a tensor in the order of the file, through a window of a MiB, and puts its elements where the order of
// the indices wants them: one pass forward, whatever the memory order, and nothing read that lies far from the box.

#include "core/tensor/tensor_file.h"

namespace attnscope {

/// `box` lies inside the tensor and is not empty; `out` has its number of elements, the last index fastest.
template <class Float>
Result<void> readBox(const TensorInfo& tensor, const Box& box, std::span<Float> out);

}  // namespace attnscope
