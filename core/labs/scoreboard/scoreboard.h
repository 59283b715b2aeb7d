#pragma once
// The scoreboard: what the labs' runs say together, a cell for each scale method, task and length n / N. A task is a
// column of a lab's table under conditions that the table names (positions, where the scale acts) and the parameters of
// the run that are not the lab's own.
//
// Every cell says how much better than vanilla the method is, in per cent, on a scale on which more is better whatever
// the task:
//   shares (accuracy, recall, load rate) 100 (share - vanilla's)                      points of percentage
//   losses in nats a token               100 (1 - exp(loss - vanilla's))              perplexity lower, in per cent
//   lengths of tours                     100 (1 - exp(mean ln(length / vanilla's)))   tours shorter, in per cent
// A pair is a network (or a run) tested with the method and with vanilla on the same things. Two networks or more: the
// gain is their mean, its p that of Student's paired t-test over them, and speaks of networks. One: the p that the lab
// found over the windows, sets or instances within it, and says nothing of others. Of either kind of test q is p as
// Benjamini & Hochberg correct it for all of that kind on the board; a cell has stars where q is small.
//
// A method that does to a task at a length what another did before is a copy there: it has no test of its own, and one
// that is a copy everywhere has no row.
//
// Beside quality stands entropy: the mean row entropy of the model's heads at n under the method over that of vanilla
// at N, less one. The papers' hypothesis is that the less it changes, the better a model does beyond N: a rank
// correlation of the gain with the change's size below zero. Cells of a network are not independent, so that a network
// has one correlation, within each task and length, and the test is over networks, or over kinds of them.

#include "core/labs/lab_record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// How a task's quality becomes a gain.
enum class GainOf { Share, Percent, Loss, Length };

/// A column of a lab's table that says how well a task was done. A new lab joins with a row in scoreboard_tasks.cpp.
struct BoardTask {
    std::string lab, table = {}, column = {};
    std::string ofEach = {};   ///< the table instead of a run of several networks, with a row for each of them
    std::string label = {};    ///< "hidden tokens found"
    std::string quality = {};  ///< what `value` of a cell is: "accuracy (%)"
    GainOf gain = GainOf::Share;
    std::string p = {};                        ///< the column with the lab's own p against vanilla; may be empty
    std::string within = {};                   ///< over what that p is: "windows"
    std::string count = {};                    ///< the column, or the run's parameter, that says how many of these
    std::string pairs = {};                    ///< what several pairs are: "networks"
    std::vector<std::string> conditions = {};  ///< columns that make tasks of their own, the same for vanilla
    std::vector<std::string> learned = {};     ///< those of them that say how a network learned, not how it is tested
    std::string where = {};                    ///< a column that does so and that vanilla's rows leave empty
    std::string entropy = {};                  ///< column
    std::string entropyOfDecoder = {};         ///< the column instead, where `where` says decoder
    std::vector<std::string> sampling =
        {};  ///< parameters of the run that only say how much of the same is tested, or with which seed
    /// How the networks that come with the program (steps=0) were trained, where not as the lab does by default:
    /// parameters as a choice has them. Others of the same recipe are of the same task.
    std::vector<decltype(Choice::values)> recipes = {};
    std::string trainLength = {};  ///< the parameter that is N, where rows have no n_over_train
    std::string heads = {};        ///< the parameter that divides `width` into heads; none: the width is one head's
    /// What something reaches without a network: its name, the column of the reference's rows with its quality, and the
    /// one with the p of the difference. Or it is worked out for n of the run, and is not tested.
    struct Baseline {
        std::string name, column = {}, p = {};
        double (*workedOut)(const Parameters& run, std::int64_t n) = nullptr;
    };
    std::vector<Baseline> baselines = {};
    std::string change = {};  ///< the column with the lab's own change in per cent, where the gain is of that
};
std::span<const BoardTask> boardTasks();

struct BoardRun {
    std::string origin;  ///< its folder, or "shipped"
    LabRecord record;
};

/// A network's part of a cell.
struct BoardPair {
    std::string network;  ///< which it is: the same of all tasks and runs that it is tested in
    std::size_t run = 0;  ///< its place among the runs
    std::int64_t seed = 0;
    double value = 0, vanilla = 0;  ///< as the lab's column has them
    double gain = 0;                ///< per cent
    std::optional<double> entropyChange = {};
};

