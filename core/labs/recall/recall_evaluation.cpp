#include "core/labs/recall/recall_evaluation.h"

#include "core/labs/lab_support.h"
#include "core/statistics/samples.h"

#include <limits>

namespace attnscope {

namespace {

RecallSequence sequenceOf(const RecallTest& test, std::int64_t number)
{
    return recallSequence(test.settings, testStage(test.settings, test.length), static_cast<std::uint64_t>(number));
}

/// A policy that measures does so on the first two sequences.
Result<Policy> measured(const Model& model, const Policy& policy, const RecallTest& test, std::stop_token stop)
{
    std::vector<int> ids;
    for (std::int64_t number = 0; number < 2; ++number) {
        const RecallSequence sequence = sequenceOf(test, number);
        ids.insert(ids.end(), sequence.inputs.begin(), sequence.inputs.end());
    }
    return withMeasuredHeads(model, policy, ids, test.length, {.last = 0, .windows = 2, .stop = std::move(stop)});
}

PolicyScore scoreOf(const RecallSequence& sequence, const WindowResult& result)
{
    const MeanPrediction mean = meanOf(result.predictions);
    PolicyScore score{.loss = mean.loss,
                      .accuracy = mean.accuracy,
                      .entropy = qualityOf(std::span(&result, 1), 0).entropy,
                      .asked = mean.asked};
    for (std::size_t t = 0; t < result.predictions.size(); ++t)
        if (const Prediction& prediction = result.predictions[t]; prediction.asked) {
            score.recalled += prediction.right;
            score.answers.push_back({sequence.distances[t], prediction.right});
        }
    return score;
}

}  // namespace

Result<std::optional<PolicyScores>> scoreRecall(const Model& model, const Policy& asked, const RecallTest& test,
                                                std::stop_token stop)
{
    const Policy policy = TRY(measured(model, asked, test, stop));
    PolicyScores scores;
    for (std::int64_t number = 0; number < test.sequences; ++number) {
        TRY(unlessStopped(stop));
        const RecallSequence sequence = sequenceOf(test, number);
        const auto result = TRY(ifDefined(runWindow(model, windowOf(sequence),
                                                    {.policy = policy,
                                                     .pictures = {policy},
                                                     .last = 0,
                                                     .everyPrediction = true,
                                                     .engine = "auto",
                                                     .stop = stop})));
        if (!result)
            return std::nullopt;
        scores.push_back(scoreOf(sequence, *result));
    }
    return std::optional(std::move(scores));
}

RecallShares sharesOf(const PolicyScores& scores, std::int64_t from)
{
    std::vector<double> all, far;
    for (const PolicyScore& score : scores)
        for (const PolicyScore::Answer& answer : score.answers) {
            all.push_back(answer.right);
            if (answer.distance >= from)
                far.push_back(answer.right);
        }
    return {100 * sampleMean(all).mean, 100 * sampleMean(far).mean};
}

Result<double> windowShare(const RecallTest& test, std::int64_t window, const std::stop_token& stop)
{
    std::vector<double> right;
    for (std::int64_t number = 0; number < test.sequences; ++number) {
        TRY(unlessStopped(stop));
        const RecallSequence sequence = sequenceOf(test, number);
        for (std::size_t t = 0; t < sequence.distances.size(); ++t)
            if (const std::int64_t distance = sequence.distances[t]; distance > 0)
                right.push_back(distance < window ? 1 : sequence.guesses[t]);
    }
    return 100 * sampleMean(right).mean;
}

}  // namespace attnscope
