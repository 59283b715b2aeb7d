#pragma once
// What a network's tours are measured against: the nearest neighbour's, and those that 2-opt (Croes 1958) and Or-opt
// (Or 1976) make of them. Both are small and plain: local optima some 5 % above the best tours, not solvers.

#include "core/networks/routing_instance.h"

#include <stop_token>

namespace attnscope {

/// From node 0 always on to the nearest node not seen; with a depot, to the nearest customer that the vehicle still has
/// room for, and home where there is none.
Tour nearestNeighbour(const RoutingInstance& instance);

/// The tour, shortened until no move among near nodes shortens it: two edges exchanged (2-opt), up to three neighbours
/// moved elsewhere, turned round or not (Or-opt). With a depot: within each route, and single customers from route to
/// route as loads allow. Once stopped: as far as it is.
Tour improved(const RoutingInstance& instance, Tour tour, const std::stop_token& stop = {});

}  // namespace attnscope
