#pragma once
// core speaks std::string and double, Qt QString: the ways across, and Qt's literals u"..."_s and "..."_L1.

#include "core/base/choice.h"

#include <QString>

#include <string>

namespace attnscope {

using namespace Qt::StringLiterals;

inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// As a person reads it: four significant digits.
QString number(double value);

/// A sentence whose lines break elsewhere than in "n = 512", "p < 0.05", "95 %" and "1 072". Qt takes the narrow space
/// within a number for one to break the line at, unless joiners stand beside it.
inline QString unbroken(QString sentence)
{
    return sentence.replace(u" = "_s, u"\u00A0=\u00A0"_s)
        .replace(QChar(0x202F), u"\u2060\u202F\u2060"_s)
        .replace(u" < "_s, u"\u00A0<\u00A0"_s)
        .replace(u" %"_s, u"\u00A0%"_s);
}

/// With a capital letter, where it begins with a word.
inline QString sentence(QString words)
{
    if (words.size() > 1 && (words[1].isLower() || words.startsWith(u"a ")))
        words[0] = words[0].toUpper();
    return words;
}

}  // namespace attnscope
