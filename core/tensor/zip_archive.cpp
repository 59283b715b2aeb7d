#include "core/tensor/zip_archive.h"

#include <algorithm>

namespace attnscope {

/// What libzip asks of a source.
zip_int64_t ZipArchive::input(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command)
{
    auto& archive = *static_cast<ZipArchive*>(self);
    const std::uint64_t size = archive.m_source->size();
    switch (command) {
    case ZIP_SOURCE_OPEN:
        return archive.m_position = 0, 0;
    case ZIP_SOURCE_CLOSE:
        return 0;
    case ZIP_SOURCE_READ: {
        const std::uint64_t count = std::min(length, size - std::min(size, archive.m_position));
        if (!archive.m_source->read(archive.m_position,
                                    {static_cast<std::byte*>(data), static_cast<std::size_t>(count)})) {
            zip_error_set(&archive.m_error, ZIP_ER_READ, 0);
            return -1;
        }
        archive.m_position += count;
        return static_cast<zip_int64_t>(count);
    }
    case ZIP_SOURCE_SEEK: {
        const zip_int64_t to = zip_source_seek_compute_offset(archive.m_position, size, data, length, &archive.m_error);
        return to < 0 ? -1 : (archive.m_position = static_cast<std::uint64_t>(to), 0);
    }
    case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(archive.m_position);
    case ZIP_SOURCE_STAT: {
        zip_stat_t& stat = *static_cast<zip_stat_t*>(data);
        zip_stat_init(&stat);
        stat.size = size;
        stat.valid |= ZIP_STAT_SIZE;
        return sizeof stat;
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&archive.m_error, data, length);
    case ZIP_SOURCE_FREE:
        return 0;  // the archive owns itself
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              ZIP_SOURCE_SUPPORTS, -1);
    default:
        zip_error_set(&archive.m_error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

Result<std::shared_ptr<ZipArchive>> ZipArchive::open(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    auto archive = std::make_shared<ZipArchive>();
    archive->path = path;
    archive->m_source = std::move(source);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* reader = zip_source_function_create(input, archive.get(), &error);
    if (reader && !(archive->zip = zip_open_from_source(reader, ZIP_RDONLY, &error)))
        zip_source_free(reader);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!archive->zip)
        return failure(ErrorKind::BadArchive, "{}: no readable zip archive: {}; write it again with numpy.savez", path,
                       reason);
    return archive;
}

ZipArchive::ZipArchive() { zip_error_init(&m_error); }

ZipArchive::~ZipArchive()
{
    if (zip)
        zip_discard(zip);
    zip_error_fini(&m_error);
}

tl::unexpected<Error> ZipArchive::bad(std::string_view entry, const std::string& what) const
{
    return failure(ErrorKind::BadArchive, "{}: entry {}: {}; write it again with numpy.savez", path, inQuotes(entry),
                   what);
}

namespace {

/// An entry, read forward; going back starts it again.
class EntryBytes : public ByteSource {
public:
    EntryBytes(std::shared_ptr<ZipArchive> archive, std::uint64_t index, std::uint64_t size, std::string name)
        : m_archive(std::move(archive)), m_index(index), m_size(size), m_name(std::move(name))
    {
    }
    ~EntryBytes() override
    {
        const std::lock_guard lock(m_archive->mutex);
        close();
    }
    EntryBytes(const EntryBytes&) = delete;
    EntryBytes& operator=(const EntryBytes&) = delete;

    std::uint64_t size() const override { return m_size; }
    std::uint64_t bytesRead() const override { return 0; }  // the archive's source counts

    Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        const std::lock_guard lock(m_archive->mutex);
        return readLocked(offset, out);
    }

    /// Once, to the end, where the CRC and the length are known.
    Result<void> verify() const override
    {
        const std::lock_guard lock(m_archive->mutex);
        if (m_verified)
            return {};
        TRY(readLocked(m_size, {}));
        std::byte more{};
        const zip_int64_t got = zip_fread(m_file, &more, 1);
        const std::string reason =
            got < 0 ? zip_file_strerror(m_file) : fmt::format("it inflates to more than the declared {} bytes", m_size);
        close();
        m_verified = got == 0;
        return m_verified ? Result<void>{} : m_archive->bad(m_name, reason);
    }

private:
    Result<void> readLocked(std::uint64_t offset, std::span<std::byte> out) const
    {
        if (!m_file || offset < m_position) {
            close();
            m_file = zip_fopen_index(m_archive->zip, m_index, 0);
            if (!m_file)
                return m_archive->bad(m_name, zip_strerror(m_archive->zip));
        }
        std::vector<std::byte> skipped(static_cast<std::size_t>(std::min<std::uint64_t>(offset - m_position, 1 << 16)));
        while (m_position < offset)
            TRY(next(std::span(skipped).first(
                static_cast<std::size_t>(std::min<std::uint64_t>(skipped.size(), offset - m_position)))));
        while (!out.empty()) {
            const std::uint64_t before = m_position;
            TRY(next(out));
            out = out.subspan(static_cast<std::size_t>(m_position - before));
        }
        return {};
    }
    Result<void> next(std::span<std::byte> out) const
    {
        const zip_int64_t got = zip_fread(m_file, out.data(), out.size());
        if (got < 0)
            return m_archive->bad(m_name, zip_file_strerror(m_file));
        if (got == 0)
            return m_archive->bad(m_name, fmt::format("it ends after {} bytes of the declared {}", m_position, m_size));
        m_position += static_cast<std::uint64_t>(got);
        return {};
    }
    void close() const
    {
        if (m_file)
            zip_fclose(m_file);
        m_file = nullptr;
        m_position = 0;
    }

    std::shared_ptr<ZipArchive> m_archive;
    std::uint64_t m_index, m_size;
    std::string m_name;
    mutable zip_file_t* m_file = nullptr;
    mutable std::uint64_t m_position = 0;
    mutable bool m_verified = false;
};

}  // namespace

std::shared_ptr<const ByteSource> entryBytes(std::shared_ptr<ZipArchive> archive, std::uint64_t index,
                                             std::uint64_t size, std::string name)
{
    return std::make_shared<EntryBytes>(std::move(archive), index, size, std::move(name));
}

}  // namespace attnscope
