#pragma once
// The papers and posts that the registries cite, by the words that their `source` begins with: "Peng et al. 2023, eq.
// 22" is the paper whose key is "Peng et al. 2023".

#include <span>
#include <string>
#include <vector>

namespace attnscope {

struct Paper {
    std::string key;  ///< "Peng et al. 2023"
    std::string title;
    std::string address;  ///< of the text; empty where it has none that stays
};

/// By name and year.
std::span<const Paper> papers();

/// Those that a source cites, in the order of the list.
std::vector<const Paper*> papersCitedBy(const std::string& source);

}  // namespace attnscope
