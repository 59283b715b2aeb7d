#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace attnscope {

/// What the projection makes of each of the range.
template <class Range, class Projection>
auto each(const Range& range, Projection projection)
{
    std::vector<std::decay_t<std::invoke_result_t<Projection&, const std::ranges::range_value_t<Range>&>>> made;
    for (const auto& one : range)
        made.push_back(std::invoke(projection, one));
    return made;
}

/// What the projection makes of the range, each value once, in the order of coming.
template <class Range, class Projection = std::identity>
auto eachOnce(const Range& range, Projection projection = {})
{
    std::vector<std::decay_t<std::invoke_result_t<Projection&, const std::ranges::range_value_t<Range>&>>> found;
    for (const auto& each : range)
        if (const auto& value = std::invoke(projection, each); std::ranges::find(found, value) == found.end())
            found.push_back(value);
    return found;
}

}  // namespace attnscope
