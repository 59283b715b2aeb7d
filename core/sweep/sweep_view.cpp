#include "core/sweep/sweep_view.h"

#include "core/base/text.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace attnscope {

namespace {

/// A finite number; nothing of any other text.
std::optional<double> numberIn(const std::string& cell)
{
    const auto number = numberFrom<double>(cell);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

bool isNoNumber(const std::string& cell) { return cell == "nan" || cell == "-nan" || cell == "inf" || cell == "-inf"; }

/// Numbers in their order, before texts in theirs.
struct ByValue {
    bool operator()(const std::string& a, const std::string& b) const
    {
        const auto x = numberIn(a), y = numberIn(b);
        if (x && y && *x != *y)
            return *x < *y;
        return x.has_value() != y.has_value() ? x.has_value() : a < b;
    }
};
using Values = std::set<std::string, ByValue>;

std::size_t placeIn(const std::vector<std::string>& list, const std::string& value)
{
    return static_cast<std::size_t>(std::ranges::find(list, value) - list.begin());
}

Values valuesOf(const CsvTable& table, std::size_t column)
{
    Values values;
    for (const auto& row : table.rows)
        if (!row[column].empty())
            values.insert(row[column]);
    return values;
}

/// The first so many; how many are left out is said.
std::vector<std::string> firstOf(const Values& values, std::size_t most, std::size_t& leftOut)
{
    std::vector<std::string> first(
        values.begin(), std::next(values.begin(), static_cast<std::ptrdiff_t>(std::min(most, values.size()))));
    leftOut = values.size() - first.size();
    return first;
}

using RowsOfPoint = std::vector<std::size_t>;

/// Over which conditions points average: those that vary within a point and that no earlier one of them explains.
void findAveraged(SweepView& view, const CsvTable& table, std::vector<RowsOfPoint> points,
                  const std::vector<std::size_t>& conditions)
{
    for (const std::size_t column : conditions) {
        std::size_t most = 1;
        std::vector<RowsOfPoint> finer;
        for (const RowsOfPoint& rows : points) {
            std::map<std::string, RowsOfPoint> byValue;
            for (const std::size_t row : rows)
                byValue[table.rows[row][column]].push_back(row);
            most = std::max(most, byValue.size());
            for (auto& [value, part] : byValue)
                finer.push_back(std::move(part));
        }
        if (most > 1)
            view.averaged.push_back({table.columns[column], most});
        points = std::move(finer);
    }
    view.repeats = std::ranges::any_of(points, [](const RowsOfPoint& rows) { return rows.size() > 1; });
}

/// Has each value of the one column a single value of the other?
bool determines(const CsvTable& table, std::size_t column, std::size_t other)
{
    std::map<std::string_view, std::string_view> seen;
    return std::ranges::all_of(
        table.rows, [&](const auto& row) { return seen.emplace(row[column], row[other]).first->second == row[other]; });
}

/// An axis that the command's rows repeat under its own name.
void markRepeated(const SweepFolder& folder, std::vector<SweepColumn>& columns)
{
    constexpr std::string_view prefix = "sweep_";
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!columns[c].axis || !columns[c].name.starts_with(prefix))
            continue;
        const std::size_t own = placeIn(folder.table.columns, columns[c].name.substr(prefix.size()));
        if (own == columns.size())
            continue;
        columns[own].axis = columns[own].condition = true;
        columns[c].redundant = determines(folder.table, own, c);
        columns[c].condition = !columns[c].redundant;
    }
}

}  // namespace

std::vector<SweepColumn> sweepColumns(const SweepFolder& folder)
{
    std::vector<SweepColumn> columns;
    for (std::size_t c = 0; c < folder.table.columns.size(); ++c) {
        SweepColumn column{folder.table.columns[c],
                           true,
                           true,
                           c == 0 && (folder.table.columns[c] == "task" || folder.table.columns[c] == "sweep_task"),
                           false,
                           false,
                           0,
                           0};
        bool whole = true;
        std::size_t texts = 0;
        std::set<std::string> values;
        for (const auto& row : folder.table.rows) {
            if (row[c].empty())
                continue;
            values.insert(row[c]);
            const auto number = numberIn(row[c]);
            const bool text = !number && !isNoNumber(row[c]);
            ++(text ? texts : column.numbers);
            whole = whole && (text || (number && *number == std::floor(*number)));
        }
        column.numeric = column.numbers > texts;
        column.values = values.size();
        column.axis = std::ranges::find(folder.axes, column.name) != folder.axes.end();
        column.condition = !column.numeric || whole || column.axis;
        columns.push_back(std::move(column));
    }
    markRepeated(folder, columns);
    return columns;
}

