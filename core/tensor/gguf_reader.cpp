#include "core/base/text.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/dtype.h"
#include "core/tensor/gguf.h"
#include "core/tensor/readers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <set>

namespace attnscope {

namespace {

constexpr std::string_view ggufMagic = "GGUF";
constexpr std::uint64_t longestKey = 65535, largestAlignment = 1 << 20, defaultAlignment = 32;
constexpr std::size_t mostGgufTensors = 100'000, mostGgufAxes = 4, mostNested = 2;
/// A value takes 16 bytes of memory and more, however few it has in the file: a vocabulary of 4 million tokens has room
/// (the largest published ones have 262 144), with its scores, kinds and merges.
constexpr std::uint64_t mostGgufValues = 100'000, mostGgufMembers = 1 << 22, mostGgufMembersInAll = 1 << 24;

/// Types of values, by their number in the file.
enum class GgufType : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, Array, U64, I64, F64 };

struct GgmlType {
    std::uint32_t number;
    std::string_view name;
    Dtype dtype = Dtype::Unknown;
};

/// What the numbers of ggml_type mean (ggml.h); those without a dtype are known by name alone.
constexpr std::array ggmlTypes{
    GgmlType{0, "F32", Dtype::F32},
    GgmlType{1, "F16", Dtype::F16},
    GgmlType{2, "Q4_0", Dtype::Q4_0},
    GgmlType{3, "Q4_1", Dtype::Q4_1},
    GgmlType{6, "Q5_0", Dtype::Q5_0},
    GgmlType{7, "Q5_1", Dtype::Q5_1},
    GgmlType{8, "Q8_0", Dtype::Q8_0},
    GgmlType{9, "Q8_1"},
    GgmlType{10, "Q2_K", Dtype::Q2_K},
    GgmlType{11, "Q3_K", Dtype::Q3_K},
    GgmlType{12, "Q4_K", Dtype::Q4_K},
    GgmlType{13, "Q5_K", Dtype::Q5_K},
    GgmlType{14, "Q6_K", Dtype::Q6_K},
    GgmlType{15, "Q8_K"},
    GgmlType{16, "IQ2_XXS"},
    GgmlType{17, "IQ2_XS"},
    GgmlType{18, "IQ3_XXS"},
    GgmlType{19, "IQ1_S"},
    GgmlType{20, "IQ4_NL", Dtype::IQ4_NL},
    GgmlType{21, "IQ3_S"},
    GgmlType{22, "IQ2_S"},
    GgmlType{23, "IQ4_XS"},
    GgmlType{24, "I8", Dtype::I8},
    GgmlType{25, "I16", Dtype::I16},
    GgmlType{26, "I32", Dtype::I32},
    GgmlType{27, "I64", Dtype::I64},
    GgmlType{28, "F64", Dtype::F64},
    GgmlType{29, "IQ1_M"},
    GgmlType{30, "BF16", Dtype::BF16},
    GgmlType{34, "TQ1_0"},
    GgmlType{35, "TQ2_0"},
    GgmlType{39, "MXFP4", Dtype::MXFP4},
};

/// A header on its way to a GgufHeader, read from its first byte on.
class GgufParser {
public:
    GgufParser(std::shared_ptr<const ByteSource> source, std::string path)
        : m_source(std::move(source)), m_path(std::move(path))
    {
    }
    Result<GgufHeader> parse();

private:
    tl::unexpected<Error> bad(ErrorKind kind, const std::string& what) const
    {
        return failure(kind, m_path + ": " + what + "; copy or convert the file again");
    }
    std::uint64_t left() const { return m_source->size() - m_at; }

    template <class Number>
    Result<Number> number();
    Result<std::string> text(std::uint64_t longest, const char* what);
    Result<nlohmann::json> value(std::uint32_t type, const std::string& key, std::size_t depth);
    Result<nlohmann::json> array(const std::string& key, std::size_t depth);
    Result<TensorInfo> tensor();
    Result<std::uint64_t> alignment(const nlohmann::json& values) const;
    Result<void> place(std::vector<TensorInfo>& tensors, std::uint64_t alignment) const;

