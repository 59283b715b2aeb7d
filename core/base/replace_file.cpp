#include "core/base/replace_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnscope {

namespace {

using Parts = std::span<const std::span<const std::byte>>;

tl::unexpected<Error> cannotWrite(const std::string& path, int number, const char* then = "; nothing was changed")
{
    return failure(ErrorKind::NotWritable, path + ": cannot be written: " + std::strerror(number) + then);
}

/// 0, or errno.
int writeAll(int descriptor, Parts parts)
{
    for (std::span<const std::byte> part : parts)
        while (!part.empty()) {
            const ssize_t written = ::write(descriptor, part.data(), part.size());
            if (written < 0 && errno != EINTR)
                return errno;
            if (written > 0)
                part = part.subspan(static_cast<std::size_t>(written));
        }
    return 0;
}

int writeThrough(const std::string& path, Parts parts)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return errno;
    const int wrong = writeAll(descriptor, parts);
    return ::close(descriptor) != 0 && wrong == 0 ? errno : wrong;
}

std::string folderOf(const std::string& file)
{
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    return folder.empty() ? "." : folder.string();
}

/// The rename is only on the disk once the folder is.
void syncFolder(const std::string& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

/// Calls make with names beside the file until one of them is free; 0, or errno.
template <class Make>
int underFreshName(const std::string& target, std::string& name, const Make& make)
{
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = target + "." + std::to_string(random());
        if (make(name.c_str()) >= 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    return errno;
}

/// A file's new content, which takes the file's name later, or never. Its mode is the old file's, or what the kernel
/// makes of 0666 and the process's mask; asking for that mask would change it for every thread.
class StagedFile {
public:
    StagedFile() = default;
    StagedFile(StagedFile&& other) noexcept { *this = std::move(other); }
    StagedFile& operator=(StagedFile&& other) noexcept
    {
        std::swap(m_target, other.m_target);
        std::swap(m_fresh, other.m_fresh);
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    ~StagedFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        if (!m_fresh.empty())
            ::unlink(m_fresh.c_str());
    }

    /// 0, or errno.
    int stage(std::string target, Parts parts, const struct stat* old)
    {
        m_target = std::move(target);
        if (const int wrong = create())
            return wrong;
        if (const int wrong = writeAll(m_descriptor, parts))
            return wrong;
        return (old && ::fchmod(m_descriptor, old->st_mode & 07777) != 0) || ::fsync(m_descriptor) != 0 ? errno : 0;
    }

    int takeName()
    {
        if (m_fresh.empty()) {
            const std::string open = "/proc/self/fd/" + std::to_string(m_descriptor);
            const auto link = [&](const char* name) {
                return ::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
            };
            std::string name;
            if (const int wrong = underFreshName(m_target, name, link))
                return wrong;
            m_fresh = std::move(name);
        }
        if (::close(std::exchange(m_descriptor, -1)) != 0 || ::rename(m_fresh.c_str(), m_target.c_str()) != 0)
            return errno;
        m_fresh.clear();
        syncFolder(folderOf(m_target));
        return 0;
    }

private:
    /// Without a name if that works and a name can be given to it later.
    int create()
    {
        if (::access("/proc/self/fd", X_OK) == 0)
            m_descriptor = ::open(folderOf(m_target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        if (m_descriptor >= 0)
            return 0;
        std::string name;
        const auto open = [&](const char* path) {
            return m_descriptor = ::open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        };
        if (const int wrong = underFreshName(m_target, name, open))
            return wrong;
        m_fresh = std::move(name);
        return 0;
    }

    std::string m_target, m_fresh;  ///< m_fresh: its name meanwhile, if it has one
    int m_descriptor = -1;
};

struct NewContent {
    const std::string* path;
    Parts parts;
};

Result<void> replaceAll(std::span<const NewContent> files)
{
    std::vector<std::pair<StagedFile, const NewContent*>> staged;
    std::vector<const NewContent*> devices;
    for (const NewContent& file : files) {
        struct stat old {};
        const bool exists = ::stat(file.path->c_str(), &old) == 0;
        if (exists && S_ISDIR(old.st_mode))
            return cannotWrite(*file.path, EISDIR);
        if (exists && !S_ISREG(old.st_mode)) {
            devices.push_back(&file);
            continue;
        }
        // through a link to the file itself, so that the link stays one
        std::error_code ignored;
        const std::filesystem::path real =
            exists ? std::filesystem::canonical(*file.path, ignored) : std::filesystem::path(*file.path);
        staged.emplace_back(StagedFile(), &file);
        if (const int wrong = staged.back().first.stage(real.empty() ? *file.path : real.string(), file.parts,
                                                        exists ? &old : nullptr))
            return cannotWrite(*file.path, wrong);
    }
    for (const NewContent* file : devices)
        if (const int wrong = writeThrough(*file->path, file->parts))
            return cannotWrite(*file->path, wrong);
    for (auto& [one, file] : staged)
        if (const int wrong = one.takeName())
            return cannotWrite(*file->path, wrong,
                               file == staged.front().second ? "; nothing was changed" : "; its old content stays");
    return {};
}

}  // namespace

Result<void> replaceFile(const std::string& path, std::span<const std::span<const std::byte>> parts)
{
    const NewContent file{&path, parts};
    return replaceAll(std::span(&file, 1));
}

Result<void> replaceFile(const std::string& path, std::string_view text)
{
    const std::span<const std::byte> part = std::as_bytes(std::span(text));
    return replaceFile(path, std::span(&part, 1));
}

Result<void> replaceFiles(std::span<const FileText> files)
{
    std::vector<std::span<const std::byte>> texts;
    for (const FileText& file : files)
        texts.push_back(std::as_bytes(std::span(file.text)));
    std::vector<NewContent> all;
    for (std::size_t i = 0; i < files.size(); ++i)
        all.push_back({&files[i].path, std::span(&texts[i], 1)});
    return replaceAll(all);
}

Result<void> makeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
        return failure(ErrorKind::NotWritable,
                       "the folder {} cannot be made: {}; choose a folder that you may write to", path,
                       error.message());
    return {};
}

Result<void> checkWritable(const std::string& path)
{
    std::error_code ignored;
    std::filesystem::path there = std::filesystem::absolute(path, ignored).lexically_normal();
    const bool folder = std::filesystem::is_directory(there, ignored);
    if (!folder && std::filesystem::exists(there, ignored) && !std::filesystem::is_regular_file(there, ignored))
        return {};  // a pipe or a device
    if (!folder)
        there = there.parent_path();
    while (!there.empty() && there != there.parent_path() && !std::filesystem::exists(there, ignored))
        there = there.parent_path();
    if (!std::filesystem::is_directory(there, ignored))
        return cannotWrite(path, ENOTDIR);
    return ::access(there.c_str(), W_OK) == 0 ? Result<void>() : cannotWrite(path, errno);
}

bool isSameFile(const std::string& one, const std::string& other)
{
    namespace files = std::filesystem;
    std::error_code ignored;
    if (files::equivalent(one, other, ignored))
        return true;
    const auto real = [](const std::string& path) {
        std::error_code wrong;
        const files::path whole = files::weakly_canonical(files::absolute(path, wrong), wrong);
        return wrong ? files::path(path).lexically_normal() : whole;
    };
    return real(one) == real(other);
}

Result<void> checkApart(const std::string& one, const std::string& whatOne, const std::string& other,
                        const std::string& whatOther)
{
    if (one.empty() || other.empty() || !isSameFile(one, other))
        return {};
    return failure(ErrorKind::InvalidArgument, "{} and {} are one file, {}; give {} another name", whatOne, whatOther,
                   other, whatOther);
}

}  // namespace attnscope
