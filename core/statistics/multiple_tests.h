#pragma once
// Many tests at once: p-values made so that a bound on them bounds what goes wrong among all of them together.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

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
