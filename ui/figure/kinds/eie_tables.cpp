// EIE's tables of what boxes, cities and vehicles come to, cell by cell as printed, and beside them what the program's
// own networks come to under the same scales: smaller ones, trained at N = 20. Those numbers are of the recorded runs
// (resources/labs/recorded_runs.jsonl, packing_run.json), or of runs in other folders.

#include "core/labs/policies/scale_policies.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>
#include <optional>

namespace attnscope {

namespace {

/// A part of a table: what the paper calls it (its rows are "SECTION: METHOD"), and which rows of a lab's `quality`
/// stand beside it.
struct EieSection {
    std::string published;  ///< empty: none; its name is `label`
    std::string label;
    std::string lab, column, value;  ///< rows whose column has this value; an empty lab: nothing of ours
};

struct EieTable {
    std::string id, title, quality;  ///< the last: the lab's column
    std::vector<EieSection> sections;
};

const std::vector<EieTable>& eieTables()
{
    static const std::vector<EieTable> rows{
        {"eie_table1",
         "load rate (%)",
         "load_rate",
         {{"L = 120, W = 100", "", "packing", "bin", "120 x 100"},
          {"L = 140, W = 110", "", "packing", "bin", "140 x 110"},
          {"L = 160, W = 120", "", "packing", "bin", "160 x 120"}}},
        {"eie_table2", "tours of cities", "length", {{"", "", "routing", "task", "tsp"}}},
        {"eie_table3",
         "routes of vehicles",
         "length",
         {{"Cᵥ = 10", "", "", "", ""},
          {"Cᵥ = 15", "", "", "", ""},
          {"Cᵥ = 20", "", "", "", ""},
          {"", "Cᵥ = 30, whole", "routing", "task", "cvrp"}}}};
    return rows;
}

/// The paper's name of a scale, and the registry's.
struct EieScale {
    std::string published, method, label;
};
const std::vector<EieScale>& eieScales()
{
    static const std::vector<EieScale> rows{{"1 / √d", "vanilla", "1 / √$d$"},
                                            {"ln n / √d", "log_n", "ln $n$ / √$d$"},
                                            {"ln n / d", "su_kappa", "ln $n$ / $d$"},
                                            {"EIE", "eie", "EIE, learned"},
                                            {"", "entropy_exact", "Entropy, exact"}};
    return rows;
}

constexpr std::array lengthRatios{1.0, 2.0, 4.0, 8.0, 16.0};

bool standsBeside(const BoardRun& run, const LabRow& row, const EieSection& section, const EieTable& table,
                  double ratio)
{
    return run.record.choice.id == section.lab && row.table == qualityTable &&
           row.word(section.column) == section.value && actsEverywhere(row.word("where")) &&
           row.number("n_over_train") == ratio && std::isfinite(row.number(table.quality));
}

/// N of the networks with the largest; 0: there are none.
double trainLengthHere(const std::vector<BoardRun>& runs, const EieTable& table)
{
    double longest = 0;
    for (const EieSection& section : table.sections)
        for (const BoardRun& run : runs)
            for (const LabRow& row : run.record.rows)
                if (standsBeside(run, row, section, table, 1))
                    longest = std::max(longest, row.number("n"));
    return longest;
}

/// What the runs have at that length: over runs, where several have it, else over the run's instances.
std::optional<RunsMean> foundHere(const std::vector<BoardRun>& runs, const EieSection& section, const EieTable& table,
                                  const EieScale& scale, double ratio, double n)
{
    std::vector<double> values;
    double within = std::nan("");
    for (const BoardRun& run : runs)
        for (const LabRow& row : run.record.rows)
            if (standsBeside(run, row, section, table, ratio) && row.word("method") == scale.method &&
                row.number("n") == n) {
                values.push_back(row.number(table.quality));
                within = row.number("stderr");
            }
    return values.empty() ? std::nullopt : std::optional(meanOfRuns(values, within));
}

Panel eiePanel(const PublishedTable& published, const EieTable& table, const std::vector<BoardRun>& runs)
{
    auto content = std::make_shared<TableContent>();
    content->columns.push_back(text(published.rowTitle));
    content->groups.push_back({u"$n$, published, $N = 100$"_s, static_cast<int>(published.columns.size())});
    for (const std::string& column : published.columns)
        content->columns.push_back(text(column));
    std::vector<double> lengths;
    for (const double ratio : lengthRatios)
        lengths.push_back(ratio * trainLengthHere(runs, table));
    const bool here = lengths.front() > 0;
    if (here) {
        content->groups.push_back({u"$n$, here, $N = %1$"_s.arg(lengths.front()), static_cast<int>(lengths.size())});
        for (const double n : lengths)
            content->columns.push_back(n > 0 ? QString::number(n) : u"–"_s);
    }
    for (const EieSection& section : table.sections) {
        bool first = true;
        for (const EieScale& scale : eieScales()) {
            const std::string name =
                section.published.empty() ? scale.published : section.published + ": " + scale.published;
            const auto printed = std::ranges::find_if(published.rows, [&](const PublishedRow& row) {
                return !scale.published.empty() && section.label.empty() && row.name == name;
            });
            std::vector<QString> ours;
            bool any = false;
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                const std::optional<RunsMean> found =
                    foundHere(runs, section, table, scale, lengthRatios[i], lengths[i]);
                any = any || found;
                const int digits = found && found->mean < 10 ? 2 : 1;
                ours.push_back(found ? u"%1 ± %2"_s.arg(found->mean, 0, 'f', digits).arg(found->error, 0, 'f', digits)
                                     : QString());
            }
            if (printed == published.rows.end() && !any)
                continue;
            const std::string heading = section.label.empty() ? section.published : section.label;
            content->rows.push_back({text(heading.empty() ? scale.label : heading + ": " + scale.label)});
            for (std::size_t i = 0; i < published.columns.size(); ++i)
                content->rows.back().push_back(printed == published.rows.end() ? QString() : text(printed->cells[i]));
            if (here)
                content->rows.back().insert(content->rows.back().end(), ours.begin(), ours.end());
            content->ruleAbove.push_back(first && content->rows.size() > 1);
            first = false;
        }
    }
    return tablePanel(std::move(content), text(published.table + ": " + table.title));
}

}  // namespace

Result<FigureContent> buildEieTables(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    const RunsAsked asked = readRunsAsked(reader);
    const auto tables = TRY(readTables(reader));
    auto runs = TRY(asked.read());
    std::erase_if(runs, [](const BoardRun& run) {  // of those that come along, N = 20, with every method
        return run.origin == "shipped" && run.record.choice.values.contains("length");
    });
    FigureContent content;
    for (const PublishedTable& published : tables) {
        const auto table = std::ranges::find(eieTables(), published.id, &EieTable::id);
        if (table == eieTables().end())
            return failure(
                ErrorKind::InvalidArgument,
                "nothing of ours stands beside " + published.id +
                    "; name eie_table1, eie_table2 or eie_table3, or draw it with the kind published_tables");
        addPanel(content, eiePanel(published, *table, runs), content.panels.size(), 0, tables.size() > 1);
    }
    content.footnote =
        citation(tables) +
        u" Brackets: standard deviations of five repetitions. Here: $d = 16$, the scale in encoder and glimpse; "
        "mean ± standard error, of one network over its instances, of several over them; cities in the unit "
        "square, the paper's in one of side 2; whole: demands from 1 to 9, in place of uniform ones."_s;
    return content;
}

}  // namespace attnscope
