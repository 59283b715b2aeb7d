#include "ui/widgets/tool_tips.h"

#include "ui/plot/qt_text.h"

#include <QApplication>
#include <QCursor>
#include <QStringList>
#include <QTextDocument>
#include <QToolTip>
#include <QWidget>

namespace attnscope {

QString wrappedTip(const QString& tip)
{
    if (Qt::mightBeRichText(tip))
        return tip;
    QStringList lines;
    for (const QString& given : tip.split(QLatin1Char('\n'))) {
        lines << QString();
        for (const QString& word : given.split(QLatin1Char(' '))) {
            if (!lines.back().isEmpty() && lines.back().size() + 1 + word.size() > lettersInALine)
                lines << word;
            else
                lines.back() += (lines.back().isEmpty() ? QString() : u" "_s) + word;
        }
    }
    return lines.join(QLatin1Char('\n'));
}

void wrapShownTip()
{
    if (!QToolTip::isVisible())
        return;
    const QString tip = QToolTip::text(), wrapped = wrappedTip(tip);
    if (wrapped != tip)
        QToolTip::showText(QCursor::pos(), wrapped, QApplication::widgetAt(QCursor::pos()));
}

}  // namespace attnscope
