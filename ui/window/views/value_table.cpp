#include "ui/window/views/value_table.h"

#include "core/base/choice.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// Sorts by the number behind the text.
class NumberItem : public QTableWidgetItem {
public:
    NumberItem(double value, const QString& text) : QTableWidgetItem(text) { setData(Qt::UserRole, value); }
    bool operator<(const QTableWidgetItem& other) const override
    {
        const auto key = [](const QTableWidgetItem& item) {
            const double value = item.data(Qt::UserRole).toDouble();
            return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
        };
        return key(*this) < key(other);
    }
};

}  // namespace

ValueTable::ValueTable(const QString& name, const std::vector<Column>& columns, QWidget* parent) : QTableWidget(parent)
{
    setAccessibleName(name);
    setColumnCount(static_cast<int>(columns.size()));
    for (int c = 0; c < columnCount(); ++c) {
        auto* heading = new QTableWidgetItem(columns[static_cast<size_t>(c)].title);
        heading->setToolTip(columns[static_cast<size_t>(c)].teaches);
        heading->setTextAlignment(c == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        setHorizontalHeaderItem(c, heading);
    }
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setShowGrid(false);
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    horizontalHeader()->setMinimumSectionSize(60);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(28);
    setTabKeyNavigation(false);
}

void ValueTable::setNumber(int row, int column, double value, int digits)
{
    auto* item = new NumberItem(value, std::isfinite(value) ? QString::fromStdString(formatNumber(value, digits)) : QStringLiteral("\u2013"));
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setItem(row, column, item);
}

void ValueTable::setWords(int row, int column, const QString& words, const QIcon& icon)
{
    setItem(row, column, new QTableWidgetItem(icon, words));
}

QString ValueTable::asText() const
{
    QStringList lines, cells;
    for (int c = 0; c < columnCount(); ++c)
        cells << horizontalHeaderItem(c)->text();
    lines << cells.join(QLatin1Char('\t'));
    for (int r = 0; r < rowCount(); ++r) {
        cells.clear();
        for (int c = 0; c < columnCount(); ++c) {
            const QVariant number = item(r, c) ? item(r, c)->data(Qt::UserRole) : QVariant();
            cells << (number.isValid() ? QString::fromStdString(formatNumber(number.toDouble())) : item(r, c) ? item(r, c)->text() : QString());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void ValueTable::copy() const { QGuiApplication::clipboard()->setText(asText()); }

void ValueTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableWidget::keyPressEvent(event);
}

}  // namespace attnscope
