#pragma once
// Trains a network that packs boxes by REINFORCE with a shared baseline (reinforce.h): of every instance of a step some
// packings are drawn, and the cost of one is the height that it reaches over the least that its volume allows, L W H /
// V, the load rate turned over.

#include "core/labs/packing/packing_instances.h"
#include "core/labs/policies/reinforce.h"
#include "core/networks/packing_network.h"

namespace attnscope {

struct PackingSettings {
    learn::PackingShape shape;
    PackingDraw draw;       ///< what it learns on; its seed is the training's
    std::vector<Bin> bins;  ///< which the instances of a step take in turn
    ReinforceSettings learning = {};

    learn::Metadata metadata() const;
};

class PackingTrainer : public PolicyTrainer<PackingSettings, learn::PackingNetwork> {
public:
    using PolicyTrainer::PolicyTrainer;

    /// Of the step's packings, before it: mean cost, and the mean over instances of the least.
    DrawnCosts step();
};

}  // namespace attnscope
