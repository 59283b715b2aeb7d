#pragma once
// Trains an Attention Model by REINFORCE with a shared baseline (reinforce.h): of every instance of a step some tours are drawn, and their
// lengths are the costs. Tours of cities start at cities of their own, but one whose start is the network's choice, so that it learns to
// choose one; a vehicle's first customer is a choice like any other.

#include "core/labs/reinforce.h"
#include "core/labs/routing_instances.h"
#include "core/learn/routing_network.h"

#include <map>
#include <string>

namespace attnscope {

struct RoutingSettings {
    learn::RoutingShape shape;
    RoutingDraw draw;                ///< what it learns on; its seed is the training's
    std::int64_t batch = 64;         ///< instances a step
    std::int64_t tours = 20;         ///< of each
    std::int64_t steps = 1000, warmup = 100;   ///< of the cosine
    double rate = 3e-4, clip = 1;

    std::map<std::string, std::string> metadata() const;
};

class RoutingTrainer {
public:
    explicit RoutingTrainer(const RoutingSettings& settings);

    /// Of the step's tours, before it: mean length, and the mean over instances of the shortest.
    DrawnCosts step();

    learn::RoutingNetwork& network() { return m_network; }
    learn::Adam& adam() { return m_optimiser.adam; }
    const learn::Weights& weights() const { return m_optimiser.weights; }
    const RoutingSettings& settings() const { return m_settings; }

private:
    RoutingSettings m_settings;
    learn::RoutingNetwork m_network;
    PolicyOptimiser m_optimiser;
    learn::Tape m_tape;
};

/// Instances of one size as a batch.
learn::RoutingBatch batchOf(std::span<const RoutingInstance> instances);

}  // namespace attnscope
