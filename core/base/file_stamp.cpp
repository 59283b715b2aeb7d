#include "core/base/file_stamp.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>

namespace attnscope {

namespace {

FileStamp stampFrom(const struct stat& found)
{
    const auto nanoseconds = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    };
    return {true,
            found.st_dev,
            found.st_ino,
            static_cast<std::uint64_t>(found.st_size),
            nanoseconds(found.st_mtim),
            nanoseconds(found.st_ctim)};
}

}  // namespace

FileStamp stampOf(const std::string& path)
{
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? stampFrom(found) : FileStamp{};
}

FileStamp stampOf(int descriptor)
{
    struct stat found {};
    return ::fstat(descriptor, &found) == 0 ? stampFrom(found) : FileStamp{};
}

std::vector<FileStamp> stampsIn(const std::string& path)
{
    std::error_code failed;
    std::vector<std::string> names;
    if (std::filesystem::is_directory(path, failed))
        for (std::filesystem::directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed))
            names.push_back(at->path().string());
    else
        names.push_back(path);
    std::ranges::sort(names);
    std::vector<FileStamp> stamps;
    for (const std::string& name : names)
        if (const FileStamp stamp = stampOf(name); stamp.exists)
            stamps.push_back(stamp);
    return stamps;
}

}  // namespace attnscope
