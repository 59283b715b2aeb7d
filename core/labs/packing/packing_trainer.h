#pragma once
// Trains a network that packs boxes by REINFORCE with a shared baseline (reinforce.h): of every instance of a step some
// packings are drawn, and the cost of one is the height that it reaches over the least that its volume allows, L W H /
// V, the load rate turned over.

#include "core/labs/packing/packing_instances.h"
#include "core/labs/policies/reinforce.h"
#include "core/learn/packing_network.h"
#include "core/model/packing_state.h"

namespace attnscope {

struct PackingSettings {
    learn::PackingShape shape;
    PackingDraw draw;       ///< what it learns on; its seed is the training's
    std::vector<Bin> bins;  ///< which the instances of a step take in turn
    ReinforceSettings learning = {};

    learn::Metadata metadata() const;
};

/// The shape whose inputs are those of packing_state.h.
learn::PackingShape packingShape(const learn::EncoderShape& encoder);

class PackingTrainer : public PolicyTrainer<PackingSettings, learn::PackingNetwork> {
public:
    using PolicyTrainer::PolicyTrainer;

    /// Of the step's packings, before it: mean cost, and the mean over instances of the least.
    DrawnCosts step();
};

/// Packings of one instance under way, as the decoder's loss plays them.
class StatefulGame : public learn::PackingGame {
public:
    explicit StatefulGame(const PackingInstance& instance) : m_state(instance) {}
    void describe(std::span<float> state) const override { m_state.describe(state); }
    void consider(int box, learn::MatrixView turns) override { m_state.consider(box, turns); }
    void put(int turn) override { m_state.put(turn); }
    const Packing& packing() const { return m_state.packing(); }

private:
    PackingState m_state;
};

/// The features of all boxes, one instance below the other.
Matrix describeAll(std::span<const PackingInstance> instances);

}  // namespace attnscope
