#pragma once
// The version of the program. project(VERSION) in CMakeLists.txt is the only place that names it; only version.cpp is
// compiled again when it changes.

#include <string_view>

namespace attnscope {

std::string_view version();  ///< "1.2.3"
std::string_view
versionedName();  ///< "attnscope 1.2.3": what a file says wrote it, and the key of what is kept between versions

}  // namespace attnscope
