#pragma once
// Names as figures print them.

#include "core/base/choice.h"

#include <QString>

#include <cstddef>

namespace attnscope {

/// A label as markup: what stands alone as one letter is a symbol. "Log n" -> "Log $n$", "Softmax Plus (B = 64)" ->
/// "... ($B$ = 64)".
QString symbolsIn(const QString& label);

/// Of a scale method: "Softmax Plus (B = 64)", as markup; the id if the choice is unknown.
QString methodLabel(const Choice& method);

/// Of a panel: "a", "b", ...
QString panelLetter(std::size_t index);

}  // namespace attnscope
