#pragma once
// The fonts of window and figures. Inter is part of the program where it is installed when the program is built, so
// that a figure has the same type on every machine; elsewhere, and for what Inter lacks, the machine's own fonts are
// taken.

#include "core/base/embedded.h"

#include <QStringList>

#include <vector>

namespace attnscope {

/// The faces of Inter that are part of the program (inter.cpp); none where it was built without (without_inter.cpp).
std::vector<Embedded> interFaces();

/// Inter, then DejaVu Sans. The first call loads the faces; it needs a QGuiApplication.
const QStringList& fontFamilies();

}  // namespace attnscope
