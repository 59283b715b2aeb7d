#pragma once
// A number that was measured has the digits that its error leaves it.

#include <string>

namespace attnscope {

/// As many decimals as the standard error has for two digits of its own: 98.672 with 0.14204 is "98.67". Without an
/// error above 0 four significant digits.
std::string formatMeasured(double value, double error);

}  // namespace attnscope