struct BoardCell {
    std::string task;                     ///< "hidden tokens found, rope (length=100)"
    std::string method;                   ///< as a choice; "vanilla|adaptive" with a normaliser
    double n = 0, ratio = 0;              ///< n of the first pair, n / N
    double value = 0, vanilla = 0;        ///< mean quality, as BoardTask::quality says
    double gain = 0;                      ///< per cent; vanilla's own is 0
    std::optional<double> standardError;  ///< of the gain, over pairs
    std::optional<double> p;
    std::int64_t pairs = 0;   ///< that the gain, or the p, is over
    std::string pairedOver;   ///< "networks", "windows"; empty where nothing was tested. Without p: all pairs gain the
                              ///< same, which leaves nothing to test with
    std::optional<double> q;  ///< p, corrected for all tests over networks, or all within them
    std::optional<double> entropy, entropyChange;  ///< nats; over vanilla's at N, less one
    std::vector<std::size_t> runs;                 ///< places among the runs that the board was made of, ascending
    std::vector<BoardPair> networks;
    std::string copyOf;      ///< the method before it that did just the same here; empty: none
    bool comparable = true;  ///< the method changes nothing at N, where networks were trained without it
    bool isTested = true;    ///< no: a line to hold methods against, which is in no test and in no correction
    std::string behind;  ///< the method with the largest gain of those with two networks here, where this is another
    std::optional<double> behindP;  ///< that the two are the same over the networks of both: Student's paired t-test,
                                    ///< by Holm corrected for all of this task and length. It takes no account of the
                                    ///< best having been chosen by the same numbers
};

struct Scoreboard {
    struct Task {
        std::string label, quality, lab;
        std::string name, detail;  ///< the label's two parts: "hidden tokens found", "rope, length=100"
        std::int64_t networks = 0;
    };
    std::string reference;             ///< what gains are over, vanilla unless another was asked for
    std::vector<Task> tasks;           ///< in the order of the table of tasks
    std::vector<std::string> methods;  ///< vanilla first, then as in the registry, then others; no copies
    std::map<std::string, std::vector<std::string>> copies;  ///< of a method, which are the same on this board
    std::vector<double> ratios;                              ///< ascending
    std::vector<BoardCell> cells;                            ///< by task, then ratio, then method
    const BoardCell* find(std::string_view task, std::string_view method, double ratio) const;
};

/// Rows without quality are left out, and so is what has no vanilla beside it. Two runs that found the very same count
/// once, and so does a network that several runs tested, at other instances or with other methods: the first run that
/// has a method counts. Gains are over vanilla, or over another method of the runs, so that the test is of the
/// difference between the two; there is none within one network then.
Scoreboard makeScoreboard(std::span<const BoardRun> runs, const std::string& reference = "vanilla");

/// Why there is no cell on the board that is made of these over vanilla: "there is no row of a lab to make a board of".
/// The runs may have rows, and nowhere vanilla's beside another's.
std::string whyNoCell(std::span<const BoardRun> runs);

/// Half of the interval around the gain in which, 19 times in 20, that of as many other networks of the same recipe
/// will lie (core/statistics/samples.h). Nothing of one network.
std::optional<double> halfIntervalOfOthers(const BoardCell& cell);

/// Of a task and length with two networks or more: nothing else gains more.
bool isBest(const BoardCell& cell);
/// 3 for q < 0.001, 2 for q < 0.01, 1 for q < 0.05, else 0.
int starsOf(const BoardCell& cell);
/// Does the method give 1 at N in every cell that it has, so that networks are used as they were trained?
bool isComparable(const Scoreboard& board, std::string_view method);
/// "softmax_plus = longrope"
std::string withCopies(const Scoreboard& board, const std::string& method);

/// One line of the test of the hypothesis. Of each network Spearman's rank correlation of gain and size of the
/// entropy's change over its methods, copies left out, ranked within each task and length beyond N; then their mean.
struct EntropyRelation {
    std::string scope;        ///< "kinds of network", "n = 4 N", a task
    double rho = 0;           ///< mean over `units`
    std::optional<double> p;  ///< of a t-test over the units that it is 0; of one there is none
    std::int64_t units = 0;   ///< networks of a task; else kinds of network, of which each is the mean of its networks
    std::string over;         ///< "networks", "kinds of network"
    std::int64_t points = 0;  ///< method, task and length of a network
};
std::vector<EntropyRelation> entropyRelations(const Scoreboard& board);

/// The runs that come with the program, each recorded by `attnscope lab 'CHOICE' --out DIR`.
Result<std::vector<BoardRun>> shippedRuns();
/// Likewise language models with cosine attention of other factors alpha, under vanilla alone: they are no task of the
/// scoreboard's.
Result<std::vector<BoardRun>> shippedCosineRuns();
/// Networks that recall under windows and ALiBi, and such as learned with the cosine: InfoScale's table 1. Nor are they
/// on the scoreboard, whose correction for the number of its tests is of what stands there.
Result<std::vector<BoardRun>> shippedSchemeRuns();
/// Networks of vehicles with EIE's capacities and demands: its table 3. Nor are they there.
Result<std::vector<BoardRun>> shippedCapacityRuns();

/// The runs in these folders: a folder is a run's, or holds such folders, four deep at most. Those that never finished
/// are left out, for what they have found stands for less than they were to find: `unfinished` has their folders.
/// Errors: NotFound (no run in a folder), those of readRecord.
Result<std::vector<BoardRun>> runsIn(std::span<const std::string> folders,
                                     std::vector<std::string>* unfinished = nullptr);

/// What has no row: tasks, and methods of the registry; each with what to do about it, in one line.
std::vector<std::string> whatIsMissing(const Scoreboard& board);

}  // namespace attnscope
