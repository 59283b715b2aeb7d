#include "core/theory/wide_average.h"

#include "core/theory/gauss_rules.h"
#include "core/theory/ln_gamma.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace attnscope {

namespace {

constexpr double reachOfKernels = 4.25;  ///< exp(-e^y) is below 1e-30 from here on
constexpr double nats = 2.5;             ///< a piece that sixteen nodes resolve
constexpr int ruleSize = 10;             ///< nodes in y where the law changes over 64 nats or more

/// Without a grid an average by the law's own nodes costs s times the width; from here on a window costs less.
constexpr double widestByNodes = 64;

double ein(double y)
{
    const double z = std::exp(y);
    if (y > 0)
        return y + std::numbers::egamma +
               (y < 7 ? boost::math::expint(1, z) : 0.0);  // E1(e^7) is 0 in double precision
    double term = 1, sum = 0;
    for (int k = 1; k < 24; ++k) {
        term *= -z / k;
        sum -= term / k;
    }
    return sum;
}

/// int_-inf^y t exp(t - e^t) dt; -gamma far to the right.
double integralOfEntropy(double y)
{
    if (y > 0)
        return -std::numbers::egamma - (y < 7 ? boost::math::expint(1, std::exp(y)) + y * std::exp(-std::exp(y)) : 0.0);
    return -y * std::expm1(-std::exp(y)) - ein(y);
}

/// Gauss rule for the density exp(a y - e^y) / Gamma(a) of y = ln Gamma(a), from its moments on a fine grid (the
/// trapezoid rule converges exponentially there) by Stieltjes' procedure.
std::vector<Node> logGammaRule(double a)
{
    const double spread = 1 / std::sqrt(a) + 1 / a, h = 0.05 * std::min(1.0, spread), low = std::log(a) - 40 * spread;
    const auto count = static_cast<Eigen::Index>(std::ceil((std::max(std::log(a), 0.0) + reachOfKernels - low) / h));
    Eigen::ArrayXd y = Eigen::ArrayXd::LinSpaced(count, low, low + h * static_cast<double>(count - 1));
    const Eigen::ArrayXd density = h * (a * y - y.exp() - lnGamma(a)).exp();
    Eigen::ArrayXd before = Eigen::ArrayXd::Zero(count), p = Eigen::ArrayXd::Ones(count);
    std::vector<double> diagonal, square;
    double normBefore = 1;
    for (int k = 0; k < ruleSize; ++k) {
        const double norm = (density * p * p).sum(), middle = (density * y * p * p).sum() / norm;
        square.push_back(k == 0 ? 0 : norm / normBefore);
        diagonal.push_back(middle);
        const Eigen::ArrayXd next = (y - middle) * p - square.back() * before;
        before = p;
        p = next;
        normBefore = norm;
    }
    return gaussOf(diagonal, square);
}

/// The law of -x.
LogitLaw mirrored(const LogitLaw& law)
{
    LogitLaw mirror = law;
    std::swap(mirror.lower, mirror.upper);
    mirror.lower = -mirror.lower;
    mirror.upper = -mirror.upper;
    mirror.mean = -law.mean;
    mirror.above = [above = law.above](double x) { return 1 - above(-x); };
    mirror.piece = [piece = law.piece](double from, double to, std::vector<Node>& nodes) {
        piece(-to, -from, nodes);
        for (Node& node : nodes)
            node.x = -node.x;
    };
    for (double& atom : mirror.atoms)
        atom = -atom;
    return mirror;
}

}  // namespace

bool WideAverage::serves(const LogitLaw& law, double s)
{
    const double size = std::abs(s), width = size * (law.upper - law.lower);
    if (law.normal)
        return size > widestByNodes;
    if (law.uniform)
        return width > widestByNodes / 4;
    // far out, where many keys have their largest logit, a grid sees the end of a law only as well as its density
    // vanishes there
    const bool grid = size >= law.gridFrom && law.variance < 1.0 / 32;
    return law.piece && !grid && width > (law.atoms.empty() ? 6 : 1) * widestByNodes;
}

