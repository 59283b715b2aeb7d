#pragma once
// Where a row's logits come from. At multiplier m and temperature tau the logits of a row are (m / tau) z_j, and
//
//     z_j = r x_j,   x_j independent from one law (standard normal, the cosine of a uniform direction, ...),
//                    r one random number a row (|q| / sqrt d for Gaussian queries; the same for every row elsewhere),
//
// optionally with one key, the needle, at a fixed z. With lambda = m / (tau sqrt d), the factor on q.k, the row's
// logits are s x_j with spread s = lambda sqrt(d) r. Everything else in this room is a function of a density, n and
// lambda.

#include "core/base/choice.h"
#include "core/base/random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// A point of a quadrature rule or an atom of a finite law; weights sum to 1.
struct Node {
    double x = 0;
    double weight = 0;
    bool operator==(const Node&) const = default;
};

/// Step of the grid over logits on which smooth laws are averaged, see expected_row.h.
inline constexpr double gridStep = 0.3;

/// The law of x.
struct LogitLaw {
    /// E f(s x) = sum of weight f(s x) for functions f analytic in the strip |Im| < pi / 2, as all of this room are.
    /// `refine` = 2 asks for twice the nodes that suffice.
    std::function<std::vector<Node>(double s, int refine)> rule = {};
    /// Probability density; empty for finite laws.
    std::function<double(double x)> density = {};
    /// From this s on, sums over the grid s x = j gridStep integrate the density exactly. Infinity: never.
    double gridFrom = 0;
    double lower = 0, upper = 0;  ///< x outside has no mass that matters
    double mean = 0, variance = 0;
    /// Fills x_0, x_1, ... of a row, for checks by sampling; a longer row begins with the shorter one.
    std::function<void(const Random&, std::uint64_t row, std::span<double> out)> draw;
    bool symmetric = false;  ///< -x has the same law
    bool normal = false;     ///< x is standard normal
    bool uniform = false;    ///< x is uniform from lower to upper
    /// For rows whose logits are spread wide (wide_average.h). P(X > x); nodes for an average over from < x <= to that
    /// resolve what is smooth there, at the ends of the law too; and the atoms, of a finite law.
    std::function<double(double x)> above = {};
    std::function<void(double from, double to, std::vector<Node>& out)> piece = {};
    std::vector<double> atoms = {};
};

struct LogitDensity {
    Choice choice;      ///< what it was made from
    std::string label;  ///< "Gaussian q and k, d = 64"
    int d = 64;
    /// r and its weights, enough to average row statistics at this multiplier; `refine` = 2: twice as many. A needle
    /// wins or loses within a short range of r, so it needs more.
    std::function<std::vector<Node>(double multiplier, int refine, bool needle)> rows;
    double meanSquareR = 1;  ///< E r^2
    std::function<double(const Random&, std::uint64_t row)> drawR;
    LogitLaw law;
    std::optional<double> needle;  ///< z of the needle

    /// The same with one of the n keys at z = gap.
    LogitDensity withNeedle(double gap) const;
    LogitDensity withoutNeedle() const;
    double variance() const { return meanSquareR * law.variance; }  ///< of z, where its mean is the same in every row
};

struct LogitDensityRow : Entry {
    Result<LogitDensity> (*make)(const Parameters&, int d);  ///< choice, label and d are filled in by logitDensity
};

/// gaussian, normal, sphere, uniform, finite, power_series, needle. A source of core/tensor with one of these ids is
/// the same thing drawn, with the same parameters.
std::span<const LogitDensityRow> logitDensities();

/// Errors: UnknownName, InvalidArgument (d < 1, lo >= hi, a list of logits that does not read).
Result<LogitDensity> logitDensity(const Choice& choice, int d);

/// From its text form: logitDensity("uniform:lo=-2,hi=2", 64).
Result<LogitDensity> logitDensity(std::string_view text, int d);

/// Uniform directions of a length that gives their products the density's variance: d, and no needle.
LogitDensity sphereLike(const LogitDensity& density);
/// Is it that already?
bool isSphere(const LogitDensity& density);

/// The laws of x.
LogitLaw normalLaw();                         ///< standard normal
LogitLaw cosineLaw(int d);                    ///< cosine of a uniform direction in R^d, d >= 1
LogitLaw uniformLaw(double lo, double hi);    ///< on (lo, hi), lo < hi
LogitLaw finiteLaw(std::vector<Node> atoms);  ///< weights above 0, of any sum

}  // namespace attnscope
