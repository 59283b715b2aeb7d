// What the scoreboard takes from each lab's tables.

#include "core/labs/scoreboard/scoreboard.h"

#include "core/labs/recall/recall_sequences.h"

namespace attnscope {

namespace {

double guessedOfRecall(const Parameters& run, std::int64_t n) { return guessedShare(recallSettings(run, 0), n); }

/// What the language labs share.
BoardTask languageTask(BoardTask task, std::vector<std::string> conditions)
{
    task.table = qualityTable;
    task.within = task.count = "windows";
    task.pairs = "networks";
    task.conditions = std::move(conditions);
    task.learned = {"trained"};
    task.entropy = "entropy_mean";
    task.sampling = {"networks", "seed", "windows", "sequences", "tokens", "most", "sentence"};
    task.heads = "heads";
    return task;
}

/// What the labs of networks that build a solution piece by piece share.
BoardTask policyTask(BoardTask task, const std::string& condition, std::vector<std::string> alsoSampling,
                     std::vector<BoardTask::Baseline> baselines = {})
{
    task.baselines = std::move(baselines);
    task.table = qualityTable;
    task.p = "p";
    task.within = task.count = "instances";
    task.pairs = "networks or runs";
    task.conditions = {condition};
    task.where = "where";
    task.entropy = "entropy_encoder";
    task.entropyOfDecoder = "entropy_decoder";
    task.heads = "heads";
    task.sampling = std::move(alsoSampling);
    task.sampling.insert(task.sampling.end(), {"sets", "most", "seed", "networks"});
    return task;
}

}  // namespace

std::span<const BoardTask> boardTasks()
{
    static const std::vector<BoardTask> rows{
        languageTask({.lab = "recall",
                      .column = "accuracy",
                      .label = "values recalled",
                      .quality = "accuracy (%)",
                      .gain = GainOf::Share,
                      .p = "accuracy_p",
                      .baselines = {{.name = "a guess", .workedOut = guessedOfRecall}}},
                     {"trained", "positions"}),
        {.lab = "max-retrieval",
         .table = "table1",
         .column = "accuracy",
         .ofEach = qualityTable,
         .label = "largest item found",
         .quality = "accuracy (%)",
         .gain = GainOf::Percent,
         .p = "p_value",
         .within = "test sets",
         .count = "seeds",
         .pairs = "heads or runs",
         .entropy = "entropy",
         .sampling = {"seed", "heads", "seeds", "sets", "most_items", "constraint", "target"},  // of other heads
         .recipes = {{{"steps", 100000}}},
         .trainLength = "items_max"},
        languageTask({.lab = "masked-lm",
                      .column = "accuracy",
                      .label = "hidden tokens found",
                      .quality = "accuracy (%)",
                      .gain = GainOf::Share,
                      .p = "accuracy_p"},
                     {"trained", "positions"}),
        languageTask({.lab = "causal-lm",
                      .column = "nll",
                      .label = "next token",
                      .quality = "perplexity",
                      .gain = GainOf::Loss,
                      .p = "p"},
                     {"positions"}),
        {.lab = "algorithms",
         .table = qualityTable,
         .column = "accuracy",
         .label = "problems solved",
         .quality = "answers right (%)",
         .gain = GainOf::Share,
         .pairs = "networks",
         .conditions = {"trained", "task"},
         .learned = {"trained"},
         .entropy = "entropy_mean",
         .sampling = {"networks", "seed", "problems", "most"},
         .heads = "heads"},
        policyTask({.lab = "routing",
                    .column = "length",
                    .label = "tours",
                    .quality = "tour length",
                    .gain = GainOf::Length,
                    .learned = {"task"},
                    .recipes = {{{"vehicles", 1}, {"steps", 2000}},
                                {{"length", 50}, {"steps", 6000}},
                                {{"vehicles", 1}, {"length", 50}, {"steps", 3000}}},
                    .change = "change"},
                   "task", {"vehicles"}),
        policyTask(
            {.lab = "packing",
             .column = "load_rate",
             .label = "boxes packed",
             .quality = "load rate (%)",
             .gain = GainOf::Percent,
             .recipes = {{{"steps", 1500}}, {{"length", 50}, {"from", 20}, {"steps", 1200}}}},
            "bin", {"bin"},
            {{"random order", "random_order", "p_random", {}}, {"order of volume", "volume_order", "p_volume", {}}}),
    };
    return rows;
}

}  // namespace attnscope
