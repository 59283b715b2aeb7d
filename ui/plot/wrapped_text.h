#pragma once
// A few words of markup over several lines: footnotes, titles that are longer than their place.

#include "ui/plot/typeset.h"

#include <vector>

class QPainter;
class QRectF;

namespace attnscope {

/// Lines no wider than `width`, but for a single word that is; broken at spaces outside $...$.
std::vector<Typeset> wrapped(const QString& markup, const QFont& font, double width);

double wrappedHeight(const QString& markup, const QFont& font, double width);
/// In the painter's pen colour, from the top of the box.
void paintWrapped(QPainter&, const QString& markup, const QFont& font, const QRectF& box);

}  // namespace attnscope
