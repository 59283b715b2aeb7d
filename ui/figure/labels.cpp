#include "ui/figure/labels.h"

#include "core/scaling/scale_method.h"
#include "ui/plot/qt_text.h"

#include <QRegularExpression>

namespace attnscope {

QString symbolsIn(const QString& label)
{
    static const QRegularExpression alone(
        u"(?<![\\w$\\-'\\x{2019}])([b-zB-Z]|[\\x{03B1}-\\x{03C9}][a-z]?)(?![\\w$\\-.])"_s);
    return QString(label).replace(alone, u"$\\1$"_s);
}

QString methodLabel(const Choice& method) { return symbolsIn(text(describeChoice(scaleMethods(), method))); }

QString panelLetter(std::size_t index) { return QString(QChar(static_cast<char16_t>(u'a' + index))); }

}  // namespace attnscope
