#include "ui/widgets/value_table.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/building.h"
#include "ui/widgets/columns_in_place.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

constexpr int numberRole = Qt::UserRole;          // what is copied
constexpr int sizeRole = Qt::UserRole + 16;       // what is sorted by, where that is another number
constexpr int groupRole = Qt::UserRole + 17;      // of every cell of a row
constexpr int paddingLeft = 6, paddingRight = 7;  // as headings have them
constexpr int leastAir = 9;                       // around a number where there is little room
constexpr int usualAir = 15;                      // else
constexpr int usualName = 150;

/// Sorts by the number behind the text, where there is one; the text has the decimals of its column.
class ValueItem : public QTableWidgetItem {
public:
    /// One number, or the ends of a range, or a number and what is said with it after a sign.
    struct Shown {
        std::vector<double> numbers = {};
        int digits = 4;
        double error = 0;
        bool isChange = false;
        bool isProbability = false;  // it has the same style in every table, whatever else is in its column
        QString between = u" to "_s;
    };
    void show(Shown shown) { m_shown = std::move(shown); }

    QVariant data(int role) const override
    {
        if (role != Qt::DisplayRole || m_shown.numbers.empty())
            return QTableWidgetItem::data(role);
        if (std::ranges::any_of(m_shown.numbers, [](double one) { return !std::isfinite(one); }))
            return u"\u2013"_s;
        const auto* table = static_cast<const ValueTable*>(tableWidget());
        const std::optional<int> decimals = table ? table->decimalsOf(column()) : std::nullopt;
        QStringList texts;
        for (const double one : m_shown.numbers)
            texts << printed(m_shown.isProbability
                                 ? formatProbability(one)
                                 : inThousands(formatInTable(asNumber(one), decimals, m_shown.isChange)));
        return texts.join(m_shown.between);
    }

    /// Words that are set stand in place of the number, by which the row is sorted still.
    void setData(int role, const QVariant& value) override
    {
        if (role == Qt::DisplayRole || role == Qt::EditRole)
            m_shown.numbers.clear();
        QTableWidgetItem::setData(role, value);
    }

    bool operator<(const QTableWidgetItem& other) const override
    {
        if (const int mine = group(*this), others = group(other); mine != others)
            return (mine < others) == (tableWidget()->horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder);
        const auto number = [](const QTableWidgetItem& item) {
            const QVariant size = item.data(sizeRole);
            return size.isValid() ? size : item.data(numberRole);
        };
        const auto key = [](const QVariant& value) {
            return std::isnan(value.toDouble()) ? std::numeric_limits<double>::infinity() : value.toDouble();
        };
        const QVariant mine = number(*this), others = number(other);
        return mine.isValid() && others.isValid() ? key(mine) < key(others) : QTableWidgetItem::operator<(other);
    }

    /// For the decimals of its column.
    void addTo(std::vector<ColumnNumber>& column) const
    {
        if (!m_shown.isProbability)
            for (const double one : m_shown.numbers)
                column.push_back(asNumber(one));
    }

private:
    static int group(const QTableWidgetItem& item) { return item.data(groupRole).toInt(); }
    ColumnNumber asNumber(double value) const { return {value, m_shown.error, m_shown.digits}; }
    Shown m_shown;
};

/// Text on a ground, as the style sheet's items have it, without asking the style sheet for every cell: while a number
/// is dragged all of them change with every step.
class ValueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// All of its letters: a bound of a range that is cut by part of a pixel would lose its digits.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize usual = QStyledItemDelegate::sizeHint(option, index);
        if (!index.data(Qt::DecorationRole).isNull())
            return usual;
        const double letters = QFontMetricsF(option.font).horizontalAdvance(index.data().toString());
        return {static_cast<int>(std::ceil(letters)) + usualAir, usual.height()};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state & QStyle::State_Selected;
        if (const QVariant ground = index.data(Qt::BackgroundRole); selected || !ground.isNull())
            painter->fillRect(option.rect, selected ? option.palette.highlight() : ground.value<QBrush>());
        if (index.row() > 0 && index.data(groupRole) != index.siblingAtRow(index.row() - 1).data(groupRole))
            painter->fillRect(QRect(option.rect.topLeft(), QSize(option.rect.width(), 1)), currentTheme().control);
        if (!index.data(Qt::DecorationRole).isNull())  // on that ground, of which the style sheet knows nothing
            return QStyledItemDelegate::paint(painter, option, index);
        constexpr int before = leastAir - paddingRight, paddingUp = 2;
        const int alignment = index.data(Qt::TextAlignmentRole).toInt();
        const QRect room = option.rect.adjusted(alignment & Qt::AlignLeft ? paddingLeft : before, paddingUp,
                                                -paddingRight, -paddingUp);
        painter->setFont(option.font);
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        const auto* table = qobject_cast<const QAbstractScrollArea*>(option.widget);
        if (const int end = table ? table->viewport()->width() : room.right() + 1;
            alignment & Qt::AlignRight && room.right() >= end)
            return;  // the first digits alone are another number; the cut heading says that there is more
        painter->drawText(room, alignment | Qt::TextSingleLine,
                          QFontMetrics(option.font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    }
};

}  // namespace

