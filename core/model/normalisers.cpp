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

Result<Normalise> readBert(ObjectReader& fields, const nlohmann::json&, const std::string&)
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
template <class Change>
Result<Normalise> plainly(Change change)
{
    return Normalise([change](const std::string& text) { return Result<std::string>(change(text)); });
}

Result<Normalise> inForm(NormalForm form)
{
    return plainly([form](const std::string& text) { return normalForm(text, form); });
}

Result<Normalise> readPrepend(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    std::string text;
    fields.text("prepend", text);
    return fields.status().map([&] {
        return Normalise([text](std::string in) -> Result<std::string> { return in.empty() ? in : text + in; });
    });
}

Result<Normalise> readStrip(ObjectReader& fields, const nlohmann::json&, const std::string&)
{
    bool left = true, right = true;
    fields.boolean("strip_left", left);
    fields.boolean("strip_right", right);
    TRY(fields.status());
    return plainly([=](const std::string& text) { return stripped(text, left, right); });
}

Normalise mapping(CharacterMap map)
{
    return [map = std::make_shared<const CharacterMap>(std::move(map))](const std::string& text) {
        return map->applied(text);
    };
}

Result<Normalise> readPrecompiled(ObjectReader& fields, const nlohmann::json&, const std::string& path)
{
    std::string map;
    fields.text("precompiled_charsmap", map);
    TRY(fields.status());
    return CharacterMap::readBase64(map, path).map(mapping);
}

constexpr PartKind<Normalise> kindsOfNormaliser[]{
    {"NFC", [](auto&...) { return inForm(NormalForm::C); }},
    {"NFD", [](auto&...) { return inForm(NormalForm::D); }},
    {"NFKC", [](auto&...) { return inForm(NormalForm::KC); }},
    {"NFKD", [](auto&...) { return inForm(NormalForm::KD); }},
    {"Lowercase", [](auto&...) { return plainly(lowerCased); }},
    {"StripAccents", [](auto&...) { return plainly([](const std::string& text) { return without(text, isMark); }); }},
    {"Strip", readStrip},
    {"Replace", readReplace},
    {"Prepend", readPrepend},
    {"ByteLevel", [](auto&...) { return plainly(spelledInLetters); }},
    {"BertNormalizer", readBert},
    {"Precompiled", readPrecompiled}};

}  // namespace

Result<std::vector<Normalise>> readNormaliser(const nlohmann::json& given, const std::string& path)
{
    return readParts(given, "normalizers", path, kindsOfNormaliser);
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
