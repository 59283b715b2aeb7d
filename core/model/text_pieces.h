#pragma once
// What a tokenizer.json does to a text before a model makes tokens of it: normalisers change it, pre-tokenisers cut it
// into words. The steps are those of the `tokenizers` library (its documentation, "Components").

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/model/split_pattern.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

using Normalise = std::function<Result<std::string>(std::string)>;

/// `normalizer`: null, or one of those that the message for others lists. Errors: Unavailable for others,
/// InvalidArgument.
Result<std::vector<Normalise>> readNormaliser(const nlohmann::json& given, const std::string& path);

/// That of a `precompiled_charsmap` in bytes (character_map.h). Errors: InvalidArgument.
Result<Normalise> mapCharacters(std::string_view bytes, const std::string& path);

/// The text through all of them. Errors: theirs, InvalidArgument (a text that grows beyond all measure).
Result<std::string> normalised(std::string text, const std::vector<Normalise>& steps);

/// Errors: InvalidArgument (a step has made a text that is far longer than the `before` bytes it was).
Result<void> withinMeasure(const std::string& text, std::size_t before);

/// A word. `first`: it begins the text.
using Words = std::function<Result<void>(std::string_view word, bool first)>;
/// Cuts a word into words.
using Cut = std::function<Result<void>(std::string_view word, bool first, const Words& each)>;

struct PreTokeniser {
    std::vector<Cut> cuts;
    bool byteLevel = false;    ///< words are in the alphabet of byteLetter()
    bool underscores = false;  ///< spaces have become U+2581

    /// The words of a text, none empty, one after another through all cuts.
    Result<void> cut(std::string_view text, bool first, const Words& each) const;
};

/// `pre_tokenizer`: null, or one of those that the message for others lists. Errors as above.
Result<PreTokeniser> readPreTokeniser(const nlohmann::json& given, const std::string& path);

/// {"type": ...}; empty if there is none.
std::string typeOf(const nlohmann::json& given);

/// Of another type than those that are run.
tl::unexpected<Error> notRun(const std::string& path, const std::string& type, std::string_view run);

/// The members of Sequences, however nested, in their order; or the one that is no sequence. `list` names their field.
/// Errors: InvalidArgument (more than 64).
Result<std::vector<const nlohmann::json*>> membersOf(const nlohmann::json& given, const char* list,
                                                     const std::string& path);

/// A kind of part, by its "type", and what reads one from its fields; `path` names it in messages.
template <class Part>
struct PartKind {
    std::string_view type;
    Result<Part> (*read)(ObjectReader& fields, const nlohmann::json& given, const std::string& path);
};

/// One that is no Sequence. Errors: Unavailable (none of these kinds), those of reading it.
template <class Part, std::size_t count>
Result<Part> readPart(const nlohmann::json& given, const std::string& path, const PartKind<Part> (&kinds)[count])
{
    const std::string type = typeOf(given);
    const auto kind = std::ranges::find(kinds, type, &PartKind<Part>::type);
    if (kind == std::end(kinds))
        return notRun(path, type, "Sequence, " + joined(kinds, ", ", &PartKind<Part>::type));
    ObjectReader fields(given, path);
    return kind->read(fields, given, path);
}

/// All members of `given` (membersOf()).
template <class Part, std::size_t count>
Result<std::vector<Part>> readParts(const nlohmann::json& given, const char* list, const std::string& path,
                                    const PartKind<Part> (&kinds)[count])
{
    std::vector<Part> parts;
    for (const nlohmann::json* member : TRY(membersOf(given, list, path)))
        parts.push_back(TRY(readPart(*member, path, kinds)));
    return parts;
}

/// The pattern of a step: {"String": "x"} or {"Regex": "x"}. Errors: InvalidArgument.
Result<SplitPattern> readPattern(const nlohmann::json& given, const std::string& path);

}  // namespace attnscope
