#pragma once
// Panes of a page: cards with a name above what they hold, and two of them beside each other.

#include <QFrame>
#include <QMargins>
#include <QSplitter>

namespace attnscope {

constexpr int paneGap = 8;  ///< between the panes of a page

/// A card with its name above what it holds.
QFrame* pane(const QString& title, QWidget* content);
/// One without.
QFrame* cardOf(QWidget* content, const QMargins& margins = {1, 10, 1, 2});

/// Its sizes are kept by its name.
class SideBySide : public QSplitter {
    Q_OBJECT
public:
    /// How wide the left one is at first, in a window of less than 1 400 pixels and in one of more.
    struct LeftWidth {
        int inNarrow, inWide;
    };
    SideBySide(const QString& name, QWidget* left, QWidget* right, LeftWidth);
    /// As at first, in a window that is as wide.
    void reset(int width);

private:
    LeftWidth m_left;
};

}  // namespace attnscope
