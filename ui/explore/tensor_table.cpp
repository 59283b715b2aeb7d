#include "ui/explore/tensor_table.h"

#include <QFont>
#include <QTextDocument>

namespace attnscope {

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

}  // namespace attnscope

#include "moc_tensor_table.cpp"
#include "ui/plot/qt_text.h"
