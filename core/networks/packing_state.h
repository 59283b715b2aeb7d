#pragma once
// What a policy sees of a packing under way, in numbers of size 1 that do not grow with n: heights are depths below the
// highest top H, and lengths are in sides of the largest box, 50.

#include "core/networks/packing_surface.h"
#include "core/tensor/head_set.h"

#include <span>

namespace attnscope {

/// A box: its sides from the longest to the shortest, so that it is the same however it lies, its volume, and the bin's
/// length and width.
constexpr Eigen::Index boxFeatures = 6;
/// (n, boxFeatures) of each instance, one below the other.
Matrix describeBoxes(std::span<const PackingInstance> instances);

/// The bin: mean and least depth in each of 6 x 5 parts of its floor; its length and width; mean depth; what is left to
/// pack.
constexpr Eigen::Index stateFeatures = 2 * 6 * 5 + 6;
/// A box turned in one way: its sides, where it would come to rest, how far it would rise above H or stay below it,
/// what stays empty beneath it, the room beside it, what is left to pack.
constexpr Eigen::Index turnFeatures = 14;

class PackingState {
public:
    explicit PackingState(const PackingInstance& instance);

    void describe(std::span<float> state) const;
    /// Finds where the box would rest, turned in each way, and describes it: (turns, turnFeatures).
    void consider(int box, Eigen::Ref<Matrix> turns);
    /// Puts the box last considered.
    void put(int turn);

    const Packing& packing() const { return m_packing; }

private:
    float left() const;  ///< volume to pack in floors of height 50, v, as v / (1 + v)

    PackingInstance m_instance;
    PackingSurface m_surface;
    Packing m_packing;
    std::array<PlacedBox, boxTurns.size()> m_considered;
    std::int64_t m_volumeLeft;
};

}  // namespace attnscope
