#pragma once
// The .safetensors files of a model's folder: model.safetensors, or those that model.safetensors.index.json names; or
// .gguf files. They are mapped, not read (core/tensor/mapped_file.h).

#include "core/base/error.h"
#include "core/model/stored_matrix.h"
#include "core/tensor/mapped_file.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// Where a file has what folders have in a tensor of its own: one, or the matrix `part` of one (count, rows, columns).
struct InFile {
    std::string tensor;
    std::optional<Index> part = {};
};

/// What files keep otherwise than folders in Hugging Face's layout do.
struct WeightLayout {
    std::function<InFile(std::string_view)> name = {};  ///< of a folder's tensor; empty: the same
    bool normsFromOne = false;  ///< weights of norms are stored as 1 + w where folders have w (Gemma)
    bool inputsLast = false;    ///< in matrices that folders have inputs first (GPT-2)
};

class WeightFiles {
public:
    /// Errors: NotFound, those of the files, InvalidHeader (the index).
    static Result<WeightFiles> open(const std::string& folder);

    /// One file that is in memory for as long as the program. Errors: as above.
    static Result<WeightFiles> fromMemory(std::span<const std::byte> bytes, const std::string& name);

    /// Files that are open.
    static Result<WeightFiles> of(std::vector<MappedTensors> files, const std::string& name, WeightLayout layout);

    const WeightLayout& layout() const { return m_layout; }
    /// Of a folder's tensor.
    InFile inFile(std::string_view name) const
    {
        return m_layout.name ? m_layout.name(name) : InFile{std::string(name)};
    }
    bool has(std::string_view name) const { return m_tensors.find(inFile(name).tensor) != m_tensors.end(); }
    /// All that there are, under the names of the files.
    std::vector<std::string> names() const;
    /// Empty where there is none of that name.
    std::vector<std::int64_t> shapeOf(std::string_view name) const;

    /// The tensor of that name and shape; numbers of eight bits with the factors of NAME_scale_inv or NAME_scale, where
    /// there is one: a number, one for every row, or one for every square of 128. Errors: UnknownName, BadShape with
    /// both shapes, UnsupportedDtype.
    Result<StoredMatrix> matrix(const std::string& name, Index rows, Index columns) const;
    /// A tensor (count, rows, columns), its matrices one below the other. Errors: as above.
    Result<StoredMatrix> stack(const std::string& name, Index count, Index rows, Index columns) const;
    /// The same of MXFP4 as gpt-oss is published: NAME_blocks (count, rows, columns / 32, 16), two numbers a byte, and
    /// NAME_scales (count, rows, columns / 32), the exponents of their factors. Errors: as above.
    Result<StoredMatrix> stackOfFour(const std::string& name, Index count, Index rows, Index columns) const;
    /// A vector, widened. Errors: as above, and DataError, where it holds a number that is not finite.
    Result<std::vector<float>> vector(const std::string& name, Index size) const;

    /// What the first file says about itself under that name; empty where it says nothing.
    std::string metadata(const std::string& name) const;

    /// In all tensors.
    std::uint64_t numbers() const;
    /// Bytes of all files together.
    std::uint64_t bytes() const;
    /// "F32", or "BF16 and F32": in falling share of the elements.
    std::string dtypes() const;
    /// Are the files what they were when they were opened? Errors: Truncated, DataError.
    Result<void> check() const;

    /// Why values of a layer, or of what belongs to none, are not finite: names the first tensor there that holds such
    /// a number, or says that numbers pass float32's range. Reads the tensors: for when it has happened.
    Error whyNotFinite(std::optional<int> layer) const;

private:
    struct Place {
        size_t file;
        const TensorInfo* tensor;
        Index part = 0;  ///< which matrix of it
    };
    Result<void> add(Result<MappedTensors> file);
    Result<Place> place(const std::string& name, const std::vector<std::int64_t>& shape) const;
    Result<Place> placeOfWeights(const std::string& name, const std::vector<std::int64_t>& shape) const;
    /// What a tensor's numbers are, and how many: of the two of MXFP4 the blocks have them all.
    std::pair<std::string, std::uint64_t> numbersOf(std::string_view name, const TensorInfo& tensor) const;
    std::string where(const Place& place) const;
    Result<std::shared_ptr<const ScaleGrid>> scales(const std::string& name, Index rows, Index columns) const;
    std::optional<Error> notFinite(const Place& place, float& largest) const;

    std::string m_folder;
    WeightLayout m_layout;
    std::vector<MappedTensors> m_files;
    std::map<std::string, Place, std::less<>> m_tensors;
};

}  // namespace attnscope
