#pragma once
// Places in a list that is edited: what is kept as a place follows its entry.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

namespace attnscope {

/// All entries are of one kind.
struct OneKind {
    int operator()(const auto&) const { return 0; }
};

/// Where the entry that stands at `place` of one list stands in the next; nothing: it went. In a list of the same
/// kinds, place by place, every entry stays where it is, edited or not; of equal entries the first is the first.
template <class Entry, class Kind = OneKind>
std::optional<int> placeAfter(const std::vector<Entry>& before, const std::vector<Entry>& after, int place,
                              Kind kind = {})
{
    if (place < 0 || place >= std::ssize(before) || std::ranges::equal(before, after, {}, kind, kind))
        return place;
    const auto at = before.begin() + place;
    auto found = std::find(after.begin(), after.end(), *at);
    for (auto equals = std::count(before.begin(), at, *at); equals > 0 && found != after.end(); --equals)
        found = std::find(std::next(found), after.end(), *at);
    return found == after.end() ? std::nullopt : std::optional(static_cast<int>(found - after.begin()));
}

}  // namespace attnscope
