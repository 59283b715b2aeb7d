#include "ui/window/labs/lab_table.h"

#include "core/labs/lab_record.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/labs/run_store.h"
#include "ui/window/views/copy_data.h"

#include <QComboBox>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace attnscope {

namespace {

QVariant shown(const std::string& column, const LabValue& value)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return cellLabel(column, QString::fromStdString(*word));
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return QString::number(*whole);
    if (const auto* number = std::get_if<double>(&value))
        return QString::number(*number, 'g', 5);
    if (const auto* truth = std::get_if<bool>(&value))
        return *truth ? QObject::tr("yes") : QObject::tr("no");
    return QStringLiteral("\u2013");
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
        endResetModel();
        return;
    }
    if (rows.size() > old)
        beginInsertRows({}, static_cast<int>(old), static_cast<int>(rows.size()) - 1);
    const bool more = rows.size() > old;
    m_rows = std::move(rows);
    if (more)
        endInsertRows();
    emit dataChanged(index(0, 0), index(static_cast<int>(old) - 1, columnCount() - 1));
}

QVariant LabRowModel::data(const QModelIndex& index, int role) const
{
    const auto& [column, value] = m_rows[static_cast<size_t>(index.row())].cells[static_cast<size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return shown(column, value);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter) | int(std::holds_alternative<std::string>(value) ? Qt::AlignLeft : Qt::AlignRight);
    return {};
}

QVariant LabRowModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || m_rows.empty())
        return {};
    const std::string& column = m_rows.front().cells[static_cast<size_t>(section)].first;
    if (column == "n_over_train")
        return QStringLiteral("n / N");
    return column == "stderr" ? tr("standard error")
                              : QString::fromStdString(column).replace(QLatin1Char('_'), QLatin1Char(' '));
}

LabTable::LabTable(QWidget* parent)
    : QWidget(parent), m_which(new ElidedList), m_view(new QTableView), m_model(new LabRowModel(this))
{
    inColumn(this,
             {{described(m_which, tr("Table"), tr("Which of the run's tables to show")), 0, Qt::AlignLeft}, m_view});
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Results of the run"));
    m_view->setMinimumHeight(240);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(24);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    offerActions(m_view, {copying(tr("Copy the data"), [this] { return labData(m_model->rows()); })});
    connect(m_which, &QComboBox::activated, this, [this] {
        m_chosen = m_which->currentText();
        showTable();
    });
}

void LabTable::show(const std::vector<LabRow>& rows, const std::string& main)
{
    m_rows = rows;
    QStringList tables;
    for (const std::string& table : tablesOf(rows))
        tables << QString::fromStdString(table);
    refill(*m_which, tables);
    const qsizetype kept = m_chosen.isEmpty() ? -1 : tables.indexOf(m_chosen),
                    wanted = tables.indexOf(QString::fromStdString(main));
    m_which->setCurrentIndex(static_cast<int>(kept >= 0 ? kept : wanted >= 0 ? wanted : tables.size() - 1));
    setVisible(!tables.isEmpty());
    showTable();
}

void LabTable::showTable()
{
    const std::string table = m_which->currentText().toStdString();
    std::vector<LabRow> rows;
    std::ranges::copy_if(m_rows, std::back_inserter(rows), [&](const LabRow& row) { return row.table == table; });
    m_model->setRows(std::move(rows));
    m_view->resizeColumnsToContents();  // numbers get longer as a run goes on
}

}  // namespace attnscope

#include "moc_lab_table.cpp"
