#pragma once
// What the trainings of policies that route and that pack have in common: REINFORCE with a baseline that the solutions
// of an instance share (Kwon et al. 2020, POMO; Kool et al. 2019b). The gradient of their expected cost is that of the
// mean over them of (cost - mean cost) ln p(solution). Step t is a function of (seed, t) and the weights before it.

#include "core/networks/learning_encoder.h"
#include "core/learn/checkpoint.h"
#include "core/learn/tape.h"

#include <functional>
#include <span>

namespace attnscope {

struct ReinforceSettings {
    std::int64_t batch = 64;      ///< instances a step
    std::int64_t solutions = 20;  ///< drawn of each: tours, packings
    std::int64_t steps = 1000,
                 warmup = 100;  ///< the rate rises over the warm-up and falls along a cosine to a twentieth
    double rate = 3e-4;
    double clip = 1;        ///< the largest norm of all gradients together
    std::int64_t from = 0;  ///< the size of the first step's instances; 0: that of all others

    /// Of the instances of a step: in the first half of the training they grow, evenly, to `size`.
    std::int64_t sizeAt(std::int64_t step, std::int64_t size) const;
    /// What the files of a training say; the number of solutions under its own name.
    learn::Metadata metadata(const learn::EncoderShape& shape, const char* solutionsName, std::uint64_t seed) const;
};

/// Of the solutions drawn for an instance.
struct DrawnCosts {
    double mean = 0, least = 0;
};
/// The weight of each solution's ln p in the loss, one of `instances` instances. Mean and least cost.
DrawnCosts weighByCost(std::span<const double> costs, std::int64_t instances, std::span<float> weights);
DrawnCosts meanOf(std::span<const DrawnCosts> all);

/// Steps of Adam down the gradient of a loss.
class PolicyOptimiser {
public:
    PolicyOptimiser(learn::Weights weights, const ReinforceSettings& settings);

    void step(const std::function<learn::Var(learn::Tape&)>& loss);

    learn::Adam& adam() { return m_adam; }
    const learn::Weights& weights() const { return m_weights; }

private:
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Schedule m_schedule;
    double m_clip;
    learn::Tape m_tape;
};

/// A network and its training, whose step() is the derived class's. Settings hold the network's `shape`, what it learns
/// on, `draw`, whose seed is the training's, and ReinforceSettings `learning`.
template <class Settings, class Network>
class PolicyTrainer {
public:
    explicit PolicyTrainer(const Settings& settings)
        : m_settings(settings), m_network(settings.shape, settings.draw.seed),
          m_optimiser(m_network.weights(), settings.learning)
    {
    }

    Network& network() { return m_network; }
    learn::Adam& adam() { return m_optimiser.adam(); }
    const learn::Weights& weights() const { return m_optimiser.weights(); }
    const Settings& settings() const { return m_settings; }

protected:
    /// What the step learns on.
    auto drawNow()
    {
        auto draw = m_settings.draw;
        draw.size = m_settings.learning.sizeAt(adam().steps(), draw.size);
        return draw;
    }
    /// The number of the step's first instance; tests count theirs from 0.
    std::int64_t firstInstance() { return (std::int64_t{1} << 40) + adam().steps() * m_settings.learning.batch; }

    Settings m_settings;
    Network m_network;
    PolicyOptimiser m_optimiser;
};

}  // namespace attnscope
