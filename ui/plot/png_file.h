#pragma once
// Pictures as PNG files that are whole or not there at all (core/base/replace_file.h).

#include "core/base/error.h"

#include <cstddef>
#include <string>

class QImage;

namespace attnscope {

/// Errors: NotWritable, and then the old file is as it was.
Result<void> savePng(const QImage& image, const std::string& path);

/// Is there so much memory to be had? Where it ends within Qt's writers of files they crash, or print what is nobody's
/// business, so it is asked for, and given back, before they begin.
bool hasRoomFor(std::size_t bytes);

inline constexpr std::size_t writersNeed = std::size_t{16} << 20;  ///< fonts, their subsets, compressors and the file

}  // namespace attnscope
