#include "core/base/csv.h"

#include <charconv>

namespace attnscope {

namespace {

bool isNumber(std::string_view text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, value);
    return read.ec == std::errc{} && read.ptr == end;
}

}  // namespace

std::string noFormula(std::string_view text)
{
    const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos && !isNumber(text);
    return std::string(formula ? "'" : "").append(text);
}

std::string csvText(std::string_view text)
{
    const std::string cell = noFormula(text);
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace attnscope
