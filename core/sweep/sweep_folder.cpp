#include "core/sweep/sweep_folder.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace attnscope {

namespace {

constexpr std::uintmax_t mostBytes = std::uintmax_t{64} << 20;

std::string within(const std::string& folder, const char* name)
{
    return (std::filesystem::path(folder) / name).string();
}

bool isThere(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

Result<void> checkSize(const std::string& path)
{
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error)
        return failure(ErrorKind::NotReadable, "{} cannot be read: {}; give a folder that a sweep wrote", path,
                       error.message());
    if (bytes > mostBytes)
        return failure(
            ErrorKind::HeaderTooLarge,
            path +
                " has more than 64 MiB of rows; draw from rows.sqlite what you want to see, or sweep less at a time");
    return {};
}

Result<std::string> wholeText(const std::string& path)
{
    TRY(checkSize(path));
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        return failure(ErrorKind::NotReadable, path + " cannot be read; give a folder that you may read");
    return std::move(text).str();
}

Result<void> readJournalled(const std::string& path, SweepFolder& folder)
{
    const std::string specPath = within(path, sweepSpecName), journalPath = within(path, sweepJournalName);
    const auto spec = TRY(parseSweepSpec(TRY(wholeText(specPath)), specPath, {}));
    if (isThere(journalPath))
        TRY(checkSize(journalPath));
    bool whole = true;  // half a line is one that is being written
    auto outcomes = TRY(readOutcomes(journalPath, whole));
    std::erase_if(outcomes, [&](const auto& outcome) { return outcome.first >= spec.tasks(); });
    folder.command = spec.command;
    folder.tasks = spec.tasks();
    for (const auto& [task, outcome] : outcomes) {
        ++(outcome.error.empty() ? folder.done : folder.failed);
        if (!outcome.error.empty() && folder.firstError.empty())
            folder.firstError = fmt::format("task {}: {}", task, outcome.error);
    }
    folder.table = sweepTable(spec, outcomes);
    const auto first = folder.table.columns.begin() + 1;
    folder.axes.assign(first, first + static_cast<std::ptrdiff_t>(varyingAxes(spec)));
    return {};
}

}  // namespace

bool isSweepFolder(const std::string& path)
{
    return isThere(within(path, sweepSpecName)) || isThere(within(path, sweepRowsName));
}

namespace {

/// Programs where the decimal sign is a comma separate by semicolons; others by tabs.
char separatorOf(std::string_view text)
{
    const std::string_view head = text.substr(0, text.find_first_of("\r\n"));
    if (head.find(',') == head.npos)
        for (const char other : {';', '\t'})
            if (head.find(other) != head.npos)
                return other;
    return ',';
}

/// Without white space around it; beside semicolons "0,5" is 0.5.
std::string trimmedCell(const std::string& text, char separator)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == text.npos)
        return {};
    std::string cell = text.substr(first, text.find_last_not_of(" \t") + 1 - first);
    if (separator == ';' && std::ranges::count(cell, ',') == 1) {
        std::string number = cell;
        number[number.find(',')] = '.';
        if (numberFrom<double>(number))
            return number;
    }
    return cell;
}

}  // namespace

Result<CsvTable> parseSweepTable(std::string_view text, const std::string& path)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    const char separator = separatorOf(text);
    std::vector<std::vector<std::string>> records = csvRecords(text, separator);
    for (std::vector<std::string>& record : records)
        for (std::string& cell : record)
            cell = trimmedCell(cell, separator);
    std::erase_if(records,
                  [](const auto& record) { return record.size() == 1 && record.front().empty(); });  // empty lines
    const auto wrong = [&](const std::string& why) {
        return failure(
            ErrorKind::DataError,
            "{} {}; a sweep's table is separated by commas, semicolons or tabs, its first line names the columns", path,
            why);
    };
    if (records.empty())
        return wrong("is empty");
    CsvTable table{std::move(records.front()), {}};
    std::set<std::string> names;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].empty() || !names.insert(table.columns[i]).second)
            return wrong("has " + (table.columns[i].empty() ? fmt::format("a nameless column, number {}", i + 1)
                                                            : "two columns '" + table.columns[i] + "'"));
    for (std::size_t r = 1; r < records.size(); ++r)
        if (records[r].size() != table.columns.size())
            return wrong(
                fmt::format("has {} cells in row {} and {} columns", records[r].size(), r, table.columns.size()));
    table.rows.assign(std::make_move_iterator(records.begin() + 1), std::make_move_iterator(records.end()));
    return table;
}

Result<SweepFolder> readSweepFolder(const std::string& path)
{
    SweepFolder folder;
    const std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
    folder.name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
    if (isThere(within(path, sweepSpecName))) {
        TRY(readJournalled(path, folder));
        return folder;
    }
    const std::string rows = within(path, sweepRowsName);
    if (!isThere(rows))
        return failure(ErrorKind::NotFound,
                       path + " holds no sweep; give a folder that attnscope sweep --out DIR made");
    folder.table = TRY(parseSweepTable(TRY(wholeText(rows)), rows));
    return folder;
}

}  // namespace attnscope
