#pragma once
// Files of tensors: .safetensors, .npy (1.0, 2.0, 3.0), .npz (stored or deflated) and .gguf (2, 3), told apart by
// their content.
// A file is opened by reading its header; a tensor, or a box of one, is read when asked for, so time and memory follow
// what is read and not the size of the file. Every file is taken for hostile: nothing is allocated by a declared size
// before that size has been checked against the bytes there are, and every fault is an Error naming file, tensor and
// field. A tensor that cannot be read, text among an archive's arrays or a checkpoint's F4, does not hide the
// others.

#include "core/base/error.h"
#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

enum class FileFormat { Safetensors, Npy, Npz, Gguf };
std::string_view formatName(FileFormat format);

class ByteSource;

struct TensorInfo {
    std::string name = {};  ///< in a .npy file: the file's name without its extension
    Dtype dtype = Dtype::Unknown;
    std::vector<std::int64_t> shape = {};  ///< rank 0 is a scalar; an extent may be 0
    bool bigEndian = false;
    bool fortranOrder = false;  ///< the first index runs fastest in the file
    std::uint64_t offset = 0;   ///< of its first byte in `source`
    std::shared_ptr<const ByteSource> source = {};
    std::string otherDtype = {};  ///< what the file calls its elements where they are none of Dtype: "F8_E4M3", "<U7"
    std::optional<Error> unreadable =
        {};  ///< why its values cannot be read; then dtype is Unknown, and perhaps the shape says nothing

    std::uint64_t elementCount() const;
    /// In the file; 0 where dtype is Unknown.
    std::uint64_t byteCount() const { return bytesOf(dtype, elementCount()); }
    /// "F32", "F8_E4M3"; empty where the file does not say.
    std::string dtypeText() const;
};

/// "F32 [8, 512, 8]"
std::string describeTensor(const TensorInfo& tensor);

/// "[8, 512, 8]"
std::string describeShape(std::span<const std::int64_t> shape);

/// A box of a tensor: count[a] indices from begin[a] on along each axis. Empty vectors: the whole tensor.
struct Box {
    std::vector<std::int64_t> begin, count;
};

class TensorFile {
public:
    /// Errors: NotFound, NotReadable, NotRegularFile, UnknownFormat, and those of the formats.
    static Result<TensorFile> open(const std::string& path);

    /// The same file, already in memory; `path` is for its messages and its name.
    static Result<TensorFile> fromBytes(std::vector<std::byte> bytes, const std::string& path);

    static Result<TensorFile> fromSource(std::shared_ptr<const ByteSource> source, const std::string& path);

    const std::string& path() const { return m_path; }
    FileFormat format() const { return m_format; }
    std::span<const TensorInfo> tensors() const { return m_tensors; }  ///< in the order of the file
    const std::map<std::string, std::string>& metadata() const { return m_metadata; }

    /// Why the first of those that cannot be read is so; null: all can be.
    const Error* firstUnreadable() const;

    /// The tensor of that name, or UnknownName with the names there are (the first twelve), or why it cannot be read.
    Result<const TensorInfo*> find(std::string_view name) const;

    /// The box's elements with the last index fastest, whatever the order in the file. Float is float or double.
    /// Errors: InvalidArgument (a box outside the tensor), Truncated, NotReadable, BadArchive, DataError, and the
    /// tensor's own.
    template <class Float>
    Result<std::vector<Float>> read(const TensorInfo& tensor, const Box& box = {}) const;

    /// Takes over the tensors of another file: q.npy and k.npy make one.
    void add(TensorFile other);

    /// Of all files that it was made of.
    std::span<const std::string> paths() const { return m_paths; }

    /// Bytes taken from the disk so far.
    std::uint64_t bytesRead() const;

private:
    void addTensors(std::vector<TensorInfo> tensors);

    std::string m_path;
    std::vector<std::string> m_paths;
    FileFormat m_format = FileFormat::Safetensors;
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_index;  ///< by name; of two with one name, the first
    std::map<std::string, std::string> m_metadata;
    std::vector<std::shared_ptr<const ByteSource>> m_files;
};

}  // namespace attnscope
