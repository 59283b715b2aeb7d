#pragma once
// Beside the optimum: what theory asks for, and what every head's own entropy does.

#include "core/tuning/tuning.h"

namespace attnscope {

/// Every scale method that has a multiplier of a row of n keys, and the median of the heads' own.
std::vector<TheoryMark> theoryAt(const TunedAt& at, int headSize, const std::optional<HeadLook>& look);

/// Puts the look and the multipliers that were found beside the gradients, and whether heads that gain from more
/// sharpness are those whose entropy grows.
void addHeads(const std::optional<HeadLook>& look, TuneReport& report);

}  // namespace attnscope
