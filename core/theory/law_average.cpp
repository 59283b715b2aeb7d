#include "core/theory/law_average.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;

constexpr double usualLow = -76;
constexpr double high = 4.25;  ///< exp(-e^y) is below 1e-30 from here on

double stepOf(int refine) { return gridStep / refine; }

/// The tables are constants of the program; only integrals of low powers of p need longer ones.
std::shared_ptr<const KernelGrid> kernelGrid(int refine, double low)
{
    static const std::shared_ptr<const KernelGrid> usual[] = {std::make_shared<const KernelGrid>(stepOf(1), usualLow),
                                                              std::make_shared<const KernelGrid>(stepOf(2), usualLow),
                                                              std::make_shared<const KernelGrid>(stepOf(4), usualLow)};
    if (low >= usualLow && refine <= 4 && refine != 3)
        return usual[refine / 2];
    return std::make_shared<const KernelGrid>(stepOf(refine), low);
}

/// a . p and b . p, with enough independent sums to keep the adders busy.
std::pair<double, double> dots(const double* a, const double* b, const double* p, Index count)
{
    using Block = Eigen::Array<double, 8, 1>;
    const auto load = [](const double* from) { return Eigen::Map<const Block>(from); };
    Block sumA = Block::Zero(), sumB = Block::Zero();
    Index k = 0;
    for (; k + 8 <= count; k += 8) {
        sumA += load(a + k) * load(p + k);
        sumB += load(b + k) * load(p + k);
    }
    double restA = 0, restB = 0;
    for (; k < count; ++k) {
        restA += a[k] * p[k];
        restB += b[k] * p[k];
    }
    return {sumA.sum() + restA, sumB.sum() + restB};
}

}  // namespace

KernelGrid::KernelGrid(double spacing, double low)
    : h(spacing), lowest(static_cast<Index>(std::floor(low / h))), highest(static_cast<Index>(std::ceil(high / h))),
      missing(highest - lowest + 1), entropy(highest - lowest + 1)
{
    for (Index j = lowest; j <= highest; ++j) {
        const double y = h * static_cast<double>(j), e = std::exp(y);
        missing[j - lowest] = -std::expm1(-e);
        entropy[j - lowest] = y * e * std::exp(-e);
    }
}

LawAverage::LawAverage(const LogitLaw& law, double s, int refine, double low) : m_h(stepOf(refine))
{
    if (s < law.gridFrom) {
        const std::vector<Node> nodes = law.rule(s, refine);
        m_offset.resize(static_cast<Index>(nodes.size()));
        m_weight.resize(m_offset.size());
        for (Index k = 0; k < m_offset.size(); ++k) {
            m_offset[k] = s * nodes[static_cast<size_t>(k)].x;
            m_weight[k] = nodes[static_cast<size_t>(k)].weight;
        }
        m_weight /= m_weight.sum();
        return;
    }
    m_kernels = kernelGrid(refine, low);
    m_low = std::max(m_kernels->lowest, static_cast<Index>(std::floor(low / m_h)));
    m_lower = static_cast<Index>(std::ceil(s * law.lower / m_h));
    m_upper = static_cast<Index>(std::floor(s * law.upper / m_h));
    m_density.resize(m_upper - m_lower + 1);
    m_tail.resize(m_density.size() + 1);
    for (Index m = m_lower; m <= m_upper; ++m)
        m_density[m - m_lower] = m_h / s * law.density(m_h * static_cast<double>(m) / s);
    m_density /= m_density.sum();
    m_tail[m_density.size()] = 0;
    for (Index m = m_density.size() - 1; m >= 0; --m)
        m_tail[m] = m_tail[m + 1] + m_density[m];
}

/// The j that node i sees: kernel entries from `kernel`, density entries from `density`, `count` of each.
struct LawAverage::Window {
    Index kernel, density, count;
};

LawAverage::Window LawAverage::window(Index i) const
{
    const Index from = std::max(m_low, i + m_lower), to = std::min(m_kernels->highest, i + m_upper);
    return {from - m_kernels->lowest, from - i - m_lower, std::max<Index>(0, to - from + 1)};
}

LawAverage::Point LawAverage::at(Index i) const
{
    if (m_kernels) {
        const Window w = window(i);
        if (w.count == 0)
            return {i + m_lower > m_kernels->highest ? 1.0 : 0.0, 0};
        const auto [missing, entropy] = dots(m_kernels->missing.data() + w.kernel, m_kernels->entropy.data() + w.kernel,
                                             m_density.data() + w.density, w.count);
        const Index beyond = std::clamp<Index>(m_kernels->highest + 1 - i - m_lower, 0, m_density.size());
        return {missing + m_tail[beyond], entropy};
    }
    const ArrayXd y = (m_offset + m_h * static_cast<double>(i)).min(high), e = y.exp();
    return {-((-e).expm1() * m_weight).sum(), (y * e * (-e).exp() * m_weight).sum()};
}

ArrayXd LawAverage::column(Index first, Index stride, Index count, const std::function<double(double)>& k) const
{
    ArrayXd out(count);
    if (!m_kernels) {
        for (Index node = 0; node < count; ++node)
            out[node] = ((m_offset + m_h * static_cast<double>(first + node * stride)).unaryExpr(k) * m_weight).sum();
        return out;
    }
    Eigen::VectorXd kernel(m_kernels->missing.size());
    for (Index j = 0; j < kernel.size(); ++j)
        kernel[j] = k(m_h * static_cast<double>(j + m_kernels->lowest));
    for (Index node = 0; node < count; ++node) {
        const Window w = window(first + node * stride);
        out[node] = w.count == 0 ? 0 : kernel.segment(w.kernel, w.count).dot(m_density.segment(w.density, w.count));
    }
    return out;
}

}  // namespace attnscope
