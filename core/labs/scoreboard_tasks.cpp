// What the scoreboard takes from each lab's tables.

#include "core/labs/scoreboard.h"

namespace attnscope {

namespace {

/// What the language labs share.
BoardTask languageTask(BoardTask task, std::vector<std::string> conditions)
{
    task.table = "quality";
    task.within = task.count = "windows";
    task.pairs = "networks";
    task.conditions = std::move(conditions);
    task.entropy = "entropy_mean";
    task.sampling = {"networks", "seed", "windows", "tokens", "most", "sentence"};
    return task;
}

}  // namespace

std::span<const BoardTask> boardTasks()
{
    static const std::vector<BoardTask> rows{
        {.lab = "max-retrieval", .table = "table1", .column = "accuracy", .label = "largest item found", .quality = "accuracy (%)", .gain = GainOf::Percent,
         .p = "p_value", .within = "test sets", .count = "seeds", .pairs = "runs", .entropy = "entropy", .sampling = {"seed", "heads", "seeds", "sets", "most_items"}, .trainLength = "items_max"},
        languageTask({.lab = "masked-lm", .column = "accuracy", .label = "hidden tokens found", .quality = "accuracy (%)", .gain = GainOf::Share, .p = "accuracy_p"}, {"trained", "positions"}),
        languageTask({.lab = "causal-lm", .column = "nll", .label = "next token", .quality = "perplexity", .gain = GainOf::Loss, .p = "p"}, {"positions"}),
        languageTask({.lab = "causal-lm", .column = "recall", .label = "facts recalled", .quality = "answers right (%)", .gain = GainOf::Share}, {"positions"}),
        {.lab = "algorithms", .table = "quality", .column = "accuracy", .label = "problems solved", .quality = "answers right (%)", .gain = GainOf::Share, .pairs = "networks",
         .conditions = {"trained", "task"}, .entropy = "entropy_mean", .sampling = {"networks", "seed", "problems", "most"}},
        {.lab = "routing", .table = "quality", .column = "length", .label = "tours", .quality = "tour length", .gain = GainOf::Length, .p = "p", .within = "instances", .count = "instances",
         .pairs = "networks or runs", .conditions = {"task"}, .where = "where", .entropy = "entropy_encoder", .entropyOfDecoder = "entropy_decoder", .sampling = {"sets", "most", "seed", "networks", "vehicles"}},
    };
    return rows;
}

}  // namespace attnscope
