#pragma once
// Large counts for people: three digits, and what a thousand of them is called.

#include <string>
#include <string_view>

namespace attnscope {

/// "1.24 GB", "94.3 k"
std::string inUnits(double value, std::string_view unit = {});

}  // namespace attnscope
