#include "ui/explore/tensor_list.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/explore/tensor_table.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace attnscope {

TensorList::TensorList(QWidget* parent)
    : QWidget(parent), m_model(new TensorTable(this)), m_filtered(new QSortFilterProxyModel(this)),
      m_table(new QTableView),
      m_useAsQueries(pushButton(
          u"Use as queries"_s, u"The chosen tensor holds the queries (or, as said at the right, logits or weights)"_s)),
      m_useAsKeys(pushButton(u"Use as keys"_s, u"The chosen tensor holds the keys of these queries"_s))
{
    auto* filter =
        described(new QLineEdit, u"Find a tensor"_s, u"Shows the tensors that have these letters in their row"_s);
    filter->setPlaceholderText(u"Find a tensor by name, type or shape"_s);
    connect(filter, &QLineEdit::textChanged, m_filtered, &QSortFilterProxyModel::setFilterFixedString);
    buildTable();
    connect(m_useAsQueries, &QPushButton::clicked, this, [this] { emit queriesChosen(current()->name); });
    connect(m_useAsKeys, &QPushButton::clicked, this, [this] { emit keysChosen(current()->name); });
    inColumn(this, {{m_table, 1}, inRow({{filter, 1}, m_useAsQueries, m_useAsKeys})}, 6);
    enable();
}

void TensorList::buildTable()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterKeyColumn(-1);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_filtered);
    m_table->setAccessibleName(u"Tensors of the file"_s);
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
    for (const int column : {TensorTable::Type, TensorTable::Shape, TensorTable::Role})  // the rest is the name's
        m_table->resizeColumnToContents(column);
    enable();
}

void TensorList::setSelection(const TensorSelection& selection)
{
    m_hasKeys = selection.holds.empty();
    m_model->setSelection(selection);
    m_table->resizeColumnToContents(TensorTable::Role);
    enable();
}

}  // namespace attnscope

#include "moc_tensor_list.cpp"