    std::shared_ptr<const ByteSource> m_source;
    std::string m_path;
    std::uint64_t m_at = 0;
    std::uint64_t m_members = 0;      ///< of all arrays until here
    std::vector<std::byte> m_window;  ///< bytes from m_windowBegin on
    std::uint64_t m_windowBegin = 0;
};

template <class Number>
Result<Number> GgufParser::number()
{
    constexpr std::uint64_t window = 1 << 18;
    if (left() < sizeof(Number))
        return bad(ErrorKind::Truncated,
                   fmt::format("the header goes on past the end of the file of {} bytes", m_source->size()));
    if (m_at < m_windowBegin || m_at + sizeof(Number) > m_windowBegin + m_window.size()) {
        m_window.resize(static_cast<std::size_t>(std::min(window, left())));
        m_windowBegin = m_at;
        TRY(m_source->read(m_at, m_window));
    }
    std::array<std::byte, sizeof(Number)> raw;
    std::memcpy(raw.data(), m_window.data() + (m_at - m_windowBegin), raw.size());
    if constexpr (std::endian::native == std::endian::big)
        std::reverse(raw.begin(), raw.end());
    m_at += sizeof(Number);
    return std::bit_cast<Number>(raw);
}

Result<std::string> GgufParser::text(std::uint64_t longest, const char* what)
{
    const std::uint64_t at = m_at, length = TRY(number<std::uint64_t>());
    if (length > longest || length > left())
        return bad(ErrorKind::BadHeader,
                   fmt::format("{} at byte {} declares {} bytes, {}", what, at, length,
                               length > left() ? "past the end of the file" : "more than is allowed"));
    std::string text(static_cast<std::size_t>(length), '\0');
    if (m_at >= m_windowBegin && m_at + length <= m_windowBegin + m_window.size())
        std::memcpy(text.data(), m_window.data() + (m_at - m_windowBegin), text.size());
    else
        TRY(m_source->read(m_at, std::as_writable_bytes(std::span(text))));
    m_at += length;
    return text;
}

Result<nlohmann::json> GgufParser::value(std::uint32_t type, const std::string& key, std::size_t depth)
{
    const auto json = [](const auto& given) { return nlohmann::json(given); };
    switch (static_cast<GgufType>(type)) {
    case GgufType::U8:
        return number<std::uint8_t>().map(json);
    case GgufType::I8:
        return number<std::int8_t>().map(json);
    case GgufType::U16:
        return number<std::uint16_t>().map(json);
    case GgufType::I16:
        return number<std::int16_t>().map(json);
    case GgufType::U32:
        return number<std::uint32_t>().map(json);
    case GgufType::I32:
        return number<std::int32_t>().map(json);
    case GgufType::F32:
        return number<float>().map(json);
    case GgufType::Bool: {
        const auto truth = TRY(number<std::uint8_t>());
        if (truth > 1)
            return bad(ErrorKind::BadHeader, "value " + inQuotes(key) + " is a truth value that is neither 0 nor 1");
        return nlohmann::json(truth == 1);
    }
    case GgufType::Text:
        return text(std::numeric_limits<std::uint64_t>::max(), "a text").map(json);
    case GgufType::Array:
        return array(key, depth + 1);
    case GgufType::U64:
        return number<std::uint64_t>().map(json);
    case GgufType::I64:
        return number<std::int64_t>().map(json);
    case GgufType::F64:
        return number<double>().map(json);
    }
    return bad(ErrorKind::BadHeader,
               fmt::format("value {} is of type {}, and the format has types 0 to 12", inQuotes(key), type));
}

Result<nlohmann::json> GgufParser::array(const std::string& key, std::size_t depth)
{
    if (depth > mostNested)
        return bad(ErrorKind::BadHeader, "value " + inQuotes(key) + " is arrays in arrays in arrays");
    const auto type = TRY(number<std::uint32_t>());
    const auto count = TRY(number<std::uint64_t>());
    constexpr std::array<std::uint64_t, 13> smallest{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};  // bytes of each type
    if (type >= smallest.size() || count > left() / smallest[type])
        return bad(ErrorKind::BadHeader,
                   fmt::format("value {} declares {} members of type {}, and the file has {} bytes left", inQuotes(key),
                               count, type, left()));
    m_members += count;
    if (count > mostGgufMembers || m_members > mostGgufMembersInAll)
        return bad(ErrorKind::BadHeader,
                   fmt::format("value {} declares {} members; at most {} in an array and {} in all are read",
                               inQuotes(key), count, mostGgufMembers, mostGgufMembersInAll));
    nlohmann::json members = nlohmann::json::array();
    members.get_ref<nlohmann::json::array_t&>().reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        members.push_back(TRY(value(type, key, depth)));
    return members;
}

Result<TensorInfo> GgufParser::tensor()
{
    TensorInfo tensor{.name = TRY(text(longestKey, "a tensor's name")), .source = m_source};
    const std::string where = "tensor " + inQuotes(tensor.name);
    const auto axes = TRY(number<std::uint32_t>());
    if (axes > mostGgufAxes)
        return bad(ErrorKind::TensorInvalid, fmt::format("{} has {} axes, more than {}", where, axes, mostGgufAxes));
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        const auto extent = TRY(number<std::uint64_t>());
        if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return bad(ErrorKind::TensorInvalid, fmt::format("{}: the extent {} is too large", where, extent));
        tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));
    }
    const auto number32 = TRY(number<std::uint32_t>());
    tensor.offset = TRY(number<std::uint64_t>());
    if (!checkedCount(tensor.shape, 8))  // no type takes more bytes for a number
        return bad(ErrorKind::TensorInvalid,
                   where + ": the product of shape " + describeShape(tensor.shape) + " overflows");
    const auto type = std::ranges::find(ggmlTypes, number32, &GgmlType::number);
    if (type != ggmlTypes.end())
        tensor.dtype = type->dtype;
    if (tensor.dtype == Dtype::Unknown) {
        tensor.otherDtype = type != ggmlTypes.end() ? std::string(type->name) : fmt::format("type {}", number32);
        tensor.unreadable =
            Error{ErrorKind::UnsupportedDtype, m_path + ": " + where + ": numbers of " + tensor.otherDtype +
                                                   " cannot be read; take a file of Q8_0, Q6_K, Q5_K, Q4_K or F16"};
        return tensor;
    }
    const std::uint64_t block = numbersOfBlock(tensor.dtype);
    if (block > 1 && (tensor.shape.empty() || static_cast<std::uint64_t>(tensor.shape.back()) % block != 0))
        return bad(ErrorKind::TensorInvalid,
                   fmt::format("{} is {}, whose rows are no blocks of {}", where, describeTensor(tensor), block));
    return tensor;
}

