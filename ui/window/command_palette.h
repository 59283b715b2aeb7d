#pragma once
// Everything that the window can do, found by typing a few letters of it: Ctrl+K. Knows nothing of what its entries do.

#include "ui/widgets/sheet.h"

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace attnscope {

struct PaletteEntry {
    QString kind;  ///< "Scale method"
    QString name;  ///< what is searched, with the kind
    QString key;   ///< its shortcut, if it has one
    std::function<void()> run;
    QString about = {};   ///< searched where the name is not found
    bool isRead = false;  ///< of the manual: an answer after what can be done
    int wanted = 0;       ///< place among what is listed first while nothing is typed; 0: it has none
    bool helps = false;   ///< offered where nothing was found
};

/// How well `typed` names it, higher is better: every word of it must be in the text, words at the beginning of words
/// count most. 0: it does not.
int paletteScore(const QString& text, const QString& typed);

/// The words of a question that say something: "which of my heads are sinks" -> head, sink.
QStringList tellingWords(const QString& typed);

/// How well most of those words name it, each of them at the beginning of a word: in the name rather than in the kind,
/// there rather than in what it is about. 0: no more than half of them are there.
int questionScore(const PaletteEntry& entry, const QStringList& words);

/// Of what is called nothing here, the entries whose names differ from it in a letter or two of a word, the nearest
/// first: a slip of the keyboard.
std::vector<std::size_t> nearestEntries(const std::vector<PaletteEntry>& entries, const QStringList& words);

/// What there is room for of a row's kind, beside its name.
int kindWidth(const QFontMetrics& letters);

class CommandPalette : public Sheet {
    Q_OBJECT
public:
    /// `entries` is asked each time that the palette opens.
    CommandPalette(QWidget* window, std::function<std::vector<PaletteEntry>()> entries);
    void open();
    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

protected:
    QRect sheetGeometry() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void list(std::size_t entry);
    void runChosen();

    std::function<std::vector<PaletteEntry>()> m_ask;
    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_field;
    QListWidget* m_list;
};

}  // namespace attnscope
