// The scoreboard for print: every scale method on every task at every length, the gain against vanilla as a number on a
// colour; and that gain against the change of entropy, a panel a task.

#include "ui/figure/kinds/support.h"
#include "ui/figure/scoreboard_table.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

struct BoardOptions {
    RunsAsked runs;
    double longest = 16;  ///< n / N
    double ratio = 0;     ///< of the only length; 0: all
    double halfColour = halfColourGain;
};

Result<BoardOptions> readBoardOptions(const Recipe& recipe)
{
    ObjectReader reader(recipe.parameters, "parameters");
    BoardOptions options{.runs = readRunsAsked(reader)};
    reader.number("longest", options.longest, 1, 1e6);
    reader.number("ratio", options.ratio, 0, 1e6);
    reader.number("half_colour", options.halfColour, 0.01, 1000);
    TRY(reader.finish());
    return options;
}

Result<Scoreboard> readBoard(const BoardOptions& options)
{
    const auto runs = TRY(options.runs.read());
    Scoreboard board = makeScoreboard(runs);
    const std::string noCell = board.cells.empty() ? whyNoCell(runs) : "no row of a lab is at such a length";
    const auto dropped = [&](double ratio) {
        return options.ratio > 0 ? ratio != options.ratio
                                 : ratio < 1 || ratio > options.longest ||
                                       std::exp2(std::round(std::log2(ratio))) != ratio;  // N, 2 N, 4 N, ...
    };
    std::erase_if(board.ratios, dropped);
    std::erase_if(board.cells, [&](const BoardCell& cell) { return dropped(cell.ratio); });
    if (board.cells.empty())
        return failure(ErrorKind::DataError, noCell + "; name folders of runs in parameters.runs");
    return board;
}

}  // namespace

Result<FigureContent> buildScoreboard(const Recipe& recipe, std::stop_token)
{
    const auto options = TRY(readBoardOptions(recipe));
    const auto board = TRY(readBoard(options));
    FigureContent content;
    content.panels.push_back(tablePanel(scoreboardTable(board, board.ratios, options.halfColour).content));
    content.footnote =
        u"Per cent better than vanilla at the same $n$: points of accuracy or load rate, perplexity lower, tours "
        "shorter. Blue: better; red: worse; %1 % is half-way to the strongest colour; no colour where no test that is "
        "corrected for all (Benjamini and Hochberg) finds a difference. Dots: $q$ < 0.05, 0.01, 0.001, over networks; "
        "in a column of one network over what it was tested on, which says nothing of others. Bold: the largest gain "
        "of a column over networks, by chance or not. †: not 1 at $N$, so that networks are not used as they were "
        "trained. First row: vanilla's own accuracy or load rate (%), perplexity or length."_s.arg(options.halfColour);
    return content;
}

Result<FigureContent> buildScoreboardEntropy(const Recipe& recipe, std::stop_token)
{
    const auto board = TRY(readBoard(TRY(readBoardOptions(recipe))));
    const std::vector<EntropyRelation> relations = entropyRelations(board);
    std::vector<double> ratios = board.ratios;
    std::erase_if(ratios, [](double ratio) { return ratio <= 1; });
    FigureContent content;
    for (const Scoreboard::Task& task : board.tasks) {
        ChartSpec chart = gainAgainstEntropy();
        chart.y.title = u"Better than vanilla (%)"_s;
        chart.title = taskTitle(task);
        for (const EntropyRelation& relation : relations)
            if (relation.scope == task.label)
                chart.title += u": $ρ$\u00a0=\u00a0%1"_s.arg(correlationText(relation.rho));
        bool any = false;
        for (size_t r = 0; r < ratios.size(); ++r) {
            ChartSeries series;
            series.label = u"$n$ = %1 $N$"_s.arg(ratios[r]);
            series.shape = ChartSeries::Shape::Points;
            series.style = static_cast<int>(r);
            series.colour = ordinalColour(r, ratios.size(), recipe);
            for (const BoardCell& cell : board.cells)
                if (cell.task == task.label && cell.ratio == ratios[r] && cell.entropyChange) {
                    series.points.push_back({100 * std::abs(*cell.entropyChange), cell.gain});
                    any = true;
                }
            chart.series.push_back(std::move(series));
        }
        if (!any)
            continue;
        setGainRange(chart);
        addPanel(content, {.chart = std::move(chart)}, content.panels.size() / 3, content.panels.size() % 3);
    }
    if (content.panels.empty())
        return failure(ErrorKind::DataError, "no run has both lengths beyond N and entropies");
    content.legend = content.panels.front().chart.series;
    content.footnote =
        u"A point is a method at a length; vanilla lies at 0. Entropy: the mean over the heads, against vanilla's at "
        "$N$. $ρ$: Spearman's rank correlation within a length, mean over networks; below 0, the less entropy changes "
        "the better."_s;
    if (!relations.empty() && relations.front().p)
        content.footnote += u" Over %1 kinds of network $ρ$ = %2, $p$ = %3 of a t-test."_s.arg(relations.front().units)
                                .arg(correlationText(relations.front().rho))
                                .arg(printed(formatNumber(*relations.front().p, 2)));
    return content;
}

}  // namespace attnscope
