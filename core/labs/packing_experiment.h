#pragma once
// A run of the lab `packing`: networks are trained, taken from the program or opened, and tested.

#include "core/labs/lab.h"

namespace attnscope {

Result<LabResult> runPackingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);

}  // namespace attnscope
