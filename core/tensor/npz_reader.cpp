#include "core/tensor/readers.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include <zip.h>

namespace attnscope {

namespace {

constexpr std::uint64_t smallestArchive = 22;                       ///< bytes: an end record
constexpr std::uint64_t mostEntries = 1024;
constexpr std::uint64_t inflationBudget = std::uint64_t{16} << 30;  ///< of all deflated entries together
constexpr std::uint64_t largestRatio = 200;
constexpr std::uint64_t ratioMatters = std::uint64_t{1} << 20;      ///< bytes; a small mask of zeros deflates better and harms nobody

/// Lets libzip read through a ByteSource, so that it never sees the disk itself.
struct ZipInput {
    std::shared_ptr<const ByteSource> source;
    std::uint64_t position = 0;
    zip_error_t error{};
};

zip_int64_t zipInput(void* user, void* data, zip_uint64_t length, zip_source_cmd_t command)
{
    auto& input = *static_cast<ZipInput*>(user);
    const std::uint64_t size = input.source->size();
    switch (command) {
    case ZIP_SOURCE_OPEN: return input.position = 0, 0;
    case ZIP_SOURCE_CLOSE: return 0;
    case ZIP_SOURCE_READ: {
        const std::uint64_t count = std::min(length, size - std::min(size, input.position));
        if (!input.source->read(input.position, {static_cast<std::byte*>(data), static_cast<std::size_t>(count)})) {
            zip_error_set(&input.error, ZIP_ER_READ, 0);
            return -1;
        }
        input.position += count;
        return static_cast<zip_int64_t>(count);
    }
    case ZIP_SOURCE_SEEK: {
        const zip_int64_t to = zip_source_seek_compute_offset(input.position, size, data, length, &input.error);
        return to < 0 ? -1 : (input.position = static_cast<std::uint64_t>(to), 0);
    }
    case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(input.position);
    case ZIP_SOURCE_STAT: {
        zip_stat_t& stat = *static_cast<zip_stat_t*>(data);
        zip_stat_init(&stat);
        stat.size = size;
        stat.valid |= ZIP_STAT_SIZE;
        return sizeof stat;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&input.error, data, length);
    case ZIP_SOURCE_FREE: return 0;  // the Archive owns it
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                                              ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    default: zip_error_set(&input.error, ZIP_ER_OPNOTSUPP, 0); return -1;
    }
}

class Archive {
public:
    static Result<std::shared_ptr<Archive>> open(std::shared_ptr<const ByteSource> source, const std::string& path)
    {
        auto archive = std::make_shared<Archive>();
        archive->path = path;
        archive->m_input.source = std::move(source);
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* input = zip_source_function_create(zipInput, &archive->m_input, &error);
        if (input && !(archive->zip = zip_open_from_source(input, ZIP_RDONLY, &error)))
            zip_source_free(input);
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        if (!archive->zip)
            return failure(ErrorKind::BadArchive, path + ": no readable zip archive: " + reason + "; write it again with numpy.savez");
        return archive;
    }
    Archive() { zip_error_init(&m_input.error); }
    ~Archive()
    {
        if (zip)
            zip_discard(zip);
        zip_error_fini(&m_input.error);
    }
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    tl::unexpected<Error> bad(std::string_view entry, const std::string& what) const
    {
        return failure(ErrorKind::BadArchive, path + ": entry " + inQuotes(entry) + ": " + what + "; write it again with numpy.savez");
    }

