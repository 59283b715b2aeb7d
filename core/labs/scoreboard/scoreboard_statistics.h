#pragma once
// What is worked out of the scoreboard's cells once they are all there.

#include "core/labs/scoreboard/scoreboard.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

/// To the digits that records keep, and to what makes no difference: multipliers that differ by less than 1e-6.
inline bool agree(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1e-3}); }

/// Finds cells that repeat another method's of the same task and length, and takes the methods that do so everywhere
/// off the board, under the name of the first.
void markCopies(Scoreboard& board);
/// What each cell is behind, and whether chance could bring that.
void findBest(Scoreboard& board);
/// q of every p.
void correctForAllTests(Scoreboard& board);

}  // namespace attnscope