ValueTable::ValueTable(const QString& name, const std::vector<Column>& columns, QWidget* parent) : QTableWidget(parent)
{
    setAccessibleName(name);
    setHorizontalHeader(new Headings(this));
    setColumnCount(static_cast<int>(columns.size()));
    m_offered.assign(columns.size(), true);
    m_decimals.resize(columns.size());
    std::ranges::transform(columns, std::back_inserter(m_like), &Column::like);
    for (int c = 0; c < columnCount(); ++c) {
        auto* heading = new QTableWidgetItem(columns[static_cast<size_t>(c)].title);
        heading->setToolTip(columns[static_cast<size_t>(c)].teaches);
        const bool words = c == 0 || columns[static_cast<size_t>(c)].words;
        heading->setTextAlignment((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        setHorizontalHeaderItem(c, heading);
    }
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setShowGrid(false);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this] { m_isSortChosen = true; });
    horizontalHeader()->setMinimumSectionSize(1);  // as narrow as fitColumns() says
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->hide();
    setItemDelegate(new ValueDelegate(this));
    connect(model(), &QAbstractItemModel::rowsRemoved, this, [this] {
        for (int column = 0; column < columnCount(); ++column)
            numbersChanged(column);
    });
    verticalHeader()->setDefaultSectionSize(28);
    setTabKeyNavigation(false);
    keepInPlace(*this, [] { return 1; });
    offerActions(this, {copying(
                           u"Copy the data"_s, [this] { return asText(); }, QKeySequence::Copy)});
}

QTableWidgetItem* ValueTable::cell(int row, int column)
{
    if (!item(row, column)) {
        auto* made = new ValueItem;
        made->setFlags(made->flags() & ~Qt::ItemIsEditable);  // keys that are typed are the window's
        made->setTextAlignment(Qt::Alignment::fromInt(horizontalHeaderItem(column)->textAlignment()));
        setItem(row, column, made);
        if (column > 0 && item(row, 0))
            item(row, column)->setBackground(item(row, 0)->background());  // a row that is pointed at may gain values
    }
    return item(row, column);
}

std::optional<int> ValueTable::decimalsOf(int column) const
{
    if (const int like = m_like[static_cast<std::size_t>(column)]; like >= 0)
        return decimalsOf(like);
    Decimals& of = m_decimals[static_cast<std::size_t>(column)];
    if (std::exchange(of.known, true))
        return of.count;
    std::vector<ColumnNumber> numbers;
    for (int row = 0; row < rowCount(); ++row)
        if (const auto* one = static_cast<const ValueItem*>(item(row, column)))
            one->addTo(numbers);
    of.count = decimalsOfColumn(numbers);
    return of.count;
}

void ValueTable::numbersChanged(int column)
{
    m_decimals[static_cast<std::size_t>(column)].known = false;
    viewport()->update();  // others of the column may have another text now
}

void ValueTable::setNumber(int row, int column, double value, int digits)
{
    auto* shown = static_cast<ValueItem*>(cell(row, column));
    shown->show({.numbers = {value}, .digits = digits});
    numbersChanged(column);
    shown->setData(numberRole, value);
    shown->setData(sizeRole, {});
}

void ValueTable::setMeasured(int row, int column, double value, double error)
{
    setNumber(row, column, value);
    static_cast<ValueItem*>(cell(row, column))->show({.numbers = {value}, .error = std::isfinite(error) ? error : 0});
}

