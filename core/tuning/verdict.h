#pragma once
// The verdict on windows that nothing was fitted on: paired differences with their intervals and tests, and what they
// say in one sentence.

#include "core/base/measured_text.h"
#include "core/tuning/losses.h"

namespace attnscope {

/// What an adjusted p has to be below for a difference to count.
inline constexpr double verdictLevel = 0.05;

/// Fills comparisons, places, `helps` and `tunedIsBest`; `asItIs` is the model as it is. Errors: those of the losses.
Result<void> judge(const TuneProblem& problem, Losses& losses, const Setting& asItIs, TuneReport& report);

/// The comparison, if it was made.
const Comparison* findComparison(const TuneReport& report, std::string_view what, std::string_view against,
                                 std::int64_t n);
inline constexpr std::string_view comparedTuned = "tuned", comparedAsItIs = "as it is", comparedPublished = "published";

/// "lowers the loss by 0.042 nats (95 % interval of the change: −0.053 to −0.031, Holm's p = 0.0003)"; "changes
/// nothing"
std::string lossChangeInWords(const Comparison& comparison);

/// Why nothing is recommended, where that is so, in a few words: "Nothing is shown to help here", where the search was
/// over.
std::string withoutHelp(const TuneReport& report);

/// "At n = 2 048 use m = 1.31: it lowers the loss by ..."
std::string answerOf(const TuneReport& report);

/// What it comes to: "gains", "costs", "no change seen"; "no change" where no window differs.
std::string judgedInShort(const Comparison& comparison);

/// The same: what to use and what it gains, and what no comparison says.
ShortAnswer shortAnswerOf(const TuneReport& report);

}  // namespace attnscope
