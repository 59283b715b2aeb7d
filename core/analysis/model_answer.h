#pragma once
// What a study of a model comes to at a length, in one sentence: that it predicts worse than chance, where it does,
// then what was run beats the model as it is, or nothing does, and at last which heads disperse. The differences are
// those of the table of results (pairedDifference), the slopes those of headNumbers().

#include "core/model/study.h"

#include <optional>
#include <span>
#include <string>

namespace attnscope {

/// Which of the policies changes nothing of the model; nothing: none of them.
std::optional<std::size_t> asItIs(std::span<const Policy> policies);

/// Of what a cell's loss is the mean: "last 128 tokens of 4 windows", of windows that count whole "4 windows"; empty
/// before the first.
std::string scoredInWords(const StudyCell& cell);
/// The same of all cells together, while some lengths have more windows than others: "last 128 tokens of 1 to 2
/// windows"; where shorter windows count fewer of their tokens, "at most the last 128 tokens of 4 windows".
std::string scoredInWords(std::span<const StudyCell> cells);

/// What beats the model as it is does so by the paired t-test over windows at the level 0.05, by Holm corrected for all
/// policies that were run at n. `labels` are of the request's policies. "At n = 2 048 nothing that was run beats the
/// model as it is: nearest is YaRN, +0.013 ± 0.004 nats (last 128 tokens of 4 windows); layer 4, head 0 and layer 0,
/// head 1 disperse most (slope 0.98, 0.91)". Before all runs are done it says that they are not. Empty before the
/// first.
std::string studyInWords(const Architecture& architecture, const StudyRequest& request, const StudyResult& study,
                         std::span<const std::string> labels, std::int64_t n);

/// What policy `b` does that `a` does not: "At n = 2 048 B, ReRoPE, has 0.412 ± 0.031 nats less loss than A, Vanilla
/// (last 128 tokens of 4 windows); the mean entropy of layer 4, head 0 changes most, 3.12 to 2.40 nats". Before all
/// runs are done it says that they are not. Empty before both have one.
std::string besideInWords(const Architecture& architecture, const StudyRequest& request, const StudyResult& study,
                          std::span<const std::string> labels, std::int64_t n, std::size_t a, std::size_t b);

}  // namespace attnscope
