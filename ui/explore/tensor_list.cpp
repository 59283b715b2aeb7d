#include "ui/explore/tensor_list.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"

#include <QAbstractTableModel>
#include <QFont>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTextDocument>

namespace attnscope {

/// The tensors of a file as a table: name, dtype, shape, and what the document looks at them as. A file may have a
/// hundred thousand of them, so nothing is made for a row that is not shown.
class TensorTable : public QAbstractTableModel {
public:
    enum Column { Name, Type, Shape, Role, columns };
    using QAbstractTableModel::QAbstractTableModel;

    void setFile(OfferedFilePtr file);
    /// Which of them are looked at; marked in the column Role.
    void setSelection(const TensorSelection& selection);
    const TensorInfo& tensor(int row) const { return m_file->file.tensors()[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textAt(const TensorInfo& tensor, int column) const;
    QString roleOf(const TensorInfo& tensor) const;

    OfferedFilePtr m_file;
    TensorSelection m_selection;
};

void TensorTable::setFile(OfferedFilePtr file)
{
    if (file == m_file)
        return;
    beginResetModel();
    m_file = std::move(file);
    endResetModel();
}

void TensorTable::setSelection(const TensorSelection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    if (rowCount() > 0)
        emit dataChanged(index(0, Name), index(rowCount() - 1, Role));
}

int TensorTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_file ? 0 : static_cast<int>(m_file->file.tensors().size());
}

QString TensorTable::roleOf(const TensorInfo& tensor) const
{
    if (tensor.name == m_selection.query)
        return m_selection.holds.empty() ? u"queries"_s : QString::fromStdString(m_selection.holds);
    return tensor.name == m_selection.key ? u"keys"_s : QString();
}

QString TensorTable::textAt(const TensorInfo& tensor, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(tensor.name);
    case Type:
        return QString::fromStdString(tensor.dtypeText());
    case Shape:
        return QString::fromStdString(describeShape(tensor.shape));
    default:
        return roleOf(tensor);
    }
}

QVariant TensorTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_file)
        return {};
    const TensorInfo& shown = tensor(index.row());
    if (role == Qt::DisplayRole)
        return textAt(shown, index.column());
    if (role == Qt::ToolTipRole && shown.unreadable)
        return QString::fromStdString(shown.unreadable->message);
    if (role == Qt::ToolTipRole)
        return Qt::convertFromPlainText(
            canBeHeads(shown)
                ? textAt(shown, Name)
                : u"%1 has not the shape of queries and keys: 2 to 4 axes, none empty"_s.arg(textAt(shown, Name)));
    if (role == Qt::FontRole && !roleOf(shown).isEmpty()) {
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    return {};
}

QVariant TensorTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[columns] = {u"Tensor"_s, u"Type"_s, u"Shape"_s, u"Shown as"_s};
    return titles[section];
}

TensorList::TensorList(QWidget* parent)
    : QWidget(parent), m_model(new TensorTable(this)), m_filtered(new QSortFilterProxyModel(this)),
      m_table(new QTableView),
      m_useAsQueries(pushButton(
          u"Use as queries"_s, u"The chosen tensor holds the queries (or, as said at the right, logits or weights)"_s)),
      m_useAsKeys(pushButton(u"Use as keys"_s, u"The chosen tensor holds the keys of these queries"_s))
{
    auto* filter = described(new QLineEdit, u"Find a tensor"_s,
                             u"Shows the tensors that have these letters in their row: in the name, type or shape"_s);
    filter->setPlaceholderText(u"Find\u2026"_s);
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