Result<std::uint64_t> GgufParser::alignment(const nlohmann::json& values) const
{
    const auto given = values.find("general.alignment");
    if (given == values.end())
        return defaultAlignment;
    const std::uint64_t alignment = given->is_number_unsigned() ? given->get<std::uint64_t>() : 0;
    if (!std::has_single_bit(alignment) || alignment > largestAlignment)
        return bad(ErrorKind::BadHeader,
                   fmt::format("general.alignment must be a power of 2 up to {}", largestAlignment));
    return alignment;
}

/// From offsets in the data to offsets in the file. None may lie past the end or upon another.
Result<void> GgufParser::place(std::vector<TensorInfo>& tensors, std::uint64_t alignment) const
{
    const std::uint64_t begin = (m_at + alignment - 1) / alignment * alignment,
                        size = m_source->size() > begin ? m_source->size() - begin : 0;
    std::vector<TensorInfo*> order;
    for (TensorInfo& tensor : tensors) {
        const std::string where = fmt::format("tensor {}: its offset {}", inQuotes(tensor.name), tensor.offset);
        if (tensor.offset % alignment != 0)
            return bad(ErrorKind::InvalidOffset, fmt::format("{} is no multiple of {}", where, alignment));
        if (tensor.offset > size || tensor.byteCount() > size - tensor.offset)
            return bad(tensor.offset > size ? ErrorKind::InvalidOffset : ErrorKind::Truncated,
                       fmt::format("{} and {} bytes reach past the data of {} bytes", where, tensor.byteCount(), size));
        order.push_back(&tensor);
    }
    std::ranges::stable_sort(order, {}, &TensorInfo::offset);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        if (order[i]->offset + order[i]->byteCount() > order[i + 1]->offset)
            return bad(ErrorKind::InvalidOffset, "tensors " + inQuotes(order[i]->name) + " and " +
                                                     inQuotes(order[i + 1]->name) + " lie upon each other");
    for (TensorInfo& tensor : tensors)
        tensor.offset += begin;
    return {};
}

