#include "core/tensor/dtype.h"
#include "core/tensor/readers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

namespace attnscope {

namespace {

constexpr std::uint64_t lengthBytes = 8;
constexpr std::uint64_t longestSafetensorsHeader = 100'000'000;
constexpr std::size_t mostTensors = 100'000;
constexpr std::size_t mostSafetensorsAxes = 32;
constexpr int deepest = 4;

struct HeaderEntry {
    std::string name, dtype;
    std::vector<std::uint64_t> shape, offsets;
    bool hasDtype = false, hasShape = false, hasOffsets = false;
};

/// Takes the header apart as it is parsed; the state is the depth and the names on the way down. Fields of a tensor
/// that are not known are passed over, as other readers do; everything else that is not as it should be stops the
/// parse.
class HeaderHandler final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<HeaderEntry> entries;
    std::map<std::string, std::string> metadata;
    std::string fault;  ///< not empty: what was wrong

    bool start_object(std::size_t) override
    {
        if (++m_depth > deepest)
            return stop(fmt::format("it nests more than {} levels", deepest));
        if (m_depth == 2 && !m_inMetadata) {
            if (entries.size() == mostTensors)
                return stop(fmt::format("it lists more than {} tensors", mostTensors));
            entries.push_back({.name = m_name, .dtype = {}, .shape = {}, .offsets = {}});
        }
        return m_depth <= 2 || unknownField() || stop(place() + " must not be an object");
    }
    bool end_object() override
    {
        if (m_depth == 2 && !m_inMetadata) {
            const HeaderEntry& entry = entries.back();
            const char* missing = !entry.hasDtype     ? "dtype"
                                  : !entry.hasShape   ? "shape"
                                  : !entry.hasOffsets ? "data_offsets"
                                                      : nullptr;
            if (missing)
                return stop("tensor " + inQuotes(entry.name) + " has no " + missing);
            if (entry.offsets.size() != 2)
                return stop("tensor " + inQuotes(entry.name) + ": data_offsets must be two whole numbers");
        }
        if (m_depth == 2)
            m_inMetadata = false;
        --m_depth;
        return true;
    }
    bool key(string_t& name) override
    {
        if (m_depth == 1) {
            m_name = name;
            m_field.clear();
            m_inMetadata = name == "__metadata__";
            return m_names.insert(name).second || stop("the name " + inQuotes(name) + " is there twice");
        }
        if (m_depth > 2)
            return true;
        m_field = name;
        if (m_inMetadata)
            return metadata.emplace(name, "").second || stop("__metadata__ has " + inQuotes(name) + " twice");
        HeaderEntry& entry = entries.back();
        bool other = false;
        bool& seen = name == "dtype"          ? entry.hasDtype
                     : name == "shape"        ? entry.hasShape
                     : name == "data_offsets" ? entry.hasOffsets
                                              : other;
        if (seen)
            return stop("tensor " + inQuotes(entry.name) + " has " + name + " twice");
        seen = true;
        return true;
    }
    bool start_array(std::size_t) override
    {
        if (++m_depth > deepest)
            return stop(fmt::format("it nests more than {} levels", deepest));
        const bool expected = m_depth == 3 && !m_inMetadata && (m_field == "shape" || m_field == "data_offsets");
        return expected || unknownField() || stop(place() + " must not be an array");
    }
    bool end_array() override { return --m_depth, true; }

    bool number_unsigned(number_unsigned_t value) override
    {
        if (m_depth == 3 && m_field == "shape") {
            entries.back().shape.push_back(value);
            return entries.back().shape.size() <= mostSafetensorsAxes ||
                   stop(fmt::format("{} has more than {} axes", place(), mostSafetensorsAxes));
        }
        if (m_depth == 3 && m_field == "data_offsets") {
            entries.back().offsets.push_back(value);
            return entries.back().offsets.size() <= 2 || stop(place() + " must be two whole numbers");
        }
        return scalar("a number");
    }
    bool number_integer(number_integer_t) override { return scalar("a negative number"); }
    bool number_float(number_float_t, const string_t& text) override { return scalar("the number " + inQuotes(text)); }
    bool boolean(bool) override { return scalar("a truth value"); }
    bool null() override { return (m_inMetadata && m_depth == 1) || scalar("null"); }
    bool string(string_t& text) override
    {
        if (m_depth == 2 && m_inMetadata)
            metadata[m_field] = text;
        else if (m_depth == 2 && m_field == "dtype")
            entries.back().dtype = text;
        else
            return scalar("a string");
        return true;
    }
    bool binary(binary_t&) override { return scalar("binary data"); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        return stop(
            fmt::format("it is not JSON from byte {} of the file on", lengthBytes + (position > 0 ? position - 1 : 0)));
    }

private:
    bool stop(std::string what) { return fault = std::move(what), false; }
    std::string place() const
    {
        const std::string outer = m_inMetadata ? "__metadata__" : "tensor " + inQuotes(m_name);
        return m_field.empty() ? outer : outer + ": " + inQuotes(m_field);
    }
    bool unknownField() const
    {
        return m_depth > 2 && !m_inMetadata && m_field != "dtype" && m_field != "shape" && m_field != "data_offsets";
    }
    bool scalar(const std::string& what)
    {
        const bool skipped =
            m_depth >= 2 && !m_inMetadata && m_field != "dtype" && m_field != "shape" && m_field != "data_offsets";
        return skipped || stop(place() + " must not be " + what);
    }

