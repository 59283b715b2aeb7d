#pragma once
// Every key of the window on one sheet, laid over it: F1 shows it; a click beside it or any key that does not move
// about in it hides it.

#include "ui/widgets/sheet.h"

#include <array>
#include <utility>
#include <vector>

class QScrollArea;
class QTableWidget;

namespace attnscope {

class ShortcutsOverlay : public Sheet {
    Q_OBJECT
public:
    explicit ShortcutsOverlay(QWidget* window);
    /// Keys and what they do, as shown: from the window's actions, then those of the maps and the sliders.
    std::vector<std::pair<QString, QString>> keys() const;
    void toggle();
    /// The sheet's columns, from left to right: keys, and what they do.
    const std::array<QTableWidget*, 3>& columns() const { return m_columns; }

protected:
    QRect sheetGeometry() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent*) override { hide(); }

private:
    void fill();
    int heightOfLines(int sheetWidth) const;

    std::array<QTableWidget*, 3> m_columns;
    QWidget* m_lines;  ///< all of them
    QScrollArea* m_scroll;
};

}  // namespace attnscope
