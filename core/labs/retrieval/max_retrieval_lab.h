#pragma once
// What the row of the lab `max-retrieval` and its run have in common.

#include "core/labs/lab.h"

namespace attnscope {

/// Among what heads learn with: plain softmax with a constraint on its entropy.
inline constexpr std::string_view constraintId = "constraint";

Result<LabResult> runMaxRetrieval(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);

}  // namespace attnscope
