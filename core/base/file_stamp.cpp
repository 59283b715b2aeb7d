#include "core/base/file_stamp.h"

#include <sys/stat.h>

namespace attnscope {

FileStamp stampOf(const std::string& path)
{
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0)
        return {};
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

}  // namespace attnscope
