#include "core/tensor/readers.h"
#include "core/tensor/zip_archive.h"

#include <algorithm>
#include <set>

#include <zip.h>

namespace attnscope {

namespace {

constexpr std::uint64_t smallestArchive = 22;  ///< bytes: an end record
constexpr std::uint64_t mostEntries = 1024;
constexpr std::uint64_t inflationBudget = std::uint64_t{16} << 30;  ///< of all deflated entries together
constexpr std::uint64_t largestRatio = 200;
constexpr std::uint64_t ratioMatters = std::uint64_t{1}
                                       << 20;  ///< bytes; a small mask of zeros deflates better and harms nobody

/// Could writing a file of this name ever land outside a folder, or not be the name it looks like?
bool isUnsafeName(std::string_view name)
{
    if (name.empty() || name.front() == '/' || (name.size() > 1 && name[1] == ':'))
        return true;
    if (std::any_of(name.begin(), name.end(),
                    [](char c) { return c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return true;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

Result<zip_stat_t> checkedEntry(const ZipArchive& archive, std::uint64_t index)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t needed =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive.zip, index, 0, &stat) != 0 || (stat.valid & needed) != needed)
        return archive.bad(fmt::format("number {}", index), "its directory record is not complete");
    const std::string_view name = stat.name;
    if (isUnsafeName(name))
        return failure(ErrorKind::BadName,
                       "{}: entry {}: a name that leaves the archive's folder or has control characters; rename it",
                       archive.path, inQuotes(name));
    if (stat.encryption_method != ZIP_EM_NONE)
        return archive.bad(name, "it is encrypted");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
        return archive.bad(name, fmt::format("compression method {} is neither stored nor deflated", stat.comp_method));
    if (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)
        return archive.bad(name, "it is stored, but its two sizes differ");
    if (stat.size > ratioMatters && stat.size / largestRatio > stat.comp_size)
        return failure(ErrorKind::ArchiveLimit,
                       "{}: entry {}: {} bytes declare {}, a ratio over 200; write it with numpy.savez, not compressed",
                       archive.path, inQuotes(name), stat.comp_size, stat.size);
    return stat;
}

}  // namespace

Result<TensorFileContent> readNpz(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    const std::uint64_t fileSize = source->size();
    if (fileSize < smallestArchive)  // libzip takes an empty file for an empty archive
        return failure(ErrorKind::BadArchive,
                       "{}: no readable zip archive: only {} bytes; write it again with numpy.savez", path, fileSize);
    const std::shared_ptr<ZipArchive> archive = TRY(ZipArchive::open(std::move(source), path));
    const auto entries = static_cast<std::uint64_t>(zip_get_num_entries(archive->zip, 0));
    if (entries > mostEntries)
        return failure(ErrorKind::ArchiveLimit, "{}: {} entries, over the limit of 1024; split the archive", path,
                       entries);

    TensorFileContent list;
    std::set<std::string, std::less<>> names;
    std::uint64_t stored = 0, inflated = 0;
    bool pickled = false;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto stat = TRY(checkedEntry(*archive, i));
        const std::string name = stat.name;
        if (!names.insert(name).second)
            return failure(ErrorKind::BadName, "{}: two entries are named {}; write it again with numpy.savez", path,
                           inQuotes(name));
        if (__builtin_add_overflow(stored, stat.comp_size, &stored) || stored > fileSize)
            return archive->bad(name, "the entries take more bytes than the file has: they overlap");
        if (stat.comp_method == ZIP_CM_DEFLATE &&
            (stat.size > inflationBudget || (inflated += stat.size) > inflationBudget))
            return failure(
                ErrorKind::ArchiveLimit,
                "{}: entry {}: the archive declares more than 16 GiB inflated; split it, or write it with numpy.savez",
                path, inQuotes(name));
        pickled = pickled || name.ends_with(".pkl");
        if (!name.ends_with(".npy"))
            continue;  // a note, a folder: nothing to read
        const std::string array = name.substr(0, name.size() - 4);
        auto tensor = readNpy(entryBytes(archive, i, stat.size, name), path, array);
        list.tensors.push_back(tensor ? std::move(*tensor) : TensorInfo{.name = array, .unreadable = tensor.error()});
    }
    if (list.tensors.empty() && pickled)
        return failure(ErrorKind::UnsupportedDtype, path + ": this is a PyTorch checkpoint; refusing to unpickle it, "
                                                           "save its tensors with safetensors.torch.save_file");
    return list;
}

}  // namespace attnscope
