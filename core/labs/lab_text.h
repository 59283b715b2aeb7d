#pragma once
// A lab's text in its parts, "vanilla; log_n | rope; ntk |": bars between the parts (or what the lab has instead),
// semicolons between a part's entries.

#include "core/labs/lab.h"

namespace attnscope {

/// As many as the lab's text has, and what there is beyond; the whole text where it has no parts, or one.
std::vector<std::string> textPartsOf(const Lab& lab, const std::string& text);
/// The same of a text that is to be run. Errors: InvalidArgument, where there is more.
Result<std::vector<std::string>> readParts(const Lab& lab, const std::string& text);
/// The text again.
std::string joinedParts(const Lab& lab, const std::vector<std::string>& parts);

/// The separator stands between parts alone. Errors: InvalidArgument.
Result<void> checkPart(const Lab& lab, const LabPart& part, const std::string& value);

/// Of a part.
std::vector<std::string> entriesOfPart(const std::string& part);
std::string joinedEntries(const std::vector<std::string>& entries);

}  // namespace attnscope
