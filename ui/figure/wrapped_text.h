#pragma once
// A few words of markup over several lines: footnotes.

#include <QFont>
#include <QString>

class QPainter;
class QRectF;

namespace attnscope {

double wrappedHeight(const QString& markup, const QFont& font, double width);
/// In the painter's pen colour, from the top of the box.
void paintWrapped(QPainter&, const QString& markup, const QFont& font, const QRectF& box);

}  // namespace attnscope
