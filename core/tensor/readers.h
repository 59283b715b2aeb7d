#pragma once
// The formats' headers. Each reader checks everything that can be checked without reading the data.

#include "core/tensor/byte_source.h"
#include "core/tensor/tensor_file.h"

namespace attnscope {

struct TensorList {
    std::vector<TensorInfo> tensors;
    std::map<std::string, std::string> metadata;
};

/// 8 bytes of header length, a JSON object of {name: {dtype, shape, data_offsets}}, the data.
/// Errors: HeaderTooSmall, HeaderTooLarge, InvalidHeaderLength, InvalidHeader, InvalidOffset, TensorInvalid, UnsupportedDtype.
Result<TensorList> readSafetensors(std::shared_ptr<const ByteSource> source, const std::string& path);

/// A magic number, a version, a Python dict of descr, fortran_order and shape, the data (NumPy's NEP 1).
/// Errors: BadHeader, BadShape, UnsupportedDtype, Truncated, TrailingData.
Result<TensorInfo> readNpy(std::shared_ptr<const ByteSource> source, const std::string& path, const std::string& name);

/// A zip archive of .npy entries. Errors: ArchiveLimit, BadArchive, BadName, and those of readNpy.
Result<TensorList> readNpz(std::shared_ptr<const ByteSource> source, const std::string& path);

}  // namespace attnscope
