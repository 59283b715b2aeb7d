#include "core/tensor/dtype.h"
#include "core/tensor/readers.h"

#include <array>
#include <charconv>
#include <optional>

namespace attnscope {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t longestNpyHeader = 10'000;
constexpr std::size_t mostNpyAxes = 32;

struct Dict {
    std::optional<std::string> descr;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::int64_t>> shape;
};

/// Reads the dict literal {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } and nothing else of Python.
class DictReader {
public:
    DictReader(std::string_view text, std::uint64_t begin, std::string where)
        : m_text(text), m_begin(begin), m_where(std::move(where))
    {
    }

    Result<Dict> read()
    {
        Dict dict;
        if (!take('{'))
            return bad("expected '{'");
        while (!take('}')) {
            const auto key = readString();
            if (!key)
                return bad("expected a key in quotes or '}'");
            if (!take(':'))
                return bad("expected ':' after " + inQuotes(*key));
            TRY(readValue(dict, *key));
            if (!take(',') && peek() != '}')
                return bad("expected ',' or '}'");
        }
        skipSpace();
        if (m_at != m_text.size())
            return bad("only white space may follow the dict");
        const char* missing = !dict.descr          ? "descr"
                              : !dict.fortranOrder ? "fortran_order"
                              : !dict.shape        ? "shape"
                                                   : nullptr;
        if (missing)
            return bad("the key '" + std::string(missing) + "' is missing");
        return dict;
    }

private:
    tl::unexpected<Error> bad(const std::string& what) const { return fault(ErrorKind::BadHeader, what); }
    tl::unexpected<Error> fault(ErrorKind kind, const std::string& what) const
    {
        return failure(kind, fmt::format("{}header, byte {}: {}; write the file again with numpy.save", m_where,
                                         m_begin + m_at, what));
    }

