#pragma once
// The tensors of a file as a table: name, dtype, shape, and what the document looks at them as. A file may have a
// hundred thousand of them, so nothing is made for a row that is not shown.

#include "ui/workbench/file_offers.h"

#include <QAbstractTableModel>

namespace attnscope {

class TensorTable : public QAbstractTableModel {
    Q_OBJECT
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

}  // namespace attnscope
