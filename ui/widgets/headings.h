#pragma once
// The headings of a table: powers ("e^H") are typeset, though what is read of them and copied stays plain, and the
// arrow of the column that it is sorted by stands beside the word.

#include <QHeaderView>

namespace attnscope {

class Headings : public QHeaderView {
public:
    explicit Headings(QWidget* parent);
    /// Of the column that the table is sorted by, within its section; none: it is not sorted.
    QRect arrow(const QRect& room, int section) const;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
    void paintSection(QPainter* painter, const QRect& room, int section) const override;

private:
    QFont letters() const;
    QRect words(const QRect& room, int section) const;
};

}  // namespace attnscope
