#include "core/model/weight_files.h"

#include "core/base/each.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
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
        return failure(ErrorKind::InvalidHeader, "{}: {}; download the folder again", path, what);
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
            return bad(fmt::format("it names more than {} files", mostFiles));
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
            return failure(ErrorKind::InvalidHeader,
                           "{}: tensor {} is in another file of the folder too; remove one of them",
                           m_files.back().file().path(), inQuotes(tensor.name));
    return {};
}

Result<WeightFiles> WeightFiles::of(std::vector<MappedTensors> files, const std::string& name, WeightLayout layout)
{
    WeightFiles weights;
    weights.m_folder = name;
    weights.m_layout = std::move(layout);
    for (MappedTensors& file : files)
        TRY(weights.add(std::move(file)));
    return weights;
}

std::string WeightFiles::where(const Place& place) const
{
    return m_files[place.file].file().path() + ": tensor " + inQuotes(place.tensor->name);
}

Result<WeightFiles::Place> WeightFiles::place(const std::string& name, const std::vector<std::int64_t>& shape) const
{
    const auto [inFile, part] = this->inFile(name);
    const auto found = m_tensors.find(inFile);
    if (found == m_tensors.end())
        return failure(ErrorKind::UnknownName, "{}: its weights have no tensor {} of shape {}, which {}", m_folder,
                       inQuotes(inFile), describeShape(shape),
                       m_layout.name ? "its values imply" : "config.json implies");
    const TensorInfo& tensor = *found->second.tensor;
    if (tensor.unreadable)
        return tl::unexpected(*tensor.unreadable);
    std::vector<std::int64_t> wanted = shape;
    if (part)  // of how many, the tensor says
        wanted.insert(wanted.begin(), std::max(*part + 1, tensor.shape.empty() ? 0 : tensor.shape.front()));
    const bool isRow = m_layout.name && wanted.size() == 2 && wanted[0] == 1 &&  // written as a vector
                       tensor.shape == std::vector<std::int64_t>{wanted[1]};
    if (tensor.shape != wanted && !isRow)
        return failure(ErrorKind::BadShape,
                       where(found->second) + " has shape " + describeShape(tensor.shape) +
                           (m_layout.name ? ", but its values imply " : ", but config.json implies ") +
                           describeShape(wanted));
    return Place{found->second.file, &tensor, part.value_or(0)};
}

Result<WeightFiles::Place> WeightFiles::placeOfWeights(const std::string& name,
                                                       const std::vector<std::int64_t>& shape) const
{
    const Place found = TRY(place(name, shape));
    if (!isWeight(found.tensor->dtype))
        return failure(
            ErrorKind::UnsupportedDtype,
            "{} is {}; weights are run from F32, F16, BF16, F8, gpt-oss's MXFP4 and the blocks of .gguf files",
            where(found), found.tensor->dtypeText());
    return found;
}

Result<StoredMatrix> WeightFiles::matrix(const std::string& name, Index rows, Index columns) const
{
    const Place found = TRY(placeOfWeights(name, {rows, columns}));
    StoredMatrix matrix{m_files[found.file].bytes(*found.tensor).data(), found.tensor->dtype, rows, columns};
    matrix.data += bytesOf(matrix.dtype, static_cast<std::uint64_t>(found.part * rows * columns));
    if (matrix.dtype == Dtype::F8_E4M3 || matrix.dtype == Dtype::F8_E5M2)
        matrix.scales = TRY(scales(name, rows, columns));
    return matrix;
}