void ValueTable::setChange(int row, int column, double value, double error)
{
    setNumber(row, column, value);
    auto* shown = static_cast<ValueItem*>(cell(row, column));
    shown->show({.numbers = {value}, .error = std::isfinite(error) ? error : 0, .isChange = true});
    shown->setData(sizeRole, std::abs(value));
}

void ValueTable::setWithError(int row, int column, double value, double error)
{
    setMeasured(row, column, value, error);
    if (std::isfinite(error) && error > 0)
        static_cast<ValueItem*>(cell(row, column))
            ->show({.numbers = {value, error}, .error = error, .between = u" \u00B1 "_s});
}

void ValueTable::setProbability(int row, int column, double p)
{
    setNumber(row, column, p);
    static_cast<ValueItem*>(cell(row, column))->show({.numbers = {p}, .isProbability = true});
}

void ValueTable::setRange(int row, int column, double low, double high)
{
    setWords(row, column, {});
    static_cast<ValueItem*>(cell(row, column))->show({.numbers = {low, high}, .error = (high - low) / 2});
}

void ValueTable::setBound(int row, int column, double least)
{
    setWords(row, column, u"> "_s + printed(inThousands(formatNumber(least))));
    cell(row, column)->setData(sizeRole, least);
}

void ValueTable::setWords(int row, int column, const QString& words, const QIcon& icon)
{
    auto* shown = static_cast<ValueItem*>(cell(row, column));
    shown->show({});
    numbersChanged(column);
    shown->setData(numberRole, {});
    shown->setData(sizeRole, {});
    shown->setText(words);
    shown->setData(Qt::DecorationRole, icon.isNull() ? QVariant() : icon);  // none: drawn, and measured, as a number is
}

void ValueTable::tintRow(int row, bool tinted)
{
    for (int column = 0; column < columnCount(); ++column)
        if (QTableWidgetItem* shown = item(row, column))
            shown->setBackground(tinted ? palette().brush(QPalette::AlternateBase) : QBrush());
}

void ValueTable::setGroup(int row, int group)
{
    for (int column = 0; column < columnCount(); ++column)
        cell(row, column)->setData(groupRole, group);
}

void ValueTable::sortAgain(int column, Qt::SortOrder order)
{
    m_usualSort = column;
    m_usualOrder = order;
    const QHeaderView& header = *horizontalHeader();
    const int by = header.sortIndicatorSection();
    const bool chosen = m_isSortChosen && by >= 0 && by < columnCount() && !isColumnHidden(by);
    setSortingEnabled(true);
    if (!chosen)
        sortItems(column, order);
}

void ValueTable::forgetSort()
{
    m_isSortChosen = false;
    if (m_usualSort >= 0)
        sortItems(m_usualSort, m_usualOrder);
    else
        horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    emit sortForgotten();
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
    setHorizontalScrollBarPolicy(stay > 0 ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

int ValueTable::widthOfThoseThatStay() const
{
    std::vector<int> widths = widthsWanted(true);
    widths[0] = std::min(widths[0], withText(usualName));
    int all = 0, stay = m_stay;
    for (const int width : widths)
        if (width > 0 && stay-- > 0)
            all += width;
    return all == 0 ? 0 : all + verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
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
    constexpr int usual = 18,
                  leastOfHeading =
                      14;  // padding and margins; the sort arrow stands above it where there is no room beside
    QFont bold = font();
    bold.setPixelSize(withText(11));
    bold.setWeight(QFont::DemiBold);
    std::vector<int> widths;
    for (int column = 0; column < columnCount(); ++column) {
        const int heading = QFontMetrics(bold).horizontalAdvance(horizontalHeaderItem(column)->text()),
                  less = dense && (horizontalHeaderItem(column)->textAlignment() & Qt::AlignRight) ? usualAir - leastAir
                                                                                                   : 0;
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
    }
    for (int column = 0; column < columnCount(); ++column)
        setColumnHidden(column, widths[static_cast<std::size_t>(column)] == 0);
    if (all > room) {  // a long name leaves its numbers in sight, all of them where nothing scrolls
        constexpr int leastName = 96, inSight = 2;
        int numbers = 0, counted = 0;
        for (int column = 1; column < columnCount() && (m_stay > 0 || counted < inSight); ++column)
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
            cells << (number.isValid() ? text(formatNumber(number.toDouble()))
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
