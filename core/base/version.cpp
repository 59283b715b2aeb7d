#include "core/base/version.h"

namespace attnscope {

std::string_view version() { return ATTNSCOPE_VERSION; }

std::string_view versionedName() { return "attnscope " ATTNSCOPE_VERSION; }

}  // namespace attnscope
