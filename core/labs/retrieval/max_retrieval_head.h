#pragma once
// Trained max-retrieval heads as files: the one that comes with the program, those of the lab, and their queries and
// keys as tensors that the window and the command line look at like any other's.

#include "core/labs/retrieval/max_retrieval_model.h"

#include "core/analysis/scenario.h"
#include "core/base/error.h"

#include <string>

namespace attnscope {

/// "shipped" or a file that the lab kept. Errors: those of reading, and of files that hold another model.
Result<MaxRetrievalModel> loadHead(const std::string& shippedOrPath);

/// Writes q (sets, queries, width) and k (sets, items, width) of sets that training never saw, so that q.k/sqrt(width)
/// are the head's logits (k is h, with K folded into q). Every set is a head of the file, its items in random order, so
/// the first n of them are a set of n. Returns what looks at it. Errors: NotWritable.
Result<Scenario> writeHeadTensors(const std::string& path, MaxRetrievalModel& model, double nTrain);

}  // namespace attnscope
