#pragma once
// Saving that cannot leave half a file: the bytes go to a new file in the same folder, which takes the old one's name
// once all of them are on the disk. Pipes and devices (/dev/stdout) are written to directly.

#include "core/base/error.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

/// The file's new content is the parts one after another. Errors: NotWritable, and then the old file is as it was.
Result<void> replaceFile(const std::string& path, std::span<const std::span<const std::byte>> parts);
Result<void> replaceFile(const std::string& path, std::string_view text);

}  // namespace attnscope
