#pragma once

namespace attnscope {

/// Drawing needs Qt's fonts, and they need an application object: one without a display, unless there is one already.
void ensureDrawing();

}  // namespace attnscope
