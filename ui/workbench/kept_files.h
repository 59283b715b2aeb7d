#pragma once
// Files of results that the program keeps for its next start, in a folder of its own.

#include <cstdint>
#include <string>

namespace attnscope {

/// The oldest .json files go where all are more than `most` bytes; never `own`.
void keepNewest(const std::string& folder, std::uint64_t most, const std::string& own);

}  // namespace attnscope
