#include "core/attention/position_bias.h"

#include <limits>

namespace attnscope {

ReluNetwork::ReluNetwork(const std::vector<Unit>& units, double last)
{
    std::vector<double> knots{-std::numeric_limits<double>::infinity()};
    for (const Unit& unit : units)
        if (unit.weight != 0)
            knots.push_back(-unit.bias / unit.weight);
    std::sort(knots.begin(), knots.end());
    for (const double from : knots) {
        Piece piece{from, last, 0};
        for (const Unit& unit : units) {
            // Which units are on just right of the knot: those that turn on there or before, or turn off later.
            const double knot = -unit.bias / unit.weight;
            const bool on = unit.weight > 0 ? knot <= from : unit.weight < 0 ? knot > from : unit.bias > 0;
            piece.value += on ? unit.out * unit.bias : 0;
            piece.slope += on ? unit.out * unit.weight : 0;
        }
        m_pieces.push_back(piece);
    }
}

PositionBias::PositionBias(std::int64_t reach, const std::function<double(std::int64_t)>& g,
                           const std::function<double(std::int64_t)>& r, ReluNetwork f)
    : m_reach(reach), m_network(std::move(f))
{
    for (std::int64_t x = -reach; x <= reach; ++x)
        m_ofDistance.push_back(g(x));
    if (r)
        for (std::int64_t t = 0; t <= reach; ++t)
            m_ofPosition.push_back(r(t));
}

}  // namespace attnscope
