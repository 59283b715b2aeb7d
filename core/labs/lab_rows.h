#pragma once
// The functions behind the table of labs, and the order of their rows.

#include "core/labs/lab.h"

namespace attnscope {

Result<LabResult> runEieLab(const LabRun&, std::stop_token, const LabCallback&);
Result<LabResult> runMaxRetrievalLab(const LabRun&, std::stop_token, const LabCallback&);

/// Tables together, `main` last.
std::vector<LabRow> inOrder(const std::vector<LabRow>& rows, const std::string& main);

}  // namespace attnscope
