#include "core/theory/phi_table.h"

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

/// About where w lies: -E ln Z, by the mean field or, beyond the freezing line, by the largest logit. Only a place to start.
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

}  // namespace

PhiTable::PhiTable(const LogitLaw& law, double s, const double* needle, double first, double last, int refine, double order)
    : m_average(law, s, refine, lowestLogit(last, order)), m_order(order), m_hasNeedle(needle != nullptr)
{
    // w of n frozen normal logits is as wide as s / sqrt(2 ln n), and so is the step that resolves it
    if (law.normal && order >= 1 && !needle)
        m_stride = std::max<Index>(1, static_cast<Index>(s / std::sqrt(2 * std::log(last) + 1)));
    m_step = m_average.step() * static_cast<double>(m_stride);

    std::deque<double> logPhi, entropy;
    const double keysLie = middle(law, s, last), start = needle ? std::min(keysLie, -*needle) : keysLie;
    Index begin = static_cast<Index>(std::floor(start / m_step)), end = begin;  // in strides
    const double keys = needle ? first - 1 : first;
    const auto point = [&](Index k) { return m_average.at(k * m_stride); };
    const auto u = [&](Index k) { return static_cast<double>(k) * m_step; };
    for (bool alive = true; alive; ++end) {
        const LawAverage::Point at = point(end);
        logPhi.push_back(logOfPhi(at.missing));
        entropy.push_back(at.entropy);
        // phi^keys is dead; where keys may be 0, only the needle kills
        const bool keysDead = -logPhi.back() * keys > dead || logPhi.back() == logPhiFloor || u(end) + std::min(s * law.lower, s * law.upper) > 4.25;
        const bool needleDead = needle && u(end) + *needle > 4.25;
        alive = !needleDead && !(keysDead && (!needle || keys >= 1));
    }
    for (bool massLeft = true; massLeft;) {
        const LawAverage::Point at = point(--begin);
        logPhi.push_front(logOfPhi(at.missing));
        entropy.push_front(at.entropy);
        const bool needleLeft = needle && u(begin) + *needle > -leftOut / order;
        massLeft = needleLeft || order * std::log(last * at.missing) > -leftOut;
    }

    m_firstIndex = begin * m_stride;
    const Index count = static_cast<Index>(logPhi.size());
    m_u = ArrayXd::LinSpaced(count, u(begin), u(end - 1));
    m_logPhi.resize(count);
    m_entropy.resize(count);
    std::copy(logPhi.begin(), logPhi.end(), m_logPhi.data());
    std::copy(entropy.begin(), entropy.end(), m_entropy.data());
    if (needle) {
        m_needleY = m_u + *needle;
        m_needleE = m_needleY.exp();
    }
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
        return m_step * w.keys * (w.weight * column.segment(w.from, w.count)).sum();
    return m_step * w.keys * (w.weight * (-m_logPhi).exp() * column).sum();
}

double PhiTable::freeEnergy(double n) const
{
    const Slice w = slice(n);
    const double survival = m_hasNeedle ? w.weight.sum() : (w.weight * m_logPhi.segment(w.from, w.count).exp()).sum();
    return -euler - (m_u[w.from] + m_step * (survival - 0.5));  // -gamma - E w; w > u is sure at the first node
}

double PhiTable::entropy(double n) const
{
    const Slice w = slice(n);
    const double keys = sumOverKeys(w, m_entropy);
    return -euler - keys - (m_hasNeedle ? m_step * (w.weight * m_needleY * m_needleE).sum() : 0);
}

double PhiTable::needleWeight(double n) const
{
    return m_hasNeedle ? m_step * (slice(n).weight * m_needleE).sum() : 0;
}

ArrayXd PhiTable::powerColumn(double a) const
{
    const double logGamma = std::lgamma(a);
    return m_average.column(m_firstIndex, m_stride, m_u.size(), [=](double y) { return std::exp(a * y - std::exp(y) - logGamma); });
}

double PhiTable::powerSum(double n, double a, const ArrayXd& column) const
{
    const Slice w = slice(n);
    return sumOverKeys(w, column) + (m_hasNeedle ? m_step * (w.weight * (a * m_needleY - std::lgamma(a)).exp()).sum() : 0);
}

}  // namespace attnscope
