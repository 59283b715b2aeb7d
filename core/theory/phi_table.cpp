#include "core/theory/phi_table.h"

#include "core/theory/gauss_rules.h"
#include "core/theory/ln_gamma.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

namespace attnscope {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;

constexpr double euler = std::numbers::egamma;
constexpr double leftOut = 33;  ///< at the left end, e^-33 of the mass of w
constexpr double dead = 37;     ///< at the right end, P(w > u) = e^-37
constexpr double logPhiFloor = -45;
constexpr double allDead = 4.25;  ///< e^-(e^4.25) is below 1e-30

/// About where w lies: -E ln Z, by the mean field or, beyond the freezing line, by the largest logit. Only a place to
/// start.
double middle(const LogitLaw& law, double s, double n)
{
    const double sigma = s * std::sqrt(law.variance), frozen = std::sqrt(2 * std::log(n));
    const double spread = sigma < frozen ? std::log(n) + sigma * sigma / 2 : sigma * frozen;
    return -std::min(s * law.mean + spread, std::log(n) + s * law.upper);
}

/// 1 - phi is known to about 1e-15: a smaller phi counts as 0.
double logOfPhi(double missing) { return missing < 1 - 1e-15 ? std::log1p(-missing) : logPhiFloor; }

/// Kernels reach as far below 0 as n keys of tiny weight do together.
double lowestLogit(double last, double order) { return -(std::log(last) + leftOut + 8) / order; }

/// Where `holds`, which is false at low and true at high, begins to be true, to within a nat.
template <class Holds>
double firstWhere(double low, double high, Holds holds)
{
    while (high - low > 1) {
        const double between = low + (high - low) / 2;
        (holds(between) ? high : low) = between;
    }
    return high;
}

/// The ends of panels from begin to end: `fine` nats wide within `reach` before a feature and a little after it;
/// elsewhere half as wide as a feature is far, and no wider than `widest`.
std::vector<double> panelEnds(double begin, double end, const std::vector<double>& features, double reach, double fine,
                              double widest)
{
    constexpr double afterwards = 6;
    std::vector<double> ends{begin};
    auto next = features.begin();    // the first feature whose zone is not over
    double zoneEnd = begin - reach;  // of the zone before
    for (double at = begin; at < end;) {
        for (; next != features.end() && *next + afterwards <= at; ++next)
            zoneEnd = std::max(zoneEnd, *next + afterwards);
        const double zoneBegin = next == features.end() ? end + 2 * widest : *next - reach;
        double size = fine;
        if (at < zoneBegin)
            size = std::min(
                {std::max(fine, (at - zoneEnd) / 2), std::max(fine, (zoneBegin - at) / 2), std::max(fine, widest)});
        at = std::min(end, at + size);
        ends.push_back(at);
    }
    return ends;
}

ArrayXd arrayOf(const std::vector<double>& values)
{
    return Eigen::Map<const ArrayXd>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

PhiTable::PhiTable(const LogitLaw& law, double s, const double* needle, double first, double last, int refine,
                   double order)
    : m_order(order), m_hasNeedle(needle != nullptr)
{
    const double lowest = lowestLogit(last, order);
    if (WideAverage::serves(law, s)) {
        m_wide = std::make_shared<const WideAverage>(law, s, refine, lowest);
        m_origin = m_wide->top();
    } else {
        m_average = std::make_shared<LawAverage>(law, s, refine, lowest);
    }
    const double needlePlace = needle ? *needle - m_origin : 0;
    const double* const place = needle ? &needlePlace : nullptr;
    const Nodes nodes = m_wide ? inPanels(place, first, last, refine) : evenly(law, s, place, first, last);
    m_u = arrayOf(nodes.u);
    m_weight = arrayOf(nodes.weight);
    m_logPhi = arrayOf(nodes.logPhi);
    m_entropy = arrayOf(nodes.entropy) * m_weight;
    m_before.resize(m_weight.size());
    double before = 0;
    for (Index k = 0; k < m_weight.size(); ++k) {
        m_before[k] = before;
        before += m_weight[k];
    }
    if (needle) {
        m_needleY = m_u + needlePlace;
        m_needleE = m_needleY.exp();
    }
}

PhiTable::Nodes PhiTable::evenly(const LogitLaw& law, double s, const double* needle, double first, double last)
{
    // w of n frozen normal logits is as wide as s / sqrt(2 ln n), and so is the step that resolves it
    if (law.normal && m_order >= 1 && !needle)
        m_stride = std::max<Index>(1, static_cast<Index>(s / std::sqrt(2 * std::log(last) + 1)));
    const double step = m_average->step() * static_cast<double>(m_stride);

    std::deque<double> logPhi, entropy;
    const double keysLie = middle(law, s, last), start = needle ? std::min(keysLie, -*needle) : keysLie;
    Index begin = static_cast<Index>(std::floor(start / step)), end = begin;  // in strides
    const double keys = needle ? first - 1 : first;
    const auto point = [&](Index k) { return m_average->at(k * m_stride); };
    const auto u = [&](Index k) { return static_cast<double>(k) * step; };
    for (bool alive = true; alive; ++end) {
        const LawAverage::Point at = point(end);
        logPhi.push_back(logOfPhi(at.missing));
        entropy.push_back(at.entropy);
        // phi^keys is dead; where keys may be 0, only the needle kills
        const bool keysDead = -logPhi.back() * keys > dead || logPhi.back() == logPhiFloor ||
                              u(end) + std::min(s * law.lower, s * law.upper) > allDead;
        const bool needleDead = needle && u(end) + *needle > allDead;
        alive = !needleDead && !(keysDead && (!needle || keys >= 1));
    }
    for (bool massLeft = true; massLeft;) {
        const LawAverage::Point at = point(--begin);
        logPhi.push_front(logOfPhi(at.missing));
        entropy.push_front(at.entropy);
        const bool needleLeft = needle && u(begin) + *needle > -leftOut / m_order;
        massLeft = needleLeft || m_order * std::log(last * at.missing) > -leftOut;
    }
    m_firstIndex = begin * m_stride;
    m_begin = u(begin) - step / 2;
    Nodes nodes{
        {}, std::vector<double>(logPhi.size(), step), {logPhi.begin(), logPhi.end()}, {entropy.begin(), entropy.end()}};
    for (Index k = begin; k < end; ++k)
        nodes.u.push_back(u(k));
    return nodes;
}

/// u is measured from the largest logit here, so no logit makes y larger than u.
PhiTable::Nodes PhiTable::inPanels(const double* needle, double first, double last, int refine)
{
    const double keys = needle ? first - 1 : first;
    const auto massLeft = [&](double u) {
        return (needle && u + *needle > -leftOut / m_order) ||
               m_order * std::log(last * m_wide->at(u).missing) > -leftOut;
    };
    const auto isDead = [&](double u) {
        const double logPhi = logOfPhi(m_wide->at(u).missing);
        const bool keysDead = -logPhi * keys > dead || logPhi == logPhiFloor || u - m_wide->width() > allDead;
        return (needle && u + *needle > allDead) || (keysDead && (!needle || keys >= 1));
    };
    const double beforeAll = lowestLogit(last, m_order), afterAll = m_wide->width() + allDead + 1;
    const double low = needle ? std::min(beforeAll, -*needle - leftOut / m_order - 1) : beforeAll;
    const double high = needle ? std::max(afterAll, -*needle + allDead + 1) : afterAll;
    m_begin = firstWhere(low, high, massLeft) - 1;
    const double end = firstWhere(m_begin, high, isDead);

    std::vector<double> features = m_wide->features();
    if (needle)
        features.insert(std::upper_bound(features.begin(), features.end(), -*needle), -*needle);
    constexpr double reach = 40, fine = 2.5, ofScale = 0.5;
    const std::vector<double> ends =
        panelEnds(m_begin, end, features, reach / m_order, fine / refine, ofScale / refine * m_wide->scale());
    static const std::vector<Node> legendre = gaussGegenbauer(16, 0);
    Nodes nodes;
    for (size_t panel = 0; panel + 1 < ends.size(); ++panel)
        for (const Node& node : legendre) {
            const double half = (ends[panel + 1] - ends[panel]) / 2;
            nodes.u.push_back(ends[panel] + half * (1 + node.x));
            nodes.weight.push_back(2 * half * node.weight);
            const LawAverage::Point at = m_wide->at(nodes.u.back());
            nodes.logPhi.push_back(logOfPhi(at.missing));
            nodes.entropy.push_back(at.entropy);
        }
    return nodes;
}

PhiTable::Slice PhiTable::slice(double n) const
{
    Slice w{0, m_logPhi.size(), m_hasNeedle ? n - 1 : n, {}};
    if (m_hasNeedle) {
        w.weight = (w.keys * m_logPhi - m_needleE).exp();
        return w;
    }
    if (m_order == 1) {  // log phi falls: bisection finds both ends
        const double* begin = m_logPhi.data();
        const double* end = begin + w.count;
        const double* left = std::partition_point(begin, end, [&](double l) { return -l * n < std::exp(-leftOut); });
        const double* right = std::partition_point(left, end, [&](double l) { return -l * n <= dead; });
        w.from = std::max<Index>(left - begin - 1, 0);
        w.count = right - begin - w.from;
    }
    w.weight = ((n - 1) * m_logPhi.segment(w.from, w.count)).exp();
    return w;
}

double PhiTable::sumOverKeys(const Slice& w, const ArrayXd& column) const
{
    if (!m_hasNeedle)
        return w.keys * (w.weight * column.segment(w.from, w.count)).sum();
    return w.keys * (w.weight * (-m_logPhi).exp() * column).sum();
}

double PhiTable::freeEnergy(double n) const
{
    const Slice w = slice(n);
    const auto weight = m_weight.segment(w.from, w.count);
    const double survival =
        m_hasNeedle ? (weight * w.weight).sum() : (weight * w.weight * m_logPhi.segment(w.from, w.count).exp()).sum();
    return m_origin - euler - (m_begin + m_before[w.from] + survival);  // -gamma - E w; w > u is sure before the slice
}

double PhiTable::entropy(double n) const
{
    const Slice w = slice(n);
    const double keys = sumOverKeys(w, m_entropy);
    return -euler - keys - (m_hasNeedle ? (m_weight * w.weight * m_needleY * m_needleE).sum() : 0);
}

double PhiTable::needleWeight(double n) const
{
    return m_hasNeedle ? (m_weight * slice(n).weight * m_needleE).sum() : 0;
}

ArrayXd PhiTable::powerColumn(double a) const
{
    if (m_wide)
        return m_weight * m_wide->powers(m_u, a);
    const double logGamma = lnGamma(a);
    return m_weight * m_average->column(m_firstIndex, m_stride, m_u.size(),
                                        [=](double y) { return std::exp(a * y - std::exp(y) - logGamma); });
}

double PhiTable::powerSum(double n, double a, const ArrayXd& column) const
{
    const Slice w = slice(n);
    return sumOverKeys(w, column) +
           (m_hasNeedle ? (m_weight * w.weight * (a * m_needleY - lnGamma(a)).exp()).sum() : 0);
}

}  // namespace attnscope
