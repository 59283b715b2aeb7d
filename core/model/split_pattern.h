#pragma once
// A pattern that cuts texts into words: a plain text, or a regular expression with Unicode's classes (ICU's, within
// bounds of time and stack, since the pattern may be hostile). \s and \S mean Unicode's white space, as in the tools
// that write these files.

#include "core/base/error.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

class SplitPattern {
public:
    /// What becomes of a match: a word of its own, nothing, or a part of the word before or after it.
    enum class Behaviour { Isolated, Removed, MergedWithPrevious, MergedWithNext };

    /// Errors: InvalidArgument, an expression that is none.
    static Result<SplitPattern> compile(const std::string& pattern, bool expression, const std::string& path);

    /// The words of a text, none empty. `invert`: what does not match is the match. Errors: InvalidArgument, where
    /// matching takes too long.
    Result<std::vector<std::string>> cut(std::string_view text, Behaviour behaviour, bool invert) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> m_compiled;
};

}  // namespace attnscope
