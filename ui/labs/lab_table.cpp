#include "ui/labs/lab_table.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "core/labs/lab_record.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/run_store.h"
#include "ui/widgets/copy_data.h"

#include <QComboBox>
#include <QHeaderView>
#include <QRegularExpression>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

bool endsWith(const std::string& column, const char* end)
{
    return column.ends_with(end) || column == std::string(end + 1);
}
bool isError(const std::string& column) { return endsWith(column, "_stderr"); }
bool isProbability(const std::string& column) { return column == "p" || column == "q" || column.starts_with("p_"); }

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

ColumnNumber asNumber(const LabRow& row, const std::string& column)
{
    if (isError(column))
        return {row.number(column), 0, 2};
    return {row.number(column), errorOf(row, column)};
}

}  // namespace

void LabRowModel::setRows(std::vector<LabRow> rows)
{
    const auto old = m_rows.size();
    const bool grows = old > 0 && rows.size() >= old && rows.front().table == m_rows.front().table &&
                       rows.front().cells.size() == m_rows.front().cells.size();
    if (!grows) {
        beginResetModel();
        m_rows = std::move(rows);
        findKinds();
        endResetModel();
        return;
    }
    if (rows.size() > old)
        beginInsertRows({}, static_cast<int>(old), static_cast<int>(rows.size()) - 1);
    const bool more = rows.size() > old;
    m_rows = std::move(rows);
    findKinds();
    if (more)
        endInsertRows();
    emit dataChanged(index(0, 0), index(static_cast<int>(old) - 1, columnCount() - 1));
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
    std::vector<ColumnNumber> numbers;
    for (size_t column = 0; column < m_hasWords.size(); ++column) {
        const std::string& name = m_rows.front().cells[column].first;
        const std::string measured = measuredOf(m_rows.front(), name);
        numbers.clear();
        for (const LabRow& row : m_rows) {
            if (std::holds_alternative<std::string>(row.cells[column].second))
                m_hasWords[column] = true;
            numbers.push_back(asNumber(row, measured));
        }
        m_decimals[column] = decimalsOfColumn(numbers);
    }
}

QString LabRowModel::shown(const QModelIndex& index) const
{
    const LabRow& row = m_rows[static_cast<size_t>(index.row())];
    const auto& [column, value] = row.cells[static_cast<size_t>(index.column())];
    if (const auto* word = std::get_if<std::string>(&value))
        return cellLabel(column, QString::fromStdString(*word));
    if (const auto* truth = std::get_if<bool>(&value))
        return *truth ? u"yes"_s : u"no"_s;
    const double number = row.number(column);
    if (std::isnan(number))
        return u"\u2013"_s;
    const std::optional<int> decimals = m_decimals[static_cast<size_t>(index.column())];
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole && decimals == 0)
        return printed(std::to_string(*whole));
    return printed(isProbability(column) ? formatProbability(number) : formatInColumn(asNumber(row, column), decimals));
}

QVariant LabRowModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::DisplayRole)
        return shown(index);
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
    if (role != Qt::DisplayRole)
        return {};
    const std::string& column = m_rows.front().cells[static_cast<size_t>(section)].first;
    if (column == "n_over_train")
        return u"n / N"_s;
    if (column.size() <= 3)  // n, p, nll
        return QString::fromStdString(column);
    return inTwoLines(column == "stderr" ? u"\u00B1"_s : asTitle(QString::fromStdString(column)));
}

LabTable::LabTable(QWidget* parent)
    : QWidget(parent), m_which(new ElidedList), m_view(new QTableView), m_model(new LabRowModel(this))
{
    inColumn(this,
             {{described(m_which, u"Table"_s, u"Which of the run's tables to show"_s), 0, Qt::AlignLeft}, {m_view, 1}},
             usualSpacing, {4, 4, 6, 4});
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Results of the run"_s);
    m_view->setMinimumHeight(96);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(24);
    m_view->setShowGrid(false);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    offerActions(m_view, {copying(u"Copy the data"_s, [this] { return labData(m_model->rows()); })});
    connect(m_which, &QComboBox::activated, this, [this] {
        m_chosen = m_which->currentData().toString();
        showTable();
    });
}

void LabTable::show(const std::vector<LabRow>& rows, const std::string& main)
{
    m_rows = rows;
    ListItems tables;
    for (const std::string& table : tablesOf(rows))
        tables.emplace_back(asTitle(QString::fromStdString(table)), QString::fromStdString(table));
    refill(*m_which, tables);
    const int kept = m_chosen.isEmpty() ? -1 : m_which->findData(m_chosen),
              wanted = m_which->findData(QString::fromStdString(main));
    m_which->setCurrentIndex(kept >= 0 ? kept : wanted >= 0 ? wanted : m_which->count() - 1);
    setVisible(!tables.empty());
    showTable();
}

void LabTable::showTable()
{
    const std::string table = m_which->currentData().toString().toStdString();
    std::vector<LabRow> rows;
    std::ranges::copy_if(m_rows, std::back_inserter(rows), [&](const LabRow& row) { return row.table == table; });
    m_model->setRows(std::move(rows));
    fitColumns();  // numbers get longer as a run goes on
}

/// Closer together where not all of them have room, with nothing cut.
void LabTable::fitColumns()
{
    m_view->resizeColumnsToContents();
    QHeaderView& header = *m_view->horizontalHeader();
    if (header.length() <= m_view->viewport()->width())
        return;
    constexpr int aroundHeading = 3;  // pixels beside it that it does not need
    const QAbstractItemView& cells = *m_view;
    for (int column = 0; column < m_model->columnCount(); ++column)
        header.resizeSection(column,
                             std::max(cells.sizeHintForColumn(column), header.sectionSizeHint(column) - aroundHeading));
}

void LabTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

}  // namespace attnscope

#include "moc_lab_table.cpp"
