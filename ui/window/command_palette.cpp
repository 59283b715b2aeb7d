#include "ui/window/command_palette.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>

#include <algorithm>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

constexpr int paletteWidth = 640, paletteLines = 12, paletteMargin = 12, paletteAir = 10;
enum PaletteRole { KindRole = Qt::UserRole + 1, KeyRole, EntryRole };

/// The kind in a column of its own, the name, and the key at the right.
class PaletteDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {100, QFontMetrics(option.font).height() + paletteAir};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        if (chosen || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(chosen ? theme.selection : theme.hover);
            painter->drawRoundedRect(option.rect, 5, 5);
        }
        const QFontMetrics metrics(option.font);
        QRect room = option.rect.adjusted(paletteAir, 0, -paletteAir, 0);
        const QString key = index.data(KeyRole).toString();
        painter->setPen(chosen ? theme.text : theme.muted);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, key);
        room.setRight(room.right() - metrics.horizontalAdvance(key) - (key.isEmpty() ? 0 : paletteAir));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(KindRole).toString(), Qt::ElideRight, kindWidth(metrics)));
        painter->setPen(option.state.testFlag(QStyle::State_Enabled) ? theme.text : theme.muted);
        room.setLeft(room.left() + kindWidth(metrics) + paletteAir);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data().toString(), Qt::ElideMiddle, room.width()));
        painter->restore();
    }
};

}  // namespace

int kindWidth(const QFontMetrics& letters) { return letters.averageCharWidth() * 17 - paletteAir; }

/// A word of the text begins like this one.
static bool hasWord(const QString& text, const QString& word)
{
    for (auto at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
        if (at == 0 || !text[at - 1].isLetterOrNumber())
            return true;
    return false;
}

int paletteScore(const QString& text, const QString& typed)
{
    int score = 1;
    for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!text.contains(word, Qt::CaseInsensitive))
            return 0;
        score += hasWord(text, word) ? 10 : 1;
    }
    return score;
}

QStringList tellingWords(const QString& typed)
{
    static const QStringList little =
        u"a an and any are as at be by can could do does for from get go good had has have how i if in into is "
        "it its many me much my no not of on one or should so than that the their them there these they this those "
        "to use was we were what when where which who why will with would you your"_s.split(QLatin1Char(' '));
    QStringList words;
    static const QRegularExpression between(u"[\\s,;?!]+"_s);
    for (QString word : typed.toLower().split(between, Qt::SkipEmptyParts)) {
        if (little.contains(word))
            continue;
        if (word.size() > 3 && word.endsWith(QLatin1Char('s')) && !word.endsWith("ss"_L1))
            word.chop(1);  // of a plural
        words << word;
    }
    return words;
}

int questionScore(const PaletteEntry& entry, const QStringList& words)
{
    constexpr int inAbout = 1, inKind = 2;
    const int inName = entry.isRead ? 2 : 4;
    qsizetype found = 0;
    int score = 0;
    for (const QString& word : words) {
        const int one = hasWord(entry.name, word)    ? inName
                        : hasWord(entry.kind, word)  ? inKind
                        : hasWord(entry.about, word) ? inAbout
                                                     : 0;
        score += one;
        found += one > 0;
    }
    return 2 * found > words.size() ? score : 0;
}

/// How many letters are to be changed, added or left out, neighbours that changed places counting as one.
static int lettersApart(const QString& a, const QString& b)
{
    const auto width = static_cast<std::size_t>(b.size());
    std::vector<int> before, last, now(width + 1);
    std::iota(now.begin(), now.end(), 0);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        before = std::exchange(last, now);
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= width; ++j) {
            const QChar mine = a[i - 1], its = b[static_cast<qsizetype>(j) - 1];
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (mine != its)});
            if (i > 1 && j > 1 && mine == b[static_cast<qsizetype>(j) - 2] && its == a[i - 2])
                now[j] = std::min(now[j], before[j - 2] + 1);
        }
    }
    return now[width];
}

std::vector<std::size_t> nearestEntries(const std::vector<PaletteEntry>& entries, const QStringList& words)
{
    constexpr std::size_t most = 8;
    constexpr qsizetype lettersASlip = 3;  // one wrong letter in three of them is still the word
    static const QRegularExpression between(u"[^\\w]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    std::vector<std::pair<int, std::size_t>> near;
    for (std::size_t i = 0; i < entries.size() && !words.isEmpty(); ++i) {
        const QStringList its = (entries[i].name + QLatin1Char(' ') + entries[i].kind).toLower().split(between);
        int apart = 0;
        bool isNear = !entries[i].isRead;
        for (const QString& word : words) {
            int least = static_cast<int>(word.size());
            for (const QString& one : its)  // of a word of which the beginning is typed, the beginning
                least = std::min(
                    {least, lettersApart(word, one), lettersApart(word, one.first(std::min(one.size(), word.size())))});
            apart += least;
            isNear = isNear && least * lettersASlip <= word.size();
        }
        if (isNear)
            near.emplace_back(apart, i);
    }
    std::ranges::stable_sort(near, {}, [](const auto& one) { return one.first; });
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < std::min(near.size(), most); ++i)
        places.push_back(near[i].second);
    return places;
}

