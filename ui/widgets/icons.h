#pragma once
// The program's own icons: resources/icons/<name>.svg, drawn in black lines and shown in the colour of the theme in
// force.

#include <QIcon>
#include <QString>

namespace attnscope {

QIcon icon(const QString& name);

}  // namespace attnscope
