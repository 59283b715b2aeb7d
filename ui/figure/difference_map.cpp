#include "ui/figure/difference_map.h"

#include "ui/plot/ticks.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace attnscope {

namespace {

constexpr float farthest = 3;  // decades

/// log10(a / b), by cell; where one of the two is 0, the farthest that is shown. Eigen takes the logarithms of four
/// cells at once.
void logRatios(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& out)
{
    using Cells = Eigen::Map<const Eigen::ArrayXf>;
    const Cells x(a.data(), std::ssize(a)), y(b.data(), std::ssize(b));
    Eigen::Map<Eigen::ArrayXf> ratios(out.data(), std::ssize(out));
    ratios = (x / y).log() * std::numbers::log10e_v<float>;
    for (std::size_t i = 0; i < out.size(); ++i) {  // without branches, so that it runs on vectors
        const float one = a[i], other = b[i], ratio = out[i];
        const float edge = (one > 0 ? farthest : 0) - (other > 0 ? farthest : 0);
        const float atLeast = ratio < -farthest ? -farthest : ratio, within = atLeast > farthest ? farthest : atLeast;
        out[i] = bool(int(one <= 0) | int(other <= 0)) ? edge : within;  // NaN stays
    }
}

}  // namespace

std::optional<PooledMap> differenceMap(const PooledMap& a, const PooledMap& b, Difference kind)
{
    if (a.region != b.region || a.rows != b.rows || a.columns != b.columns)
        return std::nullopt;
    PooledMap out = a;
    out.exact = a.exact && b.exact;
    if (kind == Difference::Linear)
        std::transform(a.values.begin(), a.values.end(), b.values.begin(), out.values.begin(), std::minus<>());
    else
        logRatios(a.values, b.values, out.values);
    return out;
}

ColourScale differenceScale(const PooledMap& map, const ColourMap* colours)
{
    const PooledMap* maps[] = {&map};
    const double most = allButOutermost(maps);  // where nothing differs any range will do: a plain one
    const double end = most == 0 ? 1 : std::min(double(farthest), roundedUp(std::max(1e-6, most)));
    return {.low = -end, .high = end, .map = colours};
}

Beyond differencesBeyond(const PooledMap& map, const ColourScale& scale)
{
    const PooledMap* maps[] = {&map};
    Beyond beyond = valuesBeyond(maps, scale);
    beyond.low |= std::ranges::any_of(map.values, [](float value) { return value <= -farthest; });
    beyond.high |= std::ranges::any_of(map.values, [](float value) { return value >= farthest; });
    return beyond;
}

}  // namespace attnscope
