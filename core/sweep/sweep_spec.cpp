#include "core/sweep/sweep_spec.h"

#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace attnscope {

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view sweepSchema = "attnscope_sweep/1";

tl::unexpected<Error> refused(const std::string& path, const std::string& why,
                              ErrorKind kind = ErrorKind::InvalidArgument)
{
    return failure(kind, path + " " + why);
}

Result<std::string> wordOf(const nlohmann::json& value, const std::string& path)
{
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        if (word.find('\0') != word.npos)
            return refused(path, "holds a zero byte, which no command line can");
        return word;
    }
    if (value.is_number_integer())
        return jsonText(value);
    if (value.is_number())
        return formatNumber(value.get<double>());
    return refused(path, "must be a text or a number, or a list of them");
}

Result<Words> counted(const nlohmann::json& counter, const std::string& path)
{
    std::int64_t from = 0, count = 0, step = 1;
    ObjectReader reader(counter, path);
    reader.number("from", from, -1e15, 1e15);
    reader.number("count", count, 1, static_cast<double>(mostTasks));
    reader.number("step", step, -1e9, 1e9);
    if (step == 0 && count > 1)
        reader.fail(path + ".step must not be 0: its values would all be the same");
    if (!counter.contains("count"))
        reader.fail(path + ".count is missing; a counter is {\"from\": 1, \"count\": 5}");
    TRY(reader.finish());
    Words words;
    for (std::int64_t i = 0; i < count; ++i)
        words.push_back(std::to_string(from + i * step));
    return words;
}

/// One value of an axis: its words.
Result<Words> valueOf(const nlohmann::json& value, const SweptCommand::Option& option, const std::string& path)
{
    if (option.flag) {
        if (!value.is_boolean())
            return refused(path, "must be true or false: it is a flag");
        return value.get<bool>() ? Words{""} : Words{};
    }
    if (!value.is_array())
        return Words{TRY(wordOf(value, path))};
    if (!option.several)
        return refused(path, "takes one value, not a list within the list");
    if (value.empty())
        return refused(path, "must not be empty");
    Words words;
    for (std::size_t i = 0; i < value.size(); ++i)
        words.push_back(TRY(wordOf(value[i], placeIn(path, i))));
    return words;
}

Result<SweepAxis> axisOf(SweepAxis::Kind kind, const SweptCommand::Option& option, const nlohmann::json& given,
                         const std::string& path)
{
    SweepAxis axis{kind, option.name, {}, option.flag};
    if (given.is_object()) {
        for (const std::string& word : TRY(counted(given, path)))
            axis.values.push_back({word});
        return axis;
    }
    if (!given.is_array()) {
        axis.values.push_back(TRY(valueOf(given, option, path)));
        return axis;
    }
    if (given.empty())
        return refused(path, "is an empty list: the product would have no task");
    std::set<Words> seen;
    for (std::size_t i = 0; i < given.size(); ++i) {
        axis.values.push_back(TRY(valueOf(given[i], option, placeIn(path, i))));
        if (!seen.insert(axis.values.back()).second)
            return refused(placeIn(path, i), "stands in the list before");
    }
    return axis;
}

Result<SweptCommand> commandOf(const std::string& name, std::span<const SweptCommand> commands)
{
    const auto found = std::ranges::find(commands, name, &SweptCommand::name);
    if (found != commands.end())
        return *found;
    return refused("command",
                   (name.empty() ? "is missing" : "'" + name + "' cannot be swept") +
                       "; known: " + joined(commands, ", ", &SweptCommand::name),
                   ErrorKind::UnknownName);
}

Result<SweptCommand::Option> optionOf(const SweptCommand& command, std::string name)
{
    name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
    const auto found = std::ranges::find(command.options, name, &SweptCommand::Option::name);
    if (found != command.options.end())
        return *found;
    return refused("options." + name,
                   "is no option of " + command.name +
                       " that a sweep can set; known: " + joined(command.options, ", ", &SweptCommand::Option::name),
                   ErrorKind::UnknownName);
}

/// Of a command that is not known: a flag where its values are true and false.
SweptCommand::Option optionAsGiven(const std::string& name, const nlohmann::json& value)
{
    return {name.substr(std::min(name.find_first_not_of('-'), name.size())),
            (value.is_array() && !value.empty() ? value.front() : value).is_boolean(), true};
}

