#pragma once
// Writers of .npy and .safetensors. Files are replaced as a whole (core/base/replace_file.h): an interrupted save
// leaves the old file.

#include "core/tensor/tensor_file.h"

#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// Elements in memory, little endian, last index fastest.
struct TensorView {
    std::string name;          ///< not used by .npy
    Dtype dtype = Dtype::F32;  ///< .npy has no BF16
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;  ///< product of shape times dtypeSize
};

inline TensorView tensorView(std::string name, std::vector<std::int64_t> shape, std::span<const float> values)
{
    return {std::move(name), Dtype::F32, std::move(shape), std::as_bytes(values)};
}
inline TensorView tensorView(std::string name, std::vector<std::int64_t> shape, std::span<const double> values)
{
    return {std::move(name), Dtype::F64, std::move(shape), std::as_bytes(values)};
}

/// `version` is 1 or 2 (of the header). Errors: InvalidArgument, NotWritable.
Result<void> writeNpy(const std::string& path, const TensorView& tensor, int version = 1);

/// In the order given, the header padded so that the data is aligned to 8 bytes. Errors: InvalidArgument (a name twice,
/// bytes that are not shape times dtype), NotWritable.
Result<void> writeSafetensors(const std::string& path, std::span<const TensorView> tensors,
                              const std::map<std::string, std::string>& metadata = {});

/// What writeSafetensors would write; `name` is for messages. Errors: InvalidArgument.
Result<std::vector<std::byte>> safetensorsBytes(const std::string& name, std::span<const TensorView> tensors,
                                                const std::map<std::string, std::string>& metadata = {});

}  // namespace attnscope
