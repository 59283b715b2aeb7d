#include "ui/widgets/tool_tips.h"

#include "ui/plot/qt_text.h"

#include <QApplication>
#include <QCursor>
#include <QHeaderView>
#include <QScreen>
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

/// Above the headings of a table, whose numbers it would cover.
static void liftAboveHeadings(const QWidget* under)
{
    const auto* header = under ? qobject_cast<const QHeaderView*>(under->parentWidget()) : nullptr;
    if (!header || header->orientation() != Qt::Horizontal)
        return;
    constexpr int air = 2;
    for (QWidget* tip : QApplication::topLevelWidgets()) {
        const int top = header->mapToGlobal(QPoint()).y() - tip->height() - air;
        if (tip->inherits("QTipLabel") && tip->isVisible() && top >= tip->screen()->availableGeometry().top())
            tip->move(tip->x(), top);
    }
}

void wrapShownTip()
{
    if (!QToolTip::isVisible())
        return;
    QWidget* under = QApplication::widgetAt(QCursor::pos());
    const QString tip = QToolTip::text(), wrapped = wrappedTip(tip);
    if (wrapped != tip)
        QToolTip::showText(QCursor::pos(), wrapped, under);
    liftAboveHeadings(under);
}

}  // namespace attnscope