/// DeepSeek's folders have `weight_scale_inv`, a factor in spite of its name, for every square of 128;
/// compressed-tensors' have `weight_scale`, for the whole or for every row.
Result<std::shared_ptr<const ScaleGrid>> WeightFiles::scales(const std::string& name, Index rows, Index columns) const
{
    constexpr Index side = 128;
    for (const char* ending : {"_scale_inv", "_scale"}) {
        const auto found = m_tensors.find(inFile(name + ending).tensor);
        if (found == m_tensors.end())
            continue;
        const std::vector<std::int64_t> shape = found->second.tensor->shape;
        const Index down = shape.empty() ? 1 : shape[0], across = shape.size() < 2 ? 1 : shape[1];
        const auto sideOf = [](Index extent, Index parts) {
            return parts == 1                            ? extent
                   : parts == extent                     ? Index{1}
                   : parts == (extent + side - 1) / side ? side
                                                         : Index{0};
        };
        ScaleGrid grid{sideOf(rows, down), sideOf(columns, across), across, {}};
        if (shape.size() > 2 || grid.rows == 0 || grid.columns == 0)
            return failure(
                ErrorKind::BadShape,
                "{} has shape {}; the factors of a matrix {} are one, one a row, or one for every square of 128",
                where(found->second), describeShape(shape), describeShape(std::array{rows, columns}));
        const Place checked = TRY(placeOfWeights(name + ending, shape));
        grid.factors.resize(static_cast<size_t>(down * across));
        decode<float>(checked.tensor->dtype, false, m_files[checked.file].bytes(*checked.tensor), grid.factors);
        float largest = 0;
        if (const auto fault = notFinite(checked, largest))
            return tl::unexpected(*fault);
        return std::make_shared<const ScaleGrid>(std::move(grid));
    }
    return nullptr;
}

Result<StoredMatrix> WeightFiles::stack(const std::string& name, Index count, Index rows, Index columns) const
{
    const Place found = TRY(placeOfWeights(name, {count, rows, columns}));
    const Dtype dtype = found.tensor->dtype;
    if (dtype == Dtype::F8_E4M3 || dtype == Dtype::F8_E5M2)
        return failure(ErrorKind::UnsupportedDtype,
                       "{} is {}, and the factors of such matrices are read of single ones alone; convert them to BF16",
                       where(found), found.tensor->dtypeText());
    return StoredMatrix{m_files[found.file].bytes(*found.tensor).data(), dtype, count * rows, columns};
}

Result<StoredMatrix> WeightFiles::stackOfFour(const std::string& name, Index count, Index rows, Index columns) const
{
    constexpr Index group = 32;
    const Place blocks = TRY(place(name + "_blocks", {count, rows, columns / group, group / 2})),
                scales = TRY(place(name + "_scales", {count, rows, columns / group}));
    for (const Place& part : {blocks, scales})
        if (part.tensor->dtype != Dtype::U8)
            return failure(ErrorKind::UnsupportedDtype, "{} is {}; MXFP4 is kept in bytes, U8", where(part),
                           part.tensor->dtypeText());
    if (columns % group != 0)
        return failure(ErrorKind::BadShape, "{}: rows of {} numbers are no whole groups of {}", where(blocks), columns,
                       group);
    StoredMatrix made{m_files[blocks.file].bytes(*blocks.tensor).data(), Dtype::F4_E2M1, count * rows, columns};
    made.exponents = m_files[scales.file].bytes(*scales.tensor).data();
    return made;
}

std::pair<std::string, std::uint64_t> WeightFiles::numbersOf(std::string_view name, const TensorInfo& tensor) const
{
    constexpr std::string_view blocks = "_blocks", scales = "_scales";
    const auto other = [&](std::string_view mine, std::string_view others) {
        return tensor.dtype == Dtype::U8 && name.ends_with(mine) &&
               has(std::string(name.substr(0, name.size() - mine.size())).append(others));
    };
    if (other(blocks, scales))
        return {std::string(dtypeName(Dtype::MXFP4)), 2 * tensor.elementCount()};
    return {tensor.dtypeText(), other(scales, blocks) ? 0 : tensor.elementCount()};
}

std::vector<std::string> WeightFiles::names() const
{
    return each(m_tensors, [](const auto& tensor) { return tensor.first; });
}

std::vector<std::int64_t> WeightFiles::shapeOf(std::string_view name) const
{
    const auto found = m_tensors.find(inFile(name).tensor);
    return found == m_tensors.end() ? std::vector<std::int64_t>{} : found->second.tensor->shape;
}

