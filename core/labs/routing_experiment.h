#pragma once
// A run of the lab `routing`: networks are trained, taken from the program or opened, and tested.

#include "core/labs/lab.h"

namespace attnscope {

Result<LabResult> runRoutingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);

}  // namespace attnscope