    void skipSpace()
    {
        while (m_at < m_text.size() &&
               (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t' || m_text[m_at] == '\r'))
            ++m_at;
    }
    char peek()
    {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char wanted) { return peek() == wanted && m_at < m_text.size() && (++m_at, true); }
    bool takeWord(std::string_view word)
    {
        skipSpace();
        return m_text.substr(m_at, word.size()) == word && (m_at += word.size(), true);
    }
    std::optional<std::string> readString()
    {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            return std::nullopt;
        const std::size_t close = m_text.find(quote, m_at + 1);
        if (close == m_text.npos)
            return std::nullopt;
        std::string text(m_text.substr(m_at + 1, close - m_at - 1));
        m_at = close + 1;
        return text;
    }

    Result<void> readValue(Dict& dict, const std::string& key)
    {
        if ((key == "descr" && dict.descr) || (key == "fortran_order" && dict.fortranOrder) ||
            (key == "shape" && dict.shape))
            return bad("the key " + inQuotes(key) + " is there twice");
        if (key == "descr") {
            if (peek() == '[')
                return fault(ErrorKind::UnsupportedDtype,
                             "a structured dtype cannot be read; save its fields as arrays of their own");
            dict.descr = readString();
            return dict.descr ? Result<void>{} : bad("'descr' must be a string");
        }
        if (key == "fortran_order") {
            if (takeWord("True"))
                dict.fortranOrder = true;
            else if (takeWord("False"))
                dict.fortranOrder = false;
            return dict.fortranOrder ? Result<void>{} : bad("'fortran_order' must be True or False");
        }
        if (key == "shape")
            return readShape().map([&](std::vector<std::int64_t> shape) { dict.shape = std::move(shape); });
        return bad("the key " + inQuotes(key) + " is not one of 'descr', 'fortran_order', 'shape'");
    }

    Result<std::vector<std::int64_t>> readShape()
    {
        if (!take('('))
            return bad("'shape' must be a tuple");
        std::vector<std::int64_t> shape;
        bool comma = true;
        while (!take(')')) {
            if (!comma)
                return bad("expected ',' or ')' in 'shape'");
            const auto extent = TRY(readExtent());
            if (shape.size() == mostNpyAxes)
                return fault(ErrorKind::BadShape, "'shape' has more than 32 axes");
            shape.push_back(extent);
            comma = take(',');
        }
        if (shape.size() == 1 && !comma)
            return bad("'shape' must be a tuple, (n,) for one axis");
        return shape;
    }

    Result<std::int64_t> readExtent()
    {
        if (peek() == '-')
            return fault(ErrorKind::BadShape, "an extent of 'shape' is negative");
        if (takeWord("True") || takeWord("False"))
            return fault(ErrorKind::BadShape, "an extent of 'shape' is a truth value");
        std::int64_t extent = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, status] = std::from_chars(begin, m_text.data() + m_text.size(), extent);
        if (status == std::errc::result_out_of_range)
            return fault(ErrorKind::BadShape, "an extent of 'shape' is over 9223372036854775807");
        if (status != std::errc{})
            return bad("expected a whole number in 'shape'");
        m_at += static_cast<std::size_t>(end - begin);
        if (m_at < m_text.size() && m_text[m_at] == 'L')  // Python 2 wrote long integers so
            ++m_at;
        return extent;
    }

    std::string_view m_text;
    std::uint64_t m_begin;
    std::string m_where;
    std::size_t m_at = 0;
};

/// '<f4': byte order, kind, bytes.
Result<void> applyDescr(std::string_view descr, TensorInfo& tensor, const std::string& where)
{
    const auto refuse = [&](const std::string& what) {
        return failure(ErrorKind::UnsupportedDtype, "{}descr {}: {}", where, inQuotes(descr), what);
    };
    std::string_view rest = descr;
    const char order = !rest.empty() && std::string_view("<>=|").find(rest.front()) != rest.npos ? rest.front() : '=';
    if (!rest.empty() && rest.front() == order)
        rest.remove_prefix(1);
    switch (rest.empty() ? ' ' : rest.front()) {
    case 'O':
        return refuse("an array of Python objects; refusing to unpickle it, save numbers instead");
    case 'V':
        return refuse("raw records (NumPy also writes bfloat16 so); save it as float32 instead");
    case 'S':
    case 'U':
    case 'a':
        return refuse("text cannot be read as a tensor; save numbers instead");
    case 'c':
        return refuse("complex numbers cannot be read; save the real part instead");
    case 'M':
    case 'm':
        return refuse("dates cannot be read as a tensor; save numbers instead");
    default:
        break;
    }
    static constexpr std::array<std::pair<std::string_view, Dtype>, 12> codes{{
        {"f8", Dtype::F64},
        {"f4", Dtype::F32},
        {"f2", Dtype::F16},
        {"i8", Dtype::I64},
        {"i4", Dtype::I32},
        {"i2", Dtype::I16},
        {"i1", Dtype::I8},
        {"u8", Dtype::U64},
        {"u4", Dtype::U32},
        {"u2", Dtype::U16},
        {"u1", Dtype::U8},
        {"b1", Dtype::Bool},
    }};
    for (const auto& [code, dtype] : codes)
        if (rest == code && (order != '|' || dtypeSize(dtype) == 1)) {
            tensor.dtype = dtype;
            tensor.bigEndian = order == '>';
            return {};
        }
    return refuse("this dtype cannot be read; save it as float32, float16, float64 or an integer");
}

/// The header's text, and where the data begins.
Result<std::pair<std::string, std::uint64_t>> readHeader(const ByteSource& source, const std::string& where)
{
    const auto bad = [&](const std::string& what) {
        return failure(ErrorKind::BadHeader, where + what + "; the file is damaged or no .npy: copy or save it again");
    };
    std::array<std::byte, 12> start{};
    const std::size_t available = static_cast<std::size_t>(std::min<std::uint64_t>(start.size(), source.size()));
    TRY(source.read(0, std::span(start).first(available)));
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(start[i]); };
    for (std::size_t i = 0; i < magic.size(); ++i)
        if (i >= available || byte(i) != static_cast<unsigned char>(magic[i]))
            return bad("bytes 0-5 are not the magic number \\x93NUMPY");
    const std::uint64_t begin = available < 8 || byte(6) == 1 ? 10 : 12;
    if (available < begin)
        return bad(fmt::format("it ends within the header at byte {}", available));
    if (byte(6) < 1 || byte(6) > 3 || byte(7) != 0)
        return bad(fmt::format("bytes 6-7 give version {}.{}, not 1.0, 2.0 or 3.0", byte(6), byte(7)));
    std::uint64_t length = byte(8) | byte(9) << 8;
    if (begin == 12)
        length |= byte(10) << 16 | byte(11) << 24;
    if (length > longestNpyHeader)
        return bad(fmt::format("bytes 8-{} declare a header of {} bytes, over the limit of 10000", begin - 1, length));
    if (length > source.size() - begin)
        return bad(fmt::format("bytes 8-{} declare a header of {} bytes, past the end", begin - 1, length));
    std::string text(length, '\0');
    TRY(source.read(begin, std::as_writable_bytes(std::span(text))));
    return std::pair(std::move(text), begin + length);
}

}  // namespace

Result<TensorInfo> readNpy(std::shared_ptr<const ByteSource> source, const std::string& path, const std::string& name)
{
    const std::string where = path + ": tensor " + inQuotes(name) + ": ";
    const auto header = TRY(readHeader(*source, where));
    const std::string& text = header.first;
    const std::uint64_t dataBegin = header.second;
    const Dict dict = TRY(DictReader(text, dataBegin - text.size(), where).read());

    TensorInfo tensor{
        .name = name, .shape = *dict.shape, .fortranOrder = *dict.fortranOrder, .offset = dataBegin, .source = source};
    if (const auto known = applyDescr(*dict.descr, tensor, where); !known) {
        tensor.otherDtype = *dict.descr;
        tensor.unreadable = known.error();
        return tensor;
    }
    const auto count = checkedCount(tensor.shape, dtypeSize(tensor.dtype));
    if (!count)
        return failure(ErrorKind::BadShape, "{}the product of shape {} overflows; write the file again", where,
                       describeShape(tensor.shape));
    const std::uint64_t wanted = bytesOf(tensor.dtype, *count), there = source->size() - dataBegin;
    const auto wrongLength = [&](ErrorKind kind) {
        return failure(kind,
                       fmt::format("{}{} takes {} bytes from byte {}, but there are {}; copy or write the file again",
                                   where, describeTensor(tensor), wanted, dataBegin, there));
    };
    if (there < wanted)
        return wrongLength(ErrorKind::Truncated);
    if (there > wanted)
        return wrongLength(ErrorKind::TrailingData);
    return tensor;
}

}  // namespace attnscope
