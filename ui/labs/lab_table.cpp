#include "ui/labs/lab_table.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "core/labs/lab_columns.h"
#include "core/labs/lab_record.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/columns_in_place.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/run_store.h"
#include "ui/widgets/copy_data.h"

#include <QComboBox>
#include <QHeaderView>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTextDocument>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace attnscope {

namespace {

bool endsWith(const std::string& column, const char* end)
{
    return column.ends_with(end) || column == std::string(end + 1);
}
bool isError(const std::string& column) { return endsWith(column, "_stderr"); }
bool isProbability(const std::string& column)
{
    return column == "p" || column == "q" || column.starts_with("p_") || column.ends_with("_p");
}

/// What "stderr" alone is of: the first of these that there is.
std::string measuredAlone(const LabRow& row)
{
    for (const char* measured : {"nll", "length", "load_rate", "accuracy", "recall"})
        if (row.find(measured))
            return measured;
    return "stderr";
}

/// The standard error that a row has of one of its numbers; NaN where it has none.
double errorOf(const LabRow& row, const std::string& column)
{
    if (const double own = row.number(column + "_stderr"); !std::isnan(own))
        return own;
    return column == measuredAlone(row) ? row.number("stderr") : std::nan("");
}

/// The column whose decimals one has: a standard error those of what it is of, where the row has that.
std::string measuredOf(const LabRow& row, const std::string& column)
{
    if (!isError(column))
        return column;
    const std::string of =
        column == "stderr" ? measuredAlone(row) : column.substr(0, column.size() - std::string_view("_stderr").size());
    return row.find(of) ? of : column;
}

bool isNone(const LabValue& value)
{
    const auto* word = std::get_if<std::string>(&value);
    return std::holds_alternative<std::monostate>(value) || (word && word->empty());
}

/// "table1", "per_head": "Table 1", "Per head".
QString asTitle(QString id)
{
    static const QRegularExpression number(u"([a-z])(\\d)"_s);
    id.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(number, u"\\1 \\2"_s);
    return id.left(1).toUpper() + id.mid(1);
}

/// "Largest weight" above numbers of five letters: broken where both lines are shortest.
QString inTwoLines(QString heading)
{
    qsizetype best = -1;
    for (qsizetype at = 0; (at = heading.indexOf(QLatin1Char(' '), at)) >= 0; ++at)
        if (best < 0 || std::abs(2 * at - heading.size()) < std::abs(2 * best - heading.size()))
            best = at;
    constexpr qsizetype shortHeading = 8;
    if (best >= 0 && heading.size() > shortHeading)
        heading[best] = QLatin1Char('\n');
    return heading;
}

/// In the unit that is shown.
ColumnNumber asNumber(const LabRow& row, const std::string& column, double times)
{
    if (isError(column))
        return {times * row.number(column), 0, 2};
    return {times * row.number(column), times * errorOf(row, column)};
}

/// Which row it is, in a number that does not change; words never do.
bool namesRow(const std::string& column)
{
    constexpr std::string_view naming[] = {"seed",  "trained", "n",     "n_over_train", "bin",      "items",
                                           "step",  "epoch",   "d",     "set",          "rank",     "power",
                                           "layer", "head",    "where", "task",         "positions"};
    return std::ranges::find(naming, column) != std::end(naming);
}

/// The same cell, with another number at most.
bool isSameCell(const LabCells::value_type& a, const LabCells::value_type& b)
{
    const bool stays = namesRow(a.first) || std::holds_alternative<std::string>(a.second) ||
                       std::holds_alternative<std::string>(b.second);
    return a.first == b.first && (!stays || a.second == b.second);
}

/// Nothing in them has changed, and there may be more; or where numbers change, they are of the same rows.
bool beginsWith(const std::vector<LabRow>& rows, const std::vector<LabRow>& before, bool numbersChange)
{
    const auto isSame = [&](const LabRow& a, const LabRow& b) {
        return a.table == b.table &&
               (numbersChange ? std::ranges::equal(a.cells, b.cells, isSameCell) : a.cells == b.cells);
    };
    const std::size_t both = std::min(rows.size(), before.size());
    return both > 0 && (numbersChange || both == before.size()) &&
           std::ranges::equal(std::span(before).first(both), std::span(rows).first(both), isSame);
}

/// "8 windows", not "windows 8".
bool isCount(const std::string& column) { return column == "windows" || column == "problems" || column == "instances"; }

constexpr int tableRow = 24, aroundHeadings = 14;

/// A number that the right edge cuts is not there: its first digits alone are another one. The cut heading says that
/// there is more.
class WholeNumbers : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto* table = qobject_cast<const QAbstractScrollArea*>(option->widget);
        if (table && option->displayAlignment & Qt::AlignRight && option->rect.right() >= table->viewport()->width())
            option->text.clear();
    }
};

}  // namespace

