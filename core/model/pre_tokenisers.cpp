#include "core/base/json_reader.h"
#include "core/model/byte_letters.h"
#include "core/model/text_pieces.h"
#include "core/model/unicode_text.h"

#include <array>

namespace attnscope {

namespace {

const std::string underscore = "\u2581";
constexpr std::size_t mostMembers = 64;
constexpr const char* wordsOfGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

struct BehaviourName {
    const char* name;
    SplitBehaviour behaviour;
};
constexpr std::array<BehaviourName, 5> behaviours{{{"Isolated", SplitBehaviour::Isolated},
                                                   {"Removed", SplitBehaviour::Removed},
                                                   {"MergedWithPrevious", SplitBehaviour::MergedWithPrevious},
                                                   {"MergedWithNext", SplitBehaviour::MergedWithNext},
                                                   {"Contiguous", SplitBehaviour::Contiguous}}};

Result<SplitBehaviour> readBehaviour(ObjectReader& fields, const std::string& path)
{
    std::string name = "Isolated";
    fields.text("behavior", name);
    TRY(fields.status());
    for (const BehaviourName& row : behaviours)
        if (name == row.name)
            return row.behaviour;
    return failure(ErrorKind::Unavailable, "{}.behavior is '{}', which is not run here", path, name.substr(0, 40));
}

/// A word as the words that a pattern cuts it into. `invert`: what does not match is the match.
Result<void> cutBy(const SplitPattern& pattern, SplitBehaviour behaviour, bool invert, std::string_view word,
                   bool first, const Words& each)
{
    const WordMaker::Word emit = [&](std::size_t begin, std::size_t end) {
        return each(word.substr(begin, end - begin), first && begin == 0);
    };
    WordMaker maker(behaviour, emit);
    TRY(pattern.parts(word, [&](std::size_t begin, std::size_t end, bool matches) {
        return maker.add(begin, end, matches != invert);
    }));
    return maker.finish();
}

/// The same where each character that `isMatch` is a match.
template <class IsMatch>
Result<void> cutAt(IsMatch isMatch, SplitBehaviour behaviour, std::string_view word, bool first, const Words& each)
{
    const WordMaker::Word emit = [&](std::size_t begin, std::size_t end) {
        return each(word.substr(begin, end - begin), first && begin == 0);
    };
    WordMaker maker(behaviour, emit);
    std::size_t begin = 0;  // of what does not match
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t here = at;
        if (!isMatch(nextCharacter(word, at)))
            continue;
        if (here > begin)
            TRY(maker.add(begin, here, false));
        TRY(maker.add(here, at, true));
        begin = at;
    }
    if (begin < word.size())
        TRY(maker.add(begin, word.size(), false));
    return maker.finish();
}

Result<Cut> readByteLevel(ObjectReader& fields, const nlohmann::json&, const std::string& path)
{
    bool prefix = true, pattern = true;
    fields.boolean("add_prefix_space", prefix);
    fields.boolean("use_regex", pattern);
    TRY(fields.status());
    const auto words = TRY(SplitPattern::compile(wordsOfGpt2, true, path));
    return Cut([prefix, pattern, words](std::string_view in, bool first, const Words& each) -> Result<void> {
        const Words spell = [&](std::string_view word, bool begins) { return each(spelledInLetters(word), begins); };
        const std::string spaced = prefix && !in.starts_with(' ') ? " " + std::string(in) : std::string();
        const std::string_view text = spaced.empty() ? in : std::string_view(spaced);
        return pattern ? cutBy(words, SplitBehaviour::Isolated, false, text, first, spell) : spell(text, first);
    });
}

Result<Cut> readSplit(ObjectReader& fields, const nlohmann::json& given, const std::string& path)
{
    bool invert = false;
    fields.boolean("invert", invert);
    const SplitBehaviour behaviour = TRY(readBehaviour(fields, path));
    return readPattern(given, path).map([&](const SplitPattern& pattern) {
        return Cut([=](std::string_view in, bool first, const Words& each) {
            return cutBy(pattern, behaviour, invert, in, first, each);
        });
    });
}

Result<Cut> readMetaspace(ObjectReader& fields, const nlohmann::json&, const std::string& path)
{
    std::string mark = underscore, scheme;
    bool prefix = true, split = true;
    fields.text("replacement", mark);
    fields.boolean("add_prefix_space", prefix);
    fields.text("prepend_scheme", scheme);
    fields.boolean("split", split);
    TRY(fields.status());
    if (scheme.empty())
        scheme = prefix ? "always" : "never";
    if (mark.empty() || lengthOfCharacter(mark) != mark.size() ||
        (scheme != "always" && scheme != "never" && scheme != "first"))
        return failure(
            ErrorKind::InvalidArgument,
            path + " must have one character as its replacement, and the prepend_scheme always, never or first");
    const auto marks = TRY(SplitPattern::compile(mark, false, path));
    const auto spaces = TRY(SplitPattern::compile(" ", false, path));
    return Cut([=](std::string_view in, bool first, const Words& each) -> Result<void> {
        std::string text = TRY(spaces.replaced(in, mark));
        if ((scheme == "always" || (scheme == "first" && first)) && !text.starts_with(mark))
            text.insert(0, mark);
        return split ? cutBy(marks, SplitBehaviour::MergedWithNext, false, text, first, each) : each(text, first);
    });
}

Result<Cut> readDigits(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    bool individual = false;
    fields.boolean("individual_digits", individual);
    const auto behaviour = individual ? SplitBehaviour::Isolated : SplitBehaviour::Contiguous;
    return fields.status().map([&] {
        return Cut([behaviour](std::string_view in, bool first, const Words& each) {
            return cutAt(isNumber, behaviour, in, first, each);
        });
    });
}

Result<Cut> readPunctuation(ObjectReader& fields, const nlohmann::json&, const std::string& path)
{
    return readBehaviour(fields, path).map([](SplitBehaviour behaviour) {
        return Cut([behaviour](std::string_view in, bool first, const Words& each) {
            return cutAt(isPunctuation, behaviour, in, first, each);
        });
    });
}

Result<Cut> readDelimiter(ObjectReader& fields, const nlohmann::json&, const std::string& path)
{
    std::string delimiter;
    fields.text("delimiter", delimiter);
    TRY(fields.status());
    return SplitPattern::compile(delimiter, false, path).map([](const SplitPattern& pattern) {
        return Cut([pattern](std::string_view in, bool first, const Words& each) {
            return cutBy(pattern, SplitBehaviour::Removed, false, in, first, each);
        });
    });
}

Result<void> atSpaces(std::string_view in, bool first, const Words& each)
{
    return cutAt(isSpace, SplitBehaviour::Removed, in, first, each);
}

/// Words, and what is neither a word nor a space: \w+|[^\w\s]+.
Result<void> atWords(std::string_view in, bool first, const Words& each)
{
    return atSpaces(in, first, [&](std::string_view part, bool begins) {
        return cutAt([](char32_t character) { return !isWord(character); }, SplitBehaviour::Contiguous, part, begins,
                     each);
    });
}

Result<void> asBert(std::string_view in, bool first, const Words& each)
{
    return atSpaces(in, first, [&](std::string_view part, bool begins) {
        return cutAt(isPunctuation, SplitBehaviour::Isolated, part, begins, each);
    });
}

constexpr PartKind<Cut> kindsOfCut[]{{"ByteLevel", readByteLevel},
                                     {"Split", readSplit},
                                     {"Metaspace", readMetaspace},
                                     {"Digits", readDigits},
                                     {"Punctuation", readPunctuation},
                                     {"Whitespace", [](auto&...) { return Result<Cut>(atWords); }},
                                     {"WhitespaceSplit", [](auto&...) { return Result<Cut>(atSpaces); }},
                                     {"CharDelimiterSplit", readDelimiter},
                                     {"BertPreTokenizer", [](auto&...) { return Result<Cut>(asBert); }}};

Result<void> cutFrom(const std::vector<Cut>& cuts, std::size_t step, std::string_view word, bool first,
                     const Words& each)
{
    if (word.empty())
        return {};
    if (step == cuts.size())
        return each(word, first);
    return cuts[step](word, first,
                      [&](std::string_view part, bool begins) { return cutFrom(cuts, step + 1, part, begins, each); });
}

}  // namespace

