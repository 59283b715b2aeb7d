// EIE's table 3, routes of vehicles of three capacities, as changes against 1/sqrt(d), and beside it what networks of
// the lab routing change under the same scales. Those numbers are of the recorded runs
// (resources/labs/capacity_runs.jsonl), or of runs in other folders.

#include "core/statistics/samples.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/scoreboard_table.h"

#include <fmt/format.h>

#include <array>

namespace attnscope {

namespace {

constexpr std::array ratiosOfTable{2.0, 4.0, 8.0, 16.0};  // n / N

struct ScaleOfRoutes {
    std::string published, label, method;  ///< the first is the ending of a printed row; empty: none
};

std::span<const ScaleOfRoutes> scalesOfRoutes()
{
    static const std::vector<ScaleOfRoutes> rows{{"ln n / d", "ln $n$ / $d$", "su_kappa"},
                                                 {"EIE", "EIE", "eie"},
                                                 {"", "ln $n$ / ln $N$", "softmax_plus"},
                                                 {"", "InfoScale", "infoscale"}};
    return rows;
}

/// In per cent of the routes under 1/sqrt(d), of the printed lengths.
QString printedChange(const PublishedTable& table, double capacity, const std::string& scale, double ratio)
{
    const auto lengthOf = [&](const std::string& name) -> std::optional<double> {
        for (const PublishedRow& row : table.rows)
            if (row.name == fmt::format("Cᵥ = {:.0f}: {}", capacity, name))
                for (std::size_t c = 0; c < table.columnValues.size(); ++c)
                    if (table.columnValues[c] == ratio * table.columnValues.front())
                        return row.number(c);
        return std::nullopt;
    };
    const auto with = lengthOf(scale), without = lengthOf("1 / √d");
    return with && without ? gainText(100 * (*with / *without - 1)) : QString();
}

/// Of each seed's network.
std::vector<double> changesOf(const std::vector<BoardRun>& runs, double capacity, const std::string& method,
                              double ratio)
{
    const auto isOfThese = [&](const Choice& run) {
        if (run.id != "routing")
            return false;
        const Parameters parameters(**findRow(labs(), run.id, "lab"), run);
        return parameters["vehicles"] == 1 && parameters["whole_demands"] == 0 && parameters["capacity"] == capacity;
    };
    return valuesOfNetworks(runs, isOfThese, [&](const LabRow& row) {
        const bool isIt =
            row.word("method") == method && row.word("where") == "both" && row.number("n_over_train") == ratio;
        return isIt ? row.number("change") : std::nan("");
    });
}

QString changeHere(const std::vector<double>& changes)
{
    if (changes.empty())
        return u"–"_s;
    const RunsMean mean = meanOfRuns(changes, std::nan(""));
    const QString number = gainText(mean.mean);
    const std::optional<double> p = tTest(changes);
    return std::isnan(mean.error) ? number
                                  : u"%1 ± %2%3"_s.arg(number)
                                        .arg(mean.error, 0, 'f', std::abs(mean.mean) < 0.05 ? 2 : 1)
                                        .arg(p && *p < 0.05 ? u"*"_s : QString());
}

}  // namespace

Result<FigureContent> buildCapacitiesHere(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    const RunsAsked asked = readRunsAsked(reader);
    const auto tables = TRY(readTables(reader));
    if (tables.size() > 1 || tables.front().id != "eie_table3")
        return failure(ErrorKind::InvalidArgument, "parameters.tables: name eie_table3, which is of capacities");
    auto runs = asked.folders.empty() ? std::vector<BoardRun>{} : TRY(asked.read());
    if (asked.shipped)
        addRuns(runs, TRY(shippedCapacityRuns()));
    auto content = std::make_shared<TableContent>();
    content->columns.push_back(u"Capacity, scale"_s);
    content->groups.push_back({u"Published, $N$ = 100 (%)"_s, static_cast<int>(ratiosOfTable.size())});
    content->groups.push_back({u"Here, $N$ = 20 (%)"_s, static_cast<int>(ratiosOfTable.size())});
    for (int side = 0; side < 2; ++side)
        for (const double ratio : ratiosOfTable)
            content->columns.push_back(u"%1 $N$"_s.arg(ratio));
    std::size_t networks = 0;
    for (const double capacity : {10.0, 15.0, 20.0})
        for (const ScaleOfRoutes& scale : scalesOfRoutes()) {
            std::vector<QString>& row = content->rows.emplace_back();
            row.push_back(u"%1: %2"_s.arg(capacity).arg(text(scale.label)));
            for (const double ratio : ratiosOfTable)
                row.push_back(printedChange(tables.front(), capacity, scale.published, ratio));
            for (const double ratio : ratiosOfTable) {
                const auto changes = changesOf(runs, capacity, scale.method, ratio);
                row.push_back(changeHere(changes));
                networks = std::max(networks, changes.size());
            }
            content->ruleAbove.push_back(capacity > 10 && &scale == scalesOfRoutes().data());
        }
    if (networks == 0)
        return failure(ErrorKind::DataError, "none of the runs is of these vehicles; run the lab routing with "
                                             "vehicles=1, whole_demands=0 and capacity=10, 15 and 20 and name its "
                                             "folders in parameters.runs");
    FigureContent figure;
    figure.panels.push_back(tablePanel(std::move(content)));
    figure.footnote =
        citation(tables) +
        u" Change of the routes' length against 1/√$d$, below 0: shorter. Here means ± standard errors of "
        "%1 networks a capacity; *: p < 0.05 in a t-test over them, for each cell by itself. 20 customers demand 10 in "
        "the mean: at $N$ one vehicle of 15 or 20 serves them all."_s.arg(networks);
    return figure;
}

}  // namespace attnscope