SweepChoice firstChoice(const std::vector<SweepColumn>& columns)
{
    const auto named = [&](std::initializer_list<const char*> names, auto fits) {
        for (const char* name : names)
            if (const auto found = std::ranges::find_if(
                    columns, [&](const SweepColumn& column) { return column.name == name && fits(column); });
                found != columns.end())
                return found->name;
        const auto found = std::ranges::find_if(columns, [&](const SweepColumn& column) {
            return !column.taskNumber && !column.redundant && fits(column);
        });
        return found == columns.end() ? std::string() : found->name;
    };
    SweepChoice choice;
    choice.y = named({"value", "accuracy", "nll", "quality"}, [](const SweepColumn& column) {
        return column.numeric && !column.condition && column.values > 0;
    });
    const auto value = std::ranges::find(columns, "value", &SweepColumn::name);
    if (choice.y.empty() && value != columns.end() && value->numbers > 0)  // of other columns none is what was found
        choice.y = value->name;
    if (choice.y.empty())
        choice.y = named({}, [](const SweepColumn& column) { return column.numeric && column.values > 0; });
    choice.x = named({"n", "items", "n_over_train", "step"}, [&](const SweepColumn& column) {
        return column.numeric && column.values > 1 && column.name != "seed" && column.name != choice.y &&
               (column.condition || column.name == "n_over_train");
    });
    if (choice.x.empty())
        choice.x = named({}, [&](const SweepColumn& column) { return column.name != choice.y && column.values > 1; });
    if (choice.x.empty() && !columns.empty() && columns.front().taskNumber && columns.front().values > 1)
        choice.x = columns.front().name;
    const auto free = [&](const SweepColumn& column) {
        return column.condition && column.values > 1 && column.name != choice.x && column.name != choice.y &&
               column.name != "seed" && column.name != choice.colour;
    };
    choice.colour = named({"method", "policy"},
                          [&](const SweepColumn& column) { return free(column) && column.values <= mostLines; });
    choice.facet = named(
        {}, [&](const SweepColumn& column) { return free(column) && column.axis && column.values <= mostFacets; });
    return choice;
}

namespace {

/// Values of a column, each with its place.
struct Places {
    std::vector<std::string> values;
    std::map<std::string, std::size_t> at;
    std::optional<std::size_t> column;  ///< none: everything is at place 0

    Places(const CsvTable& table, const std::string& name, std::size_t most, std::size_t& leftOut)
    {
        values = {""};
        if (!name.empty()) {
            column = placeIn(table.columns, name);
            values = firstOf(valuesOf(table, *column), most, leftOut);
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            at.emplace(values[i], i);
    }
    std::optional<std::size_t> of(const std::vector<std::string>& row) const
    {
        const auto found = at.find(column ? row[*column] : std::string());
        return found == at.end() ? std::nullopt : std::optional(found->second);
    }
};

/// The sweep's axes first: others may follow from them.
std::vector<std::size_t> freeConditions(const std::vector<SweepColumn>& columns, const SweepChoice& choice)
{
    std::vector<std::size_t> conditions;
    for (const bool axes : {true, false})
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const SweepColumn& column = columns[c];
            const bool chosen = column.name == choice.x || column.name == choice.y || column.name == choice.colour ||
                                column.name == choice.facet;
            if (column.condition && !column.taskNumber && !chosen && column.axis == axes)
                conditions.push_back(c);
        }
    return conditions;
}

Result<void> checkChoice(const SweepFolder& folder, const std::vector<SweepColumn>& columns, const SweepChoice& choice)
{
    for (const std::string& name : {choice.x, choice.y, choice.colour, choice.facet})
        if (!name.empty() && placeIn(folder.table.columns, name) == columns.size())
            return failure(ErrorKind::UnknownName, "the table has no column '{}'; choose another", name);
    if (choice.x.empty() || choice.y.empty())
        return failure(ErrorKind::InvalidArgument, "choose what stands across and what stands up");
    if (columns[placeIn(folder.table.columns, choice.y)].numbers == 0)
        return failure(ErrorKind::InvalidArgument, "the column '{}' holds no numbers; choose another to stand up",
                       choice.y);
    return {};
}

}  // namespace

Result<SweepView> viewOf(const SweepFolder& folder, const SweepChoice& choice)
{
    const CsvTable& table = folder.table;
    const std::vector<SweepColumn> columns = sweepColumns(folder);
    TRY(checkChoice(folder, columns, choice));
    SweepView view;
    std::size_t none = 0;
    const std::size_t x = placeIn(table.columns, choice.x), y = placeIn(table.columns, choice.y);
    const Places facets(table, choice.facet, mostFacets, view.facetsLeftOut),
        colours(table, choice.colour, mostLines, view.linesLeftOut),
        names(table, columns[x].numeric ? "" : choice.x, table.rows.size(), none);
    view.colours = colours.values;
    if (!columns[x].numeric)
        view.xNames = names.values;
    std::map<std::tuple<std::size_t, std::size_t, double>, RowsOfPoint> rowsOfPoints;  // by facet, colour, x
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const auto& row = table.rows[r];
        const auto facet = facets.of(row), colour = colours.of(row), name = names.of(row);
        if (!facet || !colour)
            continue;
        const std::optional<double> at = columns[x].numeric ? numberIn(row[x])
                                         : name             ? std::optional(static_cast<double>(*name))
                                                            : std::nullopt;
        if (!at || !numberIn(row[y]))
            ++view.rowsWithoutValue;
        else
            rowsOfPoints[{*facet, *colour, *at}].push_back(r);
    }
    for (const std::string& facet : facets.values) {
        view.facets.push_back({facet, {}});
        for (const std::string& colour : view.colours)
            view.facets.back().lines.push_back({colour, {}});
    }
    std::vector<RowsOfPoint> points;
    for (auto& [key, rows] : rowsOfPoints) {
        std::vector<double> values;
        for (const std::size_t row : rows)
            values.push_back(*numberIn(table.rows[row][y]));
        const SampleMean mean = sampleMean(values);
        const auto& [facet, colour, at] = key;
        view.facets[facet].lines[colour].points.push_back({at, mean.mean, mean.standardError, std::ssize(values)});
        points.push_back(std::move(rows));
    }
    findAveraged(view, table, std::move(points), freeConditions(columns, choice));
    return view;
}

}  // namespace attnscope
