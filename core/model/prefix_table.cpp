#include "core/model/prefix_table.h"

namespace attnscope {

PrefixTable::PrefixTable(std::vector<std::pair<std::string, int>> entries) : m_entries(std::move(entries))
{
    std::erase_if(m_entries, [](const auto& entry) { return entry.first.empty(); });
    std::stable_sort(m_entries.begin(), m_entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto last = std::unique(m_entries.rbegin(), m_entries.rend(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
    m_entries.erase(m_entries.begin(), last.base());
    for (const auto& entry : m_entries)
        ++m_first[static_cast<unsigned char>(entry.first.front()) + 1U];
    for (std::size_t byte = 1; byte < m_first.size(); ++byte)
        m_first[byte] += m_first[byte - 1];
}

}  // namespace attnscope
