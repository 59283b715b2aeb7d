#pragma once
// Reading JSON that somebody may have edited: every field is asked for by name, with its type and range; what nobody
// asked for is an error that lists the names there are. Errors name the field by its path: "scenario.view.pixels must
// be ...". An ObjectWriter has the same calls, for structures that are written too.

#include "core/base/choice.h"
#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace attnscope {

/// Parses; refuses keys that come twice, nesting over 32 and texts over 64 MiB. `what` begins the message: "recipe
/// x.json". Errors: InvalidHeader with line and column.
Result<nlohmann::json> parseJson(std::string_view text, std::string_view what);

/// "lengths[2]": an element of a list in messages.
std::string placeIn(std::string_view list, std::size_t at);

/// One object. The first error stays; later calls then do nothing. Fields that are absent leave the target as it is.
class ObjectReader {
public:
    ObjectReader(const nlohmann::json& object, std::string path);

    template <class Number>
    void number(std::string_view key, Number& target, double minimum, double maximum);
    void text(std::string_view key, std::string& target);
    void text(std::string_view key, std::optional<std::string>& target);
    void boolean(std::string_view key, bool& target);
    template <class Row>
    void choice(std::string_view key, Choice& target, std::span<const Row> rows, std::string_view what);
    template <class Row>
    void choices(std::string_view key, std::vector<Choice>& target, std::span<const Row> rows, std::string_view what);
    /// A list, at most `most` long.
    void texts(std::string_view key, std::vector<std::string>& target, std::size_t most = 10000);
    template <class Number>
    void numbers(std::string_view key, std::vector<Number>& target, double minimum, double maximum,
                 std::size_t most = 10000);
    /// Two numbers in a list.
    template <class Number>
    void pair(std::string_view key, std::pair<Number, Number>& target, double minimum, double maximum);
    template <class Number>
    void pair(std::string_view key, std::optional<std::pair<Number, Number>>& target, double minimum, double maximum);
    /// One of the given words: the text, or the value whose word stands at its place.
    template <class Word>
    void word(std::string_view key, Word& target, std::span<const std::string_view> words);
    /// An object within the object: partFields(reader) asks for its fields.
    template <class PartFields>
    void object(std::string_view key, PartFields partFields);
    /// One that may be absent: partFields(reader, part).
    template <class Part, class PartFields>
    void object(std::string_view key, std::optional<Part>& target, PartFields partFields);
    /// A list of at most `most` objects (`what` they are, for the message): partFields(reader, part) asks for the
    /// fields of one.
    template <class Part, class PartFields>
    void objects(std::string_view key, std::vector<Part>& target, std::string_view what, std::size_t most,
                 PartFields partFields);
    /// A list of at most `most` elements, each an optional of read(json); `what` says what one must be.
    template <class Element, class Read>
    void elements(std::string_view key, std::vector<Element>& target, std::string_view what, std::size_t most,
                  Read read);
    /// Whatever it is.
    void any(std::string_view key, nlohmann::json& target);
    /// An error unless `good`: the field "must" be what `wanted` says. After an error nothing is looked at: ask of what
    /// has been read.
    void require(std::string_view key, bool good, std::string_view wanted);

    /// The value of a field to read by other means; null if absent or after an error.
    const nlohmann::json* field(std::string_view key);
    std::string pathOf(std::string_view key) const;
    void fail(std::string message);
    void fail(const Error& error);

    /// The first error so far.
    Result<void> status() const;
    /// Fields that are there and that nobody has asked for.
    std::vector<std::string> unasked() const;
    /// The first error, or unknown fields.
    Result<void> finish();

private:
    void wrongType(std::string_view key, std::string_view wanted, const nlohmann::json& got);
    std::optional<size_t> indexOf(std::string_view key, std::span<const std::string_view> words);
    /// The elements of a list of at most `most`; null if absent or wrong.
    const nlohmann::json* list(std::string_view key, std::string_view what, std::size_t most);
    const nlohmann::json* m_object = nullptr;
    std::string m_path;
    std::vector<std::string> m_known;
    std::optional<Error> m_error;
};

template <class Number>
void ObjectReader::number(std::string_view key, Number& target, double minimum, double maximum)
{
    const nlohmann::json* value = field(key);
    if (!value)
        return;
    const bool whole = std::is_integral_v<Number>;
    const std::string wanted = std::string(whole ? "a whole number" : "a number") + " from " + formatNumber(minimum) +
                               " to " + formatNumber(maximum);
    if (!value->is_number())
        return wrongType(key, wanted, *value);
    const double number = value->get<double>();
    if (!(number >= minimum && number <= maximum) || (whole && number != std::floor(number)))
        return wrongType(key, wanted, *value);
    if constexpr (std::is_same_v<Number, std::uint64_t>) {
        if (!value->is_number_unsigned() && number >= 9007199254740992.0)
            return wrongType(key, wanted, *value);
    }
    target = value->is_number_float() ? static_cast<Number>(number) : value->get<Number>();
}