Result<void> readAxes(const nlohmann::json& json, SweepSpec& spec, std::span<const SweptCommand> commands)
{
    std::string schema;
    ObjectReader reader(json, "the sweep");
    reader.text("schema", schema);
    reader.text("command", spec.command);
    const nlohmann::json *arguments = reader.field("arguments"), *options = reader.field("options"),
                         *set = reader.field("set");
    TRY(reader.finish());
    if (schema != sweepSchema)
        return refused("schema", "must be \"" + std::string(sweepSchema) + "\"");
    const SweptCommand command = commands.empty() && !spec.command.empty() ? SweptCommand{spec.command, {}, true}
                                                                           : TRY(commandOf(spec.command, commands));
    if (arguments && !command.takesArgument)
        return refused("arguments", "have no place: " + command.name + " takes options alone");
    std::int64_t tasks = 1;
    const auto add = [&](SweepAxis axis)
        -> Result<void> {  // the product is looked at as it grows: no list is made after one too many
        if (std::ssize(axis.values) > mostTasks / tasks)
            return refused("the sweep", "has more than a million tasks; shorten a list, or cut it into several sweeps");
        tasks *= std::ssize(axis.values);
        spec.axes.push_back(std::move(axis));
        return {};
    };
    if (arguments)
        TRY(add(TRY(axisOf(SweepAxis::Kind::Argument, {"argument", false, false}, *arguments, "arguments"))));
    for (const SweepAxis& axis : spec.axes)
        for (const Words& words : axis.values)
            if (words.front().empty() || words.front().starts_with('-'))
                return refused("arguments", "must be names or files, not '" + words.front() + "'");
    for (const auto& [what, object] : {std::pair("options", options), std::pair("set", set)}) {
        if (!object)
            continue;
        if (!object->is_object())
            return refused(what, "must be an object of names and values");
        if (what == std::string_view("set") && command.name != "lab")
            return refused("set", "is for the command lab: its parameters");
        for (const auto& [name, value] : object->items()) {
            const std::string place = std::string(what) + "." + name;
            if (object == options) {
                const SweptCommand::Option option =
                    commands.empty() ? optionAsGiven(name, value) : TRY(optionOf(command, name));
                TRY(add(TRY(axisOf(SweepAxis::Kind::Option, option, value, place))));
            } else if (name.empty() || name.find('=') != name.npos) {
                return refused(place, "is no name of a parameter");
            } else {
                TRY(add(TRY(axisOf(SweepAxis::Kind::Parameter, {name, false, false}, value, place))));
            }
        }
    }
    return {};
}

}  // namespace

std::int64_t SweepSpec::tasks() const
{
    std::int64_t count = 1;
    for (const SweepAxis& axis : axes)
        count *= std::ssize(axis.values);
    return count;
}

namespace {

/// Which value each axis has at this task.
std::vector<const Words*> chosen(const SweepSpec& spec, std::int64_t task)
{
    std::vector<const Words*> values(spec.axes.size());
    for (std::size_t a = spec.axes.size(); a-- > 0;) {
        const auto& all = spec.axes[a].values;
        values[a] = &all[static_cast<std::size_t>(task % std::ssize(all))];
        task /= std::ssize(all);
    }
    return values;
}

}  // namespace

std::vector<std::string> SweepSpec::valuesOf(std::int64_t task) const
{
    Words values;
    const auto picked = chosen(*this, task);
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const Words& words = *picked[a];
        std::string text = axes[a].flag ? (words.empty() ? "false" : "true") : "";
        for (const std::string& word : words)
            text += (text.empty() || axes[a].flag ? "" : " ") + word;
        values.push_back(std::move(text));
    }
    return values;
}

std::vector<std::string> SweepSpec::argumentsOf(std::int64_t task) const
{
    Words all{command};
    const auto values = chosen(*this, task);
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const SweepAxis& axis = axes[a];
        const Words& words = *values[a];
        if (axis.kind == SweepAxis::Kind::Argument)
            all.push_back(words.front());
        else if (axis.kind == SweepAxis::Kind::Parameter)
            all.insert(all.end(), {"--set", axis.name + "=" + words.front()});
        else if (axis.flag && !words.empty())
            all.push_back("--" + axis.name);
        else if (words.size() == 1)
            all.push_back("--" + axis.name + "=" + words.front());
        else if (words.size() > 1) {
            all.push_back("--" + axis.name);
            all.insert(all.end(), words.begin(), words.end());
        }
    }
    return all;
}

Result<SweepSpec> parseSweepSpec(std::string_view text, const std::string& path, std::span<const SweptCommand> commands)
{
    const nlohmann::json json = TRY(parseJson(text, path));
    if (!json.is_object())
        return failure(ErrorKind::InvalidArgument, path + ": expected an object: {\"schema\": \"attnscope_sweep/1\", "
                                                          "\"command\": \"entropy\", \"options\": {...}}");
    SweepSpec spec;
    if (const Result<void> read = readAxes(json, spec, commands); !read)
        return failure(read.error().kind, path + ": " + read.error().message);
    return spec;
}

}  // namespace attnscope
