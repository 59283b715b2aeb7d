#pragma once
// E k(u + s x) over the law of x, for the kernels k of expected_row.h, at u = h i with i whole.
//
// If s is small or the law is no smooth density: over the law's own nodes. Otherwise over the grid u + s x = h j: then
// k is read from a fixed table, the density from one table a scale, and an average is a dot product,
//
//     E k(u_i + s x) = sum_j k(h j) P_{j - i},      P_m = (h / s) density(h m / s).

#include "core/theory/logit_density.h"

#include <functional>
#include <memory>

#include <Eigen/Core>

namespace attnscope {

/// Tables of 1 - exp(-e^y) and y g(y) = y exp(y - e^y) at y = h j, lowest <= j <= highest.
struct KernelGrid {
    KernelGrid(double h, double low);
    double h;
    Eigen::Index lowest, highest;
    Eigen::VectorXd missing, entropy;
};

class LawAverage {
public:
    /// `low`: the y below which no kernel has mass that matters.
    LawAverage(const LogitLaw& law, double s, int refine, double low);

    struct Point {
        double missing = 0;  ///< 1 - phi(u)
        double entropy = 0;  ///< E[y g(y)]
    };
    Point at(Eigen::Index i) const;

    /// E k(u_i + s x) for a kernel that vanishes at both ends, at i = first, first + stride, ...
    Eigen::ArrayXd column(Eigen::Index first, Eigen::Index stride, Eigen::Index count,
                          const std::function<double(double y)>& k) const;

    double step() const { return m_h; }

private:
    struct Window;
    Window window(Eigen::Index i) const;

    double m_h;
    std::shared_ptr<const KernelGrid> m_kernels;  ///< null: by nodes
    Eigen::Index m_low = 0;                       ///< first j that matters
    Eigen::Index m_lower = 0, m_upper = 0;        ///< range of m
    Eigen::VectorXd m_density;                    ///< P_m
    Eigen::VectorXd m_tail;                       ///< sum of P from m on
    Eigen::ArrayXd m_offset, m_weight;            ///< s x and its weights
};

}  // namespace attnscope
