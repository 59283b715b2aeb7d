#include "core/base/json_reader.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace attnscope {

namespace {

constexpr int deepest = 32;
constexpr size_t longestJson = size_t{64} << 20;

/// Looks through a text for what the library's own reading lets pass: nesting without end, and fields that come twice.
/// A pass of its own, because a callback of the reading itself takes time that grows with the square of a list's
/// length.
class Inspector final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::string fault;     ///< not empty: why it is refused
    std::size_t byte = 0;  ///< where it is no JSON; 0: it is

    bool null() override { return fits(); }
    bool boolean(bool) override { return fits(); }
    bool number_integer(number_integer_t) override { return fits(); }
    bool number_unsigned(number_unsigned_t) override { return fits(); }
    bool number_float(number_float_t, const string_t&) override { return fits(); }
    bool string(string_t&) override { return fits(); }
    bool binary(binary_t&) override { return fits(); }
    bool start_array(std::size_t) override { return fits() && (++m_open, true); }
    bool end_array() override { return --m_open, true; }
    bool start_object(std::size_t) override { return fits() && (++m_open, m_keys.emplace_back(), true); }
    bool end_object() override { return --m_open, m_keys.pop_back(), true; }
    bool key(string_t& name) override
    {
        if (!m_keys.back().insert(name).second)
            fault = "the field '" + name + "' comes twice in one object";
        return fault.empty();
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override
    {
        return byte = std::max<std::size_t>(position, 1), false;
    }

private:
    bool fits()
    {
        if (m_open > deepest)
            fault = fmt::format("is nested deeper than {}", deepest);
        return fault.empty();
    }

    int m_open = 0;
    std::vector<std::set<std::string>> m_keys;
};

std::string shortened(const nlohmann::json& value)
{
    std::string text = jsonText(value);
    return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

std::string place(std::string_view text, size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t start = before.rfind('\n');
    return fmt::format("line {}, column {}", line, before.size() - (start == before.npos ? 0 : start + 1));
}

}  // namespace

std::string placeIn(std::string_view list, std::size_t at) { return fmt::format("{}[{}]", list, at); }

Result<nlohmann::json> parseJson(std::string_view text, std::string_view what)
{
    const auto refuse = [&](const std::string& why) { return failure(ErrorKind::InvalidHeader, "{}: {}", what, why); };
    if (text.size() > longestJson)
        return refuse("is longer than 64 MiB");
    Inspector inspector;
    if (!nlohmann::json::sax_parse(text, &inspector))
        return refuse(!inspector.fault.empty() ? inspector.fault : "no valid JSON at " + place(text, inspector.byte));
    return nlohmann::json::parse(text);
}

ObjectReader::ObjectReader(const nlohmann::json& object, std::string path) : m_path(std::move(path))
{
    if (object.is_object())
        m_object = &object;
    else
        fail(m_path + " must be an object { ... }, not " + shortened(object));
}

std::string ObjectReader::pathOf(std::string_view key) const { return m_path + "." + std::string(key); }

void ObjectReader::fail(std::string message) { fail(Error{ErrorKind::InvalidArgument, std::move(message)}); }

void ObjectReader::fail(const Error& error)
{
    if (!m_error)
        m_error = error;
}

void ObjectReader::wrongType(std::string_view key, std::string_view wanted, const nlohmann::json& got)
{
    fail(pathOf(key) + " must be " + std::string(wanted) + ", not " + shortened(got));
}

const nlohmann::json* ObjectReader::field(std::string_view key)
{
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
        m_known.emplace_back(key);
    if (m_error || !m_object)
        return nullptr;
    const auto found = m_object->find(key);
    return found == m_object->end() ? nullptr : &*found;
}

void ObjectReader::text(std::string_view key, std::string& target)
{
    if (const nlohmann::json* value = field(key)) {
        if (value->is_string())
            target = value->get<std::string>();
        else
            wrongType(key, "a text", *value);
    }
}

void ObjectReader::text(std::string_view key, std::optional<std::string>& target)
{
    if (!field(key))
        return;
    std::string value;
    text(key, value);
    if (!m_error)
        target = std::move(value);
}

const nlohmann::json* ObjectReader::list(std::string_view key, std::string_view what, std::size_t most)
{
    const nlohmann::json* all = field(key);
    if (!all || (all->is_array() && all->size() <= most))
        return all;
    if (all->is_array())
        fail(fmt::format("{} must be a list of at most {} {}, not of {}", pathOf(key), most, what, all->size()));
    else
        wrongType(key, "a list of " + std::string(what), *all);
    return nullptr;
}

void ObjectReader::texts(std::string_view key, std::vector<std::string>& target, std::size_t most)
{
    const nlohmann::json* all = list(key, "texts", most);
    if (!all)
        return;
    for (const nlohmann::json& one : *all)
        if (!one.is_string())
            return wrongType(key, "a list of texts", one);
    target = all->get<std::vector<std::string>>();
}

void ObjectReader::boolean(std::string_view key, bool& target)
{
    if (const nlohmann::json* value = field(key)) {
        if (value->is_boolean())
            target = value->get<bool>();
        else
            wrongType(key, "true or false", *value);
    }
}

std::optional<size_t> ObjectReader::indexOf(std::string_view key, std::span<const std::string_view> words)
{
    const nlohmann::json* value = field(key);
    if (!value)
        return std::nullopt;
    std::string list;
    for (size_t i = 0; i < words.size(); ++i) {
        if (value->is_string() && value->get_ref<const std::string&>() == words[i])
            return i;
        list += (i ? ", \"" : "\"") + std::string(words[i]) + "\"";
    }
    wrongType(key, "one of " + list, *value);
    return std::nullopt;
}

void ObjectReader::any(std::string_view key, nlohmann::json& target)
{
    if (const nlohmann::json* value = field(key))
        target = *value;
}

void ObjectReader::require(std::string_view key, bool good, std::string_view wanted)
{
    if (!good && !m_error)
        fail(pathOf(key) + " must " + std::string(wanted));
}

Result<void> ObjectReader::status() const
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return {};
}

std::vector<std::string> ObjectReader::unasked() const
{
    std::vector<std::string> names;
    if (m_object)
        for (const auto& [key, value] : m_object->items())
            if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
                names.push_back(key);
    return names;
}

Result<void> ObjectReader::finish()
{
    if (m_error)
        return status();
    const std::vector<std::string> unknown = unasked();
    if (unknown.empty())
        return {};
    return failure(ErrorKind::UnknownName, "unknown field {}; there are: {}", pathOf(unknown.front()),
                   joined(m_known, ", "));
}

}  // namespace attnscope
