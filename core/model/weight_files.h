#pragma once
// The .safetensors files of a model's folder: model.safetensors, or those that model.safetensors.index.json names. They
// are mapped, not read (core/tensor/mapped_file.h).

#include "core/base/error.h"
#include "core/model/stored_matrix.h"
#include "core/tensor/mapped_file.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

class WeightFiles {
public:
    /// Errors: NotFound, those of the files, InvalidHeader (the index).
    static Result<WeightFiles> open(const std::string& folder);

    /// One file that is in memory for as long as the program. Errors: as above.
    static Result<WeightFiles> fromMemory(std::span<const std::byte> bytes, const std::string& name);

    bool has(std::string_view name) const { return m_tensors.find(name) != m_tensors.end(); }

    /// The tensor of that name and shape. Errors: UnknownName, BadShape with both shapes, UnsupportedDtype.
    Result<StoredMatrix> matrix(const std::string& name, Index rows, Index columns) const;
    /// A vector, widened.
    Result<std::vector<float>> vector(const std::string& name, Index size) const;

    /// Bytes of all files together.
    std::uint64_t bytes() const;
    /// "F32", or "BF16 and F32": in falling share of the elements.
    std::string dtypes() const;
    /// Are the files as long as they were? Errors: Truncated.
    Result<void> check() const;

private:
    struct Place {
        size_t file;
        const TensorInfo* tensor;
    };
    Result<void> add(Result<MappedTensors> file);
    Result<Place> place(const std::string& name, const std::vector<std::int64_t>& shape) const;

    std::string m_folder;
    std::vector<MappedTensors> m_files;
    std::map<std::string, Place, std::less<>> m_tensors;
};

}  // namespace attnscope
