#pragma once
// A short piece of line in the style that a method has in every view.

#include <QIcon>
#include <QSize>
#include <QWidget>

namespace attnscope {

inline constexpr QSize swatchSize{32, 16};

class LineSwatch : public QWidget {
public:
    static constexpr int air = 2;  ///< before and after its line
    explicit LineSwatch(QWidget* parent = nullptr);
    /// The number of a methodStyle(); -1: blank.
    void showStyle(int style);
    int shownStyle() const { return m_style; }
    /// While the method is pointed at, somewhere.
    void setStrong(bool strong);
    bool isStrong() const { return m_strong; }

    /// The same for the cell of a table, whose icons are of that size.
    static QIcon icon(int style);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int m_style = -1;
    bool m_strong = false;
};

}  // namespace attnscope
