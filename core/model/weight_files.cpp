#include "core/model/weight_files.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/dtype.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

constexpr std::uint64_t longestIndex = 64 << 20;
constexpr size_t mostFiles = 1000;

/// The files that an index names, each once, by name.
Result<std::set<std::string>> shards(const std::string& path)
{
    const auto json =
        TRY(readText(path, longestIndex).and_then([&](const std::string& text) { return parseJson(text, path); }));
    const auto bad = [&](const std::string& what) {
        return failure(ErrorKind::InvalidHeader, path + ": " + what + "; download the folder again");
    };
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
        return bad("weight_map must be an object that gives every tensor its file");
    std::set<std::string> files;
    for (const auto& [name, file] : json["weight_map"].items()) {
        const std::string text = file.is_string() ? file.get<std::string>() : "";
        if (text.empty() || text.find('/') != text.npos || text.find('\0') != text.npos ||
            !text.ends_with(".safetensors"))
            return bad("tensor " + inQuotes(name) + " must be in a .safetensors file of this folder, not " +
                       inQuotes(text));
        files.insert(text);
        if (files.size() > mostFiles)
            return bad("it names more than " + std::to_string(mostFiles) + " files");
    }
    return files.empty() ? Result<std::set<std::string>>(bad("it names no file")) : files;
}

}  // namespace

Result<WeightFiles> WeightFiles::open(const std::string& folder)
{
    const std::filesystem::path path(folder);
    const std::filesystem::path single = path / "model.safetensors", index = path / "model.safetensors.index.json";
    std::error_code ignored;
    WeightFiles weights;
    weights.m_folder = folder;
    if (std::filesystem::exists(single, ignored)) {
        TRY(weights.add(MappedTensors::open(single.string())));
        return weights;
    }
    if (!std::filesystem::exists(index, ignored))
        return failure(ErrorKind::NotFound,
                       folder + ": neither model.safetensors nor model.safetensors.index.json is there; weights in "
                                "other formats have to be saved as .safetensors first");
    const auto files = TRY(shards(index.string()));
    for (const std::string& file : files)
        TRY(weights.add(MappedTensors::open((path / file).string())));
    return weights;
}

Result<WeightFiles> WeightFiles::fromMemory(std::span<const std::byte> bytes, const std::string& name)
{
    WeightFiles weights;
    weights.m_folder = name;
    TRY(weights.add(MappedTensors::fromMemory(bytes, nullptr, name + "/model.safetensors")));
    return weights;
}

Result<void> WeightFiles::add(Result<MappedTensors> file)
{
    m_files.push_back(TRY(std::move(file)));
    for (const TensorInfo& tensor : m_files.back().file().tensors())  // its address stays when m_files grows
        if (!m_tensors.emplace(tensor.name, Place{m_files.size() - 1, &tensor}).second)
            return failure(ErrorKind::InvalidHeader, m_files.back().file().path() + ": tensor " +
                                                         inQuotes(tensor.name) +
                                                         " is in another file of the folder too; remove one of them");
    return {};
}

Result<WeightFiles::Place> WeightFiles::place(const std::string& name, const std::vector<std::int64_t>& shape) const
{
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end())
        return failure(ErrorKind::UnknownName, m_folder + ": its weights have no tensor " + inQuotes(name) +
                                                   " of shape " + describeShape(shape) + ", which config.json implies");
    const TensorInfo& tensor = *found->second.tensor;
    const std::string where = m_files[found->second.file].file().path() + ": tensor " + inQuotes(name);
    if (tensor.shape != shape)
        return failure(ErrorKind::BadShape, where + " has shape " + describeShape(tensor.shape) +
                                                ", but config.json implies " + describeShape(shape));
    if (tensor.dtype != Dtype::F32 && tensor.dtype != Dtype::F16 && tensor.dtype != Dtype::BF16)
        return failure(ErrorKind::UnsupportedDtype, where + " is " + std::string(dtypeName(tensor.dtype)) +
                                                        "; weights are run from F32, F16 or BF16");
    return found->second;
}

Result<StoredMatrix> WeightFiles::matrix(const std::string& name, Index rows, Index columns) const
{
    return place(name, {rows, columns}).map([&](const Place& found) {
        return StoredMatrix{m_files[found.file].bytes(*found.tensor).data(), found.tensor->dtype, rows, columns};
    });
}

Result<std::vector<float>> WeightFiles::vector(const std::string& name, Index size) const
{
    return place(name, {size}).map([&](const Place& found) {
        std::vector<float> values(static_cast<size_t>(size));
        decode<float>(found.tensor->dtype, false, m_files[found.file].bytes(*found.tensor), values);
        return values;
    });
}

std::uint64_t WeightFiles::bytes() const
{
    std::uint64_t sum = 0;
    for (const auto& [name, found] : m_tensors)
        sum += found.tensor->elementCount() * dtypeSize(found.tensor->dtype);
    return sum;
}

std::string WeightFiles::dtypes() const
{
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, found] : m_tensors)
        counts[std::string(dtypeName(found.tensor->dtype))] += found.tensor->elementCount();
    std::vector<std::pair<std::uint64_t, std::string>> falling;
    for (const auto& [dtype, count] : counts)
        falling.emplace_back(count, dtype);
    std::sort(falling.rbegin(), falling.rend());
    return joined(falling, " and ", [](const auto& found) { return found.second; });
}

Result<void> WeightFiles::check() const
{
    for (const MappedTensors& file : m_files)
        TRY(file.check());
    return {};
}

}  // namespace attnscope
