#include "ui/plot/axis_numbers.h"

#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

std::vector<AxisNumber> axisNumbers(std::int64_t first, std::int64_t last, double side, const QFontMetricsF& metrics)
{
    constexpr double usual = 55;  // pixels a number
    const double air = metrics.averageCharWidth();
    const auto numberAt = [&](double at) {
        const QString text = countText(at);
        const double width = metrics.horizontalAdvance(text);
        const double from = (at - double(first)) / double(last - first) * side - width / 2;
        const double inside = std::clamp(from, 0.0, std::max(0.0, side - width));
        return AxisNumber{at, inside, inside + width, text};
    };
    if (first >= last)
        return {};
    std::vector<AxisNumber> numbers{numberAt(double(first))};
    const AxisNumber end = numberAt(double(last));
    const int room = std::max(2, static_cast<int>(side / usual));
    for (const Tick& tick : chooseTicks(double(first), double(last), false, TickText::Whole, room).major)
        if (AxisNumber next = numberAt(tick.at); next.from > numbers.back().to + air && next.to + 2.5 * air < end.from)
            numbers.push_back(std::move(next));
    numbers.push_back(end);
    return numbers;
}

}  // namespace attnscope
