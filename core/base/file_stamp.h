#pragma once
// What tells whether a file is still the one that was read: a file that was written again, replaced, made or removed
// has another stamp.

#include <cstdint>
#include <string>
#include <vector>

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
/// Of a file, or of all that lie in a folder, in the order of their names; none of what is not there.
std::vector<FileStamp> stampsIn(const std::string& path);

}  // namespace attnscope
