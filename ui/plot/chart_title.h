#pragma once
// Room around a chart's frame. Where a chart's letter and title stand: above the frame, the title from the frame's left
// edge on or after the letter, over several lines where one is too short for it.

#include "ui/plot/chart.h"
#include "ui/plot/typeset.h"

namespace attnscope {

struct ChartTitle {
    double left = 0;  ///< of the lines
    std::vector<Typeset> lines;
    double height = 0;  ///< of letter and lines together; 0: there is neither
    double step = 0;    ///< from line to line
};
ChartTitle chartTitle(const ChartSpec&, const PlotStyle&, const ChartLayout&);

/// What stands above the frame: letter, title, and a little air.
double roomAbove(const ChartSpec&, const PlotStyle&, const ChartLayout&);

/// What an abscissa's labels take below their ticks.
double heightBelow(const Ticks& abscissa, const QFont&);

}  // namespace attnscope
