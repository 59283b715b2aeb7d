#include "core/tensor/tensor_file.h"

#include "core/base/text.h"
#include "core/tensor/gguf.h"
#include "core/tensor/readers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <numeric>
#include <optional>

#include <unistd.h>

namespace attnscope {

namespace {

/// What the first bytes say. A .safetensors file begins with a length and a brace, which other files may have by
/// chance, so it comes last; a name that promises a format gets that format's own error.
std::optional<FileFormat> formatOf(std::string_view start, const std::filesystem::path& path)
{
    if (start.starts_with("\x93NUMPY"))
        return FileFormat::Npy;
    if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"))
        return FileFormat::Npz;
    if (beginsGguf(start))
        return FileFormat::Gguf;
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (extension == ".safetensors" || (start.size() > 8 && start[8] == '{' && start[7] == '\0'))
        return FileFormat::Safetensors;
    if (extension == ".npy")
        return FileFormat::Npy;
    if (extension == ".npz")
        return FileFormat::Npz;
    if (extension == ".gguf")
        return FileFormat::Gguf;
    return std::nullopt;
}

/// Half of the machine's memory: a box that is larger is a mistake or an attack.
std::uint64_t largestRead()
{
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) /
           2;
}

Result<Box> wholeOr(const Box& box, const TensorInfo& tensor, const std::string& path)
{
    const std::size_t rank = tensor.shape.size();
    Box full{box.begin.empty() ? std::vector<std::int64_t>(rank, 0) : box.begin,
             box.count.empty() ? tensor.shape : box.count};
    bool inside = full.begin.size() == rank && full.count.size() == rank;
    for (std::size_t a = 0; inside && a < rank; ++a)
        inside = full.begin[a] >= 0 && full.count[a] >= 0 && full.begin[a] <= tensor.shape[a] &&
                 full.count[a] <= tensor.shape[a] - full.begin[a];
    if (!inside)
        return failure(ErrorKind::InvalidArgument, "{}: tensor {}: a box that is not inside its shape {}", path,
                       inQuotes(tensor.name), describeShape(tensor.shape));
    return full;
}

}  // namespace

std::string_view formatName(FileFormat format)
{
    constexpr std::array<std::string_view, 4> names{"safetensors", "npy", "npz", "gguf"};
    return names[static_cast<std::size_t>(format)];
}

std::uint64_t TensorInfo::elementCount() const
{
    return std::accumulate(
        shape.begin(), shape.end(), std::uint64_t{1},
        [](std::uint64_t product, std::int64_t extent) { return product * static_cast<std::uint64_t>(extent); });
}

std::string describeShape(std::span<const std::int64_t> shape) { return "[" + joined(shape, ", ") + "]"; }

std::string describeTensor(const TensorInfo& tensor) { return tensor.dtypeText() + " " + describeShape(tensor.shape); }

std::string TensorInfo::dtypeText() const { return unreadable ? otherDtype : std::string(dtypeName(dtype)); }

Result<TensorFile> TensorFile::open(const std::string& path)
{
    return openBytes(path).and_then(
        [&](std::shared_ptr<const ByteSource> source) { return fromSource(std::move(source), path); });
}

Result<TensorFile> TensorFile::fromBytes(std::vector<std::byte> bytes, const std::string& path)
{
    return fromSource(memoryBytes(std::move(bytes), path), path);
}

