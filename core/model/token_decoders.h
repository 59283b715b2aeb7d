#pragma once
// From tokens back to a text: the `decoder` of a tokenizer.json, steps that change a list of tokens one after another.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace attnscope {

using Decode = std::function<std::vector<std::string>(std::vector<std::string>)>;

/// Not null. Errors: Unavailable (a kind that is not run), InvalidArgument.
Result<std::vector<Decode>> readDecoder(const nlohmann::json& given, const std::string& path);

}  // namespace attnscope
