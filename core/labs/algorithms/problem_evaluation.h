#pragma once
// How a network solves problems of a size under scale methods and normalisers, by exact match: a problem counts where
// every word that is to be said is the likeliest one after those before it. That is what greedy decoding says, word for
// word, in one pass: as long as it is right its words are those that were given, and with the first wrong one the
// problem is lost either way.

#include "core/labs/algorithms/problem_batches.h"
#include "core/labs/language/language_evaluation.h"

namespace attnscope {

/// Seeds of the problems tested with are this above those of training.
constexpr std::uint64_t problemTestSeed = 1'000'000'000'000;

struct ProblemTest {
    ProblemSettings settings;  ///< with a seed for tests
    const AlgorithmTask* task = nullptr;
    std::int64_t size = 0, problems = 0;
};

/// The sequence as core/model runs it.
Window windowOf(const ProblemSequence& sequence);

/// Scores, a problem each: the loss a word, 1 or 0 in `accuracy`, words asked for and words right in `asked` and
/// `recalled`, and the entropy of the rows that say them (the last half of the sequence at most). Nothing where the
/// method has no value at this length. Errors: Cancelled, those of runWindow.
Result<std::optional<PolicyScores>> scoreProblems(const Model& model, const Policy& policy, const ProblemTest& test,
                                                  std::stop_token stop);

/// Which network under what.
struct ProblemLabel {
    NetworkLabel network;
    Choice method;          ///< a scale method or a normaliser
    double trainSize = 16;  ///< N
};

/// A row of `quality`: the columns of the language labs, and the task. `vanilla`: of the same problems; null where this
/// is it.
LabCells problemCells(const ProblemLabel& label, const ProblemTest& test, const std::optional<PolicyScores>& scores,
                      const PolicyScores* vanilla);

/// A row of `accuracy`: a column a task from rows of `quality` of one network, method and size, their mean, and that of
/// the entropies.
LabCells accuracyCells(const std::vector<LabCells>& quality);

}  // namespace attnscope
