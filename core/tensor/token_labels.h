#pragma once
// Labels of tokens: a JSON array of strings (or {"tokens": [...]}), or a text file with one a line.

#include "core/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// Errors: InvalidHeader with the byte.
Result<std::vector<std::string>> parseTokenJson(std::string_view text, const std::string& path);
std::vector<std::string> parseTokenLines(std::string_view text);

/// Those of the last `count`; none where there are fewer.
std::vector<std::string> lastLabels(const std::vector<std::string>& labels, std::int64_t count);

/// Where tokenLabelsBeside and queryLabelsBeside look, in that order.
std::vector<std::string> tokenFilesBeside(const std::string& path);

/// The labels of the keys beside the file at `path`, if there are `count` of them: NAME.tokens.json, NAME.tokens.txt,
/// tokens.json, tokens.txt. Those of another number in tokens.json or tokens.txt are another file's. Errors: DataError
/// for NAME.tokens.* of another number, and those of reading and parsing it.
Result<std::vector<std::string>> tokenLabelsBeside(const std::string& path, std::size_t count);
/// The same of queries that are another sequence than the keys: NAME.query_tokens.json, NAME.query_tokens.txt, ...
Result<std::vector<std::string>> queryLabelsBeside(const std::string& path, std::size_t count);

}  // namespace attnscope
