#include "core/base/length_list.h"

#include "core/base/text.h"

#include <cmath>
#include <string>

namespace attnscope {

namespace {

constexpr size_t most = 100'000;

struct Field {
    std::string_view text;
    size_t column;  ///< from 0
};

auto bad(const Field& field, const std::string& expected)
{
    return failure(ErrorKind::InvalidArgument, "column {} of the list of lengths: expected {}, got '{}'",
                   field.column + 1, expected, field.text);
}

Result<double> number(const Field& field, const std::string& expected)
{
    if (const auto value = typedNumber(field.text))
        return *value;
    return bad(field, expected);
}

Result<std::int64_t> length(const Field& field)
{
    const std::string expected = "a whole number from 1 to 1e12";
    if (field.text.size() > 1 && field.text.front() == '0')
        return bad(field, "a length that does not begin with 0 (a comma stands between two: for 4 096 write 4096)");
    return number(field, expected).and_then([&](double value) -> Result<std::int64_t> {
        if (value < 1 || value > longestLength || value != std::floor(value))
            return bad(field, expected);
        return static_cast<std::int64_t>(value);
    });
}

std::vector<Field> fieldsOf(const Field& whole, char separator)
{
    std::vector<Field> fields;
    for (const std::string_view part : split(whole.text, separator))
        fields.push_back({part, whole.column + static_cast<size_t>(part.data() - whole.text.data())});
    return fields;
}

/// first:last:step, where step is xFACTOR, +INCREMENT or a number of points.
Result<std::vector<std::int64_t>> range(const std::vector<Field>& fields)
{
    const std::int64_t first = TRY(length(fields[0])), last = TRY(length(fields[1]));
    if (last < first)
        return bad(fields[1], "a last length that is not below the first");
    Field step = fields[2];
    const char kind = step.text.empty() ? ' ' : step.text.front();
    if (kind == 'x' || kind == '+') {
        step.text.remove_prefix(1);
        ++step.column;
    }
    const double value = TRY(number(step, "xFACTOR, +INCREMENT or a number of points"));

    if (kind != 'x' && kind != '+') {
        if (value < 2 || value > static_cast<double>(most) || value != std::floor(value))
            return bad(step, "2 to 100000 points");
        return logSpacedLengths(first, last, static_cast<int>(value));
    }
    if (kind == 'x' ? value <= 1 : value < 1 || value != std::floor(value))
        return bad(step, kind == 'x' ? "a factor above 1" : "a whole increment from 1");
    std::vector<std::int64_t> lengths;
    std::size_t steps = 0;
    const double end = static_cast<double>(last) + 0.5;  // what rounds to the last still counts
    for (double at = static_cast<double>(first); at < end; at = kind == 'x' ? at * value : at + value) {
        if (lengths.empty() || lengths.back() != std::llround(at))
            lengths.push_back(std::llround(at));
        if (++steps > most)
            return bad(step, "a step that gives at most 100000 lengths");
    }
    return lengths;
}

}  // namespace

Result<std::vector<std::int64_t>> parseLengths(std::string_view text)
{
    std::vector<std::int64_t> lengths;
    for (const Field& item : fieldsOf({text, 0}, ',')) {
        const std::vector<Field> parts = fieldsOf(item, ':');
        if (parts.size() == 1) {
            lengths.push_back(TRY(length(item)));
        } else if (parts.size() == 3) {
            const auto some = TRY(range(parts));
            lengths.insert(lengths.end(), some.begin(), some.end());
        } else {
            return bad(item, "N or FIRST:LAST:STEP, as in 100,200,400 or 16:65536:x2 or 100:1600:+100 or 16:1e9:40");
        }
        if (lengths.size() > most)
            return bad(item, "at most 100000 lengths");
    }
    return lengths;
}

std::vector<std::int64_t> logSpacedLengths(std::int64_t first, std::int64_t last, int count)
{
    std::vector<std::int64_t> lengths;
    const double low = std::log(static_cast<double>(first)), high = std::log(static_cast<double>(last));
    for (int i = 0; i < count; ++i) {
        const bool end = i + 1 == count;
        const std::int64_t n = i == 0 ? first
                               : end  ? last
                                      : std::llround(std::exp(low + (high - low) * i / (count - 1)));
        if (lengths.empty() || n > lengths.back())
            lengths.push_back(n);
    }
    return lengths;
}

}  // namespace attnscope
