#pragma once
// A cell of the scoreboard in words.

#include "core/labs/scoreboard/scoreboard.h"

#include <QString>

namespace attnscope {

struct BoardWords {
    QString title;  ///< "Su kappa at n = 16 N"
    QString task;   ///< "Hidden tokens found, RoPE, N = 100"
    QString found;  ///< sentences: value, gain, standard error, p and over what, entropy
};
BoardWords wordsOf(const Scoreboard& board, const BoardCell& cell);

/// The cell beside that of a board whose reference is another method: what tells the two apart, a line or more; empty
/// where it is that method.
QString wordsAgainst(const Scoreboard& board, const BoardCell& of);

/// "attnscope lab 'masked-lm:steps=0' --out DIR"
QString commandOf(const BoardRun& run);

/// What dots mean, and from where colours are full; how many cells are tested, how many of them are below 0.05 and how
/// many chance would bring; what has no row.
QString boardCounts(const Scoreboard& board);

}  // namespace attnscope
