// Figure 7 of "softmax is not enough" as the lab `algorithms` gives it: a row a task, a column a method that networks
// were trained with, a line a method that they were tested with. The program's numbers are those of
// resources/labs/algorithms_quality.csv, which the lab wrote, or of another run's quality.csv.

#include "core/attention/normaliser.h"
#include "core/base/each.h"
#include "core/labs/algorithms/algorithm_tasks.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>
#include <set>

namespace attnscope {

namespace {

/// A row of `quality`, percent.
struct SolvedShare {
    QString task, trained, method;
    double seed = 0, n = 0, trainSize = 0, accuracy = 0, standardError = std::nan("");
};

Result<std::vector<SolvedShare>> readSolvedShares(const Recipe& recipe)
{
    const LabResults results =
        TRY(readResults(recipe, ":/labs/algorithms_quality.csv", "the quality.csv of a run of the lab algorithms"));
    const CsvTable& table = results.table;
    std::vector<SolvedShare> shares;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto cell = [&](const char* column) { return text(table.text(row, column)); };
        const auto number = [&](const char* column) { return table.number(row, column); };
        shares.push_back({cell("task"), cell("trained"), cell("method"), number("seed"), number("n"),
                          number("n") / number("n_over_train"), 100 * number("accuracy"),
                          100 * number("accuracy_stderr")});
        if (!(shares.back().n > 0) || !(shares.back().trainSize > 0) ||
            !findRow(algorithmTasks(), table.text(row, "task"), "task"))
            return results.lacks(row, "task, n and n_over_train");
    }
    return shares;
}

/// A scale method, or a normaliser.
QString attentionLabel(const QString& attention)
{
    const std::string written = attention.toStdString();
    if (const auto method = parseChoice(written, scaleMethods(), "scale method"))
        return methodLabel(*method);
    const auto normaliser = parseChoice(written, normalisers(), "normaliser");
    return normaliser ? symbolsIn(text(describeChoice(normalisers(), *normaliser))) : attention;
}

/// Means over the seeds with their standard errors, or of one seed with that over its problems.
std::vector<ChartPoint> pointsOfSeeds(const std::vector<SolvedShare>& shares)
{
    std::map<double, std::vector<const SolvedShare*>> sizes;
    for (const SolvedShare& share : shares)
        if (std::isfinite(share.accuracy))
            sizes[share.n].push_back(&share);
    std::vector<ChartPoint> points;
    for (const auto& [n, here] : sizes) {
        std::vector<double> accuracies;
        for (const SolvedShare* share : here)
            accuracies.push_back(share->accuracy);
        const RunsMean mean = meanOfRuns(accuracies, here.front()->standardError);
        points.push_back(pointWithError(n, mean.mean, mean.error));
    }
    return points;
}

}  // namespace

Result<FigureContent> buildFigure7Here(const Recipe& recipe, std::stop_token)
{
    const auto shares = TRY(readSolvedShares(recipe));
    const std::vector<QString> tasks = eachOnce(shares, &SolvedShare::task),
                               trained = eachOnce(shares, &SolvedShare::trained),
                               methods = eachOnce(shares, &SolvedShare::method);
    const std::vector<int> styles = variantStyles(methods);
    FigureContent content;
    for (const QString& task : tasks)
        content.rowTitles.push_back(text((*findRow(algorithmTasks(), task.toStdString(), "task"))->label));
    for (const QString& attention : trained)
        content.columnTitles.push_back(u"Trained with: "_s + attentionLabel(attention));
    for (size_t row = 0; row < tasks.size(); ++row)
        for (size_t column = 0; column < trained.size(); ++column) {
            Panel panel;
            panel.sharesAxes = true;
            panel.aspect = 0.44;  // five rows and their titles on a page
            ChartSpec& chart = panel.chart;
            chart.x = lengthAxis();
            chart.x.title = u"Numbers, $n$"_s;
            chart.y.title = u"Exact (%)"_s;
            chart.y.range = {-3, 103};
            chart.legend = Legend::None;
            const double smallest = std::ranges::min(shares, {}, &SolvedShare::n).n;
            chart.shaded.push_back({smallest, shares.front().trainSize, {}});
            if (row == 0)  // where the lines are high
                chart.notes.push_back({smallest * 1.1, 4, u"training"_s});
            for (size_t m = 0; m < methods.size(); ++m) {
                std::vector<SolvedShare> line;
                std::ranges::copy_if(shares, std::back_inserter(line), [&](const SolvedShare& share) {
                    return share.task == tasks[row] && share.trained == trained[column] && share.method == methods[m];
                });
                ChartSeries series{.label = attentionLabel(methods[m]),
                                   .style = styles[m],
                                   .shape = ChartSeries::Shape::LinePoints,
                                   .points = pointsOfSeeds(line)};
                if (!series.points.empty())
                    chart.series.push_back(std::move(series));
            }
            if (content.legend.size() < chart.series.size())
                content.legend = chart.series;
            addPanel(content, std::move(panel), row, column);
        }
    std::set<double> seeds;
    for (const SolvedShare& share : shares)
        seeds.insert(share.seed);
    content.footnote = seeds.size() > 1
                           ? u"Means of %1 networks each; bars are standard errors over them."_s.arg(seeds.size())
                           : u"One network each; bars are standard errors over the problems."_s;
    return content;
}

}  // namespace attnscope
