#pragma once
// The files of one run, a training's checkpoints say: their names, or those of their folders, differ in one number.

#include "core/base/file_stamp.h"

#include <string>
#include <vector>

namespace attnscope {

struct NumberedFile {
    std::string path;
    double number = 0;  ///< the one that differs
    FileStamp stamp = {};
    bool operator==(const NumberedFile&) const = default;
};

/// Of the run of `path`, by their numbers: "step-100.safetensors", "step-200.safetensors", or where it is alone in its
/// folder "checkpoint-100/heads.npz", "checkpoint-200/heads.npz". Where several numbers of a name differ, that which
/// most files have. Empty: there is no other.
std::vector<NumberedFile> numberedFiles(const std::string& path);

}  // namespace attnscope
