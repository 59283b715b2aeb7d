#include "core/tensor/tensor_writer.h"

#include "core/base/json_text.h"
#include "core/base/replace_file.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/dtype.h"

#include <array>
#include <set>

#include <nlohmann/json.hpp>

namespace attnscope {

namespace {

Result<void> checkView(const TensorView& tensor)
{
    const auto count = checkedCount(tensor.shape, dtypeSize(tensor.dtype));
    if (!count || bytesOf(tensor.dtype, *count) != tensor.bytes.size())
        return failure(ErrorKind::InvalidArgument, "tensor {}: {} bytes are not shape {} times {}",
                       inQuotes(tensor.name), tensor.bytes.size(), describeShape(tensor.shape),
                       dtypeName(tensor.dtype));
    return {};
}

std::string littleEndian(std::uint64_t value, std::size_t bytes)
{
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

std::string npyDescr(Dtype dtype)
{
    switch (dtype) {
    case Dtype::F64:
        return "<f8";
    case Dtype::F32:
        return "<f4";
    case Dtype::F16:
        return "<f2";
    case Dtype::I64:
        return "<i8";
    case Dtype::I32:
        return "<i4";
    case Dtype::I16:
        return "<i2";
    case Dtype::I8:
        return "|i1";
    case Dtype::U64:
        return "<u8";
    case Dtype::U32:
        return "<u4";
    case Dtype::U16:
        return "<u2";
    case Dtype::U8:
        return "|u1";
    case Dtype::Bool:
        return "|b1";
    default:
        return "";
    }
}

}  // namespace

Result<void> writeNpy(const std::string& path, const TensorView& tensor, int version)
{
    TRY(checkView(tensor));
    const std::string descr = npyDescr(tensor.dtype);
    if (descr.empty())
        return failure(ErrorKind::InvalidArgument, "{}: NumPy has no {}; write float32, or a .safetensors file", path,
                       dtypeName(tensor.dtype));
    std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t extent : tensor.shape)
        dict += fmt::format("{}, ", extent);
    dict += "), }";
    // the data begins at a multiple of 64
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    const std::size_t before = 8 + lengthBytes;
    dict.resize((before + dict.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
    dict += '\n';
    const std::string header =
        "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} + littleEndian(dict.size(), lengthBytes) + dict;
    const std::array parts{std::as_bytes(std::span(header)), tensor.bytes};
    return replaceFile(path, parts);
}

namespace {

/// The header, its length before it. Errors: those of writeSafetensors but NotWritable.
Result<std::string> safetensorsHeader(const std::string& path, std::span<const TensorView> tensors,
                                      const std::map<std::string, std::string>& metadata)
{
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::uint64_t end = 0;
    std::set<std::string_view> names;
    for (const TensorView& tensor : tensors) {
        TRY(checkView(tensor));
        if (!names.insert(tensor.name).second || tensor.name == "__metadata__")
            return failure(ErrorKind::InvalidArgument, "{}: a tensor cannot be named {} here, the name is taken", path,
                           inQuotes(tensor.name));
        const std::uint64_t begin = end;
        end += tensor.bytes.size();
        header[tensor.name] = {
            {"dtype", dtypeName(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    }
    std::string text = jsonText(header);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return littleEndian(text.size(), 8) + text;
}

}  // namespace

Result<void> writeSafetensors(const std::string& path, std::span<const TensorView> tensors,
                              const std::map<std::string, std::string>& metadata)
{
    return safetensorsHeader(path, tensors, metadata).and_then([&](const std::string& header) {
        std::vector<std::span<const std::byte>> parts{std::as_bytes(std::span(header))};
        for (const TensorView& tensor : tensors)
            parts.push_back(tensor.bytes);
        return replaceFile(path, parts);
    });
}

Result<std::vector<std::byte>> safetensorsBytes(const std::string& name, std::span<const TensorView> tensors,
                                                const std::map<std::string, std::string>& metadata)
{
    return safetensorsHeader(name, tensors, metadata).map([&](const std::string& header) {
        const auto start = std::as_bytes(std::span(header));
        std::vector<std::byte> bytes(start.begin(), start.end());
        for (const TensorView& tensor : tensors)
            bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
        return bytes;
    });
}

}  // namespace attnscope
