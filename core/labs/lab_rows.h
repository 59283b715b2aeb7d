#pragma once
// The rows of the table of labs, one a file, and the order of what labs find.

#include "core/labs/lab.h"

namespace attnscope {

Lab eieLab();
Lab maxRetrievalLab();
Lab maxRetrievalTrainingLab();
Lab causalLmLab();
Lab maskedLmLab();
Lab routingLab();
Lab packingLab();
Lab algorithmsLab();

/// Tables together, `main` last.
std::vector<LabRow> inOrder(const std::vector<LabRow>& rows, const std::string& main);

}  // namespace attnscope
