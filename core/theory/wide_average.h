#pragma once
// E k(u + s x) at any u, for laws whose logits s x are spread far wider than the kernels k of expected_row.h. A kernel
// has mass from about -80 to 4: only the x that put y = u + s x there need to be looked at, and what lies above counts
// whole. So a point costs the same however wide the law is. y is measured from the largest logit, so that digits are
// kept where the row is decided.
//
//   uniform      closed: with A(y) = int_-inf^y k, E k = (A(b) - A(a)) / (b - a) for y from a to b, and
//                A = Ein(e^y) for 1 - exp(-e^y), Ein(z) = int_0^z (1 - e^-t) / t dt (DLMF 6.2.3);
//                A = y (1 - exp(-e^y)) - Ein(e^y) for y exp(y - e^y);
//                A = P(a, e^y) for exp(a y - e^y) / Gamma(a) (DLMF 8.2.4)
//   normal       the kernels are densities of y = ln Gamma(a), and the law hardly changes across them: Gauss in y
//   the others   sixteen Gauss nodes on every piece of x that is 2.5 nats wide, or the atoms that are there

#include "core/theory/law_average.h"

namespace attnscope {

class WideAverage {
public:
    /// `low`: the y below which no kernel has mass that matters.
    WideAverage(const LogitLaw& law, double s, int refine, double low);

    /// Is the law this wide at s, and is there no grid for it?
    static bool serves(const LogitLaw& law, double s);

    /// Logits lie from top - width to top; v = u + top.
    double top() const { return m_top; }
    double width() const { return m_width; }
    /// Where a logit of the law begins or ends, as v with y = 0 there: the ends of an interval, or every atom. Rising.
    std::vector<double> features() const;
    /// The law changes over this many nats between its features. Infinite: not at all.
    double scale() const;

    LawAverage::Point at(double v) const;
    /// E exp(a y - e^y) / Gamma(a) at every v.
    Eigen::ArrayXd powers(const Eigen::ArrayXd& v, double a) const;

private:
    template <class Kernel>
    double sumInWindow(double v, Kernel kernel) const;

    LogitLaw m_law;
    double m_s, m_low, m_piece;
    double m_top, m_width;
    std::vector<Node> m_rule;  ///< of the normal law: y and weights of exp(y - e^y)
};

}  // namespace attnscope
