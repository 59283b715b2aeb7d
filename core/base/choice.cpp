#include "core/base/choice.h"

#include "core/base/csv.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <regex>

namespace attnscope {

namespace {

std::string parameterList(const Entry& entry)
{
    if (entry.parameters.empty())
        return "it takes no parameters";
    return "its parameters are " + joined(entry.parameters, ", ", &Parameter::id);
}

Result<double> readNumber(std::string_view text, size_t column)
{
    if (const auto value = typedNumber(text))
        return *value;
    return failure(ErrorKind::InvalidArgument, "column {}: expected a number, got '{}'", column + 1, text);
}

struct Quoted {
    std::string text;
    size_t end;  ///< behind the closing quote
};

/// The text between the quotes of which the first stands at `open`; "" within it is one quote. Nothing: it is not
/// closed.
std::optional<Quoted> quotedText(std::string_view text, size_t open)
{
    Quoted out;
    for (size_t at = open + 1;;) {
        const size_t quote = text.find('"', at);
        if (quote == text.npos)
            return std::nullopt;
        out.text += text.substr(at, quote - at);
        if (!text.substr(quote + 1).starts_with('"')) {
            out.end = quote + 1;
            return out;
        }
        out.text += '"';
        at = quote + 2;
    }
}

/// Replaces every {name} of a template by what `put` returns for it.
template <class Put>
std::string fillTemplate(std::string_view text, Put put)
{
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t open = text.find('{', at);
        const size_t close = open == text.npos ? text.npos : text.find('}', open);
        if (close == text.npos)
            return out += text.substr(at);
        out += text.substr(at, open - at);
        out += put(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return out;
}

}  // namespace

const Parameter* parameterOf(const Entry& entry, std::string_view id)
{
    const auto found = std::ranges::find(entry.parameters, id, &Parameter::id);
    return found == entry.parameters.end() ? nullptr : &*found;
}

double Parameters::operator[](std::string_view id) const
{
    if (const auto given = m_choice->values.find(id); given != m_choice->values.end())
        return given->second;
    const Parameter* parameter = parameterOf(*m_entry, id);
    assert(parameter && "a row asked for a parameter it does not declare");
    return parameter ? parameter->byDefault : 0;
}

std::optional<double> Parameters::given(std::string_view id) const
{
    const auto found = m_choice->values.find(id);
    return found == m_choice->values.end() ? std::nullopt : std::optional(found->second);
}

Choice withTrainLength(const Entry& entry, Choice choice, double nTrain)
{
    for (const Parameter& parameter : entry.parameters)
        if (parameter.followsN)
            choice.values.emplace(parameter.id,
                                  parameter.kind == Parameter::Kind::Integer ? std::round(nTrain) : nTrain);
    return choice;
}

const std::string& Parameters::text() const { return m_choice->text.empty() ? m_entry->textByDefault : m_choice->text; }

Result<void> validate(const Entry& entry, const Choice& choice)
{
    for (const auto& [id, value] : choice.values) {
        const Parameter* parameter = parameterOf(entry, id);
        if (!parameter)
            return failure(ErrorKind::UnknownName, "'{}' has no parameter '{}'; {}", entry.id, id,
                           parameterList(entry));
        const bool whole = parameter->kind == Parameter::Kind::Real || value == std::floor(value);
        if (!(value >= parameter->minimum && value <= parameter->maximum) || !whole)
            return failure(ErrorKind::InvalidArgument, "{}: {} must be {}from {} to {}, not {}", entry.id, id,
                           parameter->kind == Parameter::Kind::Real ? "" : "a whole number ",
                           formatNumber(parameter->minimum), formatNumber(parameter->maximum), formatNumber(value));
    }
    if (!choice.text.empty() && entry.textLabel.empty())
        return failure(ErrorKind::InvalidArgument, "'{}' takes no text; {}", entry.id, parameterList(entry));
    return {};
}

Result<Choice> parseChoiceText(std::string_view text,
                               const std::function<Result<const Entry*>(std::string_view)>& entryOf)
{
    const size_t colon = text.find(':');
    Choice choice{.id = std::string(text.substr(0, colon)), .values = {}, .text = {}};
    const Entry* entry = TRY(entryOf(choice.id));
    if (colon == text.npos)
        return choice;

    size_t at = colon + 1;
    if (text.substr(at).empty())
        return failure(ErrorKind::InvalidArgument, "column {}: expected a parameter after ':'; {}", at + 1,
                       parameterList(*entry));
    size_t unnamed = 0;  // values without a name are the row's parameters in order, as long as no name or text has come
    bool inOrder = true;
    while (at < text.size()) {
        // a quoted text, or an unquoted one that is no parameter of a row that takes a text
        if (text[at] == '"') {
            const auto quoted = quotedText(text, at);
            if (!quoted)
                return failure(ErrorKind::InvalidArgument, "column {}: the quote is not closed", at + 1);
            if (quoted->text.empty())
                return failure(ErrorKind::InvalidArgument,
                               "column {}: the text is empty; leave it out for the default{}", at + 1,
                               entry->textByDefault.empty() ? "" : ", " + entry->textByDefault);
            choice.text = quoted->text;
            at = quoted->end;
            if (at < text.size() && text[at] != ',')
                return failure(ErrorKind::InvalidArgument, "column {}: expected ',' after the text", at + 1);
            ++at;
            inOrder = false;
            continue;
        }
        const size_t end = std::min(text.find(',', at), text.size());
        const std::string_view item = text.substr(at, end - at);
        const size_t equals = item.find('=');
        const std::string_view key = item.substr(0, equals);
        const auto follows = [&](const Parameter* parameter, std::string_view value) {
            return parameter && parameter->followsN && value == "N";
        };
        if (equals != item.npos && follows(parameterOf(*entry, key), item.substr(equals + 1))) {
            // as without it
        } else if (equals != item.npos && (parameterOf(*entry, key) || entry->textLabel.empty())) {
            const double value = TRY(readNumber(item.substr(equals + 1), at + equals + 1));
            if (!choice.values.emplace(std::string(key), value).second)
                return failure(ErrorKind::InvalidArgument, "column {}: '{}' is given twice", at + 1, key);
        } else if (!entry->textLabel.empty() && !(entry->textIsFile && numberFrom<double>(item))) {
            choice.text = text.substr(at);
            break;
        } else if (inOrder && equals == item.npos && unnamed < entry->parameters.size() &&
                   follows(&entry->parameters[unnamed], item)) {
            ++unnamed;
        } else if (inOrder && equals == item.npos && unnamed < entry->parameters.size()) {
            const double value = TRY(readNumber(item, at));
            choice.values.emplace(entry->parameters[unnamed++].id, value);
        } else {
            return failure(ErrorKind::InvalidArgument, "column {}: expected parameter=value, got '{}'; {}", at + 1,
                           item, parameterList(*entry));
        }
        inOrder = inOrder && equals == item.npos;
        at = end + 1;
    }
    TRY(validate(*entry, choice));
    std::erase_if(choice.values, [&](const auto& kv) {
        const Parameter& parameter = *parameterOf(*entry, kv.first);
        return !parameter.followsN && parameter.byDefault == kv.second;
    });
    return choice;
}

std::string formatChoice(const Choice& choice)
{
    std::string text = choice.id;
    char separator = ':';
    for (const auto& [id, value] : choice.values) {
        text += separator + id + "=" + formatNumber(value);
        separator = ',';
    }
    return choice.text.empty() ? text : text + separator + inDoubledQuotes(choice.text);
}

std::string describeChoice(const Entry& entry, const Choice& choice)
{
    std::string list = choice.text;
    for (const auto& [id, value] : choice.values)
        if (const Parameter* parameter = parameterOf(entry, id)) {
            if (!list.empty())
                list += ", ";
            list += parameter->kind == Parameter::Kind::Switch ? (value != 0 ? "" : "not ") + parameter->label
                                                               : parameter->label + " = " + formatNumber(value, 6);
        }
    return list.empty() ? entry.label : entry.label + " (" + list + ")";
}

std::string symbolicFormula(const Entry& entry)
{
    return fillTemplate(entry.formula, [&](std::string_view name) {
        const Parameter* parameter = parameterOf(entry, name);
        return parameter ? parameter->label : std::string(name);
    });
}

std::string workedFormula(const Entry& entry, const Choice& choice,
                          const std::map<std::string, double, std::less<>>& values)
{
    std::string text = fillTemplate(entry.formula, [&](std::string_view name) {
        if (const auto value = values.find(name); value != values.end())
            return formatNumber(value->second, 4);
        if (parameterOf(entry, name))
            return formatNumber(Parameters(entry, choice)[name], 4);
        return std::string(name);
    });
    for (size_t at = 0; (at = text.find("+ -", at)) != text.npos;)
        text.replace(at, 3, "− ");
    static const std::regex one(R"(e\^\([0-9]+·0/[0-9]+\)·)");  // e^(2·0/64) times what follows
    return std::regex_replace(text, one, "");
}

std::string formatNumber(double value, int digits)
{
    std::array<char, 64> buffer;
    if (value == std::floor(value) && std::abs(value) < 1e6) {  // "1024", never "1.024e+03"
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<long long>(value)).ptr;
        return {buffer.data(), end};
    }
    if (digits > 0 && std::abs(value) >= std::pow(10, digits) - 0.5 &&
        std::abs(value) < 1e6 - 0.5)  // "1024" in three digits too, never "1.02e+03"
        return formatNumber(std::round(value));
    const bool whole = value == std::floor(value) && std::abs(value) < 1e12;  // "1048576", and "1e+09" for a round one
    const auto end =
        digits > 0 && !whole
            ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits).ptr
            : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace attnscope