    int m_depth = 0;
    bool m_inMetadata = false;
    std::string m_name, m_field;
    std::set<std::string> m_names;
};

Result<std::string> readSafetensorsHeader(const ByteSource& source, const std::string& path)
{
    const auto bad = [&](ErrorKind kind, const std::string& what) {
        return failure(kind, path + ": " + what + "; the file is damaged or no .safetensors: copy or save it again");
    };
    if (source.size() < lengthBytes)
        return bad(ErrorKind::HeaderTooSmall,
                   fmt::format("only {} bytes, fewer than the 8 of the header's length", source.size()));
    std::array<std::byte, lengthBytes> raw{};
    TRY(source.read(0, raw));
    std::uint64_t length = 0;
    for (std::size_t i = lengthBytes; i-- > 0;)
        length = length << 8 | std::to_integer<std::uint64_t>(raw[i]);
    if (length > longestSafetensorsHeader)
        return bad(ErrorKind::HeaderTooLarge,
                   fmt::format("bytes 0-7 declare a header of {} bytes, over the limit of 100000000", length));
    if (length > source.size() - lengthBytes)
        return bad(ErrorKind::InvalidHeaderLength,
                   fmt::format("bytes 0-7 declare a header of {} bytes, past the end of the file of {}", length,
                               source.size()));
    std::string header(length, '\0');
    TRY(source.read(lengthBytes, std::as_writable_bytes(std::span(header))));
    return header;
}

/// The data must be covered from its first byte to its last, without gap or overlap.
Result<void> checkOffsets(const std::vector<HeaderEntry>& entries, std::uint64_t dataLength, const std::string& path)
{
    const auto bad = [&](const HeaderEntry& entry, const std::string& what) {
        return failure(ErrorKind::InvalidOffset, "{}: tensor {}: data_offsets [{}, {}] {}; write the file again", path,
                       inQuotes(entry.name), entry.offsets[0], entry.offsets[1], what);
    };
    std::vector<const HeaderEntry*> order(entries.size());
    std::transform(entries.begin(), entries.end(), order.begin(), [](const HeaderEntry& entry) { return &entry; });
    std::stable_sort(order.begin(), order.end(),
                     [](const HeaderEntry* a, const HeaderEntry* b) { return a->offsets < b->offsets; });
    std::uint64_t end = 0;
    for (const HeaderEntry* entry : order) {
        if (entry->offsets[1] < entry->offsets[0])
            return bad(*entry, "end before they begin");
        if (entry->offsets[1] > dataLength)
            return bad(*entry, fmt::format("end past the data of {} bytes", dataLength));
        if (entry->offsets[0] != end)
            return bad(*entry, fmt::format("{} the tensor that ends at byte {}",
                                           entry->offsets[0] < end ? "overlap" : "leave a gap after", end));
        end = entry->offsets[1];
    }
    if (end != dataLength)
        return failure(ErrorKind::InvalidOffset,
                       "{}: the tensors end at byte {} of the data, which has {}; write the file again", path, end,
                       dataLength);
    return {};
}

Result<TensorInfo> toTensor(const HeaderEntry& entry, const std::string& path)
{
    const std::string where = path + ": tensor " + inQuotes(entry.name) + ": ";
    TensorInfo tensor{.name = entry.name};
    for (const std::uint64_t extent : entry.shape) {
        if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return failure(ErrorKind::TensorInvalid, "{}the extent {} is too large; write the file again", where,
                           extent);
        tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }
    const auto dtype = dtypeFromName(entry.dtype);
    if (!dtype) {
        tensor.otherDtype = entry.dtype;
        tensor.unreadable = Error{ErrorKind::UnsupportedDtype, where + "dtype " + inQuotes(entry.dtype) +
                                                                   " cannot be read; convert it to F32, F16 or BF16"};
        return tensor;
    }
    tensor.dtype = *dtype;
    const auto count = checkedCount(tensor.shape, dtypeSize(*dtype));
    if (!count)
        return failure(ErrorKind::TensorInvalid, "{}the product of shape {} overflows; write the file again", where,
                       describeShape(tensor.shape));
    const std::uint64_t bytes = *count * dtypeSize(*dtype);
    if (bytes != entry.offsets[1] - entry.offsets[0])
        return failure(ErrorKind::TensorInvalid,
                       "{}{} takes {} bytes, but data_offsets give it {}; write the file again", where,
                       describeTensor(tensor), bytes, entry.offsets[1] - entry.offsets[0]);
    return tensor;
}

}  // namespace

Result<TensorFileContent> readSafetensors(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    const auto header = TRY(readSafetensorsHeader(*source, path));
    const auto bad = [&](const std::string& what) {
        return failure(ErrorKind::InvalidHeader, "{}: header: {}; write the file again", path, what);
    };
    if (header.empty() || header.front() != '{')
        return bad("it does not start with '{' at byte 8");
    if (const std::size_t zero = header.find('\0'); zero != header.npos)  // the parser would take it for the end
        return bad(fmt::format("a zero byte at byte {}", lengthBytes + zero));
    HeaderHandler handler;
    if (!nlohmann::json::sax_parse(header.begin(), header.end(), &handler))
        return bad(handler.fault);
    const std::size_t last = header.find_last_not_of(' ');
    if (header[last] != '}')
        return bad(fmt::format("only spaces may follow it, but there is other data at byte {}", lengthBytes + last));

    const std::uint64_t dataBegin = lengthBytes + header.size();
    TRY(checkOffsets(handler.entries, source->size() - dataBegin, path));
    TensorFileContent list{.tensors = {}, .metadata = std::move(handler.metadata)};
    list.tensors.reserve(handler.entries.size());
    for (const HeaderEntry& entry : handler.entries) {
        TensorInfo tensor = TRY(toTensor(entry, path));
        tensor.offset = dataBegin + entry.offsets[0];
        tensor.source = source;
        list.tensors.push_back(std::move(tensor));
    }
    return list;
}

}  // namespace attnscope
