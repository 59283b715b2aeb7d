#pragma once
// Where there is more above or below, what scrolls fades into the ground there: a line of letters cut in half looks
// like a fault, one that fades like a page that goes on.

class QAbstractScrollArea;

namespace attnscope {

/// Of an area that stands on a surface (a panel, a card); lives as long as it.
void fadeEdges(QAbstractScrollArea& area);

/// What stands at its top is seen whole, a heading say, and does not fade.
void setWholeAtTop(QAbstractScrollArea& area, bool whole);

/// Its content is as wide with the bar as without it.
void keepBarRoom(QAbstractScrollArea& area);

}  // namespace attnscope
