#pragma once
// Tool tips are read in lines of at most 60 letters, whoever shows them, and cover no numbers below a heading.

#include <QString>

namespace attnscope {

inline constexpr int lettersInALine = 60;

/// Plain text with its lines broken between words. HTML stays: it is broken where it is shown, in shorter lines.
QString wrappedTip(const QString& tip);

/// Of the tip that is on the screen now, if there is one.
void wrapShownTip();

}  // namespace attnscope
