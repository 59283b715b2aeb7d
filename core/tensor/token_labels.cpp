#include "core/tensor/token_labels.h"

#include "core/tensor/byte_source.h"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

namespace attnscope {

namespace {

constexpr std::uint64_t largestFile = 16 << 20;

/// Collects the strings of the array; anything else but {"tokens": [...]} around it stops the parse.
class TokenHandler final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<std::string> labels;
    std::size_t errorAt = 0;

    bool start_object(std::size_t) override { return m_depth == 0 && !std::exchange(m_inObject, true); }
    bool end_object() override { return true; }
    bool key(string_t& name) override { return name == "tokens" && m_depth == 0 && !m_done; }
    bool start_array(std::size_t) override { return ++m_depth == 1 && !m_done; }
    bool end_array() override { return m_done = true, --m_depth == 0; }
    bool string(string_t& text) override { return m_depth == 1 && (labels.push_back(std::move(text)), true); }
    bool null() override { return false; }
    bool boolean(bool) override { return false; }
    bool number_integer(number_integer_t) override { return false; }
    bool number_unsigned(number_unsigned_t) override { return false; }
    bool number_float(number_float_t, const string_t&) override { return false; }
    bool binary(binary_t&) override { return false; }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        return errorAt = position, false;
    }

private:
    int m_depth = 0;
    bool m_inObject = false, m_done = false;
};

}  // namespace

Result<std::vector<std::string>> parseTokenJson(std::string_view text, const std::string& path)
{
    TokenHandler handler;
    if (text.find('\0') == text.npos && nlohmann::json::sax_parse(text.begin(), text.end(), &handler))
        return std::move(handler.labels);
    return failure(ErrorKind::InvalidHeader, "{}: {}; write [\"first\", \"second\", ...]", path,
                   handler.errorAt > 0 ? fmt::format("it is not JSON from byte {} on", handler.errorAt - 1)
                                       : std::string("it is not an array of strings"));
}

std::vector<std::string> parseTokenLines(std::string_view text)
{
    std::vector<std::string> labels;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        labels.emplace_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return labels;
}

std::vector<std::string> lastLabels(const std::vector<std::string>& labels, std::int64_t count)
{
    return std::ssize(labels) < count ? std::vector<std::string>()
                                      : std::vector<std::string>(labels.end() - count, labels.end());
}

namespace {

std::vector<std::string> filesBeside(const std::string& path, const std::string& word)
{
    const std::filesystem::path file(path);
    const std::string stem = file.stem().string() + ".";
    std::vector<std::string> files;
    for (const std::string& name : {stem + word + ".json", stem + word + ".txt", word + ".json", word + ".txt"})
        files.push_back((file.parent_path() / name).string());
    return files;
}

Result<std::vector<std::string>> labelsBeside(const std::string& path, std::size_t count, const std::string& word,
                                              const std::string& what)
{
    const std::string stem = std::filesystem::path(path).stem().string() + ".";
    for (const std::string& beside : filesBeside(path, word)) {
        const std::string name = std::filesystem::path(beside).filename().string();
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(beside, ignored))
            continue;
        const auto labels =
            readText(beside, largestFile).and_then([&](const std::string& text) -> Result<std::vector<std::string>> {
                return name.ends_with(".json") ? parseTokenJson(text, beside) : parseTokenLines(text);
            });
        if (labels && labels->size() == count)
            return labels;
        const bool own = name.starts_with(stem);
        if (own && !labels)
            return labels;
        if (own)
            return failure(ErrorKind::DataError, "{}: {} labels, but there are {} {}; write one for each", beside,
                           labels->size(), count, what);
    }
    return {};
}

}  // namespace

std::vector<std::string> tokenFilesBeside(const std::string& path)
{
    std::vector<std::string> files = filesBeside(path, "tokens"), more = filesBeside(path, "query_tokens");
    files.insert(files.end(), more.begin(), more.end());
    return files;
}

Result<std::vector<std::string>> tokenLabelsBeside(const std::string& path, std::size_t count)
{
    return labelsBeside(path, count, "tokens", "keys");
}

Result<std::vector<std::string>> queryLabelsBeside(const std::string& path, std::size_t count)
{
    return labelsBeside(path, count, "query_tokens", "queries");
}

}  // namespace attnscope