Result<void> PreTokeniser::cut(std::string_view text, bool first, const Words& each) const
{
    return cutFrom(cuts, 0, text, first, each);
}

Result<PreTokeniser> readPreTokeniser(const nlohmann::json& given, const std::string& path)
{
    PreTokeniser all;
    for (const nlohmann::json* member : TRY(membersOf(given, "pretokenizers", path))) {
        all.cuts.push_back(TRY(readPart(*member, path, kindsOfCut)));
        all.byteLevel = all.byteLevel || typeOf(*member) == "ByteLevel";
        all.underscores = all.underscores || typeOf(*member) == "Metaspace";
    }
    return all;
}

std::string typeOf(const nlohmann::json& given)
{
    return given.is_object() && given.contains("type") && given["type"].is_string() ? given["type"].get<std::string>()
                                                                                    : "";
}

tl::unexpected<Error> notRun(const std::string& path, const std::string& type, std::string_view run)
{
    return failure(ErrorKind::Unavailable, "{} is of type '{}', which is not run here; what is run: {}", path,
                   type.substr(0, 40), run);
}

Result<std::vector<const nlohmann::json*>> membersOf(const nlohmann::json& given, const char* list,
                                                     const std::string& path)
{
    if (given.is_null())
        return std::vector<const nlohmann::json*>{};
    if (typeOf(given) != "Sequence" || !given.contains(list) || !given[list].is_array())
        return std::vector{&given};
    std::vector<const nlohmann::json*> members;
    for (const nlohmann::json& member : given[list]) {
        const auto within = TRY(membersOf(member, list, path));
        members.insert(members.end(), within.begin(), within.end());
        if (members.size() > mostMembers)
            return failure(ErrorKind::InvalidArgument, "{} has more than {} members; so many are no tokeniser", path,
                           mostMembers);
    }
    return members;
}

Result<SplitPattern> readPattern(const nlohmann::json& given, const std::string& path)
{
    const nlohmann::json pattern = given.is_object() && given.contains("pattern") ? given["pattern"] : nlohmann::json();
    for (const char* kind : {"String", "Regex"})
        if (pattern.is_object() && pattern.contains(kind) && pattern[kind].is_string())
            return SplitPattern::compile(pattern[kind].get<std::string>(), *kind == 'R', path);
    return failure(ErrorKind::InvalidArgument, path + ".pattern must be {\"String\": ...} or {\"Regex\": ...}");
}

}  // namespace attnscope
