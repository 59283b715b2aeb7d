#include "core/labs/algorithms/algorithm_tasks.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <sstream>

#include <fmt/core.h>

namespace attnscope {

namespace {

/// minimum 12 -7 33 -50 8 = 12 -7 -50 | -50 .
///
/// The smallest of the numbers. The trace is the smallest so far, whenever it changes.
AlgorithmProblem poseMinimum(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    std::vector<int> smallest{numbers.front()};
    for (const int number : numbers)
        if (number < smallest.back())
            smallest.push_back(number);
    return {joined(numbers, " "), joined(smallest, " "), std::to_string(smallest.back())};
}

/// insertion_sort 12 -7 33 8 = -7 8 12 33 .
///
/// The numbers from the smallest to the largest. The benchmark's trace has a whole list for every number put in its
/// place: n^2 words.
AlgorithmProblem poseInsertionSort(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    std::vector<int> sorted = numbers;
    std::ranges::sort(sorted);
    return {joined(numbers, " "), {}, joined(sorted, " ")};
}

/// binary_search -50 -7 12 33 find 8 = -7 12 | 12 .
///
/// Of rising numbers the one before which the number asked for belongs: the first that is not below it. It is not among
/// them, and the last of them is above it. The trace is the middle of what is left, halving by halving.
AlgorithmProblem poseBinarySearch(std::int64_t size, ProblemDraw& draw)
{
    std::vector<int> numbers = draw.risingNumbers(size + 1);
    const auto asked = numbers.begin() + draw.below(size);
    const int target = *asked;
    numbers.erase(asked);
    std::vector<int> middles;
    std::size_t low = 0, high = numbers.size() - 1;  // the answer is in [low, high]
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        middles.push_back(numbers[middle]);
        if (numbers[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return {fmt::format("{} find {}", joined(numbers, " "), target), joined(middles, " "),
            std::to_string(numbers[low])};
}

/// maximum_subarray 12 -50 33 -7 20 -3 = 33 20 .
///
/// The first and the last number of the stretch with the largest sum (Kadane); of several the one that ends first, and
/// begins last.
AlgorithmProblem poseMaximumSubarray(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    int sum = 0, largest = -largestNumber - 1;
    std::size_t begin = 0, first = 0, last = 0;
    for (std::size_t end = 0; end < numbers.size(); ++end) {
        if (sum <= 0) {
            sum = 0;
            begin = end;
        }
        sum += numbers[end];
        if (sum > largest) {
            largest = sum;
            first = begin;
            last = end;
        }
    }
    return {joined(numbers, " "), {}, fmt::format("{} {}", numbers[first], numbers[last])};
}

constexpr std::size_t lettersOfPattern = 2;

std::string letter(std::int64_t which) { return std::string(1, static_cast<char>('a' + which)); }

/// naive_string_matching a -60 b -7 b 12 a 33 find b b = -7 .
///
/// Where two letters stand next to each other for the first time: every letter has a number behind it that tells its
/// place. The numbers rise, and any may come, so that long texts have no place that short ones never had.
AlgorithmProblem poseStringMatching(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> places = draw.risingNumbers(size);
    std::vector<std::int64_t> letters;
    for (std::int64_t i = 0; i < size; ++i)
        letters.push_back(draw.below(4));
    const auto from = letters.begin() + draw.below(size - static_cast<std::int64_t>(lettersOfPattern) + 1);
    const std::vector<std::int64_t> pattern(from, from + lettersOfPattern);
    std::size_t shift = 0;
    for (std::size_t matched = 0; matched < pattern.size(); ++shift)
        for (matched = 0; matched < pattern.size() && letters[shift + matched] == pattern[matched];)
            ++matched;
    std::string input;
    for (std::size_t i = 0; i < letters.size(); ++i)
        input += fmt::format("{} {} ", letter(letters[i]), places[i]);
    input += "find";
    for (const std::int64_t wanted : pattern)
        input += " " + letter(wanted);
    return {input, {}, std::to_string(places[shift - 1])};
}

}  // namespace

std::span<const AlgorithmTask> algorithmTasks()
{
    static const std::vector<AlgorithmTask> rows{
        {"minimum", "Minimum", "the smallest number", poseMinimum},
        {"insertion_sort", "Insertion sort", "the numbers in order", poseInsertionSort},
        {"binary_search", "Binary search", "the first number above the one asked for", poseBinarySearch},
        {"maximum_subarray", "Subarray", "the ends of the stretch with the largest sum", poseMaximumSubarray},
        {"naive_string_matching", "String matching", "the place where the letters first stand together",
         poseStringMatching}};
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
