#pragma once
// From the formulae of the registries, written on one line ("√((1 − n^(−2/d)) / (1 − N^(−2/d)))"), to the markup that
// Typeset draws: " / " with spaces becomes a fraction of the factors beside it, √ a root of what follows, ^(...) and ²
// superscripts, _p and ₊ subscripts; known functions and words of two letters or more stand upright, other letters are
// variables.

#include <QString>

namespace attnscope {

/// "ln n / ln B" -> "$\frac{\ln n}{\ln B}$". Whatever is not understood stays as it is typed.
QString formulaMarkup(const QString& formula);

}  // namespace attnscope
