#include "ui/window/shortcuts_overlay.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"

#include <QAction>
#include <QFrame>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {

constexpr int usualWidth = 1180, border = 1, columnGap = 24, sheetPadding = 28, cellPadding = 20,
              headingPadding = 6;  // of the style sheet's headings

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(u"\u2026"_s); }

/// "Copy data: ", where the action stands in a menu of a menu.
QString submenuOf(const QAction& action)
{
    for (const QObject* object : action.associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(object); menu && qobject_cast<const QMenu*>(menu->parent()))
            return menu->title() + u": "_s;
    return {};
}

}  // namespace

ShortcutsOverlay::ShortcutsOverlay(QWidget* window)
    : Sheet(window, 0.82F), m_columns{new QTableWidget, new QTableWidget, new QTableWidget}, m_lines(new QWidget),
      m_scroll(scrolled(m_lines))
{
    setAccessibleName(u"Keyboard shortcuts"_s);
    setFocusPolicy(Qt::StrongFocus);
    QHBoxLayout* lines = inRow(m_lines, {m_columns[0], m_columns[1], m_columns[2]}, columnGap);
    for (QTableWidget* column : m_columns)
        lines->setAlignment(column, Qt::AlignTop);
    QLabel* title = textLabel(u"Keyboard"_s, "title");
    title->setContentsMargins(headingPadding, 0, 0, 0);  // above the words of the first column
    inColumn(frame(), {title, {m_scroll, 1}}, usualSpacing,
             {sheetPadding, sheetPadding / 2, sheetPadding, sheetPadding / 2});
    for (QTableWidget* column : m_columns) {
        column->setColumnCount(2);
        column->setHorizontalHeaderLabels({u"Key"_s, u"What it does"_s});
        column->horizontalHeader()->setStretchLastSection(true);
        column->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        column->horizontalHeader()->setHighlightSections(false);
        column->verticalHeader()->hide();
        column->setEditTriggers(QAbstractItemView::NoEditTriggers);
        column->setSelectionBehavior(QAbstractItemView::SelectRows);
        column->setShowGrid(false);
        column->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // all scroll as one
        column->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        column->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        connect(column, &QTableWidget::currentItemChanged, this, [this, column](QTableWidgetItem* now) {
            if (now)
                m_scroll->ensureVisible(0, column->mapTo(m_lines, column->visualItemRect(now).center()).y());
        });
        column->setAccessibleName(u"Keyboard shortcuts"_s);
        column->installEventFilter(this);
    }
}

std::vector<std::pair<QString, QString>> ShortcutsOverlay::keys() const
{
    std::vector<std::pair<QString, QString>> out;
    for (const QAction* action : parentWidget()->findChildren<QAction*>())
        if (!action->shortcut().isEmpty() &&
            action->shortcutContext() != Qt::WidgetShortcut)  // those of views are below
            out.emplace_back(action->shortcut().toString(QKeySequence::NativeText),
                             plain(submenuOf(*action) + action->iconText()));
    out.emplace_back(u"Esc"_s, u"Close what lies on top, leave a field or the stage"_s);
    out.emplace_back(u"1 \u2026 9, held"_s, u"Look at that pin"_s);
    out.emplace_back(u"Tab"_s, u"Next control; Shift+Tab, the one before"_s);
    out.emplace_back(u"\u2190 \u2192 on a slider"_s, u"One step; with Shift, twelve"_s);
    out.emplace_back(u"\u2191 \u2193 in a field"_s, u"One step up or down"_s);
    out.emplace_back(u"\u2191 \u2193 on a map"_s, u"Choose the row above or below"_s);
    out.emplace_back(u"\u2190 \u2192 on a map"_s, u"Pan"_s);
    out.emplace_back(u"+ \u2212 0 on a map"_s, u"Zoom in, out, show all"_s);
    out.emplace_back(u"\u2190 \u2192 on a chart"_s, u"Move n; with Alt, N"_s);
    out.emplace_back(u"+ \u2212 0 on a chart"_s, u"Zoom in, out, show all"_s);
    out.emplace_back(u"D on a chart"_s, u"Differences from the pointer; Shift and a click do the same"_s);
    out.emplace_back(u"T on a chart or map"_s, u"Write a note at the pointer"_s);
    out.emplace_back(u"Del on a note"_s, u"Remove it"_s);
    out.emplace_back(u"Ctrl+C on a chart"_s, u"Copy the values at the pointer"_s);
    out.emplace_back(u"Ctrl+C in a table"_s, u"Copy it"_s);
    return out;
}

