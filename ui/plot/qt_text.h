#pragma once
// core speaks std::string and double, Qt QString: the ways across, for free functions as for widgets.

#include "core/base/choice.h"

#include <QCoreApplication>
#include <QString>

#include <string>

namespace attnscope {

inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// As a person reads it: four significant digits.
inline QString number(double value) { return text(formatNumber(value, 4)); }

/// What QObject::tr is to a widget.
inline QString tr(const char* sentence) { return QCoreApplication::translate("attnscope", sentence); }

}  // namespace attnscope
