#include "ui/widgets/tool_tips.h"

#include "ui/plot/qt_text.h"

#include <QAbstractItemView>
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

static QWidget* shownTip()
{
    for (QWidget* tip : QApplication::topLevelWidgets())
        if (tip->inherits("QTipLabel") && tip->isVisible())
            return tip;
    return nullptr;
}

/// Above the headings of a table, whose numbers it would cover.
static void liftAboveHeadings(const QWidget* under)
{
    const auto* header = under ? qobject_cast<const QHeaderView*>(under->parentWidget()) : nullptr;
    if (!header || header->orientation() != Qt::Horizontal)
        return;
    constexpr int air = 2;
    if (QWidget* tip = shownTip())
        if (const int top = header->mapToGlobal(QPoint()).y() - tip->height() - air;
            top >= tip->screen()->availableGeometry().top())
            tip->move(tip->x(), top);
}

/// Beside a list that has dropped down, whose entries it would cover.
static void moveBesideList(const QWidget* under)
{
    const QWidget* list = under ? under->window() : nullptr;
    QWidget* tip = shownTip();
    if (!list || !tip || list->windowType() != Qt::Popup || !qobject_cast<QAbstractItemView*>(under->parentWidget()))
        return;
    constexpr int air = 2;
    const QRect screen = tip->screen()->availableGeometry();
    const int right = list->geometry().right() + air, left = list->x() - air - tip->width();
    if (right + tip->width() <= screen.right())
        tip->move(right, tip->y());
    else if (left >= screen.left())
        tip->move(left, tip->y());
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
    moveBesideList(under);
}

}  // namespace attnscope
