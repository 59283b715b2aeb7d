#pragma once
// The weights of one layer, whatever names and layouts they have in their file.

#include "core/model/norms.h"
#include "core/model/stored_matrix.h"

#include <vector>

namespace attnscope {

/// One of the maps that make queries, keys and values: of the layer's input, or of what an earlier one made.
struct Projection {
    Linear map;
    int from = -1;          ///< which earlier one; -1: the layer's input
    NormWeights norm = {};  ///< of what it makes
};

/// Part of a head: coordinates at(h) .. + count of what a projection makes are head h's next ones. Heads stand `stride`
/// apart, or in groups of `ofGroup` that begin `groupStride` apart.
struct HeadPart {
    size_t projection = 0;
    Index first = 0, stride = 0, count = 0;
    Index ofGroup = 0, groupStride = 0;  ///< 0: one group

    Index at(Index h) const
    {
        return ofGroup > 0 ? first + h / ofGroup * groupStride + h % ofGroup * stride : first + h * stride;
    }
};

/// Where gated feed-forwards have their two first matrices.
enum class GateLayout {
    Apart,
    Halves,       ///< both in `gate`: the outputs of the gate, then those of up
    Interleaved,  ///< both in `gate`: output 0 of the gate, output 0 of up, output 1 of the gate, ...
};

struct FeedWeights {
    Linear gate, up, down;  ///< gate: of gated feed-forwards alone
    GateLayout layout = GateLayout::Apart;
};

struct ExpertWeights {
    Linear router;                  ///< (experts, width)
    std::vector<float> correction;  ///< of the choice alone; or empty
    std::vector<FeedWeights> experts;
    FeedWeights shared;  ///< of Experts::sharedInner
    Linear sharedGate;   ///< (1, width), of Experts::sharedGate
};

struct LayerWeights {
    NormWeights beforeAttention, afterAttention, beforeFeed, afterFeed;  ///< as the spec's NormPlace has them
    std::vector<Projection> projections;
    std::vector<HeadPart> query, key, value;
    Linear output;  ///< (width, H d_v)
    FeedWeights feed;
    ExpertWeights experts;
};

}  // namespace attnscope
