#pragma once
// What the command line says of itself, as values: the help, the manual page and the completions of shells are made of
// it.

#include "app/commands/command.h"

#include <array>
#include <string>
#include <vector>

namespace attnscope {

/// A way to call the program, and what it does.
struct Usage {
    std::string call, about;
};
const std::array<Usage, 5>& usages();

inline constexpr const char* exitStatusText = "0, 2 for wrong usage, 1 for anything else.";

struct OptionHelp {
    std::vector<std::string> names;  ///< "-o", "--output"; of a positional one its name alone, "FILE"
    std::string value;               ///< "NUMBER", "table|csv|json"; empty for a flag
    std::string byDefault, about;
    bool positional = false, required = false;
    bool several = false;            ///< takes as many values as follow
    std::vector<std::string> words;  ///< what the value may be, where that is known
};

/// All options that the command declares, --help among them.
std::vector<OptionHelp> optionsOf(const Command& command);

bool takesFolder(const OptionHelp& option);
/// Names a file, or may: a recipe, tensors, an output.
bool takesFile(const OptionHelp& option);

}  // namespace attnscope
