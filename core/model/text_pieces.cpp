#include "core/model/text_pieces.h"

#include "core/base/json_reader.h"
#include "core/model/split_pattern.h"
#include "core/tensor/byte_source.h"

#include <array>
#include <map>

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

namespace attnscope {

namespace {

const std::string underscore = "\u2581";
constexpr const char* wordsOfGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

std::string replaced(std::string_view text, std::string_view what, std::string_view by)
{
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t found = text.find(what, at);
        out += text.substr(at, found == text.npos ? text.npos : found - at);
        if (found == text.npos)
            break;
        out += by;
        at = found + what.size();
    }
    return out;
}

Result<std::string> composed(std::string text)
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    const icu::UnicodeString in = icu::UnicodeString::fromUTF8(text);
    const icu::UnicodeString out = nfc ? nfc->normalize(in, status) : in;
    if (U_FAILURE(status))
        return failure(ErrorKind::InvalidArgument, "the text could not be brought into Unicode's composed form");
    text.clear();
    out.toUTF8String(text);
    return text;
}

std::string typeOf(const nlohmann::json& given)
{
    return given.is_object() && given.contains("type") && given["type"].is_string() ? given["type"].get<std::string>()
                                                                                    : "";
}

auto notRead(const std::string& path, const std::string& type, const char* known)
{
    return failure(ErrorKind::Unavailable,
                   path + " is of type '" + type.substr(0, 40) + "', which is not run here; what is run: " + known);
}

/// The members of a Sequence, or the one that is no sequence.
std::vector<const nlohmann::json*> membersOf(const nlohmann::json& given, const char* list)
{
    if (given.is_null())
        return {};
    if (typeOf(given) != "Sequence" || !given.contains(list) || !given[list].is_array())
        return {&given};
    std::vector<const nlohmann::json*> members;
    for (const nlohmann::json& member : given[list])
        members.push_back(&member);
    return members;
}

/// {"String": "x"} or {"Regex": "x"}.
Result<SplitPattern> readPattern(const nlohmann::json& given, const std::string& path)
{
    const nlohmann::json pattern = given.is_object() && given.contains("pattern") ? given["pattern"] : nlohmann::json();
    for (const char* kind : {"String", "Regex"})
        if (pattern.is_object() && pattern.contains(kind) && pattern[kind].is_string())
            return SplitPattern::compile(pattern[kind].get<std::string>(), *kind == 'R', path);
    return failure(ErrorKind::InvalidArgument, path + ".pattern must be {\"String\": ...} or {\"Regex\": ...}");
}

Result<Normalise> readOneNormaliser(const nlohmann::json& given, const std::string& path)
{
    const std::string type = typeOf(given);
    ObjectReader fields(given, path);
    std::string text;
    if (type == "NFC")
        return Normalise(composed);
    if (type == "Prepend") {
        fields.text("prepend", text);
        return fields.status().map([&] {
            return Normalise([text](std::string in) -> Result<std::string> { return in.empty() ? in : text + in; });
        });
    }
    if (type != "Replace")
        return notRead(path, type, "Sequence, Prepend, Replace, NFC");
    fields.text("content", text);
    TRY(fields.status());
    const nlohmann::json pattern = given.contains("pattern") ? given["pattern"] : nlohmann::json();
    if (!pattern.is_object() || !pattern.contains("String") || !pattern["String"].is_string() ||
        pattern["String"].get_ref<const std::string&>().empty())
        return failure(ErrorKind::Unavailable,
                       path + " replaces something else than a plain text, which is not run here");
    return Normalise([what = pattern["String"].get<std::string>(), text](std::string in) -> Result<std::string> {
        return replaced(in, what, text);
    });
}

/// Bytes as letters; the word itself is not cut.
Result<std::vector<std::string>> spelled(std::vector<std::string> words)
{
    for (std::string& word : words) {
        std::string letters;
        for (const char byte : word)
            letters += byteLetter(static_cast<unsigned char>(byte));
        word = std::move(letters);
    }
    return words;
}

Result<Cut> readByteLevel(ObjectReader& fields, const std::string& path)
{
    bool prefix = true, pattern = true;
    fields.boolean("add_prefix_space", prefix);
    fields.boolean("use_regex", pattern);
    TRY(fields.status());
    const auto words = TRY(SplitPattern::compile(wordsOfGpt2, true, path));
    return Cut([prefix, pattern, words = words](std::string in, bool) -> Result<std::vector<std::string>> {
        if (prefix && !in.starts_with(' '))
            in = " " + in;
        if (!pattern)
            return spelled({in});
        return words.cut(in, SplitPattern::Behaviour::Isolated, false).and_then(spelled);
    });
}

