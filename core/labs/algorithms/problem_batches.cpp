#include "core/labs/algorithms/problem_batches.h"

#include <algorithm>

namespace attnscope {

ProblemSequence problemSequence(const ProblemSettings& settings, const AlgorithmTask& task, std::int64_t size,
                                std::uint64_t problem)
{
    ProblemDraw draw(settings.seed, Stream::Sampling, problem), places(settings.seed, Stream::Structure, problem);
    const ProblemTokens tokens = tokensOf(task, task.pose(size, draw), settings.traces);
    ProblemSequence sequence{tokens.question, std::vector<int>(tokens.question.size() - 1, -1), {}};
    sequence.inputs.insert(sequence.inputs.end(), tokens.answer.begin(), tokens.answer.end() - 1);
    sequence.targets.insert(sequence.targets.end(), tokens.answer.begin(), tokens.answer.end());
    sequence.positions = places.rising(std::ssize(sequence.inputs), settings.positions);
    return sequence;
}

std::int64_t tokensAtMost(const ProblemSettings& settings, std::int64_t size)
{
    std::size_t most = 0;
    for (const AlgorithmTask* task : settings.tasks) {
        ProblemDraw draw(0, Stream::Sampling, 0);
        const ProblemTokens tokens = tokensOf(*task, task->pose(size, draw), settings.traces);
        most = std::max(most, tokens.question.size() + tokens.answer.size() - 1);
    }
    return static_cast<std::int64_t>(most);
}

BatchSource problemBatches(const ProblemSettings& settings, std::int64_t sequences)
{
    return [=](std::uint64_t step) {
        const std::uint64_t first = step * static_cast<std::uint64_t>(sequences);
        const std::int64_t size =
            settings.smallest +
            ProblemDraw(settings.seed, Stream::Other, step).below(settings.largest - settings.smallest + 1);
        std::vector<ProblemSequence> all;
        std::size_t longest = 0;
        for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sequences); ++i) {
            const std::uint64_t number = first + i;  // on over the steps: a batch may have fewer problems than tasks
            all.push_back(problemSequence(settings, *settings.tasks[number % settings.tasks.size()], size, number));
            longest = std::max(longest, all.back().inputs.size());
        }
        LanguageBatch batch{.inputs = {}, .targets = {}, .positions = {}, .sequences = sequences};
        for (ProblemSequence& sequence : all) {
            sequence.inputs.resize(longest, 0);  // nothing before sees what fills it up
            sequence.targets.resize(longest, -1);
            sequence.positions.resize(longest, 0);
            batch.inputs.insert(batch.inputs.end(), sequence.inputs.begin(), sequence.inputs.end());
            batch.targets.insert(batch.targets.end(), sequence.targets.begin(), sequence.targets.end());
            batch.positions.insert(batch.positions.end(), sequence.positions.begin(), sequence.positions.end());
        }
        return batch;
    };
}

}  // namespace attnscope
