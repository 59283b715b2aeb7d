#pragma once
// phi(u) = E exp(-e^(u + s x)) and its companion E[y g(y)] at the nodes u of the trapezoid rule, for one s: the table from
// which expected_row.h's integrals are sums. It holds only the nodes at which w has mass for some n from `first` to `last`.

#include "core/theory/law_average.h"

namespace attnscope {

class PhiTable {
public:
    /// `order`: the smallest power of p that will be integrated (its tail falls off as e^(order u)). 1 <= first <= last.
    /// `needle`: the logit of the needle, null without one.
    PhiTable(const LogitLaw& law, double s, const double* needle, double first, double last, int refine, double order = 1);

    double freeEnergy(double n) const;
    double entropy(double n) const;
    double needleWeight(double n) const;

    /// E[exp(a y - e^y)] / Gamma(a) at the nodes, a >= order; and E sum p^a from it.
    Eigen::ArrayXd powerColumn(double a) const;
    double powerSum(double n, double a, const Eigen::ArrayXd& column) const;

private:
    /// The nodes where w has mass for one n. `weight` is phi^(n-1) without a needle, P(w > u) with one.
    struct Slice {
        Eigen::Index from = 0, count = 0;
        double keys = 0;  ///< random keys: n, less the needle
        Eigen::ArrayXd weight;
    };
    Slice slice(double n) const;
    /// h sum over u of keys phi^(keys-1) times the needle's survival times the column.
    double sumOverKeys(const Slice& w, const Eigen::ArrayXd& column) const;

    LawAverage m_average;
    Eigen::Index m_firstIndex = 0, m_stride = 1;  ///< node k lies at u = (firstIndex + k stride) h
    double m_step = 0, m_order = 1;
    bool m_hasNeedle = false;
    Eigen::ArrayXd m_u, m_logPhi;
    Eigen::ArrayXd m_entropy;                 ///< E[y g(y)]
    Eigen::ArrayXd m_needleY, m_needleE;      ///< y and e^y of the needle at the nodes; empty without
};

}  // namespace attnscope
