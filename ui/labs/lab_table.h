#pragma once
// A table of a run's rows, one of those that the lab has, to be read and copied.

#include "core/labs/lab.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QTableView;

namespace attnscope {

/// The rows of one table.
class LabRowModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// Where they begin with those there are, these stay in view.
    void setRows(std::vector<LabRow> rows);
    const std::vector<LabRow>& rows() const { return m_rows; }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() || m_rows.empty() ? 0 : static_cast<int>(m_rows.front().cells.size());
    }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    int alignmentOf(int column) const;
    void findKinds();
    QString shown(const QModelIndex& index) const;
    std::vector<LabRow> m_rows;
    std::vector<bool> m_hasWords;  ///< of the columns
    std::vector<std::optional<int>> m_decimals;
};

class LabTable : public QWidget {
    Q_OBJECT
public:
    explicit LabTable(QWidget* parent = nullptr);
    /// The rows of a run; `main` is the table shown first.
    void show(const std::vector<LabRow>& rows, const std::string& main);
    LabRowModel& model() { return *m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showTable();
    void fitColumns();
    std::vector<LabRow> m_rows;
    QString m_chosen;  ///< by the reader; empty: the main table as soon as there is one
    QComboBox* m_which;
    QTableView* m_view;
    LabRowModel* m_model;
};

}  // namespace attnscope
