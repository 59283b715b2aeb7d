#pragma once
// Pictures as PNG files that are whole or not there at all (core/base/replace_file.h).

#include "core/base/error.h"

#include <string>

class QImage;

namespace attnscope {

/// Errors: NotWritable, and then the old file is as it was.
Result<void> savePng(const QImage& image, const std::string& path);

}  // namespace attnscope
