#include "core/labs/eie/entropy_surface.h"

#include "core/theory/expected_row.h"

#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

constexpr Eigen::Index lengthNodes = 20, scaleNodes = 56;

/// Chebyshev nodes on [-1, 1]: cos(pi (k + 1/2) / count).
Eigen::ArrayXd nodes(Eigen::Index count)
{
    return (Eigen::ArrayXd::LinSpaced(count, 0.5, static_cast<double>(count) - 0.5) *
            (std::numbers::pi / static_cast<double>(count)))
        .cos();
}

/// T_k(x), one point a row.
Eigen::MatrixXd polynomials(const Eigen::ArrayXd& x, Eigen::Index count)
{
    Eigen::MatrixXd t(x.size(), count);
    t.col(0).setOnes();
    t.col(1) = x;
    for (Eigen::Index k = 2; k < count; ++k)
        t.col(k) = 2 * x * t.col(k - 1).array() - t.col(k - 2).array();
    return t;
}

/// T_k'(x) = k U_{k-1}(x).
Eigen::MatrixXd slopes(const Eigen::ArrayXd& x, Eigen::Index count)
{
    Eigen::MatrixXd u(x.size(), count);
    u.col(0).setZero();
    u.col(1).setOnes();
    for (Eigen::Index k = 2; k < count; ++k)
        u.col(k) = 2 * x * u.col(k - 1).array() - u.col(k - 2).array();
    for (Eigen::Index k = 2; k < count; ++k)
        u.col(k) *= static_cast<double>(k);
    return u;
}

/// Coefficients of the interpolant through values at the nodes: A such that series = A values.
Eigen::MatrixXd transform(Eigen::Index count)
{
    Eigen::MatrixXd a = polynomials(nodes(count), count).transpose() * (2.0 / static_cast<double>(count));
    a.row(0) /= 2;
    return a;
}

}  // namespace

Result<EntropySurface> EntropySurface::make(int d, double nMin, double nMax)
{
    const LogitDensity density = TRY(logitDensity("gaussian", d));
    if (!(nMin >= 1 && nMax > nMin && nMax <= 1e12))
        return failure(ErrorKind::InvalidArgument,
                       "the lengths of an entropy surface must rise, from 1 to 1e12 at most");
    EntropySurface surface;
    surface.m_half = 2 / std::sqrt(static_cast<double>(d));
    surface.m_lambdaMax = 12 / std::sqrt(static_cast<double>(d));
    surface.m_vMax = surface.m_lambdaMax / (surface.m_lambdaMax + surface.m_half);
    surface.m_logMin = std::log(nMin);
    surface.m_logMax = std::log(nMax);

    const Eigen::ArrayXd x = nodes(lengthNodes), y = nodes(scaleNodes);
    Eigen::MatrixXd values(lengthNodes, scaleNodes);
    for (Eigen::Index j = 0; j < scaleNodes; ++j) {
        const double v = surface.m_vMax * (1 + y[j]) / 2;
        const ExpectedRow row(density, surface.m_half * v / (1 - v), nMin, nMax);
        for (Eigen::Index i = 0; i < lengthNodes; ++i)
            values(i, j) = row.entropy(std::clamp(
                std::exp(surface.m_logMin + (surface.m_logMax - surface.m_logMin) * (1 + x[i]) / 2), nMin, nMax));
    }
    surface.m_coefficients = transform(lengthNodes) * values * transform(scaleNodes).transpose();
    return surface;
}

EntropySurface::Values EntropySurface::at(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda) const
{
    const Eigen::ArrayXd inside = lambda.max(0).min(m_lambdaMax), v = inside / (inside + m_half);
    const Eigen::ArrayXd x = 2 * (n.log() - m_logMin) / (m_logMax - m_logMin) - 1, y = 2 * v / m_vMax - 1;
    const Eigen::MatrixXd across = polynomials(x, lengthNodes) * m_coefficients;  // series in v at each n
    const Eigen::ArrayXd dv = m_half / (inside + m_half).square() * (2 / m_vMax);
    return {across.cwiseProduct(polynomials(y, scaleNodes)).rowwise().sum(),
            dv * across.cwiseProduct(slopes(y, scaleNodes)).rowwise().sum().array()};
}

}  // namespace attnscope
