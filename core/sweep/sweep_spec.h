#pragma once
// What a sweep runs: the product of lists of options of one command that makes rows.
//
//   {"schema": "attnscope_sweep/1", "command": "lab", "arguments": ["masked-lm"],
//    "options": {"table": "quality"},
//    "set": {"steps": 200, "alpha": [0, 16], "seed": {"from": 1, "count": 5}}}
//
// A value is a text, a number or, for a flag, true (given) or false (not). A list of them is an axis of the product; a
// list within it is one value of several words ("method": [["vanilla", "infoscale"]]). A counter (from, count, step) is
// the list of its numbers. "set" are a lab's parameters,
// --set KEY=VALUE. Tasks are numbered from 0: arguments, then options, then parameters, each by name; the last changes
// fastest.

#include "core/base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// What may be swept of a command.
struct SweptCommand {
    struct Option {
        std::string name;  ///< without dashes
        bool flag = false, several = false;
    };
    std::string name;
    std::vector<Option> options;
    bool takesArgument = false;
};

struct SweepAxis {
    enum class Kind { Argument, Option, Parameter };
    Kind kind = Kind::Option;
    std::string name;
    std::vector<std::vector<std::string>> values;  ///< words; a flag that is not given: none
    bool flag = false;
};

struct SweepSpec {
    std::string command;
    std::vector<SweepAxis> axes;

    std::int64_t tasks() const;
    /// The words of the axes at this task, one an axis, separated by spaces.
    std::vector<std::string> valuesOf(std::int64_t task) const;
    /// The command line: {"entropy", "--d=64", "--method", "vanilla", "infoscale"}.
    std::vector<std::string> argumentsOf(std::int64_t task) const;
};

constexpr std::int64_t mostTasks = 1'000'000;

/// Without commands any is taken, with whatever options: what a sweep's folder keeps was checked when it began.
/// Errors: InvalidHeader (no JSON), InvalidArgument and UnknownName, each naming the field.
Result<SweepSpec> parseSweepSpec(std::string_view text, const std::string& path,
                                 std::span<const SweptCommand> commands);

}  // namespace attnscope
