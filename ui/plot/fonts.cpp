#include "ui/plot/fonts.h"

#include "ui/plot/qt_text.h"

#include <QFontDatabase>

namespace attnscope {

const QStringList& fontFamilies()
{
    static const QStringList families = [] {
        // Of two faces of one name Qt takes the one that was registered last: the system's come first, so that a figure
        // has the same type whatever Inter is installed.
        QFontDatabase::families();
        for (const Embedded& face : interFaces())
            QFontDatabase::addApplicationFontFromData(QByteArray(reinterpret_cast<const char*>(face.bytes.data()),
                                                                 static_cast<qsizetype>(face.bytes.size())));
        return QStringList{u"Inter"_s, u"DejaVu Sans"_s};
    }();
    return families;
}

}  // namespace attnscope