WideAverage::WideAverage(const LogitLaw& law, double s, int refine, double low)
    : m_law(s < 0 ? mirrored(law) : law), m_s(std::abs(s)), m_low(low), m_piece(nats / refine),
      m_top(m_s * m_law.upper), m_width(m_s * (m_law.upper - m_law.lower))
{
    if (law.normal) {
        static const std::vector<Node> rule = logGammaRule(1);
        m_rule = rule;
    }
}

std::vector<double> WideAverage::features() const
{
    if (m_law.normal)
        return {};
    if (m_law.atoms.empty())
        return {0, m_width};
    std::vector<double> places;
    for (const double x : m_law.atoms)
        places.push_back(m_s * (m_law.upper - x));
    std::sort(places.begin(), places.end());
    return places;
}

double WideAverage::scale() const
{
    return m_law.atoms.empty() ? m_s * std::sqrt(m_law.variance) : std::numeric_limits<double>::infinity();
}

/// Over the x whose y lies from m_low to reachOfKernels, piece by piece from the top.
template <class Kernel>
double WideAverage::sumInWindow(double v, Kernel kernel) const
{
    const double bottom = std::max(m_low, v - m_width);
    double sum = 0;
    std::vector<Node> nodes;
    for (double to = std::min(reachOfKernels, v); to > bottom;) {
        const bool last = !m_law.atoms.empty() || to - m_piece <= bottom;
        const double from = last ? bottom : to - m_piece;
        const auto x = [&](double y) { return m_law.upper + (y - v) / m_s; };
        nodes.clear();
        m_law.piece(from <= v - m_width ? -std::numeric_limits<double>::infinity() : x(from),
                    to >= v ? std::numeric_limits<double>::infinity() : x(to), nodes);
        for (const Node& node : nodes)
            sum += node.weight * kernel(v + m_s * (node.x - m_law.upper));
        to = from;
    }
    return sum;
}

LawAverage::Point WideAverage::at(double v) const
{
    if (m_law.uniform) {
        const double bottom = v - m_width;
        return {(ein(v) - ein(bottom)) / m_width, (integralOfEntropy(v) - integralOfEntropy(bottom)) / m_width};
    }
    LawAverage::Point point;
    if (m_law.normal) {
        for (const Node& node : m_rule) {
            const double x = m_law.upper + (node.x - v) / m_s;
            point.missing += node.weight * m_law.above(x);
            point.entropy += node.weight * node.x * m_law.density(x) / m_s;
        }
        return point;
    }
    point.entropy = sumInWindow(v, [&](double y) {
        const double e = std::exp(y);
        return y * e * std::exp(-e);
    });
    point.missing = sumInWindow(v, [](double y) { return -std::expm1(-std::exp(y)); });
    if (v > reachOfKernels)
        point.missing += m_law.above(m_law.upper + (reachOfKernels - v) / m_s);
    return point;
}

Eigen::ArrayXd WideAverage::powers(const Eigen::ArrayXd& v, double a) const
{
    const std::vector<Node> rule = m_law.normal ? logGammaRule(a) : std::vector<Node>{};
    const double logGamma = lnGamma(a);
    return v.unaryExpr([&](double at) {
        if (m_law.uniform)
            return (boost::math::gamma_p(a, std::exp(std::min(at, 700.0))) -
                    boost::math::gamma_p(a, std::exp(std::min(at - m_width, 700.0)))) /
                   m_width;
        double sum = 0;
        for (const Node& node : rule)
            sum += node.weight * m_law.density(m_law.upper + (node.x - at) / m_s) / m_s;
        return m_law.normal ? sum : sumInWindow(at, [&](double y) { return std::exp(a * y - std::exp(y) - logGamma); });
    });
}

}  // namespace attnscope
