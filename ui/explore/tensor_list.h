#pragma once
// The list of a file's tensors with a field to find them by, and the buttons that say what the chosen one is.

#include "ui/workbench/file_offers.h"

#include <QWidget>

class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace attnscope {

class TensorTable;

class TensorList : public QWidget {
    Q_OBJECT
public:
    explicit TensorList(QWidget* parent = nullptr);
    void setFile(OfferedFilePtr file);
    /// Marks what is looked at; finished logits and weights have no keys.
    void setSelection(const TensorSelection& selection);

    QTableView* table() const { return m_table; }
    QPushButton* useAsQueries() const { return m_useAsQueries; }
    QPushButton* useAsKeys() const { return m_useAsKeys; }

signals:
    void queriesChosen(const std::string& tensor);  ///< or logits, or weights
    void keysChosen(const std::string& tensor);

private:
    void buildTable();
    const TensorInfo* current() const;  ///< null: none, or one that has not the shape
    void enable();

    TensorTable* m_model;
    QSortFilterProxyModel* m_filtered;
    QTableView* m_table;
    QPushButton* m_useAsQueries;
    QPushButton* m_useAsKeys;
    bool m_hasKeys = true;
};

}  // namespace attnscope
