#include "core/sweep/sweep_rows.h"

#include "core/base/replace_file.h"
#include "core/base/text.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

using Record = std::vector<std::string>;

std::string csvOf(const CsvTable& table)
{
    std::string text;
    const auto add = [&](const Record& record) { text += joined(record, ",", csvText) + '\n'; };
    add(table.columns);
    for (const Record& row : table.rows)
        add(row);
    return text;
}

std::vector<std::size_t> axesThatVary(const SweepSpec& spec)
{
    std::vector<std::size_t> varying;
    for (std::size_t a = 0; a < spec.axes.size(); ++a)
        if (spec.axes[a].values.size() > 1)
            varying.push_back(a);
    return varying;
}

/// Task and axes of every table, with "sweep_" before their names where the command has a column of that name.
void addAxes(CsvTable& table, const SweepSpec& spec, const Record& others)
{
    const auto add = [&](const std::string& name) {
        table.columns.push_back((std::ranges::find(others, name) == others.end() ? "" : "sweep_") + name);
    };
    add("task");
    for (const std::size_t a : axesThatVary(spec))
        add(spec.axes[a].name);
    table.columns.insert(table.columns.end(), others.begin(), others.end());
}

Record axesOf(const SweepSpec& spec, std::int64_t task)
{
    Record row{std::to_string(task)};
    const Record values = spec.valuesOf(task);
    for (const std::size_t a : axesThatVary(spec))
        row.push_back(values[a]);
    return row;
}

CsvTable tasksOf(const SweepSpec& spec, const SweepOutcomes& outcomes)
{
    CsvTable table;
    addAxes(table, spec, {"status", "error", "notes"});
    for (std::int64_t task = 0; task < spec.tasks(); ++task) {
        const auto outcome = outcomes.find(task);
        Record row = axesOf(spec, task);
        row.push_back(outcome == outcomes.end() ? "missing" : outcome->second.error.empty() ? "done" : "failed");
        row.push_back(outcome == outcomes.end() ? "" : outcome->second.error);
        row.push_back(outcome == outcomes.end() ? "" : outcome->second.notes);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// A database that goes with the value.
class Database {
public:
    explicit Database(const std::string& path)
    {
        m_good = sqlite3_open(path.c_str(), &m_handle) == SQLITE_OK;
        run("PRAGMA journal_mode = OFF");
        run("PRAGMA synchronous = OFF");
        run("BEGIN");
    }
    ~Database() { sqlite3_close(m_handle); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void add(const std::string& name, const CsvTable& table)
    {
        Record columns;
        std::set<std::string> taken;  // SQLite does not tell n from N
        for (std::string column : table.columns) {
            const auto small = [&] {
                std::string text = column;
                std::ranges::transform(text, text.begin(),
                                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
                return text;
            };
            while (!taken.insert(small()).second)
                column += '_';
            columns.push_back(inDoubledQuotes(column));
        }
        run("CREATE TABLE " + inDoubledQuotes(name) + " (" + joined(columns, ", ") + ")");
        sqlite3_stmt* insert = nullptr;
        m_good = m_good && sqlite3_prepare_v2(m_handle,
                                              ("INSERT INTO " + inDoubledQuotes(name) + " VALUES (" +
                                               joined(columns, ", ", [](const std::string&) { return "?"; }) + ")")
                                                  .c_str(),
                                              -1, &insert, nullptr) == SQLITE_OK;
        for (const Record& row : table.rows) {
            for (std::size_t i = 0; m_good && i < row.size(); ++i)
                bind(insert, static_cast<int>(i) + 1, row[i]);
            m_good = m_good && sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
        }
        sqlite3_finalize(insert);
    }

    /// Empty, or what went wrong.
    std::string finish()
    {
        run("COMMIT");
        return m_good ? std::string() : sqlite3_errmsg(m_handle);
    }

private:
    void run(const std::string& statement)
    {
        m_good = m_good && sqlite3_exec(m_handle, statement.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    }

    static void bind(sqlite3_stmt* insert, int place, const std::string& cell)
    {
        if (cell.empty())
            sqlite3_bind_null(insert, place);
        else if (const auto whole = numberFrom<std::int64_t>(cell))
            sqlite3_bind_int64(insert, place, *whole);
        else if (const auto number = numberFrom<double>(cell))
            sqlite3_bind_double(insert, place, *number);
        else
            sqlite3_bind_text(insert, place, cell.data(), static_cast<int>(cell.size()), SQLITE_TRANSIENT);
    }

    sqlite3* m_handle = nullptr;
    bool m_good = false;
};

}  // namespace

CsvTable sweepTable(const SweepSpec& spec, const SweepOutcomes& outcomes)
{
    Record own;
    std::map<std::string, std::size_t> places;
    for (const auto& [task, outcome] : outcomes)
        if (const auto records = csvRecords(std::string_view(outcome.rows).substr(0, outcome.rows.find('\n')));
            !records.empty() && outcome.error.empty())
            for (const std::string& column : records.front())
                if (places.try_emplace(column, own.size()).second)
                    own.push_back(column);
    CsvTable table;
    addAxes(table, spec, own);
    for (const auto& [task, outcome] : outcomes) {
        if (!outcome.error.empty())
            continue;
        const std::vector<Record> records = csvRecords(outcome.rows);
        for (std::size_t r = 1; r < records.size(); ++r) {
            Record row = axesOf(spec, task);
            const std::size_t first = row.size();
            row.resize(first + own.size());
            for (std::size_t i = 0; i < std::min(records[r].size(), records[0].size()); ++i)
                row[first + places[records[0][i]]] = records[r][i];
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

std::size_t varyingAxes(const SweepSpec& spec) { return axesThatVary(spec).size(); }

Result<void> writeSweepTables(const std::string& folder, const SweepSpec& spec, const SweepOutcomes& outcomes)
{
    const auto in = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
    const CsvTable rows = sweepTable(spec, outcomes);
    CsvTable tasks = tasksOf(spec, outcomes);
    const std::string rowsText = csvOf(rows), tasksText = csvOf(tasks);
    const FileText files[] = {{in("rows.csv"), rowsText}, {in("tasks.csv"), tasksText}};
    TRY(replaceFiles(files));
    tasks.columns.insert(tasks.columns.end(), {"seconds", "command"});
    for (std::int64_t task = 0; task < spec.tasks(); ++task) {
        const auto outcome = outcomes.find(task);
        Record& row = tasks.rows[static_cast<std::size_t>(task)];
        row.push_back(outcome == outcomes.end() ? "" : std::to_string(outcome->second.seconds));
        row.push_back(joined(spec.argumentsOf(task), " "));
    }
    const std::string made = in(".rows.sqlite");
    std::error_code error;
    std::filesystem::remove(made, error);
    std::string wrong;
    {
        Database database(made);
        database.add("rows", rows);
        database.add("tasks", tasks);
        wrong = database.finish();
    }
    if (wrong.empty())
        std::filesystem::rename(made, in("rows.sqlite"), error);
    return wrong.empty() && !error
               ? Result<void>()
               : failure(ErrorKind::NotWritable, "{} cannot be written: {}; make room, then --resume",
                         in("rows.sqlite"), wrong.empty() ? error.message() : wrong);
}

}  // namespace attnscope