bool LabRowModel::setRows(std::vector<LabRow> rows, const std::string& lab, bool goesOn)
{
    const auto old = m_rows.size();
    if (lab != m_lab || !beginsWith(rows, m_rows, goesOn)) {
        beginResetModel();
        m_lab = lab;
        m_rows = std::move(rows);
        findKinds();
        endResetModel();
        return false;
    }
    const auto now = rows.size();
    const bool more = now > old;
    if (more)
        beginInsertRows({}, static_cast<int>(old), static_cast<int>(now) - 1);
    if (now < old)
        beginRemoveRows({}, static_cast<int>(now), static_cast<int>(old) - 1);
    m_rows = std::move(rows);
    findKinds();
    if (more)
        endInsertRows();
    if (now < old)
        endRemoveRows();
    emit dataChanged(index(0, 0), index(static_cast<int>(std::min(now, old)) - 1, columnCount() - 1));  // decimals
    return more;
}

/// Words at the left, numbers at the right, a dash and the heading as what else stands in their column.
int LabRowModel::alignmentOf(int column) const
{
    return int(Qt::AlignVCenter) | int(m_hasWords[static_cast<size_t>(column)] ? Qt::AlignLeft : Qt::AlignRight);
}

void LabRowModel::findKinds()
{
    m_hasWords.assign(static_cast<size_t>(columnCount()), false);
    m_decimals.assign(m_hasWords.size(), {});
    m_times.assign(m_hasWords.size(), 1);
    std::vector<ColumnNumber> numbers;
    for (size_t column = 0; column < m_hasWords.size(); ++column) {
        const std::string& name = m_rows.front().cells[column].first;
        const std::string measured = measuredOf(m_rows.front(), name);
        m_times[column] = labColumn(m_lab, m_rows.front().table, name).times;
        const double times = labColumn(m_lab, m_rows.front().table, measured).times;
        numbers.clear();
        for (const LabRow& row : m_rows) {
            if (std::holds_alternative<std::string>(row.cells[column].second))
                m_hasWords[column] = true;
            numbers.push_back(asNumber(row, measured, times));
        }
        m_decimals[column] = decimalsOfColumn(numbers);
    }
    alignPercents();
}

/// What was measured in per cent has one number of decimals in all columns: of those whose errors say how many it can
/// have, or else the most. Printed values keep theirs.
void LabRowModel::alignPercents()
{
    constexpr int most = 2;
    std::optional<int> ofErrors, ofAll;
    std::vector<size_t> columns;
    for (size_t column = 0; column < m_decimals.size(); ++column) {
        const std::string measured = measuredOf(m_rows.front(), m_rows.front().cells[column].first);
        if (measured == "published" || !headingOf(measured).endsWith(u"(%)"_s))
            continue;
        columns.push_back(column);
        const bool hasError = std::ranges::any_of(
            m_rows, [&](const LabRow& row) { return errorOf(row, measured) > 0 && !std::isnan(row.number(measured)); });
        ofAll = std::max(ofAll, m_decimals[column]);
        if (hasError)
            ofErrors = std::max(ofErrors, m_decimals[column]);
    }
    for (const size_t column : columns)
        if (ofAll)
            m_decimals[column] = std::min(most, ofErrors.value_or(*ofAll));
}

QString LabRowModel::shown(const QModelIndex& index) const
{
    const LabRow& row = m_rows[static_cast<size_t>(index.row())];
    const auto& [column, value] = row.cells[static_cast<size_t>(index.column())];
    if (const auto* word = std::get_if<std::string>(&value))
        return cellLabel(column, text(*word));
    if (const auto* truth = std::get_if<bool>(&value))
        return *truth ? u"yes"_s : u"no"_s;
    if (column == "multiplier" && scalesByRow(row.word("method")))
        return u"by row"_s;
    const double number = row.number(column);
    if (std::isnan(number))
        return u"\u2013"_s;
    const std::optional<int> decimals = m_decimals[static_cast<size_t>(index.column())];
    const double times = m_times[static_cast<size_t>(index.column())];
    const auto* whole = decimals == 0 && times == 1 ? std::get_if<std::int64_t>(&value) : nullptr;
    if (whole && column == "seed")
        return printed(std::to_string(*whole));  // no count
    if (!whole && isProbability(column))
        return printed(formatProbability(number));
    const bool isChange = labColumn(m_lab, row.table, column).isDifference;
    return printed(inThousands(whole ? (isChange && *whole > 0 ? "+" : "") + std::to_string(*whole)
                                     : formatInTable(asNumber(row, column, times), decimals, isChange)));
}

