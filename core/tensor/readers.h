#pragma once
// The formats' headers, each reader checking everything that can be checked without reading the data; and the data.

#include "core/tensor/byte_source.h"
#include "core/tensor/tensor_file.h"

namespace attnscope {

struct TensorFileContent {
    std::vector<TensorInfo> tensors;
    std::map<std::string, std::string> metadata;
};

/// 8 bytes of header length, a JSON object of {name: {dtype, shape, data_offsets}}, the data.
/// A tensor whose dtype is not known is unreadable, with its shape.
/// Errors: HeaderTooSmall, HeaderTooLarge, InvalidHeaderLength, InvalidHeader, InvalidOffset, TensorInvalid.
Result<TensorFileContent> readSafetensors(std::shared_ptr<const ByteSource> source, const std::string& path);

/// A magic number, a version, a Python dict of descr, fortran_order and shape, the data (NumPy's NEP 1).
/// An array whose dtype cannot be read is unreadable, with its shape.
/// Errors: BadHeader, BadShape, UnsupportedDtype (records), Truncated, TrailingData.
Result<TensorInfo> readNpy(std::shared_ptr<const ByteSource> source, const std::string& path, const std::string& name);

/// A zip archive of .npy entries; those of which readNpy makes no tensor are unreadable. Errors: ArchiveLimit,
/// BadArchive, BadName.
Result<TensorFileContent> readNpz(std::shared_ptr<const ByteSource> source, const std::string& path);

/// As core/tensor/gguf.h says, its values as texts. Errors: those of readGgufHeader.
Result<TensorFileContent> readGguf(std::shared_ptr<const ByteSource> source, const std::string& path);

/// Reads a box of a tensor in the order of the file, through a window of a MiB, and puts its elements where the order
/// of the indices wants them: one pass forward, whatever the memory order, and nothing read that lies far from the box.
/// `box` lies inside the tensor and is not empty; `out` has its number of elements, the last index fastest.
template <class Float>
Result<void> readBox(const TensorInfo& tensor, const Box& box, std::span<Float> out);

}  // namespace attnscope
