#pragma once
// phi(u) = E exp(-e^(u + s x)) and its companion E[y g(y)] at the nodes u of a quadrature rule, for one s: the table
// from which expected_row.h's integrals are sums. It holds only the nodes at which w has mass for some n from `first`
// to `last`.
//
// The rule is the trapezoid rule or, for laws that are wide (wide_average.h), 16 Gauss nodes on each of many
// panels: 2.5 nats wide where a logit of the law begins or ends, and ever wider away from there, where phi is as smooth
// as the law.

#include "core/theory/law_average.h"
#include "core/theory/wide_average.h"

namespace attnscope {

class PhiTable {
public:
    /// `order`: the smallest power of p that will be integrated (its tail falls off as e^(order u)). 1 <= first <=
    /// last. `needle`: the logit of the needle, null without one.
    PhiTable(const LogitLaw& law, double s, const double* needle, double first, double last, int refine,
             double order = 1);

    double freeEnergy(double n) const;
    double entropy(double n) const;
    double needleWeight(double n) const;

    /// E[exp(a y - e^y)] / Gamma(a) at the nodes, a >= order, times their weights; and E sum p^a from it.
    Eigen::ArrayXd powerColumn(double a) const;
    double powerSum(double n, double a, const Eigen::ArrayXd& column) const;

private:
    /// The nodes where w has mass for one n. `weight` is phi^(n-1) without a needle, P(w > u) with one.
    struct Slice {
        Eigen::Index from = 0, count = 0;
        double keys = 0;  ///< random keys: n, less the needle
        Eigen::ArrayXd weight;
    };
    struct Nodes {
        std::vector<double> u, weight, logPhi, entropy;
    };

    Nodes evenly(const LogitLaw& law, double s, const double* needle, double first, double last);
    Nodes inPanels(const double* needle, double first, double last, int refine);
    Slice slice(double n) const;
    /// Integral over u of keys phi^(keys-1) times the needle's survival times the column, which holds the nodes'
    /// weights.
    double sumOverKeys(const Slice& w, const Eigen::ArrayXd& column) const;

    std::shared_ptr<LawAverage> m_average;        ///< of the trapezoid rule
    std::shared_ptr<const WideAverage> m_wide;    ///< of the panels; null: the other
    Eigen::Index m_firstIndex = 0, m_stride = 1;  ///< trapezoid rule: node k lies at u = (firstIndex + k stride) h
    double m_order = 1;
    double m_origin = 0;  ///< u + origin are the nodes' places: the largest logit, or 0
    double m_begin = 0;   ///< left of the first node, where w > u is sure
    bool m_hasNeedle = false;
    Eigen::ArrayXd m_u, m_weight, m_logPhi;
    Eigen::ArrayXd m_before;              ///< sum of the weights before each node
    Eigen::ArrayXd m_entropy;             ///< weight E[y g(y)]
    Eigen::ArrayXd m_needleY, m_needleE;  ///< y and e^y of the needle at the nodes; empty without
};

}  // namespace attnscope
