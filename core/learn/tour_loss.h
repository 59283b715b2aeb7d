#pragma once
// The decoder of the Attention Model (core/model/attention_model.h has its formulas) as one operation
// (drawn_solutions.h), with ln p(choice) = ln softmax(u)[node chosen]. The gradients of an instance's steps are found
// all together, in one product each.

#include "core/learn/drawn_solutions.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attnscope::learn {

/// Instances of one size, one after another. The first node of each is the depot where there are demands.
struct RoutingBatch {
    Index instances = 0, nodes = 0;
    Matrix places;               ///< (instances nodes, 2)
    std::vector<float> demands;  ///< (instances nodes), in parts of a vehicle's load, a depot's 0; empty: TSP
    bool hasDepot() const { return !demands.empty(); }
};

/// What the decoder asks of the nodes, all of width w: the query of a step is
/// fixed + first[first city] + last[last city], `start` in their place before the first; with a depot fixed + last[last
/// node] + (load left) room.
struct TourQueries {
    Var keys, values, pointers;  ///< (instances nodes, w): K, V and O^T L h
    Var fixed;                   ///< (instances, w)
    Var first, last;             ///< (instances nodes, w); with a depot `first` is not used
    Var start;                   ///< (1, w): TSP: before the first city; with a depot: `room`
    Index heads = 1;
};

using Path = std::vector<int>;  ///< nodes in the order visited, as core/model's Tour

struct TourDraw {
    Index tours = 1;       ///< of each instance
    Index freeStarts = 1;  ///< the first so many tours choose their first node; tour k after them starts at the k-th
                           ///< city (customer), from 0
    std::uint64_t seed = 0,
                  step = 0;  ///< what is drawn is a function of them, the instance, the tour and the choice's number
    std::span<const std::vector<Path>> given = {};  ///< of every instance, tour: these in place of drawn ones
};

/// c_k of an instance's tours, which may be called for several instances at once.
using TourWeights = std::function<void(Index instance, std::span<const Path> tours, std::span<float> weights)>;

DrawnSolutions<Path> tourLoss(Tape& tape, const TourQueries& queries, const RoutingBatch& batch, const TourDraw& draw,
                              const TourWeights& weigh);

}  // namespace attnscope::learn