Result<GgufHeader> GgufParser::parse()
{
    m_at = ggufMagic.size();
    const auto version = TRY(number<std::uint32_t>());
    if (version != 2 && version != 3)
        return bad(ErrorKind::BadHeader, (version & 0xffff) == 0 && version != 0
                                             ? std::string("it is written big endian, which is not read")
                                             : fmt::format("bytes 4-7 give version {}, and 2 and 3 are read", version));
    const auto tensors = TRY(number<std::uint64_t>()), values = TRY(number<std::uint64_t>());
    constexpr std::uint64_t smallestTensor = 24, smallestValue = 13;
    if (tensors > mostGgufTensors || tensors > left() / smallestTensor || values > mostGgufValues ||
        values > left() / smallestValue)
        return bad(ErrorKind::BadHeader,
                   fmt::format("it declares {} tensors and {} values, more than it can hold", tensors, values));
    GgufHeader header;
    for (std::uint64_t i = 0; i < values; ++i) {
        std::string key = TRY(text(longestKey, "a key"));
        const auto type = TRY(number<std::uint32_t>());
        nlohmann::json given = TRY(value(type, key, 0));
        if (header.values.contains(key))
            return bad(ErrorKind::BadName, "the value " + inQuotes(key) + " is there twice");
        header.values.emplace(std::move(key), std::move(given));
    }
    std::set<std::string> names;
    for (std::uint64_t i = 0; i < tensors; ++i) {
        header.tensors.push_back(TRY(tensor()));
        if (!names.insert(header.tensors.back().name).second)
            return bad(ErrorKind::BadName, "the tensor " + inQuotes(header.tensors.back().name) + " is there twice");
    }
    const auto step = TRY(alignment(header.values));
    TRY(place(header.tensors, step));
    return header;
}

/// A value in a line: "llama", "1024", "296 texts".
std::string inWords(const nlohmann::json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return value.dump();
    constexpr std::size_t few = 8;
    const bool texts = std::ranges::any_of(value, [](const nlohmann::json& one) { return one.is_string(); });
    return value.size() > few || texts ? std::to_string(value.size()) + (texts ? " texts" : " numbers") : value.dump();
}

}  // namespace

bool beginsGguf(std::string_view start) { return start.starts_with(ggufMagic); }

Result<GgufHeader> readGgufHeader(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(source->size(), ggufMagic.size())), '\0');
    TRY(source->read(0, std::as_writable_bytes(std::span(start))));
    if (!beginsGguf(start))
        return failure(
            ErrorKind::BadHeader,
            path + " is not a GGUF file, or it is damaged: it does not begin with \"GGUF\"; copy or convert it again");
    return GgufParser(std::move(source), path).parse();
}

Result<TensorFileContent> readGguf(std::shared_ptr<const ByteSource> source, const std::string& path)
{
    return readGgufHeader(std::move(source), path).map([](GgufHeader&& header) {
        TensorFileContent content{std::move(header.tensors), {}};
        for (const auto& [key, value] : header.values.items())
            content.metadata.emplace(key, inWords(value));
        return content;
    });
}

}  // namespace attnscope
