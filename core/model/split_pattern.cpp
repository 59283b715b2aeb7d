#include "core/model/split_pattern.h"

#include <unicode/regex.h>
#include <unicode/utext.h>

namespace attnscope {

namespace {

/// Regular expressions' \s is ASCII's in ICU and a few more; here it is Unicode's.
std::string withUnicodeSpaces(const std::string& pattern)
{
    std::string out;
    for (size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '\\' || at + 1 == pattern.size()) {
            out += pattern[at];
            continue;
        }
        const char next = pattern[++at];
        out += next == 's' ? "\\p{White_Space}" : next == 'S' ? "\\P{White_Space}" : std::string{'\\', next};
    }
    return out;
}

struct Span {
    size_t begin, end;
};

constexpr int32_t timeLimit = 500;  // in ICU's steps, about a millisecond each, for one match

}  // namespace

struct SplitPattern::Compiled {
    std::string text;                               ///< of a plain pattern
    std::unique_ptr<icu::RegexPattern> expression;  ///< else null

    Result<std::vector<Span>> matches(std::string_view in) const;
};

Result<SplitPattern> SplitPattern::compile(const std::string& pattern, bool expression, const std::string& path)
{
    auto compiled = std::make_shared<Compiled>();
    if (expression) {
        UErrorCode status = U_ZERO_ERROR;
        UParseError place{};
        compiled->expression.reset(
            icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(withUnicodeSpaces(pattern)), 0, place, status));
        if (U_FAILURE(status) || !compiled->expression)
            return failure(ErrorKind::InvalidArgument,
                           path + ".pattern is no regular expression that is understood here (" + u_errorName(status) +
                               ")");
    } else if (pattern.empty()) {
        return failure(ErrorKind::InvalidArgument, path + ".pattern must not be empty");
    } else {
        compiled->text = pattern;
    }
    SplitPattern split;
    split.m_compiled = std::move(compiled);
    return split;
}

Result<std::vector<Span>> SplitPattern::Compiled::matches(std::string_view in) const
{
    std::vector<Span> found;
    if (!expression) {
        for (size_t at = in.find(text); at != in.npos; at = in.find(text, at + text.size()))
            found.push_back({at, at + text.size()});
        return found;
    }
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::RegexMatcher> matcher(expression->matcher(status));
    UText utf8 = UTEXT_INITIALIZER;
    utext_openUTF8(&utf8, in.data(), static_cast<int64_t>(in.size()), &status);
    if (U_SUCCESS(status)) {
        matcher->setTimeLimit(timeLimit, status);
        matcher->reset(&utf8);
        while (U_SUCCESS(status) && matcher->find(status)) {
            const auto begin = static_cast<size_t>(matcher->start64(status)),
                       end = static_cast<size_t>(matcher->end64(status));
            if (end > begin)
                found.push_back({begin, end});
        }
    }
    utext_close(&utf8);
    if (U_FAILURE(status))
        return failure(ErrorKind::InvalidArgument,
                       std::string("the tokeniser's pattern could not be matched (") + u_errorName(status) + ")");
    return found;
}

Result<std::vector<std::string>> SplitPattern::cut(std::string_view text, Behaviour behaviour, bool invert) const
{
    return m_compiled->matches(text).map([&](const std::vector<Span>& matches) {
        struct Part {
            std::string_view text;
            bool match;
        };
        std::vector<Part> parts;
        size_t at = 0;
        const auto add = [&](size_t end, bool match) {
            if (end > at)
                parts.push_back({text.substr(at, end - at), match != invert});
            at = end;
        };
        for (const Span& match : matches) {
            add(match.begin, false);
            add(match.end, true);
        }
        add(text.size(), false);

        std::vector<std::string> words;
        bool joins = false;  // the next part belongs to the last word
        bool lastMatches = false;
        for (const Part& part : parts) {
            if (part.match && behaviour == Behaviour::Removed)
                continue;
            const bool withPrevious =
                behaviour == Behaviour::MergedWithPrevious && part.match && !words.empty() && !lastMatches;
            if (withPrevious || (joins && !part.match))
                words.back() += part.text;
            else
                words.emplace_back(part.text);
            joins = behaviour == Behaviour::MergedWithNext && part.match;
            lastMatches = part.match;
        }
        return words;
    });
}

}  // namespace attnscope
