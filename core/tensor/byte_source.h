#pragma once
// Where a file's bytes come from: the disk (read at an offset, or mapped), memory, or an entry of an archive. Reads may
// come from several threads.

#include "core/base/error.h"
#include "core/base/file_stamp.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;

    /// Fills `out` from `offset` on. Errors: Truncated, NotReadable, BadArchive.
    virtual Result<void> read(std::uint64_t offset, std::span<std::byte> out) const = 0;

    /// Checks what can only be checked at the end: an archive's CRC, that a file has stayed what it was. Called when a
    /// tensor has been read.
    virtual Result<void> verify() const { return {}; }

    virtual std::uint64_t bytesRead() const = 0;
};

/// A regular file that is open, closed by the last who has it.
class OpenFile {
public:
    /// Errors: NotFound, NotReadable, NotRegularFile (a FIFO would block, a device has no size).
    static Result<OpenFile> open(const std::string& path);
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&&) = delete;

    int descriptor() const { return m_descriptor; }
    std::uint64_t size() const { return m_stamp.size; }  ///< when it was opened

    /// Is it what it was when it was opened? Another file under its name, or none, is no change. Errors: Truncated,
    /// DataError.
    Result<void> checkUnchanged(const std::string& path) const;

private:
    OpenFile(int descriptor, const FileStamp& stamp) : m_descriptor(descriptor), m_stamp(stamp) {}
    int m_descriptor;
    FileStamp m_stamp;
};

/// A regular file. Errors: NotFound, NotReadable, NotRegularFile (a FIFO would block, a device has no size).
Result<std::shared_ptr<const ByteSource>> openBytes(const std::string& path);

std::shared_ptr<const ByteSource> memoryBytes(std::vector<std::byte> bytes, const std::string& path);

/// The whole of a small text file, at most `limit` bytes. Errors: as openBytes, and ArchiveLimit beyond the limit.
Result<std::string> readText(const std::string& path, std::uint64_t limit);

/// A name out of a file, made fit for a one-line message: quoted, control characters escaped, cut after 80.
std::string inQuotes(std::string_view name);

}  // namespace attnscope
