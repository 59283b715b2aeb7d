#include "core/tuning/line_search.h"

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace attnscope {

namespace {

struct LinePoint {
    double x = 0, value = std::numeric_limits<double>::infinity();
};

/// The best point of [from, to]. A library that minimises knows no errors: after one, nothing more is asked.
Result<LinePoint> minimum(double from, double to, int bits, const LineFunction& value)
{
    constexpr std::uintmax_t most = 24;
    std::optional<Error> error;
    LinePoint best;
    const double width = to - from;
    std::uintmax_t asked = most;
    boost::math::tools::brent_find_minima(
        [&](double u) {
            if (error)
                return 0.0;
            const double x = from + width * u;
            const Result<double> found = value(x, true);
            if (!found) {
                error = found.error();
                return 0.0;
            }
            if (*found < best.value)
                best = {x, *found};
            return std::isfinite(*found) ? *found : 1e9;
        },
        0.0, 1.0, bits, asked);
    if (error)
        return tl::unexpected(*error);
    return best;
}

}  // namespace

Result<double> minimise(const Line& line, const LineFunction& value)
{
    const double step = (line.to - line.from) / (line.points - 1);
    std::vector<LinePoint> points;
    const auto look = [&](double x) -> Result<LinePoint> {
        return value(x, false).map([&](double found) { return LinePoint{x, found}; });
    };
    for (int i = 0; i < line.points; ++i)
        points.push_back(TRY(look(line.from + i * step)));
    auto best = std::ranges::min_element(points, {}, &LinePoint::value);
    while (best == points.begin() && points.front().x - step >= line.least - 1e-9) {
        points.insert(points.begin(), TRY(look(points.front().x - step)));
        best = std::ranges::min_element(points, {}, &LinePoint::value);
    }
    while (best == std::prev(points.end()) && points.back().x + step <= line.most + 1e-9) {
        points.push_back(TRY(look(points.back().x + step)));
        best = std::ranges::min_element(points, {}, &LinePoint::value);
    }
    double centre = best->x;
    LinePoint found{centre};
    for (int moved = 0; moved < 4; ++moved) {  // few windows may have led astray: then the best lies at an end
        const double from = std::max(centre - step, line.least), to = std::min(centre + step, line.most);
        const LinePoint here = TRY(minimum(from, to, line.bits, value));
        if (!(here.value < found.value))
            break;
        found = here;
        const double edge = 0.03 * (to - from);
        const bool low = here.x - from < edge && from > line.least + 1e-9,
                   high = to - here.x < edge && to < line.most - 1e-9;
        if (!low && !high)
            break;
        centre = here.x;
    }
    return found.x;
}

}  // namespace attnscope