    std::string path;
    zip_t* zip = nullptr;
    std::mutex mutex;  ///< libzip's archives are for one thread at a time

private:
    ZipInput m_input;
};

/// An entry, read forward; going back starts it again.
class EntryBytes : public ByteSource {
public:
    EntryBytes(std::shared_ptr<Archive> archive, std::uint64_t index, std::uint64_t size, std::string name)
        : m_archive(std::move(archive)), m_index(index), m_size(size), m_name(std::move(name)) {}
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
        if (const auto rest = readLocked(m_size, {}); !rest)
            return rest;
        std::byte more{};
        const zip_int64_t got = zip_fread(m_file, &more, 1);
        const std::string reason = got < 0 ? zip_file_strerror(m_file) : "it inflates to more than the declared " + std::to_string(m_size) + " bytes";
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
            if (const auto step = next(std::span(skipped).first(static_cast<std::size_t>(std::min<std::uint64_t>(skipped.size(), offset - m_position)))); !step)
                return step;
        while (!out.empty()) {
            const std::uint64_t before = m_position;
            if (const auto step = next(out); !step)
                return step;
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
            return m_archive->bad(m_name, "it ends after " + std::to_string(m_position) + " bytes of the declared " + std::to_string(m_size));
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

    std::shared_ptr<Archive> m_archive;
    std::uint64_t m_index, m_size;
    std::string m_name;
    mutable zip_file_t* m_file = nullptr;
    mutable std::uint64_t m_position = 0;
    mutable bool m_verified = false;
};

/// Could writing a file of this name ever land outside a folder, or not be the name it looks like?
bool isUnsafeName(std::string_view name)
{
    if (name.empty() || name.front() == '/' || (name.size() > 1 && name[1] == ':'))
        return true;
    if (std::any_of(name.begin(), name.end(), [](char c) { return c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return true;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

Result<zip_stat_t> checkedEntry(const Archive& archive, std::uint64_t index)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive.zip, index, 0, &stat) != 0 || (stat.valid & needed) != needed)
        return archive.bad("number " + std::to_string(index), "its directory record is not complete");
    const std::string_view name = stat.name;
    if (isUnsafeName(name))
        return failure(ErrorKind::BadName, archive.path + ": entry " + inQuotes(name) + ": a name that leaves the archive's folder or has control characters; rename it");
    if (stat.encryption_method != ZIP_EM_NONE)
        return archive.bad(name, "it is encrypted");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        return archive.bad(name, "compression method " + std::to_string(stat.comp_method) + " is neither stored nor deflated");
    if (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)
        return archive.bad(name, "it is stored, but its two sizes differ");
    if (stat.size > ratioMatters && stat.size / largestRatio > stat.comp_size)
        return failure(ErrorKind::ArchiveLimit, archive.path + ": entry " + inQuotes(name) + ": " + std::to_string(stat.comp_size) + " bytes declare " + std::to_string(stat.size) +
                                                    ", a ratio over 200; write it with numpy.savez, not compressed");
    return stat;
}

}  // namespace

Result<TensorList> readNpz(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    const std::uint64_t fileSize = source->size();
    if (fileSize < smallestArchive)  // libzip takes an empty file for an empty archive
        return failure(ErrorKind::BadArchive, path + ": no readable zip archive: only " + std::to_string(fileSize) + " bytes; write it again with numpy.savez");
    const auto opened = Archive::open(std::move(source), path);
    if (!opened)
        return tl::unexpected<Error>(opened.error());
    const std::shared_ptr<Archive>& archive = *opened;
    const auto entries = static_cast<std::uint64_t>(zip_get_num_entries(archive->zip, 0));
    if (entries > mostEntries)
        return failure(ErrorKind::ArchiveLimit, path + ": " + std::to_string(entries) + " entries, over the limit of 1024; split the archive");

    TensorList list;
    std::set<std::string, std::less<>> names;
    std::uint64_t stored = 0, inflated = 0;
    bool pickled = false;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto stat = checkedEntry(*archive, i);
        if (!stat)
            return tl::unexpected<Error>(stat.error());
        const std::string name = stat->name;
        if (!names.insert(name).second)
            return failure(ErrorKind::BadName, path + ": two entries are named " + inQuotes(name) + "; write it again with numpy.savez");
        if (__builtin_add_overflow(stored, stat->comp_size, &stored) || stored > fileSize)
            return archive->bad(name, "the entries take more bytes than the file has: they overlap");
        if (stat->comp_method == ZIP_CM_DEFLATE && (stat->size > inflationBudget || (inflated += stat->size) > inflationBudget))
            return failure(ErrorKind::ArchiveLimit, path + ": entry " + inQuotes(name) + ": the archive declares more than 16 GiB inflated; split it, or write it with numpy.savez");
        pickled = pickled || name.ends_with(".pkl");
        if (!name.ends_with(".npy"))
            continue;  // a note, a folder: nothing to read
        auto tensor = readNpy(std::make_shared<EntryBytes>(archive, i, stat->size, name), path, name.substr(0, name.size() - 4));
        if (!tensor)
            return tl::unexpected<Error>(tensor.error());
        list.tensors.push_back(std::move(*tensor));
    }
    if (list.tensors.empty() && pickled)
        return failure(ErrorKind::UnsupportedDtype, path + ": this is a PyTorch checkpoint; refusing to unpickle it, save its tensors with safetensors.torch.save_file");
    return list;
}

}  // namespace attnscope
