#pragma once
// A file of tensors whose bytes are looked at where they lie: the system reads in what is touched and drops it when
// memory is short, so a model larger than memory still runs. A file that somebody shortens or writes while it is looked
// at gives wrong numbers, but no signal (bus_guard.h): whoever computed from it asks `check` before and after, and
// throws away what came between.

#include "core/base/error.h"
#include "core/tensor/tensor_file.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace attnscope {

class MappedTensors {
public:
    /// A .safetensors or .gguf file. Errors: those of TensorFile::open; UnknownFormat for another format.
    static Result<MappedTensors> open(const std::string& path);

    /// The same from bytes that somebody keeps for as long as `owner` lives (null: for ever). `name` is for messages.
    static Result<MappedTensors> fromMemory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                            const std::string& name);

    const TensorFile& file() const { return m_file; }
    std::uint64_t size() const;  ///< bytes, header and all

    /// The tensor's bytes, little endian, last index fastest, from any address. The tensor must be readable, and of
    /// `file()`.
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;

    /// Is the file what it was when it was opened, and has it been all the time? Errors: Truncated (it has become
    /// shorter), DataError (it has been written).
    Result<void> check() const;

private:
    class Mapping;
    MappedTensors(TensorFile file, std::shared_ptr<const Mapping> mapping)
        : m_file(std::move(file)), m_mapping(std::move(mapping))
    {
    }
    static Result<MappedTensors> from(std::shared_ptr<const Mapping> mapping, const std::string& name);

    TensorFile m_file;
    std::shared_ptr<const Mapping> m_mapping;
};

}  // namespace attnscope
