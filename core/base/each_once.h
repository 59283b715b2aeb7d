#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace attnscope {

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
