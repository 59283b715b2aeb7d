#include "ui/widgets/columns_in_place.h"

#include "ui/widgets/headings.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTableView>

#include <optional>
#include <utility>

namespace attnscope {

namespace {

/// Where they end and the others come out from beneath them.
class Edge : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), currentTheme().outline); }
};

/// Another view of the table's model and of what is chosen in it, over its left part.
class ColumnsInPlace : public QTableView {
public:
    ColumnsInPlace(QTableView& table, std::function<int()> columns)
        : QTableView(&table), m_table(table), m_columns(std::move(columns)), m_edge(new Edge(&table))
    {
        setAccessibleName(table.accessibleName());
        setFrameShape(QFrame::NoFrame);
        setShowGrid(table.showGrid());
        setEditTriggers(QAbstractItemView::NoEditTriggers);
        setSelectionBehavior(table.selectionBehavior());
        setSelectionMode(table.selectionMode());
        setVerticalScrollMode(table.verticalScrollMode());
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setIconSize(table.iconSize());
        setMouseTracking(table.hasMouseTracking());
        setContextMenuPolicy(table.contextMenuPolicy());
        addActions(table.actions());
        setItemDelegate(table.itemDelegate());
        setFocusProxy(&table);
        verticalHeader()->hide();
        setHorizontalHeader(new Headings(this));
        horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        horizontalHeader()->setMinimumSectionSize(1);
        horizontalHeader()->setHighlightSections(table.horizontalHeader()->highlightSections());
        setModel(table.model());
        setSelectionModel(table.selectionModel());
        followHeader();
        connect(this, &QAbstractItemView::entered, &table, &QAbstractItemView::entered);
        connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, &ColumnsInPlace::followRows);
        connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &ColumnsInPlace::followRows);
        connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ColumnsInPlace::leadRows);
        connect(table.selectionModel(), &QItemSelectionModel::currentChanged, this, &ColumnsInPlace::seeCurrent);
        m_edge->setAttribute(Qt::WA_TransparentForMouseEvents);
        table.installEventFilter(this);
        table.viewport()->installEventFilter(this);
    }

    void place()
    {
        const QHeaderView& header = *m_table.horizontalHeader();
        const QRect seen = m_table.viewport()->geometry();
        const int wanted = m_columns();
        m_width = 0;
        bool stays = true;
        for (int column = 0; column < header.count(); ++column) {
            const int width = header.sectionSize(column);  // 0 of one that is hidden
            stays = stays && column < wanted && (m_width == 0 || 5 * (m_width + width) <= 3 * seen.width());
            setColumnHidden(column, !stays || m_table.isColumnHidden(column));
            if (stays) {
                setColumnWidth(column, width);
                m_width += width;
                m_count = column + 1;
            }
        }
        verticalHeader()->setMinimumSectionSize(m_table.verticalHeader()->minimumSectionSize());
        verticalHeader()->setDefaultSectionSize(m_table.verticalHeader()->defaultSectionSize());
        horizontalHeader()->setFixedHeight(header.height());
        setGeometry(seen.left(), seen.top() - header.height(), m_width, header.height() + seen.height());
        m_edge->setGeometry(geometry().right() + 1, geometry().top(), 1, height());
        const bool scrolled = m_table.horizontalScrollBar()->value() > 0 && m_width > 0;
        setVisible(scrolled);
        m_edge->setVisible(scrolled);
        raise();
        m_edge->raise();
        followRows();
    }

protected:
    /// The table scrolls, or what it lies in.
    void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(m_table.viewport(), event); }

    void mousePressEvent(QMouseEvent* event) override
    {
        m_across = m_table.horizontalScrollBar()->value();
        QTableView::mousePressEvent(event);
        m_across.reset();
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched != &m_table && event->type() == QEvent::Resize)
            place();
        if (watched == &m_table && event->type() == QEvent::KeyPress) {
            const int key = static_cast<QKeyEvent*>(event)->key();
            const bool alongRows = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home;
            m_across = alongRows || !isVisible() ? std::nullopt : std::optional(m_table.horizontalScrollBar()->value());
        } else if (watched == &m_table && event->type() == QEvent::KeyRelease)
            m_across.reset();
        return QTableView::eventFilter(watched, event);
    }

private:
    /// Rows that came lie in one of the views before the other: what its range has no room for comes with its range.
    void followRows()
    {
        const bool before = std::exchange(m_follows, true);
        verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
        m_follows = before;
    }

    /// It scrolls by itself where rows are chosen beyond its edge.
    void leadRows(int value)
    {
        if (m_follows || !isVisible())
            return;
        m_table.verticalScrollBar()->setValue(value);
        followRows();
    }

    void followHeader()
    {
        QHeaderView &theirs = *m_table.horizontalHeader(), &own = *horizontalHeader();
        const auto follow = [&theirs, &own] {
            own.setSortIndicatorShown(theirs.isSortIndicatorShown());
            own.setSortIndicator(theirs.sortIndicatorSection(), theirs.sortIndicatorOrder());
        };
        connect(&theirs, &QHeaderView::sectionResized, this, &ColumnsInPlace::place);
        connect(&theirs, &QHeaderView::geometriesChanged, this, &ColumnsInPlace::place);
        connect(&theirs, &QHeaderView::sortIndicatorChanged, this, follow);
        own.setSectionsClickable(theirs.sectionsClickable());
        connect(&own, &QHeaderView::sectionClicked, this, [this, &theirs](int column) {
            const bool falls =
                theirs.sortIndicatorSection() == column && theirs.sortIndicatorOrder() == Qt::AscendingOrder;
            if (m_table.isSortingEnabled())
                m_table.sortByColumn(column, falls ? Qt::DescendingOrder : Qt::AscendingOrder);
            emit theirs.sectionClicked(column);  // as if it were theirs: a table may keep what was chosen
        });
        follow();
    }

    /// It is not beneath them; and one of theirs, which the table took for out of sight, leaves the others in place.
    void seeCurrent(const QModelIndex& current)
    {
        QScrollBar& across = *m_table.horizontalScrollBar();
        const int left = m_table.visualRect(current).left();
        if (current.isValid() && current.column() >= m_count && left < m_width)
            across.setValue(across.value() - (m_width - left));
        else if (current.isValid() && current.column() < m_count && m_across)
            across.setValue(*m_across);
    }

    QTableView& m_table;
    std::function<int()> m_columns;
    QWidget* m_edge;
    int m_width = 0, m_count = 0;
    std::optional<int> m_across;
    bool m_follows = false;  // what scrolls is the table
};

}  // namespace

/// Made when it scrolls for the first time: most tables never do.
void keepInPlace(QTableView& table, std::function<int()> columns)
{
    auto made = [&table, columns = std::move(columns), view = static_cast<ColumnsInPlace*>(nullptr)](int) mutable {
        if (!view && table.horizontalScrollBar()->value() > 0)
            view = new ColumnsInPlace(table, columns);
        if (view)
            view->place();
    };
    QObject::connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, &table, made);
}

}  // namespace attnscope
