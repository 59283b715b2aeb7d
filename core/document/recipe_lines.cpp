#include "core/document/recipe.h"

#include <algorithm>
#include <cctype>

namespace attnscope {

namespace {

using Path = std::vector<std::string>;

/// "recipe.panels[0].title" -> panels, 0, title. The recipe itself is the root.
Path componentsOf(std::string_view path)
{
    Path parts;
    std::string part;
    const auto finish = [&] {
        if (!part.empty() && !(parts.empty() && part == "recipe"))
            parts.push_back(part);
        part.clear();
    };
    for (const char c : path) {
        if (c == '.' || c == '[' || c == ']')
            finish();
        else
            part += c;
    }
    finish();
    return parts;
}

/// Walks a JSON text and knows the path of the value that it is at.
class Walker {
public:
    Walker(std::string_view text, const Path& wanted) : m_text(text), m_wanted(wanted) {}

    /// The line of the wanted value, or of the nearest above it that is there; 0: none.
    int line()
    {
        while (m_at < m_text.size())
            step(m_text[m_at++]);
        return m_found;
    }

private:
    struct Level {
        bool list;
        std::string key;
        size_t index = 0;
    };

    void step(char c)
    {
        if (m_itemBegins && !std::isspace(static_cast<unsigned char>(c))) {
            m_itemBegins = false;
            compare();
        }
        switch (c) {
        case '\n':
            ++m_line;
            break;
        case '"':
            text();
            break;
        case '{':
            m_levels.push_back({false, {}});
            break;
        case '[':
            m_levels.push_back({true, "0"});
            m_itemBegins = true;
            break;
        case '}':
        case ']':
            if (!m_levels.empty())
                m_levels.pop_back();
            break;
        case ',':
            if (!m_levels.empty() && m_levels.back().list) {
                m_levels.back().key = std::to_string(++m_levels.back().index);
                m_itemBegins = true;
            }
            break;
        default:
            break;
        }
    }

    void text()
    {
        std::string content;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\')
                ++m_at;
            if (m_at < m_text.size())
                content += m_text[m_at++];
        }
        ++m_at;
        const size_t next = m_text.find_first_not_of(" \t\r\n", std::min(m_at, m_text.size()));
        if (next == m_text.npos || m_text[next] != ':' || m_levels.empty() || m_levels.back().list)
            return;
        m_levels.back().key = content;
        compare();
    }

    void compare()
    {
        const size_t depth = m_levels.size();
        if (depth <= m_depth || depth > m_wanted.size())
            return;
        for (size_t i = 0; i < depth; ++i)
            if (m_levels[i].key != m_wanted[i])
                return;
        m_depth = depth;
        m_found = m_line;
    }

    std::string_view m_text;
    const Path& m_wanted;
    size_t m_at = 0, m_depth = 0;
    int m_line = 1, m_found = 0;
    bool m_itemBegins = false;  ///< of a list, with the next character that is no blank
    std::vector<Level> m_levels;
};

/// The path that a message names, "recipe.panels[0].title"; empty where it names none.
std::string_view fieldOf(std::string_view message)
{
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.[]";
    for (size_t begin = 0; (begin = message.find_first_of(letters, begin)) != message.npos;) {
        const std::string_view word = message.substr(begin, message.find_first_not_of(letters, begin) - begin);
        for (const std::string_view root : {"recipe", "scenario", "parameters"})
            if (word.starts_with(root) && word.size() > root.size() + 1 &&
                (word[root.size()] == '.' || word[root.size()] == '['))
                return word;
        begin += word.size();
    }
    return {};
}

}  // namespace

Error withLine(std::string_view text, Error error)
{
    const Path wanted = componentsOf(fieldOf(error.message));
    if (wanted.empty())
        return error;
    if (const int line = Walker(text, wanted).line())
        error.message = fmt::format("line {}: {}", line, error.message);
    return error;
}

}  // namespace attnscope
