#include "core/attention/masks.h"

#include "core/base/parameter.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace attnscope {

namespace {

constexpr std::int64_t usualDocument = 256;  // tokens

std::int64_t count(const Parameters& parameters, std::string_view id)
{
    return static_cast<std::int64_t>(parameters[id]);
}

/// [0, end), nothing where end < 0.
VisibleKeys first(std::int64_t end) { return {0, 0, std::max<std::int64_t>(end, 0)}; }

VisibleKeys causal(std::int64_t position, std::int64_t prefix, const Parameters&)
{
    return first(std::min(position + 1, prefix));
}

VisibleKeys window(std::int64_t position, std::int64_t prefix, const Parameters& parameters)
{
    const std::int64_t w = count(parameters, "w");
    const std::int64_t after = parameters.on("causal") ? 1 : w;
    const std::int64_t end = std::clamp<std::int64_t>(position + after, 0, prefix);
    return {0, std::clamp<std::int64_t>(position - w + 1, 0, end), end};
}

/// The first `sink` keys and the last w up to the query; where the two meet they are one interval.
VisibleKeys sinksAndWindow(std::int64_t position, std::int64_t prefix, const Parameters& parameters)
{
    const std::int64_t end = std::clamp<std::int64_t>(position + 1, 0, prefix);
    const std::int64_t begin = std::clamp<std::int64_t>(position - count(parameters, "w") + 1, 0, end);
    const std::int64_t sinkEnd = count(parameters, "sink");
    if (begin <= sinkEnd)
        return first(end);
    return {sinkEnd, begin, end};
}

std::int64_t realKeys(std::int64_t prefix, const Parameters& parameters)
{
    return std::min(prefix, count(parameters, "length"));
}

VisibleKeys padding(std::int64_t position, std::int64_t prefix, const Parameters& parameters)
{
    const std::int64_t end = realKeys(prefix, parameters);
    return first(parameters.on("causal") ? std::min(position + 1, end) : end);
}

/// Where documents start, from a text of rising numbers with commas between; `each` hears of them until it says false.
/// False where the text is none.
template <class Each>
bool readStarts(std::string_view text, const Each& each)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::int64_t before = -1;;) {
        std::int64_t start = 0;
        const auto [after, error] = std::from_chars(at, end, start);
        if (error != std::errc() || start <= before || (after != end && *after != ','))
            return false;
        if (!each(start) || after == end)
            return true;
        before = start;
        at = after + 1;
    }
}

VisibleKeys documents(std::int64_t position, std::int64_t prefix, const Parameters& parameters)
{
    const std::int64_t end = std::clamp<std::int64_t>(position + 1, 0, prefix);
    std::int64_t start = 0;
    if (parameters.text().empty()) {
        const std::int64_t given = count(parameters, "length"), length = given > 0 ? given : usualDocument;
        start = std::max<std::int64_t>(position, 0) / length * length;
    } else {
        readStarts(parameters.text(), [&](std::int64_t next) {
            if (next <= position)
                start = next;
            return next <= position;
        });
    }
    return {0, std::min(start, end), end};
}

Result<void> checkStarts(const std::string& text)
{
    if (text.empty() || readStarts(text, [](std::int64_t) { return true; }))
        return {};
    return failure(ErrorKind::InvalidArgument,
                   "documents: '{}' does not say where documents start; give rising numbers with commas between, as "
                   "documents:0,100,250",
                   text.substr(0, 40));
}

Choice withStarts(Choice mask, std::span<const std::int64_t> starts)
{
    const auto length = mask.values.find("length");
    if (mask.text.empty() && (length == mask.values.end() || length->second == 0))
        mask.text = joined(starts, ",");
    return mask;
}

Parameter windowSize(std::string help) { return whole("w", "w", 64, 1, 1e9, std::move(help)); }

const Mask* find(const Choice& mask)
{
    const Result<const Mask*> row = findRow(masks(), mask.id, "mask");
    return row ? *row : nullptr;
}

}  // namespace

