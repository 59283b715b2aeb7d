#include "core/labs/algorithms/problem_evaluation.h"

#include "core/labs/lab_support.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>

namespace attnscope {

Window windowOf(const ProblemSequence& sequence)
{
    return {sequence.inputs, sequence.targets, {sequence.positions.begin(), sequence.positions.end()}};
}

Result<std::optional<PolicyScores>> scoreProblems(const Model& model, const Policy& policy, const ProblemTest& test,
                                                  std::stop_token stop)
{
    PolicyScores scores;
    for (std::int64_t problem = 0; problem < test.problems; ++problem) {
        TRY(unlessStopped(stop));
        const ProblemSequence sequence =
            problemSequence(test.settings, *test.task, test.size, static_cast<std::uint64_t>(problem));
        const auto said = std::ranges::count_if(sequence.targets, [](int target) { return target >= 0; });
        const auto result = TRY(ifDefined(runWindow(model, windowOf(sequence),
                                                    {.policy = policy,
                                                     .pictures = {policy},
                                                     .last = said,
                                                     .everyPrediction = true,
                                                     .engine = "auto",
                                                     .stop = stop})));
        if (!result)
            return std::nullopt;
        const MeanPrediction mean = meanOf(result->predictions);
        PolicyScore score{.loss = mean.loss,
                          .accuracy = 1,
                          .entropy = qualityOf(std::span(&*result, 1), 0).entropy,
                          .asked = mean.asked};
        for (const Prediction& prediction : result->predictions)
            if (prediction.asked) {
                score.recalled += prediction.right;
                score.accuracy *= prediction.right;
            }
        scores.push_back(score);
    }
    return std::optional(std::move(scores));
}

LabCells problemCells(const ProblemLabel& label, const ProblemTest& test, const std::optional<PolicyScores>& scores,
                      const PolicyScores* vanilla)
{
    const std::string method = formatChoice(label.method), trained = formatChoice(label.network.trained);
    LabCells cells{{"seed", label.network.seed},
                   {"trained", trained},
                   {"task", test.task->id},
                   {"n", test.size},
                   {"n_over_train", static_cast<double>(test.size) / label.trainSize},
                   {"method", method},
                   {"positions", std::string("rope, randomised")},
                   {"where", std::string("all layers")},
                   {"policy", isVanilla(label.network.trained) ? method : method + ", trained with " + trained}};
    addScores(cells, scores, vanilla, {"token_accuracy", "tokens", "problems"});
    return cells;
}

LabCells accuracyCells(const std::vector<LabCells>& quality)
{
    LabCells cells;
    for (const char* column : {"seed", "trained", "n", "n_over_train", "method", "policy"})
        cells.emplace_back(column, *LabRow{{}, quality.front()}.find(column));
    std::vector<double> accuracies, entropies;
    for (const LabCells& row : quality) {
        const LabRow read{{}, row};
        accuracies.push_back(read.number("accuracy"));
        entropies.push_back(read.number("entropy_mean"));
        cells.emplace_back(std::get<std::string>(*read.find("task")), present(accuracies.back()));
    }
    cells.emplace_back("mean", present(sampleMean(accuracies).mean));
    cells.emplace_back("entropy_mean", present(sampleMean(entropies).mean));
    return cells;
}

}  // namespace attnscope
