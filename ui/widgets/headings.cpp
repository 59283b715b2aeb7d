#include "ui/widgets/headings.h"

#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/theme.h"

#include <QIcon>
#include <QPainter>
#include <QStyleOptionHeader>

#include <cmath>

namespace attnscope {

namespace {

constexpr int rightPadding = 7;  // which the style leaves beside words: room of the arrow that it is not to draw

bool isPower(const QString& words) { return words.contains(QLatin1Char('^')); }

}  // namespace

Headings::Headings(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

/// As the style sheet has them.
QFont Headings::letters() const
{
    QFont letters = font();
    letters.setPixelSize(withText(11));
    letters.setWeight(QFont::DemiBold);
    return letters;
}

void Headings::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    option->sortIndicator = QStyleOptionHeader::None;  // which the style would put in the middle of the column
    if (isPower(option->text))
        option->text.clear();
}

/// Where the heading's own words stand.
QRect Headings::words(const QRect& room, int section) const
{
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    option.rect = room;
    initStyleOptionForIndex(&option, section);
    const QString words = model()->headerData(section, orientation()).toString();
    QRect place = style()->subElementRect(QStyle::SE_HeaderLabel, &option, this);
    const bool power = isPower(words);
    const int wide = static_cast<int>(std::ceil(power ? Typeset(u"$%1$"_s.arg(words), letters()).width()
                                                      : QFontMetricsF(letters()).horizontalAdvance(words)));
    place.setRight(std::min(place.right(), room.right() - rightPadding));
    return option.textAlignment & Qt::AlignRight ? place.adjusted(std::max(0, place.width() - wide), 0, 0, 0)
                                                 : place.adjusted(0, 0, std::min(0, wide - place.width()), 0);
}

QRect Headings::arrow(const QRect& room, int section) const
{
    if (!isSortIndicatorShown() || sortIndicatorSection() != section)
        return {};
    constexpr QSize size(8, 6);
    constexpr int air = 3;
    const QRect place = words(room, section);
    const bool fromRight = model()->headerData(section, orientation(), Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
    QRect arrow(QPoint(), size);
    arrow.moveCenter(place.center());
    if (fromRight)
        arrow.moveRight(place.left() - air);
    else
        arrow.moveLeft(place.right() + air);
    if (arrow.left() > room.left() && arrow.right() < room.right())
        return arrow;
    arrow.moveCenter(place.center());  // no room beside: above
    arrow.moveTop(room.top() + 1);
    return arrow;
}

void Headings::paintSection(QPainter* painter, const QRect& room, int section) const
{
    painter->save();
    QHeaderView::paintSection(painter, room, section);
    painter->restore();
    if (const QRect place = arrow(room, section); !place.isEmpty()) {
        const QString name = sortIndicatorOrder() == Qt::AscendingOrder ? u"up"_s : u"down"_s,
                      theme = currentTheme().dark ? u"dark"_s : u"light"_s;
        QIcon(u":/icons/sorted_%1_%2.svg"_s.arg(name, theme)).paint(painter, place);
    }
    const QString words = model()->headerData(section, orientation()).toString();
    if (!isPower(words))
        return;
    painter->setPen(currentTheme().muted);
    Typeset(u"$%1$"_s.arg(words), letters())
        .draw(*painter, {room.right() + 1.0 - rightPadding, QRectF(room).center().y()},
              Qt::AlignRight | Qt::AlignVCenter);
}

}  // namespace attnscope
