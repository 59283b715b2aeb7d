#pragma once
// A table of a run's rows, one of those that the lab has, to be read and copied: headings and units are those that are
// read (lab_columns.h), what is copied is what files have. Its last row stays in view as rows come, unless the reader
// went up; while a run goes on, rows that are read stay those that are seen. In a page that scrolls it has all of its
// rows, of which the page says what part is in sight: its heading stays above them.

#include "core/labs/lab.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QTableView;

namespace attnscope {

class ElidedLabel;

/// The rows of one table.
class LabRowModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// Of this lab. True: they begin with those there were, which stay in view, and there are more. `goesOn`: those
    /// that there were may have other numbers now, and be fewer.
    bool setRows(std::vector<LabRow> rows, const std::string& lab = {}, bool goesOn = false);
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
    /// Says of which networks or tests a row is, and says the same in all of them, or what other columns say.
    bool isSpare(int column) const;
    QString headingOf(int column) const;  ///< in one line
    /// As many columns, from the first, say what a row is of: the length, the method and where it acts.
    int namesOfRow() const;
    bool isOfWords(int column) const { return m_hasWords[static_cast<std::size_t>(column)]; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    int alignmentOf(int column) const;
    void findKinds();
    void alignPercents();
    QString headingOf(const std::string& column) const;
    QString aboutColumn(const std::string& column) const;
    QString shown(const QModelIndex& index) const;
    std::vector<LabRow> m_rows;
    std::string m_lab;
    std::vector<double> m_times;   ///< of the columns: what is shown, of what a file says
    std::vector<bool> m_hasWords;  ///< of the columns
    std::vector<std::optional<int>> m_decimals;
};

class LabTable : public QWidget {
    Q_OBJECT
public:
    explicit LabTable(QWidget* parent = nullptr);
    /// The rows of a run; the lab's main table is shown first. `goesOn`: of the run that is shown, and a table that is
    /// read stays. True: the table that is shown has more rows than before.
    bool show(const Lab& lab, const std::vector<LabRow>& rows, bool goesOn = false);
    /// A row in sight of a table that is read: one that is chosen, or the first, where the reader has scrolled.
    std::optional<int> rowRead() const;
    bool hasChosenRow() const;
    /// Where a row begins, from the top of all this.
    int yOf(int row) const;
    void scrollBy(int pixels);  ///< as far as the table scrolls by itself
    LabRowModel& model() { return *m_model; }
    /// What all rows have in common, in place of its columns.
    QString inCommon() const;
    /// With some rows, whatever table it is.
    int leastHeight() const;
    /// With all rows.
    int wholeHeight() const;
    /// Of a table that is as high as all of its rows: what is in sight, from its own top.
    void showPart(int top, int height);
    /// Of all this, from its top.
    bool hasHeadingAt(int y) const;

signals:
    void chosen();           ///< another table, by the reader
    void scrolledTo(int y);  ///< what is in sight is to begin there: a key went to a row that was not

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool showTable(bool goesOn = false);
    void fitColumns();
    int spareOf(int column) const;
    int heightAbove() const;
    int heightOf(int rows, int ofHeading, bool scrollsAcross) const;
    void hideColumns();
    bool hasAllRows() const;
    int wholeRowsIn(int room) const;
    void placeView();
    int widthOfColumns() const;
    int aroundColumns() const;
    std::vector<LabRow> m_rows;
    std::string m_lab;
    int m_sightTop = 0, m_sightHeight = 0;
    bool m_placing = false;
    QWidget* m_place;  ///< of the view
    QString m_chosen;  ///< by the reader; empty: the main table as soon as there is one
    QComboBox* m_which;
    ElidedLabel* m_common;
    QTableView* m_view;
    LabRowModel* m_model;
};

}  // namespace attnscope