int LabRowModel::namesOfRow() const
{
    constexpr std::string_view naming[] = {"trained", "task", "method", "positions", "policy", "where"};
    int last = 0;
    for (int column = 0; column < columnCount(); ++column)
        if (!isSpare(column) &&
            std::ranges::find(naming, m_rows.front().cells[static_cast<std::size_t>(column)].first) != std::end(naming))
            last = column;
    return last + 1;
}

QVariant LabRowModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::DisplayRole)
        return shown(index);
    if (role == Qt::ToolTipRole && isOfWords(index.column()))
        return Qt::convertFromPlainText(shown(index), Qt::WhiteSpaceNormal);
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column());
    return {};
}

QVariant LabRowModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || m_rows.empty())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    const std::string& column = m_rows.front().cells[static_cast<size_t>(section)].first;
    if (role == Qt::ToolTipRole)
        return Qt::convertFromPlainText(aboutColumn(column));
    return role == Qt::DisplayRole ? inTwoLines(headingOf(column)) : QVariant();
}

QString LabRowModel::headingOf(int column) const
{
    return headingOf(m_rows.front().cells[static_cast<std::size_t>(column)].first);
}

bool LabRowModel::isSpare(int column) const
{
    constexpr std::string_view ofRows[] = {"seed", "trained", "positions", "where",    "task",
                                           "bin",  "windows", "problems",  "instances"};
    const auto at = static_cast<std::size_t>(column);
    const LabRow& first = m_rows.front();
    const std::string& name = first.cells[at].first;
    if (name == "policy")
        return first.find("method");
    const LabValue* common = nullptr;  // Vanilla acts nowhere: its cell is empty
    return std::ranges::find(ofRows, name) != std::end(ofRows) && std::ranges::all_of(m_rows, [&](const LabRow& row) {
               const LabValue& own = row.cells[at].second;
               if (name == "where" && isNone(own))
                   return true;
               common = common ? common : &own;
               return own == *common;
           });
}

QString LabRowModel::headingOf(const std::string& column) const
{
    const LabColumn known = labColumn(m_lab, m_rows.front().table, column);
    if (!known.heading.empty())
        return text(known.heading);
    const QString name = text(column);
    const QString heading = column.size() <= 2 ? name : asTitle(name);  // n, p
    return known.times == 1 ? heading : heading + u" (%)"_s;
}

/// The heading, what a standard error is of, and what its files call it.
QString LabRowModel::aboutColumn(const std::string& column) const
{
    const std::string of = measuredOf(m_rows.front(), column);
    const QString what = of == column ? headingOf(column) : u"Standard error of: %1"_s.arg(headingOf(of));
    const bool share = labColumn(m_lab, m_rows.front().table, column).times != 1;
    return (share ? u"%1\nIn the run's files: %2, a share of 1"_s : u"%1\nIn the run's files: %2"_s)
        .arg(what, text(column));
}

LabTable::LabTable(QWidget* parent)
    : QWidget(parent), m_place(new QWidget), m_which(new ElidedList), m_view(new QTableView(m_place)),
      m_model(new LabRowModel(this))
{
    m_common = elidedCaption(u"What all rows have in common"_s);
    inColumn(this, {inRow({described(m_which, u"Table"_s, u"Which of the run's tables to show"_s), {m_common, 1}}, 12),
                    {m_place, 1}});
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Results of the run"_s);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(tableRow);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->setShowGrid(false);
    m_view->setItemDelegate(new WholeNumbers(m_view));
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (QObject* each : {static_cast<QObject*>(m_view), static_cast<QObject*>(m_view->viewport())})
        each->installEventFilter(this);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_placing && hasAllRows())
            emit scrolledTo(m_place->y() + value);
    });
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    keepInPlace(*m_view, [this] { return m_model->namesOfRow(); });
    offerActions(m_view, {copying(u"Copy the data"_s, [this] { return labData(m_model->rows()); })});
    connect(m_which, &QComboBox::activated, this, [this] {
        m_chosen = m_which->currentData().toString();
        showTable();
        emit chosen();
    });
}

