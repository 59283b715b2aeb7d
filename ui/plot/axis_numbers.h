#pragma once
// The numbers beside a side of a map, from its first cell to the end of its last: both ends always, each inside the
// side, and round numbers between them where there is room.

#include <QFontMetricsF>
#include <QString>

#include <cstdint>
#include <vector>

namespace attnscope {

struct AxisNumber {
    double at = 0;            ///< the value
    double from = 0, to = 0;  ///< where its text stands along the side, pixels from the first cell's edge
    QString text;
};

std::vector<AxisNumber> axisNumbers(std::int64_t first, std::int64_t last, double side, const QFontMetricsF& metrics);

}  // namespace attnscope
