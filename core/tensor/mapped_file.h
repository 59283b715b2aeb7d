#pragma once
// A file of tensors whose bytes are looked at where they lie: the system reads in what is touched and drops it when
// memory is short, so a model larger than memory still runs. Everything else of the program reads instead
// (byte_source.h), because a mapped file that somebody shortens ends in a signal; here `check` asks for the file's
// length before a use, which leaves only files that are cut while they are being used.

#include "core/base/error.h"
#include "core/tensor/tensor_file.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace attnscope {

class MappedTensors {
public:
    /// A .safetensors file. Errors: those of TensorFile::open; UnknownFormat for another format.
    static Result<MappedTensors> open(const std::string& path);

    /// The same from bytes that somebody keeps for as long as `owner` lives (null: for ever). `name` is for messages.
    static Result<MappedTensors> fromMemory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                            const std::string& name);

    const TensorFile& file() const { return m_file; }

    /// The tensor's bytes, little endian, last index fastest, from any address. The tensor must be of `file()`.
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;

    /// Is the file as long as when it was opened? Errors: Truncated.
    Result<void> check() const;

private:
    class Mapping;
    MappedTensors(TensorFile file, std::shared_ptr<const Mapping> mapping)
        : m_file(std::move(file)), m_mapping(std::move(mapping))
    {
    }
    TensorFile m_file;
    std::shared_ptr<const Mapping> m_mapping;
};

}  // namespace attnscope
