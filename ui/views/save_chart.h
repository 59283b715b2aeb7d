#pragma once
// A chart as a file of its own: PDF, SVG and PNG as it stands on the screen, zoomed as it is and with its lines named,
// or its numbers as CSV. It carries no recipe: what Explore shows is exported with one.

#include "core/base/error.h"
#include "ui/plot/chart.h"

#include <QSize>
#include <QString>

namespace attnscope {

class ChartView;

/// The ending of `path` decides. `shape`: as many times as high as it is wide. Errors: UnknownFormat, NotWritable.
Result<void> saveChart(const ChartSpec& chart, QSize shape, const QString& path);

/// A line of the view's menu that asks for a file, which is called `name` at first; how it went is said in the window.
void offerSaving(ChartView& view, const QString& name);

}  // namespace attnscope
