#pragma once
// The entropy-invariant scale lambda*(n): the factor on q.k for which a row over n keys has the expected entropy that N
// keys have at the usual scale,
//
//     E H(n, lambda*(n)) = E H(N, 1 / (tau sqrt d)).
//
// E H falls strictly in lambda (softmax is not enough, Prop. 3.2: dH/ds = -s Var), from ln n at 0, so there is exactly
// one root, or none: no scale reaches more than ln n. A bracketed root, by TOMS 748.

#include "core/theory/logit_density.h"

#include <optional>
#include <span>
#include <vector>

namespace attnscope {

/// Errors: InvalidArgument (n or N outside 1 .. 1e12, tau below 1 / largestMultiplier of expected_row.h); Undefined
/// where no scale reaches that entropy, or none that is worked out.
Result<double> entropyInvariantScale(const LogitDensity& density, double n, double nTrain, double tau = 1);

/// At every n; the target is computed once.
std::vector<Result<double>> entropyInvariantScales(const LogitDensity& density, std::span<const double> n,
                                                   double nTrain, double tau = 1);

/// The scale with a given expected entropy, in nats. Errors: as above.
Result<double> scaleOfEntropy(const LogitDensity& density, double n, double entropy);

/// The scale with which such an exact expectation (expected_row.h) over n keys has the value that it has over N keys at
/// the usual scale. Errors: as above; UnknownName, InvalidArgument (one of which more than one scale may have the same
/// value).
struct KeptMeasure {
    double target = 0;                          ///< over N keys
    std::vector<Result<double>> scales;         ///< at every n
    std::vector<std::optional<double>> values;  ///< of the measure there
};
Result<KeptMeasure> scalesKeeping(const Choice& measure, const LogitDensity& density, std::span<const double> n,
                                  double nTrain, double tau = 1);

/// lambda*(n) as a smooth function, for methods that count every row's own keys: a Chebyshev series in
/// xi = sqrt(ln n - target), in which lambda* is analytic from the edge xi = 0 where it vanishes. About thirty roots
/// when it is made, nanoseconds per call.
class EntropyScale {
public:
    /// For n up to nMax. Errors: InvalidArgument; Undefined if no scale reaches N's entropy at nMax.
    static Result<EntropyScale> make(const LogitDensity& density, double nTrain, double nMax, double tau = 1);

    /// Errors: Undefined below n = e^target; InvalidArgument above nMax.
    Result<double> operator()(double n) const;

    double target() const { return m_target; }  ///< E H(N), nats
    double error() const { return m_error; }  ///< estimate of the largest deviation of lambda, relative to lambda(nMax)

private:
    double m_target = 0, m_xiMax = 0, m_nMax = 0, m_error = 0;
    std::vector<double> m_series;
};

}  // namespace attnscope
