#pragma once
// What several values of the same thing say together: rows of attention, seeds, windows of a text, instances.

#include <algorithm>
#include <cstddef>
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

}  // namespace attnscope
