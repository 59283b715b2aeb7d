#pragma once
// What of Explore and of Model a figure can be made of.

#include "ui/figure/figure_source.h"

#include <functional>
#include <string>
#include <vector>

namespace attnscope {

struct Workbench;

/// `views`: those that Explore shows now, as the kind "views" names them. The bench outlives what is returned.
std::vector<FigureSource> figureSources(Workbench& bench, const std::function<std::vector<std::string>()>& views);

}  // namespace attnscope
