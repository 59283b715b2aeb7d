#pragma once

#include <vector>

namespace attnscope {

/// A number of every head: layer, head.
using HeadValues = std::vector<std::vector<double>>;

}  // namespace attnscope