Result<std::vector<float>> WeightFiles::vector(const std::string& name, Index size) const
{
    const Place found = TRY(placeOfWeights(name, {size}));
    float largest = 0;
    if (const auto fault = notFinite(found, largest))
        return tl::unexpected(*fault);
    std::vector<float> values(static_cast<size_t>(size));
    const Dtype dtype = found.tensor->dtype;
    decode<float>(dtype, false,
                  m_files[found.file]
                      .bytes(*found.tensor)
                      .subspan(bytesOf(dtype, static_cast<std::uint64_t>(found.part * size)),
                               bytesOf(dtype, static_cast<std::uint64_t>(size))),
                  values);
    if (m_layout.normsFromOne && name.ends_with("norm.weight"))
        for (float& value : values)
            value -= 1;
    return values;
}

/// The first number of a tensor that is not finite, as an error; else `largest` is raised to its largest size.
std::optional<Error> WeightFiles::notFinite(const Place& place, float& largest) const
{
    constexpr std::uint64_t atOnce = 1 << 16;  // whole blocks of any dtype
    const TensorInfo& tensor = *place.tensor;
    const std::uint64_t count = tensor.elementCount();
    const auto bytes = m_files[place.file].bytes(tensor);
    std::vector<float> values;
    for (std::uint64_t at = 0; at < count; at += values.size()) {
        values.resize(static_cast<size_t>(std::min(atOnce, count - at)));
        decode<float>(tensor.dtype, false,
                      bytes.subspan(bytesOf(tensor.dtype, at), bytesOf(tensor.dtype, values.size())), values);
        for (size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) {
                largest = std::max(largest, std::abs(values[i]));
                continue;
            }
            std::vector<std::int64_t> index(tensor.shape.size());
            std::uint64_t left = at + i;
            for (size_t axis = index.size(); axis-- > 0; left /= static_cast<std::uint64_t>(tensor.shape[axis]))
                index[axis] = static_cast<std::int64_t>(left % static_cast<std::uint64_t>(tensor.shape[axis]));
            return Error{ErrorKind::DataError, where(place) + " holds " + (std::isnan(values[i]) ? "NaN" : "infinity") +
                                                   " at " + describeShape(index) +
                                                   "; the weights are damaged, download or convert them again"};
        }
    }
    return std::nullopt;
}

namespace {

/// The first part of a dotted name that is a number: the layer that a tensor belongs to.
std::optional<int> layerOf(std::string_view name)
{
    for (const std::string_view part : split(name, '.'))
        if (const auto number = numberFrom<int>(part))
            return number;
    return std::nullopt;
}

}  // namespace

Error WeightFiles::whyNotFinite(std::optional<int> layer) const
{
    if (const auto unchanged = check(); !unchanged)
        return unchanged.error();
    float largest = 0;
    for (const auto& [name, found] : m_tensors)
        if (layerOf(name) == layer && isWeight(found.tensor->dtype))
            if (const auto fault = notFinite(found, largest))
                return *fault;
    return {ErrorKind::DataError, m_folder + ": " +
                                      (layer ? fmt::format("layer {}", *layer) : "what follows the layers") +
                                      " makes numbers beyond float32's range; the largest of its weights is " +
                                      formatNumber(static_cast<double>(largest))};
}

std::string WeightFiles::metadata(const std::string& name) const
{
    const auto& all = m_files.front().file().metadata();
    const auto found = all.find(name);
    return found == all.end() ? std::string() : found->second;
}

std::uint64_t WeightFiles::numbers() const
{
    std::uint64_t sum = 0;
    for (const auto& [name, found] : m_tensors)
        sum += numbersOf(name, *found.tensor).second;
    return sum;
}

std::uint64_t WeightFiles::bytes() const
{
    std::uint64_t sum = 0;
    for (const MappedTensors& file : m_files)
        sum += file.size();
    return sum;
}

std::string WeightFiles::dtypes() const
{
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, found] : m_tensors) {
        const auto [dtype, count] = numbersOf(name, *found.tensor);
        counts[dtype] += count;
    }
    std::vector<std::pair<std::uint64_t, std::string>> falling;
    for (const auto& [dtype, count] : counts)
        if (count > 0)
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
