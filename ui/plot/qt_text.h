#pragma once
// core speaks std::string and double, Qt QString: the ways across, and Qt's literals u"..."_s and "..."_L1.

#include "core/base/choice.h"

#include <QString>

#include <string>

namespace attnscope {

using namespace Qt::StringLiterals;

inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// As a person reads it: four significant digits.
inline QString number(double value) { return text(formatNumber(value, 4)); }

}  // namespace attnscope
