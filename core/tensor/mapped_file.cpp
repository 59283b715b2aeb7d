#include "core/tensor/mapped_file.h"

#include "core/tensor/byte_source.h"

#include <cassert>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnscope {

class MappedTensors::Mapping {
public:
    Mapping(int descriptor, std::size_t size) : m_descriptor(descriptor), m_size(size)
    {
        void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (begin != MAP_FAILED)
            m_begin = static_cast<const std::byte*>(begin);
    }
    Mapping(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
        : m_descriptor(-1), m_size(bytes.size()), m_begin(bytes.data()), m_owner(std::move(owner))
    {
    }
    ~Mapping()
    {
        if (m_descriptor < 0)
            return;
        if (m_begin)
            ::munmap(const_cast<std::byte*>(m_begin), m_size);
        ::close(m_descriptor);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    std::span<const std::byte> bytes() const { return {m_begin, m_begin ? m_size : 0}; }
    std::size_t lengthNow() const
    {
        struct stat now {};
        if (m_descriptor < 0)
            return m_size;
        return ::fstat(m_descriptor, &now) == 0 ? static_cast<std::size_t>(now.st_size) : 0;
    }

private:
    int m_descriptor;
    std::size_t m_size;
    const std::byte* m_begin = nullptr;
    std::shared_ptr<const void> m_owner;  ///< of bytes in memory
};

Result<MappedTensors> MappedTensors::open(const std::string& path)
{
    Result<TensorFile> file =
        TensorFile::open(path);  // checks that it is a regular file, and that its tensors lie within it
    if (!file)
        return tl::unexpected(file.error());
    if (file->format() != FileFormat::Safetensors)
        return failure(ErrorKind::UnknownFormat, path + ": weights are read from .safetensors files, and this is ." +
                                                     std::string(formatName(file->format())));
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat now {};
    if (descriptor < 0 || ::fstat(descriptor, &now) != 0) {
        const std::string why = std::strerror(errno);
        if (descriptor >= 0)
            ::close(descriptor);
        return failure(ErrorKind::NotReadable, path + ": cannot be opened: " + why);
    }
    auto mapping = std::make_shared<const Mapping>(descriptor, static_cast<std::size_t>(now.st_size));
    for (const TensorInfo& tensor : file->tensors())
        if (tensor.offset + tensor.elementCount() * dtypeSize(tensor.dtype) > mapping->bytes().size())
            return failure(ErrorKind::NotReadable, path + ": cannot be mapped into memory; is it being written?");
    return MappedTensors(std::move(*file), std::move(mapping));
}

Result<MappedTensors> MappedTensors::fromMemory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                                const std::string& name)
{
    TensorFile file = TRY(TensorFile::fromBytes({bytes.begin(), bytes.end()}, name));
    if (file.format() != FileFormat::Safetensors)
        return failure(ErrorKind::UnknownFormat, name + ": weights are read from .safetensors files");
    return MappedTensors(std::move(file), std::make_shared<const Mapping>(bytes, std::move(owner)));
}

std::span<const std::byte> MappedTensors::bytes(const TensorInfo& tensor) const
{
    const std::size_t length = static_cast<std::size_t>(tensor.elementCount()) * dtypeSize(tensor.dtype);
    assert(tensor.offset + length <= m_mapping->bytes().size());
    return m_mapping->bytes().subspan(static_cast<std::size_t>(tensor.offset), length);
}

Result<void> MappedTensors::check() const
{
    if (m_mapping->lengthNow() < m_mapping->bytes().size())
        return failure(ErrorKind::Truncated,
                       m_file.path() + ": the file has become shorter since it was opened; open the model again");
    return {};
}

}  // namespace attnscope
