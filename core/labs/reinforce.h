#pragma once
// What the trainings of policies that route and that pack have in common: REINFORCE with a baseline that the solutions of an instance share
// (Kwon et al. 2020, POMO; Kool et al. 2019b). The gradient of their expected cost is that of the mean over them of
// (cost - mean cost) ln p(solution). Step t is a function of (seed, t) and the weights before it.

#include "core/learn/optimiser.h"
#include "core/learn/tape.h"

#include <functional>
#include <span>

namespace attnscope {

constexpr std::int64_t firstTrainedOn = std::int64_t{1} << 40;  // tests count their instances from 0

/// Of the solutions drawn for an instance.
struct DrawnCosts {
    double mean = 0, least = 0;
};
/// The weight of each solution's ln p in the loss, one of `instances` instances. Mean and least cost.
DrawnCosts weighByCost(std::span<const double> costs, std::int64_t instances, std::span<float> weights);
DrawnCosts meanOf(std::span<const DrawnCosts> all);

/// The rate rises over the warm-up and falls along a cosine to a twentieth.
struct PolicyOptimiser {
    PolicyOptimiser(learn::Weights all, double rate, double itsClip, std::int64_t steps, std::int64_t warmup);
    /// One step down the gradient of the loss that this makes on the tape.
    void step(learn::Tape& tape, const std::function<learn::Var(learn::Tape&)>& loss);

    learn::Weights weights;
    learn::Adam adam;
    learn::Schedule schedule;
    double clip;                 ///< the largest norm of all gradients together
};

}  // namespace attnscope
