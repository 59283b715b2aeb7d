#pragma once
// Where something is to be saved: asked of the user, who is also asked before a file that is there is replaced.

#include <QString>

class QWidget;

namespace attnscope {

/// The path, which ends in one of the filters' endings ("PDF (*.pdf);;SVG (*.svg)"): a name without one has that of the
/// filter that is chosen. Empty: nothing is to be saved. `over` may be gone when this returns.
QString fileToSave(QWidget& over, const QString& title, const QString& proposed, const QString& filters);

}  // namespace attnscope
