#pragma once
// What a saved file says of itself: {"schema": "attnscope_session/4", "written_by": "attnscope VERSION", ...}. A change
// of the fields is a new number; the program reads every number up to its own.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace attnscope {

/// "attnscope_session" and 4 -> "attnscope_session/4".
std::string schemaText(std::string_view kind, int version);

/// Is `object` of this kind and of a version up to `newest`? `what` is the kind in words: "session".
/// Errors: UnknownFormat, which names the program that wrote a file of a later version.
Result<void> checkSchema(const nlohmann::json& object, std::string_view kind, int newest, std::string_view what);

}  // namespace attnscope
