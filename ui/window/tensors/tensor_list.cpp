#include "ui/window/tensors/tensor_list.h"

#include "ui/window/tensors/tensor_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace attnscope {

TensorList::TensorList(QWidget* parent)
    : QWidget(parent), m_model(new TensorTable(this)), m_filtered(new QSortFilterProxyModel(this)), m_table(new QTableView),
      m_useAsQueries(new QPushButton(tr("Use as queries"))), m_useAsKeys(new QPushButton(tr("Use as keys")))
{
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("Find a tensor by name, type or shape"));
    filter->setAccessibleName(tr("Find a tensor"));
    filter->setToolTip(tr("Shows the tensors that have these letters in their row"));
    connect(filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    buildTable();
    m_useAsQueries->setToolTip(tr("The chosen tensor holds the queries (or, as said at the right, logits or weights)"));
    m_useAsKeys->setToolTip(tr("The chosen tensor holds the keys of these queries"));
    connect(m_useAsQueries, &QPushButton::clicked, this, [this] { emit queriesChosen(current()->name); });
    connect(m_useAsKeys, &QPushButton::clicked, this, [this] { emit keysChosen(current()->name); });
    auto* below = new QHBoxLayout;
    below->addWidget(filter, 1);
    below->addWidget(m_useAsQueries);
    below->addWidget(m_useAsKeys);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_table, 1);
    column->addLayout(below);
    enable();
}

void TensorList::buildTable()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterKeyColumn(-1);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_filtered);
    m_table->setAccessibleName(tr("Tensors of the file"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTextElideMode(Qt::ElideMiddle);  // names differ at their ends
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(TensorTable::Name, QHeaderView::Stretch);
    m_table->setColumnWidth(TensorTable::Type, 46);
    m_table->setColumnWidth(TensorTable::Shape, 104);
    m_table->setColumnWidth(TensorTable::Role, 78);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &TensorList::enable);
    connect(m_table, &QTableView::activated, this, [this] {
        if (current())
            emit queriesChosen(current()->name);
    });
}

const TensorInfo* TensorList::current() const
{
    const QModelIndex row = m_filtered->mapToSource(m_table->currentIndex());
    return row.isValid() && canBeHeads(m_model->tensor(row.row())) ? &m_model->tensor(row.row()) : nullptr;
}

void TensorList::enable()
{
    m_useAsQueries->setEnabled(current() != nullptr);
    m_useAsKeys->setEnabled(current() != nullptr && m_hasKeys);
}

void TensorList::setFile(OfferedFilePtr file)
{
    m_model->setFile(std::move(file));
    enable();
}

void TensorList::setSelection(const TensorSelection& selection)
{
    m_hasKeys = selection.holds.empty();
    m_model->setSelection(selection);
    enable();
}

}  // namespace attnscope

#include "moc_tensor_list.cpp"
