#pragma once
// The one way in which the program writes files. Saving cannot leave half a file: the bytes go to a new file in the
// same folder, which takes the old one's name once all of them are on the disk. Until then the new file has no name
// where the file system allows that (O_TMPFILE), so that a program that is killed leaves nothing behind. Pipes and
// devices
// (/dev/stdout) are written to directly. Folders for files are made here too.

#include "core/base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

/// The file's new content is the parts one after another. Errors: NotWritable, and then the old file is as it was.
Result<void> replaceFile(const std::string& path, std::span<const std::span<const std::byte>> parts);
Result<void> replaceFile(const std::string& path, std::string_view text);

/// The folder exists afterwards, with those above it. Errors: NotWritable.
Result<void> makeFolder(const std::string& path);

struct FileText {
    std::string path;
    std::string_view text;
};

/// Files that belong together: all of them are on the disk before the first takes its name, so that a disk that fills
/// up leaves all as they were. Errors: NotWritable.
Result<void> replaceFiles(std::span<const FileText> files);

/// Could a file or a folder of that name be made, as far as its folder's permissions say it? For what takes long to
/// compute. Errors: NotWritable.
Result<void> checkWritable(const std::string& path);

/// Would writing to the one replace the other? Links and other spellings of a path do not hide it.
bool isSameFile(const std::string& one, const std::string& other);

/// For what is both read and written, or written twice. Errors: InvalidArgument if both are one file, naming their
/// options.
Result<void> checkApart(const std::string& one, const std::string& whatOne, const std::string& other,
                        const std::string& whatOther);

}  // namespace attnscope
