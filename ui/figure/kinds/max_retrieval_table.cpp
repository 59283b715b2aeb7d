// Table 1 of "softmax is not enough" beside what the program's own heads give, and the rows that the paper lacks. The
// program's numbers are those of resources/labs/max_retrieval_table1.csv, which the lab wrote (README), or of another
// folder's table1.csv.

#include "core/base/each.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Of the lab's `resolvable`: no head that reads rounded priorities is above it.
const QString resolvableLabel = u"At most, by the bits of the factors"_s;

struct Score {
    QString method;
    double items = 0, accuracy = std::nan(""), published = std::nan(""), p = std::nan(""), resolvable = std::nan("");
};

/// By the names of the columns.
Result<std::vector<Score>> readScores(const Recipe& recipe)
{
    const LabResults results =
        TRY(readResults(recipe, ":/labs/max_retrieval_table1.csv", "the table1.csv of a max-retrieval run"));
    const CsvTable& table = results.table;
    std::vector<Score> scores;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto number = [&](const char* column) { return table.number(row, column); };
        scores.push_back({text(table.text(row, "method")), number("items"), number("accuracy"), number("published"),
                          number("p_value"), number("resolvable")});
        if (scores.back().method.isEmpty() || !(scores.back().items > 0))
            return results.lacks(row, "method and items");
    }
    return scores;
}

std::vector<QString> methodsOf(const std::vector<Score>& scores) { return eachOnce(scores, &Score::method); }

Panel chartPanel(const std::vector<Score>& scores)
{
    Panel panel;
    panel.aspect = 0.5;
    ChartSpec& chart = panel.chart;
    chart.x = lengthAxis();
    chart.x.title = u"Items, $n$"_s;
    chart.y.title = u"Accuracy (%)"_s;
    chart.y.range = {0, 103};
    chart.legend = Legend::None;  // below the table, at any width
    const std::vector<QString> methods = methodsOf(scores);
    const std::vector<int> styles = variantStyles(methods);
    for (size_t m = 0; m < methods.size(); ++m) {
        ChartSeries here{.label = variantLabel(methods[m]), .style = styles[m]};
        ChartSeries printed{.label = here.label + u", as published"_s,
                            .style = here.style,
                            .shape = ChartSeries::Shape::Points,
                            .open = true};
        for (const Score& score : scores)
            if (score.method == methods[m]) {
                here.points.push_back({score.items, score.accuracy});
                if (std::isfinite(score.published))
                    printed.points.push_back({score.items, score.published});
            }
        chart.series.push_back(std::move(here));
        if (!printed.points.empty())
            chart.series.push_back(std::move(printed));
    }
    ChartSeries bits{.label = resolvableLabel, .style = ChartSeries::reference, .dashes = 1};
    for (const Score& score : scores)
        if (score.method == methods.front() && std::isfinite(score.resolvable))
            bits.points.push_back({score.items, score.resolvable});
    if (!bits.points.empty())
        chart.series.push_back(std::move(bits));
    return panel;
}

Panel scoresPanel(const std::vector<Score>& scores)
{
    auto table = std::make_shared<TableContent>();
    table->columns.push_back(u"Accuracy (%)"_s);
    const std::vector<double> sizes = eachOnce(scores, &Score::items);
    for (const double size : sizes)
        table->columns.push_back(QString::number(size, 'f', 0));
    const auto addRow = [&](const QString& name, const QString& method, double Score::*field, bool rule) {
        std::vector<QString> row{name};
        bool any = false;
        for (const double size : sizes) {
            const auto found = std::ranges::find_if(
                scores, [&](const Score& score) { return score.method == method && score.items == size; });
            const double value = found == scores.end() ? std::nan("") : (*found).*field;
            any = any || std::isfinite(value);
            row.push_back(!std::isfinite(value) ? QString()
                          : field == &Score::p  ? QString::number(value, 'g', 1)
                                                : QString::number(value, 'f', 1));
        }
        if (any) {
            table->rows.push_back(std::move(row));
            table->ruleAbove.push_back(rule);
        }
    };
    for (const QString& method : methodsOf(scores)) {
        addRow(variantLabel(method) + u", as published"_s, method, &Score::published, !table->rows.empty());
        addRow(variantLabel(method), method, &Score::accuracy, false);
        if (method == "vanilla|adaptive"_L1)
            addRow(u"p of a paired t-test"_s, method, &Score::p, false);
    }
    addRow(resolvableLabel, methodsOf(scores).front(), &Score::resolvable, true);
    return tablePanel(std::move(table));
}

}  // namespace

Result<FigureContent> buildMaxRetrievalTable(const Recipe& recipe, std::stop_token)
{
    const auto scores = TRY(readScores(recipe));
    FigureContent content;
    addPanel(content, chartPanel(scores), 0, 0);
    addPanel(content, scoresPanel(scores), 1, 0);
    content.legend = content.panels.front().chart.series;
    content.footnote = u"As published: “softmax is not enough (for sharp out-of-distribution)”, table 1."_s;
    return content;
}

}  // namespace attnscope
