#pragma once
// An animated GIF of pictures that are PNG files, through giflib. All frames share one palette of 255 colours, so that
// a colour is the same in each; the 256th says "as before", which keeps what stands still small. It plays again and
// again.

#include "core/base/error.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace attnscope {

/// All frames are as large as the first. `progress`: the fraction done.
/// Errors: DataError (a frame is no picture, or of another size), NotWritable, Cancelled; the file is then as it was.
Result<void> saveGif(std::span<const std::string> frames, double framesPerSecond, const std::string& path,
                     std::stop_token stop, const std::function<void(double)>& progress = {});

}  // namespace attnscope
