#include "ui/plot/mask_edges.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

std::vector<QLineF> edgesOfMask(const PooledMap& map)
{
    std::vector<QLineF> edges;
    const Region& of = map.region;
    const double high = double(of.rowEnd - of.rowBegin) / std::max(1, map.rows),
                 wide = double(of.columnEnd - of.columnBegin) / std::max(1, map.columns);
    const auto place = [&](int row, int column) {
        return QPointF(double(of.columnBegin) + column * wide, double(of.rowBegin) + row * high);
    };
    const auto seen = [&](int row, int column) { return std::isfinite(map.at(row, column)); };
    const auto along = [&](int across, int cells, const auto& differs, const auto& placeOf) {
        for (int line = 1; line < across; ++line)
            for (int from = 0; from < cells; ++from) {
                int to = from;
                while (to < cells && differs(line, to))
                    ++to;
                if (to > from)
                    edges.emplace_back(placeOf(line, from), placeOf(line, to));
                from = to;
            }
    };
    along(
        map.rows, map.columns, [&](int row, int column) { return seen(row, column) != seen(row - 1, column); }, place);
    along(
        map.columns, map.rows, [&](int column, int row) { return seen(row, column) != seen(row, column - 1); },
        [&](int column, int row) { return place(row, column); });
    return edges;
}

}  // namespace attnscope
