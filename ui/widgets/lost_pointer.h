#pragma once
// Does a view have no pointer over it any more? Leave need not come where a menu or a dialog takes the pointer away.

#include <QEvent>

namespace attnscope {

inline bool losesPointer(const QEvent& event)
{
    return event.type() == QEvent::Leave || event.type() == QEvent::ContextMenu ||
           event.type() == QEvent::WindowDeactivate;
}

}  // namespace attnscope