Result<TensorFile> TensorFile::fromSource(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(source->size(), 9)), '\0');
    TRY(source->read(0, std::as_writable_bytes(std::span(start))));
    const std::filesystem::path name(path);
    const auto format = formatOf(start, name);
    if (!format)
        return failure(
            ErrorKind::UnknownFormat,
            path +
                ": this is no .safetensors, .npy, .npz or .gguf file; save queries and keys as one of the first three");

    TensorFile file;
    file.m_path = path;
    file.m_paths = {path};
    file.m_format = *format;
    file.m_files = {source};
    Result<TensorFileContent> list;
    switch (*format) {
    case FileFormat::Safetensors:
        list = readSafetensors(source, path);
        break;
    case FileFormat::Npz:
        list = readNpz(source, path);
        break;
    case FileFormat::Gguf:
        list = readGguf(source, path);
        break;
    case FileFormat::Npy:
        list = readNpy(source, path, name.stem().string()).and_then([](TensorInfo tensor) -> Result<TensorFileContent> {
            if (tensor.unreadable)  // then there is nothing else in it
                return tl::unexpected<Error>(*tensor.unreadable);
            return TensorFileContent{{std::move(tensor)}, {}};
        });
        break;
    }
    if (!list)
        return tl::unexpected<Error>(list.error());
    file.addTensors(std::move(list->tensors));
    file.m_metadata = std::move(list->metadata);
    return file;
}

Result<const TensorInfo*> TensorFile::find(std::string_view name) const
{
    if (const auto found = m_index.find(name); found != m_index.end()) {
        const TensorInfo& tensor = m_tensors[found->second];
        return tensor.unreadable ? Result<const TensorInfo*>(tl::unexpected<Error>(*tensor.unreadable)) : &tensor;
    }
    const std::string known = joined(std::span(m_tensors).first(std::min<std::size_t>(m_tensors.size(), 12)), ", ",
                                     [](const TensorInfo& tensor) { return inQuotes(tensor.name); });
    return failure(ErrorKind::UnknownName, "{}: no tensor {}; it has {}{}", m_path, inQuotes(name),
                   known.empty() ? "none" : known,
                   m_tensors.size() > 12 ? fmt::format(" and {} more", m_tensors.size() - 12) : "");
}

const Error* TensorFile::firstUnreadable() const
{
    const auto found = std::find_if(m_tensors.begin(), m_tensors.end(),
                                    [](const TensorInfo& tensor) { return tensor.unreadable.has_value(); });
    return found == m_tensors.end() ? nullptr : &*found->unreadable;
}

template <class Float>
Result<std::vector<Float>> TensorFile::read(const TensorInfo& tensor, const Box& box) const
{
    if (tensor.unreadable)
        return tl::unexpected<Error>(*tensor.unreadable);
    const Box part = TRY(wholeOr(box, tensor, m_path));
    const std::uint64_t count = TensorInfo{.name = {}, .shape = part.count, .source = {}}.elementCount();
    const auto tooLarge = [&] {
        return failure(ErrorKind::DataError, "{}: tensor {}: {} elements do not fit in memory; choose a part of it",
                       m_path, inQuotes(tensor.name), count);
    };
    if (count > largestRead() / sizeof(Float))
        return tooLarge();
    try {
        std::vector<Float> out(static_cast<std::size_t>(count));
        if (count > 0)
            if (const auto done = readBox<Float>(tensor, part, out); !done)
                return done.error().kind == ErrorKind::DataError
                           ? failure(ErrorKind::DataError, m_path + ": " + done.error().message)
                           : tl::unexpected<Error>(done.error());
        TRY(tensor.source->verify());
        return out;
    } catch (const std::bad_alloc&) {
        return tooLarge();
    }
}

template Result<std::vector<float>> TensorFile::read<float>(const TensorInfo&, const Box&) const;
template Result<std::vector<double>> TensorFile::read<double>(const TensorInfo&, const Box&) const;

void TensorFile::add(TensorFile other)
{
    addTensors(std::move(other.m_tensors));
    m_metadata.merge(other.m_metadata);
    m_paths.insert(m_paths.end(), other.m_paths.begin(), other.m_paths.end());
    m_files.insert(m_files.end(), other.m_files.begin(), other.m_files.end());
}

void TensorFile::addTensors(std::vector<TensorInfo> tensors)
{
    for (TensorInfo& tensor : tensors) {
        m_index.emplace(tensor.name, m_tensors.size());
        m_tensors.push_back(std::move(tensor));
    }
}

std::uint64_t TensorFile::bytesRead() const
{
    return std::accumulate(m_files.begin(), m_files.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& file) { return sum + file->bytesRead(); });
}

}  // namespace attnscope
