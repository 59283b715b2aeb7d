#pragma once
// The page that shows a rendered gallery: each figure with its title, source and links to its files.

#include "core/document/recipe.h"

#include <string>
#include <vector>

namespace attnscope {

std::string indexPage(const std::vector<Recipe>& figures);

}  // namespace attnscope