CommandPalette::CommandPalette(QWidget* window, std::function<std::vector<PaletteEntry>()> entries)
    : Sheet(window, 0.5F), m_ask(std::move(entries)),
      m_field(described(new QLineEdit, u"Do or find"_s, u"Up and down choose, Return does it, Escape leaves"_s)),
      m_list(new QListWidget)
{
    setAccessibleName(u"Find what to do"_s);
    inColumn(frame(), {m_field, m_list}, usualSpacing, {paletteMargin, paletteMargin, paletteMargin, paletteMargin});
    m_field->setPlaceholderText(u"Do or find: a command, a method, a source, a lesson, a figure, a head \u2026"_s);
    m_field->installEventFilter(this);
    m_list->setAccessibleName(u"What was found"_s);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runChosen);
}

void CommandPalette::open()
{
    if (isVisible())
        return;
    m_entries = m_ask();
    m_field->clear();
    fill();
    openAt(m_field);
}

/// What is often wanted, where nothing is typed. What is called as typed, then what the telling words of it are in,
/// best first, and of equals in the order given. Where there is none, what is called nearly so, and the manual.
void CommandPalette::fill()
{
    std::vector<std::pair<int, std::size_t>> found;
    const QString typed = m_field->text().trimmed();
    const QStringList words = tellingWords(typed);
    constexpr int called = 1000;  // before all that only answers
    const bool asksWhy = typed.startsWith(u"why "_s, Qt::CaseInsensitive);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const auto& [kind, name, key, run, about, isRead, wanted, helps] = m_entries[i];
        const QString both = name + QLatin1Char(' ') + kind;
        const int byName = std::max(2 * paletteScore(name, typed), paletteScore(both, typed));
        int score = byName > 0 ? called + byName : questionScore(m_entries[i], words);
        if (score > 0 && asksWhy && m_entries[i].kind == u"Lesson"_s)
            score += called;  // lessons say why
        if (score == 0 && paletteScore(both + QLatin1Char(' ') + about, typed) > 0)
            score = 1;
        if (typed.isEmpty() && wanted > 0)
            score += called - wanted;
        if (score > 0)
            found.emplace_back(-score, i);
    }
    std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
    m_list->clear();
    for (const auto& [score, i] : found)
        list(i);
    if (found.empty()) {
        const std::vector<std::size_t> nearest = nearestEntries(m_entries, words);
        auto* nothing = new QListWidgetItem(nearest.empty() ? u"Nothing is called that; other words may find it:"_s
                                                            : u"Nothing is called that; did you mean:"_s,
                                            m_list);
        nothing->setFlags(Qt::NoItemFlags);
        for (const std::size_t i : nearest)
            list(i);
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (m_entries[i].helps)
                list(i);
    }
    m_list->setCurrentRow(found.empty() ? 1 : 0);
    placeFrame();  // as high as what was found, so that no half of it is empty
}

void CommandPalette::list(std::size_t entry)
{
    const PaletteEntry& one = m_entries[entry];
    auto* item = new QListWidgetItem(one.name, m_list);
    item->setData(KindRole, one.kind);
    item->setData(KeyRole, one.key);
    item->setData(EntryRole, static_cast<qulonglong>(entry));
    item->setData(Qt::AccessibleTextRole, one.kind + u": "_s + one.name);
}

QRect CommandPalette::sheetGeometry() const
{
    const int line = m_list->fontMetrics().height() + paletteAir;
    QRect sheet(0, height() / 9, std::min(paletteWidth, width() - 20),
                m_field->sizeHint().height() + std::min(paletteLines, m_list->count()) * line + 3 * paletteMargin);
    sheet.moveLeft((width() - sheet.width()) / 2);
    return sheet & rect().adjusted(0, 0, 0, -10);
}

void CommandPalette::runChosen()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(EntryRole).isValid())
        return;
    const auto run = m_entries[item->data(EntryRole).toULongLong()].run;
    hide();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return Sheet::eventFilter(watched, event);
    const auto step = [this](int by) {
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, std::max(0, m_list->count() - 1)));
    };
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        hide();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runChosen();
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_PageUp:
        step(-paletteLines);
        return true;
    case Qt::Key_PageDown:
        step(paletteLines);
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true;  // there is nowhere to go
    default:
        return Sheet::eventFilter(watched, event);
    }
}

}  // namespace attnscope

#include "moc_command_palette.cpp"
