#pragma once
// A table of numbers that can be sorted by any column and copied with its headings, for statistics and for heads.
// Columns are as wide as what they hold and share what room is left; where there is none they scroll, with the first in
// its place, or those at the right leave. All numbers of a column have the same number of decimals, so that it
// can be read downwards.

#include <QTableWidget>

#include <limits>
#include <optional>
#include <vector>

namespace attnscope {

/// A cell without a number.
inline constexpr double noValue = std::numeric_limits<double>::quiet_NaN();

class ValueTable : public QTableWidget {
    Q_OBJECT
public:
    struct Column {
        QString title, teaches;
        bool words = false;  ///< reads from the left, as the first does
        int like = -1;       ///< the column whose decimals it has: a "±" those of its value
    };
    ValueTable(const QString& name, const std::vector<Column>& columns, QWidget* parent = nullptr);

    /// Cells hold the number; not finite: shown as a dash and sorted last.
    void setNumber(int row, int column, double value, int digits = 4);
    /// With the digits that its standard error leaves; NaN: it has none.
    void setMeasured(int row, int column, double value, double error);
    /// Likewise, with its sign, and sorted by its size.
    void setChange(int row, int column, double value, double error);
    /// The number and its error in one cell; sorted by the number.
    void setWithError(int row, int column, double value, double error);
    /// In the one style that probabilities have.
    void setProbability(int row, int column, double p);
    /// Both ends of an interval; not finite: a dash.
    void setRange(int row, int column, double low, double high);
    /// "> 16 384": more than that; sorted by it.
    void setBound(int row, int column, double least);
    void setWords(int row, int column, const QString& words, const QIcon& icon = {});
    /// Of the numbers of a column; nothing where they differ too much in size to have the same (or are too small).
    std::optional<int> decimalsOf(int column) const;
    void tintRow(int row, bool tinted);
    /// Rows of another group stand apart however they are sorted, the least group first, with a line between.
    void setGroup(int row, int group);
    /// After a table that was not sorted while it was filled: by what somebody has clicked, else by this column.
    void sortAgain(int column, Qt::SortOrder order);
    /// Nobody has clicked: the order is the one before that.
    void forgetSort();
    /// Made where there is none yet; kept when its value changes.
    QTableWidgetItem* cell(int row, int column);
    /// After the cells have changed.
    void fitColumns();
    /// Has a number grown beyond its column?
    bool cutsNumbers() const;
    /// Nothing scrolls sideways: columns at the right leave until the others fit, though never the first `stay`. What
    /// they say is in the tips of their rows and in what is copied. 0: all stay, and scroll.
    void letColumnsLeave(int stay);
    /// At which those that never leave are whole; 0 where all stay.
    int widthOfThoseThatStay() const;
    /// Is there such a column at all?
    void offerColumn(int column, bool offered);
    /// The titles of those that have left.
    QStringList columnsThatLeft() const;

    /// The rows as they are sorted now, separated by tabs and line ends.
    QString asText() const;
    void copy() const;
    QSize sizeHint() const override { return {420, 150}; }

signals:
    void sortForgotten();  ///< rows that have an order of their own are to be put into it
    void pointerLeft();
    void columnsLeft(const QStringList& titles);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void numbersChanged(int column);
    bool hasLeft(int column) const;
    /// What is wanted by each column, 0 where it is not offered.
    std::vector<int> widthsWanted(bool dense) const;
    std::vector<bool> m_offered;
    std::vector<int> m_like;
    int m_stay = 0;               // 0: all of them
    bool m_isSortChosen = false;  // by a click
    int m_usualSort = -1;         // the column of sortAgain()
    Qt::SortOrder m_usualOrder = Qt::AscendingOrder;
    struct Decimals {
        bool known = false;  // since a number changed
        std::optional<int> count;
    };
    mutable std::vector<Decimals> m_decimals;
};

}  // namespace attnscope