std::span<const Mask> masks()
{
    static const std::vector<Mask> rows{
        {{"full", "Full", "all j", "Vaswani et al. 2017, encoder", "Every query sees every key.", {}, {}, {}, {}},
         [](std::int64_t, std::int64_t prefix, const Parameters&) { return first(prefix); }},
        {{"causal", "Causal", "j ≤ i", "Vaswani et al. 2017, decoder",
          "A query sees itself and what came before: row i has i + 1 keys, so one sequence holds rows of every "
          "length."},
         causal},
        {{"window",
          "Sliding window",
          "i − {w} < j ≤ i",
          "Beltagy et al. 2020",
          "A query sees only its last w keys (and w − 1 ahead, where that is on). Rows stop growing, so nothing "
          "disperses, and nothing far away is seen.",
          {windowSize("Keys that a row sees, its own included."),
           toggle("causal", "only back", true, "Off: the window also reaches w − 1 keys ahead, as in encoders.")}},
         window},
        {{"sink_window",
          "Sinks and window",
          "j < {sink} or i − {w} < j ≤ i",
          "Xiao et al. 2023, StreamingLLM",
          "A window that keeps the first few keys in view, where trained heads park the weight that they need nowhere "
          "else. Positions stay those of the text; StreamingLLM counts them in its cache, where no key is farther than "
          "the window, and Λ is near to that.",
          {windowSize("Recent keys that a row sees, its own included."),
           whole("sink", "sinks", 4, 0, 1e6, "Keys at the start that every row sees.")}},
         sinksAndWindow},
        {{"lambda",
          "Λ (LM-Infinite)",
          "j < {sink} or i − {w} < j ≤ i, distances ≤ {w}",
          "Han et al. 2023, LM-Infinite",
          "Sinks and a window, and rotary positions never see a distance beyond w: from the first keys every later "
          "query seems at most w away.",
          {windowSize("Recent keys that a row sees, and the largest distance there is."),
           whole("sink", "sinks", 5, 0, 1e6, "Keys at the start that every row sees.")}},
         sinksAndWindow,
         [](const Parameters& parameters) { return count(parameters, "w"); }},
        {{"padding",
          "Padding",
          "j < {length}",
          "batches of unequal length",
          "Only the first keys are real; the rest fill the batch up. Scale methods that count the sequence's keys "
          "count the real ones. Queries in the padding are rows like others: for the real ones alone take n of that "
          "length under a causal or full mask.",
          {whole("length", "real keys", 256, 0, 1e9,
                 "Keys that are not padding. 0: every row is fully masked, and has no statistics."),
           toggle("causal", "only back", false, "On: a query also sees nothing after itself.")}},
         padding,
         nullptr,
         realKeys},
        {{"documents",
          "Documents",
          "start of i's document ≤ j ≤ i",
          "packed sequences; OLMo-core pull 808",
          "Documents stand one after another in a sequence, and a query sees its own up to itself. A scale method that "
          "counts a row's keys starts anew with each "
          "document. In a model documents start at its begin tokens, unless a length or places are given.",
          {whole("length", "length of each", 0, 0, 1e9,
                 "Tokens of a document, where no places are given: one starts after every so many. 0: 256, or in a "
                 "model from one begin token to the next.")},
          {},
          "places where documents start: 0,100,250"},
         documents,
         nullptr,
         nullptr,
         checkStarts,
         withStarts},
    };
    return rows;
}

Result<const Mask*> checkedMask(const Choice& mask)
{
    return findRow(masks(), mask.id, "mask").and_then([&](const Mask* row) -> Result<const Mask*> {
        TRY(validate(*row, mask));
        TRY(row->checkText ? row->checkText(mask.text) : Result<void>{});
        return row;
    });
}

bool seesAllKeys(const Choice& mask) { return mask.id == "full"; }

bool isCausal(const Choice& mask) { return mask.id == "causal"; }

bool seesAllOrCausal(const Choice& mask) { return seesAllKeys(mask) || isCausal(mask); }

bool looksAhead(const Choice& mask)
{
    const Mask* row = find(mask);
    return row && row->visible(0, 2, Parameters(*row, mask)).end > 1;
}

bool looksAtPositions(const Choice& mask)
{
    const Mask* row = find(mask);
    if (!row)
        return false;
    constexpr std::int64_t keys = 2, farAway = std::int64_t{1} << 40;
    const Parameters parameters(*row, mask);
    return row->visible(0, keys, parameters) != row->visible(farAway, keys, parameters);
}

std::int64_t unmaskedKeys(const Choice& mask, std::int64_t prefix)
{
    const Mask* row = find(mask);
    return row && row->unmasked ? row->unmasked(prefix, Parameters(*row, mask)) : prefix;
}

}  // namespace attnscope
