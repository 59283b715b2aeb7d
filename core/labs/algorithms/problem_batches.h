#pragma once
// What a network learns algorithms from: every step some problems of one size and all tasks in turn, filled up to the
// longest, with randomised positions (Ruoss et al. 2023): a sequence's positions are a rising random choice of 0 .. L -
// 1, so that longer problems have none that is new. Only what is to be said counts.

#include "core/labs/algorithms/algorithm_tasks.h"
#include "core/labs/language/language_trainer.h"

namespace attnscope {

struct ProblemSettings {
    std::vector<const AlgorithmTask*> tasks;
    std::int64_t smallest = 4, largest = 16;  ///< sizes
    std::int64_t positions = 256;             ///< L
    bool traces = false;
    std::uint64_t seed = 1;
};

/// One problem as a sequence: the question and all of what is said but its end go in, and every row from "=" on has a
/// target.
struct ProblemSequence {
    std::vector<int> inputs, targets, positions;
};
ProblemSequence problemSequence(const ProblemSettings& settings, const AlgorithmTask& task, std::int64_t size,
                                std::uint64_t problem);

/// Tokens of the longest sequence of that size, of any task, as far as it does not depend on chance.
std::int64_t tokensAtMost(const ProblemSettings& settings, std::int64_t size);

BatchSource problemBatches(const ProblemSettings& settings, std::int64_t sequences);

}  // namespace attnscope
