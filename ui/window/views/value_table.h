#pragma once
// A table of numbers that can be sorted by any column and copied with its headings, for statistics and for heads.

#include <QTableWidget>

namespace attnscope {

class ValueTable : public QTableWidget {
    Q_OBJECT
public:
    struct Column {
        QString title, teaches;
    };
    ValueTable(const QString& name, const std::vector<Column>& columns, QWidget* parent = nullptr);

    /// Cells hold the number; not finite: shown as a dash and sorted last.
    void setNumber(int row, int column, double value, int digits = 4);
    void setWords(int row, int column, const QString& words, const QIcon& icon = {});

    /// The rows as they are sorted now, separated by tabs and line ends.
    QString asText() const;
    void copy() const;
    QSize sizeHint() const override { return {420, 150}; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace attnscope
