#pragma once
// The scoreboard: what the labs' runs say together, a cell for each scale method, task and length n / N. A task is a
// column of a lab's table under conditions that the table names (positions, where the scale acts) and the parameters of
// the run that are not the lab's own.
//
// Every cell says how much better than vanilla the method is, in per cent, on a scale on which more is better whatever
// the task:
//   shares (accuracy, recall, load rate) 100 (share - vanilla's)                      points of percentage
//   losses in nats a token               100 (1 - exp(loss - vanilla's))              perplexity lower by so many per
//   cent lengths of tours                     100 (1 - length / vanilla's)                 tours shorter by so many per
//   cent
// A pair is a network (or a run) tested with the method and with vanilla on the same things. Two pairs or more: the
// gain is their mean, its p that of Student's paired t-test over them. One pair: the p that the lab found over the
// windows, sets or instances within it.
//
// Beside quality stands entropy: the mean row entropy of the model's heads at n under the method over that of vanilla
// at N, less one. The papers' hypothesis is that the less it changes, the better a model does beyond N: a rank
// correlation of the gain with the change's size below zero.

#include "core/labs/lab_record.h"
#include "core/statistics/rank_correlation.h"

#include <cstdint>
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
    std::string label = {};    ///< "hidden tokens found"
    std::string quality = {};  ///< what `value` of a cell is: "accuracy (%)"
    GainOf gain = GainOf::Share;
    std::string p = {};                        ///< the column with the lab's own p against vanilla; may be empty
    std::string within = {};                   ///< over what that p is: "windows"
    std::string count = {};                    ///< the column, or the run's parameter, that says how many of these
    std::string pairs = {};                    ///< what several pairs are: "networks"
    std::vector<std::string> conditions = {};  ///< columns that make tasks of their own, the same for vanilla
    std::string where = {};                    ///< a column that does so and that vanilla's rows leave empty
    std::string entropy = {};                  ///< column
    std::string entropyOfDecoder = {};         ///< the column instead, where `where` says decoder
    std::vector<std::string> sampling =
        {};  ///< parameters of the run that only say how much of the same is tested, or with which seed
    std::string trainLength = {};  ///< the parameter that is N, where rows have no n_over_train
};
std::span<const BoardTask> boardTasks();

struct BoardRun {
    std::string origin;  ///< its folder, or "shipped"
    LabRecord record;
};

struct BoardCell {
    std::string task;                     ///< "hidden tokens found, rope (length=100)"
    std::string method;                   ///< as a choice; "vanilla|adaptive" with a normaliser
    double n = 0, ratio = 0;              ///< n of the first pair, n / N
    double value = 0, vanilla = 0;        ///< mean quality, as BoardTask::quality says
    double gain = 0;                      ///< per cent; vanilla's own is 0
    std::optional<double> standardError;  ///< of the gain, over pairs
    std::optional<double> p;
    std::int64_t pairs = 0;  ///< that the gain, or the p, is over
    std::string pairedOver;  ///< "networks", "windows"; empty where nothing was tested. Without p: all pairs gain the
                             ///< same, which leaves nothing to test with
    std::optional<double> entropy, entropyChange;  ///< nats; over vanilla's at N, less one
    std::vector<std::size_t> runs;                 ///< places among the runs that the board was made of, ascending
};

struct Scoreboard {
    struct Task {
        std::string label, quality, lab;
        std::string name, detail;  ///< the label's two parts: "hidden tokens found", "rope, length=100"
    };
    std::vector<Task> tasks;           ///< in the order of the table of tasks
    std::vector<std::string> methods;  ///< vanilla first, then as in the registry, then others
    std::vector<double> ratios;        ///< ascending
    std::vector<BoardCell> cells;      ///< by task, then ratio, then method
    const BoardCell* find(std::string_view task, std::string_view method, double ratio) const;
};

/// Rows without quality are left out, and so is what has no vanilla beside it. Two runs that found the very same count
/// once.
Scoreboard makeScoreboard(std::span<const BoardRun> runs);

/// 3 for p < 0.001, 2 for p < 0.01, 1 for p < 0.05, else 0.
int starsOf(const BoardCell& cell);

/// One line of the test of the hypothesis: points are the cells beyond N, x the size of the entropy's change, y the
/// gain.
struct EntropyRelation {
    std::string scope;  ///< "everything", "everything, within a task and length", a task, "n = 4 N"
    RankCorrelation correlation;
};
std::vector<EntropyRelation> entropyRelations(const Scoreboard& board);

/// The runs that come with the program, each recorded by `attnscope lab 'CHOICE' --out DIR`.
Result<std::vector<BoardRun>> shippedRuns();
/// Likewise language models with cosine attention of other factors alpha, under vanilla alone: they are no task of the
/// scoreboard's.
Result<std::vector<BoardRun>> shippedCosineRuns();

/// The runs in these folders: a folder is a run's, or holds such folders, four deep at most. Errors: NotFound (no run
/// in a folder), those of readRecord.
Result<std::vector<BoardRun>> runsIn(std::span<const std::string> folders);

/// What has no row: tasks, and methods of the registry; each with what to do about it, in one line.
std::vector<std::string> whatIsMissing(const Scoreboard& board);

}  // namespace attnscope
