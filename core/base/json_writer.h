#pragma once
// Writing what an ObjectReader reads. Both have the same calls, so that one function lists the fields of a structure
// for both ways:
//
//   template <class Fields, class Spec>   // an ObjectReader and a Spec, or an ObjectWriter and a const Spec
//   void specFields(Fields& fields, Spec& spec)
//   {
//       fields.choice("mask", spec.mask, masks(), "mask");
//       fields.number("soft_cap", spec.softCap, 0, 1e6);
//   }

#include "core/base/choice.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace attnscope {

class ObjectWriter {
public:
    template <class Number>
    void number(std::string_view key, Number value, double, double)
    {
        put(key, value);
    }
    template <class Number>
    void numbers(std::string_view key, const std::vector<Number>& values, double, double, std::size_t = 0)
    {
        put(key, values);
    }
    /// What an optional does not hold is left out.
    template <class Number>
    void pair(std::string_view key, const std::optional<std::pair<Number, Number>>& two, double, double)
    {
        if (two)
            put(key, *two);
    }
    template <class Number>
    void pair(std::string_view key, const std::pair<Number, Number>& two, double, double)
    {
        put(key, two);
    }
    void text(std::string_view key, const std::string& value) { put(key, value); }
    void text(std::string_view key, const std::optional<std::string>& value)
    {
        if (value)
            put(key, *value);
    }
    void texts(std::string_view key, const std::vector<std::string>& values, std::size_t = 0) { put(key, values); }
    void boolean(std::string_view key, bool value) { put(key, value); }
    /// A text that is one of the words, or a value whose word stands at its place.
    template <class Word>
    void word(std::string_view key, const Word& value, std::span<const std::string_view> words)
    {
        if constexpr (std::is_enum_v<Word>)
            put(key, words[static_cast<std::size_t>(value)]);
        else
            put(key, value);
    }
    template <class Row>
    void choice(std::string_view key, const Choice& choice, std::span<const Row>, std::string_view)
    {
        put(key, formatChoice(choice));
    }
    template <class Row>
    void choices(std::string_view key, const std::vector<Choice>& choices, std::span<const Row>, std::string_view)
    {
        auto list = nlohmann::json::array();
        for (const Choice& choice : choices)
            list.push_back(formatChoice(choice));
        put(key, std::move(list));
    }
    /// An object within the object: partFields(fields) lists its fields.
    template <class PartFields>
    void object(std::string_view key, PartFields partFields)
    {
        ObjectWriter part;
        partFields(part);
        put(key, std::move(part).json());
    }
    template <class Part, class PartFields>
    void object(std::string_view key, const std::optional<Part>& whole, PartFields partFields)
    {
        if (whole)
            object(key, [&](ObjectWriter& part) { partFields(part, *whole); });
    }
    /// A list of objects: partFields(fields, part) lists the fields of one.
    template <class Part, class PartFields>
    void objects(std::string_view key, const std::vector<Part>& parts, std::string_view, std::size_t,
                 PartFields partFields)
    {
        auto list = nlohmann::json::array();
        for (const Part& one : parts) {
            ObjectWriter part;
            partFields(part, one);
            list.push_back(std::move(part).json());
        }
        put(key, std::move(list));
    }
    void any(std::string_view key, const nlohmann::json& value) { put(key, value); }
    /// A reader's concern: what is written is right.
    void require(std::string_view, bool, std::string_view) {}

    void put(std::string_view key, nlohmann::json value) { m_object[std::string(key)] = std::move(value); }
    nlohmann::json json() && { return std::move(m_object); }

private:
    nlohmann::json m_object = nlohmann::json::object();
};

}  // namespace attnscope
