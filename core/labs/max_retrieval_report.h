#pragma once
// Scores of several seeds as rows of the table `table1`, beside what the paper printed.

#include "core/labs/lab.h"
#include "core/labs/max_retrieval_evaluation.h"

namespace attnscope {

/// `scores` as [seed][variant]; the first variant is what the others are compared with, by a paired t-test over the seeds.
std::vector<LabRow> table1Rows(const std::vector<HeadVariant>& variants, std::int64_t items, const std::vector<std::vector<HeadScore>>& scores);

}  // namespace attnscope
