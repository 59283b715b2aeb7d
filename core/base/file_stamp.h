#pragma once
// What tells whether a file is still the one that was read: a file that was written again, replaced, made or removed
// has another stamp.

#include <cstdint>
#include <string>

namespace attnscope {

struct FileStamp {
    bool exists = false;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t written = 0, changed = 0;  ///< ns
    bool operator==(const FileStamp&) const = default;
};

FileStamp stampOf(const std::string& path);
/// Of a file that is open, whatever its name means by now.
FileStamp stampOf(int descriptor);

}  // namespace attnscope