Result<Cut> readSplit(ObjectReader& fields, const nlohmann::json& given, const std::string& path)
{
    using Behaviour = SplitPattern::Behaviour;
    std::string behaviour = "Isolated";
    bool invert = false;
    fields.text("behavior", behaviour);
    fields.boolean("invert", invert);
    TRY(fields.status());
    const std::map<std::string, Behaviour> known{{"Isolated", Behaviour::Isolated},
                                                 {"Removed", Behaviour::Removed},
                                                 {"MergedWithPrevious", Behaviour::MergedWithPrevious},
                                                 {"MergedWithNext", Behaviour::MergedWithNext}};
    const auto found = known.find(behaviour);
    if (found == known.end())
        return failure(ErrorKind::Unavailable,
                       path + ".behavior is '" + behaviour.substr(0, 40) + "', which is not run here");
    return readPattern(given, path).map([&](const SplitPattern& pattern) {
        return Cut(
            [pattern, how = found->second, invert](std::string in, bool) { return pattern.cut(in, how, invert); });
    });
}

Result<Cut> readMetaspace(ObjectReader& fields, const std::string& path)
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
    if (mark != underscore || (scheme != "always" && scheme != "never" && scheme != "first"))
        return failure(ErrorKind::Unavailable, path + " marks spaces in another way than with U+2581, always, never or "
                                                      "at the first word, which is not run here");
    return SplitPattern::compile(mark, false, path).map([&](const SplitPattern& marks) {
        return Cut([=](std::string in, bool first) -> Result<std::vector<std::string>> {
            in = replaced(in, " ", mark);
            if ((scheme == "always" || (scheme == "first" && first)) && !in.starts_with(mark))
                in = mark + in;
            if (!split)
                return std::vector{in};
            return marks.cut(in, SplitPattern::Behaviour::MergedWithNext, false);
        });
    });
}

Result<Cut> readDigits(ObjectReader& fields, const std::string& path)
{
    bool individual = false;
    fields.boolean("individual_digits", individual);
    return fields.status()
        .and_then([&] { return SplitPattern::compile(individual ? "\\p{N}" : "\\p{N}+", true, path); })
        .map([](const SplitPattern& digits) {
            return Cut(
                [digits](std::string in, bool) { return digits.cut(in, SplitPattern::Behaviour::Isolated, false); });
        });
}

}  // namespace

Result<std::vector<Normalise>> readNormaliser(const nlohmann::json& given, const std::string& path)
{
    std::vector<Normalise> steps;
    for (const nlohmann::json* member : membersOf(given, "normalizers"))
        steps.push_back(TRY(readOneNormaliser(*member, path)));
    return steps;
}

Result<PreTokeniser> readPreTokeniser(const nlohmann::json& given, const std::string& path)
{
    PreTokeniser all;
    for (const nlohmann::json* member : membersOf(given, "pretokenizers")) {
        const std::string type = typeOf(*member);
        ObjectReader fields(*member, path);
        if (all.byteLevel)
            return failure(ErrorKind::Unavailable,
                           path + " cuts after it has spelled bytes as letters, which is not run here");
        Cut cut =
            TRY(type == "ByteLevel"   ? readByteLevel(fields, path)
                : type == "Split"     ? readSplit(fields, *member, path)
                : type == "Metaspace" ? readMetaspace(fields, path)
                : type == "Digits"    ? readDigits(fields, path)
                                   : Result<Cut>(notRead(path, type, "Sequence, ByteLevel, Split, Metaspace, Digits")));
        all.cuts.push_back(std::move(cut));
        all.byteLevel = all.byteLevel || type == "ByteLevel";
        all.underscores = all.underscores || type == "Metaspace";
    }
    return all;
}

namespace {

/// Bytes that print stand for themselves; the others, in order, for U+0100 and on.
std::array<std::string, 256> lettersOfBytes()
{
    std::array<std::string, 256> letters;
    int others = 0;
    for (int byte = 0; byte < 256; ++byte) {
        const bool prints = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
        const int code = prints ? byte : 256 + others++;
        std::string& letter = letters[static_cast<size_t>(byte)];
        if (code < 0x80)
            letter = static_cast<char>(code);
        else
            letter = {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
    }
    return letters;
}

const std::array<std::string, 256>& letters()
{
    static const std::array<std::string, 256> table = lettersOfBytes();
    return table;
}

}  // namespace

const std::string& byteLetter(unsigned char byte) { return letters()[byte]; }

int letterByte(std::string_view character)
{
    static const std::map<std::string, int, std::less<>> bytes = [] {
        std::map<std::string, int, std::less<>> table;
        for (int byte = 0; byte < 256; ++byte)
            table.emplace(letters()[static_cast<size_t>(byte)], byte);
        return table;
    }();
    const auto found = bytes.find(character);
    return found == bytes.end() ? -1 : found->second;
}

std::string repaired(std::string_view text)
{
    std::string out;
    icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size()))).toUTF8String(out);
    return out;
}

bool isUtf8(std::string_view text) { return repaired(text) == text; }

}  // namespace attnscope