template <class Number>
void ObjectReader::numbers(std::string_view key, std::vector<Number>& target, double minimum, double maximum,
                           std::size_t most)
{
    const bool whole = std::is_integral_v<Number>;
    const std::string what = std::string(whole ? "whole numbers" : "numbers") + " from " + formatNumber(minimum) +
                             " to " + formatNumber(maximum);
    const nlohmann::json* all = list(key, what, most);
    if (!all)
        return;
    std::vector<Number> read;
    for (const nlohmann::json& one : *all) {
        const double number = one.is_number() ? one.get<double>() : std::nan("");
        if (!(number >= minimum && number <= maximum) || (whole && number != std::floor(number)))
            return wrongType(key, "a list of " + what, one);
        read.push_back(static_cast<Number>(number));
    }
    target = std::move(read);
}

template <class Number>
void ObjectReader::pair(std::string_view key, std::pair<Number, Number>& target, double minimum, double maximum)
{
    std::vector<Number> two;
    numbers(key, two, minimum, maximum, 2);
    if (two.size() == 2)
        target = {two[0], two[1]};
    else if (const nlohmann::json* value = field(key))
        wrongType(key, "a list of two numbers", *value);
}

template <class Number>
void ObjectReader::pair(std::string_view key, std::optional<std::pair<Number, Number>>& target, double minimum,
                        double maximum)
{
    if (!field(key))
        return;
    std::pair<Number, Number> two;
    pair(key, two, minimum, maximum);
    if (!m_error)
        target = two;
}

template <class Word>
void ObjectReader::word(std::string_view key, Word& target, std::span<const std::string_view> words)
{
    const std::optional<size_t> index = indexOf(key, words);
    if (!index)
        return;
    if constexpr (std::is_assignable_v<Word&, std::string_view>)
        target = words[*index];
    else
        target = static_cast<Word>(*index);
}

template <class PartFields>
void ObjectReader::object(std::string_view key, PartFields partFields)
{
    const nlohmann::json* value = field(key);
    if (!value)
        return;
    ObjectReader part(*value, pathOf(key));
    partFields(part);
    if (const auto done = part.finish(); !done)
        fail(done.error());
}

template <class Part, class PartFields>
void ObjectReader::object(std::string_view key, std::optional<Part>& target, PartFields partFields)
{
    if (!field(key))
        return;
    Part read;
    object(key, [&](ObjectReader& part) { partFields(part, read); });
    if (!m_error)
        target = std::move(read);
}

template <class Element, class Read>
void ObjectReader::elements(std::string_view key, std::vector<Element>& target, std::string_view what, std::size_t most,
                            Read read)
{
    const nlohmann::json* all = list(key, what, most);
    if (!all)
        return;
    std::vector<Element> elements;
    for (const nlohmann::json& one : *all) {
        std::optional<Element> element = read(one);
        if (!element)
            return wrongType(placeIn(key, elements.size()), what, one);
        elements.push_back(std::move(*element));
    }
    target = std::move(elements);
}

template <class Part, class PartFields>
void ObjectReader::objects(std::string_view key, std::vector<Part>& target, std::string_view what, std::size_t most,
                           PartFields partFields)
{
    const nlohmann::json* all = list(key, what, most);
    if (!all)
        return;
    std::vector<Part> read;
    for (const nlohmann::json& one : *all) {
        ObjectReader part(one, placeIn(pathOf(key), read.size()));
        partFields(part, read.emplace_back());
        if (const auto done = part.finish(); !done)
            return fail(done.error());
    }
    target = std::move(read);
}

template <class Row>
void ObjectReader::choice(std::string_view key, Choice& target, std::span<const Row> rows, std::string_view what)
{
    std::string text;
    const nlohmann::json* value = field(key);
    if (!value)
        return;
    if (!value->is_string())
        return wrongType(key, "a text such as \"" + rows.front().id + "\"", *value);
    if (auto read = parseChoice(value->get<std::string>(), rows, what))
        target = *read;
    else
        fail({read.error().kind, pathOf(key) + ": " + read.error().message});
}

template <class Row>
void ObjectReader::choices(std::string_view key, std::vector<Choice>& target, std::span<const Row> rows,
                           std::string_view what)
{
    const nlohmann::json* all = list(key, "texts such as [\"" + rows.front().id + "\"]", 10000);
    if (!all)
        return;
    std::vector<Choice> read;
    for (const nlohmann::json& item : *all) {
        const std::string at = placeIn(pathOf(key), read.size());
        if (!item.is_string())
            return fail(at + " must be a text");
        auto one = parseChoice(item.get<std::string>(), rows, what);
        if (!one)
            return fail({one.error().kind, at + ": " + one.error().message});
        read.push_back(*one);
    }
    target = std::move(read);
}

}  // namespace attnscope
