#pragma once
// JSON as text, written in one way: bytes that are no UTF-8, as paths may hold, become U+FFFD.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace attnscope {

/// On one line, or with that many spaces a level.
std::string jsonText(const nlohmann::json& value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace attnscope
