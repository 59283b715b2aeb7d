#include "core/rows/entropy_root.h"

#include "core/base/choice.h"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double smallest = 0x1p-20, largest = 0x1p20;
constexpr double tolerance = 1e-7;    ///< of m, relative
constexpr double sameEntropy = 1e-9;  ///< nats; far below what float32's sums tell apart

/// Looks for a change of sign of H(m) - target, and then for where it is.
class Search {
public:
    Search(double target, const std::function<Result<double>(double m)>& entropy) : m_target(target), m_entropy(entropy)
    {
    }

    Result<EntropyRoot> operator()()
    {
        const Point one = TRY(at(1));
        if (one.excess == 0)
            return found(1);
        // Where the entropy falls with m the root is above 1 for too much of it, and below for too little.
        const bool upFirst = one.excess > 0;
        for (const bool up : {upFirst, !upFirst}) {
            const auto bracket = TRY(walk(one, up));
            if (bracket)
                return within(bracket->first, bracket->second);
            if (m_any && m_root.most - m_root.least <= sameEntropy)
                break;
        }
        return m_root;
    }

private:
    struct Point {
        double m, excess;
    };
    /// Does it cross the target between the two? Where either has no entropy nothing is known.
    static bool crosses(const Point& from, const Point& to)
    {
        return !std::isnan(from.excess) && !std::isnan(to.excess) &&
               (to.excess == 0 || (to.excess > 0) != (from.excess > 0));
    }

    using Bracket = std::optional<std::pair<Point, Point>>;

    Result<Point> at(double m)
    {
        const double value = TRY(m_entropy(m));
        if (std::isfinite(value)) {
            m_root.least = m_any ? std::min(m_root.least, value) : value;
            m_root.most = m_any ? std::max(m_root.most, value) : value;
            m_any = true;
        }
        return Point{m, value - m_target};
    }

    EntropyRoot found(double m)
    {
        m_root.multiplier = m;
        return m_root;
    }

    /// From m = 1 to the end of one side; two steps that change nothing, once the entropy has moved or not, end it.
    Result<Bracket> walk(Point from, bool up)
    {
        if (!up) {  // most often one look at the end is enough
            const Point end = TRY(at(smallest));
            if (crosses(from, end))
                return Bracket({end, from});
        }
        const double step = up ? 2 : 0.25;
        int still = 0;
        for (Point before = from;;) {
            const double m = before.m * step;
            if (m > largest || m < smallest)
                return Bracket();
            const Point here = TRY(at(m));
            if (crosses(before, here))
                return up ? Bracket({before, here}) : Bracket({here, before});
            still = std::abs(here.excess - before.excess) <= sameEntropy ? still + 1 : 0;
            if (std::isnan(here.excess) || still == 3)
                return Bracket();
            before = here;
        }
    }

    Result<EntropyRoot> within(Point low, Point high)
    {
        for (const Point& end : {low, high})
            if (end.excess == 0)
                return found(end.m);
        Result<double> stopped = 0.0;  // an error ends the search: a zero is what the solver stops at
        const auto excess = [&](double m) {
            const Result<double> here = m_entropy(m);
            if (!here)
                stopped = here;
            return here ? *here - m_target : 0;
        };
        std::uintmax_t steps = 60;
        const auto [a, b] = boost::math::tools::toms748_solve(
            excess, low.m, high.m, low.excess, high.excess,
            [&](double x, double y) { return std::abs(x - y) <= tolerance * std::abs(x + y); }, steps);
        if (!stopped)
            return tl::unexpected(stopped.error());
        return found(0.5 * (a + b));
    }

    double m_target;
    const std::function<Result<double>(double m)>& m_entropy;
    EntropyRoot m_root;
    bool m_any = false;
};

}  // namespace

std::string EntropyRoot::why(double target) const
{
    const std::string wanted = "gives " + formatNumber(target, 5) + " nats: ";
    if (most - least <= sameEntropy)
        return wanted + "every one gives " + formatNumber(least, 5) + ", the entropy does not depend on it";
    return wanted + "they give " + formatNumber(least, 5) + " to " + formatNumber(most, 5);
}

Result<EntropyRoot> entropyRoot(double target, const std::function<Result<double>(double m)>& entropy)
{
    return Search(target, entropy)();
}

}  // namespace attnscope
