#pragma once
// JSON objects that say whether they are still what was written: a field with the fingerprint of all others, as text.

#include "core/base/fingerprint.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <string>

namespace attnscope {

inline constexpr const char* checksumField = "checksum";

inline std::string checksumOf(const nlohmann::json& object) { return std::to_string(fingerprint(jsonText(object))); }

/// The object on a line of its own.
inline std::string checkedLine(nlohmann::json object)
{
    object[checksumField] = checksumOf(object);
    return jsonText(object) + "\n";
}

/// Takes the field off. Is the object what it was made of? One without is of a program that wrote none.
inline bool isWhole(nlohmann::json& object)
{
    const auto said = object.is_object() ? object.find(checksumField) : object.end();
    if (said == object.end())
        return true;
    const nlohmann::json sum = *said;
    object.erase(said);
    return sum == checksumOf(object);
}

}  // namespace attnscope
