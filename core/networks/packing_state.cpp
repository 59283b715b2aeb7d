#include "core/networks/packing_state.h"

#include <algorithm>
#include <functional>

namespace attnscope {

namespace {

constexpr float unit = 50;    // the largest side of EIE's boxes
constexpr float deepest = 3;  // what is deeper looks as deep
constexpr int partsAlong = 6, partsAcross = 5;

float depthOf(int height, int top) { return std::min(deepest, static_cast<float>(height - top) / unit); }

}  // namespace

Matrix describeBoxes(std::span<const PackingInstance> instances)
{
    const auto inUnits = [](int cells) { return static_cast<float>(cells) / unit; };
    Matrix features(std::ssize(instances) * instances.front().size(), boxFeatures);
    Eigen::Index row = 0;
    for (const PackingInstance& instance : instances)
        for (Sides sides : instance.boxes) {
            std::ranges::sort(sides, std::greater());
            const float a = inUnits(sides[0]), b = inUnits(sides[1]), c = inUnits(sides[2]);
            features.row(row++) << a, b, c, a * b * c, inUnits(instance.bin.length) - 2,
                inUnits(instance.bin.width) - 2;
        }
    return features;
}

PackingState::PackingState(const PackingInstance& instance)
    : m_instance(instance), m_surface(instance.bin), m_volumeLeft(instance.volume())
{
}

float PackingState::left() const
{
    const float floors = static_cast<float>(m_volumeLeft) / (static_cast<float>(m_instance.bin.area()) * unit);
    return floors / (1 + floors);
}

void PackingState::describe(std::span<float> state) const
{
    const Bin& bin = m_instance.bin;
    const float along = static_cast<float>(bin.length) / partsAlong,
                across = static_cast<float>(bin.width) / partsAcross;
    constexpr std::size_t parts = partsAlong * partsAcross;
    std::ranges::fill(state, 0.0f);
    std::fill_n(state.begin() + parts, parts, deepest);
    float mean = 0;
    m_surface.forEachCell([&](int x, int y, int length, int width, int top) {
        const float depth = depthOf(m_surface.height(), top), x0 = static_cast<float>(x), y0 = static_cast<float>(y),
                    x1 = x0 + static_cast<float>(length), y1 = y0 + static_cast<float>(width);
        mean += depth * static_cast<float>(length) * static_cast<float>(width) / static_cast<float>(bin.area());
        for (int i = static_cast<int>(x0 / along); i < partsAlong && static_cast<float>(i) * along < x1; ++i)
            for (int k = static_cast<int>(y0 / across); k < partsAcross && static_cast<float>(k) * across < y1; ++k) {
                const float alongX =
                    std::min(x1, static_cast<float>(i + 1) * along) - std::max(x0, static_cast<float>(i) * along);
                const float alongY =
                    std::min(y1, static_cast<float>(k + 1) * across) - std::max(y0, static_cast<float>(k) * across);
                if (alongX <= 0 || alongY <= 0)
                    continue;
                const auto part = static_cast<std::size_t>(i * partsAcross + k);
                state[part] += depth * alongX * alongY / (along * across);
                state[parts + part] = std::min(state[parts + part], depth);
            }
    });
    const auto rest = state.subspan(2 * parts);
    const auto boxesLeft = static_cast<float>(m_instance.size() - std::ssize(m_packing));
    rest[0] = static_cast<float>(bin.length) / unit - 2;
    rest[1] = static_cast<float>(bin.width) / unit - 2;
    rest[2] = mean;
    rest[3] = left();
    rest[4] = 1 / std::max(1.0f, boxesLeft);
    rest[5] = m_packing.empty() ? 1.0f : 0.0f;
}

void PackingState::consider(int box, Eigen::Ref<Matrix> turns)
{
    const Sides& sides = m_instance.boxes[static_cast<std::size_t>(box)];
    const int height = m_surface.height();
    for (std::size_t turn = 0; turn < boxTurns.size(); ++turn) {
        PlacedBox& placed = m_considered[turn];
        placed = {box, static_cast<int>(turn), {}, turned(sides, static_cast<int>(turn))};
        placed.at = m_surface.lowest(placed.sides[0], placed.sides[1]);
        const auto [length, width, high] = placed.sides;
        const int top = placed.at[2] + high;
        const float floor = static_cast<float>(length * width),
                    empty = static_cast<float>(m_surface.emptyBeneath(placed.at, length, width));
        const auto inUnits = [](int cells) { return std::min(deepest, static_cast<float>(cells) / unit); };
        turns.row(static_cast<Eigen::Index>(turn)) << inUnits(length), inUnits(width), inUnits(high),
            depthOf(height, placed.at[2]), inUnits(std::max(0, top - height)), inUnits(std::max(0, height - top)),
            std::min(deepest, empty / (floor * unit)), std::min(deepest, empty / (floor * static_cast<float>(high))),
            static_cast<float>(placed.at[0]) / static_cast<float>(m_instance.bin.length),
            static_cast<float>(placed.at[1]) / static_cast<float>(m_instance.bin.width),
            inUnits(m_instance.bin.length - placed.at[0] - length),
            inUnits(m_instance.bin.width - placed.at[1] - width), left(),
            1 / static_cast<float>(m_instance.size() - std::ssize(m_packing));
    }
}

void PackingState::put(int turn)
{
    const PlacedBox& placed = m_considered[static_cast<std::size_t>(turn)];
    m_surface.put(placed.at, placed.sides);
    m_volumeLeft -= static_cast<std::int64_t>(placed.sides[0]) * placed.sides[1] * placed.sides[2];
    m_packing.push_back(placed);
}

}  // namespace attnscope
