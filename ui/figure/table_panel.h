#pragma once
// A table of published numbers: a rule above and below and one under the headings, the rows' names at the left, numbers
// centred under their headings.

#include "ui/figure/figure_content.h"
#include "ui/plot/plot_style.h"

#include <QMarginsF>
#include <QRectF>

namespace attnscope {

QMarginsF tableMargins(const Panel&, const PlotStyle&);
double tableHeight(const TableContent&, const PlotStyle&);
void paintTable(QPainter&, const TableContent&, const PlotStyle&, const QRectF& frame);

}  // namespace attnscope
