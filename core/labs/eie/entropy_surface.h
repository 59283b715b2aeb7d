#pragma once
// E H(n, lambda) and its slope in lambda for Gaussian queries and keys, as one product of Chebyshev series in ln n and
// in v = lambda / (lambda + 2/sqrt d): a batch of hundreds of points costs microseconds, which is what makes training
// on the exact entropy cheap. Interpolates ExpectedRow at a grid of nodes, to about 1e-9 nats.

#include "core/base/error.h"

#include <Eigen/Core>

namespace attnscope {

class EntropySurface {
public:
    /// For d, n from nMin to nMax and lambda from 0 to 12/sqrt d. Errors: InvalidArgument.
    static Result<EntropySurface> make(int d, double nMin, double nMax);

    struct Values {
        Eigen::ArrayXd entropy, slope;  ///< nats; dH/dlambda
    };
    /// Beyond the largest lambda, the value there and the slope there: training finds its way back.
    Values at(const Eigen::ArrayXd& n, const Eigen::ArrayXd& lambda) const;

private:
    double m_half = 0, m_logMin = 0, m_logMax = 0, m_vMax = 0, m_lambdaMax = 0;
    Eigen::MatrixXd m_coefficients;  ///< (degree in ln n, degree in v)
};

}  // namespace attnscope
