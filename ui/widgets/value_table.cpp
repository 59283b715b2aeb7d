#include "ui/widgets/value_table.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/building.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

constexpr int numberRole = Qt::UserRole;          // what is copied
constexpr int sizeRole = Qt::UserRole + 16;       // what is sorted by, where that is another number
constexpr int paddingLeft = 6, paddingRight = 7;  // as headings have them
constexpr int leastAir = 9;                       // around a number where there is little room
constexpr int usualName = 150;

/// Sorts by the number behind the text, where there is one.
class ValueItem : public QTableWidgetItem {
public:
    bool operator<(const QTableWidgetItem& other) const override
    {
        const auto key = [](const QTableWidgetItem& item) {
            const QVariant size = item.data(sizeRole);
            const double value = (size.isValid() ? size : item.data(numberRole)).toDouble();
            return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
        };
        const bool numbers = data(numberRole).isValid() && other.data(numberRole).isValid();
        return numbers ? key(*this) < key(other) : QTableWidgetItem::operator<(other);
    }
};

/// Text on a ground, as the style sheet's items have it, without asking the style sheet for every cell: while a number
/// is dragged all of them change with every step.
class ValueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (!index.data(Qt::DecorationRole).isNull())
            return QStyledItemDelegate::paint(painter, option, index);
        const bool selected = option.state & QStyle::State_Selected;
        if (const QVariant ground = index.data(Qt::BackgroundRole); selected || !ground.isNull())
            painter->fillRect(option.rect, selected ? option.palette.highlight() : ground.value<QBrush>());
        constexpr int before = leastAir - paddingRight, paddingUp = 2;
        const QRect room =
            option.rect.adjusted(index.column() == 0 ? paddingLeft : before, paddingUp, -paddingRight, -paddingUp);
        painter->setFont(option.font);
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(room, index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine,
                          QFontMetrics(option.font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }
};

}  // namespace

ValueTable::ValueTable(const QString& name, const std::vector<Column>& columns, QWidget* parent) : QTableWidget(parent)
{
    setAccessibleName(name);
    setColumnCount(static_cast<int>(columns.size()));
    m_offered.assign(columns.size(), true);
    for (int c = 0; c < columnCount(); ++c) {
        auto* heading = new QTableWidgetItem(columns[static_cast<size_t>(c)].title);
        heading->setToolTip(columns[static_cast<size_t>(c)].teaches);
        heading->setTextAlignment(c == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        setHorizontalHeaderItem(c, heading);
    }
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setShowGrid(false);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setMinimumSectionSize(40);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->hide();
    setItemDelegate(new ValueDelegate(this));
    verticalHeader()->setDefaultSectionSize(28);
    setTabKeyNavigation(false);
    offerActions(this, {copying(u"Copy the data"_s, [this] { return asText(); })});
}

QTableWidgetItem* ValueTable::cell(int row, int column)
{
    if (!item(row, column)) {
        auto* made = new ValueItem;
        made->setFlags(made->flags() & ~Qt::ItemIsEditable);  // keys that are typed are the window's
        setItem(row, column, made);
        if (column > 0 && item(row, 0))
            item(row, column)->setBackground(item(row, 0)->background());  // a row that is pointed at may gain values
    }
    return item(row, column);
}

void ValueTable::setNumber(int row, int column, double value, int digits)
{
    QTableWidgetItem* shown = cell(row, column);
    shown->setData(numberRole, value);
    shown->setData(sizeRole, {});
    shown->setText(std::isfinite(value) ? printed(formatNumber(value, digits)) : u"\u2013"_s);
    shown->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);  // as its heading
}

void ValueTable::setMeasured(int row, int column, double value, double error)
{
    setNumber(row, column, value, 0);
    if (std::isfinite(value))
        cell(row, column)->setText(printed(formatMeasured(value, error)));
}

void ValueTable::setChange(int row, int column, double value, double error)
{
    setMeasured(row, column, value, error);
    QTableWidgetItem* shown = cell(row, column);
    shown->setData(sizeRole, std::abs(value));
    if (value > 0)
        shown->setText(QLatin1Char('+') + shown->text());
}

