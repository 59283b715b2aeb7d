#pragma once
// Everything that is drawn, as text that a spreadsheet or NumPy reads: columns separated by tabs, numbers at full
// precision.

#include "core/analysis/analysis.h"
#include "core/labs/lab.h"
#include "ui/plot/chart.h"

#include <QKeySequence>
#include <QString>

#include <functional>
#include <span>
#include <vector>

class QWidget;

namespace attnscope {

/// A row a point: series, x, y, and low and high where there is a band.
QString chartData(const ChartSpec& chart);

/// The cells of a map; the first column and the first row have the first query and key of each.
QString mapData(const PooledMap& map);

/// A row a query: its scale, entropy, effective tokens, largest weight, weight of the first four keys, mean distance.
QString rowData(const Analysis& analysis, std::size_t method);

/// The rows of one of a lab's tables.
QString labData(std::span<const LabRow> rows);

/// The heatmaps of a lab's run one below the other, each after a line with its name.
QString labData(std::span<const LabPicture> pictures);

/// A line of a view's context menu, in one of its parts, whose order is that of all menus.
struct ViewAction {
    enum class Part { View, Copy, Save };
    QString name;
    std::function<void()> run;
    std::function<QString()> numbers = {};  ///< that a file of the view may hold
    Part part = Part::View;
    QKeySequence key = {};  ///< that the view itself takes
};
/// Of text in columns that are separated by tabs.
ViewAction copying(const QString& name, std::function<QString()> text, const QKeySequence& key = {});

/// Gives the view a context menu: its own actions, what changes the view, what copies, and what saves, with its picture
/// to copy and to save, unless one of its own saves it.
void offerActions(QWidget* view, std::vector<ViewAction> actions);

}  // namespace attnscope
