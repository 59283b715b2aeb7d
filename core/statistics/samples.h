#pragma once
// What several values of the same thing say together: rows of attention, seeds, windows of a text, instances.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attnscope {

struct SampleMean {
    std::int64_t count = 0;
    double mean = 0;                      ///< NaN of no values
    std::optional<double> standardError;  ///< of the mean; one value has none
};
SampleMean sampleMean(std::span<const double> values);

/// Of the line through as many points, by least squares; two different x at least.
double slopeOf(const std::vector<double>& x, const std::vector<double>& y);

/// Two-sided p of Student's paired t-test, of as many values as others. Nothing where there is no test: one pair, or differences that are all the same
/// to within rounding, whose variance is zero.
std::optional<double> pairedTTest(std::span<const double> values, std::span<const double> others);

}  // namespace attnscope
