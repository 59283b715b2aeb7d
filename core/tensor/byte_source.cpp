#include "core/tensor/byte_source.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnscope {

namespace {

std::string bytesText(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

auto shortRead(const std::string& path, std::uint64_t offset, std::uint64_t wanted, std::uint64_t size)
{
    return failure(ErrorKind::Truncated,
                   "{}: {} wanted at byte {}, but the file ends at byte {}; copy or write it again", path,
                   bytesText(wanted), offset, size);
}

class FileBytes : public ByteSource {
public:
    FileBytes(OpenFile file, std::string path) : m_file(std::move(file)), m_path(std::move(path)) {}

    std::uint64_t size() const override { return m_file.size(); }
    Result<void> verify() const override { return m_file.checkUnchanged(m_path); }
    std::uint64_t bytesRead() const override { return m_bytesRead; }

    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (offset > size() || out.size() > size() - offset)
            return shortRead(m_path, offset, out.size(), size());
        for (std::size_t done = 0; done < out.size();) {
            const ssize_t got =
                ::pread(m_file.descriptor(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return failure(ErrorKind::NotReadable, "{}: reading at byte {} failed: {}", m_path, offset + done,
                               std::strerror(errno));
            if (got == 0)  // it was longer when it was opened
                return shortRead(m_path, offset, out.size(), offset + done);
            done += static_cast<std::size_t>(got);
            m_bytesRead += static_cast<std::uint64_t>(got);
        }
        return {};
    }

private:
    OpenFile m_file;
    std::string m_path;
    mutable std::atomic<std::uint64_t> m_bytesRead = 0;
};

class MemoryBytes : public ByteSource {
public:
    MemoryBytes(std::vector<std::byte> bytes, std::string path) : m_bytes(std::move(bytes)), m_path(std::move(path)) {}
    std::uint64_t size() const override { return m_bytes.size(); }
    std::uint64_t bytesRead() const override { return m_bytesRead; }

    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (offset > m_bytes.size() || out.size() > m_bytes.size() - offset)
            return shortRead(m_path, offset, out.size(), m_bytes.size());
        if (!out.empty())
            std::memcpy(out.data(), m_bytes.data() + offset, out.size());
        m_bytesRead += out.size();
        return {};
    }

private:
    std::vector<std::byte> m_bytes;
    std::string m_path;
    mutable std::atomic<std::uint64_t> m_bytesRead = 0;
};

tl::unexpected<Error> cannotOpen(const std::string& path, int number)
{
    if (number == ENOENT || number == ENOTDIR)
        return failure(ErrorKind::NotFound, path + ": no such file; check the path");
    return failure(ErrorKind::NotReadable, path + ": cannot be opened: " + std::strerror(number));
}

tl::unexpected<Error> notRegular(const std::string& path, mode_t mode)
{
    const char* what = S_ISDIR(mode)    ? "a directory"
                       : S_ISFIFO(mode) ? "a pipe"
                       : S_ISSOCK(mode) ? "a socket"
                                        : "a device";
    return failure(ErrorKind::NotRegularFile, "{}: this is {}; give the path of a regular file", path, what);
}

}  // namespace

Result<OpenFile> OpenFile::open(const std::string& path)
{
    // looked at before it is opened, because opening a device can have effects; and again after, because names can
    // change
    struct stat before {
    }, after{};
    if (::stat(path.c_str(), &before) != 0)
        return cannotOpen(path, errno);
    if (!S_ISREG(before.st_mode))
        return notRegular(path, before.st_mode);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return cannotOpen(path, errno);
    OpenFile file(descriptor, stampOf(descriptor));
    if (::fstat(descriptor, &after) != 0 || !S_ISREG(after.st_mode))
        return notRegular(path, after.st_mode);
    return file;
}

OpenFile::~OpenFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_stamp(other.m_stamp)
{
}

Result<void> OpenFile::checkUnchanged(const std::string& path) const
{
    const FileStamp now = stampOf(m_descriptor);
    if (now.size < m_stamp.size)
        return failure(ErrorKind::Truncated, path + ": the file has become shorter since it was opened; open it again");
    if (now.size != m_stamp.size || now.written != m_stamp.written)
        return failure(ErrorKind::DataError, path + ": the file has been written since it was opened; open it again");
    return {};
}

Result<std::shared_ptr<const ByteSource>> openBytes(const std::string& path)
{
    return OpenFile::open(path).map([&](OpenFile&& file) -> std::shared_ptr<const ByteSource> {
        return std::make_shared<FileBytes>(std::move(file), path);
    });
}

std::shared_ptr<const ByteSource> memoryBytes(std::vector<std::byte> bytes, const std::string& path)
{
    return std::make_shared<MemoryBytes>(std::move(bytes), path);
}

Result<std::string> readText(const std::string& path, std::uint64_t limit)
{
    const auto source = TRY(openBytes(path));
    if (source->size() > limit)
        return failure(ErrorKind::ArchiveLimit, "{}: {}, more than the {} allowed here", path,
                       bytesText(source->size()), limit);
    std::string text(source->size(), '\0');
    return (source)->read(0, std::as_writable_bytes(std::span(text))).map([&] { return text; });
}

std::string inQuotes(std::string_view name)
{
    constexpr char hex[] = "0123456789abcdef";
    std::string text = "'";
    for (const char c : name.substr(0, 80)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f)
            text += c;
        else
            (text += "\\x") += {hex[byte >> 4], hex[byte & 15]};
    }
    return text + (name.size() > 80 ? "...'" : "'");
}

}  // namespace attnscope
