#pragma once
// Texts, each with a number, and which of them another text begins with. They are kept sorted, so that those that share
// a prefix are neighbours: a step of a byte narrows the range by bisection.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

class PrefixTable {
public:
    PrefixTable() = default;
    /// Empty texts are left out; of equal ones the last counts.
    explicit PrefixTable(std::vector<std::pair<std::string, int>> entries);

    bool empty() const { return m_entries.empty(); }

    /// each(length, number) of every entry that `text` begins with, the shortest first.
    template <class Each>
    void prefixesOf(std::string_view text, Each each) const;

    struct Found {
        std::size_t length;
        int number;
    };
    /// The longest of them.
    std::optional<Found> longestOf(std::string_view text) const
    {
        std::optional<Found> found;
        prefixesOf(text, [&](std::size_t length, int number) { found = {length, number}; });
        return found;
    }

private:
    std::vector<std::pair<std::string, int>> m_entries;
    std::array<std::size_t, 257> m_first{};  ///< where the entries begin that begin with a byte
};

template <class Each>
void PrefixTable::prefixesOf(std::string_view text, Each each) const
{
    if (text.empty() || m_entries.empty())
        return;
    const auto first = static_cast<unsigned char>(text.front());
    auto low = m_entries.begin() + static_cast<std::ptrdiff_t>(m_first[first]),
         high = m_entries.begin() + static_cast<std::ptrdiff_t>(m_first[first + 1U]);
    for (std::size_t depth = 1; low != high; ++depth) {
        if (low->first.size() == depth) {
            each(depth, low->second);
            ++low;
        }
        if (depth == text.size())
            return;
        const auto byte = static_cast<unsigned char>(text[depth]);
        const auto at = [depth](const auto& entry) { return static_cast<unsigned char>(entry.first[depth]); };
        low = std::partition_point(low, high, [&](const auto& entry) { return at(entry) < byte; });
        high = std::partition_point(low, high, [&](const auto& entry) { return at(entry) == byte; });
    }
}

}  // namespace attnscope