bool LabTable::show(const Lab& lab, const std::vector<LabRow>& rows, bool goesOn)
{
    const bool isRead = goesOn && rowRead();
    const QString before = m_which->currentData().toString();
    m_rows = rows;
    m_lab = lab.id;
    ListItems tables;
    for (const std::string& table : tablesOf(rows))
        tables.emplace_back(asTitle(text(table)), text(table));
    refill(*m_which, tables);
    const int kept = m_chosen.isEmpty() ? -1 : m_which->findData(m_chosen),
              stays = isRead ? m_which->findData(before) : -1, wanted = m_which->findData(text(lab.main));
    m_which->setCurrentIndex(kept >= 0 ? kept : stays >= 0 ? stays : wanted >= 0 ? wanted : m_which->count() - 1);
    m_which->setVisible(m_which->count() > 1);
    setVisible(!tables.empty());
    return showTable(goesOn);
}

std::optional<int> LabTable::rowRead() const
{
    const int heading = m_view->horizontalHeader()->height(), seenFrom = std::max(m_sightTop, m_place->y() + heading),
              seenTo = std::min(m_sightTop + m_sightHeight, this->height());
    const auto isSeen = [&](int row) { return yOf(row) >= seenFrom && yOf(row) + tableRow <= seenTo; };
    for (const QModelIndex& chosen : m_view->selectionModel()->selectedRows())
        if (isSeen(chosen.row()))
            return chosen.row();
    const QScrollBar& own = *m_view->verticalScrollBar();
    const int left = own.maximum() - own.value();
    const bool wentUp = !hasAllRows() && left > 0, pageScrolled = m_sightTop > -y();
    if (isHidden() || (!wentUp && !pageScrolled))
        return {};
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (isSeen(row))
            return row;
    return {};
}

bool LabTable::hasChosenRow() const { return m_view->selectionModel()->hasSelection(); }

int LabTable::yOf(int row) const
{
    return m_view->viewport()->mapTo(this, QPoint(0, m_view->rowViewportPosition(row))).y();
}

void LabTable::scrollBy(int pixels)
{
    if (!hasAllRows())
        m_view->verticalScrollBar()->setValue(m_view->verticalScrollBar()->value() + pixels);
}

bool LabTable::showTable(bool goesOn)
{
    const std::string table = m_which->currentData().toString().toStdString();
    std::vector<LabRow> rows;
    std::ranges::copy_if(m_rows, std::back_inserter(rows), [&](const LabRow& row) { return row.table == table; });
    const QScrollBar& bar = *m_view->verticalScrollBar();
    const bool atEnd = bar.value() == bar.maximum();
    const bool more = m_model->setRows(std::move(rows), m_lab, goesOn);
    hideColumns();
    fitColumns();  // numbers get longer as a run goes on
    if (more && atEnd && !hasChosenRow() && !hasAllRows())
        m_view->scrollToBottom();
    return more;
}

void LabTable::hideColumns()
{
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_view->setColumnHidden(column, m_model->isSpare(column));
    m_common->setText(inCommon());
    m_common->setVisible(m_which->count() > 1 || !m_common->text().isEmpty());  // it has what room the list leaves
}

QString LabTable::inCommon() const
{
    QStringList words;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const auto at = static_cast<std::size_t>(column);
        const std::string& name = m_model->rows().front().cells[at].first;
        if (!m_view->isColumnHidden(column) || name == "policy")
            continue;
        const auto said =
            std::ranges::find_if(m_model->rows(), [&](const LabRow& row) { return !isNone(row.cells[at].second); });
        const auto row = said == m_model->rows().end() ? 0 : said - m_model->rows().begin();
        words << (isCount(name) ? u"%2 %1"_s : u"%1 %2"_s)
                     .arg(m_model->headingOf(column).toLower(),
                          m_model->data(m_model->index(static_cast<int>(row), column), Qt::DisplayRole).toString());
    }
    return words.isEmpty() ? QString() : u"All rows: %1"_s.arg(words.join(u", "_s));
}

/// What stands above the rows, where there is another table or something in common.
int LabTable::heightAbove() const
{
    const QLayoutItem& line = *layout()->itemAt(0);
    return line.isEmpty() ? 0 : line.sizeHint().height() + layout()->spacing();
}

int LabTable::heightOf(int rows, int ofHeading, bool scrollsAcross) const
{
    return heightAbove() + ofHeading + rows * tableRow +
           (scrollsAcross ? m_view->horizontalScrollBar()->sizeHint().height() : 0) + 2 * m_view->frameWidth();
}

