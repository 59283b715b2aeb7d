#include "core/base/replace_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnscope {

namespace {

tl::unexpected<Error> cannotWrite(const std::string& path, int number)
{
    return failure(ErrorKind::NotWritable, path + ": cannot be written: " + std::strerror(number) + "; nothing was changed");
}

/// 0, or errno.
int writeAll(int descriptor, std::span<const std::span<const std::byte>> parts)
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

int writeThrough(const std::string& path, std::span<const std::span<const std::byte>> parts)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return errno;
    const int wrong = writeAll(descriptor, parts);
    return ::close(descriptor) != 0 && wrong == 0 ? errno : wrong;
}

mode_t modeOfNewFiles()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// The rename is only on the disk once the folder is.
void syncFolder(const std::filesystem::path& file)
{
    const std::filesystem::path folder = file.parent_path();
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace

Result<void> replaceFile(const std::string& path, std::span<const std::span<const std::byte>> parts)
{
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return cannotWrite(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
        const int wrong = writeThrough(path, parts);
        return wrong ? Result<void>(cannotWrite(path, wrong)) : Result<void>{};
    }
    // through a link to the file itself, so that the link stays one
    std::error_code ignored;
    const std::filesystem::path real = exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path(path);
    const std::string target = real.empty() ? path : real.string();
    std::string fresh = target + ".XXXXXX";
    const int descriptor = ::mkostemp(fresh.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannotWrite(path, errno);
    int wrong = writeAll(descriptor, parts);
    if (!wrong && (::fchmod(descriptor, exists ? old.st_mode & 07777 : modeOfNewFiles()) != 0 || ::fsync(descriptor) != 0))
        wrong = errno;
    if (::close(descriptor) != 0 && !wrong)
        wrong = errno;
    if (!wrong && ::rename(fresh.c_str(), target.c_str()) != 0)
        wrong = errno;
    if (wrong) {
        ::unlink(fresh.c_str());
        return cannotWrite(path, wrong);
    }
    syncFolder(target);
    return {};
}

Result<void> replaceFile(const std::string& path, std::string_view text)
{
    const std::span<const std::byte> part = std::as_bytes(std::span(text));
    return replaceFile(path, std::span(&part, 1));
}

}  // namespace attnscope
