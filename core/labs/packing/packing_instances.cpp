#include "core/labs/packing/packing_instances.h"

#include "core/base/each.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

std::vector<int> asTheyCome(const PackingInstance& instance)
{
    std::vector<int> order(instance.boxes.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

std::span<const Bin> paperBins()
{
    static constexpr std::array bins{Bin{120, 100}, Bin{140, 110}, Bin{160, 120}};
    return bins;
}

std::string labelOf(const Bin& bin) { return fmt::format("{} x {}", bin.length, bin.width); }

PackingInstance drawBoxes(const PackingDraw& draw, const Bin& bin, std::int64_t number)
{
    constexpr int shortest = 10, longest = 50;
    const Random random(draw.seed, Stream::Structure);
    PackingInstance instance{bin, std::vector<Sides>(static_cast<std::size_t>(draw.size))};
    for (std::size_t box = 0; box < instance.boxes.size(); ++box)
        for (std::size_t k = 0; k < 3; ++k)
            instance.boxes[box][k] =
                shortest +
                static_cast<int>(std::floor((longest - shortest + 1) *
                                            random.uniform(static_cast<std::uint64_t>(number), 4 * box + k)));
    return instance;
}

std::vector<int> volumeOrder(const PackingInstance& instance)
{
    std::vector<int> order = asTheyCome(instance);
    const auto volume = [&](int box) {
        const Sides& sides = instance.boxes[static_cast<std::size_t>(box)];
        return sides[0] * sides[1] * sides[2];
    };
    std::ranges::stable_sort(order, [&](int a, int b) { return volume(a) > volume(b); });
    return order;
}

std::vector<int> randomOrder(const PackingInstance& instance, std::uint64_t seed, std::int64_t number)
{
    const Random random(seed, Stream::Other);
    std::vector<std::pair<double, int>> keyed;
    for (const int box : asTheyCome(instance))
        keyed.emplace_back(random.uniform(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(box)), box);
    std::ranges::sort(keyed);
    return each(keyed, &std::pair<double, int>::second);
}

}  // namespace attnscope