/// Two lines of heading, and a bar below.
int LabTable::leastHeight() const
{
    constexpr int leastRows = 6;
    return heightOf(leastRows, 2 * m_view->horizontalHeader()->fontMetrics().lineSpacing() + aroundHeadings, true);
}

int LabTable::wholeHeight() const
{
    const QHeaderView& header = *m_view->horizontalHeader();
    return heightOf(m_model->rowCount(), header.sizeHint().height(), header.length() > m_place->width());
}

bool LabTable::hasAllRows() const { return height() >= wholeHeight(); }

void LabTable::showPart(int top, int height)
{
    m_sightTop = top;
    m_sightHeight = height;
    placeView();
}

bool LabTable::hasHeadingAt(int y) const
{
    const int from = m_place->y() + m_view->y();
    return !isHidden() && y >= from && y < from + m_view->horizontalHeader()->height();
}

/// No row is cut where it has its last one in sight.
int LabTable::wholeRowsIn(int room) const
{
    const QHeaderView& header = *m_view->horizontalHeader();
    const int others = heightOf(0, header.sizeHint().height(), header.length() > m_place->width()) - heightAbove(),
              rows = (room - others) / tableRow;
    return rows > 0 ? others + rows * tableRow : room;
}

/// With the bar beside them.
int LabTable::widthOfColumns() const { return m_view->horizontalHeader()->length() + aroundColumns(); }

int LabTable::aroundColumns() const
{
    return m_view->verticalScrollBar()->sizeHint().width() + 2 * m_view->frameWidth();
}

/// All of its place, or of the place of all rows the part that is in sight.
void LabTable::placeView()
{
    m_placing = true;
    QScrollBar& bar = *m_view->verticalScrollBar();
    const bool all = hasAllRows(), atEnd = bar.maximum() > 0 && bar.value() == bar.maximum();
    const int room = m_place->height(),
              height = all && m_sightHeight > 0 ? std::min(room, m_sightHeight)
                       : all                    ? room
                                                : wholeRowsIn(room),
              y = std::clamp(m_sightTop - m_place->y(), 0, room - height);
    m_view->setVerticalScrollBarPolicy(all ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    m_view->setGeometry(0, y, all ? m_place->width() : std::min(m_place->width(), widthOfColumns()), height);
    if (all)
        bar.setValue(y);
    else if (atEnd && !hasChosenRow())
        bar.setValue(bar.maximum());  // it follows its last row, with less room too
    m_placing = false;
}

/// The wheel is the page's where there is nothing to scroll here.
bool LabTable::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && hasAllRows() && static_cast<QWheelEvent*>(event)->angleDelta().y() != 0) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

/// Closer together where not all of them have room, with nothing cut.
void LabTable::fitColumns()
{
    m_view->resizeColumnsToContents();
    QHeaderView& header = *m_view->horizontalHeader();
    const int room = m_place->width() - (hasAllRows() ? 0 : aroundColumns());
    if (header.length() <= room)
        return placeView();
    constexpr int aroundHeading = 3;  // pixels beside it that it does not need
    const QAbstractItemView& cells = *m_view;
    for (int column = 0; column < m_model->columnCount(); ++column)
        header.resizeSection(column,
                             std::max(cells.sizeHintForColumn(column), header.sectionSizeHint(column) - aroundHeading));
    int excess = header.length() - room;
    int spare = 0;
    for (int column = 0; column < m_model->columnCount(); ++column)
        spare += spareOf(column);
    for (int column = 0; column < m_model->columnCount() && excess > 0 && spare >= excess; ++column) {
        const int given = std::clamp(excess, 0, spareOf(column));
        header.resizeSection(column, header.sectionSize(column) - given);
        excess -= given;
        spare -= given;
    }
    placeView();
}

/// What a column of words can give with the longest tenth of them elided alone, whose tips say them.
int LabTable::spareOf(int column) const
{
    if (m_view->isColumnHidden(column) || !m_model->isOfWords(column))
        return 0;
    std::vector<int> widths;
    for (int row = 0; row < m_model->rowCount(); ++row)
        widths.push_back(m_view->fontMetrics().horizontalAdvance(
            m_model->data(m_model->index(row, column), Qt::DisplayRole).toString()));
    if (widths.empty())
        return 0;
    std::ranges::sort(widths);
    const int heading = m_view->horizontalHeader()->sectionSizeHint(column);
    return std::clamp(widths.back() - widths[widths.size() - 1 - widths.size() / 10], 0,
                      std::max(0, m_view->columnWidth(column) - heading));
}

void LabTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    fitColumns();
}

}  // namespace attnscope

#include "moc_lab_table.cpp"
