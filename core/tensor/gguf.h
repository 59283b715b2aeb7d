#pragma once
// GGUF, the files of llama.cpp (docs/gguf.md of https://github.com/ggml-org/ggml), versions 2 and 3, little endian:
//
//   "GGUF", version u32, tensors u64, values u64;  values: key, type u32, value;  tensors: name, axes u32, extents u64
//   (the fastest first), type u32, offset u64;  padding to the alignment;  the data
//
// where a text is its length u64 and its bytes. Every length is checked against the bytes that there are, and against
// what vocabularies need, before anything is made of it.

#include "core/tensor/tensor_file.h"

#include <nlohmann/json.hpp>

namespace attnscope {

struct GgufHeader {
    nlohmann::json values = nlohmann::json::object();  ///< of the key: number, truth value, text, or an array of those
    std::vector<TensorInfo> tensors;  ///< slowest axis first; those of a type that is not read are unreadable
};

/// Errors: BadHeader, BadName (a name that is there twice), InvalidOffset, TensorInvalid, Truncated.
Result<GgufHeader> readGgufHeader(std::shared_ptr<const ByteSource> source, const std::string& path);

/// Do these bytes begin a GGUF file, whatever its name is?
bool beginsGguf(std::string_view start);

}  // namespace attnscope
