// scoreboard: every scale method on every task at every length, against vanilla, from the rows of runs of labs; and
// what the change of entropy has to do with it.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <sstream>

namespace attnscope {

namespace {

struct ScoreboardSettings {
    std::vector<std::string> folders, methods;
    bool withoutShipped = false;
    std::string show = "board", against{vanillaId};
    std::string output;
    std::optional<Format> format;
    Options ofBoard;
};

std::string starred(const Scoreboard& board, const BoardCell& cell)
{
    if (cell.method == board.reference)
        return formatNumber(cell.value, 3);
    return (cell.gain > 0 ? "+" : "") + formatNumber(cell.gain, 3) +
           std::string(static_cast<std::size_t>(starsOf(cell)), '*');
}

/// For people: a row a method, a column a length.
void writeWide(ResultWriter& writer, const Scoreboard& board)
{
    for (const Scoreboard::Task& task : board.tasks)
        for (const std::string& method : board.methods) {
            const std::string about = method == board.reference ? ", " + task.quality : "",
                              mark = isComparable(board, method) ? "" : " (not 1 at N)";
            std::vector<Cell> cells{task.label, withCopies(board, method) + mark + about, task.networks};
            bool any = false;
            for (const double ratio : board.ratios) {
                const BoardCell* cell = board.find(task.label, method, ratio);
                cells.push_back(cell ? Cell{starred(board, *cell)} : Cell{});
                any = any || cell;
            }
            if (any)
                writer.add(std::move(cells));
        }
}

/// For programs: a row a cell.
void writeLong(ResultWriter& writer, const Scoreboard& board)
{
    for (const BoardCell& cell : board.cells) {
        const auto& task = *std::ranges::find(board.tasks, cell.task, &Scoreboard::Task::label);
        const bool paired = !cell.pairedOver.empty();
        const auto copies = board.copies.find(cell.method);
        const auto again = halfIntervalOfOthers(cell);
        const bool tested = cell.copyOf.empty();  // what another method's test says is said once
        writer.add({cell.task,
                    task.quality,
                    cell.method,
                    static_cast<std::int64_t>(cell.n),
                    cell.ratio,
                    cell.value,
                    cell.vanilla,
                    cell.gain,
                    cellOf(cell.standardError),
                    tested ? cellOf(cell.p) : Cell{},
                    paired ? Cell{cell.pairs} : Cell{},
                    paired ? Cell{cell.pairedOver} : Cell{},
                    cellOf(cell.entropy),
                    cellOf(cell.entropyChange),
                    tested ? cellOf(cell.q) : Cell{},
                    std::ssize(cell.networks),
                    cell.comparable,
                    textCell(cell.copyOf),
                    copies == board.copies.end() ? Cell{} : Cell{joined(copies->second, "; ")},
                    textCell(cell.behind),
                    cellOf(cell.behindP),
                    again ? Cell{cell.gain - *again} : Cell{},
                    again ? Cell{cell.gain + *again} : Cell{}});
    }
}

void writeBoard(std::ostream& out, Format format, const Scoreboard& board)
{
    std::vector<Column> columns{"task", "method", "networks"};
    for (const double ratio : board.ratios)
        columns.push_back({"n/N=" + formatNumber(ratio)});
    const std::string against = board.reference == "vanilla" ? "vanilla" : "reference";
    if (format != Format::Table)
        columns = {"task",    "quality",        "method",   "n",         "n_over_train", "value",
                   against,   "gain",           "stderr",   "p",         "pairs",        "paired_over",
                   "entropy", "entropy_change", "q",        "networks",  "comparable",   "copy_of",
                   "copies",  "behind",         "behind_p", "again_low", "again_high"};
    ResultWriter writer(out, format, columns);
    (format == Format::Table ? writeWide : writeLong)(writer, board);
    writer.finish();
}

void writeRelations(std::ostream& out, Format format, const Scoreboard& board)
{
    ResultWriter writer(out, format, {"scope", "points", "spearman", "p", "units", "over"});
    for (const EntropyRelation& relation : entropyRelations(board))
        writer.add({relation.scope, relation.points, relation.rho, cellOf(relation.p), relation.units, relation.over});
    writer.finish();
}

void writeRuns(std::ostream& out, Format format, const std::vector<BoardRun>& runs)
{
    ResultWriter writer(out, format, {"run", "finished", "made_by"});
    for (const BoardRun& run : runs)
        writer.add(
            {run.origin, run.record.finished, "attnscope lab '" + formatChoice(run.record.choice) + "' --out DIR"});
    writer.finish();
}

/// What to read the numbers by, and what is not there.
void explain(const Console& console, const Scoreboard& board)
{
    std::array<std::size_t, 2> tests{}, left{};  // within one network, over networks
    for (const BoardCell& cell : board.cells)
        if (cell.q && cell.copyOf.empty()) {
            ++tests[cell.networks.size() > 1];
            left[cell.networks.size() > 1] += starsOf(cell) > 0;
        }
    console.err << "Per cent better than " << board.reference
                << " at the same n (points of accuracy or load rate, perplexity lower, tours shorter): * q < 0.05, ** "
                   "q < 0.01, *** q < 0.001, paired t-tests corrected for all of their kind (Benjamini and Hochberg). "
                   "The correction leaves "
                << left[1] << " of " << tests[1] << " tests over networks, and " << left[0] << " of " << tests[0]
                << " within one network, which say nothing of others. A method that is not 1 at N does not use "
                   "networks as they were trained.\n";
    for (const std::string& line : whatIsMissing(board))
        console.err << "Missing: " << line << '\n';
}

/// Those alone, where any are named; a copy by the name of the first. Errors: UnknownName.
Result<void> keepMethods(Scoreboard& board, std::vector<std::string> wanted)
{
    for (std::string& method : wanted) {
        for (const auto& [first, copies] : board.copies)
            if (std::ranges::find(copies, method) != copies.end())
                method = first;
        if (std::ranges::find(board.methods, method) == board.methods.end())
            return failure(ErrorKind::UnknownName, "--method: no run has '{}'; there are {}", method,
                           joined(board.methods, ", "));
    }
    const auto dropped = [&](const std::string& method) {
        return !wanted.empty() && std::ranges::find(wanted, method) == wanted.end();
    };
    std::erase_if(board.methods, dropped);
    std::erase_if(board.cells, [&](const BoardCell& cell) { return dropped(cell.method); });
    return {};
}

Result<void> runScoreboard(const ScoreboardSettings& settings, const Console& console)
{
    if (settings.show == "runs")
        TRY(unused(settings.ofBoard, "--show runs lists all runs"));
    const Format format = TRY(formatFor(settings.format, settings.output, console));
    auto runs = settings.withoutShipped ? std::vector<BoardRun>() : TRY(shippedRuns());
    std::vector<std::string> unfinished;
    const auto given = TRY(runsIn(settings.folders, &unfinished));
    for (const std::string& folder : unfinished)
        console.err << folder << ": this run never finished and is left out; its own command with --resume ends it\n";
    for (const BoardRun& run : given)
        TRY(checkApart(run.origin + "/" + recordName, "a run of --runs", settings.output, "--output"));
    runs.insert(runs.end(), given.begin(), given.end());
    Scoreboard board = makeScoreboard(runs, settings.against);
    if (board.cells.empty() && !isVanilla(settings.against))
        return failure(ErrorKind::UnknownName, "--against: no run has '{}'", settings.against);
    if (board.cells.empty())
        return failure(
            ErrorKind::NotFound,
            "{}; run attnscope lab masked-lm --out DIR, whose methods begin with vanilla, and give --runs DIR",
            whyNoCell(runs));
    TRY(keepMethods(board, settings.methods));
    std::ostringstream file;
    std::ostream& out = settings.output.empty() ? console.out : file;
    if (settings.show == "runs")
        writeRuns(out, format, runs);
    else
        (settings.show == "entropy" ? writeRelations : writeBoard)(out, format, board);
    if (settings.show == "board" && settings.methods.empty())
        explain(console, board);
    return settings.output.empty() ? Result<void>() : replaceFile(settings.output, std::move(file).str());
}

}  // namespace

Command scoreboardCommand()
{
    return commandWith<ScoreboardSettings>(
        "scoreboard", "Every scale method on every task at every length, against vanilla, from runs of labs",
        {"scoreboard", "scoreboard --runs mlm three --format csv", "scoreboard --show entropy",
         "scoreboard --show runs"},
        [](CLI::App& app, ScoreboardSettings& settings) {
            app.add_option(
                   "--runs", settings.folders,
                   "Folders of runs of your own, or folders that hold such, to join those that come with the program")
                ->type_name("DIR")
                ->expected(1, 10000);
            settings.ofBoard.push_back(app.add_option("--method", settings.methods,
                                                      "These methods alone, as the board names them; vanilla is one of "
                                                      "them. Gains stay those against vanilla")
                                           ->type_name("METHOD")
                                           ->expected(1, 1000));
            settings.ofBoard.push_back(
                app.add_option("--against", settings.against,
                               "What gains are over, vanilla unless another method of the runs is named: the test is "
                               "of the difference between the two, over networks")
                    ->type_name("METHOD"));
            app.add_flag("--without-shipped", settings.withoutShipped, "Leave out the runs that come with the program");
            addWord(app, "--show", settings.show, {"board", "entropy", "runs"},
                    "board: gains against vanilla; entropy: rank correlation of the gain with the size of the change "
                    "of entropy beyond N; runs: what went in, and how it was made");
            addFormat(app, settings.format);
            addOutput(app, settings.output);
        },
        runScoreboard);
}

}  // namespace attnscope
