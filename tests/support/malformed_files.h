#pragma once
// Every way in which a file of tensors is known to be wrong, and the error that it gets. The test of the readers and
// the seeds of the fuzz targets are both this table.

#include "core/base/error.h"

#include <string>
#include <vector>

struct MalformedFile {
    std::string name;       ///< of the row
    std::string extension;  ///< "safetensors", "gguf", "npy", "npz"
    std::string bytes;
    attnscope::ErrorKind kind;
    std::string says;        ///< a part of the message: the tensor, the field or the byte
    std::string holds = {};  ///< how its heads are asked for: "", "logits", "weights"
};

std::vector<MalformedFile> malformedSafetensors();
std::vector<MalformedFile> malformedGguf();
std::vector<MalformedFile> malformedNpy();
std::vector<MalformedFile> malformedNpz();
std::vector<MalformedFile> malformedHeads();
