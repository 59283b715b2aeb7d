#include "core/model/split_pattern.h"

#include "core/model/unicode_text.h"

#include <mutex>

#define ONIG_ESCAPE_UCHAR_COLLISION  // ICU has a UChar too
#include <oniguruma.h>

namespace attnscope {

namespace {

constexpr unsigned long fewBacktracks = 2000;       ///< backtracks from one place that nearly every match gets by with
constexpr unsigned long mostBacktracks = 20000000;  ///< and those of one search that is tried again
constexpr unsigned int deepestPattern = 250;        ///< parentheses within each other
constexpr unsigned int mostStacked = 1U << 22;      ///< places to go back to: tens of bytes each
constexpr unsigned long mostCalls = 100000;         ///< of a group by itself

std::string sentenceOf(int code, const OnigErrorInfo* info = nullptr)
{
    OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN];
    const int length = info ? onig_error_code_to_str(text, code, info) : onig_error_code_to_str(text, code);
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
}

void beginLibrary()
{
    static std::once_flag once;
    std::call_once(once, [] {
        OnigEncoding utf8 = ONIG_ENCODING_UTF8;
        onig_initialize(&utf8, 1);
        onig_set_parse_depth_limit(deepestPattern);
        onig_set_subexp_call_limit_in_search(mostCalls);
    });
}

struct RegionDeleter {
    void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
};
struct ParametersDeleter {
    void operator()(OnigMatchParam* parameters) const { onig_free_match_param(parameters); }
};

/// The matches of an expression in one text, one after another. Nearly every search takes few steps; one that takes
/// more is done again with a wide limit, and there is one such search in a thousand bytes at most: a text of n bytes
/// takes O(n) steps, whatever the pattern.
class Searches {
public:
    Searches(regex_t* expression, std::string_view text)
        : m_expression(expression), m_begin(reinterpret_cast<const OnigUChar*>(text.data())),
          m_end(m_begin + text.size()), m_region(onig_region_new()), m_parameters(onig_new_match_param()),
          m_hardOnes(16 + text.size() / 1000)
    {
        onig_initialize_match_param(m_parameters.get());
        onig_set_match_stack_limit_size_of_match_param(m_parameters.get(), mostStacked);
    }

    /// The first match from byte `from` on: its code is 0 or above if there is one.
    int search(std::size_t from)
    {
        int code = search(from, fewBacktracks, 0);
        if (code == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER && m_hardOnes > 0) {
            --m_hardOnes;
            const auto left = static_cast<unsigned long>(m_end - m_begin) - from;
            code = search(from, mostBacktracks, mostBacktracks + 4 * left);
        }
        return code;
    }
    std::size_t begin() const { return static_cast<std::size_t>(m_region->beg[0]); }
    std::size_t end() const { return static_cast<std::size_t>(m_region->end[0]); }

private:
    int search(std::size_t from, unsigned long steps, unsigned long stepsInAll)
    {
        onig_set_retry_limit_in_match_of_match_param(m_parameters.get(), steps);
        onig_set_retry_limit_in_search_of_match_param(m_parameters.get(), stepsInAll);
        return onig_search_with_param(m_expression, m_begin, m_end, m_begin + from, m_end, m_region.get(),
                                      ONIG_OPTION_NONE, m_parameters.get());
    }

    regex_t* m_expression;
    const OnigUChar *m_begin, *m_end;
    std::unique_ptr<OnigRegion, RegionDeleter> m_region;
    std::unique_ptr<OnigMatchParam, ParametersDeleter> m_parameters;
    std::size_t m_hardOnes;
};

}  // namespace

struct SplitPattern::Compiled {
    std::string text;  ///< of a plain pattern
    regex_t* expression = nullptr;

    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() { onig_free(expression); }
};

Result<SplitPattern> SplitPattern::compile(const std::string& pattern, bool expression, const std::string& path)
{
    auto compiled = std::make_shared<Compiled>();
    if (expression) {
        beginLibrary();
        OnigErrorInfo info{};
        const auto* const begin = reinterpret_cast<const OnigUChar*>(pattern.data());
        const int code = onig_new(&compiled->expression, begin, begin + pattern.size(), ONIG_OPTION_NONE,
                                  ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
        if (code != ONIG_NORMAL)
            return failure(ErrorKind::InvalidArgument,
                           "{}.pattern is no regular expression that is understood here ({})", path,
                           sentenceOf(code, &info));
    } else if (pattern.empty()) {
        return failure(ErrorKind::InvalidArgument, path + ".pattern must not be empty");
    } else {
        compiled->text = pattern;
    }
    SplitPattern split;
    split.m_compiled = std::move(compiled);
    return split;
}

Result<void> SplitPattern::parts(std::string_view text, const Part& part) const
{
    std::size_t done = 0;  // everything before it has been handed on
    const auto match = [&](std::size_t begin, std::size_t end) -> Result<void> {
        if (begin > done)
            TRY(part(done, begin, false));
        done = end;
        return part(begin, end, true);
    };
    if (!m_compiled->expression) {
        const std::string& wanted = m_compiled->text;
        for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + wanted.size()))
            TRY(match(at, at + wanted.size()));
    } else if (!text.empty()) {
        Searches searches(m_compiled->expression, text);
        bool any = false;  // has there been a match that ended at `done`?
        for (std::size_t from = 0; from <= text.size();) {
            const int code = searches.search(from);
            if (code == ONIG_MISMATCH)
                break;
            if (code < 0)
                return failure(ErrorKind::InvalidArgument,
                               "the tokeniser's pattern takes too long, or too much memory, to be matched from byte {} "
                               "of a text on ({}); give another text, or token ids",
                               from, sentenceOf(code));
            const std::size_t begin = searches.begin(), end = searches.end();
            if (begin == end && any && end == done) {  // an empty match behind another is none
                from = begin + (begin < text.size() ? lengthOfCharacter(text.substr(begin)) : 1);
                continue;
            }
            TRY(match(begin, end));
            any = true;
            from = end;
        }
    }
    if (done < text.size())
        TRY(part(done, text.size(), false));
    return {};
}

Result<std::string> SplitPattern::replaced(std::string_view text, std::string_view by) const
{
    std::string out;
    return parts(text,
                 [&](std::size_t begin, std::size_t end, bool matches) -> Result<void> {
                     out += matches ? by : text.substr(begin, end - begin);
                     return {};
                 })
        .map([&] { return std::move(out); });
}

Result<void> WordMaker::add(std::size_t begin, std::size_t end, bool matches)
{
    const bool before = m_any && m_matched;  // was the part before this one a match?
    const bool joins = (m_behaviour == SplitBehaviour::MergedWithPrevious && matches && m_any && !before) ||
                       (m_behaviour == SplitBehaviour::MergedWithNext && !matches && before) ||
                       (m_behaviour == SplitBehaviour::Contiguous && m_any && matches == before);
    const bool keeps = m_behaviour != SplitBehaviour::Removed || !matches;
    m_any = true;
    m_matched = matches;
    if (joins)
        return m_end = end, Result<void>{};
    TRY(finish());
    m_begin = begin;
    m_end = keeps ? end : begin;
    return {};
}

Result<void> WordMaker::finish()
{
    const std::size_t begin = m_begin, end = m_end;
    m_begin = m_end;
    return end > begin ? m_word(begin, end) : Result<void>{};
}

}  // namespace attnscope
