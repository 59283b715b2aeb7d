#pragma once
// What several values of the same thing say together: rows of attention, seeds, windows of a text, instances. Their
// means and errors, tests of them, and what is left of many tests at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

struct SampleMean {
    std::int64_t count = 0;
    double mean = 0;                      ///< NaN of no values
    std::optional<double> standardError;  ///< of the mean; one value has none
};
SampleMean sampleMean(std::span<const double> values);

/// sum += share * part, element by element; a shorter sum goes on with zeros.
template <class Number>
void addShare(std::vector<Number>& sum, const std::vector<Number>& part, double share)
{
    sum.resize(std::max(sum.size(), part.size()));
    for (std::size_t i = 0; i < part.size(); ++i)
        sum[i] += static_cast<Number>(share * static_cast<double>(part[i]));
}

/// Of the line through as many points, by least squares; two different x at least.
double slopeOf(const std::vector<double>& x, const std::vector<double>& y);

/// Two-sided p of Student's t-test that the mean of what these are drawn from is 0. Nothing where there is no test: one
/// value, or values that are all the same to within rounding, whose variance is zero.
std::optional<double> tTest(std::span<const double> values);

/// Likewise of the paired t-test, of as many values as others; rounding is that of the values, not of the differences.
std::optional<double> pairedTTest(std::span<const double> values, std::span<const double> others);

/// Half of Student's interval around the mean, which covers the true one with that probability. Nothing of fewer than
/// two values.
std::optional<double> halfInterval(const SampleMean& mean, double probability = 0.95);

/// Half of the interval around the mean of k normal values in which, with that probability, the mean of m others drawn
/// like them will lie: t s sqrt(1/k + 1/m), with Student's t of k - 1 degrees of freedom and s the values' standard
/// deviation. It is wider than the one for the true mean, which m others of themselves miss too: by sqrt(2) where m is
/// k. (Hahn & Meeker, Statistical Intervals, 1991)
std::optional<double> halfIntervalOfOthers(const SampleMean& mean, std::int64_t others, double probability = 0.95);

/// Benjamini & Hochberg 1995: of m tests in ascending order of p, q_i = min over j >= i of p_j m / j. Calling those
/// with q below a level found, no more than that share of them is expected to be false (for independent tests, or
/// positively dependent ones).
std::vector<double> benjaminiHochberg(std::span<const double> p);

/// Holm 1979: in ascending order, max over j <= i of p_j (m - j + 1), at most 1. Calling those below a level found, the
/// chance that any of them is false is at most the level, whatever the tests share.
std::vector<double> holm(std::span<const double> p);
/// "Holm-corrected for 3 comparisons".
std::string holmInWords(std::size_t tests);

}  // namespace attnscope
