#include "core/labs/algorithms/algorithm_tasks.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <sstream>

namespace attnscope {

std::span<const AlgorithmTask> algorithmTasks()
{
    static const std::vector<AlgorithmTask> rows{minimumTask(), insertionSortTask(), binarySearchTask(),
                                                 maximumSubarrayTask(), stringMatchingTask()};
    return rows;
}

/// Selection sampling (Knuth 3.4.2, algorithm S): each one in turn with the chance that is left for it.
std::vector<int> ProblemDraw::rising(std::int64_t count, std::int64_t bound)
{
    assert(count <= bound);
    std::vector<int> chosen;
    for (std::int64_t here = 0; std::ssize(chosen) < count; ++here)
        if (below(bound - here) < count - std::ssize(chosen))
            chosen.push_back(static_cast<int>(here));
    return chosen;
}

std::vector<int> ProblemDraw::risingNumbers(std::int64_t count)
{
    std::vector<int> chosen = rising(count, numbersThere);
    for (int& number : chosen)
        number -= largestNumber;
    return chosen;
}

std::vector<int> ProblemDraw::numbers(std::int64_t count)
{
    std::vector<int> chosen = risingNumbers(count);
    for (std::size_t left = chosen.size(); left > 1; --left)
        std::swap(chosen[left - 1], chosen[static_cast<std::size_t>(below(static_cast<std::int64_t>(left)))]);
    return chosen;
}

std::span<const std::string> algorithmWords()
{
    static const std::vector<std::string> words = [] {
        std::vector<std::string> all{".", "=", "|", "find", "a", "b", "c", "d"};
        for (int number = -largestNumber; number <= largestNumber; ++number)
            all.push_back(std::to_string(number));
        for (const AlgorithmTask& task : algorithmTasks())
            all.push_back(task.id);
        return all;
    }();
    return words;
}

namespace {

std::vector<int> tokensIn(const std::string& text)
{
    static const std::map<std::string, int> places = [] {
        std::map<std::string, int> all;
        for (const std::string& word : algorithmWords())
            all.emplace(word, static_cast<int>(all.size()));
        return all;
    }();
    std::vector<int> tokens;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        assert(places.contains(word));
        tokens.push_back(places.at(word));
    }
    return tokens;
}

}  // namespace

ProblemTokens tokensOf(const AlgorithmTask& task, const AlgorithmProblem& problem, bool traces)
{
    const std::string trace = traces && !problem.trace.empty() ? problem.trace + " | " : "";
    return {tokensIn(task.id + " " + problem.input + " ="), tokensIn(trace + problem.answer + " .")};
}

std::string textOf(std::span<const int> tokens)
{
    return joined(tokens, " ", [](int token) { return algorithmWords()[static_cast<std::size_t>(token)]; });
}

}  // namespace attnscope
