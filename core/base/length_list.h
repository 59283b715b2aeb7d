#pragma once
// LIST, the command line's grammar for sequence lengths:
//   100,200,400      these
//   16:65536:x2      geometric
//   100:1600:+100    arithmetic
//   16:1e9:40        40 points, evenly spaced in log, rounded, without repeats
// Numbers as people type them (typedNumber()): 4k is 4 000, 2^12 is 4 096.

#include "core/base/error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attnscope {

inline constexpr double longestLength = 1e12;  ///< of every sequence that the program speaks of

/// Lengths are whole numbers from 1 to longestLength; at most 100 000 of them, in the order given. Errors:
/// InvalidArgument with the column and what was expected.
Result<std::vector<std::int64_t>> parseLengths(std::string_view text);

/// `count` lengths from first to last, evenly spaced in log, rounded, without repeats, both ends included.
std::vector<std::int64_t> logSpacedLengths(std::int64_t first, std::int64_t last, int count);

}  // namespace attnscope
