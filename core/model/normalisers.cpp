#include "core/base/json_reader.h"
#include "core/model/byte_letters.h"
#include "core/model/character_map.h"
#include "core/model/text_pieces.h"
#include "core/model/unicode_text.h"

#include <array>
#include <memory>

namespace attnscope {

namespace {

/// each(character) of the text; the text that `change(out, character)` makes of them.
template <class Change>
std::string changed(std::string_view text, Change change)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();)
        change(out, nextCharacter(text, at));
    return out;
}

std::string lowerCased(std::string_view text)
{
    constexpr char32_t dottedI = 0x130, dotAbove = 0x307;  // the one letter whose small form is two characters
    return changed(text, [](std::string& out, char32_t character) {
        appendCharacter(out, character == dottedI ? U'i' : lowerCase(character));
        if (character == dottedI)
            appendCharacter(out, dotAbove);
    });
}

template <class IsOut>
std::string without(std::string_view text, IsOut isOut)
{
    return changed(text, [&](std::string& out, char32_t character) {
        if (!isOut(character))
            appendCharacter(out, character);
    });
}

std::string stripped(std::string_view text, bool left, bool right)
{
    std::size_t begin = 0, end = text.size();
    for (std::size_t at = begin; left && at < end; begin = at)
        if (!isSpace(nextCharacter(text, at)))
            break;
    for (std::size_t at = end; right && at > begin; end = at)
        if (!isSpace(previousCharacter(text, at)))
            break;
    return std::string(text.substr(begin, end - begin));
}

bool isIdeograph(char32_t character)
{
    // the blocks that BERT's own code sets apart by spaces (Devlin et al. 2019), as the library has them
    struct Block {
        char32_t first, last;
    };
    constexpr std::array<Block, 8> blocks{{{0x4e00, 0x9fff},
                                           {0x3400, 0x4dbf},
                                           {0x20000, 0x2a6df},
                                           {0x2a700, 0x2b73f},
                                           {0x2b740, 0x2b81f},
                                           {0x2b920, 0x2ceaf},
                                           {0xf900, 0xfaff},
                                           {0x2f800, 0x2fa1f}}};
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const Block& block) { return character >= block.first && character <= block.last; });
}

std::string cleaned(std::string_view text)
{
    return changed(text, [](std::string& out, char32_t character) {
        const bool lineOrTab = character == '\t' || character == '\n' || character == '\r';
        if (!lineOrTab && (character == 0 || character == 0xfffd || isControl(character)))
            return;
        if (isSpace(character))
            out += ' ';
        else
            appendCharacter(out, character);
    });
}

Result<Normalise> readBert(ObjectReader& fields)
{
    bool clean = true, chinese = true, lower = true;
    fields.boolean("clean_text", clean);
    fields.boolean("handle_chinese_chars", chinese);
    fields.boolean("lowercase", lower);
    bool accents = lower;
    if (const nlohmann::json* value = fields.field("strip_accents"); value && !value->is_null())
        fields.boolean("strip_accents", accents);
    return fields.status().map([=] {
        return Normalise([=](std::string text) -> Result<std::string> {
            if (clean)
                text = cleaned(text);
            if (chinese)
                text = changed(text, [](std::string& out, char32_t character) {
                    const bool apart = isIdeograph(character);
                    out += apart ? " " : "";
                    appendCharacter(out, character);
                    out += apart ? " " : "";
                });
            if (accents)
                text = without(normalForm(text, NormalForm::D), isNonSpacingMark);
            return lower ? lowerCased(text) : text;
        });
    });
}

Result<Normalise> readReplace(ObjectReader& fields, const nlohmann::json& given, const std::string& path)
{
    std::string content;
    fields.text("content", content);
    TRY(fields.status());
    return readPattern(given, path).map([&](const SplitPattern& pattern) {
        return Normalise([pattern, content](const std::string& text) { return pattern.replaced(text, content); });
    });
}

/// A normaliser without parameters.
struct Plain {
    const char* type;
    std::string (*change)(const std::string&);
};
constexpr std::array<Plain, 7> plainOnes{{
    {"NFC", [](const std::string& text) { return normalForm(text, NormalForm::C); }},
    {"NFD", [](const std::string& text) { return normalForm(text, NormalForm::D); }},
    {"NFKC", [](const std::string& text) { return normalForm(text, NormalForm::KC); }},
    {"NFKD", [](const std::string& text) { return normalForm(text, NormalForm::KD); }},
    {"Lowercase", [](const std::string& text) { return lowerCased(text); }},
    {"StripAccents", [](const std::string& text) { return without(text, isMark); }},
    {"ByteLevel", [](const std::string& text) { return spelledInLetters(text); }},
}};

Normalise mapping(CharacterMap map)
{
    return [map = std::make_shared<const CharacterMap>(std::move(map))](const std::string& text) {
        return map->applied(text);
    };
}

Result<Normalise> readOneNormaliser(const nlohmann::json& given, const std::string& path)
{
    const std::string type = typeOf(given);
    for (const Plain& plain : plainOnes)
        if (type == plain.type)
            return Normalise(
                [change = plain.change](const std::string& text) { return Result<std::string>(change(text)); });
    ObjectReader fields(given, path);
    if (type == "BertNormalizer")
        return readBert(fields);
    if (type == "Replace")
        return readReplace(fields, given, path);
    if (type == "Prepend") {
        std::string text;
        fields.text("prepend", text);
        return fields.status().map([&] {
            return Normalise([text](std::string in) -> Result<std::string> { return in.empty() ? in : text + in; });
        });
    }
    if (type == "Strip") {
        bool left = true, right = true;
        fields.boolean("strip_left", left);
        fields.boolean("strip_right", right);
        return fields.status().map([&] {
            return Normalise([=](const std::string& text) { return Result<std::string>(stripped(text, left, right)); });
        });
    }
    if (type == "Precompiled") {
        std::string map;
        fields.text("precompiled_charsmap", map);
        TRY(fields.status());
        return CharacterMap::readBase64(map, path).map(mapping);
    }
    return notRun(path, type,
                  "Sequence, NFC, NFD, NFKC, NFKD, Lowercase, "
                  "StripAccents, Strip, Replace, Prepend, ByteLevel, BertNormalizer, Precompiled");
}

}  // namespace

Result<std::vector<Normalise>> readNormaliser(const nlohmann::json& given, const std::string& path)
{
    std::vector<Normalise> steps;
    for (const nlohmann::json* member : TRY(membersOf(given, "normalizers", path)))
        steps.push_back(TRY(readOneNormaliser(*member, path)));
    return steps;
}

Result<Normalise> mapCharacters(std::string_view bytes, const std::string& path)
{
    return CharacterMap::read(bytes, path).map(mapping);
}

Result<void> withinMeasure(const std::string& text, std::size_t before)
{
    if (text.size() > (std::size_t{1} << 20) + 64 * before)
        return failure(ErrorKind::InvalidArgument,
                       "the tokeniser's normaliser makes a text of {} bytes; it is no normaliser of texts",
                       text.size());
    return {};
}

Result<std::string> normalised(std::string text, const std::vector<Normalise>& steps)
{
    const std::size_t before = text.size();
    for (const Normalise& step : steps) {
        text = TRY(step(std::move(text)));
        TRY(withinMeasure(text, before));
    }
    return text;
}

}  // namespace attnscope
