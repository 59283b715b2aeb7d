#pragma once
// Texts as cells of comma-separated values (RFC 4180).

#include <string>
#include <string_view>

namespace attnscope {

/// With an apostrophe before what a spreadsheet would take for a formula (=, +, -, @ or a tab first, and no number): names
/// come out of files that somebody else may have written.
std::string noFormula(std::string_view text);

/// That, in quotes where it must be.
std::string csvText(std::string_view text);

}  // namespace attnscope
