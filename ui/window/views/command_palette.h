#pragma once
// Everything that the window can do, found by typing a few letters of it: Ctrl+K. Knows nothing of what its entries do.

#include <QPointer>
#include <QWidget>

#include <functional>
#include <vector>

class QFrame;
class QLineEdit;
class QListWidget;

namespace attnscope {

struct PaletteEntry {
    QString kind;               ///< "Scale method"
    QString name;               ///< what is searched, with the kind
    QString key;                ///< its shortcut, if it has one
    std::function<void()> run;
};

/// How well `typed` names it, higher is better: every word of it must be in the text, words at the beginning of words count most.
/// 0: it does not.
int paletteScore(const QString& text, const QString& typed);

class CommandPalette : public QWidget {
    Q_OBJECT
public:
    /// `entries` is asked each time that the palette opens.
    CommandPalette(QWidget* window, std::function<std::vector<PaletteEntry>()> entries);
    void open();
    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override { close(); }
    void hideEvent(QHideEvent*) override;

private:
    void fill();
    void place();
    void runChosen();

    std::function<std::vector<PaletteEntry>()> m_ask;
    std::vector<PaletteEntry> m_entries;
    QFrame* m_sheet;
    QLineEdit* m_field;
    QListWidget* m_list;
    QPointer<QWidget> m_before;  ///< had the keyboard
};

}  // namespace attnscope
