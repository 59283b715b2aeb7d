#include "core/tensor/mapped_file.h"

#include "core/tensor/bus_guard.h"
#include "core/tensor/byte_source.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <optional>

#include <sys/mman.h>
#include <unistd.h>

namespace attnscope {

class MappedTensors::Mapping : public ByteSource {
public:
    Mapping(OpenFile file, std::string path) : m_path(std::move(path)), m_file(std::move(file)), m_size(m_file->size())
    {
        if (m_size == 0)
            return;
        void* const begin = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, m_file->descriptor(), 0);
        if (begin == MAP_FAILED)
            return;
        m_begin = static_cast<const std::byte*>(begin);
        m_guard.emplace(m_begin, m_size);
    }
    Mapping(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string name)
        : m_path(std::move(name)), m_size(bytes.size()), m_begin(bytes.data()), m_owner(std::move(owner))
    {
    }
    ~Mapping() override
    {
        if (!m_guard)
            return;
        m_guard.reset();
        ::munmap(const_cast<std::byte*>(m_begin), m_size);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    bool mapped() const { return m_begin || m_size == 0; }
    std::span<const std::byte> bytes() const { return {m_begin, m_begin ? m_size : 0}; }
    std::uint64_t size() const override { return bytes().size(); }
    std::uint64_t bytesRead() const override { return m_bytesRead; }
    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (offset > size() || out.size() > size() - offset)
            return failure(ErrorKind::Truncated, "{}: the file ends at byte {}; copy or write it again", m_path,
                           size());
        if (!out.empty())
            std::memcpy(out.data(), m_begin + offset, out.size());
        m_bytesRead += out.size();
        return m_guard && m_guard->damaged() ? verify() : Result<void>{};
    }
    Result<void> verify() const override
    {
        if (m_guard && m_guard->damaged())
            return failure(ErrorKind::Truncated,
                           m_path + ": the file was cut, or could not be read, while it was in use; open it again");
        return m_file ? m_file->checkUnchanged(m_path) : Result<void>{};
    }

private:
    std::string m_path;
    std::optional<OpenFile> m_file;  ///< none: bytes in memory
    std::size_t m_size;
    const std::byte* m_begin = nullptr;
    std::optional<BusGuard> m_guard;
    std::shared_ptr<const void> m_owner;  ///< of bytes in memory
    mutable std::atomic<std::uint64_t> m_bytesRead = 0;
};

Result<MappedTensors> MappedTensors::from(std::shared_ptr<const Mapping> mapping, const std::string& name)
{
    TensorFile file = TRY(TensorFile::fromSource(mapping, name));
    TRY(mapping->verify());
    if (file.format() != FileFormat::Safetensors && file.format() != FileFormat::Gguf)
        return failure(ErrorKind::UnknownFormat,
                       "{}: weights are read from .safetensors and .gguf files, and this is .{}", name,
                       formatName(file.format()));
    return MappedTensors(std::move(file), std::move(mapping));
}

Result<MappedTensors> MappedTensors::open(const std::string& path)
{
    auto mapping = std::make_shared<const Mapping>(TRY(OpenFile::open(path)), path);
    if (!mapping->mapped())
        return failure(ErrorKind::NotReadable, path + ": cannot be mapped into memory: " + std::strerror(errno));
    return from(std::move(mapping), path);
}

Result<MappedTensors> MappedTensors::fromMemory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                                const std::string& name)
{
    return from(std::make_shared<const Mapping>(bytes, std::move(owner), name), name);
}

std::span<const std::byte> MappedTensors::bytes(const TensorInfo& tensor) const
{
    assert(!tensor.unreadable && tensor.offset + tensor.byteCount() <= m_mapping->bytes().size());
    return m_mapping->bytes().subspan(static_cast<std::size_t>(tensor.offset),
                                      static_cast<std::size_t>(tensor.byteCount()));
}

std::uint64_t MappedTensors::size() const { return m_mapping->size(); }

Result<void> MappedTensors::check() const { return m_mapping->verify(); }

}  // namespace attnscope
