#include "core/document/schema.h"

#include "core/base/text.h"

namespace attnscope {

namespace {

std::string textOf(const nlohmann::json& object, const char* key)
{
    const bool there = object.is_object() && object.contains(key) && object[key].is_string();
    return there ? object[key].get<std::string>() : std::string();
}

/// "attnscope_session/1" -> 1; 0: of another kind.
int versionOf(const std::string& schema, std::string_view kind)
{
    if (!schema.starts_with(kind) || schema.size() <= kind.size() || schema[kind.size()] != '/')
        return 0;
    return numberFrom<int>(std::string_view(schema).substr(kind.size() + 1)).value_or(0);
}

}  // namespace

std::string schemaText(std::string_view kind, int version) { return std::string(kind) + '/' + std::to_string(version); }

Result<void> checkSchema(const nlohmann::json& object, std::string_view kind, int newest, std::string_view what)
{
    const int version = versionOf(textOf(object, "schema"), kind);
    if (version < 1)
        return failure(ErrorKind::UnknownFormat, "this is no {} of Attnscope: its \"schema\" is not \"{}\"", what,
                       schemaText(kind, newest));
    if (version <= newest)
        return {};
    const std::string writer = textOf(object, "written_by");
    return failure(ErrorKind::UnknownFormat,
                   "this {} was written by {}; install that version or a later one to open it", what,
                   writer.empty() ? "a later version of Attnscope" : writer);
}

}  // namespace attnscope