void ValueTable::setWords(int row, int column, const QString& words, const QIcon& icon)
{
    QTableWidgetItem* shown = cell(row, column);
    shown->setData(numberRole, {});
    shown->setText(words);
    shown->setIcon(icon);
    shown->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

void ValueTable::tintRow(int row, bool tinted)
{
    for (int column = 0; column < columnCount(); ++column)
        if (QTableWidgetItem* shown = item(row, column))
            shown->setBackground(tinted ? palette().brush(QPalette::AlternateBase) : QBrush());
}

bool ValueTable::cutsNumbers() const
{
    const QFontMetrics letters(font());
    for (int column = 1; column < columnCount(); ++column)
        for (int row = 0; row < rowCount() && !isColumnHidden(column); ++row)
            if (item(row, column) &&
                letters.horizontalAdvance(item(row, column)->text()) + leastAir > columnWidth(column))
                return true;
    return false;
}

void ValueTable::letColumnsLeave(int stay)
{
    m_stay = stay;
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ValueTable::offerColumn(int column, bool offered)
{
    if (m_offered[static_cast<std::size_t>(column)] == offered)
        return;  // it may have left
    m_offered[static_cast<std::size_t>(column)] = offered;
    setColumnHidden(column, !offered);
}

bool ValueTable::hasLeft(int column) const
{
    return m_offered[static_cast<std::size_t>(column)] && isColumnHidden(column);
}

QStringList ValueTable::columnsThatLeft() const
{
    QStringList titles;
    for (int column = 0; column < columnCount(); ++column)
        if (hasLeft(column))
            titles << horizontalHeaderItem(column)->text();
    return titles;
}

std::vector<int> ValueTable::widthsWanted(bool dense) const
{
    constexpr int usual = 18, usualOfCells = 15,
                  leastOfHeading = 14;  // padding and margins; the sort indicator stands above the heading
    QFont bold = font();
    bold.setPixelSize(withText(11));
    bold.setWeight(QFont::DemiBold);
    std::vector<int> widths;
    for (int column = 0; column < columnCount(); ++column) {
        const int heading = QFontMetrics(bold).horizontalAdvance(horizontalHeaderItem(column)->text()),
                  less = dense && column > 0 ? usualOfCells - leastAir : 0;
        widths.push_back(!m_offered[static_cast<std::size_t>(column)]
                             ? 0
                             : std::max(sizeHintForColumn(column) - less, heading + (dense ? leastOfHeading : usual)));
    }
    return widths;
}

void ValueTable::fitColumns()
{
    const int room = viewport()->width();
    std::vector<int> widths = widthsWanted(false);
    int all = std::accumulate(widths.begin(), widths.end(), 0), shown = int(std::ranges::count(m_offered, true));
    const QStringList before = columnsThatLeft();
    if (m_stay > 0) {
        if (all > room)
            widths = widthsWanted(true);
        all = std::accumulate(widths.begin(), widths.end(), 0);
        for (auto last = widths.rbegin(); last != widths.rend() && all > room && shown > m_stay; ++last)
            if (*last > 0) {
                all -= std::exchange(*last, 0);
                --shown;
            }
        // a number leaves before a name of usual length does not fit
        if (const int least = std::min(widths[0], withText(usualName)); all - widths[0] + least > room && shown > 2)
            if (const auto last = std::find_if(widths.rbegin(), widths.rend(), [](int width) { return width > 0; });
                last != widths.rend()) {
                all -= std::exchange(*last, 0);
                --shown;
            }
        for (int column = 0; column < columnCount(); ++column)
            setColumnHidden(column, widths[static_cast<std::size_t>(column)] == 0);
    }
    if (all > room) {  // a long name leaves its numbers in sight
        constexpr int leastName = 96, inSight = 2;
        int numbers = 0, counted = 0;
        for (int column = 1; column < columnCount() && counted < inSight; ++column)
            if (!isColumnHidden(column)) {
                numbers += widths[static_cast<size_t>(column)];
                ++counted;
            }
        const int name = std::clamp(room - numbers, std::min(leastName, widths[0]), widths[0]);
        if (name < widths[0])
            for (int row = 0; row < rowCount(); ++row)
                if (QTableWidgetItem* named = item(row, 0); named && named->toolTip().isEmpty())
                    named->setToolTip(Qt::convertFromPlainText(named->text(), Qt::WhiteSpaceNormal));
        all += name - widths[0];
        widths[0] = name;
    }
    const int rest = std::max(0, room - all), share = rest / std::max(1, shown);
    for (int column = 0; column < columnCount(); ++column)
        if (!isColumnHidden(column))
            setColumnWidth(column,
                           widths[static_cast<size_t>(column)] + share + (column == 0 ? rest - share * shown : 0));
    if (const QStringList now = columnsThatLeft(); now != before)
        emit columnsLeft(now);
}

void ValueTable::resizeEvent(QResizeEvent* event)
{
    QTableWidget::resizeEvent(event);
    fitColumns();
}

/// Over a number, where columns have left: what they say.
bool ValueTable::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const QModelIndex at = indexAt(help->pos()); at.column() > 0) {
            QStringList said;
            for (int column = 0; column < columnCount(); ++column)
                if (hasLeft(column) && item(at.row(), column))
                    said << u"%1: %2"_s.arg(horizontalHeaderItem(column)->text(), item(at.row(), column)->text());
            if (!said.isEmpty()) {
                QToolTip::showText(help->globalPos(), said.join(u'\n'), viewport(), visualRect(at));
                return true;
            }
        }
    }
    return QTableWidget::viewportEvent(event);
}

void ValueTable::leaveEvent(QEvent* event)
{
    emit pointerLeft();
    QTableWidget::leaveEvent(event);
}

QString ValueTable::asText() const
{
    QStringList lines, cells;
    for (int c = 0; c < columnCount(); ++c)
        if (m_offered[static_cast<std::size_t>(c)])
            cells << horizontalHeaderItem(c)->text();
    lines << cells.join(QLatin1Char('\t'));
    for (int r = 0; r < rowCount(); ++r) {
        cells.clear();
        for (int c = 0; c < columnCount(); ++c) {
            if (!m_offered[static_cast<std::size_t>(c)])
                continue;
            const QVariant number = item(r, c) ? item(r, c)->data(numberRole) : QVariant();
            cells << (number.isValid() ? QString::fromStdString(formatNumber(number.toDouble()))
                      : item(r, c)     ? item(r, c)->text()
                                       : QString());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void ValueTable::copy() const { QGuiApplication::clipboard()->setText(asText()); }

void ValueTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableWidget::keyPressEvent(event);
}

}  // namespace attnscope

#include "moc_value_table.cpp"
