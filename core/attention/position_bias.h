#pragma once
// What positions add to a logit after scale and soft-cap, for a query at position t and the key at j, in nats:
//
//   b(t, j) = f(g(t - j) r(t))
//
//   Kerple   g(x) = -r1 ln(1 + r2 |x|), or -r1 |x|^r2                     Chi et al. 2022
//   T5       g(x) = the number of the bucket that x falls into            Raffel et al. 2020, section 2.1
//   FIRE     g(x) = psi(|x|), psi(x) = ln(1 + c x),                       Li et al. 2024
//            r(t) = 1 / psi(max(L, t)), f a network of one input
//
// g and r are tables, so that no logarithm stands in a loop over the keys. ALiBi's g is a straight line and needs none:
// it is the one slope that every tile knows (positions.h).

#include "core/base/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace attnscope {

/// f(u) = sum over h of out_h max(0, weight_h u + bias_h), plus `last`: piece by piece a straight line.
class ReluNetwork {
public:
    struct Unit {
        double weight = 0, bias = 0, out = 0;
    };
    ReluNetwork() = default;
    ReluNetwork(const std::vector<Unit>& units, double last);

    double operator()(double u) const
    {
        const auto after = std::upper_bound(m_pieces.begin(), m_pieces.end(), u,
                                            [](double x, const Piece& piece) { return x < piece.from; });
        const Piece& piece = *(after == m_pieces.begin() ? after : after - 1);
        return piece.value + piece.slope * u;
    }
    bool empty() const { return m_pieces.empty(); }

private:
    struct Piece {
        double from, value, slope;  ///< value + slope u from u = `from` to the next piece
    };
    std::vector<Piece> m_pieces;
};

class PositionBias {
public:
    /// For positions and keys below `reach`; positions may be as far below 0. Without r it is 1, and below t = 0 it is
    /// r(0); without a network f(u) = u.
    PositionBias(std::int64_t reach, const std::function<double(std::int64_t x)>& g,
                 const std::function<double(std::int64_t t)>& r = {}, ReluNetwork f = {});

    double operator()(std::int64_t position, std::int64_t key) const
    {
        const double r =
            m_ofPosition.empty() ? 1 : m_ofPosition[static_cast<std::size_t>(std::max<std::int64_t>(position, 0))];
        const double u = r * m_ofDistance[static_cast<std::size_t>(m_reach + position - key)];
        return m_network.empty() ? u : m_network(u);
    }

    std::size_t bytes() const { return (m_ofDistance.size() + m_ofPosition.size()) * sizeof(double); }

private:
    std::int64_t m_reach;
    std::vector<double> m_ofDistance;  ///< g(x) at m_reach + x
    std::vector<double> m_ofPosition;  ///< r(t); empty: 1
    ReluNetwork m_network;
};

}  // namespace attnscope
