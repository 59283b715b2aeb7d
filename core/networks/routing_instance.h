#pragma once
// Routing problems in the plane. TSP: the shortest closed tour through all cities. CVRP: a vehicle that loads 1 starts
// at the depot, serves every customer's demand in one visit, and goes back to the depot to load whenever the tour says
// so.

#include "core/base/error.h"
#include "core/tensor/head_set.h"

#include <vector>

namespace attnscope {

struct RoutingInstance {
    Matrix places;               ///< (nodes, 2): the cities; or the depot, node 0, and then the customers
    std::vector<float> demands;  ///< of the nodes, in parts of a vehicle's load, the depot's 0; empty: TSP

    bool hasDepot() const { return !demands.empty(); }
    Eigen::Index nodes() const { return places.rows(); }
    /// n: cities, or customers.
    Eigen::Index size() const { return nodes() - (hasDepot() ? 1 : 0); }
};

/// Nodes in the order visited. TSP: each once, and back to the first. CVRP: from the depot and back to it without
/// saying so; a 0 within the tour is a return to it.
using Tour = std::vector<int>;

/// Euclidean distance of two nodes.
double distanceOf(const RoutingInstance& instance, int a, int b);

/// Of the closed tour.
double lengthOf(const RoutingInstance& instance, const Tour& tour);

/// A load may exceed a vehicle's by this: demands are float32, and a route adds up some dozens of them.
constexpr double loadTolerance = 1e-4;

}  // namespace attnscope
