#include "ui/views/region_motion.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

struct Span {
    std::int64_t begin, end;
};

/// [begin, begin + extent) pushed inside the whole.
Span inside(double begin, std::int64_t extent, Span whole)
{
    const auto first = std::clamp<std::int64_t>(std::llround(begin), whole.begin, whole.end - extent);
    return {first, first + extent};
}

Span zoomedSpan(Span shown, Span whole, double factor, double about)
{
    const double extent = double(shown.end - shown.begin);
    const std::int64_t most = whole.end - whole.begin;
    const auto wanted = std::clamp<std::int64_t>(std::llround(extent / factor), std::min(closestCells, most), most);
    const double share = std::clamp((about - double(shown.begin)) / extent, 0.0, 1.0);
    return inside(about - share * double(wanted), wanted, whole);
}

}  // namespace

Region wholeRegion(std::int64_t queries, std::int64_t keys) { return {0, queries, 0, keys}; }

Region zoomedRegion(const Region& shown, const Region& whole, double factor, QPointF about)
{
    const Span rows = zoomedSpan({shown.rowBegin, shown.rowEnd}, {whole.rowBegin, whole.rowEnd}, factor, about.y());
    const Span columns =
        zoomedSpan({shown.columnBegin, shown.columnEnd}, {whole.columnBegin, whole.columnEnd}, factor, about.x());
    return {rows.begin, rows.end, columns.begin, columns.end};
}

Region pannedRegion(const Region& shown, const Region& whole, QPointF by)
{
    const Span rows =
        inside(double(shown.rowBegin) + by.y(), shown.rowEnd - shown.rowBegin, {whole.rowBegin, whole.rowEnd});
    const Span columns = inside(double(shown.columnBegin) + by.x(), shown.columnEnd - shown.columnBegin,
                                {whole.columnBegin, whole.columnEnd});
    return {rows.begin, rows.end, columns.begin, columns.end};
}

}  // namespace attnscope
