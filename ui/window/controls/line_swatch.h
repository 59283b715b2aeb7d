#pragma once
// A short piece of line in the style that a method has in every view.

#include <QIcon>
#include <QWidget>

namespace attnscope {

class LineSwatch : public QWidget {
public:
    explicit LineSwatch(QWidget* parent = nullptr);
    /// A place in the ticked list; -1: blank.
    void setPosition(int position);
    int position() const { return m_position; }
    /// While the method is pointed at, somewhere.
    void setStrong(bool strong);
    bool isStrong() const { return m_strong; }

    /// The same for the cell of a table, without the marker.
    static QIcon icon(int position);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int m_position = -1;
    bool m_strong = false;
};

}  // namespace attnscope
