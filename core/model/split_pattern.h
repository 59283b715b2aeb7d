#pragma once
// A pattern that cuts texts into words: a plain text, or a regular expression in the meaning of Oniguruma, whose
// library the tools that write these files use too. The pattern may be hostile: its matching is bounded in steps and
// memory.

#include "core/base/error.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace attnscope {

/// A part of a text, and whether the pattern matches it.
using Part = std::function<Result<void>(std::size_t begin, std::size_t end, bool matches)>;

class SplitPattern {
public:
    /// Errors: InvalidArgument, an expression that is none.
    static Result<SplitPattern> compile(const std::string& pattern, bool expression, const std::string& path);

    /// Every part of the text in order, matches and what lies between them; a match may be empty, the others are not.
    /// Errors: InvalidArgument, where matching takes too long, and those of `part`.
    Result<void> parts(std::string_view text, const Part& part) const;

    /// The text with every match replaced.
    Result<std::string> replaced(std::string_view text, std::string_view by) const;

private:
    struct Compiled;
    std::shared_ptr<const Compiled> m_compiled;
};

/// What becomes of a match: a word of its own, nothing, a part of the word before or after it, or one word with the
/// matches beside it.
enum class SplitBehaviour { Isolated, Removed, MergedWithPrevious, MergedWithNext, Contiguous };

/// Puts the parts of a text together to words, none empty, and hands each on.
class WordMaker {
public:
    using Word = std::function<Result<void>(std::size_t begin, std::size_t end)>;
    WordMaker(SplitBehaviour behaviour, const Word& word) : m_behaviour(behaviour), m_word(word) {}

    Result<void> add(std::size_t begin, std::size_t end, bool matches);
    /// After the last part.
    Result<void> finish();

private:
    SplitBehaviour m_behaviour;
    const Word& m_word;
    std::size_t m_begin = 0, m_end = 0;  ///< the word that the next part may still belong to
    bool m_any = false;                  ///< has there been a part?
    bool m_matched = false;              ///< was the last part a match?
};

}  // namespace attnscope
