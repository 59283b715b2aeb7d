#pragma once
// Trains an Attention Model by REINFORCE with a shared baseline (reinforce.h): of every instance of a step some tours
// are drawn, and their lengths are the costs. Tours of cities start at cities of their own, but one whose start is the
// network's choice, so that it learns to choose one; a vehicle's first customer is a choice like any other.

#include "core/labs/policies/reinforce.h"
#include "core/labs/routing/routing_instances.h"
#include "core/networks/routing_network.h"

namespace attnscope {

struct RoutingSettings {
    learn::RoutingShape shape;
    RoutingDraw draw;  ///< what it learns on; its seed is the training's
    ReinforceSettings learning = {};

    learn::Metadata metadata() const;
};

class RoutingTrainer : public PolicyTrainer<RoutingSettings, learn::RoutingNetwork> {
public:
    using PolicyTrainer::PolicyTrainer;

    /// Of the step's tours, before it: mean length, and the mean over instances of the shortest.
    DrawnCosts step();
};

}  // namespace attnscope
