#include "ui/figure/difference_map.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr float farthest = 3;  // decades

float ratio(float a, float b)
{
    if (a <= 0 && b <= 0)
        return 0;
    if (a <= 0 || b <= 0)
        return a > 0 ? farthest : -farthest;
    return std::clamp(std::log10(a / b), -farthest, farthest);
}

}  // namespace

std::optional<PooledMap> differenceMap(const PooledMap& a, const PooledMap& b, Difference kind)
{
    if (a.region != b.region || a.rows != b.rows || a.columns != b.columns)
        return std::nullopt;
    PooledMap out = a;
    out.exact = a.exact && b.exact;
    std::transform(a.values.begin(), a.values.end(), b.values.begin(), out.values.begin(),
                   [kind](float x, float y) { return kind == Difference::Linear ? x - y : ratio(x, y); });
    return out;
}

ColourScale differenceScale(const PooledMap& map, const ColourMap* colours)
{
    std::vector<float> sizes;
    for (const float value : map.values)
        if (value != 0 && std::isfinite(value))
            sizes.push_back(std::abs(value));
    double most = sizes.empty() ? 1 : 1e-6;  // where nothing differs any range will do: a plain one
    if (!sizes.empty()) {
        const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(0.99 * double(sizes.size() - 1));
        std::nth_element(sizes.begin(), place, sizes.end());
        most = std::max(most, double(*place));
    }
    ColourScale scale;
    scale.low = -most;
    scale.high = most;
    scale.map = colours;
    return scale;
}

}  // namespace attnscope
