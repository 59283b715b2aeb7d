#pragma once
// How a network recalls at n tokens under scale methods and positions, and whether it may be asked at all: one that
// does not find what was told N tokens ago, at N, says nothing of scales beyond.

#include "core/labs/language/language_evaluation.h"
#include "core/labs/recall/recall_sequences.h"

namespace attnscope {

struct RecallTest {
    RecallSettings settings;  ///< with a seed for tests
    std::int64_t length = 0, sequences = 0;
};

/// Scores, a sequence each: loss and accuracy over the values asked for, all of them in `answers`, and the mean entropy
/// of all rows. Nothing where the method has no value at this length. Errors: Cancelled, those of runWindow.
Result<std::optional<PolicyScores>> scoreRecall(const Model& model, const Policy& policy, const RecallTest& test,
                                                std::stop_token stop);

/// Answers right, in per cent, of all and of those told at least `from` tokens before; NaN of none.
struct RecallShares {
    double all = 0, far = 0;
};
RecallShares sharesOf(const PolicyScores& scores, std::int64_t from);

/// Of all answers of the test, those right of who sees the last `window` tokens, finds every value that was told among
/// them, and guesses the others among the values told by then; per cent. Errors: Cancelled.
Result<double> windowShare(const RecallTest& test, std::int64_t window, const std::stop_token& stop = {});

}  // namespace attnscope
