#pragma once
// Charts that several labs show, in the same words.

#include "core/labs/lab.h"
#include "core/labs/lab_support.h"

namespace attnscope {

/// Of training, against the step; a line a `group` ("seed", "network").
inline LabChart lossOfTraining(const std::string& unit, const std::string& group)
{
    return {.id = "loss",
            .title = "Loss",
            .xTitle = "Step",
            .yTitle = "Cross-entropy (" + unit + ")",
            .lines = {{.table = "training", .x = "step", .y = "loss"}},
            .group = group};
}
inline LabChart accuracyInTraining(const std::string& group)
{
    return {.id = "training",
            .title = "Accuracy in training",
            .xTitle = "Step",
            .yTitle = "Accuracy (%)",
            .lines = {{.table = "training", .x = "step", .y = "accuracy"}},
            .group = group};
}

/// Mean row entropy in tests, a line a policy.
inline LabChart entropyOfHeads(const std::string& table = qualityTable, const std::string& xTitle = "Tokens, $n$")
{
    return {.id = "entropy",
            .title = "Entropy of the heads",
            .xTitle = xTitle,
            .yTitle = "Row entropy (nats)",
            .lines = {{.table = table, .x = "n", .y = "entropy_mean"}},
            .logX = true,
            .group = "policy"};
}

}  // namespace attnscope
