#pragma once
// What the tasks of a PolicyExperiment (policy_experiment.h) share: their labs' parameters, and how those are read.

#include "core/base/choice.h"
#include "core/labs/policies/reinforce.h"

namespace attnscope {

/// All parameters of a lab: the task's own first and last ones, the solutions drawn in training and the instances
/// tested, and those that every task has.
struct PolicyParameters {
    std::vector<Parameter> first;
    Parameter solutions, sets;
    double rate = 3e-4;  ///< by default
    std::vector<Parameter> last;
};
std::vector<Parameter> policyParameters(PolicyParameters own);

class PolicyTask {
protected:
    explicit PolicyTask(const Parameters& parameters) : m_parameters(parameters) {}

    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    std::uint64_t seed() const { return static_cast<std::uint64_t>(whole("seed")); }
    /// N in training.
    std::int64_t learnedLength() const { return whole("length") > 0 ? whole("length") : 20; }
    learn::EncoderShape encoderShape() const
    {
        return {.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads")};
    }
    ReinforceSettings learning(const char* solutions) const;
    /// Errors: InvalidArgument, where instances could not grow from the first step's to N.
    Result<void> checkGrowth() const;
    /// What the choices of one instance's solutions leave for the way back, so many numbers, must fit in memory.
    /// Errors: InvalidArgument.
    static Result<void> checkMemory(double numbers, const std::string& solutions);

    const Parameters& m_parameters;
};

}  // namespace attnscope
