#pragma once
// The search on a model and a text.

#include "core/model/model.h"
#include "core/tuning/tuning.h"

#include <span>

namespace attnscope {

struct TuneWindows {
    int fitting = 8, verdict = 16;  ///< at most; a shorter text has fewer, in the same proportion
    std::int64_t last = 0;          ///< predictions of a window that count, as countedOf() has it
    std::string engine = "auto";
    bool operator==(const TuneWindows&) const = default;
};

/// The model must outlive the problem. Windows are as far apart as the text allows, those for fitting and those for the
/// verdict in turn. Errors: InvalidArgument (a text too short).
Result<TuneProblem> problemOf(const Model& model, std::span<const int> ids, const TuneRequest& request,
                              const TuneWindows& windows, std::stop_token stop);

/// What the losses of a search depend on, as a text: those of another are none of its.
std::string searchOf(const Model& model, std::span<const int> ids, const TuneRequest& request,
                     const TuneWindows& windows);

/// The mean loss of a setting at n over the verdict's windows.
Result<double> verdictLoss(const TuneProblem& problem, const Setting& setting, const TunedAt& at);

}  // namespace attnscope
