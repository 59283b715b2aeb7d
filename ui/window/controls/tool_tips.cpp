#include "ui/window/controls/tool_tips.h"

#include <QApplication>
#include <QCursor>
#include <QTextDocument>
#include <QToolTip>
#include <QWidget>

namespace attnscope {

namespace {

constexpr QLatin1Char openTag('<'), closeTag('>'), openEntity('&'), closeEntity(';');

}  // namespace

QString wrappedTip(const QString& tip)
{
    const bool html = Qt::mightBeRichText(tip);
    const QString lineEnd = html ? QStringLiteral("<br>") : QStringLiteral("\n");
    QString out;
    qsizetype space = -1;        // the last one in this line, in `out`
    int letters = 0, since = 0;  // of the line, and after that space
    QChar skipTo;                // of a tag, which is no letter, or of an entity, which is one
    for (qsizetype i = 0; i < tip.size(); ++i) {
        const QChar c = tip[i];
        if (html && skipTo.isNull() && c == openTag) {
            skipTo = closeTag;
            if (tip.mid(i, 3) == QLatin1String("<br") || tip.mid(i, 3) == QLatin1String("<hr")) {
                letters = since = 0;
                space = -1;
            }
        } else if (html && skipTo.isNull() && c == openEntity) {
            skipTo = closeEntity;
        }
        const bool counts = skipTo.isNull() || (skipTo == closeEntity && c == closeEntity);
        out += c;
        if (c == skipTo)
            skipTo = QChar();
        if (!counts)
            continue;
        if (!html && c == QLatin1Char('\n')) {
            letters = since = 0;
            space = -1;
            continue;
        }
        ++letters;
        ++since;
        if (c == QLatin1Char(' ')) {
            space = out.size() - 1;
            since = 0;
        }
        if (letters > lettersInALine && space >= 0 && since > 0) {
            out.replace(space, 1, lineEnd);
            letters = since;
            space = -1;
        }
    }
    return out;
}

void wrapShownTip()
{
    if (!QToolTip::isVisible())
        return;
    const QString tip = QToolTip::text(), wrapped = wrappedTip(tip);
    QWidget* under = QApplication::widgetAt(QCursor::pos());
    if (wrapped != tip)
        QToolTip::showText(QCursor::pos(), wrapped, under);
}

}  // namespace attnscope
