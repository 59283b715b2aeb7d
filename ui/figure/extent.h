#pragma once
// From where to where numbers reach.

#include "ui/plot/chart.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attnscope {

/// The least and the largest of what it took; NaN and infinity are passed over.
struct Extent {
    double low = HUGE_VAL, high = -HUGE_VAL;

    bool any() const { return low <= high; }
    void take(double value)
    {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Of all points with what they may be off by.
inline void takeOrdinates(Extent& extent, std::span<const ChartSeries> lines)
{
    for (const ChartSeries& series : lines)
        for (const ChartPoint& point : series.points)
            for (const double y : {point.y, point.low, point.high})
                extent.take(y);
}

}  // namespace attnscope