void ShortcutsOverlay::toggle()
{
    if (isVisible())
        return hide();
    fill();
    openAt(m_columns[0]);
}

void ShortcutsOverlay::fill()
{
    const auto lines = keys();
    const std::size_t each = (lines.size() + m_columns.size() - 1) / m_columns.size();
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        QTableWidget& table = *m_columns[column];
        const std::size_t first = column * each, last = std::min(first + each, lines.size());
        table.setRowCount(static_cast<int>(last - first));
        for (std::size_t i = first; i < last; ++i) {
            const int row = static_cast<int>(i - first);
            table.setItem(row, 0, new QTableWidgetItem(lines[i].first));
            table.setItem(row, 1, new QTableWidgetItem(lines[i].second));
        }
        table.resizeColumnToContents(0);
        table.setCurrentCell(-1, -1);
    }
}

/// Of the longest column, as its cells are wrapped at this width of the sheet.
int ShortcutsOverlay::heightOfLines(int sheetWidth) const
{
    const int columns = static_cast<int>(m_columns.size()),
              each = (sheetWidth - 2 * sheetPadding - (columns - 1) * columnGap -
                      m_scroll->verticalScrollBar()->sizeHint().width()) /
                     columns;
    int most = 0, rows = 0;
    for (QTableWidget* table : m_columns) {
        table->resize(each, table->height());
        rows = std::max(rows, table->rowCount());
    }
    for (int row = 0; row < rows; ++row) {  // of one height in all columns
        int needed = 0;
        for (const QTableWidget* table : m_columns)
            if (const QTableWidgetItem* item = table->item(row, 1)) {
                const int words = each - table->columnWidth(0) - 2 * table->frameWidth() - cellPadding;
                needed = std::max(
                    needed,
                    table->fontMetrics().boundingRect(0, 0, words, width(), Qt::TextWordWrap, item->text()).height());
            }
        for (QTableWidget* table : m_columns)
            if (row < table->rowCount())
                table->setRowHeight(row, needed + table->fontMetrics().height() - 4);
    }
    for (QTableWidget* table : m_columns) {
        const int height = table->horizontalHeader()->sizeHint().height() + table->verticalHeader()->length() +
                           2 * table->frameWidth();
        table->setFixedHeight(height);
        most = std::max(most, height);
    }
    return most;
}

/// In the middle of the window, as large as its lines are or as there is room.
QRect ShortcutsOverlay::sheetGeometry() const
{
    const int lines = heightOfLines(std::min(usualWidth, width() - 20));
    const int around = frame()->layout()->contentsMargins().top() * 2 + frame()->layout()->spacing() +
                       frame()->findChild<QLabel*>()->sizeHint().height() + 2 * border;
    QRect sheet(0, 0, std::min(usualWidth, width() - 20), std::min(lines + around, height() - 20));
    sheet.moveCenter(rect().center());
    return sheet;
}

bool ShortcutsOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != parentWidget() && event->type() == QEvent::KeyPress) {
        constexpr int moving[] = {Qt::Key_Up,       Qt::Key_Down,    Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp,
                                  Qt::Key_PageDown, Qt::Key_Home,    Qt::Key_End,  Qt::Key_Tab,   Qt::Key_Backtab,
                                  Qt::Key_Shift,    Qt::Key_Control, Qt::Key_Alt};
        if (std::find(std::begin(moving), std::end(moving), static_cast<QKeyEvent*>(event)->key()) ==
            std::end(moving)) {
            hide();
            return true;
        }
    }
    return Sheet::eventFilter(watched, event);
}

}  // namespace attnscope

#include "moc_shortcuts_overlay.cpp"
