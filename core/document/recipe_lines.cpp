#include "core/document/recipe.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace attnscope {

namespace {

using Path = std::vector<std::string>;

/// "recipe.panels[0].title" -> panels, 0, title. The recipe itself is the root.
Path componentsOf(const std::string& path)
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
        case '\n': ++m_line; break;
        case '"': text(); break;
        case '{': m_levels.push_back({false, {}}); break;
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
        default: break;
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
    bool m_itemBegins = false;   ///< of a list, with the next character that is no blank
    std::vector<Level> m_levels;
};

}  // namespace

Error withLine(std::string_view text, Error error)
{
    static const std::regex field(R"(\b(recipe|scenario|parameters)([.][A-Za-z0-9_]+|\[[0-9]+\])+)");
    std::smatch match;
    if (!std::regex_search(error.message, match, field))
        return error;
    const Path wanted = componentsOf(match.str());
    if (const int line = Walker(text, wanted).line())
        error.message = "line " + std::to_string(line) + ": " + error.message;
    return error;
}

}  // namespace attnscope
