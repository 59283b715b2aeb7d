#include "core/base/file_stamp.h"

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

}  // namespace attnscope
