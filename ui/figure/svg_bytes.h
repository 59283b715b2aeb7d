#pragma once
// What Qt's SVG writer says of every shape, it says in full: a group of its own with pen, brush and font, also for
// nothing. The same picture in a third of the bytes: empty groups go, each element carries what differs from the
// outermost group.

#include <QByteArray>

namespace attnscope {

/// The text of an SVG that QSvgGenerator wrote; anything else that is XML keeps its meaning too.
QByteArray tidySvg(const QByteArray& svg);

}  // namespace attnscope
